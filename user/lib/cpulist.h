/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs, and lists of them as the kernel writes them: "0-3,7". */
#ifndef SMIMON_CPULIST_H
#define SMIMON_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that Linux on x86 can be built for. */
#define CPUSET_CPUS	8192

/* Starts zeroed: empty. */
struct cpuset {
	uint64_t bits[CPUSET_CPUS / 64];
};

/* A CPU beyond CPUSET_CPUS, which no kernel has, is left out. */
static inline void cpuset_add(struct cpuset *set, unsigned int cpu)
{
	if (cpu < CPUSET_CPUS)
		set->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static inline void cpuset_remove(struct cpuset *set, unsigned int cpu)
{
	if (cpu < CPUSET_CPUS)
		set->bits[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

static inline bool cpuset_has(const struct cpuset *set, unsigned int cpu)
{
	return cpu < CPUSET_CPUS && set->bits[cpu / 64] >> cpu % 64 & 1;
}

/**
 * cpuset_next() - step through a set
 * @from: the least number to look at
 *
 * Return: the least CPU of the set from there on, CPUSET_CPUS if there is none.
 */
unsigned int cpuset_next(const struct cpuset *set, unsigned int from);

/**
 * cpuset_parse() - read a list of CPUs
 * @list: numbers and ranges with commas in between and nothing else
 *
 * Return: 0, -EINVAL if it is no such list or empty or a range runs backwards, -ERANGE if a number
 * is not below CPUSET_CPUS; the set then is not good for anything.
 */
int cpuset_parse(struct cpuset *set, const char *list);

/**
 * cpuset_format() - write the shortest list of a set's CPUs
 * @size: of the buffer in bytes
 *
 * Return: its length without the NUL, also if that does not fit; "" for an empty set.
 */
size_t cpuset_format(const struct cpuset *set, char *list, size_t size);

#endif /* SMIMON_CPULIST_H */
