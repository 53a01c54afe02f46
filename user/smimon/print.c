// SPDX-License-Identifier: GPL-2.0-only
#include "print.h"

#include "options.h"

static bool wanted(const struct printer *printer, const struct smimon_metric *metric)
{
	switch (metric->level) {
	case SMIMON_METRIC_RAW:
		return printer->options->raw;
	case SMIMON_METRIC_TOTAL:
		return !printer_is_table(printer);
	default:
		return true;
	}
}

void printer_open(struct printer *printer, const struct options *options, FILE *out)
{
	const struct smimon_metric *metric;
	size_t i, count;

	*printer = (struct printer){ .out = out, .options = options };
	if (options->json)
		printer->report = print_json;
	else if (options->separator)
		printer->report = print_csv;
	else
		printer->report = print_table;

	metric = smimon_metrics(&count);
	for (i = 0; i < count; i++)
		if (wanted(printer, &metric[i]))
			printer->column[printer->columns++] = &metric[i];
	if (printer_is_table(printer))
		print_table_open(printer);
}

bool printer_is_table(const struct printer *printer)
{
	return printer->report == print_table;
}

void printer_fields(FILE *out)
{
	const struct smimon_metric *metric;
	size_t i, count;

	metric = smimon_metrics(&count);
	fprintf(out, "interval cpu");
	for (i = 0; i < count; i++)
		if (metric[i].level != SMIMON_METRIC_RAW)
			fprintf(out, " %s", metric[i].name);
	fprintf(out, " [");
	for (i = 0; i < count; i++)
		if (metric[i].level == SMIMON_METRIC_RAW)
			fprintf(out, "%s ", metric[i].name);
	fprintf(out, "with --no-metric-only] reason");
}

void printer_close(struct printer *printer)
{
	if (printer_is_table(printer))
		table_close(&printer->table);
}
