// SPDX-License-Identifier: GPL-2.0-only
/* The layout that perf stat's users know: a head, the values, the time that went by. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "print.h"
#include "repeat.h"
#include "sampler.h"

/* Shares of SMI cycles that deserve attention, in percent; as perf stat has them. */
#define ALARMING	10
#define NOTABLE		1

/* Columns before the metrics; the reason is after them. */
enum { COLUMN_TIME, COLUMN_CPU, COLUMN_METRIC };

/* What printer.headings remembers. */
#define HEADINGS_PRINTED	(1U << 0)
#define HEADINGS_IRPERF		(1U << 1)
#define HEADINGS_REASON		(1U << 2)

static bool is_metric(const struct smimon_metric *metric, const char *name)
{
	return !strcmp(metric->name, name);
}

static bool needs_irperf(const struct smimon_metric *metric)
{
	return is_metric(metric, "ipc") || is_metric(metric, "irperf");
}

static bool wants_colours(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_color && *no_color);
}

/* Wide enough for what is usual, so that the lines of intervals stand below each other. */
static size_t width(const struct smimon_metric *metric)
{
	return metric->level == SMIMON_METRIC_RAW ? 14 : 8;
}

void print_table_open(struct printer *printer)
{
	struct table *table = &printer->table;
	size_t i;

	table_open(table, printer->out, wants_colours(printer->out));
	table_column(table, "time", 12, true);
	table_column(table, "CPU", 4, true);
	for (i = 0; i < printer->columns; i++)
		table_column(table, printer->column[i]->title, width(printer->column[i]), true);
	table_column(table, "reason", 0, false);
	table_hide(table, COLUMN_TIME, !printer->options->interval_ms);
	table_hide(table, COLUMN_CPU, !printer->options->per_cpu);
}

static void add_metric(struct table *table, size_t column, const struct smimon_metric *metric,
		       const struct smimon_delta *delta)
{
	struct smimon_value value = metric->get(delta);

	if (value.missing)
		table_cell(table, column, TABLE_NO_VALUE);
	else if (metric->type == SMIMON_METRIC_COUNT)
		table_cell(table, column, "%" PRIu64, value.count);
	else
		table_cell(table, column, "%.*f", metric->decimals, value.real);
	if (is_metric(metric, "smi_cycles_percent") && value.real > NOTABLE)
		table_colour(table, column, value.real > ALARMING ? "red" : "yellow");
}

static enum smimon_missing add_line(struct printer *printer, double seconds,
				    const struct smimon_delta *delta)
{
	enum smimon_missing reason = smimon_delta_reason(delta);
	struct table *table = &printer->table;
	size_t i;

	table_line(table);
	table_cell(table, COLUMN_TIME, "%.6f", seconds);
	if (delta->cpu == SMIMON_CPU_ALL)
		table_cell(table, COLUMN_CPU, "all");
	else
		table_cell(table, COLUMN_CPU, "%u", delta->cpu);
	for (i = 0; i < printer->columns; i++)
		add_metric(table, COLUMN_METRIC + i, printer->column[i], delta);
	if (reason)
		table_cell(table, COLUMN_METRIC + i, "%s", smimon_missing_text(reason));
	return reason;
}

static void print_subject(const struct printer *printer, const struct report *report,
			  unsigned int runs)
{
	const struct options *options = printer->options;
	struct cpuset cpus = { 0 };
	char list[SMIMON_CPU_LIST_MAX + 1];
	char **word;
	size_t i;

	for (i = 0; i < report->count; i++)
		cpuset_add(&cpus, report->row[i].cpu);
	cpuset_format(&cpus, list, sizeof(list));
	fprintf(printer->out, "\n SMM statistics");
	for (word = options->words; *word; word++)
		fprintf(printer->out, "%s%s", word == options->words ? " for '" : " ", *word);
	fprintf(printer->out, "%s on CPU %s", *options->words ? "'" : "", list);
	if (options->repeat)
		fprintf(printer->out, " (%u runs)", runs);
	fprintf(printer->out, ":\n\n");
}

static bool has_irperf(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		if (!report->row[i].irperf.missing)
			return true;
	return false;
}

