/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coherent readings of the counters: of one CPU at one instant, and of all CPUs at the same one.
 */
#ifndef SMIMON_SNAPSHOT_H
#define SMIMON_SNAPSHOT_H

struct cpumask;
struct smimon_record;

/**
 * smimon_snapshot_take() - read the counters of some CPUs
 * @cpus: the CPUs; those that are offline are left out
 * @records: nr_cpu_ids of them, all zero; those of the CPUs read are filled, by number
 *
 * With cpus_read_lock() held, so that a CPU does not come or go meanwhile. Sleeps. Interrupts each
 * of the CPUs once, for some microseconds.
 */
void smimon_snapshot_take(const struct cpumask *cpus, struct smimon_record *records);

/**
 * smimon_snapshot_restart() - this CPU's counters may have been reset: begin an epoch
 */
void smimon_snapshot_restart(void);

/**
 * smimon_snapshot_suspend() - the machine is about to sleep: no snapshot compares with another
 */
void smimon_snapshot_suspend(void);

/**
 * smimon_snapshot_resume() - it slept, or did not after all: begin an epoch on all CPUs
 */
void smimon_snapshot_resume(void);

/**
 * smimon_snapshot_init() - work out the bound of a reading's window
 */
void smimon_snapshot_init(void);

#endif /* SMIMON_SNAPSHOT_H */
