/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seconds of CPUs as that of pair.h: APERF moves by 1.5 G, MPERF by 1 G, hence the clock is 3 GHz
 * and a microsecond in SMM has 3000 cycles.
 */
#ifndef SMIMON_SECOND_H
#define SMIMON_SECOND_H

#include "pair.h"

#define SECOND_APERF		UINT64_C(1500000000)
#define SECOND_MPERF		UINT64_C(1000000000)
#define SECOND_NS		UINT64_C(1000000000)
#define SECOND_CYCLES_PER_USEC	3000

/* With so many SMIs that had so many cycles together. */
static inline void second_with(struct smimon_delta *d, uint32_t cpu, uint32_t smi, uint64_t cycles)
{
	struct smimon_record from = pair_from, to = pair_to;

	from.cpu = cpu;
	to.cpu = cpu;
	to.smi_count = from.smi_count + smi;
	to.cycles = from.cycles + SECOND_APERF - cycles;
	smimon_delta_compute(d, &from, &to, PAIR_BASE_KHZ);
}

/* With so many SMIs whose cost is not known, as a reading was torn. */
static inline void second_torn(struct smimon_delta *d, uint32_t cpu, uint32_t smi)
{
	struct smimon_record from = pair_from, to = pair_to;

	from.cpu = cpu;
	to.cpu = cpu;
	to.smi_count = from.smi_count + smi;
	to.flags |= SMIMON_RECORD_TORN;
	smimon_delta_compute(d, &from, &to, PAIR_BASE_KHZ);
}

#endif /* SMIMON_SECOND_H */
