// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"
#include "options.h"
#include "print.h"
#include "sampler.h"

static void add_metric(struct json_line *line, const struct smimon_metric *metric,
		       const struct smimon_delta *delta)
{
	struct smimon_value value = metric->get(delta);

	if (value.missing)
		json_add_null(line, line->top, metric->name);
	else if (metric->type == SMIMON_METRIC_COUNT)
		json_add_count(line, line->top, metric->name, value.count);
	else
		json_add_real(line, line->top, metric->name, value.real);
}

static int print_line(const struct printer *printer, double seconds,
		      const struct smimon_delta *delta)
{
	bool total = delta->cpu == SMIMON_CPU_ALL;
	struct json_line line;
	size_t i;

	json_begin(&line);
	if (printer->options->interval_ms)
		json_add_real(&line, line.top, "interval", seconds);
	else
		json_add_null(&line, line.top, "interval");
	if (total)
		json_add_null(&line, line.top, "cpu");
	else
		json_add_count(&line, line.top, "cpu", delta->cpu);
	for (i = 0; i < printer->columns; i++)
		if (total || printer->column[i]->level != SMIMON_METRIC_TOTAL)
			add_metric(&line, printer->column[i], delta);
	json_add_string(&line, line.top, "reason",
			smimon_missing_text(smimon_delta_reason(delta)));
	return json_end(&line, printer->out);
}

int print_json(struct printer *printer, const struct report *report)
{
	size_t i;
	int err = 0;

	for (i = 0; printer->options->per_cpu && i < report->count && !err; i++)
		err = print_line(printer, report->seconds, &report->row[i]);
	return err ? err : print_line(printer, report->seconds, &report->total);
}
