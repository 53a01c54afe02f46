// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one table of keys: the file's, the options' and the help come from it. A setter returns what
 * would have been right if the value is not.
 */
#include "settings.h"

#include <errno.h>
#include <getopt.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cpulist.h"
#include "log.h"

#define STRINGIFY(x)	#x
#define NUMBER(x)	STRINGIFY(x)

#define MIN_INTERVAL_MS		100
#define MAX_INTERVAL_MS		3600000
#define MAX_DAYS		36500
#define MIN_MEGABYTES		4
#define MAX_MEGABYTES		1048576
#define MAX_USEC		1000000000

struct key {
	const char *name;
	const char *value;
	const char *help;
	const char *(*set)(struct settings *settings, const char *value);
};

static bool parse_number(const char *value, unsigned int min, unsigned int max,
			 unsigned int *number)
{
	unsigned long long n = 0;
	const char *p;

	for (p = value; *p >= '0' && *p <= '9'; p++) {
		n = n * 10 + (*p - '0');
		if (n > max)
			return false;
	}
	*number = n;
	return p > value && !*p && n >= min;
}

static bool parse_switch(const char *value, bool *on)
{
	*on = !strcmp(value, "yes");
	return *on || !strcmp(value, "no");
}

static bool is_none(const char *value)
{
	return !strcmp(value, "none");
}

/* "none" is kept as "". */
static bool keep_text(char *to, size_t size, const char *value)
{
	if (is_none(value))
		value = "";
	else if (!*value)
		return false;
	return snprintf(to, size, "%s", value) < (int)size;
}

static const char *set_interval(struct settings *settings, const char *value)
{
	return parse_number(value, MIN_INTERVAL_MS, MAX_INTERVAL_MS, &settings->interval_ms) ?
		NULL : "a number from " NUMBER(MIN_INTERVAL_MS) " to " NUMBER(MAX_INTERVAL_MS);
}

static const char *set_cpus(struct settings *settings, const char *value)
{
	struct cpuset cpus = { 0 };

	if (!strcmp(value, "all")) {
		settings->cpus[0] = '\0';
		return NULL;
	}
	if (cpuset_parse(&cpus, value) ||
	    cpuset_format(&cpus, settings->cpus, sizeof(settings->cpus)) >=
	    sizeof(settings->cpus))
		return "a list of CPUs such as 0-3,7, or 'all'";
	return NULL;
}

static const char *set_isolated(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->isolated) ? NULL : "yes or no";
}

static const char *set_freeze(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->freeze) ? NULL : "yes or no";
}

static const char *set_listen(struct settings *settings, const char *value)
{
	const char *port = strrchr(value, ':');
	unsigned int number;

	if ((!is_none(value) &&
	     (!port || port == value || !parse_number(port + 1, 1, UINT16_MAX, &number))) ||
	    !keep_text(settings->listen, sizeof(settings->listen), value))
		return "an address and a port such as 127.0.0.1:9764 or [::1]:9764, or 'none'";
	return NULL;
}

static const char *set_history(struct settings *settings, const char *value)
{
	if ((!is_none(value) && *value != '/') ||
	    !keep_text(settings->history, sizeof(settings->history), value))
		return "the path of a file from the root on, or 'none'";
	return NULL;
}

static const char *set_days(struct settings *settings, const char *value)
{
	return parse_number(value, 1, MAX_DAYS, &settings->history_days) ? NULL :
		"a number from 1 to " NUMBER(MAX_DAYS);
}

static const char *set_megabytes(struct settings *settings, const char *value)
{
	return parse_number(value, MIN_MEGABYTES, MAX_MEGABYTES, &settings->history_megabytes) ?
		NULL : "a number from " NUMBER(MIN_MEGABYTES) " to " NUMBER(MAX_MEGABYTES);
}

static const char *set_journal(struct settings *settings, const char *value)
{
	unsigned int usec;

	if (is_none(value)) {
		settings->journal_usec = -1;
		return NULL;
	}
	if (!parse_number(value, 0, MAX_USEC, &usec))
		return "a number from 0 to " NUMBER(MAX_USEC) ", or 'none'";
	settings->journal_usec = usec;
	return NULL;
}

static const struct key keys[] = {
	{ "interval", "MS", "take a snapshot every MS milliseconds (1000)", set_interval },
	{ "cpus", "LIST", "of these CPUs only, such as 0-3,7 (all)", set_cpus },
	{ "isolated", "yes|no", "interrupt and read isolated CPUs as well (no)", set_isolated },
	{ "freeze", "yes|no", "hold FREEZE_WHILE_SMM, without which no cost is known (yes)",
	  set_freeze },
	{ "listen", "ADDR:PORT|none", "serve Prometheus there (127.0.0.1:9764)", set_listen },
	{ "history", "FILE|none", "keep a history there (/var/lib/smimon/history.db)",
	  set_history },
	{ "history-days", "N", "for so many days (30)", set_days },
	{ "history-megabytes", "N", "in at most so many megabytes (512)", set_megabytes },
	{ "journal", "US|none", "write SMIs of at least US microseconds into the journal (0)",
	  set_journal },
};

/* What getopt returns for a key. */
#define KEY_BASE	256

static const struct settings defaults = {
	.interval_ms = 1000,
	.freeze = true,
	.listen = "127.0.0.1:9764",
	.history = "/var/lib/smimon/history.db",
	.history_days = 30,
	.history_megabytes = 512,
};

/* A file that is being read: what inih reads from, and what it hands over to. */
struct reading {
	FILE *stream;
	const char *file;
	int line;
	int mistakes;
	struct settings *settings;
};

