// SPDX-License-Identifier: GPL-2.0-only
/* Each metric by its definition, computed by hand, and where it is not defined. */
#include "unit.h"

#include <ctype.h>
#include <string.h>

#include "pair.h"
#include "print.h"

static const struct smimon_metric *find(const char *name)
{
	const struct smimon_metric *metric;
	size_t i, count;

	metric = smimon_metrics(&count);
	for (i = 0; i < count; i++)
		if (!strcmp(metric[i].name, name))
			return &metric[i];
	fail_msg("no metric %s", name);
	return NULL;
}

static struct smimon_value get(const char *name, const struct smimon_delta *d)
{
	return find(name)->get(d);
}

/* What is expected of a metric: a value, or a reason. */
struct expected {
	const char *name;
	double real;
	enum smimon_missing missing;
};

static void expect(const struct smimon_delta *d, const struct expected *expected, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct smimon_value value = get(expected[i].name, d);

		assert_case(expected[i].name, value.missing, expected[i].missing);
		assert_close(value.real, expected[i].real);
	}
}

static void values(void **state)
{
	static const struct expected expected[] = {
		{ "smi", 10 },
		{ "smi_cycles_percent", 2 },		/* 30 M of 1500 M */
		{ "smm_cycles", 30e6 },
		{ "smm_usec", 10000 },			/* 30 M at 3 GHz */
		{ "usec_per_smi", 1000 },
		{ "smm_wall_percent", 1 },		/* 10 ms of 1 s */
		{ "bzy_mhz", 3000 },			/* 2 GHz, 1500 M to 1000 M */
		{ "busy_percent", 50 },			/* 1000 M of 2000 M */
		{ "avg_mhz", 1500 },
		{ "ipc", 2 },				/* 3000 M to 1500 M */
		{ "floor_percent", .missing = SMIMON_MISSING_QUIET },
		{ "aperf", 1.5e9 },
		{ "mperf", 1e9 },
		{ "cycles", 1.47e9 },
		{ "irperf", 3e9 },
		{ "tsc", 2e9 },
	};
	struct smimon_delta d;
	size_t count;

	smimon_metrics(&count);
	assert_int_equal(count, ARRAY_SIZE(expected));
	assert_true(count <= PRINT_COLUMNS);
	smimon_delta_compute(&d, &pair_from, &pair_to, PAIR_BASE_KHZ);
	expect(&d, expected, ARRAY_SIZE(expected));
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_NOTHING);
}

static void no_smi(void **state)
{
	static const struct expected expected[] = {
		{ "smi", 0 },
		{ "smi_cycles_percent", 0 },
		{ "smm_cycles", 0 },
		{ "smm_usec", 0 },
		{ "usec_per_smi", .missing = SMIMON_MISSING_SMI },
		{ "smm_wall_percent", 0 },
		{ "floor_percent", 2 },
	};
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.smi_count = pair_from.smi_count;
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	expect(&d, expected, ARRAY_SIZE(expected));
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_NOTHING);
}

static void no_base_clock(void **state)
{
	static const struct expected expected[] = {
		{ "smi", 10 },
		{ "smi_cycles_percent", 2 },
		{ "smm_usec", .missing = SMIMON_MISSING_BASE },
		{ "usec_per_smi", .missing = SMIMON_MISSING_BASE },
		{ "smm_wall_percent", .missing = SMIMON_MISSING_BASE },
		{ "bzy_mhz", .missing = SMIMON_MISSING_BASE },
		{ "busy_percent", .missing = SMIMON_MISSING_BASE },
		{ "avg_mhz", 1500 },
	};
	struct smimon_delta d;

	smimon_delta_compute(&d, &pair_from, &pair_to, 0);
	expect(&d, expected, ARRAY_SIZE(expected));
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_BASE);
}

static void no_time(void **state)
{
	static const struct expected expected[] = {
		{ "smm_usec", 10000 },
		{ "smm_wall_percent", .missing = SMIMON_MISSING_TIME },
		{ "bzy_mhz", 3000 },
		{ "busy_percent", .missing = SMIMON_MISSING_TIME },
		{ "avg_mhz", .missing = SMIMON_MISSING_TIME },
	};
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.time_ns = pair_from.time_ns;
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	expect(&d, expected, ARRAY_SIZE(expected));
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_TIME);
}

