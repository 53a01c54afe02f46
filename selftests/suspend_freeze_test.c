// SPDX-License-Identifier: GPL-2.0-only
/*
 * S3 takes the boot CPU its freeze bit, its PMU and its counters; the others get theirs from the
 * kernel when it brings them up. A hold outlives that, and what SMIs cost is known after.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "load.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define SMIS		20
#define SMI_CYCLES	150000
/* What the method may be off by: it reads the two counters one after the other. */
#define CYCLES_OFF	50
#define ROUNDS		5
#define READ_ROUNDS	20

#define MPERF		0xe7
#define APERF		0xe8

#define FREEZE_FLAGS	(SMIMON_RECORD_FREEZE_ON | SMIMON_RECORD_FREEZE_LOST)

static int s3(void)
{
	return machine_sleep("mem", "none");
}

static int perf_says(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/cpu/freeze_on_smi", "r");
	int said = file ? fgetc(file) : EOF;

	if (file)
		fclose(file);
	return said;
}

static int64_t freeze_state(struct nl *nl, unsigned int attr)
{
	return nl_ask(nl, SMIMON_CMD_FREEZE_GET, attr);
}

FIXTURE(s3) {
	struct nl nl;
	struct smimon_record before[NL_CPUS], after[NL_CPUS];
	struct machine_output run;
	struct json_lines lines;
};

/* With a module that has seen no sleep yet. */
FIXTURE_SETUP(s3)
{
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load());
	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	machine_perf_freeze(true);
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(s3)
{
	json_lines_free(&self->lines);
	nl_close(&self->nl);
}

static void expect_bits(struct __test_metadata *_metadata, bool boot_cpu, bool others)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		EXPECT_EQ(cpu ? others : boot_cpu, machine_freeze_bit(cpu)) {
			TH_LOG("CPU %u", cpu);
		}
	}
}

/* What the machine and the kernel do, without which the rest would mean nothing. */
TEST_F_TIMEOUT(s3, boot_cpu_loses_the_bit, 120)
{
	expect_bits(_metadata, true, true);
	ASSERT_EQ(0, s3());
	expect_bits(_metadata, false, true);
	EXPECT_EQ('1', perf_says());
	EXPECT_EQ(0, freeze_state(&self->nl, SMIMON_A_FREEZE_CHANGED));
}

/* The firmware raises an SMI as it wakes, and takes the other CPUs along. */
TEST_F_TIMEOUT(s3, smi_count_restarts, 120)
{
	uint64_t smis[NL_CPUS];
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		machine_wrmsr(cpu, TRUTH_INJECT, SMI_CYCLES);
		smis[cpu] = machine_rdmsr(cpu, TRUTH_SMIS);
	}
	ASSERT_EQ(0, s3());
	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->after));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		EXPECT_EQ(1, self->after[cpu].smi_count);
		EXPECT_EQ(1, machine_rdmsr(cpu, TRUTH_SMIS) - smis[cpu]);
	}
}

static void expect_frozen_anew(struct __test_metadata *_metadata,
			       const struct smimon_record before[NL_CPUS],
			       const struct smimon_record after[NL_CPUS])
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		EXPECT_EQ(SMIMON_RECORD_FREEZE_ON, before[cpu].flags & FREEZE_FLAGS);
		EXPECT_EQ(SMIMON_RECORD_FREEZE_ON, after[cpu].flags & FREEZE_FLAGS);
		EXPECT_LT(before[cpu].epoch, after[cpu].epoch);
	}
	/* The others' bit may never have been seen clear. */
	EXPECT_LT(before[0].freeze_epoch, after[0].freeze_epoch);
}

static void hold_over_s3(struct __test_metadata *_metadata, struct nl *nl,
			 struct smimon_record before[NL_CPUS], struct smimon_record after[NL_CPUS])
{
	ASSERT_EQ(0, nl_do(nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, nl_dump(nl, NULL, before));
	ASSERT_EQ(0, s3());
	expect_bits(_metadata, true, true);
	ASSERT_EQ(0, nl_dump(nl, NULL, after));
	expect_frozen_anew(_metadata, before, after);
}

/* On release, each CPU's bit is what S3 and the kernel have left. */
TEST_F_TIMEOUT(s3, hold_is_renewed, 120)
{
	hold_over_s3(_metadata, &self->nl, self->before, self->after);
	EXPECT_EQ(1, freeze_state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	expect_bits(_metadata, false, true);
}

TEST_F_TIMEOUT(s3, hold_is_renewed_where_perf_freezes_nothing, 120)
{
	machine_perf_freeze(false);
	hold_over_s3(_metadata, &self->nl, self->before, self->after);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_RELEASE, NULL));
	expect_bits(_metadata, false, false);
}

TEST_F_TIMEOUT(s3, policy_on_is_renewed, 120)
{
	machine_perf_freeze(false);
	ASSERT_EQ(0, nl_set_policy(&self->nl, SMIMON_FREEZE_POLICY_ON));
	ASSERT_EQ(0, s3());
	expect_bits(_metadata, true, true);
	ASSERT_EQ(0, machine_unload());
	expect_bits(_metadata, false, false);
	ASSERT_EQ(0, machine_load());
}