__attribute__((format(printf, 2, 3)))
static void complain(struct reading *reading, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_line(LOG_ERR, "%s: line %d: %s", reading->file, reading->line, text);
	reading->mistakes++;
}

/* A line that begins with a blank would be more of the value before to inih. */
static char *without_indent(char *line)
{
	size_t indent = strspn(line, " \t");

	memmove(line, line + indent, strlen(line + indent) + 1);
	return line;
}

/* As fgets(); inih would take the rest of a long line for a line of its own. */
static char *next_line(char *line, int size, void *arg)
{
	struct reading *reading = arg;
	int c;

	if (!fgets(line, size, reading->stream))
		return NULL;
	reading->line++;
	if (strchr(line, '\n'))
		return without_indent(line);
	c = getc(reading->stream);
	if (c == EOF)
		return without_indent(line);
	complain(reading, "longer than %d bytes", size - 2);
	while (c != '\n' && c != EOF)
		c = getc(reading->stream);
	*line = '\0';
	return line;
}

static void list_keys(char *list, size_t size)
{
	size_t i, length = 0;

	for (i = 0; i < ARRAY_SIZE(keys) && length < size; i++)
		length += snprintf(list + length, size - length, "%s%s", i ? ", " : "",
				   keys[i].name);
}

/* Called by inih for each line with a key; 1 means that it goes on. */
static int take_line(void *arg, const char *section, const char *name, const char *value)
{
	struct reading *reading = arg;
	const char *wanted;
	char list[512];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name))
			break;
	if (*section || i == ARRAY_SIZE(keys)) {
		list_keys(list, sizeof(list));
		complain(reading, "unknown key '%s%s%s'; keys are %s", section,
			 *section ? "." : "", name, list);
		return 1;
	}
	wanted = keys[i].set(reading->settings, value);
	if (wanted)
		complain(reading, "bad value '%s' of '%s': it takes %s", value, name, wanted);
	return 1;
}

static int read_file(struct settings *settings, const struct invocation *invocation)
{
	struct reading reading = { .file = invocation->file, .settings = settings };
	int err;

	reading.stream = fopen(invocation->file, "re");
	if (!reading.stream) {
		err = -errno;
		if (err == -ENOENT && !invocation->file_given)
			return 0;
		log_line(LOG_ERR, "cannot read %s: %m", invocation->file);
		return err;
	}
	/* Of lines that it does not understand it tells the first, by its own count. */
	err = ini_parse_stream(next_line, &reading, take_line, &reading);
	if (err > 0) {
		reading.line = err;
		complain(&reading, "neither 'key = value' nor a comment with #");
	} else if (err < 0 || ferror(reading.stream)) {
		complain(&reading, "cannot read on");
	}
	fclose(reading.stream);
	return reading.mistakes ? -EINVAL : 0;
}

static const struct option *options(void)
{
	static struct option all[ARRAY_SIZE(keys) + 4];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		all[i] = (struct option){ keys[i].name, required_argument, NULL, KEY_BASE + i };
	all[i++] = (struct option){ "config", required_argument, NULL, 'c' };
	all[i++] = (struct option){ "help", no_argument, NULL, 'h' };
	all[i] = (struct option){ "version", no_argument, NULL, 'V' };
	return all;
}

static int read_options(struct settings *settings, int argc, char **argv)
{
	int key;

	opterr = 0;
	optind = 0;
	while ((key = getopt_long(argc, argv, "+:c:hV", options(), NULL)) != -1) {
		const char *wanted;

		if (key < KEY_BASE)
			continue;
		wanted = keys[key - KEY_BASE].set(settings, optarg);
		if (!wanted)
			continue;
		log_line(LOG_ERR, "bad value '%s' of --%s: it takes %s", optarg,
			 keys[key - KEY_BASE].name, wanted);
		return -EINVAL;
	}
	return 0;
}

static int refuse(const char *what, const char *word)
{
	log_line(LOG_ERR, "%s '%s' (see 'smimond -h')", what, word);
	return -EINVAL;
}

int settings_parse(struct invocation *invocation, int argc, char **argv)
{
	int key;

	*invocation = (struct invocation){ .file = SETTINGS_FILE, .argc = argc, .argv = argv };
	opterr = 0;
	optind = 0;
	while ((key = getopt_long(argc, argv, "+:c:hV", options(), NULL)) != -1) {
		switch (key) {
		case 'c':
			invocation->file = optarg;
			invocation->file_given = true;
			break;
		case 'h':
			invocation->help = true;
			return 0;
		case 'V':
			invocation->version = true;
			return 0;
		case ':':
			return refuse("a value is missing after", argv[optind - 1]);
		case '?':
			return refuse("unknown option", argv[optind - 1]);
		default:
			break;
		}
	}
	if (optind < argc)
		return refuse("unexpected word", argv[optind]);
	return 0;
}

int settings_read(struct settings *settings, const struct invocation *invocation)
{
	int err;

	*settings = defaults;
	err = read_file(settings, invocation);
	if (err)
		return err;
	return read_options(settings, invocation->argc, invocation->argv);
}

void settings_help(FILE *out)
{
	char left[48];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		snprintf(left, sizeof(left), "--%s %s", keys[i].name, keys[i].value);
		fprintf(out, "      %-24s %s\n", left, keys[i].help);
	}
	fprintf(out, "  -c, %-24s read FILE, not " SETTINGS_FILE "\n", "--config FILE");
	fprintf(out, "  -h, %-24s print this help\n", "--help");
	fprintf(out, "  -V, %-24s print the version\n", "--version");
}
