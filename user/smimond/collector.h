/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots taken from the module for as long as the daemon lives, whatever becomes of the module
 * meanwhile: it is looked for again until it is back.
 */
#ifndef SMIMON_COLLECTOR_H
#define SMIMON_COLLECTOR_H

#include <smimon.h>

struct settings;

/**
 * struct collector - the sampling
 * @settings: which CPUs, and whether to hold the freeze
 * @ctx: the connection, NULL where there is none
 * @info: what the module said of itself
 * @freeze_settled: the freeze is held, or no CPU has it
 * @before: the last snapshot but one; kept where the connection is lost, so that what cannot be
 *	known of the time between is seen to be missing
 * @now: the last snapshot
 * @delta: what happened in between
 * @count: on so many CPUs
 * @room: how many @delta has memory for
 * @connects: how often the module was found
 * @overruns: how often an answer did not fit into the socket's buffer
 * @error: why there is no connection; the last one that was told to the user
 * @freeze_error: likewise, why the freeze is not held
 */
struct collector {
	const struct settings *settings;
	struct smimon *ctx;
	struct smimon_info info;
	bool freeze_settled;
	struct smimon_snapshot before;
	struct smimon_snapshot now;
	struct smimon_delta *delta;
	size_t count;
	size_t room;
	uint64_t connects;
	uint64_t overruns;
	char error[256];
	char freeze_error[256];
};

/**
 * collector_step() - take a snapshot, and compare it with the one before
 *
 * Return: 0, with @now new and @count deltas, none after the first of all; or a negative errno if
 * there is no snapshot, which was said when it began.
 */
int collector_step(struct collector *collector);

/**
 * collector_disconnect() - give up what is held; the next step connects again
 */
void collector_disconnect(struct collector *collector);

void collector_clear(struct collector *collector);

#endif /* SMIMON_COLLECTOR_H */
