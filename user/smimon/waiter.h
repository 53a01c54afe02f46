/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a measurement waits for: the next interval, the user who stops it, the end of a command.
 * Signals are blocked and read, so that none comes between.
 */
#ifndef SMIMON_WAITER_H
#define SMIMON_WAITER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum wake {
	WAKE_INTERVAL,
	WAKE_STOP,		/* SIGINT or SIGTERM, without a command */
	WAKE_EXIT,		/* the command has ended */
	WAKE_FAILED,		/* after a line to the user */
};

/**
 * struct waiter - what is waited for
 * @old_mask: of signals, for the command
 * @signal_fd: SIGINT, SIGQUIT, SIGTERM, SIGCHLD
 * @timer_fd: intervals; -1 without
 * @pid: the command; 0 without
 * @status: its, once it has ended
 * @interrupted: SIGINT, SIGQUIT or SIGTERM came
 */
struct waiter {
	sigset_t old_mask;
	int signal_fd;
	int timer_fd;
	pid_t pid;
	int status;
	bool interrupted;
};

/**
 * waiter_open() - take over the signals, for waiter_close()
 * @with_command: that a command will be run. Ctrl-C and Ctrl-\ then are its, not ours, and SIGTERM
 *	is passed on to it.
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int waiter_open(struct waiter *waiter, bool with_command);

/**
 * waiter_start_timer() - begin intervals, which start at absolute times and do not drift
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int waiter_start_timer(struct waiter *waiter, unsigned int interval_ms);

void waiter_stop_timer(struct waiter *waiter);

/**
 * waiter_wait() - wait for whichever comes first; intervals that were missed count as one
 */
enum wake waiter_wait(struct waiter *waiter);

/**
 * waiter_close() - give the signals back
 */
void waiter_close(struct waiter *waiter);

#endif /* SMIMON_WAITER_H */