/* What 20 SMIs cost each CPU, by a command that holds the freeze itself. */
static void expect_costs(struct __test_metadata *_metadata)
{
	static struct machine_output run;
	struct json_lines lines;
	struct json_object *line;
	double truth[NL_CPUS];
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++)
		truth[cpu] = machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	machine_run("smimon stat -j -A -- /selftests/truth smi 20", &run);
	ASSERT_EQ(0, run.status) {
		TH_LOG("%s", run.err);
	}
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		truth[cpu] = machine_rdmsr(cpu, TRUTH_SMM_CYCLES) - truth[cpu];
		ASSERT_LE(SMIS * SMI_CYCLES, truth[cpu]);
		line = json_lines_cpu(&lines, cpu, 0);
		ASSERT_NE(NULL, line);
		EXPECT_EQ(SMIS, json_number(line, "smi"));
		EXPECT_TRUE(fabs(json_number(line, "smm_cycles") - truth[cpu]) <= CYCLES_OFF) {
			TH_LOG("CPU %u: %.0f cycles in SMM, %+.0f", cpu, truth[cpu],
			       json_number(line, "smm_cycles") - truth[cpu]);
		}
		EXPECT_TRUE(json_is_null(line, "reason")) {
			TH_LOG("%s", json_text(line, "reason"));
		}
	}
	json_lines_free(&lines);
}

TEST_F_TIMEOUT(s3, costs_after_it, 120)
{
	ASSERT_EQ(0, s3());
	expect_costs(_metadata);
	expect_bits(_metadata, false, true);
}

TEST_F_TIMEOUT(s3, costs_after_it_under_a_hold, 120)
{
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	ASSERT_EQ(0, s3());
	expect_costs(_metadata);
	expect_bits(_metadata, true, true);
}

/* Who measures in intervals loses no more than those that the machine slept in. */
TEST_F_TIMEOUT(s3, intervals_around_it, 120)
{
	struct json_object *line;
	unsigned int cpu;
	int n, lost;

	machine_run("smimon stat -j -A -I 20 -- /selftests/suspend_test mem none", &self->run);
	ASSERT_EQ(0, self->run.status) {
		TH_LOG("%s", self->run.err);
	}
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		lost = 0;
		for (n = 0; (line = json_lines_cpu(&self->lines, cpu, n)); n++) {
			EXPECT_EQ(json_is_null(line, "reason"), !json_is_null(line, "smm_cycles"));
			if (json_is_null(line, "reason"))
				continue;
			EXPECT_STREQ("epoch changed", json_text(line, "reason"));
			lost++;
		}
		EXPECT_LE(1, lost);
	}
}

/*
 * One reading of the boot CPU after the other. Those of one epoch differ by what the CPU has
 * executed between, which is at least and at most what the truth before and after each leaves.
 */
static int read_boot_cpu(struct nl *nl)
{
	static struct smimon_record last;
	static uint64_t last_low, last_high;
	struct smimon_record rec;
	uint64_t low, high, aperf;

	low = machine_rdmsr(0, TRUTH_CYCLES);
	if (nl_snapshot(nl, 0, &rec))
		return 1;
	high = machine_rdmsr(0, TRUTH_CYCLES);
	aperf = rec.aperf - last.aperf;
	if (rec.epoch == last.epoch && (aperf < low - last_high || aperf > high - last_low)) {
		fprintf(stderr, "# APERF says %llu cycles, the truth is %llu to %llu\n",
			(unsigned long long)aperf, (unsigned long long)(low - last_high),
			(unsigned long long)(high - last_low));
		return 1;
	}
	last = rec;
	last_low = low;
	last_high = high;
	return 0;
}

/*
 * User space runs before it is told of the wake-up, with counters that have restarted. Set back
 * before the sleep, they are not seen to have gone backwards.
 */
TEST_F_TIMEOUT(s3, wrong_at_no_time, 300)
{
	pid_t pid = load_start(read_boot_cpu);
	int i;

	for (i = 0; i < READ_ROUNDS; i++) {
		machine_wrmsr(0, APERF, 0);
		machine_wrmsr(0, MPERF, 0);
		machine_wrmsr(0, TRUTH_SET_SMI_COUNT, 0);
		EXPECT_EQ(0, s3());
	}
	EXPECT_TRUE(load_stop(pid));
}

TEST_F_TIMEOUT(s3, under_load, 300)
{
	pid_t pids[LOADS];
	int i;

	machine_perf_freeze(false);
	loads_start(pids);
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, nl_dump_begin(&self->nl, NULL));
		EXPECT_EQ(0, s3());
		ASSERT_EQ(0, nl_dump_end(&self->nl, NULL, self->before));
		ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->after));
		EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->before[0].size);
		EXPECT_LT(self->before[0].epoch, self->after[0].epoch);
	}
	EXPECT_TRUE(loads_stop(pids));
	EXPECT_TRUE(nl_becomes(&self->nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_EQ(0, freeze_state(&self->nl, SMIMON_A_FREEZE_CHANGED));
	expect_bits(_metadata, false, false);
}

TEST_HARNESS_MAIN
