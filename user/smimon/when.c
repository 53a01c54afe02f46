// SPDX-License-Identifier: GPL-2.0-only
#include "when.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "array.h"

#define NS_PER_SECOND	INT64_C(1000000000)
/* More than a person means, and less than what overflows. */
#define MAX_COUNT	1000000

static const struct unit {
	const char *name;
	int64_t seconds;
} units[] = {
	{ "d", 86400 }, { "h", 3600 }, { "min", 60 }, { "s", 1 }, { "m", 60 }, { "w", 604800 },
};

/* Of these, those that lengths are written in. */
#define WRITTEN		4

static bool parse_ago(const char *text, time_t now, int64_t *seconds)
{
	int64_t count = 0;
	const char *p;
	size_t i;

	for (p = text; *p >= '0' && *p <= '9' && count <= MAX_COUNT; p++)
		count = count * 10 + (*p - '0');
	if (p == text || count > MAX_COUNT)
		return false;
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(p, units[i].name) != 0)
			continue;
		*seconds = now - count * units[i].seconds;
		return true;
	}
	return false;
}

static bool parse_date(const char *text, int64_t *seconds)
{
	static const char *const formats[] = {
		"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, formats[i], &tm);

		if (!end || *end)
			continue;
		*seconds = mktime(&tm);
		return true;
	}
	return false;
}

bool when_parse(const char *text, time_t now, int64_t *ns)
{
	int64_t seconds;

	if (!strcmp(text, "now"))
		seconds = now;
	else if (!parse_ago(text, now, &seconds) && !parse_date(text, &seconds))
		return false;
	*ns = seconds * NS_PER_SECOND;
	return seconds >= 0 && seconds < INT64_MAX / NS_PER_SECOND;
}

void when_format(int64_t ns, char *text, size_t size)
{
	time_t seconds = ns / NS_PER_SECOND;
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(text, size, "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(text, size, "%" PRId64, ns / NS_PER_SECOND);
}

void when_format_length(int64_t ns, char *text, size_t size)
{
	int64_t seconds = (ns + NS_PER_SECOND / 2) / NS_PER_SECOND;
	size_t i, used = 0;
	int parts = 0;

	snprintf(text, size, "0 s");
	for (i = 0; i < WRITTEN && parts < 2 && used < size; i++) {
		int64_t count = seconds / units[i].seconds;

		seconds %= units[i].seconds;
		/* The second unit is the one after the first. */
		if (parts)
			parts++;
		if (!count)
			continue;
		used += snprintf(text + used, size - used, "%s%" PRId64 " %s", used ? " " : "", count,
				 units[i].name);
		if (!parts)
			parts = 1;
	}
}
