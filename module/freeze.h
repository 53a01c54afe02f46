/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FREEZE_WHILE_SMM, bit 14 of IA32_DEBUGCTL: while it is set the PMU does not count in SMM (SDM
 * volume 3, "Freezing Performance Counters While in SMM").
 */
#ifndef SMIMON_FREEZE_H
#define SMIMON_FREEZE_H

#include <linux/smimon.h>
#include <linux/types.h>

/**
 * struct smimon_freeze_state - the state of the freeze
 * @policy: the policy
 * @holds: how many sockets hold it
 * @active: the bit is wanted
 * @supported: how many online CPUs have the bit
 * @changed: how many online CPUs have it set by this module
 */
struct smimon_freeze_state {
	enum smimon_freeze_policy policy;
	u32 holds;
	bool active;
	u32 supported;
	u32 changed;
};

/**
 * smimon_freeze_get() - tell the state
 * @state: where to put it
 */
void smimon_freeze_get(struct smimon_freeze_state *state);

/**
 * smimon_freeze_set_policy() - set the policy and see to it
 * @policy: the policy
 *
 * Return: 0; -EBUSY for "off" while somebody holds; for "on" -EOPNOTSUPP where no CPU has the bit
 * and -EIO where it did not stay set, both of which leave the policy as it was.
 */
int smimon_freeze_set_policy(enum smimon_freeze_policy policy);

/**
 * smimon_freeze_hold() - a socket holds the freeze from now on
 * @portid: the socket's port id
 *
 * Return: 0; -EPERM under the policy "off", -EALREADY if it holds, -ENOSPC if too many do,
 * -EOPNOTSUPP where no CPU has the bit, -EIO where it did not stay set.
 */
int smimon_freeze_hold(u32 portid);

/**
 * smimon_freeze_release() - a socket holds the freeze no more
 * @portid: the socket's port id
 *
 * Return: 0; -ENOENT if it did not hold.
 */
int smimon_freeze_release(u32 portid);

/**
 * smimon_freeze_observe() - look at this CPU's bit
 * @debugctl: where to put IA32_DEBUGCTL
 * @flags: where to add SMIMON_RECORD_FREEZE_ON and _FREEZE_LOST
 * @now: CLOCK_BOOTTIME in ns
 *
 * With interrupts off, on a CPU that has the bit.
 *
 * Return: the freeze epoch: when the bit began to be what it is, as far as was seen.
 */
u64 smimon_freeze_observe(u64 *debugctl, u32 *flags, u64 now);

/**
 * smimon_freeze_online() - this CPU has come online, with the bit as perf has it
 */
void smimon_freeze_online(void);

/**
 * smimon_freeze_offline() - this CPU goes offline, or the module goes: leave the bit as found
 */
void smimon_freeze_offline(void);

/**
 * smimon_freeze_resume() - the machine slept, and the bit may be lost
 */
void smimon_freeze_resume(void);

#endif /* SMIMON_FREEZE_H */
