/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows on their way to the database. A thread of its own writes them, so that a disk that is slow,
 * full or gone never holds up the sampling: rows wait, and what waits too long is lost and counted.
 */
#ifndef SMIMON_HISTORY_H
#define SMIMON_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct history;

enum history_table {
	HISTORY_EVENT,
	HISTORY_MINUTE,
};

/**
 * struct history_row - a row of either table; schema.h says what the columns are
 * @table: which
 * @cost_known: smm_cycles is not NULL, as always in minute
 * @usec_known: smm_usec is not NULL, likewise
 * @reason: a constant, or NULL
 */
struct history_row {
	enum history_table table;
	bool cost_known;
	bool usec_known;
	int32_t cpu;
	int64_t end_ns;
	int64_t length_ns;
	int64_t intervals;
	int64_t invalid;
	int64_t smi;
	int64_t smm_cycles;
	double smm_usec;
	int64_t observed_ns;
	double worst_usec;
	int64_t aperf;
	int64_t mperf;
	int64_t base_khz;
	int64_t clock_ns;
	const char *reason;
};

/**
 * struct history_limits - how much to keep
 * @days: no row older
 * @megabytes: not more of them than that
 */
struct history_limits {
	unsigned int days;
	unsigned int megabytes;
};

/**
 * struct history_state - how the writing fares
 * @rows: written
 * @lost: not written
 * @waiting: to be written
 * @bytes: of the database
 * @error: why it cannot be written just now; "" if it can
 */
struct history_state {
	uint64_t rows;
	uint64_t lost;
	size_t waiting;
	uint64_t bytes;
	char error[256];
};

/**
 * history_open() - begin to write
 * @file: the database, made if it is not there; that it cannot be opened is no error here but shows
 *	in the state
 *
 * Return: NULL if there is no memory or no thread.
 */
struct history *history_open(const char *file, const struct history_limits *limits);

/**
 * history_add() - have a row written
 *
 * Never waits. The row is lost if too many wait already.
 */
void history_add(struct history *history, const struct history_row *row);

/**
 * history_flush() - have the rows written that were added, now rather than later
 */
void history_flush(struct history *history);

void history_get_state(struct history *history, struct history_state *state);

/**
 * history_close() - write what waits, if it can be written, and end
 * @history: may be NULL
 *
 * Return: how many rows could not be written.
 */
size_t history_close(struct history *history);

#endif /* SMIMON_HISTORY_H */
