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

static int by_cpu(const void *a, const void *b)
{
	uint32_t x = ((const struct smimon_delta *)a)->cpu;
	uint32_t y = ((const struct smimon_delta *)b)->cpu;

	return (x > y) - (x < y);
}

/* A row for each CPU of either snapshot, and for those that the user named and that are in none. */
static size_t compare(struct sampler *sampler)
{
	const struct cpuset *named = &sampler->options->cpus;
	size_t count = smimon_deltas(sampler->row, &sampler->before, &sampler->now,
				     sampler->base_khz);
	size_t found = count, at = 0;
	unsigned int cpu;

	for (cpu = cpuset_next(named, 0); cpu < CPUSET_CPUS; cpu = cpuset_next(named, cpu + 1)) {
		while (at < found && sampler->row[at].cpu < cpu)
			at++;
		if (at == found || sampler->row[at].cpu != cpu)
			smimon_delta_none(&sampler->row[count++], cpu, SMIMON_MISSING_OFFLINE);
	}
	if (count > found)
		qsort(sampler->row, count, sizeof(*sampler->row), by_cpu);
	return count;
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
