// SPDX-License-Identifier: GPL-2.0-only
/* Mean and deviation of several runs. */
#include "unit.h"

#include "repeat.h"

static void add(struct repeat *repeat, double real)
{
	struct smimon_value value = { .real = real };

	repeat_add(repeat, &value);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squared distances 32, hence sqrt(32 / 7 / 8) of the mean. */
static void eight_runs(void **state)
{
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct repeat repeat = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		add(&repeat, values[i]);
	assert_int_equal(repeat.runs, 8);
	assert_close(repeat_mean(&repeat).real, 5);
	assert_close(repeat_deviation(&repeat), sqrt(4.0 / 7));
}

static void few_runs(void **state)
{
	struct repeat repeat = { 0 };

	assert_close(repeat_deviation(&repeat), 0);
	add(&repeat, 3);
	assert_close(repeat_mean(&repeat).real, 3);
	assert_close(repeat_deviation(&repeat), 0);
	add(&repeat, 5);
	assert_close(repeat_mean(&repeat).real, 4);
	assert_close(repeat_deviation(&repeat), 1);
}

/* A small spread around a large mean is not lost. */
static void large_values(void **state)
{
	struct repeat repeat = { 0 };

	add(&repeat, 1e15);
	add(&repeat, 1e15 + 2);
	assert_close(repeat_mean(&repeat).real, 1e15 + 1);
	assert_close(repeat_deviation(&repeat), 1);
}

static void one_run_has_no_value(void **state)
{
	struct smimon_value torn = { .missing = SMIMON_MISSING_TORN };
	struct smimon_value epoch = { .missing = SMIMON_MISSING_EPOCH };
	struct repeat repeat = { 0 };

	add(&repeat, 3);
	repeat_add(&repeat, &torn);
	repeat_add(&repeat, &epoch);
	repeat_add(&repeat, &torn);
	add(&repeat, 3);
	assert_int_equal(repeat_mean(&repeat).missing, SMIMON_MISSING_EPOCH);
	assert_true(repeat_mean(&repeat).real == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_runs),
		cmocka_unit_test(few_runs),
		cmocka_unit_test(large_values),
		cmocka_unit_test(one_run_has_no_value),
	};

	return cmocka_run_group_tests_name("repeat", tests, NULL, NULL);
}
