// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs, taken and refused, and written. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "cpulist.h"

static void lists(void **state)
{
	static const struct {
		const char *list;
		int err;
		const char *shortest;
	} cases[] = {
		{ "0", 0, "0" },
		{ "7", 0, "7" },
		{ "0-3", 0, "0-3" },
		{ "0,1,2,3", 0, "0-3" },
		{ "3,1,2,0", 0, "0-3" },
		{ "1,3", 0, "1,3" },
		{ "5-5", 0, "5" },
		{ "0-3,7", 0, "0-3,7" },
		{ "0-3,2-5,4", 0, "0-5" },
		{ "62-65,127,128", 0, "62-65,127-128" },
		{ "0000001", 0, "1" },
		{ "8191", 0, "8191" },
		{ "0-8191", 0, "0-8191" },
		{ "8192", -ERANGE },
		{ "0-8192", -ERANGE },
		{ "99999999999999999999", -ERANGE },
		{ "4294967296", -ERANGE },
		{ "", -EINVAL },
		{ ",", -EINVAL },
		{ "0,", -EINVAL },
		{ ",0", -EINVAL },
		{ "0,,1", -EINVAL },
		{ "-", -EINVAL },
		{ "-1", -EINVAL },
		{ "1-", -EINVAL },
		{ "3-2", -EINVAL },
		{ "1-2-3", -EINVAL },
		{ "+1", -EINVAL },
		{ " 1", -EINVAL },
		{ "1 ", -EINVAL },
		{ "1, 2", -EINVAL },
		{ "0x1", -EINVAL },
		{ "1.5", -EINVAL },
		{ "all", -EINVAL },
		{ "0-3:1/2", -EINVAL },
		{ "0\n", -EINVAL },
	};
	struct cpuset set;
	char list[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_case(cases[i].list, cpuset_parse(&set, cases[i].list), cases[i].err);
		if (cases[i].err)
			continue;
		assert_case(cases[i].list, cpuset_format(&set, list, sizeof(list)),
			    strlen(cases[i].shortest));
		assert_string_equal(list, cases[i].shortest);
	}
}

static void room(void **state)
{
	struct cpuset set;
	char list[8] = "xxxxxxx";

	assert_int_equal(cpuset_parse(&set, "10,20,30"), 0);
	assert_int_equal(cpuset_format(&set, list, 0), 8);
	assert_string_equal(list, "xxxxxxx");
	assert_int_equal(cpuset_format(&set, list, 1), 8);
	assert_string_equal(list, "");
	assert_int_equal(cpuset_format(&set, list, 5), 8);
	assert_string_equal(list, "10,2");
	assert_int_equal(cpuset_format(&set, list, sizeof(list)), 8);
	assert_string_equal(list, "10,20,3");
}

static void steps(void **state)
{
	struct cpuset set = { 0 };

	assert_int_equal(cpuset_next(&set, 0), CPUSET_CPUS);
	cpuset_add(&set, 5);
	cpuset_add(&set, 63);
	cpuset_add(&set, 64);
	cpuset_add(&set, 8191);
	cpuset_add(&set, 8192);
	cpuset_add(&set, UINT32_MAX);
	assert_int_equal(cpuset_next(&set, 0), 5);
	assert_int_equal(cpuset_next(&set, 5), 5);
	assert_int_equal(cpuset_next(&set, 6), 63);
	assert_int_equal(cpuset_next(&set, 64), 64);
	assert_int_equal(cpuset_next(&set, 65), 8191);
	assert_int_equal(cpuset_next(&set, 8192), CPUSET_CPUS);
	cpuset_remove(&set, 64);
	cpuset_remove(&set, 9000);
	assert_int_equal(cpuset_next(&set, 64), 8191);
	assert_true(cpuset_has(&set, 5) && !cpuset_has(&set, 64) && !cpuset_has(&set, 8192));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(room),
		cmocka_unit_test(steps),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
