/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_COMMAND_H
#define SMIMON_COMMAND_H

#include <stdio.h>

struct options;

/**
 * struct command - one command, and all that its help says
 * @name: the word that calls it
 * @bit: CMD_x, by which options say whose they are
 * @arguments: what follows the options
 * @summary: one line
 * @notes: prints more help; may be NULL
 * @run: does it with the options given, returns the exit status
 */
struct command {
	const char *name;
	unsigned int bit;
	const char *arguments;
	const char *summary;
	void (*notes)(FILE *out);
	int (*run)(const struct options *options);
};

/* Before the command's name; and the commands. */
#define CMD_GLOBAL	(1U << 0)
#define CMD_STATUS	(1U << 1)
#define CMD_SHOW	(1U << 2)
#define CMD_STAT	(1U << 3)
#define CMD_FREEZE	(1U << 4)
#define CMD_REPORT	(1U << 5)

extern const struct command command_status;
extern const struct command command_show;
extern const struct command command_stat;
extern const struct command command_freeze;
extern const struct command command_report;

#endif /* SMIMON_COMMAND_H */
