// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation of each request fails once: the request is refused, nothing of it stays, and the
 * next one is granted. For kernels with fault injection (CONFIG_FAILSLAB).
 */
#include "kselftest_harness.h"

#include <fcntl.h>

#include "machine.h"
#include "nl.h"

#define FAIL_NTH	"/proc/self/fail-nth"
#define FAILSLAB	"/sys/kernel/debug/failslab/ignore-gfp-wait"
#define FAIL_PAGES	"/sys/kernel/debug/fail_page_alloc/"

/* More than any request makes. */
#define ALLOCATIONS_MAX	1000

/**
 * struct step - a request
 * @cmd: its command
 * @attr: an attribute of it, 0 for none
 * @text: the attribute is this string, else a number
 * @number: likewise
 * @dump: it is a dump
 */
struct step {
	int cmd;
	unsigned int attr;
	const char *text;
	uint32_t number;
	bool dump;
};

static const struct step steps[] = {
	{ .cmd = SMIMON_CMD_INFO_GET },
	{ .cmd = SMIMON_CMD_INFO_GET, .dump = true },
	{ .cmd = SMIMON_CMD_SNAPSHOT_GET, .attr = SMIMON_A_SNAPSHOT_CPU, .number = 1 },
	{ .cmd = SMIMON_CMD_SNAPSHOT_GET, .dump = true },
	{ .cmd = SMIMON_CMD_SNAPSHOT_GET, .attr = SMIMON_A_SNAPSHOT_CPU_LIST, .text = "0-1", .dump = true },
	{ .cmd = SMIMON_CMD_FREEZE_GET },
	{ .cmd = SMIMON_CMD_FREEZE_SET, .attr = SMIMON_A_FREEZE_POLICY, .number = SMIMON_FREEZE_POLICY_ON },
	{ .cmd = SMIMON_CMD_FREEZE_SET, .attr = SMIMON_A_FREEZE_POLICY, .number = SMIMON_FREEZE_POLICY_AUTO },
	{ .cmd = SMIMON_CMD_FREEZE_HOLD },
	{ .cmd = SMIMON_CMD_COUNT_HOLD },
	{ .cmd = SMIMON_CMD_COUNT_HOLD, .attr = SMIMON_A_SNAPSHOT_CPU_LIST, .text = "1" },
};

static int request(struct nl *nl, const struct step *step)
{
	unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1];
	static struct smimon_record records[NL_CPUS];
	struct nl_attrs attrs = {};
	int err;

	if (step->attr && step->text)
		nl_put_string(&attrs, step->attr, step->text);
	else if (step->attr)
		nl_put_u32(&attrs, step->attr, step->number);
	if (!step->dump)
		return nl_do(nl, step->cmd, &attrs);
	if (step->cmd == SMIMON_CMD_SNAPSHOT_GET)
		return nl_dump(nl, &attrs, records);
	err = nl_caps(nl, reasons);
	return err < 0 ? err : 0;
}

/* Return: whether there was an n-th allocation to fail. */
static bool with_failure(struct nl *nl, const struct step *step, int fd, unsigned int n, int *err)
{
	char left[16] = "";

	dprintf(fd, "%u", n);
	*err = request(nl, step);
	pread(fd, left, sizeof(left) - 1, 0);
	dprintf(fd, "0");
	return !strtoul(left, NULL, 10);
}

FIXTURE(failnth) {
	struct nl control;
	int fd;
};

FIXTURE_SETUP(failnth)
{
	machine_perf_freeze(false);
	ASSERT_EQ(0, nl_open(&self->control));
	ASSERT_EQ(0, machine_write(FAILSLAB, "N"));
	ASSERT_EQ(0, machine_write(FAIL_PAGES "ignore-gfp-wait", "N"));
	ASSERT_EQ(0, machine_write(FAIL_PAGES "min-order", "0"));
	self->fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(failnth)
{
	close(self->fd);
	nl_close(&self->control);
	machine_perf_freeze(true);
}

static void expect_nothing_held(struct __test_metadata *_metadata, struct nl *control)
{
	EXPECT_TRUE(nl_becomes(control, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
	EXPECT_EQ(0, nl_ask(control, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(SMIMON_FREEZE_POLICY_AUTO,
		  nl_ask(control, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_POLICY));
	EXPECT_TRUE(machine_freeze_bits_are(false));
}

/* An answer that could not be allocated is told of as ENOBUFS. */
TEST_F_TIMEOUT(failnth, each_allocation_of_each_request, 600)
{
	unsigned int i, n;
	struct nl nl;
	int err;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		for (n = 1; n <= ALLOCATIONS_MAX; n++) {
			ASSERT_EQ(0, nl_open(&nl));
			if (!with_failure(&nl, &steps[i], self->fd, n, &err))
				break;
			EXPECT_TRUE(err == -ENOMEM || err == -ENOBUFS || !err) {
				TH_LOG("request %u, allocation %u: %d", i, n, err);
			}
			if (err == -ENOMEM && steps[i].cmd == SMIMON_CMD_FREEZE_HOLD) {
				EXPECT_EQ(0, nl_ask(&self->control, SMIMON_CMD_FREEZE_GET,
						    SMIMON_A_FREEZE_HOLDS));
			}
			nl_close(&nl);
		}
		EXPECT_EQ(0, err);
		nl_close(&nl);
		TH_LOG("request %u: %u allocations", i, n - 1);
		EXPECT_LT(1, n);
		EXPECT_GT(ALLOCATIONS_MAX, n);
		ASSERT_EQ(0, nl_set_policy(&self->control, SMIMON_FREEZE_POLICY_AUTO));
		expect_nothing_held(_metadata, &self->control);
	}
}

TEST_HARNESS_MAIN
