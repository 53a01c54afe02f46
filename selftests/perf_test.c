// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf stat --smi-cost and smimon measure the same command, one after the other, since perf's own
 * scheduling of its events would disturb the other's; the machine knows the truth of each run.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define SMIS			20
#define SMI_CYCLES		150000

#define SELF			"/selftests/perf_test"
#define SMIMON_OUT		"/tmp/perf_test.smimon"
#define PERF_OUT		"/tmp/perf_test.perf"

static double smm_of_all_cpus(void)
{
	double sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++)
		sum += machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	return sum;
}

static bool read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(text, 1, size - 1, file) : 0;

	text[len] = 0;
	if (file)
		fclose(file);
	return len;
}

/* The value in perf's line "value,unit,event,...". Not a number if there is none. */
static double perf_value(const char *text, const char *event)
{
	char pattern[64];
	const char *at;

	snprintf(pattern, sizeof(pattern), ",,%s,", event);
	at = strstr(text, pattern);
	while (at && at > text && at[-1] != '\n')
		at--;
	return at ? strtod(at, NULL) : NAN;
}

static double smimon_cycles(const char *text)
{
	struct json_lines lines;
	double cycles = NAN;

	if (json_lines_parse(text, &lines))
		cycles = json_number(json_lines_cpu(&lines, JSON_TOTAL, 0), "smm_cycles");
	json_lines_free(&lines);
	return cycles;
}

/* Run a command that writes to a file. Return: the truth of what SMM took meanwhile. */
static double run(struct __test_metadata *_metadata, const char *command, const char *path,
		  char *text, size_t size)
{
	static struct machine_output output;
	double truth = smm_of_all_cpus();

	machine_run(command, &output);
	truth = smm_of_all_cpus() - truth;
	ASSERT_EQ(0, output.status) {
		TH_LOG("%s", output.err);
	}
	ASSERT_LE((double)SMIS * SMI_CYCLES * machine_cpus(), truth);
	ASSERT_TRUE(read_file(path, text, size));
	return truth;
}

TEST(errors_against_the_truth)
{
	static char text[65536];
	double truth, perf_off, smimon_off;

	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	machine_perf_freeze(true);

	truth = run(_metadata, "perf stat --smi-cost --no-metric-only -a -x, -o " PERF_OUT " -- "
		    SELF " smis", PERF_OUT, text, sizeof(text));
	perf_off = perf_value(text, "msr/aperf/") - perf_value(text, "cycles") - truth;
	ASSERT_FALSE(isnan(perf_off)) {
		TH_LOG("%s", text);
	}
	/* perf adds up the CPUs, each of which an SMI strikes. */
	EXPECT_EQ(SMIS * machine_cpus(), perf_value(text, "msr/smi/"));

	truth = run(_metadata, "smimon stat -j -o " SMIMON_OUT " -- " SELF " smis", SMIMON_OUT,
		    text, sizeof(text));
	smimon_off = smimon_cycles(text) - truth;
	ASSERT_FALSE(isnan(smimon_off)) {
		TH_LOG("%s", text);
	}

	TH_LOG("off the truth: perf stat --smi-cost %+.0f cycles, smimon %+.0f", perf_off,
	       smimon_off);
	EXPECT_LE(fabs(smimon_off), fabs(perf_off) / 10);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "smis")) {
		machine_smis(SMIS);
		return 0;
	}
	return test_harness_run(argc, argv);
}
