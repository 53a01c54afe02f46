// SPDX-License-Identifier: GPL-2.0-only
/*
 * The freeze bit is as it was found, on every CPU, whichever way a hold ends.
 */
#include "kselftest_harness.h"

#include <signal.h>

#include "machine.h"
#include "nl.h"

#define DEADLINE_S	60

/* A killed process's sockets are closed a little after it is gone. */
static bool all_become(bool on)
{
	int i;

	for (i = 0; i < DEADLINE_S * 100; i++) {
		if (machine_freeze_bits_are(on))
			return true;
		usleep(10000);
	}
	return false;
}

static int64_t state(struct nl *nl, unsigned int attr)
{
	return nl_ask(nl, SMIMON_CMD_FREEZE_GET, attr);
}

FIXTURE(freeze) {
	struct nl nl, other;
};

FIXTURE_SETUP(freeze)
{
	machine_perf_freeze(false);
	ASSERT_TRUE(machine_freeze_bits_are(false));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->other));
}

FIXTURE_TEARDOWN(freeze)
{
	if (self->nl.fd >= 0)
		nl_close(&self->nl);
	if (self->other.fd >= 0)
		nl_close(&self->other);
}

TEST_F(freeze, hold_sets_and_release_restores)
{
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(1, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(1, state(&self->nl, SMIMON_A_FREEZE_ACTIVE));
	EXPECT_EQ(machine_cpus(), state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(false));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_ACTIVE));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_CHANGED));
}

TEST_F(freeze, bit_that_was_set_stays)
{
	machine_perf_freeze(true);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
}

TEST_F(freeze, each_cpu_as_found)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu += 2)
		machine_set_freeze_bit(cpu, true);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(machine_cpus() / 2, state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		EXPECT_EQ(cpu % 2 == 0, machine_freeze_bit(cpu));
	}
}

TEST_F(freeze, other_bits_are_kept)
{
	const uint64_t btf = 2;

	machine_wrmsr(0, DEBUGCTL, btf);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_EQ(btf | DEBUGCTL_FREEZE, machine_rdmsr(0, DEBUGCTL));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_EQ(btf, machine_rdmsr(0, DEBUGCTL));
	machine_wrmsr(0, DEBUGCTL, 0);
}

TEST_F(freeze, closed_socket_releases)
{
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	nl_close(&self->nl);
	EXPECT_TRUE(all_become(false));
}

TEST_F(freeze, killed_holder_releases)
{
	int status, ready[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct nl mine;

		if (nl_open(&mine) || nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL) ||
		    write(ready[1], "1", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(all_become(false));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
}

TEST_F(freeze, first_to_leave_does_not_end_the_others_hold)
{
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_do(&self->other, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_EQ(2, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	nl_close(&self->nl);
	EXPECT_TRUE(nl_becomes(&self->other, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 1));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, nl_do(&self->other, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

TEST_F(freeze, unload_under_a_hold_restores)
{
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, machine_unload());
	EXPECT_TRUE(machine_freeze_bits_are(false));
	ASSERT_EQ(0, machine_load());
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

TEST_F(freeze, unload_under_the_policy_on_restores)
{
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_ON));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, machine_unload());
	EXPECT_TRUE(machine_freeze_bits_are(false));
	ASSERT_EQ(0, machine_load());
}

/* perf sets the bit of a CPU that comes online as its attribute says, here to 0. */
TEST_F(freeze, hotplug_during_a_hold)
{
	unsigned int last = machine_cpus() - 1;

	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, machine_set_online(last, false));
	EXPECT_EQ(last, state(&self->nl, SMIMON_A_FREEZE_SUPPORTED));
	ASSERT_EQ(0, machine_set_online(last, true));
	EXPECT_EQ(last + 1, state(&self->nl, SMIMON_A_FREEZE_SUPPORTED));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

TEST_F(freeze, release_while_a_cpu_is_offline)
{
	unsigned int last = machine_cpus() - 1;

	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, machine_set_online(last, false));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	ASSERT_EQ(0, machine_set_online(last, true));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

TEST_F(freeze, lost_freeze_is_told_and_not_fought)
{
	struct smimon_record before, after;

	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &before));
	EXPECT_EQ(SMIMON_RECORD_FREEZE_ON,
		  before.flags & (SMIMON_RECORD_FREEZE_ON | SMIMON_RECORD_FREEZE_LOST));
	machine_perf_freeze(false);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &after));
	EXPECT_EQ(SMIMON_RECORD_FREEZE_LOST,
		  after.flags & (SMIMON_RECORD_FREEZE_ON | SMIMON_RECORD_FREEZE_LOST));
	EXPECT_LT(before.freeze_epoch, after.freeze_epoch);
	EXPECT_EQ(before.epoch, after.epoch);
	EXPECT_TRUE(machine_freeze_bits_are(false));
	/* Another holder's leaving is no reason to set it again either. */
	ASSERT_EQ(0, nl_do(&self->other, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	machine_perf_freeze(false);
	ASSERT_EQ(0, nl_do(&self->other, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* Between two holds nothing was frozen, though both snapshots find the bit set. */
TEST_F(freeze, gap_between_holds_is_another_freeze_epoch)
{
	struct smimon_record first, second, third;

	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &first));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &second));
	EXPECT_EQ(first.freeze_epoch, second.freeze_epoch);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &third));
	EXPECT_LT(second.freeze_epoch, third.freeze_epoch);
	EXPECT_EQ(second.epoch, third.epoch);
}

TEST_F(freeze, policy_on_needs_no_holder)
{
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_ON));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_AUTO));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

TEST_F(freeze, policy_off_and_holds_exclude_each_other)
{
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_OFF));
	EXPECT_EQ(-EPERM, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ("the freeze policy is \"off\"", self->nl.extack);
	EXPECT_TRUE(machine_freeze_bits_are(false));
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_AUTO));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_EQ(-EBUSY, nl_set_policy(&self->other, SMIMON_FREEZE_POLICY_OFF));
	EXPECT_STREQ("somebody holds the freeze", self->other.extack);
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(SMIMON_FREEZE_POLICY_AUTO, state(&self->nl, SMIMON_A_FREEZE_POLICY));
}

TEST_F(freeze, holding_twice_and_releasing_without_a_hold)
{
	EXPECT_EQ(-ENOENT, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_STREQ("this socket does not hold the freeze", self->nl.extack);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_EQ(-EALREADY, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ("this socket holds the freeze already", self->nl.extack);
	EXPECT_EQ(-ENOENT, nl_do(&self->other, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(true));
}

TEST_HARNESS_MAIN
