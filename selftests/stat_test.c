// SPDX-License-Identifier: GPL-2.0-only
/*
 * What smimon stat says against what the emulated machine knows.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define SMIS			20
#define SMI_CYCLES		150000
#define RATIO_NUM		7
#define RATIO_DEN		5

/* What the method may be off by: it reads the two counters one after the other. */
#define CYCLES_OFF		50
#define RATIO_OFF		0.0001
#define SMALL			1e-6

#define SELF			"/selftests/stat_test"

struct truth {
	uint64_t smis, smm;
};

/* The command that is measured: all CPUs busy, and real SMIs meanwhile. */
static int work(void)
{
	unsigned int cpu, cpus = machine_cpus();

	for (cpu = 0; cpu < cpus; cpu++) {
		if (fork())
			continue;
		machine_spin(cpu, 4);
		_exit(0);
	}
	machine_smis(SMIS);
	while (wait(NULL) > 0)
		;
	return 0;
}

static void read_truth(struct truth *truth)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		truth[cpu].smis = machine_rdmsr(cpu, TRUTH_SMIS);
		truth[cpu].smm = machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	}
}

/**
 * struct measured - a run of smimon, and what really happened meanwhile
 */
struct measured {
	struct machine_output run;
	struct json_lines lines;
	struct truth before[NL_CPUS], after[NL_CPUS];
};

FIXTURE(stat) {
	struct measured m;
	double base_mhz;
};

FIXTURE_SETUP(stat)
{
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_do(&nl, SMIMON_CMD_INFO_GET, NULL));
	self->base_mhz = nl_reply_u32(&nl, SMIMON_A_INFO_BASE_KHZ) / 1000.0;
	ASSERT_LT(0, self->base_mhz);
	nl_close(&nl);

	ASSERT_EQ(TRUTH_MAGIC, machine_rdmsr(0, TRUTH_IDENT));
	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	machine_wrmsr(0, TRUTH_RATIO, (uint64_t)RATIO_NUM << 32 | RATIO_DEN);
	machine_perf_freeze(true);
}

FIXTURE_TEARDOWN(stat)
{
	json_lines_free(&self->m.lines);
}

/* Run it, with the truth before and after. */
static bool run(struct measured *m, const char *command)
{
	read_truth(m->before);
	machine_run(command, &m->run);
	read_truth(m->after);
	if (m->run.status || !json_lines_parse(m->run.out, &m->lines)) {
		fprintf(stderr, "# %s: status %d\n%s%s", command, m->run.status,
			m->run.out, m->run.err);
		return false;
	}
	return true;
}

static double smis(struct measured *m, unsigned int cpu)
{
	return m->after[cpu].smis - m->before[cpu].smis;
}

static double smm(struct measured *m, unsigned int cpu)
{
	return m->after[cpu].smm - m->before[cpu].smm;
}

TEST_F_TIMEOUT(stat, command_with_real_smis, 300)
{
	double sum = 0, cost, mhz;
	struct json_object *line;
	unsigned int cpu;

	ASSERT_TRUE(run(&self->m, "smimon stat -j -A --no-metric-only -- " SELF " work"));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		line = json_lines_cpu(&self->m.lines, cpu, 0);
		ASSERT_NE(NULL, line);
		ASSERT_EQ(SMIS, smis(&self->m, cpu));
		ASSERT_LE(SMIS * SMI_CYCLES, smm(&self->m, cpu));
		cost = json_number(line, "smm_cycles");
		mhz = json_number(line, "bzy_mhz");
		TH_LOG("CPU %u: %.0f cycles in SMM, %+.0f", cpu, smm(&self->m, cpu),
		       cost - smm(&self->m, cpu));

		EXPECT_EQ(SMIS, json_number(line, "smi"));
		EXPECT_TRUE(fabs(cost - smm(&self->m, cpu)) <= CYCLES_OFF);
		EXPECT_TRUE(fabs(mhz / self->base_mhz / RATIO_NUM * RATIO_DEN - 1) <= RATIO_OFF)
			TH_LOG("bzy_mhz %f, base %f", mhz, self->base_mhz);
		EXPECT_TRUE(fabs(json_number(line, "aperf") / json_number(line, "mperf") /
				 RATIO_NUM * RATIO_DEN - 1) <= RATIO_OFF);
		EXPECT_TRUE(fabs(json_number(line, "smi_cycles_percent") -
				 100 * cost / json_number(line, "aperf")) < SMALL);
		EXPECT_TRUE(fabs(json_number(line, "smm_usec") - cost / mhz) < SMALL * cost);
		EXPECT_TRUE(fabs(json_number(line, "usec_per_smi") - cost / mhz / SMIS) <
			    SMALL * cost);
		EXPECT_LT(0, json_number(line, "busy_percent"));
		EXPECT_LT(0, json_number(line, "avg_mhz"));
		EXPECT_LT(0, json_number(line, "smm_wall_percent"));
		EXPECT_TRUE(json_is_null(line, "ipc"));
		EXPECT_TRUE(json_is_null(line, "irperf"));
		EXPECT_TRUE(json_is_null(line, "interval"));
		EXPECT_TRUE(json_is_null(line, "reason")) TH_LOG("%s", json_text(line, "reason"));
		sum += cost;
	}
	line = json_lines_cpu(&self->m.lines, JSON_TOTAL, 0);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(SMIS, json_number(line, "smi"));
	EXPECT_EQ(sum, json_number(line, "smm_cycles"));
	EXPECT_EQ(machine_cpus() + 1, self->m.lines.count);
}

