// SPDX-License-Identifier: GPL-2.0-only
#include "gaps.h"

#include "log.h"

static void log_begun(enum smimon_missing why, const struct cpuset *now, const struct cpuset *last)
{
	struct cpuset begun;
	uint64_t any = 0;
	char cpus[256];
	size_t i;

	for (i = 0; i < CPUSET_CPUS / 64; i++) {
		begun.bits[i] = now->bits[i] & ~last->bits[i];
		any |= begun.bits[i];
	}
	if (!any)
		return;
	cpuset_format(&begun, cpus, sizeof(cpus));
	log_invalid(cpus, smimon_missing_text(why));
}

void gaps_log(struct gaps *gaps, const struct smimon_delta *delta, size_t count)
{
	struct gaps now = { 0 };
	size_t i;
	int why;

	for (i = 0; i < count; i++)
		cpuset_add(&now.last[smimon_delta_reason(&delta[i])], delta[i].cpu);
	for (why = SMIMON_MISSING_NOTHING + 1; why < TALLY_MISSING; why++)
		log_begun(why, &now.last[why], &gaps->last[why]);
	*gaps = now;
}
