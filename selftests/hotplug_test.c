// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go while all that the module does goes on.
 */
#include "kselftest_harness.h"

#include "load.h"
#include "machine.h"
#include "nl.h"

#define ROUNDS		20

#define STATES		"/sys/devices/system/cpu/hotplug/states"
#define OUR_STATE	"x86/smimon:online"

FIXTURE(hotplug) {
};

FIXTURE_SETUP(hotplug)
{
}

FIXTURE_TEARDOWN(hotplug)
{
}

TEST_F_TIMEOUT(hotplug, loop_under_load, 300)
{
	unsigned int last = machine_cpus() - 1, i;
	pid_t pids[LOADS];
	struct nl nl;

	machine_perf_freeze(false);
	loads_start(pids);
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, machine_set_online(last, false));
		ASSERT_EQ(0, machine_set_online(last, true));
	}
	EXPECT_TRUE(loads_stop(pids));
	ASSERT_EQ(0, nl_open(&nl));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_TRUE(machine_freeze_bits_are(false));
	nl_close(&nl);
	machine_perf_freeze(true);
}

/* The number of the module's state, which the kernel gave it. */
static int our_state(void)
{
	FILE *file = fopen(STATES, "r");
	char line[256];
	int state = -1;

	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, OUR_STATE))
			state = atoi(line);
	if (file)
		fclose(file);
	return state;
}

static int fail_next(unsigned int cpu, int state)
{
	char path[80], text[16];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/hotplug/fail", cpu);
	snprintf(text, sizeof(text), "%d", state);
	return machine_write(path, text);
}

/* The kernel lets the module's callback fail, each way, and rolls back. */
TEST_F(hotplug, callback_fails)
{
	unsigned int last = machine_cpus() - 1;
	struct smimon_record before, after;
	int state = our_state();
	struct nl nl;

	ASSERT_LT(0, state);
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_count(&nl));
	ASSERT_EQ(0, nl_do(&nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_snapshot(&nl, last, &before));

	ASSERT_EQ(0, fail_next(last, state));
	EXPECT_NE(0, machine_set_online(last, false));
	ASSERT_EQ(0, nl_snapshot(&nl, last, &after));
	EXPECT_EQ(before.valid, after.valid);
	EXPECT_TRUE(after.flags & SMIMON_RECORD_FREEZE_ON);

	ASSERT_EQ(0, machine_set_online(last, false));
	ASSERT_EQ(0, fail_next(last, state));
	EXPECT_NE(0, machine_set_online(last, true));
	EXPECT_EQ(-ENODEV, nl_snapshot(&nl, last, &after));
	ASSERT_EQ(0, machine_set_online(last, true));
	ASSERT_EQ(0, nl_snapshot(&nl, last, &after));
	EXPECT_EQ(before.valid, after.valid);
	EXPECT_LT(before.epoch, after.epoch);
	EXPECT_TRUE(machine_freeze_bit(last));
	nl_close(&nl);
}

TEST_HARNESS_MAIN
