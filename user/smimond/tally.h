/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened on each CPU and on the machine since the daemon began, in numbers that only grow.
 * All of this is pure: it asks nobody.
 */
#ifndef SMIMON_TALLY_H
#define SMIMON_TALLY_H

#include <smimon.h>

#define TALLY_MISSING	(SMIMON_MISSING_QUIET + 1)

/**
 * struct tally_cpu - one CPU
 * @cpu: its number
 * @online: it was in the last snapshot
 * @freeze_on: FREEZE_WHILE_SMM was set then
 * @intervals: how many were seen of it
 * @invalid: by enum smimon_missing, how many of these lacked a value
 * @smi: SMIs
 * @smm_cycles: cycles in SMM, over the intervals in which that is known
 * @smm_usec: time in SMM in us, likewise
 * @observed_ns: how long the intervals were of which @smm_usec is the sum
 * @aperf: unhalted cycles
 * @mperf: unhalted cycles at the base clock
 * @hertz: clock while not halted in the last interval
 * @busy: share of it not halted, 0 to 1
 */
struct tally_cpu {
	uint32_t cpu;
	bool online;
	bool freeze_on;
	uint64_t intervals;
	uint64_t invalid[TALLY_MISSING];
	uint64_t smi;
	uint64_t smm_cycles;
	double smm_usec;
	uint64_t observed_ns;
	uint64_t aperf;
	uint64_t mperf;
	struct smimon_value hertz;
	struct smimon_value busy;
};

/* Upper bounds of the buckets of durations, in us; one more bucket is for what is longer. */
#define TALLY_BOUNDS	13
extern const unsigned int tally_bounds[TALLY_BOUNDS];

/**
 * struct tally - all of it
 * @cpu: in the order of CPU numbers; one that was seen once stays
 * @count: how many
 * @room: how many @cpu has memory for
 * @smi: SMIs of the machine: in each interval those of the CPU that had most
 * @duration: by bucket, how many SMIs took so long; an interval's SMIs count with their mean on
 *	the CPU on which that is longest
 * @duration_usec: how long they took together
 * @bzy_mhz: the metric
 * @busy_percent: the metric
 */
struct tally {
	struct tally_cpu *cpu;
	size_t count;
	size_t room;
	uint64_t smi;
	uint64_t duration[TALLY_BOUNDS + 1];
	double duration_usec;
	const struct smimon_metric *bzy_mhz;
	const struct smimon_metric *busy_percent;
};

void tally_init(struct tally *tally);

/**
 * tally_add() - take in an interval
 * @now: the snapshot at its end
 * @delta: what happened on each CPU, in the order of CPU numbers
 * @count: of these
 *
 * Return: 0, or -ENOMEM with nothing taken in.
 */
int tally_add(struct tally *tally, const struct smimon_snapshot *now,
	      const struct smimon_delta *delta, size_t count);

/**
 * tally_lost() - say that there is no snapshot any more, so that no gauge is of the present
 */
void tally_lost(struct tally *tally);

/**
 * tally_longest() - the CPU on which an interval's SMIs took longest on average
 * @usec: set to that average
 *
 * Return: its delta, or NULL if no CPU knows what its SMIs cost, or none had one.
 */
const struct smimon_delta *tally_longest(const struct smimon_delta *delta, size_t count,
					 double *usec);

void tally_clear(struct tally *tally);

#endif /* SMIMON_TALLY_H */
