// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's IRPERF has 48 bits: it wraps, and no interval is the worse for it.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define IRPERF		0xc00000e9
#define IRPERF_BITS	48

#define SELF		"/selftests/irperf_test"

/* One instruction is one cycle in this machine, so IPC is 1 where no SMI took cycles. */
TEST(wraps_at_48_bits)
{
	static struct machine_output run;
	static struct json_lines lines;
	struct smimon_record before, after;
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_snapshot(&nl, 0, &before));
	machine_wrmsr(0, IRPERF, (1ull << IRPERF_BITS) - 1000000);
	machine_run("smimon stat -j -A -- " SELF " spin", &run);
	ASSERT_EQ(0, nl_snapshot(&nl, 0, &after));
	ASSERT_EQ(0, run.status);
	ASSERT_GT(1ull << (IRPERF_BITS - 1), after.irperf);
	EXPECT_EQ(before.epoch, after.epoch);
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_TRUE(fabs(json_number(json_lines_cpu(&lines, 0, 0), "ipc") - 1) < 0.001) {
		TH_LOG("%s", run.out);
	}
	json_lines_free(&lines);
	nl_close(&nl);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "spin")) {
		machine_spin(0, 10);
		return 0;
	}
	return test_harness_run(argc, argv);
}
