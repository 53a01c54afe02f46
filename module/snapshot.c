// SPDX-License-Identifier: GPL-2.0-only
/*
 * An SMI between two of the reads would fall into the interval before for one counter and into
 * the one after for the other, so SMI_COUNT is read before and after, and all is read again if it
 * moved. What leaves no trace there, an NMI or a hypervisor's exit, shows as a long window. Both
 * are tried again a few times only: in a storm, the record says that it is torn.
 *
 * A CPU's cpu_state belongs to that CPU with interrupts off; there is no lock.
 */
#include "snapshot.h"

#include <asm/tsc.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/smimon_record.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "caps.h"
#include "freeze.h"
#include "msr.h"
#include "pmu.h"

#define TRIES		4

#define HAS(caps, COUNTER)	smimon_caps_has(caps, SMIMON_COUNTER_##COUNTER)

/**
 * struct cpu_state - what the next snapshot of a CPU is compared with
 * @epoch: CLOCK_BOOTTIME in ns of the epoch's beginning
 * @generation: of the PMU's counters, other ones begin an epoch
 * @last: the snapshot before, its size 0 if there is none in this epoch
 */
struct cpu_state {
	u64 epoch;
	u32 generation;
	struct smimon_record last;
};

static DEFINE_PER_CPU(struct cpu_state, cpu_state);
/* From before the machine goes to sleep until all is set right after: no two snapshots compare. */
static bool asleep;
/* A CPU should have a counter of the PMU and has not. */
static bool pmu_lost;

static unsigned int window_us = 20;
module_param(window_us, uint, 0444);
MODULE_PARM_DESC(window_us, "Longest undisturbed reading of one CPU's counters in microseconds, 1 to 1000000; longer ones are tried again (default 20; more in virtual machines)");

static u64 window_ticks __ro_after_init;

static enum smimon_reading read_pmu(enum smimon_event which, u64 *val)
{
	enum smimon_reading reading = smimon_pmu_read(which, val);

	if (reading == SMIMON_READING_LOST)
		WRITE_ONCE(pmu_lost, true);
	if (reading != SMIMON_READING_GOOD)
		*val = 0;
	return reading;
}

/* Return: whether the CPU counts them. */
static bool read_smi_count(const struct smimon_caps *caps, u64 *count)
{
	if (!HAS(caps, SMI_COUNT))
		return read_pmu(SMIMON_EVENT_SMI, count) == SMIMON_READING_GOOD;
	*count = smimon_msr_read(MSR_SMI_COUNT);
	return true;
}

static void read_cycles(struct smimon_record *rec)
{
	enum smimon_reading reading = read_pmu(SMIMON_EVENT_CYCLES, &rec->cycles);

	if (reading == SMIMON_READING_GOOD)
		rec->valid |= BIT(SMIMON_COUNTER_CYCLES);
	if (reading == SMIMON_READING_LOST)
		rec->flags |= SMIMON_RECORD_CYCLES_LOST;
}

/*
 * Cycles and APERF next to each other: their difference is what a cost is made of. Return:
 * whether nothing came between.
 */
static bool read_counters(const struct smimon_caps *caps, struct smimon_record *rec)
{
	u64 smi_before, smi_after;

	rec->valid = caps->present;
	rec->flags = 0;
	read_smi_count(caps, &smi_before);
	rec->time_ns = ktime_get_boottime_ns();
	rec->tsc = smimon_msr_tsc();
	read_cycles(rec);
	if (HAS(caps, APERF))
		rec->aperf = smimon_msr_read(caps->aperf_msr);
	if (HAS(caps, MPERF))
		rec->mperf = smimon_msr_read(caps->mperf_msr);
	if (HAS(caps, IRPERF))
		rec->irperf = smimon_msr_read(MSR_F17H_IRPERF) & GENMASK_ULL(47, 0);
	rec->window = smimon_msr_tsc() - rec->tsc;
	if (read_smi_count(caps, &smi_after))
		rec->valid |= BIT(SMIMON_COUNTER_SMI_COUNT);
	rec->smi_count = (u32)smi_after;
	return smi_after == smi_before && rec->window <= window_ticks;
}

