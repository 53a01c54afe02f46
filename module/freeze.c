// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bit has another owner: perf, which sets it on each CPU that comes online as its attribute
 * freeze_on_smi says, on all of them when that is written, and knows nothing of us. Hence: the bit
 * is set only where it is clear, and cleared only where it was set here; somebody else's later
 * write is not fought, only told of. Setting it anew is left to a CPU's coming online, to resume
 * and to the next hold.
 *
 * An NMI between our read and write of the register can lose a change that its handler makes to
 * another bit (LBR, BTS). Nothing masks NMIs, perf's own write has the same window, and writes are
 * few: none at all where perf's default is in force.
 *
 * freeze_lock covers holds. A CPU's cpu_freeze belongs to that CPU with interrupts off; others
 * read it without more than READ_ONCE(). cpus_read_lock() is taken before freeze_lock.
 */
#include "freeze.h"

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smimon_record.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "caps.h"
#include "holds.h"
#include "msr.h"

/**
 * struct cpu_freeze - the freeze on one CPU
 * @epoch: CLOCK_BOOTTIME in ns of when the bit began to be what it is
 * @on: the bit as last seen
 * @ours: the bit was set here, and has to be cleared here
 */
struct cpu_freeze {
	u64 epoch;
	bool on;
	bool ours;
};

static DEFINE_PER_CPU(struct cpu_freeze, cpu_freeze);
static DEFINE_MUTEX(freeze_lock);
static struct smimon_holds holds;
/* What smimon_holds_want() says, for readers without the lock. */
static bool wanted;
/* It is wanted and has been set: where it is clear now somebody else cleared it. */
static bool settled;

static void note(struct cpu_freeze *freeze, bool on, u64 now)
{
	if (freeze->epoch && freeze->on == on)
		return;
	WRITE_ONCE(freeze->on, on);
	/* Two changes within the clock's resolution are still two. */
	freeze->epoch = max(now, freeze->epoch + 1);
}

/* Return: whether the bit is what it was set to. */
static bool write_bit(struct cpu_freeze *freeze, u64 debugctl, bool on)
{
	u64 now = ktime_get_boottime_ns();

	/*
	 * Seen or not, the bit was the contrary until now: this begins an epoch even if what was
	 * last seen is what is written.
	 */
	note(freeze, !on, now);
	if (on)
		debugctl |= DEBUGCTLMSR_FREEZE_IN_SMM;
	else
		debugctl &= ~(u64)DEBUGCTLMSR_FREEZE_IN_SMM;
	if (smimon_msr_write_safe(MSR_IA32_DEBUGCTLMSR, debugctl))
		return false;
	debugctl = smimon_msr_read(MSR_IA32_DEBUGCTLMSR);
	note(freeze, !!(debugctl & DEBUGCTLMSR_FREEZE_IN_SMM), now);
	return freeze->on == on;
}

/* Make this CPU's bit what is wanted, with interrupts off. Return: whether it is. */
static bool apply_here(bool want)
{
	struct cpu_freeze *freeze = this_cpu_ptr(&cpu_freeze);
	u64 debugctl;
	bool on;

	if (!smimon_caps_has(smimon_caps_of(smp_processor_id()), SMIMON_COUNTER_DEBUGCTL))
		return true;
	debugctl = smimon_msr_read(MSR_IA32_DEBUGCTLMSR);
	on = debugctl & DEBUGCTLMSR_FREEZE_IN_SMM;
	if (want && !on) {
		WRITE_ONCE(freeze->ours, write_bit(freeze, debugctl, true));
		return freeze->ours;
	}
	if (!want && freeze->ours) {
		WRITE_ONCE(freeze->ours, false);
		if (on)
			return write_bit(freeze, debugctl, false);
	}
	note(freeze, on, ktime_get_boottime_ns());
	return true;
}

static void apply_ipi(void *failed)
{
	if (!apply_here(wanted))
		atomic_inc(failed);
}

/*
 * Isolated CPUs are interrupted only if there is something to write. What was last seen of their
 * bit tells: nobody but their owner is to disturb them, and who did write it is told of.
 */
static bool may_need_write(int cpu, void *unused)
{
	const struct smimon_caps *caps = smimon_caps_of(cpu);
	const struct cpu_freeze *freeze = per_cpu_ptr(&cpu_freeze, cpu);

	if (!smimon_caps_has(caps, SMIMON_COUNTER_DEBUGCTL))
		return false;
	if (!smimon_caps_isolated(cpu))
		return true;
	return wanted ? !READ_ONCE(freeze->on) : READ_ONCE(freeze->ours);
}

/*
 * Have all CPUs follow the holds, with cpus_read_lock() and freeze_lock held. Return: 0, or -EIO if
 * the bit did not become right on one.
 */
