// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each CPU's are written once, by its hotplug thread, before anybody is told of the CPU.
 */
#include "caps.h"

#include <asm/processor.h>
#include <asm/tsc.h>
#include <linux/bitfield.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>

#include "msr.h"
#include "pmu.h"

/* Enough for the slowest, MPERF at some 100 MHz, to move; 1,000 reads take well under 1 ms. */
#define PROBE_READS		1000

#define BUS_KHZ			100000

static DEFINE_PER_CPU(struct smimon_caps, cpu_caps);

static bool read_counter(const struct smimon_caps *caps, enum smimon_counter counter, u64 *val)
{
	switch (counter) {
	case SMIMON_COUNTER_APERF:
		return !smimon_msr_read_safe(caps->aperf_msr, val);
	case SMIMON_COUNTER_MPERF:
		return !smimon_msr_read_safe(caps->mperf_msr, val);
	case SMIMON_COUNTER_IRPERF:
		return !smimon_msr_read_safe(MSR_F17H_IRPERF, val);
	default:
		return false;
	}
}

/* A busy CPU's counter moves; the reading itself keeps the CPU busy. */
static enum smimon_reason watch_counter(const struct smimon_caps *caps,
					enum smimon_counter counter)
{
	u64 first, now;
	int i;

	if (!read_counter(caps, counter, &first))
		return SMIMON_REASON_UNREADABLE;
	for (i = 0; i < PROBE_READS; i++)
		if (read_counter(caps, counter, &now) && now != first)
			return SMIMON_REASON_AVAILABLE;
	return SMIMON_REASON_STUCK;
}

/* Knights Landing and Mill count APERF and MPERF in units of 1024 (turbostat). */
static bool counts_in_1024(void)
{
	return boot_cpu_data.x86_vendor == X86_VENDOR_INTEL && boot_cpu_data.x86 == 6 &&
	       (boot_cpu_data.x86_model == 0x57 || boot_cpu_data.x86_model == 0x85);
}

static enum smimon_reason probe_aperf(const struct smimon_caps *caps, enum smimon_counter counter)
{
	enum smimon_reason reason;

	if (!this_cpu_has(X86_FEATURE_APERFMPERF))
		return SMIMON_REASON_NO_CPUID;
	reason = watch_counter(caps, counter);
	if (reason == SMIMON_REASON_AVAILABLE && counts_in_1024())
		return SMIMON_REASON_SCALED;
	return reason;
}

/*
 * Erratum 1054 is of family 17h models 00h to 2Fh. Linux leaves the counter disabled there, and
 * the boot CPU loses its enable bit over S3.
 */
static enum smimon_reason probe_irperf(const struct smimon_caps *caps)
{
	u64 hwcr;

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		return SMIMON_REASON_VENDOR;
	if (boot_cpu_data.x86 == 0x17 && boot_cpu_data.x86_model < 0x30)
		return SMIMON_REASON_ERRATUM;
	if (!this_cpu_has(X86_FEATURE_IRPERF))
		return SMIMON_REASON_NO_CPUID;
	if (smimon_msr_read_safe(MSR_K7_HWCR, &hwcr))
		return SMIMON_REASON_UNREADABLE;
	if (!(hwcr & MSR_K7_HWCR_IRPERF_EN))
		return SMIMON_REASON_DISABLED;
	return watch_counter(caps, SMIMON_COUNTER_IRPERF);
}

/*
 * SMIs cannot be waited for. A hypervisor that ignores unknown registers lets this one read 0, so
 * 0 is believed only on a CPU whose APERF is real.
 */
static enum smimon_reason probe_smi_count(const struct smimon_caps *caps)
{
	u64 count;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return SMIMON_REASON_VENDOR;
	if (smimon_msr_read_safe(MSR_SMI_COUNT, &count))
		return SMIMON_REASON_UNREADABLE;
	if (!count && caps->reason[SMIMON_COUNTER_APERF] != SMIMON_REASON_AVAILABLE &&
	    caps->reason[SMIMON_COUNTER_APERF] != SMIMON_REASON_SCALED)
		return SMIMON_REASON_STUCK;
	return SMIMON_REASON_AVAILABLE;
}

