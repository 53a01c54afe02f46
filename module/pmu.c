// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned kernel events: scheduled first and never rotated, so that each counts from its creation to
 * its release. Where no hardware counter is left for one perf parks it in an error state, in which
 * it does not count and out of which it does not come by itself: it is made anew then.
 *
 * A socket's wish is written down and a kernel worker sees to it, for perf asks who creates an
 * event for rights that a user of this module need not have.
 *
 * pmu_lock covers holds and each CPU's cpu_pmu but for its reader, which is an interrupt on that
 * CPU. cpus_read_lock() is taken before it.
 */
#include "pmu.h"

#include <asm/processor.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "holds.h"

#define WATCH_READS		1000

/* PMCx02B, LsSmiRx: listed for families 17h (from model 30h), 19h and 1Ah. */
#define AMD_SMI_RECEIVED	0x2b

/**
 * struct cpu_pmu - what one CPU counts
 * @event: perf's events, NULL where there is none
 * @reason: why an event cannot be had
 * @wanted: somebody counts on this CPU
 * @generation: changes before events other than the last ones can be read
 */
struct cpu_pmu {
	struct perf_event *event[SMIMON_EVENTS];
	enum smimon_reason reason[SMIMON_EVENTS];
	bool wanted;
	u32 generation;
};

/**
 * struct hold - a socket that counts
 * @node: in holds
 * @portid: its port id
 * @cpus: where
 */
struct hold {
	struct list_head node;
	u32 portid;
	struct cpumask cpus;
};

static DEFINE_PER_CPU(struct cpu_pmu, cpu_pmu);
static DEFINE_MUTEX(pmu_lock);
static LIST_HEAD(holds);
static u32 holds_count;
/* All events are to be made anew. */
static bool stale;
/* Never enabled, see keep_reserved(). */
static struct perf_event *anchor;

/* Cycles are everything that APERF counts: all rings, and guests: a CPU in one is not halted. */
static struct perf_event_attr attrs[SMIMON_EVENTS] = {
	[SMIMON_EVENT_CYCLES] = {
		.type	= PERF_TYPE_HARDWARE,
		.config	= PERF_COUNT_HW_CPU_CYCLES,
		.size	= sizeof(struct perf_event_attr),
		.pinned	= 1,
	},
	[SMIMON_EVENT_SMI] = {
		.type	= PERF_TYPE_RAW,
		.config	= AMD_SMI_RECEIVED,
		.size	= sizeof(struct perf_event_attr),
		.pinned	= 1,
	},
};

static struct perf_event_attr anchor_attr = {
	.type		= PERF_TYPE_HARDWARE,
	.config		= PERF_COUNT_HW_CPU_CYCLES,
	.size		= sizeof(struct perf_event_attr),
	.disabled	= 1,
	.exclude_guest	= 1,
};

static bool in_error(const struct perf_event *event)
{
	return READ_ONCE(event->state) <= PERF_EVENT_STATE_ERROR;
}

static struct perf_event *create(unsigned int cpu, enum smimon_event which)
{
	struct cpu_pmu *pmu = per_cpu_ptr(&cpu_pmu, cpu);
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attrs[which], cpu, NULL, NULL, NULL);
	if (IS_ERR(event)) {
		pmu->reason[which] = PTR_ERR(event) == -ENOENT ? SMIMON_REASON_NO_PMU :
								 SMIMON_REASON_PMU_BUSY;
		return NULL;
	}
	if (in_error(event)) {
		perf_event_release_kernel(event);
		pmu->reason[which] = SMIMON_REASON_PMU_BUSY;
		return NULL;
	}
	pmu->reason[which] = SMIMON_REASON_AVAILABLE;
	return event;
}

/*
 * The reader runs with interrupts off on the event's CPU. While it uses an event that is on the
 * hardware perf cannot take it off there, and it waits for a grace period before it frees one.
 */
static void drop(struct cpu_pmu *pmu, enum smimon_event which)
{
	struct perf_event *event = pmu->event[which];

	if (!event)
		return;
	WRITE_ONCE(pmu->event[which], NULL);
	perf_event_release_kernel(event);
}

