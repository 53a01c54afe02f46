/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that is run while something is measured or held. */
#ifndef SMIMON_WORKLOAD_H
#define SMIMON_WORKLOAD_H

#include <signal.h>
#include <sys/types.h>

/* Exit statuses, as shells have them. */
#define EXIT_NOT_EXECUTABLE	126
#define EXIT_NOT_FOUND		127
#define EXIT_SIGNALLED		128

/**
 * workload_start() - run a command
 * @argv: found as execvp() does
 * @mask: its signal mask
 * @pid: set to its process
 *
 * Return: 0, or EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE after a line to the user.
 */
int workload_start(char **argv, const sigset_t *mask, pid_t *pid);

/**
 * workload_status() - a status of wait() as an exit status
 */
int workload_status(int status);

#endif /* SMIMON_WORKLOAD_H */
