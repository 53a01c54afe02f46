// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "chart.h"
#include "command.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "past.h"
#include "schema.h"
#include "table.h"
#include "when.h"

#define NS_PER_SECOND	INT64_C(1000000000)
#define NS_PER_HOUR	3.6e12
#define DAY_NS		(86400 * NS_PER_SECOND)
#define COLUMNS		80
#define MAX_COLUMNS	1000
#define SVG_BUCKETS	160

/* What is not known is not a number here, and is shown as such nowhere. */
static double quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static double usec_per_smi(const struct past_sum *sum)
{
	return quotient(sum->smm_usec, sum->costed);
}

static double smm_usec(const struct past_sum *sum)
{
	return sum->costed || (!sum->smi && sum->observed_ns) ? sum->smm_usec : NAN;
}

static double wall_percent(const struct past_sum *sum)
{
	return quotient(100 * 1e3 * sum->observed_usec, sum->observed_ns);
}

static double longest_usec(const struct past_sum *sum)
{
	return sum->costed ? sum->longest_usec : NAN;
}

static double bzy_mhz(const struct past_sum *sum)
{
	return quotient(sum->cycles / 1e3, sum->mperf);
}

static double busy_percent(const struct past_sum *sum)
{
	return quotient(100 * sum->busy_ns, sum->clock_ns);
}

/* The values of a CPU that are not counts. */
static const struct column {
	const char *key;
	const char *title;
	int decimals;
	double (*get)(const struct past_sum *sum);
} columns[] = {
	{ "smm_usec", "SMM us", 1, smm_usec },
	{ "usec_per_smi", "us/SMI", 1, usec_per_smi },
	{ "longest_usec", "longest us", 1, longest_usec },
	{ "smm_wall_percent", "SMM wall%", 4, wall_percent },
	{ "bzy_mhz", "Bzy_MHz", 0, bzy_mhz },
	{ "busy_percent", "Busy%", 2, busy_percent },
};

static const char *const percentile_keys[PAST_PERCENTILES] = {
	"p50_usec", "p90_usec", "p99_usec", "p999_usec", "max_usec",
};

/* Of several CPUs, the one that had most has the machine's SMIs, as in all that smimon says. */
static const struct past_sum *most(const struct past *past)
{
	const struct past_sum *found = NULL;
	size_t i;

	for (i = 0; i < past->count; i++)
		if (!found || (found->cpu != SCHEMA_MACHINE && past->sum[i].smi > found->smi))
			found = &past->sum[i];
	return found;
}

static void print_head(const struct past *past, const struct past_sum *of)
{
	char since[32], until[32], watched[32];

	when_format(past->since_ns, since, sizeof(since));
	when_format(past->until_ns, until, sizeof(until));
	when_format_length(of->watched_ns, watched, sizeof(watched));
	printf("\n SMIs from %s to %s, watched for %s\n\n", since, until, watched);
	printf("   %-10s %" PRId64, "SMIs", of->smi);
	if (of->watched_ns)
		printf(" (%.4g an hour)", of->smi * NS_PER_HOUR / of->watched_ns);
	putchar('\n');
}

static void print_longest(const struct past_longest *longest)
{
	char when[32];

	if (!longest->end_ns)
		return;
	when_format(longest->end_ns, when, sizeof(when));
	printf("   %-10s %.1f us", "longest", longest->mean_usec);
	if (longest->smi > 1)
		printf(" (mean of %" PRId64 ")", longest->smi);
	if (longest->cpu != SCHEMA_MACHINE)
		printf(" on CPU %d", longest->cpu);
	printf(" at %s\n", when);
}

static void print_percentiles(const struct past *past)
{
	size_t i;

	if (isnan(past->percentile[0]))
		return;
	printf("   %-10s", "us/SMI");
	for (i = 0; i < PAST_PERCENTILES - 1; i++)
		printf(" %g%% %.1f,", past_percents[i], past->percentile[i]);
	printf(" max %.1f\n", past->percentile[i]);
}

