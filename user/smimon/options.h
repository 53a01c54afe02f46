/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_OPTIONS_H
#define SMIMON_OPTIONS_H

#include <smimon.h>
#include <stdio.h>

#include "cpulist.h"

struct command;

/**
 * struct options - what the command line says, checked
 * @help: -h was given
 * @version: -V was given
 * @json: print JSON
 * @cpus: the CPUs of -C
 * @cpu_list: the same as a list; "" without -C
 * @isolated: isolated CPUs as well
 * @per_cpu: a line for each CPU
 * @raw: raw counters as well
 * @interval_ms: 0 without -I
 * @interval_count: 0 without end
 * @repeat: 0 without -r
 * @separator: of -x, else NULL
 * @output: of -o, else NULL
 * @since_ns: of --since, ns since 1970, else 0
 * @until_ns: of --until, likewise
 * @history: of --history, else NULL
 * @plot: draw with letters
 * @svg: of --svg, else NULL
 * @words: what follows the options, up to a NULL
 */
struct options {
	bool help;
	bool version;
	bool json;
	struct cpuset cpus;
	char cpu_list[SMIMON_CPU_LIST_MAX + 1];
	bool isolated;
	bool per_cpu;
	bool raw;
	unsigned int interval_ms;
	unsigned int interval_count;
	unsigned int repeat;
	const char *separator;
	const char *output;
	int64_t since_ns;
	int64_t until_ns;
	const char *history;
	bool plot;
	const char *svg;
	char **words;
};

/**
 * options_parse() - read options up to the first other word
 * @options: starts zeroed; read again, keeps what it has
 * @command: whose options to know; NULL for those before the command's name
 * @argv: its first element is skipped
 *
 * Return: 0, or EXIT_USAGE after a line to the user.
 */
int options_parse(struct options *options, const struct command *command, int argc, char **argv);

/**
 * options_help() - print the options of a command; NULL as above
 */
void options_help(const struct command *command, FILE *out);

/**
 * options_refuse_words() - see to it that nothing follows the options
 *
 * Return: 0, or EXIT_USAGE after a line to the user.
 */
int options_refuse_words(const struct options *options);

/**
 * options_cpu_list() - the CPUs to ask the kernel for
 *
 * Return: a list, or NULL for all.
 */
const char *options_cpu_list(const struct options *options);

#endif /* SMIMON_OPTIONS_H */