static void drop_all(unsigned int cpu)
{
	struct cpu_pmu *pmu = per_cpu_ptr(&cpu_pmu, cpu);
	int i;

	WRITE_ONCE(pmu->wanted, false);
	for (i = 0; i < SMIMON_EVENTS; i++)
		drop(pmu, i);
}

static bool worth_trying(const struct cpu_pmu *pmu, enum smimon_event which)
{
	return pmu->reason[which] == SMIMON_REASON_AVAILABLE ||
	       pmu->reason[which] == SMIMON_REASON_PMU_BUSY;
}

static void ensure(unsigned int cpu, enum smimon_event which)
{
	struct cpu_pmu *pmu = per_cpu_ptr(&cpu_pmu, cpu);
	struct perf_event *event = pmu->event[which];

	if (event && !in_error(event))
		return;
	drop(pmu, which);
	if (!worth_trying(pmu, which))
		return;
	event = create(cpu, which);
	if (!event)
		return;
	WRITE_ONCE(pmu->generation, pmu->generation + 1);
	/* Pairs with smimon_pmu_read(): who reads the new one then sees that it is another. */
	smp_store_release(&pmu->event[which], event);
}

static bool is_wanted(unsigned int cpu)
{
	const struct hold *hold;

	list_for_each_entry(hold, &holds, node)
		if (cpumask_test_cpu(cpu, &hold->cpus))
			return true;
	return false;
}

static void settle(unsigned int cpu)
{
	int i;

	lockdep_assert_held(&pmu_lock);
	if (!is_wanted(cpu)) {
		drop_all(cpu);
		return;
	}
	for (i = 0; i < SMIMON_EVENTS; i++)
		ensure(cpu, i);
	WRITE_ONCE(per_cpu(cpu_pmu, cpu).wanted, true);
}

static void settle_all(struct work_struct *unused)
{
	unsigned int cpu;

	cpus_read_lock();
	mutex_lock(&pmu_lock);
	for_each_online_cpu(cpu) {
		if (stale)
			drop_all(cpu);
		settle(cpu);
	}
	stale = false;
	mutex_unlock(&pmu_lock);
	cpus_read_unlock();
}

static DECLARE_WORK(settle_work, settle_all);
static DECLARE_DELAYED_WORK(repair_work, settle_all);

static struct hold *find(u32 portid)
{
	struct hold *hold;

	list_for_each_entry(hold, &holds, node)
		if (hold->portid == portid)
			return hold;
	return NULL;
}

static void forget(struct hold *hold)
{
	list_del(&hold->node);
	kfree(hold);
	holds_count--;
}

int smimon_pmu_hold(u32 portid, const struct cpumask *cpus)
{
	struct hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT), *before;
	int err = 0;

	if (!hold)
		return -ENOMEM;
	hold->portid = portid;
	cpumask_copy(&hold->cpus, cpus);

	mutex_lock(&pmu_lock);
	before = find(portid);
	if (before)
		forget(before);
	if (holds_count == SMIMON_HOLDS_MAX) {
		err = -ENOSPC;
	} else {
		list_add(&hold->node, &holds);
		holds_count++;
	}
	mutex_unlock(&pmu_lock);
	if (err) {
		kfree(hold);
		return err;
	}
	schedule_work(&settle_work);
	flush_work(&settle_work);
	return 0;
}

void smimon_pmu_release(u32 portid)
{
	struct hold *hold;

	mutex_lock(&pmu_lock);
	hold = find(portid);
	if (hold) {
		forget(hold);
		schedule_work(&settle_work);
	}
	mutex_unlock(&pmu_lock);
}

u32 smimon_pmu_holds(void)
{
	return READ_ONCE(holds_count);
}

void smimon_pmu_repair(void)
{
	schedule_delayed_work(&repair_work, HZ);
}

void smimon_pmu_resume(void)
{
	mutex_lock(&pmu_lock);
	stale = true;
	mutex_unlock(&pmu_lock);
	schedule_work(&settle_work);
	flush_work(&settle_work);
}

static bool counts_smis(void)
{
	return boot_cpu_data.x86_vendor == X86_VENDOR_AMD &&
	       (boot_cpu_data.x86 > 0x17 ||
		(boot_cpu_data.x86 == 0x17 && boot_cpu_data.x86_model >= 0x30));
}

