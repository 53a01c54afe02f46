// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine sleeps, to each depth that there is. Nobody knows what its counters did meanwhile:
 * nothing is measured across it, and all is again from there on.
 */
#include "kselftest_harness.h"

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define SPIN_MILLIONS	4
#define LEAST_CYCLES	1000000
/* What two counters that count the same may be off: they are read one after the other. */
#define CYCLES_OFF	50

#define SELF		"/selftests/suspend_test"

#define VALID(counter)	(1u << SMIMON_COUNTER_##counter)

static const char *const numbers[] = {
	"smi", "smi_cycles_percent", "smm_cycles", "smm_usec", "usec_per_smi",
	"smm_wall_percent", "bzy_mhz", "busy_percent", "avg_mhz", "ipc",
	"aperf", "mperf", "cycles", "irperf", "tsc",
};

FIXTURE(sleep) {
	struct nl nl;
	struct smimon_record before[NL_CPUS], after[NL_CPUS], later[NL_CPUS];
	struct machine_output run;
	struct json_lines lines;
};

FIXTURE_VARIANT(sleep) {
	const char *state, *level;
	int err;
};

/* From the shallowest on. Only S3 itself takes the CPUs' power. */
FIXTURE_VARIANT_ADD(sleep, freezer) { .state = "mem", .level = "freezer" };
FIXTURE_VARIANT_ADD(sleep, devices) { .state = "mem", .level = "devices" };
FIXTURE_VARIANT_ADD(sleep, platform) { .state = "mem", .level = "platform" };
FIXTURE_VARIANT_ADD(sleep, processors) { .state = "mem", .level = "processors" };
FIXTURE_VARIANT_ADD(sleep, core) { .state = "mem", .level = "core" };
FIXTURE_VARIANT_ADD(sleep, s3) { .state = "mem", .level = "none" };

/* The image is made, and there is no swap to write it to. */
FIXTURE_VARIANT_ADD(sleep, hibernation) { .state = "disk", .level = "none", .err = -ENODEV };

/* With a module that has seen no sleep yet. */
FIXTURE_SETUP(sleep)
{
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load());
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(sleep)
{
	json_lines_free(&self->lines);
	nl_close(&self->nl);
}

static void expect_no_number(struct __test_metadata *_metadata, struct json_object *line)
{
	size_t i;

	ASSERT_NE(NULL, line);
	EXPECT_STREQ("epoch changed", json_text(line, "reason"));
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		EXPECT_TRUE(json_is_null(line, numbers[i])) {
			TH_LOG("%s is %s", numbers[i], json_object_to_json_string(line));
		}
	}
}

TEST_F_TIMEOUT(sleep, nothing_is_measured_across_it, 120)
{
	unsigned int cpu;
	char command[256];

	snprintf(command, sizeof(command), "smimon stat -j -A --no-metric-only -- " SELF " %s %s",
		 variant->state, variant->level);
	machine_run(command, &self->run);
	ASSERT_EQ(-variant->err, self->run.status) {
		TH_LOG("%s", self->run.err);
	}
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	ASSERT_EQ(machine_cpus() + 1, self->lines.count);
	for (cpu = 0; cpu < machine_cpus(); cpu++)
		expect_no_number(_metadata, json_lines_cpu(&self->lines, cpu, 0));
	expect_no_number(_metadata, json_lines_cpu(&self->lines, JSON_TOTAL, 0));
}

/* Each CPU was busy, and no SMI came: all of its counters have counted the same. */
static void expect_counted(struct __test_metadata *_metadata, const struct smimon_record *from,
			   const struct smimon_record *to)
{
	const unsigned int valid = VALID(TSC) | VALID(APERF) | VALID(MPERF) | VALID(CYCLES);
	int64_t aperf = to->aperf - from->aperf, mperf = to->mperf - from->mperf;
	int64_t cycles = to->cycles - from->cycles;

	EXPECT_EQ(from->epoch, to->epoch);
	EXPECT_EQ(valid, from->valid & to->valid & valid);
	EXPECT_EQ(0, (from->flags | to->flags) &
		     (SMIMON_RECORD_TORN | SMIMON_RECORD_CYCLES_LOST));
	EXPECT_LT(from->tsc, to->tsc);
	EXPECT_LE(LEAST_CYCLES, aperf);
	EXPECT_GE(CYCLES_OFF, llabs(mperf - aperf));
	EXPECT_GE(CYCLES_OFF, llabs(cycles - aperf)) {
		TH_LOG("CPU %u: APERF %lld, cycles %lld", to->cpu, (long long)aperf,
		       (long long)cycles);
	}
}

TEST_F_TIMEOUT(sleep, next_interval_is_whole, 120)
{
	unsigned int cpu;

	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->before));
	ASSERT_EQ(variant->err, machine_sleep(variant->state, variant->level));
	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->after));
	for (cpu = 0; cpu < machine_cpus(); cpu++)
		machine_spin(cpu, SPIN_MILLIONS);
	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->later));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		EXPECT_LT(self->before[cpu].epoch, self->after[cpu].epoch);
		expect_counted(_metadata, &self->after[cpu], &self->later[cpu]);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return -machine_sleep(argv[1], argv[2]);
	return test_harness_run(argc, argv);
}
