// SPDX-License-Identifier: GPL-2.0-only
/* Times as people say them, and charts of what happened between two of them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "when.h"

#define NOW		1796000000
#define NS		INT64_C(1000000000)

static void times_ago(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} cases[] = {
		{ "now", NOW }, { "0s", NOW }, { "90s", NOW - 90 }, { "30min", NOW - 1800 },
		{ "5m", NOW - 300 }, { "12h", NOW - 43200 }, { "7d", NOW - 604800 },
		{ "1w", NOW - 604800 },
	};
	int64_t ns;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_case(cases[i].text, when_parse(cases[i].text, NOW, &ns), true);
		assert_case(cases[i].text, ns, cases[i].seconds * NS);
	}
}

static void dates(void **state)
{
	int64_t ns;
	char text[32];

	assert_true(when_parse("2026-12-01", NOW, &ns));
	assert_true(ns == 1796083200 * NS);
	assert_true(when_parse("2026-12-01 17:30", NOW, &ns));
	assert_true(ns == (1796083200 + 17 * 3600 + 1800) * NS);
	assert_true(when_parse("2026-12-01 17:30:05", NOW, &ns));
	when_format(ns, text, sizeof(text));
	assert_string_equal(text, "2026-12-01 17:30:05");
}

static void no_times(void **state)
{
	static const char *const cases[] = {
		"", "1", "h", "-1h", "1 h", "1h ", "1y", "1hour", "99999999999999999999s", "9999999w",
		"yesterday", "2026-13-01", "2026-12-01 25:00", "2026-12-01 17:30:05x", "17:30",
	};
	int64_t ns;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_case(cases[i], when_parse(cases[i], NOW, &ns), false);
}

static void lengths(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} cases[] = {
		{ 0, "0 s" }, { 59, "59 s" }, { 60, "1 min" }, { 3601, "1 h" },
		{ 3661, "1 h 1 min" }, { 86400, "1 d" }, { 90061, "1 d 1 h" }, { 172859, "2 d" },
	};
	char text[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		when_format_length(cases[i].seconds * NS, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

/* Ten parts of 6 s. An interval belongs to the part in which it ends, as does the end itself. */
static void chart_parts(void **state)
{
	struct chart chart;

	chart_init(&chart, 100 * NS, 160 * NS, 10);
	assert_true(chart_bucket_ns(&chart) == 6 * NS);
	chart_add(&chart, 100 * NS, 1, 1);
	chart_add(&chart, 160 * NS + 1, 1, 1);
	chart_add(&chart, 100 * NS + 1, 2, 10);
	chart_add(&chart, 106 * NS, 3, 20);
	chart_add(&chart, 106 * NS + 1, 4, 40);
	chart_add(&chart, 160 * NS, 5, 80);
	assert_close(chart.bucket[0].smi, 5);
	assert_close(chart.bucket[0].usec, 30);
	assert_close(chart.bucket[1].smi, 4);
	assert_close(chart.bucket[9].usec, 80);
	assert_true(chart.bucket[1].watched && !chart.bucket[2].watched);
	assert_close(chart_top(&chart, false), 5);
	assert_close(chart_top(&chart, true), 100);
}

static void chart_watched(void **state)
{
	struct chart chart;
	size_t i;

	chart_init(&chart, 100 * NS, 160 * NS, 10);
	chart_watch(&chart, 0, 100 * NS);
	chart_watch(&chart, 160 * NS, 200 * NS);
	for (i = 0; i < 10; i++)
		assert_false(chart.bucket[i].watched);
	chart_watch(&chart, 112 * NS, 125 * NS);
	chart_watch(&chart, 150 * NS, 999 * NS);
	for (i = 0; i < 10; i++)
		assert_int_equal(chart.bucket[i].watched, (i >= 2 && i <= 4) || i >= 8);
}

static void round_numbers(void **state)
{
	static const double cases[][2] = {
		{ 0, 1 }, { -1, 1 }, { NAN, 1 }, { 1, 1 }, { 1.1, 2 }, { 2, 2 }, { 2.1, 5 },
		{ 5.1, 10 }, { 99, 100 }, { 101, 200 }, { 0.03, 0.05 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_close(chart_round_up(cases[i][0]), cases[i][1]);
}

#define BAR "          | # " "\n"

/* Three parts: none, all, not watched. The highest bar fills its column, what is least is seen. */
static void plotted(void **state)
{
	struct chart chart;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	chart_init(&chart, 100 * NS, 400 * NS, 3);
	chart_watch(&chart, 100 * NS, 300 * NS);
	chart_add(&chart, 200 * NS, 0.001, 0);
	chart_add(&chart, 300 * NS, 10, 5);
	chart_plot(&chart, out, false);
	fclose(out);
	assert_string_equal(text,
		"     SMI#\n"
		"       10 | # " "\n"
		BAR BAR BAR BAR BAR BAR
		"          |##.\n"
		"        0 +---\n"
		"           00:01:40 00:06:40\n"
		"   SMM us\n"
		"        5 | # " "\n"
		BAR BAR BAR BAR BAR BAR
		"          | #.\n"
		"        0 +---\n"
		"           00:01:40 00:06:40\n");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_ago),
		cmocka_unit_test(dates),
		cmocka_unit_test(no_times),
		cmocka_unit_test(lengths),
		cmocka_unit_test(chart_parts),
		cmocka_unit_test(chart_watched),
		cmocka_unit_test(round_numbers),
		cmocka_unit_test(plotted),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("when", tests, NULL, NULL);
}