static void print_reasons(const struct past *past)
{
	size_t i;

	for (i = 0; i < past->reason_count; i++)
		printf("   %-10s %s (%" PRId64 " interval%s of a CPU)\n", i ? "" : "not valid",
		       past->reason[i].text, past->reason[i].intervals,
		       past->reason[i].intervals == 1 ? "" : "s");
}

static void cell(struct table *table, size_t column, double value, int decimals)
{
	if (isnan(value))
		table_cell(table, column, TABLE_NO_VALUE);
	else
		table_cell(table, column, "%.*f", decimals, value);
}

static int print_worst(const struct past *past)
{
	struct table table;
	size_t i;
	int err;

	if (!past->worst_count)
		return 0;
	printf("\n Worst minutes:\n\n");
	table_open(&table, stdout, false);
	table_column(&table, "until", 19, false);
	table_column(&table, "SMI#", 8, true);
	table_column(&table, "SMM us", 10, true);
	table_column(&table, "longest us", 10, true);
	for (i = 0; i < past->worst_count; i++) {
		const struct past_minute *minute = &past->worst[i];
		bool known = minute->worst_usec > 0;
		char when[32];

		when_format(minute->end_ns, when, sizeof(when));
		table_line(&table);
		table_cell(&table, 0, "%s", when);
		table_cell(&table, 1, "%" PRId64, minute->smi);
		cell(&table, 2, known ? minute->smm_usec : NAN, 1);
		cell(&table, 3, known ? minute->worst_usec : NAN, 1);
	}
	err = table_print(&table, true);
	table_close(&table);
	return err;
}

static int print_cpus(const struct past *past)
{
	struct table table;
	size_t i, j;
	int err;

	putchar('\n');
	table_open(&table, stdout, false);
	table_column(&table, "CPU", 4, true);
	table_column(&table, "SMI#", 8, true);
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		table_column(&table, columns[i].title, 8, true);
	table_column(&table, "not valid", 8, true);
	for (i = 0; i < past->count; i++) {
		const struct past_sum *sum = &past->sum[i];

		if (sum->cpu == SCHEMA_MACHINE)
			continue;
		table_line(&table);
		table_cell(&table, 0, "%d", sum->cpu);
		table_cell(&table, 1, "%" PRId64, sum->smi);
		for (j = 0; j < ARRAY_SIZE(columns); j++)
			cell(&table, 2 + j, columns[j].get(sum), columns[j].decimals);
		table_cell(&table, 2 + j, "%" PRId64, sum->invalid);
	}
	err = table_print(&table, true);
	table_close(&table);
	return err;
}

static int print_text(const struct past *past)
{
	const struct past_sum *of = most(past);

	if (!of) {
		printf("no history from that time\n");
		return 0;
	}
	print_head(past, of);
	print_longest(&past->longest);
	print_percentiles(past);
	print_reasons(past);
	if (print_worst(past))
		return EXIT_FAILED;
	return print_cpus(past);
}

static void add_number(struct json_line *line, const char *key, double value)
{
	if (isnan(value))
		json_add_null(line, line->top, key);
	else
		json_add_real(line, line->top, key, value);
}

static void add_sum(struct json_line *line, const struct past_sum *sum)
{
	size_t i;

	json_add_count(line, line->top, "smi", sum->smi);
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		add_number(line, columns[i].key, columns[i].get(sum));
	json_add_real(line, line->top, "watched_seconds", (double)sum->watched_ns / NS_PER_SECOND);
	json_add_count(line, line->top, "intervals", sum->intervals);
	json_add_count(line, line->top, "invalid_intervals", sum->invalid);
}

