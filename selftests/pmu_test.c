// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU's counters are taken for as long as somebody counts, shared with perf, and where there
 * is none to be had no cost is made up.
 */
#include "kselftest_harness.h"

#include <linux/perf_event.h>
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define CPU		1
#define SMIS		20
#define SMI_CYCLES	150000
#define CYCLES_OFF	50

/* More than a CPU has counters, less than that makes no difference. */
#define EVENTS_MAX	32
#define DEADLINE_S	60

#define CYCLES_VALID	(1u << SMIMON_COUNTER_CYCLES)
#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

static int open_cycles(unsigned int cpu, bool pinned)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.pinned = pinned,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* A pinned event that got no counter reads as the end of a file. */
static bool counts(int fd)
{
	uint64_t val;

	return read(fd, &val, sizeof(val)) == sizeof(val);
}

/* Pinned events until one finds no counter. Return: how many, -1 if that did not happen. */
static int fill_pmu(int fd[EVENTS_MAX])
{
	int n;

	for (n = 0; n < EVENTS_MAX; n++) {
		fd[n] = open_cycles(CPU, true);
		if (fd[n] < 0)
			return -1;
		if (!counts(fd[n]))
			return n + 1;
	}
	return -1;
}

static int64_t counting(struct nl *nl)
{
	return nl_ask(nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING);
}

/* Take snapshots until cycles are valid, or not. */
static bool cycles_become(struct nl *nl, bool valid, struct smimon_record *rec)
{
	int i;

	for (i = 0; i < DEADLINE_S * 100; i++) {
		if (nl_snapshot(nl, CPU, rec))
			return false;
		if (!!(rec->valid & CYCLES_VALID) == valid)
			return true;
		usleep(10000);
	}
	return false;
}

FIXTURE(pmu) {
	struct nl nl, other;
	struct machine_output run;
	struct json_lines lines;
};

FIXTURE_SETUP(pmu)
{
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->other));
	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
}

FIXTURE_TEARDOWN(pmu)
{
	json_lines_free(&self->lines);
	nl_close(&self->nl);
	if (self->other.fd >= 0)
		nl_close(&self->other);
}

TEST_F(pmu, counts_while_a_socket_asks)
{
	struct smimon_record rec, later;

	EXPECT_EQ(0, counting(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &rec));
	EXPECT_FALSE(rec.valid & CYCLES_VALID);
	EXPECT_FALSE(rec.flags & SMIMON_RECORD_CYCLES_LOST);
	EXPECT_EQ(0, rec.cycles);

	ASSERT_EQ(0, nl_count(&self->other));
	EXPECT_EQ(1, counting(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &rec));
	EXPECT_TRUE(rec.valid & CYCLES_VALID);
	/* Once more is the same; another socket's wish changes nothing for the first. */
	ASSERT_EQ(0, nl_count(&self->other));
	EXPECT_EQ(1, counting(&self->nl));
	ASSERT_EQ(0, nl_count(&self->nl));
	EXPECT_EQ(2, counting(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &later));
	EXPECT_EQ(rec.epoch, later.epoch);
	EXPECT_LT(rec.cycles, later.cycles);

	nl_close(&self->other);
	ASSERT_TRUE(cycles_become(&self->nl, true, &later));
	EXPECT_EQ(rec.epoch, later.epoch);
	EXPECT_EQ(1, counting(&self->nl));
}

/* A counter of before is another than one of after, whoever compares them. */
TEST_F(pmu, counted_anew_is_another_epoch)
{
	struct smimon_record first, none, second;

	ASSERT_EQ(0, nl_count(&self->other));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &first));
	nl_close(&self->other);
	ASSERT_TRUE(cycles_become(&self->nl, false, &none));
	EXPECT_FALSE(none.flags & SMIMON_RECORD_CYCLES_LOST);
	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &second));
	EXPECT_TRUE(second.valid & CYCLES_VALID);
	EXPECT_LT(first.epoch, second.epoch);
}

TEST_F(pmu, counts_on_the_cpus_asked_for)
{
	struct nl_attrs attrs = {};
	struct smimon_record rec;

	nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, "0");
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_COUNT_HOLD, &attrs));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_TRUE(rec.valid & CYCLES_VALID);
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &rec));
	EXPECT_FALSE(rec.valid & CYCLES_VALID);
}

TEST_F(pmu, bad_requests)
{
	struct nl_attrs one = {}, bad = {};

	nl_put_u32(&one, SMIMON_A_SNAPSHOT_CPU, 0);
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_COUNT_HOLD, &one));
	EXPECT_STREQ("attribute of the other kind of request", self->nl.extack);
	nl_put_string(&bad, SMIMON_A_SNAPSHOT_CPU_LIST, "1-0");
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_COUNT_HOLD, &bad));
	EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU_LIST, self->nl.bad_attr);
	EXPECT_EQ(0, counting(&self->nl));
}

