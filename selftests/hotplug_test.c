// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go while all that the module does goes on.
 */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "machine.h"
#include "nl.h"

#define ROUNDS		20

#define STATES		"/sys/devices/system/cpu/hotplug/states"
#define OUR_STATE	"x86/smimon:online"

static struct smimon_record records[NL_CPUS];

/* Each child does one thing over and over until it is killed; a failure ends it by itself. */
static pid_t start(int (*once)(struct nl *nl))
{
	pid_t pid = fork();
	struct nl nl;

	if (pid)
		return pid;
	if (nl_open(&nl))
		_exit(1);
	while (!once(&nl))
		;
	_exit(1);
}

static int dump(struct nl *nl)
{
	return nl_dump(nl, NULL, records);
}

static int hold_and_release(struct nl *nl)
{
	return nl_do(nl, SMIMON_CMD_FREEZE_HOLD, NULL) ||
	       nl_do(nl, SMIMON_CMD_FREEZE_RELEASE, NULL);
}

static int ask_caps(struct nl *nl)
{
	unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1];

	return nl_caps(nl, reasons) <= 0;
}

/* Holds are ended by SIGKILL, at any time. */
static int hold_and_be_killed(struct nl *nl)
{
	pid_t pid = fork();
	struct nl mine;

	(void)nl;
	if (!pid) {
		if (!nl_open(&mine))
			nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL);
		kill(getpid(), SIGKILL);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

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
	int (*const loads[])(struct nl *nl) = {
		dump, hold_and_release, ask_caps, hold_and_be_killed,
	};
	unsigned int cpu, last = machine_cpus() - 1, i;
	pid_t pids[ARRAY_SIZE(loads)];
	struct nl nl;
	int status;

	machine_perf_freeze(false);
	/* What a load has forked is waited for here when the load is gone. */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		pids[i] = start(loads[i]);
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, machine_set_online(last, false));
		ASSERT_EQ(0, machine_set_online(last, true));
	}
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		EXPECT_EQ(0, kill(pids[i], SIGKILL));
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		/* Killed, not gone by itself. */
		EXPECT_TRUE(WIFSIGNALED(status)) {
			TH_LOG("load %u failed", i);
		}
	}
	while (wait(NULL) > 0)
		;
	ASSERT_EQ(ECHILD, errno);
	ASSERT_EQ(0, nl_open(&nl));
	while (nl_do(&nl, SMIMON_CMD_FREEZE_GET, NULL) == 0 &&
	       nl_reply_u32(&nl, SMIMON_A_FREEZE_HOLDS))
		usleep(1000);
	for (cpu = 0; cpu <= last; cpu++) {
		EXPECT_FALSE(machine_freeze_bit(cpu));
	}
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
	int fd, len, err = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/hotplug/fail", cpu);
	len = snprintf(text, sizeof(text), "%d", state);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
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