/* Its enable bit can go at any time, and does on the boot CPU over S3: it stands still then. */
static void check_irperf(struct smimon_record *rec)
{
	if (rec->valid & BIT(SMIMON_COUNTER_IRPERF) &&
	    !(smimon_msr_read(MSR_K7_HWCR) & MSR_K7_HWCR_IRPERF_EN)) {
		rec->valid &= ~BIT(SMIMON_COUNTER_IRPERF);
		rec->irperf = 0;
	}
}

/* Fields that are not valid are 0 in both, which is not backwards. */
static bool went_backwards(const struct smimon_record *last, const struct smimon_record *now)
{
	return now->tsc < last->tsc || now->aperf < last->aperf || now->mperf < last->mperf ||
	       (s32)(now->smi_count - last->smi_count) < 0;
}

static bool cycles_went_backwards(const struct smimon_record *last,
				  const struct smimon_record *now)
{
	return last->valid & now->valid & BIT(SMIMON_COUNTER_CYCLES) && now->cycles < last->cycles;
}

static void begin_epoch(struct cpu_state *state, u64 now)
{
	state->epoch = max(now, state->epoch + 1);
	state->last.size = 0;
}

static u64 current_epoch(struct cpu_state *state, const struct smimon_record *rec)
{
	u32 generation = smimon_pmu_generation();

	if (READ_ONCE(asleep) || generation != state->generation ||
	    (state->last.size && (went_backwards(&state->last, rec) ||
				  cycles_went_backwards(&state->last, rec))))
		begin_epoch(state, rec->time_ns);
	state->generation = generation;
	state->last = *rec;
	return state->epoch;
}

static void read_here(void *records)
{
	unsigned int cpu = smp_processor_id();
	const struct smimon_caps *caps = smimon_caps_of(cpu);
	struct smimon_record *rec = (struct smimon_record *)records + cpu;
	int tries = TRIES;

	rec->size = sizeof(*rec);
	rec->cpu = cpu;
	while (!read_counters(caps, rec) && --tries)
		;
	if (!tries)
		rec->flags |= SMIMON_RECORD_TORN;
	check_irperf(rec);
	if (smimon_caps_isolated(cpu))
		rec->flags |= SMIMON_RECORD_ISOLATED;
	if (HAS(caps, DEBUGCTL))
		rec->freeze_epoch = smimon_freeze_observe(&rec->debugctl, &rec->flags,
							  rec->time_ns);
	rec->epoch = current_epoch(this_cpu_ptr(&cpu_state), rec);
}

void smimon_snapshot_take(const struct cpumask *cpus, struct smimon_record *records)
{
	on_each_cpu_mask(cpus, read_here, records, true);
	if (READ_ONCE(pmu_lost)) {
		WRITE_ONCE(pmu_lost, false);
		smimon_pmu_repair();
	}
}

static void restart_here(void *unused)
{
	begin_epoch(this_cpu_ptr(&cpu_state), ktime_get_boottime_ns());
}

void smimon_snapshot_restart(void)
{
	unsigned long irqs;

	local_irq_save(irqs);
	restart_here(NULL);
	local_irq_restore(irqs);
}

void smimon_snapshot_suspend(void)
{
	WRITE_ONCE(asleep, true);
}

void smimon_snapshot_resume(void)
{
	on_each_cpu(restart_here, NULL, true);
	WRITE_ONCE(asleep, false);
}

void smimon_snapshot_init(void)
{
	window_us = clamp(window_us, 1U, 1000000U);
	window_ticks = mul_u32_u32(tsc_khz, window_us);
	do_div(window_ticks, 1000);
	/* Without a known TSC frequency there is no saying what is long. */
	if (!tsc_khz)
		window_ticks = U64_MAX;
}
