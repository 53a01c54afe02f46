/* SPDX-License-Identifier: GPL-2.0-only */
/* What smimond kept in its history, between two times. */
#ifndef SMIMON_PAST_H
#define SMIMON_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chart.h"
#include "cpulist.h"

struct sqlite3;

#define PAST_WORST	5
#define PAST_REASONS	32

/* How much of all SMIs took no longer, in percent; the last is the longest. */
#define PAST_PERCENTILES	5
extern const double past_percents[PAST_PERCENTILES];

/**
 * struct past_sum - a CPU, or the machine
 * @cpu: its number, or SCHEMA_MACHINE
 * @watched_ns: how long it was watched
 * @intervals: in so many intervals
 * @invalid: of which something was not known of so many
 * @smi: SMIs
 * @costed: of these, those whose cost is known
 * @smm_usec: time in SMM in us, of those
 * @longest_usec: the longest average of an interval, in us
 * @observed_ns: how long the intervals were of which @observed_usec is the sum
 * @observed_usec: time in SMM in us
 * @cycles: APERF times base clock in kHz
 * @mperf: MPERF over the same time
 * @busy_ns: how long it was not halted
 * @clock_ns: out of how long
 */
struct past_sum {
	int cpu;
	int64_t watched_ns;
	int64_t intervals;
	int64_t invalid;
	int64_t smi;
	int64_t costed;
	double smm_usec;
	double longest_usec;
	int64_t observed_ns;
	double observed_usec;
	double cycles;
	double mperf;
	double busy_ns;
	int64_t clock_ns;
};

/**
 * struct past_minute - a minute with SMIs
 * @end_ns: when it ended, ns since 1970
 * @smi: SMIs
 * @smm_usec: time in SMM in us
 * @worst_usec: the longest average of an interval in us
 */
struct past_minute {
	int64_t end_ns;
	int64_t smi;
	double smm_usec;
	double worst_usec;
};

/**
 * struct past_longest - the interval with the longest SMIs
 * @end_ns: when it ended; 0 if there is none
 * @cpu: where they took longest, or SCHEMA_MACHINE if that is not known
 * @smi: how many there were
 * @mean_usec: how long they took on average in us
 */
struct past_longest {
	int64_t end_ns;
	int cpu;
	int64_t smi;
	double mean_usec;
};

/**
 * struct past_reason - why something was not known
 * @text: as in JSON
 * @intervals: how often, summed over CPUs
 */
struct past_reason {
	char text[32];
	int64_t intervals;
};

/**
 * struct past - the past
 * @since_ns: when it begins
 * @until_ns: when it ends
 * @cpus: of these CPUs only; NULL for the machine and each CPU
 * @sum: by CPU, in the order of numbers; the machine's first unless CPUs are named
 * @count: of these
 * @room: how many @sum has memory for
 * @longest: the longest SMIs
 * @percentile: of the durations of SMIs in us; NAN if none is known
 * @worst: the worst minutes
 * @worst_count: how many
 * @reason: why something was not known, the most frequent first
 * @reason_count: how many
 */
struct past {
	int64_t since_ns;
	int64_t until_ns;
	const struct cpuset *cpus;
	struct past_sum *sum;
	size_t count;
	size_t room;
	struct past_longest longest;
	double percentile[PAST_PERCENTILES];
	struct past_minute worst[PAST_WORST];
	size_t worst_count;
	struct past_reason reason[PAST_REASONS];
	size_t reason_count;
};

/**
 * past_open() - open the database to read it
 *
 * Return: NULL after a line to the user.
 */
struct sqlite3 *past_open(const char *file);

/**
 * past_read() - read the past
 * @past: its first three members say of what; else zeroed
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int past_read(struct sqlite3 *db, struct past *past);

/**
 * past_read_chart() - read what to draw
 * @chart: from chart_init()
 * @past: for its CPUs
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int past_read_chart(struct sqlite3 *db, const struct past *past, struct chart *chart);

void past_clear(struct past *past);

void past_close(struct sqlite3 *db);

#endif /* SMIMON_PAST_H */
