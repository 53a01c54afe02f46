// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that is locked down lets nobody write MSRs, smimon as little as /dev/cpu/N/msr. What
 * needs no writing goes on. It cannot be undone, so this is the last test of its machine.
 */
#include "kselftest_harness.h"

#include <sys/mount.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define SECURITYFS	"/sys/kernel/security"

static int lock_down(void)
{
	if (mount("securityfs", SECURITYFS, "securityfs", 0, NULL) && errno != EBUSY)
		return -errno;
	return machine_write(SECURITYFS "/lockdown", "confidentiality");
}

TEST(locked_down)
{
	static struct machine_output run;
	static struct json_lines lines;
	struct smimon_record rec;
	struct nl nl;

	ASSERT_TRUE(machine_freeze_bit(0));
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, lock_down());
	EXPECT_EQ(-EPERM, nl_do(&nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ("the kernel is locked down: it lets no MSR be written", nl.extack);
	EXPECT_EQ(-EPERM, nl_set_policy(&nl, SMIMON_FREEZE_POLICY_ON));
	EXPECT_STREQ("the kernel is locked down: it lets no MSR be written", nl.extack);
	EXPECT_EQ(0, nl_count(&nl));
	ASSERT_EQ(0, nl_snapshot(&nl, 0, &rec));
	EXPECT_TRUE(rec.valid & 1u << SMIMON_COUNTER_CYCLES);
	EXPECT_TRUE(rec.flags & SMIMON_RECORD_FREEZE_ON);
	nl_close(&nl);

	/* perf's bit is set, so the cost is known without a hold. */
	machine_run("smimon stat -j -- true", &run);
	EXPECT_EQ(0, run.status);
	EXPECT_NE(NULL, strstr(run.err, "locked down"));
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_EQ(0, json_number(json_lines_cpu(&lines, JSON_TOTAL, 0), "smm_cycles"));
	json_lines_free(&lines);
}

TEST_HARNESS_MAIN
