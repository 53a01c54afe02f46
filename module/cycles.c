// SPDX-License-Identifier: GPL-2.0-only
/*
 * One pinned kernel event a CPU: scheduled first and never rotated, so that it counts from its
 * creation to its release. Where no hardware counter is left for it perf parks it in an error
 * state, in which it does not count and which reading it notices.
 */
#include "cycles.h"

#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

static DEFINE_PER_CPU(struct perf_event *, cycles_event);

/* Everything that APERF counts: all rings, and guests, since a CPU in a guest is not halted. */
static struct perf_event_attr cycles_attr = {
	.type	= PERF_TYPE_HARDWARE,
	.config	= PERF_COUNT_HW_CPU_CYCLES,
	.size	= sizeof(struct perf_event_attr),
	.pinned	= 1,
};

enum smimon_reason smimon_cycles_create(unsigned int cpu)
{
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&cycles_attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT ? SMIMON_REASON_NO_PMU : SMIMON_REASON_PMU_BUSY;
	/* Pairs with the reader, which is an interrupt on that CPU or this thread. */
	WRITE_ONCE(per_cpu(cycles_event, cpu), event);
	return SMIMON_REASON_AVAILABLE;
}

void smimon_cycles_release(unsigned int cpu)
{
	struct perf_event *event = per_cpu(cycles_event, cpu);

	if (!event)
		return;
	/*
	 * The reader runs with interrupts off on that CPU, as does this thread in hotplug: it
	 * cannot be between its load of the pointer and its use of the event now.
	 */
	WRITE_ONCE(per_cpu(cycles_event, cpu), NULL);
	perf_event_release_kernel(event);
}

bool smimon_cycles_read(u64 *val)
{
	struct perf_event *event = this_cpu_read(cycles_event);

	if (!event || READ_ONCE(event->oncpu) != smp_processor_id())
		return false;
	event->pmu->read(event);
	*val = local64_read(&event->count);
	return true;
}
