/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the daemon is to do: keys of the configuration file, each of which is an option of the
 * command line as well, which goes first.
 */
#ifndef SMIMON_SETTINGS_H
#define SMIMON_SETTINGS_H

#include <limits.h>
#include <smimon.h>
#include <stdio.h>

#define SETTINGS_FILE		"/etc/smimon.conf"

/**
 * struct settings - all keys, checked
 * @interval_ms: how often to sample
 * @cpus: a list, "" for all
 * @isolated: isolated CPUs as well
 * @freeze: hold the freeze
 * @listen: address and port to serve at, "" for none
 * @history: file of the database, "" for none
 * @history_days: how long to keep rows
 * @history_megabytes: how large the database may be
 * @journal_usec: write SMIs into the journal that took so long, -1 for none
 */
struct settings {
	unsigned int interval_ms;
	char cpus[SMIMON_CPU_LIST_MAX + 1];
	bool isolated;
	bool freeze;
	char listen[128];
	char history[PATH_MAX];
	unsigned int history_days;
	unsigned int history_megabytes;
	int journal_usec;
};

/**
 * struct invocation - what the command line asks for
 * @file: of -c; SETTINGS_FILE without, which then need not exist
 * @file_given: -c was given
 * @help: -h was given
 * @version: -V was given
 * @argc: for settings_read()
 * @argv: likewise
 */
struct invocation {
	const char *file;
	bool file_given;
	bool help;
	bool version;
	int argc;
	char **argv;
};

/**
 * settings_parse() - look at the command line
 *
 * Return: 0, or -EINVAL after a line to the user.
 */
int settings_parse(struct invocation *invocation, int argc, char **argv);

/**
 * settings_read() - defaults, then the file, then the command line
 * @settings: undefined after an error
 *
 * Return: 0, or a negative errno after a line to the user for each mistake.
 */
int settings_read(struct settings *settings, const struct invocation *invocation);

/**
 * settings_help() - print the options
 */
void settings_help(FILE *out);

#endif /* SMIMON_SETTINGS_H */