static bool read_event(struct perf_event *event, u64 *val)
{
	if (READ_ONCE(event->oncpu) != smp_processor_id())
		return false;
	event->pmu->read(event);
	*val = local64_read(&event->count);
	return true;
}

static bool read_event_here(struct perf_event *event, u64 *val)
{
	unsigned long irqs;
	bool good;

	local_irq_save(irqs);
	good = read_event(event, val);
	local_irq_restore(irqs);
	return good;
}

/* The CPU is busy with this, so its cycles move. SMIs cannot be waited for. */
static enum smimon_reason watch_cycles(struct perf_event *event)
{
	u64 first, now;
	int i;

	if (!read_event_here(event, &first))
		return SMIMON_REASON_PMU_BUSY;
	for (i = 0; i < WATCH_READS; i++) {
		if (!read_event_here(event, &now))
			return SMIMON_REASON_PMU_BUSY;
		if (now != first)
			return SMIMON_REASON_AVAILABLE;
	}
	return SMIMON_REASON_STUCK;
}

/* Find out, on the CPU and bound to it, whether it can count an event. */
static void try_event(unsigned int cpu, enum smimon_event which)
{
	struct cpu_pmu *pmu = per_cpu_ptr(&cpu_pmu, cpu);
	struct perf_event *event;

	if (boot_cpu_has(X86_FEATURE_XENPV)) {
		pmu->reason[which] = SMIMON_REASON_PARAVIRTUAL;
	} else if (which == SMIMON_EVENT_SMI && !counts_smis()) {
		pmu->reason[which] = SMIMON_REASON_VENDOR;
	} else {
		event = create(cpu, which);
		if (event && which == SMIMON_EVENT_CYCLES)
			pmu->reason[which] = watch_cycles(event);
		if (event)
			perf_event_release_kernel(event);
	}
}

/*
 * With the first event of a machine perf reserves the PMU, with the last it lets go of it, and each
 * time flushes the TLB of all CPUs (ds_update_cea() in arch/x86/events/intel/ds.c), the isolated
 * ones too. So there is one as long as this module is loaded. It takes no counter and, not being
 * for guests, does not keep KVM from giving the PMU to them.
 */
static void keep_reserved(unsigned int cpu)
{
	struct perf_event *event;

	if (anchor)
		return;
	event = perf_event_create_kernel_counter(&anchor_attr, cpu, NULL, NULL, NULL);
	if (!IS_ERR(event))
		anchor = event;
}

void smimon_pmu_online(unsigned int cpu)
{
	int i;

	mutex_lock(&pmu_lock);
	keep_reserved(cpu);
	for (i = 0; i < SMIMON_EVENTS; i++)
		try_event(cpu, i);
	settle(cpu);
	mutex_unlock(&pmu_lock);
}

void smimon_pmu_offline(unsigned int cpu)
{
	mutex_lock(&pmu_lock);
	drop_all(cpu);
	mutex_unlock(&pmu_lock);
}

void smimon_pmu_exit(void)
{
	struct hold *hold, *next;

	cancel_work_sync(&settle_work);
	cancel_delayed_work_sync(&repair_work);
	list_for_each_entry_safe(hold, next, &holds, node)
		forget(hold);
	if (anchor)
		perf_event_release_kernel(anchor);
}

enum smimon_reading smimon_pmu_read(enum smimon_event which, u64 *val)
{
	struct cpu_pmu *pmu = this_cpu_ptr(&cpu_pmu);
	struct perf_event *event;

	/* Pairs with ensure(). */
	event = smp_load_acquire(&pmu->event[which]);
	if (event && read_event(event, val))
		return SMIMON_READING_GOOD;
	if (READ_ONCE(pmu->wanted) && worth_trying(pmu, which))
		return SMIMON_READING_LOST;
	return SMIMON_READING_NONE;
}

u32 smimon_pmu_generation(void)
{
	return this_cpu_read(cpu_pmu.generation);
}

enum smimon_reason smimon_pmu_reason(unsigned int cpu, enum smimon_event which)
{
	return READ_ONCE(per_cpu(cpu_pmu, cpu).reason[which]);
}
