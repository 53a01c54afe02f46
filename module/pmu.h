/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the PMU counts for smimon: unhalted core cycles, which FREEZE_WHILE_SMM stops in SMM, and
 * on AMD, which has no SMI_COUNT, SMIs. The counters are perf's to give: programming one behind its
 * back would corrupt its users and be overwritten by them. A CPU has few of them, so they are taken
 * for only as long as somebody counts.
 */
#ifndef SMIMON_PMU_H
#define SMIMON_PMU_H

#include <linux/smimon.h>
#include <linux/types.h>

struct cpumask;

/**
 * enum smimon_event - what is counted
 * @SMIMON_EVENT_CYCLES: core cycles not halted
 * @SMIMON_EVENT_SMI: SMIs received (AMD)
 */
enum smimon_event {
	SMIMON_EVENT_CYCLES,
	SMIMON_EVENT_SMI,
	SMIMON_EVENTS,
};

/**
 * enum smimon_reading - what became of a reading
 * @SMIMON_READING_NONE: nobody counts on this CPU, or it cannot count this
 * @SMIMON_READING_LOST: it should count, and perf has no counter for it now
 * @SMIMON_READING_GOOD: the counter is on the hardware, so that its value is right
 */
enum smimon_reading {
	SMIMON_READING_NONE,
	SMIMON_READING_LOST,
	SMIMON_READING_GOOD,
};

/**
 * smimon_pmu_hold() - a socket counts from now on
 * @portid: the socket's port id
 * @cpus: on these CPUs, as long as they are online
 *
 * Sleeps. In place of what the socket asked for before. Where perf has no counter to give, it is
 * tried again as long as snapshots are taken.
 *
 * Return: 0, -ENOSPC if too many sockets count, -ENOMEM.
 */
int smimon_pmu_hold(u32 portid, const struct cpumask *cpus);

/**
 * smimon_pmu_release() - a socket counts no more
 * @portid: the socket's port id, which may be one that does not count
 *
 * Sleeps. The counters are given back soon after.
 */
void smimon_pmu_release(u32 portid);

/**
 * smimon_pmu_holds() - how many sockets count
 */
u32 smimon_pmu_holds(void);

/**
 * smimon_pmu_repair() - have lost counters tried again, within a second
 */
void smimon_pmu_repair(void);

/**
 * smimon_pmu_resume() - the machine slept, and its counters may have lost what perf set them to
 *
 * Sleeps. All are made anew.
 */
void smimon_pmu_resume(void);

/**
 * smimon_pmu_online() - this CPU has come online: find out what it can count, and count it if asked
 * @cpu: the CPU
 *
 * Sleeps. In a kernel thread that is bound to it.
 */
void smimon_pmu_online(unsigned int cpu);

/**
 * smimon_pmu_offline() - give the CPU's counters back
 * @cpu: the CPU
 *
 * Sleeps. Called before the CPU goes offline: perf drops the events of one that has.
 */
void smimon_pmu_offline(unsigned int cpu);

/**
 * smimon_pmu_exit() - forget who counts, with nobody left to ask
 *
 * Sleeps. Before the last smimon_pmu_offline(), with which the counters go.
 */
void smimon_pmu_exit(void);

/**
 * smimon_pmu_read() - read a counter of this CPU
 * @which: what it counts
 * @val: where to put how much that was since it was created
 *
 * With interrupts off.
 */
enum smimon_reading smimon_pmu_read(enum smimon_event which, u64 *val);

/**
 * smimon_pmu_generation() - names the counters of this CPU: others are not the same
 *
 * With interrupts off.
 */
u32 smimon_pmu_generation(void);

/**
 * smimon_pmu_reason() - why a CPU does not count
 * @cpu: the CPU
 * @which: the event
 *
 * Return: SMIMON_REASON_AVAILABLE, _VENDOR, _NO_PMU, _PMU_BUSY, _STUCK or _PARAVIRTUAL, as found
 * when it last was to count, or came online.
 */
enum smimon_reason smimon_pmu_reason(unsigned int cpu, enum smimon_event which);

#endif /* SMIMON_PMU_H */