/* The intervals of a run add up to it: no SMI falls between two, or into both. */
TEST_F_TIMEOUT(stat, intervals_add_up, 300)
{
	double count, cost;
	struct json_object *line;
	unsigned int cpu;
	int n;

	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -I 10 -- " SELF " work"));
	EXPECT_LT(machine_cpus() + 1, self->m.lines.count);
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		count = cost = 0;
		for (n = 0; (line = json_lines_cpu(&self->m.lines, cpu, n)); n++) {
			EXPECT_TRUE(json_is_null(line, "reason"))
				TH_LOG("%s", json_text(line, "reason"));
			count += json_number(line, "smi");
			cost += json_number(line, "smm_cycles");
		}
		EXPECT_EQ(smis(&self->m, cpu), count);
		/* Each interval that had an SMI is off by as little as a whole run. */
		EXPECT_TRUE(fabs(cost - smm(&self->m, cpu)) <= CYCLES_OFF * SMIS);
		TH_LOG("CPU %u: %d intervals, %+.0f cycles", cpu, n, cost - smm(&self->m, cpu));
	}
}

TEST_F(stat, no_smi_costs_nothing)
{
	struct json_object *line;

	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -- true"));
	line = json_lines_cpu(&self->m.lines, 0, 0);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(0, json_number(line, "smi"));
	EXPECT_EQ(0, json_number(line, "smm_cycles"));
	EXPECT_EQ(0, json_number(line, "smi_cycles_percent"));
	EXPECT_EQ(0, json_number(line, "smm_usec"));
	EXPECT_TRUE(json_is_null(line, "usec_per_smi"));
	EXPECT_TRUE(json_is_null(line, "reason"));
}

/* SMIs that were not frozen look like none at all: their number is right, their cost unknown. */
TEST_F(stat, freeze_cleared_meanwhile)
{
	struct json_object *line;
	unsigned int cpu;

	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -- sh -c '" SELF " work; "
			"echo 0 >/sys/bus/event_source/devices/cpu/freeze_on_smi'"));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		line = json_lines_cpu(&self->m.lines, cpu, 0);
		ASSERT_NE(NULL, line);
		EXPECT_EQ(SMIS, json_number(line, "smi"));
		EXPECT_TRUE(json_is_null(line, "smm_cycles"));
		EXPECT_TRUE(json_is_null(line, "smi_cycles_percent"));
		EXPECT_TRUE(json_is_null(line, "smm_usec"));
		EXPECT_TRUE(json_is_null(line, "usec_per_smi"));
		EXPECT_FALSE(isnan(json_number(line, "bzy_mhz")));
		EXPECT_NE(NULL, strstr(json_text(line, "reason"), "freeze"))
			TH_LOG("%s", json_text(line, "reason"));
	}
	line = json_lines_cpu(&self->m.lines, JSON_TOTAL, 0);
	ASSERT_NE(NULL, line);
	EXPECT_TRUE(json_is_null(line, "smm_cycles"));
	EXPECT_FALSE(json_is_null(line, "reason"));
}

