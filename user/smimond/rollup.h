/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals made into the history's rows: each that had an SMI, runs of those that lack something,
 * and sums of minutes. This is pure; where the rows go is not its affair.
 */
#ifndef SMIMON_ROLLUP_H
#define SMIMON_ROLLUP_H

#include <smimon.h>

#include "history.h"

/**
 * struct rollup_cpu - what is not a row yet
 * @minute: sums
 * @run: intervals that lack something; none where its intervals are 0
 */
struct rollup_cpu {
	struct history_row minute;
	struct history_row run;
};

/**
 * struct rollup - what is not rows yet
 * @cpu: in no order
 * @count: of these
 * @room: how many @cpu has memory for
 * @minute: since 1970, which the sums are of
 * @emit: is given each row
 * @arg: and this
 */
struct rollup {
	struct rollup_cpu *cpu;
	size_t count;
	size_t room;
	int64_t minute;
	void (*emit)(void *arg, const struct history_row *row);
	void *arg;
};

/**
 * struct interval - what lies between two snapshots
 * @end_ns: CLOCK_REALTIME at its end
 * @length_ns: how long it was
 * @delta: what happened on each CPU
 * @count: of these
 */
struct interval {
	int64_t end_ns;
	int64_t length_ns;
	const struct smimon_delta *delta;
	size_t count;
};

/**
 * rollup_add() - take in an interval
 *
 * Return: 0, or -ENOMEM; what was taken in by then stays.
 */
int rollup_add(struct rollup *rollup, const struct interval *interval);

/**
 * rollup_flush() - make rows of all that is not
 */
void rollup_flush(struct rollup *rollup);

void rollup_clear(struct rollup *rollup);

#endif /* SMIMON_ROLLUP_H */
