// SPDX-License-Identifier: GPL-2.0-only
/* What happened between two snapshots, CPU by CPU. Both are in the order of CPU numbers. */
#include "smimon.h"

static const struct smimon_record *record_at(const struct smimon_snapshot *snapshot, size_t i,
					     uint32_t cpu)
{
	return i < snapshot->count && snapshot->record[i].cpu == cpu ? &snapshot->record[i] : NULL;
}

static uint32_t cpu_at(const struct smimon_snapshot *snapshot, size_t i)
{
	return i < snapshot->count ? snapshot->record[i].cpu : UINT32_MAX;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

size_t smimon_deltas(struct smimon_delta *delta, const struct smimon_snapshot *from,
		     const struct smimon_snapshot *to, uint32_t base_khz)
{
	size_t i = 0, j = 0, count = 0;

	while (i < from->count || j < to->count) {
		uint32_t cpu = least(cpu_at(from, i), cpu_at(to, j));
		const struct smimon_record *a = record_at(from, i, cpu);
		const struct smimon_record *b = record_at(to, j, cpu);

		smimon_delta_compute(&delta[count++], a, b, base_khz);
		i += !!a;
		j += !!b;
	}
	return count;
}
