/* SPDX-License-Identifier: GPL-2.0-only */
/* The history's database, as its one writer sees it. Not for two threads at a time. */
#ifndef SMIMON_DATABASE_H
#define SMIMON_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history_limits;
struct history_row;
struct sqlite3;
struct sqlite3_stmt;

/**
 * struct database - an open database; zeroed one that is closed
 * @db: the connection
 * @insert: by enum history_table, the statement
 * @error: why the last function failed
 */
struct database {
	struct sqlite3 *db;
	struct sqlite3_stmt *insert[2];
	char error[256];
};

/**
 * database_open() - open it, or make it
 *
 * Return: 0, or -1 with @error set and the database closed.
 */
int database_open(struct database *database, const char *file);

/**
 * database_write() - write rows, all of them or none
 *
 * Return: 0, or -1 with @error set. The database stays open and can be tried again.
 */
int database_write(struct database *database, const struct history_row *rows, size_t count);

/**
 * database_trim() - delete the oldest rows until the limits are kept
 * @now_ns: the time
 *
 * Does not delete all at once; the next call goes on.
 *
 * Return: 0, or -1 with @error set.
 */
int database_trim(struct database *database, const struct history_limits *limits, int64_t now_ns);

/**
 * database_bytes() - how large it is, without the rows' space that is free
 */
uint64_t database_bytes(struct database *database);

/**
 * database_is_gone() - somebody moved or deleted the file
 */
bool database_is_gone(struct database *database);

void database_close(struct database *database);

#endif /* SMIMON_DATABASE_H */