/* What no CPU of the machine was seen to have is left out, and so are reasons where there are none. */
static bool choose_columns(struct printer *printer, const struct report *report, bool reason)
{
	unsigned int headings = HEADINGS_PRINTED | (printer->headings & HEADINGS_IRPERF);
	bool changed;
	size_t i;

	if (has_irperf(report))
		headings |= HEADINGS_IRPERF;
	if (reason)
		headings |= HEADINGS_REASON;
	for (i = 0; i < printer->columns; i++)
		table_hide(&printer->table, COLUMN_METRIC + i,
			   needs_irperf(printer->column[i]) && !(headings & HEADINGS_IRPERF));
	table_hide(&printer->table, COLUMN_METRIC + i, !reason);
	changed = headings != printer->headings;
	printer->headings = headings;
	return changed;
}

int print_table(struct printer *printer, const struct report *report)
{
	bool reason = false;
	size_t i;

	for (i = 0; printer->options->per_cpu && i < report->count; i++)
		reason |= add_line(printer, report->seconds, &report->row[i]);
	reason |= add_line(printer, report->seconds, &report->total);
	if (!printer->options->interval_ms)
		print_subject(printer, report, 1);
	return table_print(&printer->table, choose_columns(printer, report, reason));
}

static void add_mean(struct table *table, size_t column, const struct smimon_metric *metric,
		     const struct repeat *repeat)
{
	struct smimon_value mean = repeat_mean(repeat);

	if (mean.missing)
		table_cell(table, column, TABLE_NO_VALUE);
	else
		table_cell(table, column, "%.*f",
			   metric->type == SMIMON_METRIC_COUNT ? 1 : metric->decimals, mean.real);
}

/* A share of nothing is nothing that could be said. */
static void add_deviation(struct table *table, size_t column, const struct repeat *repeat)
{
	struct smimon_value mean = repeat_mean(repeat);

	if (repeat->runs < 2 || mean.missing || !mean.real)
		table_cell(table, column, TABLE_NO_VALUE);
	else
		table_cell(table, column, "%.2f%%", 100 * repeat_deviation(repeat) / mean.real);
}

static void add_repeat_lines(struct table *table, const struct printer *printer,
			     const struct repeat *repeat, enum smimon_missing reason)
{
	size_t i;

	table_line(table);
	table_cell(table, 0, "mean");
	for (i = 0; i < printer->columns; i++)
		add_mean(table, 1 + i, printer->column[i], &repeat[i]);
	if (reason)
		table_cell(table, 1 + i, "%s", smimon_missing_text(reason));
	table_line(table);
	table_cell(table, 0, "+-");
	for (i = 0; i < printer->columns; i++)
		add_deviation(table, 1 + i, &repeat[i]);
}

int print_table_repeat(struct printer *printer, const struct report *last,
		       const struct repeat *repeat, enum smimon_missing reason)
{
	struct table table;
	size_t i;
	int err;

	table_open(&table, printer->out, false);
	table_column(&table, "", 4, false);
	for (i = 0; i < printer->columns; i++) {
		table_column(&table, printer->column[i]->title, width(printer->column[i]), true);
		table_hide(&table, 1 + i, repeat[i].missing == SMIMON_MISSING_IRPERF);
	}
	table_column(&table, "reason", 0, false);
	table_hide(&table, 1 + i, !reason);
	add_repeat_lines(&table, printer, repeat, reason);
	print_subject(printer, last, repeat->runs);
	err = table_print(&table, true);
	table_close(&table);
	return err;
}

void print_table_end(struct printer *printer, const struct repeat *elapsed,
		     const struct smimon_floor *floor)
{
	struct smimon_value share = smimon_floor_percent(floor);
	double deviation = repeat_deviation(elapsed);
	FILE *out = printer->out;

	if (elapsed->runs > 1)
		fprintf(out, "\n%17.6f +- %.6f seconds time elapsed  ( +- %.2f%% )\n", elapsed->mean,
			deviation, 100 * deviation / elapsed->mean);
	else
		fprintf(out, "\n%17.6f seconds time elapsed\n", elapsed->mean);
	if (share.missing)
		fprintf(out, "%17s %% floor (%s)\n\n", TABLE_NO_VALUE,
			smimon_missing_text(share.missing));
	else
		fprintf(out, "%17.6f %% floor: cycles that look like SMM's where there was no SMI\n\n",
			share.real);
}