static int print_json_whole(const struct past *past)
{
	static const struct past_sum nothing = { .cpu = SCHEMA_MACHINE };
	const struct past_sum *of = most(past);
	struct json_object *reasons;
	struct json_line line;
	size_t i;

	json_begin(&line);
	json_add_null(&line, line.top, "cpu");
	json_add_real(&line, line.top, "since", (double)past->since_ns / NS_PER_SECOND);
	json_add_real(&line, line.top, "until", (double)past->until_ns / NS_PER_SECOND);
	add_sum(&line, of ? of : &nothing);
	for (i = 0; i < PAST_PERCENTILES; i++)
		add_number(&line, percentile_keys[i], past->percentile[i]);
	reasons = json_add_object(&line, line.top, "reasons");
	for (i = 0; i < past->reason_count; i++)
		json_add_count(&line, reasons, past->reason[i].text, past->reason[i].intervals);
	return json_end(&line, stdout);
}

static int print_json(const struct past *past)
{
	struct json_line line;
	size_t i;
	int err = print_json_whole(past);

	for (i = 0; i < past->count && !err; i++) {
		if (past->sum[i].cpu == SCHEMA_MACHINE)
			continue;
		json_begin(&line);
		json_add_count(&line, line.top, "cpu", past->sum[i].cpu);
		add_sum(&line, &past->sum[i]);
		err = json_end(&line, stdout);
	}
	return err;
}

/* COLUMNS goes first, as it does for the tables. */
static unsigned int terminal_columns(void)
{
	const char *wanted = getenv("COLUMNS");
	unsigned long number = wanted ? strtoul(wanted, NULL, 10) : 0;
	struct winsize size;

	if (number && number <= MAX_COLUMNS)
		return number;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS;
	return size.ws_col;
}

static int plot(struct sqlite3 *db, const struct past *past)
{
	static struct chart chart;

	chart_init(&chart, past->since_ns, past->until_ns, chart_plot_buckets(terminal_columns()));
	if (past_read_chart(db, past, &chart))
		return EXIT_FAILED;
	putchar('\n');
	chart_plot(&chart, stdout, !strcmp(nl_langinfo(CODESET), "UTF-8"));
	return 0;
}

static int draw_svg(struct sqlite3 *db, const struct past *past, const char *name)
{
	static struct chart chart;
	struct output output;

	chart_init(&chart, past->since_ns, past->until_ns, SVG_BUCKETS);
	if (past_read_chart(db, past, &chart) || output_open(&output, name))
		return EXIT_FAILED;
	chart_svg(&chart, output.file);
	return output_close(&output);
}

static int report(struct sqlite3 *db, const struct options *options, struct past *past)
{
	int err = past_read(db, past);

	if (!err)
		err = options->json ? print_json(past) : print_text(past);
	if (!err && options->plot)
		err = plot(db, past);
	if (!err && options->svg)
		err = draw_svg(db, past, options->svg);
	return err;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

static int run(const struct options *options)
{
	struct past past = {
		.until_ns = options->until_ns ? options->until_ns : now_ns(),
		.cpus = *options->cpu_list ? &options->cpus : NULL,
	};
	struct sqlite3 *db;
	int err;

	past.since_ns = options->since_ns ? options->since_ns : past.until_ns - DAY_NS;
	if (options_refuse_words(options))
		return EXIT_USAGE;
	if (options->plot && options->json) {
		complain("--plot and -j do not go together (see 'smimon report -h')");
		return EXIT_USAGE;
	}
	if (past.since_ns >= past.until_ns) {
		complain("--since is not before --until (see 'smimon report -h')");
		return EXIT_USAGE;
	}
	setlocale(LC_CTYPE, "");
	db = past_open(options->history ? options->history : SCHEMA_FILE);
	if (!db)
		return EXIT_FAILED;
	err = report(db, options, &past);
	past_clear(&past);
	past_close(db);
	return err ? err : output_flush_stdout();
}

static void notes(FILE *out)
{
	fprintf(out, "\nTIME is " WHEN_ALLOWED ".\n"
		"Without --since it is a day. The history is kept by smimond.\n");
}

const struct command command_report = {
	.name = "report",
	.bit = CMD_REPORT,
	.arguments = "[OPTIONS]",
	.summary = "Report what smimond kept in its history",
	.notes = notes,
	.run = run,
};
