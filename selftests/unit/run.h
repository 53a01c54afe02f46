/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs shell commands in which "smimon" is the client that was built for the test. */
#ifndef SMIMON_RUN_H
#define SMIMON_RUN_H

#include <stdbool.h>

/**
 * struct run - a command that has ended
 * @status: its exit status; 128 and the number of the signal that killed it
 * @out: what it wrote to standard output
 * @err: what it wrote to standard error
 */
struct run {
	int status;
	char out[65536];
	char err[16384];
};

/**
 * run_command() - run a command to its end, in a minute at most, with SIGWINCH blocked
 * @kernel: a name that fake_preload.c knows; NULL for this machine's own
 * @signal: sent to it once it has printed something; 0 for none
 */
void run_command(struct run *run, const char *kernel, const char *command, int signal);

/**
 * run_one_line() - whether a text is one line with its end
 */
bool run_one_line(const char *text);

#endif /* SMIMON_RUN_H */
