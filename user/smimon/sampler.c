// SPDX-License-Identifier: GPL-2.0-only
#include "sampler.h"

#include <stdlib.h>
#include <time.h>

#include "client.h"
#include "message.h"
#include "options.h"

#define NS_PER_SECOND	1000000000

/* The clock of the records. */
static uint64_t boottime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

int sampler_start(struct sampler *sampler)
{
	if (client_first_snapshot(sampler->ctx, sampler->options, &sampler->before))
		return EXIT_FAILED;
	sampler->start_ns = boottime_ns();
	sampler->first = sampler->before.count;
	return 0;
}

static int make_room(struct sampler *sampler, size_t count)
{
	struct smimon_delta *row;

	if (count <= sampler->room)
		return 0;
	row = realloc(sampler->row, count * sizeof(*row));
	if (!row) {
		complain("no memory");
		return EXIT_FAILED;
	}
	sampler->row = row;
	sampler->room = count;
	return 0;
}

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

/* A row for each CPU of either snapshot, and for those that the user named and that are in none. */
static size_t compare(struct sampler *sampler)
{
	const struct smimon_snapshot *before = &sampler->before;
	const struct smimon_snapshot *now = &sampler->now;
	unsigned int named = cpuset_next(&sampler->options->cpus, 0);
	size_t i = 0, j = 0, count = 0;

	for (;;) {
		uint32_t cpu = least(cpu_at(before, i), cpu_at(now, j));
		const struct smimon_record *from, *to;

		if (named < CPUSET_CPUS)
			cpu = least(cpu, named);
		if (cpu == UINT32_MAX)
			return count;
		from = record_at(before, i, cpu);
		to = record_at(now, j, cpu);
		if (from || to)
			smimon_delta_compute(&sampler->row[count++], from, to, sampler->base_khz);
		else
			smimon_delta_none(&sampler->row[count++], cpu, SMIMON_MISSING_OFFLINE);
		i += !!from;
		j += !!to;
		if (cpu == named)
			named = cpuset_next(&sampler->options->cpus, named + 1);
	}
}

static void swap(struct smimon_snapshot *a, struct smimon_snapshot *b)
{
	struct smimon_snapshot c = *a;

	*a = *b;
	*b = c;
}

int sampler_step(struct sampler *sampler, struct report *report)
{
	const struct options *options = sampler->options;

	if (smimon_take_snapshot(sampler->ctx, options_cpu_list(options), options->isolated,
				 &sampler->now))
		return client_failed(sampler->ctx);
	report->seconds = (double)(boottime_ns() - sampler->start_ns) / NS_PER_SECOND;

	/* The CPUs that the user named were all in the first. */
	if (make_room(sampler, sampler->before.count + sampler->now.count + sampler->first))
		return EXIT_FAILED;
	report->count = compare(sampler);
	report->row = sampler->row;
	smimon_delta_total(&report->total, report->row, report->count);
	smimon_floor_add(&sampler->floor, &report->total.floor);
	swap(&sampler->before, &sampler->now);
	return 0;
}

void sampler_clear(struct sampler *sampler)
{
	smimon_snapshot_clear(&sampler->before);
	smimon_snapshot_clear(&sampler->now);
	free(sampler->row);
}
