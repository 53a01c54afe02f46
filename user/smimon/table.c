// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <libsmartcols.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* Numbers are never cut to fit a terminal: a cut one looks like another. */
void table_open(struct table *table, FILE *out, bool colours)
{
	struct libscols_table *scols = scols_new_table();

	*table = (struct table){ .scols = scols };
	table->failed = !scols || scols_table_set_stream(scols, out) ||
		scols_table_set_termforce(scols, SCOLS_TERMFORCE_NEVER) ||
		scols_table_enable_colors(scols, colours) ||
		scols_table_enable_minout(scols, true);
}

void table_column(struct table *table, const char *title, size_t width, bool right)
{
	int flags = right ? SCOLS_FL_RIGHT : 0;

	/* A hint counts with this flag alone, and if the title is shorter. */
	if (width) {
		flags |= SCOLS_FL_STRICTWIDTH;
		if (width <= strlen(title))
			width = strlen(title) + 1;
	}
	table->failed = table->failed ||
		!scols_table_new_column(table->scols, title, width, flags);
}

void table_line(struct table *table)
{
	table->line = table->failed ? NULL : scols_table_new_line(table->scols, NULL);
	table->failed = !table->line;
}

void table_cell(struct table *table, size_t column, const char *format, ...)
{
	char *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		table->failed = true;
		return;
	}
	if (table->failed || scols_line_refer_data(table->line, column, text)) {
		table->failed = true;
		free(text);
	}
}

void table_colour(struct table *table, size_t column, const char *name)
{
	table->failed = table->failed ||
		scols_cell_set_color(scols_line_get_cell(table->line, column), name);
}

void table_hide(struct table *table, size_t column, bool hidden)
{
	struct libscols_column *scols;
	int flags;

	if (table->failed)
		return;
	scols = scols_table_get_column(table->scols, column);
	flags = scols_column_get_flags(scols) & ~SCOLS_FL_HIDDEN;
	if (scols_column_set_flags(scols, flags | (hidden ? SCOLS_FL_HIDDEN : 0)))
		table->failed = true;
}

int table_print(struct table *table, bool headings)
{
	int err = table->failed;

	err = err || scols_table_enable_noheadings(table->scols, !headings) ||
		scols_print_table(table->scols);
	if (err) {
		complain("no memory for a table");
		return EXIT_FAILED;
	}
	scols_table_remove_lines(table->scols);
	return 0;
}

void table_close(struct table *table)
{
	scols_unref_table(table->scols);
}
