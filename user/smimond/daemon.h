/* SPDX-License-Identifier: GPL-2.0-only */
/* The daemon's one loop, and what it does each interval. */
#ifndef SMIMON_DAEMON_H
#define SMIMON_DAEMON_H

struct invocation;
struct settings;

/**
 * daemon_run() - sample, keep and serve until SIGTERM or SIGINT
 * @invocation: to read the settings from again on SIGHUP
 * @settings: those to begin with
 *
 * Return: 0, or -1 after a line to the user.
 */
int daemon_run(const struct invocation *invocation, const struct settings *settings);

#endif /* SMIMON_DAEMON_H */
