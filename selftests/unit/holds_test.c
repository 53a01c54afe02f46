// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who holds the freeze and what follows: the part of the module that needs no kernel.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "holds.h"

static struct smimon_holds holds;

static int empty(void **state)
{
	(void)state;
	holds = (struct smimon_holds){ .policy = SMIMON_FREEZE_POLICY_AUTO };
	return 0;
}

static void auto_wants_while_held(void **state)
{
	(void)state;
	assert_int_equal(smimon_holds_want(&holds), 0);
	assert_int_equal(smimon_holds_add(&holds, 7), 0);
	assert_int_equal(smimon_holds_want(&holds), 1);
	assert_int_equal(smimon_holds_add(&holds, 8), 0);
	assert_int_equal(smimon_holds_remove(&holds, 7), 0);
	assert_int_equal(smimon_holds_want(&holds), 1);
	assert_int_equal(smimon_holds_remove(&holds, 8), 0);
	assert_int_equal(smimon_holds_want(&holds), 0);
}

static void each_holds_once(void **state)
{
	(void)state;
	assert_int_equal(smimon_holds_add(&holds, 7), 0);
	assert_int_equal(smimon_holds_add(&holds, 7), -EALREADY);
	assert_int_equal(holds.count, 1);
	assert_int_equal(smimon_holds_has(&holds, 7), 1);
	assert_int_equal(smimon_holds_has(&holds, 8), 0);
	assert_int_equal(smimon_holds_remove(&holds, 8), -ENOENT);
	assert_int_equal(smimon_holds_remove(&holds, 7), 0);
	assert_int_equal(smimon_holds_remove(&holds, 7), -ENOENT);
	assert_int_equal(smimon_holds_has(&holds, 7), 0);
}

static void policies(void **state)
{
	(void)state;
	assert_int_equal(smimon_holds_set_policy(&holds, SMIMON_FREEZE_POLICY_ON), 0);
	assert_int_equal(smimon_holds_want(&holds), 1);
	assert_int_equal(smimon_holds_set_policy(&holds, SMIMON_FREEZE_POLICY_OFF), 0);
	assert_int_equal(smimon_holds_want(&holds), 0);
	assert_int_equal(smimon_holds_add(&holds, 7), -EPERM);
	assert_int_equal(holds.count, 0);
	assert_int_equal(smimon_holds_set_policy(&holds, SMIMON_FREEZE_POLICY_AUTO), 0);
	assert_int_equal(smimon_holds_add(&holds, 7), 0);
	assert_int_equal(smimon_holds_set_policy(&holds, SMIMON_FREEZE_POLICY_OFF), -EBUSY);
	assert_int_equal(holds.policy, SMIMON_FREEZE_POLICY_AUTO);
	assert_int_equal(smimon_holds_set_policy(&holds, SMIMON_FREEZE_POLICY_ON), 0);
	assert_int_equal(smimon_holds_remove(&holds, 7), 0);
	assert_int_equal(smimon_holds_want(&holds), 1);
}

static void bounded(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 1; i <= SMIMON_HOLDS_MAX; i++)
		assert_int_equal(smimon_holds_add(&holds, i), 0);
	assert_int_equal(smimon_holds_add(&holds, i), -ENOSPC);
	assert_int_equal(smimon_holds_remove(&holds, 1), 0);
	assert_int_equal(smimon_holds_add(&holds, i), 0);
	for (i = 2; i <= SMIMON_HOLDS_MAX + 1; i++)
		assert_int_equal(smimon_holds_remove(&holds, i), 0);
	assert_int_equal(holds.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(auto_wants_while_held, empty),
		cmocka_unit_test_setup(each_holds_once, empty),
		cmocka_unit_test_setup(policies, empty),
		cmocka_unit_test_setup(bounded, empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
