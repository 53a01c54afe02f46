// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one table of options: getopt's strings, the check of each value and the help come from it. A
 * setter returns what would have been right if the value is not.
 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "array.h"
#include "command.h"
#include "message.h"
#include "schema.h"
#include "when.h"

#define STRINGIFY(x)	#x
#define NUMBER(x)	STRINGIFY(x)

#define MAX_INTERVAL_MS	86400000
#define MAX_COUNT	1000000000
#define MAX_REPEAT	10000

/* Options without a letter. */
enum {
	OPT_INTERVAL_COUNT = 256,
	OPT_NO_METRIC_ONLY,
	OPT_ISOLATED,
	OPT_SINCE,
	OPT_UNTIL,
	OPT_HISTORY,
	OPT_PLOT,
	OPT_SVG,
};

struct option_row {
	const char *name;
	const char *value;
	const char *help;
	const char *(*set)(struct options *options, const char *value);
	int key;
	unsigned int commands;
};

static const char *set_json(struct options *options, const char *value)
{
	(void)value;
	options->json = true;
	return NULL;
}

static const char *set_cpus(struct options *options, const char *value)
{
	int err = cpuset_parse(&options->cpus, value);

	if (err == -ERANGE)
		return "CPU numbers up to " NUMBER(CPUSET_CPUS) " - 1";
	if (err)
		return "a list of CPUs such as 0-3,7";
	if (cpuset_format(&options->cpus, options->cpu_list, sizeof(options->cpu_list)) >=
	    sizeof(options->cpu_list))
		return "a list of at most " NUMBER(SMIMON_CPU_LIST_MAX) " bytes";
	return NULL;
}

static const char *set_isolated(struct options *options, const char *value)
{
	(void)value;
	options->isolated = true;
	return NULL;
}

static const char *set_per_cpu(struct options *options, const char *value)
{
	(void)value;
	options->per_cpu = true;
	return NULL;
}

static const char *set_raw(struct options *options, const char *value)
{
	(void)value;
	options->raw = true;
	return NULL;
}

static bool parse_number(const char *value, unsigned int max, unsigned int *number)
{
	unsigned long long n = 0;

	if (!*value)
		return false;
	for (; *value; value++) {
		if (*value < '0' || *value > '9')
			return false;
		n = n * 10 + (*value - '0');
		if (n > max)
			return false;
	}
	*number = n;
	return n > 0;
}

static const char *set_interval(struct options *options, const char *value)
{
	return parse_number(value, MAX_INTERVAL_MS, &options->interval_ms) ? NULL :
		"a number from 1 to " NUMBER(MAX_INTERVAL_MS);
}

static const char *set_interval_count(struct options *options, const char *value)
{
	return parse_number(value, MAX_COUNT, &options->interval_count) ? NULL :
		"a number from 1 to " NUMBER(MAX_COUNT);
}

static const char *set_repeat(struct options *options, const char *value)
{
	return parse_number(value, MAX_REPEAT, &options->repeat) ? NULL :
		"a number from 1 to " NUMBER(MAX_REPEAT);
}

/* What can be part of a value would make a line that cannot be taken apart again. */
static const char *set_separator(struct options *options, const char *value)
{
	const char *p;

	for (p = value; *p; p++)
		if (isalnum((unsigned char)*p) || strchr("-+.%\n", *p))
			break;
	if (p == value || *p)
		return "a string without letters, digits, line ends and any of -+.%";
	options->separator = value;
	return NULL;
}

static const char *set_file(const char **file, const char *value)
{
	if (!*value)
		return "the name of a file";
	*file = value;
	return NULL;
}

static const char *set_output(struct options *options, const char *value)
{
	return set_file(&options->output, value);
}

static const char *set_since(struct options *options, const char *value)
{
	return when_parse(value, time(NULL), &options->since_ns) ? NULL : WHEN_ALLOWED;
}

static const char *set_until(struct options *options, const char *value)
{
	return when_parse(value, time(NULL), &options->until_ns) ? NULL : WHEN_ALLOWED;
}

static const char *set_history(struct options *options, const char *value)
{
	return set_file(&options->history, value);
}

static const char *set_plot(struct options *options, const char *value)
{
	(void)value;
	options->plot = true;
	return NULL;
}

static const char *set_svg(struct options *options, const char *value)
{
	return set_file(&options->svg, value);
}

static const char *set_help(struct options *options, const char *value)
{
	(void)value;
	options->help = true;
	return NULL;
}

static const char *set_version(struct options *options, const char *value)
{
	(void)value;
	options->version = true;
	return NULL;
}

#define CMD_ALL	(CMD_GLOBAL | CMD_STATUS | CMD_SHOW | CMD_STAT | CMD_FREEZE | CMD_REPORT)

