/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second of a CPU at 2 GHz base clock, half of it busy, at 3 GHz, with 10 SMIs of 1 ms each. In
 * between MPERF moves by 1 G, APERF by 1.5 G, cycles by 30 M less, IRPERF by 3 G, the TSC by 2 G.
 */
#ifndef SMIMON_PAIR_H
#define SMIMON_PAIR_H

#include "smimon.h"

#define PAIR_BASE_KHZ	2000000

static const struct smimon_record pair_from = {
	.size = SMIMON_RECORD_SIZE_1,
	.cpu = 3,
	.valid = 0x7f,
	.flags = SMIMON_RECORD_FREEZE_ON,
	.epoch = 5,
	.freeze_epoch = 6,
	.time_ns = 7000000000,
	.tsc = 100,
	.aperf = 200,
	.mperf = 300,
	.cycles = 400,
	.irperf = 500,
	.smi_count = 600,
	.debugctl = 0x4000,
};

static const struct smimon_record pair_to = {
	.size = SMIMON_RECORD_SIZE_1,
	.cpu = 3,
	.valid = 0x7f,
	.flags = SMIMON_RECORD_FREEZE_ON,
	.epoch = 5,
	.freeze_epoch = 6,
	.time_ns = 8000000000,
	.tsc = 2000000100,
	.aperf = 1500000200,
	.mperf = 1000000300,
	.cycles = 1470000400,
	.irperf = 3000000500,
	.smi_count = 610,
	.debugctl = 0x4000,
};

#endif /* SMIMON_PAIR_H */
