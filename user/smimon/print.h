/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports: as tables for people, as lines of JSON, as lists of fields. */
#ifndef SMIMON_PRINT_H
#define SMIMON_PRINT_H

#include <smimon.h>
#include <stdio.h>

#include "table.h"

struct options;
struct repeat;
struct report;

/* More than there are metrics. */
#define PRINT_COLUMNS	32

/**
 * struct printer - how to print, and what of that changes
 * @out: where to
 * @options: what to print
 * @column: the metrics
 * @columns: how many
 * @report: prints one report; returns 0, or EXIT_FAILED after a line to the user
 * @table: the table, if it is one
 * @headings: as print-table.c last printed them
 */
struct printer {
	FILE *out;
	const struct options *options;
	const struct smimon_metric *column[PRINT_COLUMNS];
	size_t columns;
	int (*report)(struct printer *printer, const struct report *report);
	struct table table;
	unsigned int headings;
};

/**
 * printer_open() - choose the way and the columns that the options ask for, for printer_close()
 */
void printer_open(struct printer *printer, const struct options *options, FILE *out);

/**
 * printer_is_table() - whether it prints for people
 */
bool printer_is_table(const struct printer *printer);

/**
 * printer_fields() - print the names of the fields that -x prints, in their order
 */
void printer_fields(FILE *out);

void printer_close(struct printer *printer);

int print_json(struct printer *printer, const struct report *report);
int print_csv(struct printer *printer, const struct report *report);

/* print-table.c. What return a value do so as struct printer.report does. */
void print_table_open(struct printer *printer);
int print_table(struct printer *printer, const struct report *report);
int print_table_repeat(struct printer *printer, const struct report *last,
		       const struct repeat *repeat, enum smimon_missing reason);
void print_table_end(struct printer *printer, const struct repeat *elapsed,
		     const struct smimon_floor *floor);

#endif /* SMIMON_PRINT_H */
