/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots taken one after the other, and what happened in between. */
#ifndef SMIMON_SAMPLER_H
#define SMIMON_SAMPLER_H

#include <smimon.h>

struct options;

/**
 * struct report - what happened since the last report
 * @seconds: since the start
 * @row: a CPU each, in the order of numbers
 * @count: of these
 * @total: over them
 */
struct report {
	double seconds;
	const struct smimon_delta *row;
	size_t count;
	struct smimon_delta total;
};

/**
 * struct sampler - a measurement
 * @ctx: the connection
 * @options: which CPUs
 * @base_khz: the base clock
 * @start_ns: when the first snapshot was taken, CLOCK_BOOTTIME
 * @first: how many CPUs the first snapshot had
 * @before: the last snapshot
 * @now: memory for the next
 * @row: memory for a report's rows
 * @room: how many
 * @floor: over all reports
 */
struct sampler {
	struct smimon *ctx;
	const struct options *options;
	uint32_t base_khz;
	uint64_t start_ns;
	size_t first;
	struct smimon_snapshot before;
	struct smimon_snapshot now;
	struct smimon_delta *row;
	size_t room;
	struct smimon_floor floor;
};

/**
 * sampler_start() - take the first snapshot
 * @sampler: zeroed but for its first three members, or used before
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int sampler_start(struct sampler *sampler);

/**
 * sampler_step() - take the next snapshot
 * @report: its rows are good until the next step
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int sampler_step(struct sampler *sampler, struct report *report);

void sampler_clear(struct sampler *sampler);

#endif /* SMIMON_SAMPLER_H */