/* Others have all counters: what cannot be had is lost, and is had again once they are done. */
TEST_F_TIMEOUT(pmu, full_then_free, 300)
{
	unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1];
	struct smimon_record lost, rec, next;
	int fd[EVENTS_MAX], n = fill_pmu(fd), i;

	ASSERT_LT(1, n);
	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &lost));
	EXPECT_TRUE(lost.flags & SMIMON_RECORD_CYCLES_LOST);
	EXPECT_FALSE(lost.valid & CYCLES_VALID);
	EXPECT_EQ(0, lost.cycles);
	ASSERT_LT(CPU, nl_caps(&self->nl, reasons));
	EXPECT_EQ(SMIMON_REASON_PMU_BUSY, reasons[CPU][SMIMON_COUNTER_CYCLES]);
	EXPECT_EQ(SMIMON_REASON_AVAILABLE, reasons[0][SMIMON_COUNTER_CYCLES]);

	machine_run("smimon stat -j -A -- /selftests/truth smi 20", &self->run);
	ASSERT_EQ(0, self->run.status);
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	EXPECT_EQ(SMIS, json_number(json_lines_cpu(&self->lines, CPU, 0), "smi"));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&self->lines, CPU, 0), "smm_cycles"));
	EXPECT_STREQ("cycles lost", json_text(json_lines_cpu(&self->lines, CPU, 0), "reason"));
	EXPECT_FALSE(json_is_null(json_lines_cpu(&self->lines, CPU, 0), "bzy_mhz"));
	EXPECT_LT(0, json_number(json_lines_cpu(&self->lines, 0, 0), "smm_cycles"));

	for (i = 0; i < n; i++)
		close(fd[i]);
	ASSERT_TRUE(cycles_become(&self->nl, true, &rec));
	EXPECT_FALSE(rec.flags & SMIMON_RECORD_CYCLES_LOST);
	EXPECT_LT(lost.epoch, rec.epoch);
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &next));
	EXPECT_EQ(rec.epoch, next.epoch);
	ASSERT_LT(CPU, nl_caps(&self->nl, reasons));
	EXPECT_EQ(SMIMON_REASON_AVAILABLE, reasons[CPU][SMIMON_COUNTER_CYCLES]);
}

/* The counter that was there first stays, whatever perf schedules beside it. */
TEST_F_TIMEOUT(pmu, perf_comes_and_goes, 300)
{
	struct smimon_record before, after;
	int fd[EVENTS_MAX], n, i, round;

	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &before));
	for (round = 0; round < 10; round++) {
		n = fill_pmu(fd);
		ASSERT_LT(0, n);
		ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &after));
		EXPECT_TRUE(after.valid & CYCLES_VALID);
		EXPECT_EQ(before.epoch, after.epoch);
		/* No more were counted than there were; none were for a while each time. */
		EXPECT_LE(after.cycles - before.cycles, after.aperf - before.aperf + CYCLES_OFF);
		EXPECT_LT(0, after.cycles - before.cycles);
		before = after;
		for (i = 0; i < n; i++)
			close(fd[i]);
	}
}

/* It takes a counter and gives it back, and is started and stopped on all CPUs at any time. */
TEST_F_TIMEOUT(pmu, watchdog_on_and_off, 300)
{
	struct smimon_record before, after;
	int round;

	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, machine_write(WATCHDOG, round % 2 ? "1" : "0"));
		ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &before));
		machine_smis(SMIS);
		ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &after));
		EXPECT_TRUE(after.valid & CYCLES_VALID);
		EXPECT_EQ(before.epoch, after.epoch);
		EXPECT_EQ(SMIS, after.smi_count - before.smi_count);
		EXPECT_LE(SMIS * SMI_CYCLES,
			  after.aperf - before.aperf - (after.cycles - before.cycles));
	}
}

/* The CPU that comes back is counted again without being asked for anew. */
TEST_F(pmu, cpu_comes_back)
{
	struct smimon_record rec;

	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, machine_set_online(CPU, false));
	ASSERT_EQ(0, machine_set_online(CPU, true));
	ASSERT_EQ(0, nl_snapshot(&self->nl, CPU, &rec));
	EXPECT_TRUE(rec.valid & CYCLES_VALID);
}

TEST_F(pmu, killed_while_counting)
{
	struct nl mine;
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (nl_open(&mine) || nl_count(&mine))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status));
	EXPECT_TRUE(nl_becomes(&self->nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
}

TEST_F(pmu, unloads_while_somebody_counts)
{
	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load());
}

TEST_HARNESS_MAIN
