// SPDX-License-Identifier: GPL-2.0-only
/* The words for what the module tells by number, also for numbers of a later module. */
#include <errno.h>
#include <string.h>

#include "array.h"
#include "smimon.h"

static const char *const counters[SMIMON_COUNTERS] = {
	[SMIMON_COUNTER_TSC]		= "tsc",
	[SMIMON_COUNTER_APERF]		= "aperf",
	[SMIMON_COUNTER_MPERF]		= "mperf",
	[SMIMON_COUNTER_CYCLES]		= "cycles",
	[SMIMON_COUNTER_IRPERF]		= "irperf",
	[SMIMON_COUNTER_SMI_COUNT]	= "smi_count",
	[SMIMON_COUNTER_DEBUGCTL]	= "debugctl",
};

static const char *const reasons[] = {
	[SMIMON_REASON_AVAILABLE]	= "available",
	[SMIMON_REASON_NO_CPUID]	= "the CPU does not announce it (CPUID)",
	[SMIMON_REASON_UNREADABLE]	= "the CPU refuses to read it",
	[SMIMON_REASON_STUCK]		= "it does not count (a hypervisor that does not emulate it?)",
	[SMIMON_REASON_VENDOR]		= "CPUs of this vendor do not have it",
	[SMIMON_REASON_ERRATUM]		= "it is unreliable on this CPU model (AMD erratum 1054)",
	[SMIMON_REASON_DISABLED]	= "the firmware or the kernel left it switched off",
	[SMIMON_REASON_NO_PMU]		= "the kernel has no PMU driver for this CPU",
	[SMIMON_REASON_PMU_BUSY]	= "all counters of the PMU are in use",
	[SMIMON_REASON_NO_FREEZE_BIT]	= "the CPU cannot freeze its counters in SMM",
	[SMIMON_REASON_SCALED]		= "APERF and MPERF count in other units here (Xeon Phi)",
	[SMIMON_REASON_PARAVIRTUAL]	= "a Xen PV guest does not see the CPU that it runs on",
};

static const char *const base_sources[] = {
	[SMIMON_BASE_SOURCE_NONE]		= "not known",
	[SMIMON_BASE_SOURCE_TSC]		= "TSC frequency",
	[SMIMON_BASE_SOURCE_PLATFORM_INFO]	= "base ratio of the CPU (MSR 0xCE)",
};

static const char *const policies[] = {
	[SMIMON_FREEZE_POLICY_AUTO]	= "auto",
	[SMIMON_FREEZE_POLICY_ON]	= "on",
	[SMIMON_FREEZE_POLICY_OFF]	= "off",
};

const char *smimon_counter_name(uint32_t counter)
{
	return counter < SMIMON_COUNTERS ? counters[counter] : NULL;
}

const char *smimon_reason_text(uint32_t reason)
{
	if (reason == SMIMON_REASON_UNTOLD)
		return "the kernel module does not know it";
	return reason < ARRAY_SIZE(reasons) ? reasons[reason] : "for a reason that this program is too old to know";
}

const char *smimon_base_source_text(uint32_t source)
{
	return source < ARRAY_SIZE(base_sources) ? base_sources[source] :
		"a source that this program is too old to know";
}

const char *smimon_policy_name(uint32_t policy)
{
	return policy < ARRAY_SIZE(policies) ? policies[policy] : "unknown";
}

int smimon_policy_parse(const char *name, enum smimon_freeze_policy *policy)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(policies); i++)
		if (!strcmp(name, policies[i])) {
			*policy = i;
			return 0;
		}
	return -EINVAL;
}
