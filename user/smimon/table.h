/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for people. A failed allocation is kept in mind and refuses the table. */
#ifndef SMIMON_TABLE_H
#define SMIMON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct libscols_line;
struct libscols_table;

/* What stands where there is no value. */
#define TABLE_NO_VALUE	"-"

/**
 * struct table - a table in the making
 * @scols: it
 * @line: the line that is being filled
 * @failed: something is missing in it
 */
struct table {
	struct libscols_table *scols;
	struct libscols_line *line;
	bool failed;
};

/**
 * table_open() - an empty table, for table_close()
 * @colours: that cells may have colours
 */
void table_open(struct table *table, FILE *out, bool colours);

/**
 * table_column() - add a column
 * @width: of each cell at least, so that tables printed one after the other look like one; 0 for
 *	what the cells need
 * @right: for numbers
 */
void table_column(struct table *table, const char *title, size_t width, bool right);

/**
 * table_line() - begin the next line
 */
void table_line(struct table *table);

/**
 * table_cell() - fill a cell of the line
 * @column: from 0
 */
__attribute__((format(printf, 3, 4)))
void table_cell(struct table *table, size_t column, const char *format, ...);

/**
 * table_colour() - colour a cell of the line
 * @name: such as "red"
 */
void table_colour(struct table *table, size_t column, const char *name);

/**
 * table_hide() - whether to leave a column out
 */
void table_hide(struct table *table, size_t column, bool hidden);

/**
 * table_print() - print what there is and begin anew with no line
 * @headings: with the columns' titles
 *
 * Return: 0, or EXIT_FAILED after a line to the user; write errors show in the stream.
 */
int table_print(struct table *table, bool headings);

void table_close(struct table *table);

#endif /* SMIMON_TABLE_H */
