// SPDX-License-Identifier: GPL-2.0-only
/* Each number of the interface has its words, and so have those of a later one. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "smimon.h"

static void each_has_a_name(void **state)
{
	uint32_t i, j;

	for (i = 0; i < SMIMON_COUNTERS; i++) {
		assert_non_null(smimon_counter_name(i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(smimon_counter_name(i), smimon_counter_name(j));
	}
	for (i = 0; i <= SMIMON_REASON_PARAVIRTUAL; i++) {
		assert_non_null(smimon_reason_text(i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(smimon_reason_text(i), smimon_reason_text(j));
	}
	for (i = 0; i <= SMIMON_BASE_SOURCE_PLATFORM_INFO; i++)
		assert_non_null(smimon_base_source_text(i));
}

static void later_ones(void **state)
{
	assert_null(smimon_counter_name(SMIMON_COUNTERS));
	assert_non_null(smimon_reason_text(SMIMON_REASON_PARAVIRTUAL + 1));
	assert_non_null(smimon_reason_text(SMIMON_REASON_UNTOLD));
	assert_string_not_equal(smimon_reason_text(SMIMON_REASON_PARAVIRTUAL + 1),
				smimon_reason_text(SMIMON_REASON_UNTOLD));
	assert_non_null(smimon_base_source_text(SMIMON_BASE_SOURCE_PLATFORM_INFO + 1));
	assert_string_equal(smimon_policy_name(SMIMON_FREEZE_POLICY_OFF + 1), "unknown");
}

static void policies(void **state)
{
	static const char *const bad[] = { "", "AUTO", "auto ", "of", "offf", "1", "unknown" };
	enum smimon_freeze_policy policy, parsed;
	size_t i;

	for (policy = SMIMON_FREEZE_POLICY_AUTO; policy <= SMIMON_FREEZE_POLICY_OFF; policy++) {
		assert_int_equal(smimon_policy_parse(smimon_policy_name(policy), &parsed), 0);
		assert_int_equal(parsed, policy);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(smimon_policy_parse(bad[i], &parsed), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_a_name),
		cmocka_unit_test(later_ones),
		cmocka_unit_test(policies),
	};

	return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
