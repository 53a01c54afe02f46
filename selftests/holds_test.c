// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds by many and by the ill-behaved: how they end, and what their end leaves.
 */
#include "kselftest_harness.h"

#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "machine.h"
#include "nl.h"

#define HOLDS_MAX	1024
#define STORM		200
#define ROUNDS		200
#define RACERS		4
#define DEADLINE_S	60
#define PORT		77777

static int64_t state(struct nl *nl, unsigned int attr)
{
	return nl_ask(nl, SMIMON_CMD_FREEZE_GET, attr);
}

static bool holds_become(struct nl *nl, unsigned int count)
{
	return nl_becomes(nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, count);
}

FIXTURE(holds) {
	struct nl nl;
};

FIXTURE_SETUP(holds)
{
	machine_perf_freeze(false);
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(holds)
{
	nl_close(&self->nl);
	machine_perf_freeze(true);
}

TEST_F_TIMEOUT(holds, as_many_as_there_may_be, 300)
{
	const struct rlimit files = { HOLDS_MAX + 64, HOLDS_MAX + 64 };
	static struct nl many[HOLDS_MAX];
	int i;

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	for (i = 0; i < HOLDS_MAX; i++) {
		ASSERT_EQ(0, nl_open(&many[i]));
		ASSERT_EQ(0, nl_do(&many[i], SMIMON_CMD_FREEZE_HOLD, NULL));
		ASSERT_EQ(0, nl_count(&many[i]));
	}
	EXPECT_EQ(HOLDS_MAX, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(-ENOSPC, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ("too many hold the freeze", self->nl.extack);
	EXPECT_EQ(-ENOSPC, nl_count(&self->nl));
	EXPECT_STREQ("too many sockets count", self->nl.extack);
	/* Who counts already is not one more. */
	EXPECT_EQ(0, nl_count(&many[0]));
	nl_close(&many[0]);
	EXPECT_TRUE(holds_become(&self->nl, HOLDS_MAX - 1));
	EXPECT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_EQ(0, nl_count(&self->nl));
	for (i = 1; i < HOLDS_MAX; i++)
		nl_close(&many[i]);
	EXPECT_TRUE(holds_become(&self->nl, 1));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	EXPECT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* A socket is closed when the last process that has it closes it. */
TEST_F(holds, child_keeps_the_socket)
{
	int status, wait_here[2];
	struct nl mine;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(wait_here));
	ASSERT_EQ(0, nl_open(&mine));
	ASSERT_EQ(0, nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(wait_here[1]);
		_exit(read(wait_here[0], &c, 1) ? 1 : 0);
	}
	nl_close(&mine);
	EXPECT_EQ(1, state(&self->nl, SMIMON_A_FREEZE_HOLDS));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	close(wait_here[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(holds_become(&self->nl, 0));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* The next owner of a port id is not taken for the one before. */
TEST_F(holds, port_ids_are_used_again)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_pid = PORT };
	struct nl mine = self->nl;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		const struct timeval limit = { .tv_sec = DEADLINE_S };

		mine.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
		ASSERT_LE(0, mine.fd);
		ASSERT_EQ(0, setsockopt(mine.fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
		ASSERT_EQ(0, bind(mine.fd, (struct sockaddr *)&addr, sizeof(addr)));
		ASSERT_EQ(0, nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL));
		ASSERT_EQ(-EALREADY, nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL));
		ASSERT_EQ(0, nl_count(&mine));
		ASSERT_EQ(0, close(mine.fd));
	}
	EXPECT_TRUE(holds_become(&self->nl, 0));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* Each is killed at another moment, which is its own doing. */
static _Noreturn void hold_until_killed(unsigned int i)
{
	struct nl nl;

	if (i % 4 == 0)
		kill(getpid(), SIGKILL);
	if (nl_open(&nl))
		_exit(1);
	if (i % 4 == 1)
		kill(getpid(), SIGKILL);
	if (nl_do(&nl, SMIMON_CMD_FREEZE_HOLD, NULL))
		_exit(2);
	if (i % 4 == 2)
		kill(getpid(), SIGKILL);
	nl_count(&nl);
	kill(getpid(), SIGKILL);
	_exit(3);
}

TEST_F_TIMEOUT(holds, storm_of_killed_holders, 300)
{
	pid_t pid[STORM];
	int status, i, on;

	for (on = 0; on < 2; on++) {
		machine_perf_freeze(on);
		for (i = 0; i < STORM; i++) {
			pid[i] = fork();
			ASSERT_LE(0, pid[i]);
			if (!pid[i])
				hold_until_killed(i);
		}
		for (i = 0; i < STORM; i++) {
			ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
			EXPECT_TRUE(WIFSIGNALED(status)) {
				TH_LOG("holder %d ended with %#x", i, status);
			}
		}
		EXPECT_TRUE(holds_become(&self->nl, 0));
		EXPECT_TRUE(machine_freeze_bits_are(on));
		EXPECT_EQ(0, state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	}
}

/* Return: 0 if each answer was one that can be. */
static int flip_policy(struct nl *nl, int i)
{
	int err = nl_set_policy(nl, i % 3);

	return err && !(err == -EBUSY && i % 3 == SMIMON_FREEZE_POLICY_OFF);
}

static int hold_and_release(struct nl *nl, int i)
{
	int err = nl_do(nl, SMIMON_CMD_FREEZE_HOLD, NULL);

	if (err)
		return err != -EPERM;
	/* There is no "off" while somebody holds. */
	return state(nl, SMIMON_A_FREEZE_POLICY) == SMIMON_FREEZE_POLICY_OFF ||
	       nl_do(nl, SMIMON_CMD_FREEZE_RELEASE, NULL);
}

static int look(struct nl *nl, int i)
{
	struct smimon_record rec;

	return nl_snapshot(nl, i % 2, &rec) || state(nl, SMIMON_A_FREEZE_HOLDS) > RACERS;
}

TEST_F_TIMEOUT(holds, policies_and_holds_race, 300)
{
	int (*const racers[RACERS])(struct nl *nl, int i) = {
		flip_policy, hold_and_release, hold_and_release, look,
	};
	int status, i, j, err = 0;
	pid_t pid[RACERS];
	struct nl nl;

	for (i = 0; i < RACERS; i++) {
		pid[i] = fork();
		ASSERT_LE(0, pid[i]);
		if (pid[i])
			continue;
		if (nl_open(&nl))
			_exit(1);
		for (j = 0; j < ROUNDS && !err; j++)
			err = racers[i](&nl, j);
		_exit(err ? 2 : 0);
	}
	for (i = 0; i < RACERS; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status) {
			TH_LOG("racer %d", i);
		}
	}
	EXPECT_TRUE(holds_become(&self->nl, 0));
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_ON));
	EXPECT_TRUE(machine_freeze_bits_are(true));
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_AUTO));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* Its root is nobody here. */
TEST_F(holds, root_of_a_user_namespace)
{
	struct nl nl;
	int cmd;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, unshare(CLONE_NEWUSER));
	for (cmd = 1; cmd <= SMIMON_CMD_MAX; cmd++) {
		EXPECT_EQ(-EPERM, nl_do(&nl, cmd, NULL)) {
			TH_LOG("command %d", cmd);
		}
	}
	nl_close(&nl);
	ASSERT_EQ(0, nl_open(&nl));
	for (cmd = 1; cmd <= SMIMON_CMD_MAX; cmd++) {
		EXPECT_EQ(-EPERM, nl_do(&nl, cmd, NULL)) {
			TH_LOG("command %d", cmd);
		}
	}
	nl_close(&nl);
}

TEST_HARNESS_MAIN
