// SPDX-License-Identifier: GPL-2.0-only
/*
 * S3 takes the boot CPU the bit of HWCR that has IRPERF count, and the kernel does not set it again
 * as it does on the others. What stands still has no IPC.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define HWCR		0xc0010015
#define HWCR_IRPERF_EN	(1ull << 30)
#define IRPERF_VALID	(1u << SMIMON_COUNTER_IRPERF)

#define SELF		"/selftests/suspend_irperf_test"

FIXTURE(irperf) {
	struct nl nl;
	struct smimon_record records[NL_CPUS];
	struct machine_output run;
	struct json_lines lines;
};

static void enable(unsigned int cpu)
{
	machine_wrmsr(cpu, HWCR, machine_rdmsr(cpu, HWCR) | HWCR_IRPERF_EN);
}

/* As after boot, also where a test before this one has slept. */
FIXTURE_SETUP(irperf)
{
	ASSERT_EQ(0, machine_unload());
	enable(0);
	ASSERT_EQ(0, machine_load());
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, machine_sleep("mem", "none"));
	ASSERT_FALSE(machine_rdmsr(0, HWCR) & HWCR_IRPERF_EN);
	ASSERT_TRUE(machine_rdmsr(1, HWCR) & HWCR_IRPERF_EN);
}

FIXTURE_TEARDOWN(irperf)
{
	json_lines_free(&self->lines);
	nl_close(&self->nl);
}

TEST_F_TIMEOUT(irperf, no_ipc_where_it_stands_still, 120)
{
	struct json_object *line;

	machine_run("smimon stat -j -A --no-metric-only -- " SELF " spin", &self->run);
	ASSERT_EQ(0, self->run.status);
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	line = json_lines_cpu(&self->lines, 0, 0);
	EXPECT_TRUE(json_is_null(line, "ipc"));
	EXPECT_TRUE(json_is_null(line, "irperf"));
	EXPECT_STRNE("", json_text(line, "reason"));
	EXPECT_FALSE(isnan(json_number(line, "bzy_mhz")));
	line = json_lines_cpu(&self->lines, 1, 0);
	EXPECT_TRUE(fabs(json_number(line, "ipc") - 1) < 0.001);
	line = json_lines_cpu(&self->lines, JSON_TOTAL, 0);
	EXPECT_TRUE(json_is_null(line, "ipc"));
	EXPECT_TRUE(json_is_null(line, "irperf")) {
		TH_LOG("%s", self->run.out);
	}
}

TEST_F_TIMEOUT(irperf, record_says_so_until_it_counts_again, 120)
{
	struct smimon_record rec;
	uint64_t first;

	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->records));
	EXPECT_FALSE(self->records[0].valid & IRPERF_VALID);
	EXPECT_EQ(0, self->records[0].irperf);
	EXPECT_TRUE(self->records[1].valid & IRPERF_VALID);
	enable(0);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_TRUE(rec.valid & IRPERF_VALID);
	first = rec.irperf;
	machine_spin(0, 4);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 0, &rec));
	EXPECT_LE(1000000, rec.irperf - first);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "spin")) {
		machine_spin(0, 10);
		machine_spin(1, 10);
		return 0;
	}
	return test_harness_run(argc, argv);
}