static void idle(void **state)
{
	static const struct expected expected[] = {
		{ "smi", 0 },
		{ "smi_cycles_percent", .missing = SMIMON_MISSING_IDLE },
		{ "smm_cycles", 0 },
		{ "smm_usec", 0 },
		{ "smm_wall_percent", 0 },
		{ "bzy_mhz", .missing = SMIMON_MISSING_IDLE },
		{ "busy_percent", 0 },
		{ "avg_mhz", 0 },
		{ "ipc", .missing = SMIMON_MISSING_IDLE },
		{ "floor_percent", .missing = SMIMON_MISSING_QUIET },
	};
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.smi_count = pair_from.smi_count;
	to.aperf = pair_from.aperf;
	to.mperf = pair_from.mperf;
	to.cycles = pair_from.cycles;
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	expect(&d, expected, ARRAY_SIZE(expected));
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_IDLE);
}

/* Each reason that a user is told of, and what no user is to be bothered with. */
static void reasons(void **state)
{
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_IRPERF);
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	assert_int_equal(get("ipc", &d).missing, SMIMON_MISSING_IRPERF);
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_NOTHING);

	to.flags |= SMIMON_RECORD_TORN;
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	assert_int_equal(get("smi_cycles_percent", &d).missing, SMIMON_MISSING_TORN);
	assert_int_equal(get("usec_per_smi", &d).missing, SMIMON_MISSING_TORN);
	assert_int_equal(get("bzy_mhz", &d).missing, SMIMON_MISSING_NOTHING);
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_TORN);

	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_MPERF);
	smimon_delta_compute(&d, &pair_from, &to, PAIR_BASE_KHZ);
	assert_int_equal(get("smi_cycles_percent", &d).missing, SMIMON_MISSING_TORN);
	assert_int_equal(get("bzy_mhz", &d).missing, SMIMON_MISSING_MPERF);
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_MPERF);

	smimon_delta_none(&d, 0, SMIMON_MISSING_OFFLINE);
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_OFFLINE);
}

/* What never can be printed: a NaN, an infinity, a value besides a reason. */
static void no_value_is_strange(void **state)
{
	static const uint64_t deltas[] = { 0, 1, 1000000000 };
	struct smimon_record to = pair_to;
	const struct smimon_metric *metric;
	size_t count, i, n;

	metric = smimon_metrics(&count);
	for (n = 0; n < 3 * 3 * 3 * 3 * 3 * 3; n++) {
		struct smimon_delta d;

		to.aperf = pair_from.aperf + deltas[n % 3];
		to.mperf = pair_from.mperf + deltas[n / 3 % 3];
		to.cycles = pair_from.cycles + deltas[n / 9 % 3];
		to.smi_count = pair_from.smi_count + deltas[n / 27 % 3];
		to.time_ns = pair_from.time_ns + deltas[n / 81 % 3];
		smimon_delta_compute(&d, &pair_from, &to, deltas[n / 243 % 3]);
		for (i = 0; i < count; i++) {
			struct smimon_value value = metric[i].get(&d);

			assert_true(isfinite(value.real));
			assert_true(!value.missing || (value.real == 0 && value.count == 0));
			if (metric[i].type == SMIMON_METRIC_COUNT)
				assert_true(value.real == (double)value.count);
		}
	}
}

static void table_is_sound(void **state)
{
	const struct smimon_metric *metric;
	size_t count, i, j;
	const char *p;

	metric = smimon_metrics(&count);
	for (i = 0; i < count; i++) {
		for (p = metric[i].name; *p; p++)
			assert_true(islower(*p) || *p == '_');
		assert_true(*metric[i].title && *metric[i].help && metric[i].unit);
		for (j = 0; j < i; j++) {
			assert_string_not_equal(metric[i].name, metric[j].name);
			assert_string_not_equal(metric[i].title, metric[j].title);
		}
	}
}

static void texts_are_there(void **state)
{
	int i, j;

	assert_null(smimon_missing_text(SMIMON_MISSING_NOTHING));
	for (i = 1; i <= SMIMON_MISSING_QUIET; i++) {
		assert_non_null(smimon_missing_text(i));
		for (j = 1; j < i; j++)
			assert_string_not_equal(smimon_missing_text(i), smimon_missing_text(j));
	}
	assert_string_equal(smimon_missing_text(SMIMON_MISSING_OFFLINE), "cpu offline");
	assert_string_equal(smimon_missing_text(SMIMON_MISSING_QUIET),
			    "no interval without an SMI");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(no_smi),
		cmocka_unit_test(no_base_clock),
		cmocka_unit_test(no_time),
		cmocka_unit_test(idle),
		cmocka_unit_test(reasons),
		cmocka_unit_test(no_value_is_strange),
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test(texts_are_there),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