/* perf's bit is clear before and after; smimon sets it for as long as it measures. */
TEST_F_TIMEOUT(stat, freeze_is_held_where_it_was_clear, 300)
{
	struct json_object *line;

	machine_perf_freeze(false);
	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -- " SELF " work"));
	line = json_lines_cpu(&self->m.lines, 0, 0);
	ASSERT_NE(NULL, line);
	EXPECT_TRUE(fabs(json_number(line, "smm_cycles") - smm(&self->m, 0)) <= CYCLES_OFF);
	EXPECT_FALSE(machine_freeze_bit(0));
}

/* A snapshot that each try finds an SMI in says so, and no cost is made from it. */
TEST_F_TIMEOUT(stat, storm_tears_snapshots, 300)
{
	struct smimon_record rec;
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_count(&nl));
	machine_wrmsr(0, TRUTH_STORM, 100000ull << 32 | 1000);
	EXPECT_EQ(0, nl_snapshot(&nl, 0, &rec));
	EXPECT_TRUE(rec.flags & SMIMON_RECORD_TORN);
	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -- true"));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&self->m.lines, 0, 0), "smm_cycles"));
	EXPECT_STRNE("", json_text(json_lines_cpu(&self->m.lines, 0, 0), "reason"));
	machine_wrmsr(0, TRUTH_STORM, 0);
	EXPECT_EQ(0, nl_snapshot(&nl, 0, &rec));
	EXPECT_FALSE(rec.flags & SMIMON_RECORD_TORN);
	nl_close(&nl);
}

/* One SMI at each place of a reading is counted once, whole, before or after it. */
TEST_F_TIMEOUT(stat, smi_within_a_reading, 300)
{
	struct smimon_record first, torn, last;
	int64_t whole, count;
	struct nl nl;
	int k;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_count(&nl));
	for (k = 1; k <= 8; k++) {
		ASSERT_EQ(0, nl_snapshot(&nl, 0, &first));
		machine_wrmsr(0, TRUTH_INJECT_AT, (uint64_t)k << 32 | SMI_CYCLES);
		ASSERT_EQ(0, nl_snapshot(&nl, 0, &torn));
		ASSERT_EQ(0, nl_snapshot(&nl, 0, &last));
		ASSERT_EQ(0, machine_rdmsr(0, TRUTH_INJECT_AT));
		EXPECT_FALSE(torn.flags & SMIMON_RECORD_TORN);
		count = last.smi_count - first.smi_count;
		whole = (last.aperf - first.aperf) - (last.cycles - first.cycles);
		EXPECT_EQ(1, count);
		EXPECT_TRUE(llabs(whole - SMI_CYCLES) <= CYCLES_OFF)
			TH_LOG("before read %d: %lld", k, (long long)whole);
		/* Wholly on one side. */
		whole = (torn.aperf - first.aperf) - (torn.cycles - first.cycles);
		count = torn.smi_count - first.smi_count;
		EXPECT_TRUE(llabs(whole - count * SMI_CYCLES) <= CYCLES_OFF)
			TH_LOG("before read %d: %lld", k, (long long)whole);
	}
	nl_close(&nl);
}

/* SMI_COUNT has 32 bits. */
TEST_F_TIMEOUT(stat, smi_count_wraps, 300)
{
	struct smimon_record before, after;
	struct json_object *line;
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_count(&nl));
	machine_wrmsr(0, TRUTH_SET_SMI_COUNT, UINT32_MAX - 1);
	ASSERT_EQ(0, nl_snapshot(&nl, 0, &before));
	ASSERT_TRUE(run(&self->m, "smimon stat -j -A -- " SELF " work"));
	ASSERT_EQ(0, nl_snapshot(&nl, 0, &after));
	ASSERT_EQ(UINT32_MAX - 1, before.smi_count);
	ASSERT_EQ(SMIS - 2, after.smi_count);
	EXPECT_EQ(before.epoch, after.epoch);
	line = json_lines_cpu(&self->m.lines, 0, 0);
	ASSERT_NE(NULL, line);
	EXPECT_EQ(SMIS, json_number(line, "smi"));
	EXPECT_TRUE(json_is_null(line, "reason"));
	nl_close(&nl);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "work"))
		return work();
	return test_harness_run(argc, argv);
}