static int apply(void)
{
	atomic_t failed = ATOMIC_INIT(0);

	lockdep_assert_held(&freeze_lock);
	WRITE_ONCE(settled, false);
	WRITE_ONCE(wanted, smimon_holds_want(&holds));
	on_each_cpu_cond(may_need_write, apply_ipi, &failed, 1);
	WRITE_ONCE(settled, wanted);
	return atomic_read(&failed) ? -EIO : 0;
}

static u32 count_supported(void)
{
	unsigned int cpu;
	u32 n = 0;

	for_each_online_cpu(cpu)
		n += smimon_caps_has(smimon_caps_of(cpu), SMIMON_COUNTER_DEBUGCTL);
	return n;
}

void smimon_freeze_get(struct smimon_freeze_state *state)
{
	unsigned int cpu;

	cpus_read_lock();
	mutex_lock(&freeze_lock);
	state->policy = holds.policy;
	state->holds = holds.count;
	state->active = wanted;
	state->supported = count_supported();
	state->changed = 0;
	for_each_online_cpu(cpu)
		state->changed += READ_ONCE(per_cpu(cpu_freeze, cpu).ours);
	mutex_unlock(&freeze_lock);
	cpus_read_unlock();
}

int smimon_freeze_set_policy(enum smimon_freeze_policy policy)
{
	enum smimon_freeze_policy before;
	int err;

	cpus_read_lock();
	mutex_lock(&freeze_lock);
	before = holds.policy;
	err = policy == SMIMON_FREEZE_POLICY_ON && !count_supported() ? -EOPNOTSUPP : 0;
	if (err)
		goto unlock;
	err = smimon_holds_set_policy(&holds, policy);
	if (err)
		goto unlock;
	err = apply();
	if (err) {
		holds.policy = before;
		apply();
	}
unlock:
	mutex_unlock(&freeze_lock);
	cpus_read_unlock();
	return err;
}

int smimon_freeze_hold(u32 portid)
{
	int err;

	cpus_read_lock();
	mutex_lock(&freeze_lock);
	err = count_supported() ? smimon_holds_add(&holds, portid) : -EOPNOTSUPP;
	if (err)
		goto unlock;
	err = apply();
	if (err) {
		smimon_holds_remove(&holds, portid);
		if (!smimon_holds_want(&holds))
			apply();
	}
unlock:
	mutex_unlock(&freeze_lock);
	cpus_read_unlock();
	return err;
}

int smimon_freeze_release(u32 portid)
{
	int err;

	/*
	 * Each generic netlink socket of the machine comes by here when it is closed. Those that
	 * do not hold are not to wait for hotplug.
	 */
	mutex_lock(&freeze_lock);
	err = smimon_holds_has(&holds, portid) ? 0 : -ENOENT;
	mutex_unlock(&freeze_lock);
	if (err)
		return err;

	cpus_read_lock();
	mutex_lock(&freeze_lock);
	err = smimon_holds_remove(&holds, portid);
	/* As long as others hold, nothing is to be set again that somebody has cleared. */
	if (!err && !smimon_holds_want(&holds))
		apply();
	mutex_unlock(&freeze_lock);
	cpus_read_unlock();
	return err;
}

u64 smimon_freeze_observe(u64 *debugctl, u32 *flags, u64 now)
{
	struct cpu_freeze *freeze = this_cpu_ptr(&cpu_freeze);
	bool on;

	*debugctl = smimon_msr_read(MSR_IA32_DEBUGCTLMSR);
	on = *debugctl & DEBUGCTLMSR_FREEZE_IN_SMM;
	note(freeze, on, now);
	if (on)
		*flags |= SMIMON_RECORD_FREEZE_ON;
	else if (READ_ONCE(settled))
		*flags |= SMIMON_RECORD_FREEZE_LOST;
	return freeze->epoch;
}

void smimon_freeze_online(void)
{
	struct cpu_freeze *freeze = this_cpu_ptr(&cpu_freeze);
	unsigned long irqs;

	mutex_lock(&freeze_lock);
	local_irq_save(irqs);
	WRITE_ONCE(freeze->ours, false);
	apply_here(wanted);
	local_irq_restore(irqs);
	mutex_unlock(&freeze_lock);
}

void smimon_freeze_offline(void)
{
	unsigned long irqs;

	local_irq_save(irqs);
	apply_here(false);
	local_irq_restore(irqs);
}

void smimon_freeze_resume(void)
{
	cpus_read_lock();
	mutex_lock(&freeze_lock);
	apply();
	mutex_unlock(&freeze_lock);
	cpus_read_unlock();
}
