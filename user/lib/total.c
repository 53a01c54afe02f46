// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happened on some CPUs together. Only what adds up is summed here; shares, frequencies and
 * ratios of a total come from the sums, hence weighted, as those of one CPU come from its values.
 */
#include "value.h"

static enum smimon_missing more_important(enum smimon_missing a, enum smimon_missing b)
{
	if (!a || !b)
		return a ? a : b;
	return a < b ? a : b;
}

/* A part of a sum would look like a small one. */
static void add(struct smimon_value *sum, const struct smimon_value *value)
{
	if (sum->missing || value->missing) {
		*sum = value_missing(more_important(sum->missing, value->missing));
		return;
	}
	sum->count += value->count;
	sum->real += value->real;
}

/* Each SMI strikes all CPUs, so whichever CPU has the count has it for all. */
static void maximum(struct smimon_value *most, const struct smimon_value *value)
{
	if (most->missing && value->missing)
		most->missing = more_important(most->missing, value->missing);
	else if (most->missing || (!value->missing && value->count > most->count))
		*most = *value;
}

static void add_delta(struct smimon_delta *total, const struct smimon_delta *d)
{
	add(&total->elapsed, &d->elapsed);
	add(&total->tsc, &d->tsc);
	add(&total->aperf, &d->aperf);
	add(&total->mperf, &d->mperf);
	add(&total->cycles, &d->cycles);
	add(&total->irperf, &d->irperf);
	maximum(&total->smi, &d->smi);
	add(&total->smi_sum, &d->smi_sum);
	add(&total->smm_cycles, &d->smm_cycles);
	add(&total->smm_usec, &d->smm_usec);
	smimon_floor_add(&total->floor, &d->floor);
}

void smimon_delta_total(struct smimon_delta *total, const struct smimon_delta *delta, size_t count)
{
	size_t i;

	if (!count) {
		smimon_delta_none(total, SMIMON_CPU_ALL, SMIMON_MISSING_NO_CPU);
		return;
	}
	*total = delta[0];
	total->cpu = SMIMON_CPU_ALL;
	for (i = 1; i < count; i++)
		add_delta(total, &delta[i]);
}

void smimon_floor_add(struct smimon_floor *sum, const struct smimon_floor *floor)
{
	sum->excess += floor->excess;
	sum->aperf += floor->aperf;
}
