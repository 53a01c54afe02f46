// SPDX-License-Identifier: GPL-2.0-only
#include "cpulist.h"

#include <errno.h>
#include <stdio.h>

unsigned int cpuset_next(const struct cpuset *set, unsigned int from)
{
	while (from < CPUSET_CPUS) {
		uint64_t rest = set->bits[from / 64] >> from % 64;

		if (rest)
			return from + __builtin_ctzll(rest);
		from += 64 - from % 64;
	}
	return CPUSET_CPUS;
}

/* Not strtoul(), which takes blanks and signs. */
static int parse_number(const char **pos, unsigned int *number)
{
	const char *p = *pos;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (*number = 0; *p >= '0' && *p <= '9'; p++) {
		*number = *number * 10 + (*p - '0');
		if (*number >= CPUSET_CPUS)
			return -ERANGE;
	}
	*pos = p;
	return 0;
}

static int parse_range(struct cpuset *set, const char **pos)
{
	unsigned int first, last;
	int err;

	err = parse_number(pos, &first);
	if (err)
		return err;
	last = first;
	if (**pos == '-') {
		++*pos;
		err = parse_number(pos, &last);
		if (err)
			return err;
	}
	if (last < first)
		return -EINVAL;
	for (; first <= last; first++)
		cpuset_add(set, first);
	return 0;
}

int cpuset_parse(struct cpuset *set, const char *list)
{
	int err;

	*set = (struct cpuset){ 0 };
	for (;;) {
		err = parse_range(set, &list);
		if (err)
			return err;
		if (!*list)
			return 0;
		if (*list++ != ',')
			return -EINVAL;
	}
}

size_t cpuset_format(const struct cpuset *set, char *list, size_t size)
{
	unsigned int first, last;
	size_t len = 0;

	if (size)
		*list = '\0';
	for (first = cpuset_next(set, 0); first < CPUSET_CPUS; first = cpuset_next(set, last + 1)) {
		char range[32];
		int n;

		for (last = first; cpuset_has(set, last + 1); last++)
			;
		n = snprintf(range, sizeof(range), first < last ? "%s%u-%u" : "%s%u",
			     len ? "," : "", first, last);
		if (len < size)
			snprintf(list + len, size - len, "%s", range);
		len += n;
	}
	return len;
}