static const struct option_row rows[] = {
	{ "interval-print", "MS", "print every MS milliseconds (1 to " NUMBER(MAX_INTERVAL_MS) ")",
	  set_interval, 'I', CMD_STAT },
	{ "interval-count", "N", "stop after N of these (1 to " NUMBER(MAX_COUNT) ")",
	  set_interval_count, OPT_INTERVAL_COUNT, CMD_STAT },
	{ "per-cpu", NULL, "a line for each CPU, not for all together only",
	  set_per_cpu, 'A', CMD_STAT },
	{ "repeat", "N", "run the command N times (1 to " NUMBER(MAX_REPEAT)
	  "), print mean and deviation", set_repeat, 'r', CMD_STAT },
	{ "field-separator", "SEP", "print fields with SEP in between, for programs",
	  set_separator, 'x', CMD_STAT },
	{ "output", "FILE", "print to FILE", set_output, 'o', CMD_STAT },
	{ "no-metric-only", NULL, "print the counters' differences as well",
	  set_raw, OPT_NO_METRIC_ONLY, CMD_STAT },
	{ "isolated", NULL, "interrupt and read isolated CPUs as well",
	  set_isolated, OPT_ISOLATED, CMD_SHOW | CMD_STAT },
	{ "since", "TIME", "what ended after TIME", set_since, OPT_SINCE, CMD_REPORT },
	{ "until", "TIME", "what ended by TIME", set_until, OPT_UNTIL, CMD_REPORT },
	{ "history", "FILE", "read FILE, not " SCHEMA_FILE, set_history, OPT_HISTORY, CMD_REPORT },
	{ "plot", NULL, "draw it over time as well", set_plot, OPT_PLOT, CMD_REPORT },
	{ "svg", "FILE", "draw it into FILE as SVG", set_svg, OPT_SVG, CMD_REPORT },
	{ "cpu", "LIST", "these CPUs only, such as 0-3,7",
	  set_cpus, 'C', CMD_GLOBAL | CMD_STATUS | CMD_SHOW | CMD_STAT | CMD_REPORT },
	{ "json", NULL, "print JSON, an object a line", set_json, 'j', CMD_ALL },
	{ "help", NULL, "print this help", set_help, 'h', CMD_ALL },
	{ "version", NULL, "print the version", set_version, 'V', CMD_ALL },
};

static unsigned int command_bit(const struct command *command)
{
	return command ? command->bit : CMD_GLOBAL;
}

static const struct option_row *find_row(int key)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

/* "+": the first other word begins what is not ours. ":": a missing value is told apart. */
static void prepare_getopt(unsigned int bit, char *letters, struct option *names)
{
	size_t i;

	*letters++ = '+';
	*letters++ = ':';
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!(rows[i].commands & bit))
			continue;
		*names++ = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].value ? required_argument : no_argument,
			.val = rows[i].key,
		};
		if (rows[i].key >= OPT_INTERVAL_COUNT)
			continue;
		*letters++ = rows[i].key;
		if (rows[i].value)
			*letters++ = ':';
	}
	*letters = '\0';
	*names = (struct option){ 0 };
}

static int refuse_option(const struct command *command, int key, const char *word)
{
	const struct option_row *row = find_row(optopt);
	const char *name = command ? command->name : "";
	const char *space = command ? " " : "";
	char letter[] = { '-', optopt, '\0' };

	if (key == ':')
		complain("option '%s' needs a value: %s (see 'smimon%s%s -h')", word, row->value,
			 space, name);
	else if (row && row->commands & command_bit(command))
		complain("option '%s' takes no value (see 'smimon%s%s -h')", word, space, name);
	else
		complain("unknown option '%s' (see 'smimon%s%s -h')", optopt ? letter : word, space,
			 name);
	return EXIT_USAGE;
}

int options_parse(struct options *options, const struct command *command, int argc, char **argv)
{
	char letters[2 * ARRAY_SIZE(rows) + 3];
	struct option names[ARRAY_SIZE(rows) + 1];
	int key;

	prepare_getopt(command_bit(command), letters, names);
	opterr = 0;
	optind = 0;
	while (!options->help && !options->version &&
	       (key = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct option_row *row = find_row(key);
		const char *wanted;

		if (!row)
			return refuse_option(command, key, argv[optind - 1]);
		wanted = row->set(options, optarg);
		if (wanted) {
			complain("bad value '%s' of --%s: it takes %s", optarg, row->name, wanted);
			return EXIT_USAGE;
		}
	}
	options->words = argv + optind;
	return 0;
}

void options_help(const struct command *command, FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char left[40] = "    ";

		if (!(rows[i].commands & command_bit(command)))
			continue;
		if (rows[i].key < OPT_INTERVAL_COUNT)
			snprintf(left, sizeof(left), "-%c, ", rows[i].key);
		snprintf(left + 4, sizeof(left) - 4, "--%s%s%s", rows[i].name,
			 rows[i].value ? " " : "", rows[i].value ? rows[i].value : "");
		fprintf(out, "  %-27s %s\n", left, rows[i].help);
	}
}

int options_refuse_words(const struct options *options)
{
	if (!options->words[0])
		return 0;
	complain("unexpected word '%s'", options->words[0]);
	return EXIT_USAGE;
}

const char *options_cpu_list(const struct options *options)
{
	return *options->cpu_list ? options->cpu_list : NULL;
}
