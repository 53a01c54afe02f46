/* SPDX-License-Identifier: GPL-2.0-only */
/* Points in time as people say them. */
#ifndef SMIMON_WHEN_H
#define SMIMON_WHEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define WHEN_ALLOWED	"a time ago such as 90s, 30min, 12h or 7d, 'now', or 2026-12-31[ 23:59[:59]]"

/**
 * when_parse() - read a point in time
 * @now: seconds since 1970
 * @ns: set to ns since 1970
 *
 * Return: whether it is one, from 1970 on.
 */
bool when_parse(const char *text, time_t now, int64_t *ns);

/**
 * when_format() - write one as local time, to the second
 */
void when_format(int64_t ns, char *text, size_t size);

/**
 * when_format_length() - write how long something lasted, in its two largest units
 */
void when_format_length(int64_t ns, char *text, size_t size);

#endif /* SMIMON_WHEN_H */
