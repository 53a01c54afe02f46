// SPDX-License-Identifier: GPL-2.0-only
/*
 * An isolated CPU is not interrupted unless it is asked for. CPU 1 is, by the kernel's command
 * line; what interrupts it is counted in /proc/interrupts as function calls (CAL).
 */
#include "kselftest_harness.h"

#include <limits.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define ISOLATED	1
#define TRIES		20

/* Function call interrupts that a CPU has taken. */
static long calls(unsigned int cpu)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[4096], *at;
	long count = -1;

	while (file && fgets(line, sizeof(line), file)) {
		at = strstr(line, "CAL:");
		if (!at)
			continue;
		at += 4;
		do {
			count = strtol(at, &at, 10);
		} while (cpu--);
		break;
	}
	if (file)
		fclose(file);
	return count;
}

FIXTURE(isolated) {
	struct nl nl;
	struct smimon_record records[NL_CPUS];
};

FIXTURE_SETUP(isolated)
{
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_LE(0, calls(ISOLATED));
}

FIXTURE_TEARDOWN(isolated)
{
	nl_close(&self->nl);
}

/*
 * How many calls of the isolated CPU a request makes. The kernel has a few of its own at any time,
 * not each time: the least of some tries is the request's.
 */
static long least_calls(struct nl *nl, int (*request)(struct nl *nl))
{
	long before, least = LONG_MAX;
	int i;

	for (i = 0; i < TRIES; i++) {
		before = calls(ISOLATED);
		if (request(nl))
			return -1;
		if (calls(ISOLATED) - before < least)
			least = calls(ISOLATED) - before;
	}
	return least;
}

static int dump_all(struct nl *nl)
{
	static struct smimon_record records[NL_CPUS];

	return nl_dump(nl, NULL, records) || records[ISOLATED].size || !records[0].size ||
	       !records[2].size;
}

static int hold_and_release(struct nl *nl)
{
	return nl_do(nl, SMIMON_CMD_FREEZE_HOLD, NULL) ||
	       nl_do(nl, SMIMON_CMD_FREEZE_RELEASE, NULL);
}

/* All that a measurement does, and its end, which is to be over before the next is counted. */
static int measure(struct nl *nl)
{
	static struct smimon_record records[NL_CPUS];
	struct nl mine;
	int err, i;

	if (nl_open(&mine))
		return -1;
	err = nl_do(&mine, SMIMON_CMD_COUNT_HOLD, NULL) ||
	      nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL) || nl_dump(&mine, NULL, records) ||
	      nl_dump(&mine, NULL, records) || records[ISOLATED].size ||
	      !(records[0].valid & 1u << SMIMON_COUNTER_CYCLES);
	nl_close(&mine);
	for (i = 0; i < 1000 && !err; i++) {
		err = nl_snapshot(nl, 0, &records[0]);
		if (!(records[0].valid & 1u << SMIMON_COUNTER_CYCLES))
			return err;
		usleep(1000);
	}
	return -1;
}

TEST_F(isolated, measuring_others_leaves_it_alone)
{
	EXPECT_EQ(0, least_calls(&self->nl, measure));
}

/* Without the NMI watchdog no event but ours keeps the PMU reserved. */
TEST_F(isolated, measuring_others_leaves_it_alone_without_watchdog)
{
	static struct machine_output run;

	machine_run("echo 0 >/proc/sys/kernel/nmi_watchdog", &run);
	ASSERT_EQ(0, run.status);
	EXPECT_EQ(0, least_calls(&self->nl, measure));
}

TEST_F(isolated, counted_if_asked_for)
{
	struct nl_attrs attrs = {};
	struct smimon_record rec;

	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_COUNT_HOLD, NULL));
	ASSERT_EQ(0, nl_snapshot(&self->nl, ISOLATED, &rec));
	EXPECT_FALSE(rec.valid & 1u << SMIMON_COUNTER_CYCLES);
	nl_put(&attrs, SMIMON_A_SNAPSHOT_ISOLATED, NULL, 0);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_COUNT_HOLD, &attrs));
	ASSERT_EQ(0, nl_snapshot(&self->nl, ISOLATED, &rec));
	EXPECT_TRUE(rec.valid & 1u << SMIMON_COUNTER_CYCLES);
}

TEST_F(isolated, dump_leaves_it_alone)
{
	EXPECT_EQ(0, least_calls(&self->nl, dump_all));
}

/* An idle CPU that polls is called without an interrupt, so there may be none to count here. */
TEST_F(isolated, asked_for_by_name)
{
	struct nl_attrs attrs = {};

	nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, "1");
	ASSERT_EQ(0, nl_dump(&self->nl, &attrs, self->records));
	EXPECT_EQ(0, self->records[0].size);
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->records[ISOLATED].size);
	EXPECT_TRUE(self->records[ISOLATED].flags & SMIMON_RECORD_ISOLATED);
}

TEST_F(isolated, asked_for_by_kind)
{
	struct nl_attrs attrs = {};

	nl_put(&attrs, SMIMON_A_SNAPSHOT_ISOLATED, NULL, 0);
	ASSERT_EQ(0, nl_dump(&self->nl, &attrs, self->records));
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->records[ISOLATED].size);
	EXPECT_FALSE(self->records[0].flags & SMIMON_RECORD_ISOLATED);
}

TEST_F(isolated, hold_leaves_it_alone_if_its_bit_is_set)
{
	ASSERT_TRUE(machine_freeze_bit(ISOLATED));
	EXPECT_EQ(0, least_calls(&self->nl, hold_and_release));
}

TEST_F(isolated, stat_leaves_it_out)
{
	static struct machine_output run;
	static struct json_lines lines;

	machine_run("smimon stat -j -A -I 10 --interval-count 3", &run);
	ASSERT_EQ(0, run.status);
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_EQ(NULL, json_lines_cpu(&lines, ISOLATED, 0));
	EXPECT_NE(NULL, json_lines_cpu(&lines, 0, 0));
	json_lines_free(&lines);
}

TEST_HARNESS_MAIN
