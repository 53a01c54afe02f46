// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD: SMIs are counted by the PMU, what they cost is not known, and IRPERF gives instructions per
 * cycle for as long as it is switched on.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define IRPERF		0xc00000e9
#define IRPERF_BITS	48
#define HWCR		0xc0010015
#define HWCR_IRPERF_EN	(1ull << 30)

#define SMIS		20
#define IPC_OFF		0.001

#define SELF		"/selftests/amd_test"

/**
 * struct measured - a run of smimon
 */
struct measured {
	struct machine_output run;
	struct json_lines lines;
};

FIXTURE(amd) {
	struct nl nl;
	struct measured m;
};

FIXTURE_SETUP(amd)
{
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_count(&self->nl));
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
}

FIXTURE_TEARDOWN(amd)
{
	json_lines_free(&self->m.lines);
	nl_close(&self->nl);
}

/* The line of CPU 0. */
static struct json_object *run(struct measured *m, const char *command)
{
	machine_run(command, &m->run);
	if (m->run.status || !json_lines_parse(m->run.out, &m->lines))
		return NULL;
	return json_lines_cpu(&m->lines, 0, 0);
}

/* One instruction is one cycle in this machine, so IPC is 1 where no SMI took cycles. */
TEST_F(amd, irperf_wraps_at_48_bits)
{
	struct smimon_record before, after;
	struct json_object *line;

	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &before));
	machine_wrmsr(0, IRPERF, (1ull << IRPERF_BITS) - 1000000);
	line = run(&self->m, "smimon stat -j -A -- " SELF " spin");
	ASSERT_NE(NULL, line);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &after));
	ASSERT_GT(1ull << (IRPERF_BITS - 1), after.irperf);
	EXPECT_EQ(before.epoch, after.epoch);
	EXPECT_TRUE(fabs(json_number(line, "ipc") - 1) < IPC_OFF) {
		TH_LOG("%s", self->m.run.out);
	}
}

/* A counter that stands still is none: no IPC of 0. */
TEST_F(amd, irperf_switched_off)
{
	uint64_t hwcr = machine_rdmsr(0, HWCR);
	struct smimon_record rec;
	struct json_object *line;

	ASSERT_TRUE(hwcr & HWCR_IRPERF_EN);
	machine_wrmsr(0, HWCR, hwcr & ~HWCR_IRPERF_EN);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_FALSE(rec.valid & 1u << SMIMON_COUNTER_IRPERF);
	EXPECT_EQ(0, rec.irperf);
	line = run(&self->m, "smimon stat -j -A -- " SELF " spin");
	machine_wrmsr(0, HWCR, hwcr);
	ASSERT_NE(NULL, line);
	EXPECT_TRUE(json_is_null(line, "ipc"));
	EXPECT_FALSE(json_is_null(line, "bzy_mhz"));
	EXPECT_FALSE(json_is_null(json_lines_cpu(&self->m.lines, 1, 0), "ipc"));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_TRUE(rec.valid & 1u << SMIMON_COUNTER_IRPERF);
}

TEST_F(amd, smis_are_counted_and_their_cost_is_unknown)
{
	uint64_t before[2] = { machine_rdmsr(0, TRUTH_SMIS), machine_rdmsr(1, TRUTH_SMIS) };
	struct json_object *line;
	unsigned int cpu;

	ASSERT_NE(NULL, run(&self->m, "smimon stat -j -A -- /selftests/truth smi 20"));
	for (cpu = 0; cpu < 2; cpu++) {
		ASSERT_EQ(SMIS, machine_rdmsr(cpu, TRUTH_SMIS) - before[cpu]);
		line = json_lines_cpu(&self->m.lines, cpu, 0);
		EXPECT_EQ(SMIS, json_number(line, "smi"));
		EXPECT_TRUE(json_is_null(line, "smm_cycles"));
		EXPECT_TRUE(json_is_null(line, "smm_usec"));
		EXPECT_STREQ("no freeze bit", json_text(line, "reason"));
		EXPECT_FALSE(json_is_null(line, "bzy_mhz"));
	}
	EXPECT_EQ(SMIS, json_number(json_lines_cpu(&self->m.lines, JSON_TOTAL, 0), "smi"));
}

/* They are counted while somebody counts, and are not 0 when nobody does. */
TEST_F(amd, smis_are_not_there_uncounted)
{
	struct smimon_record rec;
	struct nl nl;
	int i;

	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_TRUE(rec.valid & 1u << SMIMON_COUNTER_SMI_COUNT);
	nl_close(&self->nl);
	ASSERT_EQ(0, nl_open(&nl));
	for (i = 0; i < 1000 && rec.valid & 1u << SMIMON_COUNTER_SMI_COUNT; i++) {
		usleep(10000);
		ASSERT_EQ(0, nl_snapshot(&nl, 0, &rec));
	}
	EXPECT_FALSE(rec.valid & 1u << SMIMON_COUNTER_SMI_COUNT);
	self->nl = nl;
}

/* The count is read before and after, so that an SMI in a reading is noticed here too. */
TEST_F(amd, smi_within_a_reading)
{
	struct smimon_record first, torn;
	int k;

	for (k = 1; k <= 8; k++) {
		ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &first));
		machine_wrmsr(0, TRUTH_INJECT_AT, (uint64_t)k << 32 | 1000);
		ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &torn));
		ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &torn));
		ASSERT_EQ(0, machine_rdmsr(0, TRUTH_INJECT_AT));
		EXPECT_EQ(1, torn.smi_count - first.smi_count);
		EXPECT_FALSE(torn.flags & SMIMON_RECORD_TORN);
	}
	machine_wrmsr(0, TRUTH_STORM, 100000ull << 32 | 1000);
	EXPECT_EQ(0, nl_snapshot(&self->nl, 0, &torn));
	machine_wrmsr(0, TRUTH_STORM, 0);
	EXPECT_TRUE(torn.flags & SMIMON_RECORD_TORN);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "spin")) {
		machine_spin(0, 10);
		return 0;
	}
	return test_harness_run(argc, argv);
}
