// SPDX-License-Identifier: GPL-2.0-only
/* What the library asks for, and what it makes of sound answers. */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "connected.h"

/* What a request's header has, by the numbers of linux/netlink.h. */
#define REQUEST_ACK		(0x1 | 0x4)
#define REQUEST_ACK_DUMP	(0x1 | 0x4 | 0x300)

static size_t no_cpus(unsigned int n, struct smimon_record *record)
{
	return 0;
}

static void info(void **state)
{
	struct smimon_info info;

	assert_int_equal(smimon_get_info(connected, &info), 0);
	assert_string_equal(info.version, "1.2-fake");
	assert_int_equal(info.record_size, 104);
	assert_int_equal(info.tsc_khz, 2100000);
	assert_int_equal(info.base_khz, 2000000);
	assert_int_equal(info.base_source, SMIMON_BASE_SOURCE_TSC);
	assert_int_equal(fake_state.flags, REQUEST_ACK);
}

static void capabilities(void **state)
{
	struct smimon_caps *got;
	size_t count, i;

	assert_int_equal(smimon_get_caps(connected, &got, &count), 0);
	assert_int_equal(count, 2);
	for (i = 0; i < count; i++) {
		assert_int_equal(got[i].cpu, connected_caps[i].cpu);
		assert_int_equal(got[i].isolated, connected_caps[i].isolated);
		assert_memory_equal(got[i].reason, connected_caps[i].reason, sizeof(connected_caps[i].reason));
	}
	free(got);
}

static void snapshots(void **state)
{
	struct smimon_snapshot snapshot = { 0 };
	struct smimon_record *memory;
	size_t i, room;

	assert_int_equal(smimon_take_snapshot(connected, NULL, false, &snapshot), 0);
	assert_int_equal(fake_state.flags, REQUEST_ACK_DUMP);
	assert_string_equal(fake_state.cpu_list, "");
	assert_false(fake_state.isolated);
	assert_int_equal(snapshot.count, 21);
	for (i = 0; i < 21; i++) {
		assert_int_equal(snapshot.record[i].cpu, 2 * i);
		assert_true(snapshot.record[i].aperf == i);
	}

	/* The next one does not need more memory. */
	memory = snapshot.record;
	room = snapshot.room;
	assert_int_equal(smimon_take_snapshot(connected, NULL, true, &snapshot), 0);
	assert_true(fake_state.isolated);
	assert_ptr_equal(snapshot.record, memory);
	assert_int_equal(snapshot.room, room);
	assert_int_equal(snapshot.count, 21);
	assert_true(snapshot.record[20].aperf == 1020);

	assert_int_equal(smimon_take_snapshot(connected, "4-8", false, &snapshot), 0);
	assert_string_equal(fake_state.cpu_list, "4-8");
	assert_int_equal(snapshot.count, 3);
	assert_int_equal(snapshot.record[0].cpu, 4);
	assert_int_equal(snapshot.record[2].cpu, 8);
	smimon_snapshot_clear(&snapshot);
	assert_null(snapshot.record);
	assert_int_equal(snapshot.count + snapshot.room, 0);
}

static void find(void **state)
{
	struct smimon_snapshot snapshot = { 0 };
	uint32_t cpu;

	assert_null(smimon_snapshot_find(&snapshot, 0));
	assert_int_equal(smimon_take_snapshot(connected, NULL, false, &snapshot), 0);
	for (cpu = 0; cpu <= 42; cpu++) {
		const struct smimon_record *record = smimon_snapshot_find(&snapshot, cpu);

		if (cpu % 2 || cpu > 40)
			assert_null(record);
		else
			assert_int_equal(record->cpu, cpu);
	}
	smimon_snapshot_clear(&snapshot);
}

static void longest_list(void **state)
{
	struct smimon_snapshot snapshot = { 0 };
	char list[SMIMON_CPU_LIST_MAX + 2];

	memset(list, '0', sizeof(list));
	list[SMIMON_CPU_LIST_MAX] = '\0';
	assert_int_equal(smimon_take_snapshot(connected, list, true, &snapshot), 0);
	assert_string_equal(fake_state.cpu_list, list);
	list[SMIMON_CPU_LIST_MAX] = '0';
	list[SMIMON_CPU_LIST_MAX + 1] = '\0';
	assert_int_equal(smimon_take_snapshot(connected, list, true, &snapshot), -EINVAL);
	assert_non_null(strstr(smimon_error(connected), "4096"));
	assert_int_equal(fake_state.requests[SMIMON_CMD_SNAPSHOT_GET], 1);
	smimon_snapshot_clear(&snapshot);
}

static void counters(void **state)
{
	char list[SMIMON_CPU_LIST_MAX + 2];
	struct smimon_info info;

	assert_int_equal(smimon_get_info(connected, &info), 0);
	assert_int_equal(info.counting, 0);
	assert_int_equal(smimon_hold_counters(connected, "4-8", false), 0);
	assert_string_equal(fake_state.cpu_list, "4-8");
	assert_false(fake_state.isolated);
	assert_int_equal(fake_state.flags, REQUEST_ACK);
	assert_int_equal(smimon_hold_counters(connected, NULL, true), 0);
	assert_string_equal(fake_state.cpu_list, "");
	assert_true(fake_state.isolated);
	assert_int_equal(smimon_get_info(connected, &info), 0);
	assert_int_equal(info.counting, 1);

	memset(list, '0', sizeof(list));
	list[SMIMON_CPU_LIST_MAX + 1] = '\0';
	assert_int_equal(smimon_hold_counters(connected, list, false), -EINVAL);
	assert_int_equal(fake_state.requests[SMIMON_CMD_COUNT_HOLD], 2);
}

static void one_cpu(void **state)
{
	struct smimon_record record;

	assert_int_equal(smimon_take_record(connected, 6, &record), 0);
	assert_int_equal(record.cpu, 6);
	assert_true(record.aperf == 3);
	assert_int_equal(fake_state.flags, REQUEST_ACK);
}

static void empty_snapshot(void **state)
{
	struct smimon_snapshot snapshot = { 0 };

	fake_kernel.snapshot = no_cpus;
	assert_int_equal(smimon_take_snapshot(connected, NULL, false, &snapshot), 0);
	assert_int_equal(snapshot.count, 0);
}

static void freeze(void **state)
{
	struct smimon_freeze freeze;

	assert_int_equal(smimon_set_freeze(connected, SMIMON_FREEZE_POLICY_ON), 0);
	assert_int_equal(fake_state.policy, SMIMON_FREEZE_POLICY_ON);
	assert_int_equal(smimon_hold_freeze(connected), 0);
	assert_true(fake_state.held);
	assert_int_equal(smimon_get_freeze(connected, &freeze), 0);
	assert_int_equal(freeze.policy, SMIMON_FREEZE_POLICY_ON);
	assert_int_equal(freeze.holds, 4);
	assert_true(freeze.active);
	assert_int_equal(freeze.supported, 2);
	assert_int_equal(freeze.changed, 0);
	assert_int_equal(smimon_release_freeze(connected), 0);
	assert_false(fake_state.held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONNECTED_TEST(info),
		CONNECTED_TEST(capabilities),
		CONNECTED_TEST(snapshots),
		CONNECTED_TEST(find),
		CONNECTED_TEST(longest_list),
		CONNECTED_TEST(counters),
		CONNECTED_TEST(one_cpu),
		CONNECTED_TEST(empty_snapshot),
		CONNECTED_TEST(freeze),
	};

	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
