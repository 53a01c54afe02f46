/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unhalted core cycles as the PMU counts them, which is what FREEZE_WHILE_SMM stops in SMM. The
 * counter is perf's to give: programming one behind its back would corrupt its users and be
 * overwritten by them.
 */
#ifndef SMIMON_CYCLES_H
#define SMIMON_CYCLES_H

#include <linux/smimon.h>
#include <linux/types.h>

/**
 * smimon_cycles_create() - have perf count cycles on an online CPU
 * @cpu: the CPU
 *
 * Sleeps. Called where the CPU comes online, in a kernel thread: in a user's context perf would
 * ask for rights that the user need not have.
 *
 * Return: SMIMON_REASON_AVAILABLE, _NO_PMU or _PMU_BUSY.
 */
enum smimon_reason smimon_cycles_create(unsigned int cpu);

/**
 * smimon_cycles_release() - give the CPU's counter back
 * @cpu: the CPU
 *
 * Sleeps. Called before the CPU goes offline: perf drops the events of one that has.
 */
void smimon_cycles_release(unsigned int cpu);

/**
 * smimon_cycles_read() - read this CPU's counter
 * @val: where to put the cycles counted since it was created
 *
 * With interrupts off.
 *
 * Return: whether the counter is on the hardware, so that its value is right.
 */
bool smimon_cycles_read(u64 *val);

#endif /* SMIMON_CYCLES_H */
