// SPDX-License-Identifier: GPL-2.0-only
/* The same fields in each line, so that programs can count on their places. */
#include <inttypes.h>

#include "options.h"
#include "print.h"
#include "sampler.h"

static void print_metric(const struct printer *printer, const struct smimon_metric *metric,
			 const struct smimon_delta *delta)
{
	struct smimon_value value = metric->get(delta);

	fputs(printer->options->separator, printer->out);
	if (value.missing ||
	    (metric->level == SMIMON_METRIC_TOTAL && delta->cpu != SMIMON_CPU_ALL))
		fputs(TABLE_NO_VALUE, printer->out);
	else if (metric->type == SMIMON_METRIC_COUNT)
		fprintf(printer->out, "%" PRIu64, value.count);
	else
		fprintf(printer->out, "%.10g", value.real);
}

static void print_line(const struct printer *printer, double seconds,
		       const struct smimon_delta *delta)
{
	const char *reason = smimon_missing_text(smimon_delta_reason(delta));
	const char *separator = printer->options->separator;
	size_t i;

	if (printer->options->interval_ms)
		fprintf(printer->out, "%.10g%s", seconds, separator);
	else
		fprintf(printer->out, "%s%s", TABLE_NO_VALUE, separator);
	if (delta->cpu == SMIMON_CPU_ALL)
		fputs(TABLE_NO_VALUE, printer->out);
	else
		fprintf(printer->out, "%u", delta->cpu);
	for (i = 0; i < printer->columns; i++)
		print_metric(printer, printer->column[i], delta);
	fprintf(printer->out, "%s%s\n", separator, reason ? reason : TABLE_NO_VALUE);
}

int print_csv(struct printer *printer, const struct report *report)
{
	size_t i;

	for (i = 0; printer->options->per_cpu && i < report->count; i++)
		print_line(printer, report->seconds, &report->row[i]);
	print_line(printer, report->seconds, &report->total);
	return 0;
}
