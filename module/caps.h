/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which counters a CPU really has, and why not the others. Each is announced by CPUID, read
 * without a fault, and seen to count: a hypervisor may let the first two be true of a dead one.
 */
#ifndef SMIMON_CAPS_H
#define SMIMON_CAPS_H

#include <linux/bits.h>
#include <linux/smimon.h>
#include <linux/types.h>

#define SMIMON_COUNTERS		(SMIMON_COUNTER_DEBUGCTL + 1)

/**
 * struct smimon_caps - what one CPU has
 * @present: BIT(SMIMON_COUNTER_x) of those it has, the PMU's apart, which come and go
 * @aperf_msr: where APERF is read
 * @mperf_msr: where MPERF is read
 * @reason: of each counter, why it is not there; see smimon_caps_reason()
 */
struct smimon_caps {
	u32	present;
	u32	aperf_msr;
	u32	mperf_msr;
	u8	reason[SMIMON_COUNTERS];
};

/**
 * smimon_caps_probe() - find out what this CPU has
 *
 * On the CPU, bound to it. Takes some hundred register reads, at most some thousand.
 */
void smimon_caps_probe(void);

/**
 * smimon_caps_of() - what a CPU had when it came online
 * @cpu: the CPU
 */
const struct smimon_caps *smimon_caps_of(unsigned int cpu);

/**
 * smimon_caps_has() - whether a CPU has a counter
 * @caps: the CPU's
 * @counter: the counter
 */
static inline bool smimon_caps_has(const struct smimon_caps *caps, enum smimon_counter counter)
{
	return caps->present & BIT(counter);
}

/**
 * smimon_caps_reason() - why a CPU does not have a counter
 * @cpu: the CPU
 * @counter: the counter
 */
enum smimon_reason smimon_caps_reason(unsigned int cpu, enum smimon_counter counter);

/**
 * smimon_caps_isolated() - whether a CPU is isolated from interrupts, by isolcpus= or nohz_full=
 * @cpu: the CPU, online or not
 */
bool smimon_caps_isolated(unsigned int cpu);

/**
 * smimon_caps_base_khz() - the clock at which MPERF advances on a busy CPU
 * @source: where that is known from
 *
 * Return: kHz, or 0 if it is not known.
 */
u32 smimon_caps_base_khz(enum smimon_base_source *source);

#endif /* SMIMON_CAPS_H */