static enum smimon_reason probe_debugctl(void)
{
	u64 val;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return SMIMON_REASON_VENDOR;
	if (!this_cpu_has(X86_FEATURE_PDCM))
		return SMIMON_REASON_NO_CPUID;
	if (smimon_msr_read_safe(MSR_IA32_PERF_CAPABILITIES, &val))
		return SMIMON_REASON_UNREADABLE;
	if (!(val & SMIMON_PERF_CAP_SMM_FREEZE))
		return SMIMON_REASON_NO_FREEZE_BIT;
	if (smimon_msr_read_safe(MSR_IA32_DEBUGCTLMSR, &val))
		return SMIMON_REASON_UNREADABLE;
	return SMIMON_REASON_AVAILABLE;
}

static void note(struct smimon_caps *caps, enum smimon_counter counter, enum smimon_reason reason)
{
	caps->reason[counter] = reason;
	if (reason == SMIMON_REASON_AVAILABLE)
		caps->present |= BIT(counter);
}

static void probe_msrs(struct smimon_caps *caps)
{
	bool amd = boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
		   boot_cpu_data.x86_vendor == X86_VENDOR_HYGON;
	bool twins = amd && boot_cpu_data.x86_power & SMIMON_AMD_POWER_EFF_FREQ_RO;

	caps->aperf_msr = twins ? SMIMON_MSR_AMD_APERF_RO : MSR_IA32_APERF;
	caps->mperf_msr = twins ? SMIMON_MSR_AMD_MPERF_RO : MSR_IA32_MPERF;

	note(caps, SMIMON_COUNTER_APERF, probe_aperf(caps, SMIMON_COUNTER_APERF));
	note(caps, SMIMON_COUNTER_MPERF, probe_aperf(caps, SMIMON_COUNTER_MPERF));
	note(caps, SMIMON_COUNTER_IRPERF, probe_irperf(caps));
	note(caps, SMIMON_COUNTER_SMI_COUNT, probe_smi_count(caps));
	note(caps, SMIMON_COUNTER_DEBUGCTL, probe_debugctl());
}

bool smimon_caps_isolated(unsigned int cpu)
{
	return cpu_is_isolated(cpu) || !housekeeping_test_cpu(cpu, HK_TYPE_TICK);
}

void smimon_caps_probe(void)
{
	struct smimon_caps *caps = this_cpu_ptr(&cpu_caps);
	int i;

	memset(caps, 0, sizeof(*caps));
	note(caps, SMIMON_COUNTER_TSC, SMIMON_REASON_AVAILABLE);

	if (boot_cpu_has(X86_FEATURE_XENPV)) {
		for (i = SMIMON_COUNTER_TSC + 1; i < SMIMON_COUNTERS; i++)
			note(caps, i, SMIMON_REASON_PARAVIRTUAL);
		return;
	}

	probe_msrs(caps);
}

const struct smimon_caps *smimon_caps_of(unsigned int cpu)
{
	return per_cpu_ptr(&cpu_caps, cpu);
}

enum smimon_reason smimon_caps_reason(unsigned int cpu, enum smimon_counter counter)
{
	enum smimon_reason reason = smimon_caps_of(cpu)->reason[counter];

	if (counter == SMIMON_COUNTER_CYCLES)
		return smimon_pmu_reason(cpu, SMIMON_EVENT_CYCLES);
	/* AMD's SMIs are counted by the PMU, if at all. */
	if (counter == SMIMON_COUNTER_SMI_COUNT && reason == SMIMON_REASON_VENDOR)
		return smimon_pmu_reason(cpu, SMIMON_EVENT_SMI);
	return reason;
}

/*
 * MPERF advances at the base clock, which is the TSC's rate where that was calibrated well. Intel's
 * base ratio is exact, but of a bus clock that is not 100 MHz on some parts: the TSC tells which.
 */
u32 smimon_caps_base_khz(enum smimon_base_source *source)
{
	u64 info;
	u32 khz;

	*source = tsc_khz ? SMIMON_BASE_SOURCE_TSC : SMIMON_BASE_SOURCE_NONE;
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL || boot_cpu_has(X86_FEATURE_XENPV) ||
	    smimon_msr_read_safe(MSR_PLATFORM_INFO, &info))
		return tsc_khz;
	khz = (u32)FIELD_GET(SMIMON_PLATFORM_INFO_RATIO, info) * BUS_KHZ;
	if (tsc_khz < khz - khz / 100 || tsc_khz > khz + khz / 100)
		return tsc_khz;
	*source = SMIMON_BASE_SOURCE_PLATFORM_INFO;
	return khz;
}
