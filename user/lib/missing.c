// SPDX-License-Identifier: GPL-2.0-only
#include "array.h"
#include "smimon_metric.h"

static const char *const texts[] = {
	[SMIMON_MISSING_NO_CPU]		= "no cpu",
	[SMIMON_MISSING_OFFLINE]	= "cpu offline",
	[SMIMON_MISSING_NEW]		= "cpu came online",
	[SMIMON_MISSING_ORDER]		= "records out of order",
	[SMIMON_MISSING_EPOCH]		= "epoch changed",
	[SMIMON_MISSING_SMI_COUNT]	= "no SMI count",
	[SMIMON_MISSING_APERF]		= "no APERF",
	[SMIMON_MISSING_MPERF]		= "no MPERF",
	[SMIMON_MISSING_CYCLES_LOST]	= "cycles lost",
	[SMIMON_MISSING_CYCLES]		= "no cycle counter",
	[SMIMON_MISSING_FREEZE_BIT]	= "no freeze bit",
	[SMIMON_MISSING_FREEZE_LOST]	= "freeze lost",
	[SMIMON_MISSING_FREEZE_OFF]	= "freeze off",
	[SMIMON_MISSING_FREEZE_CHANGED]	= "freeze changed",
	[SMIMON_MISSING_TORN]		= "torn",
	[SMIMON_MISSING_BASE]		= "base clock unknown",
	[SMIMON_MISSING_TIME]		= "no time elapsed",
	[SMIMON_MISSING_IDLE]		= "cpu idle",
	[SMIMON_MISSING_TSC]		= "no TSC",
	[SMIMON_MISSING_IRPERF]		= "no IRPERF",
	[SMIMON_MISSING_SMI]		= "no SMI",
	[SMIMON_MISSING_QUIET]		= "no interval without an SMI",
};

_Static_assert(ARRAY_SIZE(texts) == SMIMON_MISSING_QUIET + 1,
	       "each reason has its text");

const char *smimon_missing_text(enum smimon_missing missing)
{
	return texts[missing];
}
