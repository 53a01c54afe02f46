// SPDX-License-Identifier: GPL-2.0-only
#include "tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

const unsigned int tally_bounds[TALLY_BOUNDS] = {
	10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000,
};

void tally_init(struct tally *tally)
{
	*tally = (struct tally){
		.bzy_mhz = smimon_metric_find("bzy_mhz"),
		.busy_percent = smimon_metric_find("busy_percent"),
	};
}

/* The place of a CPU, or where it belongs. */
static size_t place_of(const struct tally *tally, uint32_t cpu)
{
	size_t low = 0, high = tally->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tally->cpu[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int make_place(struct tally *tally, uint32_t cpu)
{
	size_t at = place_of(tally, cpu);
	struct tally_cpu *grown;

	if (at < tally->count && tally->cpu[at].cpu == cpu)
		return 0;
	grown = array_grow(tally->cpu, tally->count, &tally->room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	tally->cpu = grown;
	memmove(&grown[at + 1], &grown[at], (tally->count - at) * sizeof(*grown));
	grown[at] = (struct tally_cpu){ .cpu = cpu };
	tally->count++;
	return 0;
}

static void add_cost(struct tally_cpu *cpu, const struct smimon_delta *d)
{
	if (d->smm_cycles.missing)
		return;
	cpu->smm_cycles += d->smm_cycles.count;
	if (d->smm_usec.missing || d->elapsed.missing)
		return;
	cpu->smm_usec += d->smm_usec.real;
	cpu->observed_ns += d->elapsed.count;
}

static struct smimon_value scaled(struct smimon_value value, double factor)
{
	value.real *= factor;
	return value;
}

static void add_delta(const struct tally *tally, struct tally_cpu *cpu,
		      const struct smimon_delta *d)
{
	cpu->intervals++;
	cpu->invalid[smimon_delta_reason(d)]++;
	/* What is missing is 0. */
	cpu->smi += d->smi.count;
	cpu->aperf += d->aperf.count;
	cpu->mperf += d->mperf.count;
	add_cost(cpu, d);
	cpu->hertz = scaled(tally->bzy_mhz->get(d), 1e6);
	cpu->busy = scaled(tally->busy_percent->get(d), 0.01);
}

static void add_duration(struct tally *tally, const struct smimon_delta *delta, size_t count)
{
	double usec;
	const struct smimon_delta *longest = tally_longest(delta, count, &usec);
	size_t bucket = 0;

	if (!longest)
		return;
	while (bucket < TALLY_BOUNDS && usec > tally_bounds[bucket])
		bucket++;
	tally->duration[bucket] += longest->smi.count;
	tally->duration_usec += usec * longest->smi.count;
}

static void note_presence(struct tally *tally, const struct smimon_snapshot *now)
{
	size_t i;

	for (i = 0; i < tally->count; i++) {
		struct tally_cpu *cpu = &tally->cpu[i];
		const struct smimon_record *record = smimon_snapshot_find(now, cpu->cpu);

		cpu->online = record;
		cpu->freeze_on = record && record->flags & SMIMON_RECORD_FREEZE_ON;
	}
}

int tally_add(struct tally *tally, const struct smimon_snapshot *now,
	      const struct smimon_delta *delta, size_t count)
{
	struct smimon_delta total;
	size_t i;

	for (i = 0; i < count; i++)
		if (make_place(tally, delta[i].cpu))
			return -ENOMEM;
	for (i = 0; i < count; i++)
		add_delta(tally, &tally->cpu[place_of(tally, delta[i].cpu)], &delta[i]);
	smimon_delta_total(&total, delta, count);
	tally->smi += total.smi.count;
	add_duration(tally, delta, count);
	note_presence(tally, now);
	return 0;
}

void tally_lost(struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->count; i++) {
		tally->cpu[i].online = false;
		tally->cpu[i].freeze_on = false;
	}
}

const struct smimon_delta *tally_longest(const struct smimon_delta *delta, size_t count,
					 double *usec)
{
	const struct smimon_delta *longest = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct smimon_delta *d = &delta[i];
		double mean;

		if (d->smm_usec.missing || !d->smi.count)
			continue;
		mean = d->smm_usec.real / d->smi.count;
		if (longest && mean <= *usec)
			continue;
		longest = d;
		*usec = mean;
	}
	return longest;
}

void tally_clear(struct tally *tally)
{
	free(tally->cpu);
	tally_init(tally);
}
