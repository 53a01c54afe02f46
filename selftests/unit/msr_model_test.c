// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated machine's counters, with numbers worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "msr_model.h"
#include "truth.h"

#define SMI_COUNT	0x34
#define PERFCTR0	0xc1
#define PERFCTR1	0xc2
#define MPERF		0xe7
#define APERF		0xe8
#define EVENTSEL0	0x186
#define EVENTSEL1	0x187
#define DEBUGCTL	0x1d9
#define FIXED1		0x30a
#define PERF_CAP	0x345
#define FIXED_CTRL	0x38d
#define GLOBAL_CTRL	0x38f
#define MPERF_RO	0xc00000e7
#define APERF_RO	0xc00000e8
#define IRPERF		0xc00000e9
#define K7_SEL0		0xc0010000
#define K7_CTR0		0xc0010004
#define HWCR		0xc0010015

#define FREEZE		(1ull << 14)
#define ENABLE		(1ull << 22)
#define MASK_48		((1ull << 48) - 1)

static struct model *model;

static uint64_t get(unsigned int cpu, uint64_t now, uint32_t msr)
{
	uint64_t val;

	assert_true(model_rdmsr(model, cpu, now, msr, &val));
	return val;
}

static void set(unsigned int cpu, uint64_t now, uint32_t msr, uint64_t val)
{
	assert_true(model_wrmsr(model, cpu, now, msr, val));
}

static void start(const char *profile)
{
	model = model_new(profile, 2);
	assert_non_null(model);
}

static int stop(void **state)
{
	(void)state;
	model_free(model);
	return 0;
}

/* Count cycles on general counter 0 and fixed counter 1 of a CPU from now on. */
static void start_pmu(unsigned int cpu, uint64_t now)
{
	set(cpu, now, EVENTSEL0, 0x3c | ENABLE);
	set(cpu, now, FIXED_CTRL, 3 << 4);
	set(cpu, now, GLOBAL_CTRL, 1ull << 33 | 1);
}

static void aperf_counts_cycles(void **state)
{
	(void)state;
	start("intel");
	assert_int_equal(get(0, 100, APERF), 100);
	assert_int_equal(get(0, 250, APERF), 250);
	set(0, 250, APERF, 7);
	assert_int_equal(get(0, 260, APERF), 17);
	assert_int_equal(get(1, 30, APERF), 30);
}

/* 7/5: 70 cycles are 50 of MPERF; 72 are 51.4; then 1/1 from there. */
static void mperf_follows_the_ratio(void **state)
{
	(void)state;
	start("intel");
	assert_int_equal(get(0, 100, MPERF), 100);
	set(0, 100, TRUTH_RATIO, 7ull << 32 | 5);
	assert_int_equal(get(0, 100, MPERF), 100);
	assert_int_equal(get(0, 170, MPERF), 150);
	assert_int_equal(get(0, 172, MPERF), 151);
	assert_int_equal(get(0, 173, MPERF), 152);
	set(0, 173, TRUTH_RATIO, 1ull << 32 | 1);
	assert_int_equal(get(0, 173, MPERF), 152);
	assert_int_equal(get(0, 183, MPERF), 162);
}

static void smi_without_freeze_is_counted_by_all(void **state)
{
	(void)state;
	start("intel");
	start_pmu(0, 0);
	model_smm_enter(model, 0, 100);
	model_smm_leave(model, 0, 145);
	assert_int_equal(get(0, 200, APERF), 200);
	assert_int_equal(get(0, 200, PERFCTR0), 200);
	assert_int_equal(get(0, 200, FIXED1), 200);
	assert_int_equal(get(0, 200, SMI_COUNT), 1);
	assert_int_equal(get(0, 200, TRUTH_SMM_CYCLES), 45);
	assert_int_equal(get(0, 200, TRUTH_SKIPPED_CYCLES), 0);
}

static void frozen_pmu_skips_smm(void **state)
{
	(void)state;
	start("intel");
	start_pmu(0, 0);
	set(0, 0, DEBUGCTL, FREEZE);
	set(0, 0, TRUTH_REAL_SMI_CYCLES, 1000);
	model_smm_enter(model, 0, 100);
	model_smm_leave(model, 0, 145);
	assert_int_equal(get(0, 200, APERF), 1200);
	assert_int_equal(get(0, 200, MPERF), 1200);
	assert_int_equal(get(0, 200, PERFCTR0), 155);
	assert_int_equal(get(0, 200, FIXED1), 155);
	assert_int_equal(get(0, 200, TRUTH_SMM_CYCLES), 1045);
	assert_int_equal(get(0, 200, TRUTH_SKIPPED_CYCLES), 1045);
	assert_int_equal(get(0, 200, TRUTH_CYCLES), 1200);
	assert_int_equal(get(0, 200, TRUTH_SMIS), 1);
	assert_int_equal(get(1, 50, TRUTH_SMIS), 0);
}

static void rendezvous_takes_all_cpus(void **state)
{
	(void)state;
	start("intel");
	start_pmu(1, 0);
	set(1, 0, DEBUGCTL, FREEZE);
	set(0, 0, TRUTH_REAL_SMI_CYCLES, 1000);
	set(0, 0, TRUTH_RENDEZVOUS, 1);
	model_smm_enter(model, 0, 100);
	model_smm_leave(model, 0, 145);
	assert_int_equal(get(1, 10, APERF), 1055);
	assert_int_equal(get(1, 10, PERFCTR0), 10);
	assert_int_equal(get(1, 10, SMI_COUNT), 1);
	assert_int_equal(get(1, 10, TRUTH_SMM_CYCLES), 1045);
}

static void injected_smis(void **state)
{
	(void)state;
	start("intel");
	set(0, 10, TRUTH_INJECT, 500);
	assert_int_equal(get(0, 10, APERF), 510);
	assert_int_equal(get(1, 10, APERF), 10);
	set(1, 10, TRUTH_INJECT_ALL, 30);
	assert_int_equal(get(0, 10, APERF), 540);
	assert_int_equal(get(1, 10, APERF), 40);
	assert_int_equal(get(0, 10, SMI_COUNT), 2);
	assert_int_equal(get(1, 10, SMI_COUNT), 1);
}

static void armed_smi_strikes_before_the_kth_read(void **state)
{
	(void)state;
	start("intel");
	set(0, 0, TRUTH_INJECT_AT, 3ull << 32 | 500);
	assert_int_equal(get(0, 10, SMI_COUNT), 0);
	assert_int_equal(get(0, 10, APERF), 10);
	assert_int_equal(get(0, 10, TRUTH_SMIS), 0);
	assert_int_equal(get(0, 10, APERF), 510);
	assert_int_equal(get(0, 10, APERF), 510);
	assert_int_equal(get(0, 10, TRUTH_INJECT_AT), 0);
	set(0, 0, TRUTH_INJECT_AT, 2ull << 32 | 500);
	set(0, 0, TRUTH_INJECT_AT, 0);
	assert_int_equal(get(0, 10, APERF), 510);
	assert_int_equal(get(0, 10, APERF), 510);
}

static void stalls_take_time_and_no_cycles(void **state)
{
	struct timespec before, after;

	(void)state;
	start("intel");
	set(0, 0, TRUTH_STALL, 2ull << 32 | 2000);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(get(0, 10, APERF), 10);
	assert_int_equal(get(0, 0, TRUTH_STALL), 1ull << 32 | 2000);
	assert_int_equal(get(0, 10, APERF), 10);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true((after.tv_sec - before.tv_sec) * 1000000000ll +
		    after.tv_nsec - before.tv_nsec >= 4000000);
	assert_int_equal(get(0, 0, TRUTH_STALL), 2000);
	set(0, 0, TRUTH_STALL, 1ull << 32 | 10000001);
	assert_int_equal(get(0, 0, TRUTH_STALL), 2000);
}

static void storm_strikes_before_each_read(void **state)
{
	(void)state;
	start("intel");
	set(0, 0, TRUTH_STORM, 2ull << 32 | 100);
	assert_int_equal(get(0, 10, APERF), 110);
	assert_int_equal(get(0, 10, APERF), 210);
	assert_int_equal(get(0, 10, APERF), 210);
}

static void counters_stand_while_disabled(void **state)
{
	uint64_t val;

	(void)state;
	start("intel");
	set(0, 0, EVENTSEL0, 0x3c | ENABLE);
	assert_int_equal(get(0, 100, PERFCTR0), 0);
	set(0, 100, GLOBAL_CTRL, 1);
	assert_int_equal(get(0, 150, PERFCTR0), 50);
	set(0, 160, GLOBAL_CTRL, 0);
	assert_int_equal(get(0, 999, PERFCTR0), 60);
	set(0, 999, GLOBAL_CTRL, 1);
	set(0, 1000, EVENTSEL0, 0x3c);
	assert_int_equal(get(0, 2000, PERFCTR0), 61);
	assert_true(model_rdpmc(model, 0, 2000, 0, &val));
	assert_int_equal(val, 61);
	assert_true(model_rdpmc(model, 0, 2000, 1u << 30 | 1, &val));
	assert_int_equal(val, 0);
	assert_false(model_rdpmc(model, 0, 2000, 4, &val));
	assert_false(model_rdpmc(model, 0, 2000, 1u << 30 | 3, &val));
	/* An event that is not modelled counts nothing. */
	set(0, 2000, EVENTSEL1, 0x412e | ENABLE);
	set(0, 2000, GLOBAL_CTRL, 3);
	assert_int_equal(get(0, 3000, PERFCTR1), 0);
}

static void widths(void **state)
{
	(void)state;
	start("intel");
	set(0, 0, PERFCTR0, 0x80000000);
	assert_int_equal(get(0, 0, PERFCTR0), MASK_48 & 0xffffffff80000000ull);
	start_pmu(0, 0);
	set(0, 0, FIXED1, MASK_48);
	assert_int_equal(get(0, 3, FIXED1), 2);
	set(0, 0, TRUTH_SET_SMI_COUNT, 0xffffffff);
	assert_int_equal(get(0, 0, SMI_COUNT), 0xffffffff);
	set(0, 0, TRUTH_INJECT, 1);
	assert_int_equal(get(0, 0, SMI_COUNT), 0);
}

static void no_freeze_no_bit(void **state)
{
	(void)state;
	start("intel-nofreeze");
	start_pmu(0, 0);
	assert_int_equal(get(0, 0, PERF_CAP) >> 12 & 1, 0);
	set(0, 0, DEBUGCTL, FREEZE | 2);
	assert_int_equal(get(0, 0, DEBUGCTL), 2);
	set(0, 0, TRUTH_INJECT, 100);
	assert_int_equal(get(0, 10, PERFCTR0), 110);
}

static void cpus_that_differ(void **state)
{
	(void)state;
	start("intel-uneven");
	assert_int_equal(get(0, 10, PERF_CAP) >> 12 & 1, 1);
	assert_int_equal(get(1, 10, PERF_CAP) >> 12 & 1, 0);
	assert_int_equal(get(0, 10, APERF), 10);
	assert_int_equal(get(1, 10, APERF), 0);
	assert_int_equal(get(1, 10, MPERF), 10);
	set(0, 10, DEBUGCTL, FREEZE | 2);
	set(1, 10, DEBUGCTL, FREEZE | 2);
	assert_int_equal(get(0, 10, DEBUGCTL), FREEZE | 2);
	assert_int_equal(get(1, 10, DEBUGCTL), 2);
}

static void amd(void **state)
{
	struct model_cpuid said;

	(void)state;
	start("amd-zen3");
	assert_true(model_cpuid(model, 0x80000007, &said));
	assert_int_equal(said.reg[3], 1u << 10);
	assert_int_equal(get(0, 100, IRPERF), 0);
	set(0, 100, HWCR, 1ull << 30);
	assert_int_equal(get(0, 150, IRPERF), 50);
	set(0, 150, IRPERF, MASK_48);
	assert_int_equal(get(0, 160, IRPERF), 9);
	set(0, 160, APERF, 0);
	assert_int_equal(get(0, 161, APERF), 1);
	assert_int_equal(get(0, 161, APERF_RO), 161);
	assert_int_equal(get(0, 161, MPERF_RO), 161);
	set(0, 161, K7_SEL0, 0x76 | ENABLE);
	assert_int_equal(get(0, 171, K7_CTR0), 10);
	/* SMIs take cycles, retire nothing, and nothing freezes. */
	set(0, 171, TRUTH_INJECT, 1000);
	assert_int_equal(get(0, 171, K7_CTR0), 1010);
	assert_int_equal(get(0, 171, IRPERF), 20);
	/* SMIs are an event: those while it is enabled. */
	set(0, 171, K7_SEL0, 0x2b | ENABLE);
	set(0, 171, K7_CTR0, 0);
	set(0, 171, TRUTH_INJECT, 1000);
	set(0, 171, TRUTH_INJECT, 1000);
	assert_int_equal(get(0, 171, K7_CTR0), 2);
	set(0, 171, K7_SEL0, 0x2b);
	set(0, 171, TRUTH_INJECT, 1000);
	assert_int_equal(get(0, 171, K7_CTR0), 2);
}

/* Two SMIs of 45 cycles executed and 1000 more, on a CPU that is set up, and power is lost. */
static void lose_power(unsigned int cpu)
{
	set(cpu, 0, DEBUGCTL, FREEZE);
	set(cpu, 0, TRUTH_REAL_SMI_CYCLES, 1000);
	start_pmu(cpu, 0);
	model_smm_enter(model, cpu, 100);
	model_smm_leave(model, cpu, 145);
	model_smm_enter(model, cpu, 200);
	model_smm_leave(model, cpu, 245);
	set(cpu, 300, APERF, 7);
	set(cpu, 300, MPERF, 8);
	model_reset(model, cpu, 400);
}

static void reset_loses_registers(void **state)
{
	static const uint32_t lost[] = {
		SMI_COUNT, APERF, MPERF, DEBUGCTL, GLOBAL_CTRL, FIXED_CTRL, EVENTSEL0, PERFCTR0,
		FIXED1,
	};
	size_t i;

	(void)state;
	start("intel");
	lose_power(0);
	for (i = 0; i < sizeof(lost) / sizeof(lost[0]); i++)
		assert_int_equal(get(0, 400, lost[i]), 0);
	assert_int_equal(get(0, 450, APERF), 50);
	assert_int_equal(get(0, 450, MPERF), 50);
	assert_int_equal(get(0, 450, PERFCTR0), 0);
	assert_int_equal(get(0, 450, FIXED1), 0);
}

static void reset_keeps_the_truth(void **state)
{
	(void)state;
	start("intel");
	set(0, 0, TRUTH_INJECT_AT, 2ull << 32 | 500);
	set(0, 0, TRUTH_STORM, 3ull << 32 | 100);
	lose_power(0);
	assert_int_equal(get(0, 400, TRUTH_CYCLES), 2400);
	assert_int_equal(get(0, 400, TRUTH_SMM_CYCLES), 2090);
	assert_int_equal(get(0, 400, TRUTH_SKIPPED_CYCLES), 2090);
	assert_int_equal(get(0, 400, TRUTH_SMIS), 2);
	assert_int_equal(get(0, 400, TRUTH_REAL_SMI_CYCLES), 1000);
	assert_int_equal(get(0, 400, TRUTH_INJECT_AT), 2ull << 32 | 500);
	assert_int_equal(get(0, 400, TRUTH_STORM), 3ull << 32 | 100);
}

static void reset_is_of_one_cpu(void **state)
{
	(void)state;
	start("intel");
	set(1, 0, DEBUGCTL, FREEZE);
	start_pmu(1, 0);
	lose_power(0);
	assert_int_equal(get(1, 70, DEBUGCTL), FREEZE);
	assert_int_equal(get(1, 70, APERF), 70);
	assert_int_equal(get(1, 70, PERFCTR0), 70);
}

/* The PMU set up anew skips what the first power's did, and counts its own SMIs. */
static void smi_after_reset(void **state)
{
	(void)state;
	start("intel");
	lose_power(0);
	set(0, 400, DEBUGCTL, FREEZE);
	start_pmu(0, 400);
	model_smm_enter(model, 0, 500);
	model_smm_leave(model, 0, 545);
	assert_int_equal(get(0, 600, SMI_COUNT), 1);
	assert_int_equal(get(0, 600, APERF), 1200);
	assert_int_equal(get(0, 600, MPERF), 1200);
	assert_int_equal(get(0, 600, PERFCTR0), 155);
	assert_int_equal(get(0, 600, FIXED1), 155);
	assert_int_equal(get(0, 600, TRUTH_SMIS), 3);
	assert_int_equal(get(0, 600, TRUTH_SMM_CYCLES), 3135);
}

/* 7/5, of which 3 cycles leave a rest: it is lost too, the ratio is the machine's. */
static void reset_keeps_the_ratio(void **state)
{
	(void)state;
	start("intel");
	set(0, 0, TRUTH_RATIO, 7ull << 32 | 5);
	assert_int_equal(get(0, 0, MPERF), 0);
	assert_int_equal(get(0, 3, MPERF), 2);
	model_reset(model, 0, 3);
	assert_int_equal(get(0, 3, MPERF), 0);
	assert_int_equal(get(0, 4, MPERF), 0);
	assert_int_equal(get(0, 5, MPERF), 1);
	assert_int_equal(get(0, 73, MPERF), 50);
}

static void reset_of_amd(void **state)
{
	(void)state;
	start("amd-zen3");
	set(0, 0, HWCR, 1ull << 30);
	set(0, 0, K7_SEL0, 0x76 | ENABLE);
	assert_int_equal(get(0, 100, IRPERF), 100);
	model_reset(model, 0, 100);
	assert_int_equal(get(0, 150, HWCR), 0);
	assert_int_equal(get(0, 150, K7_SEL0), 0);
	assert_int_equal(get(0, 150, K7_CTR0), 0);
	assert_int_equal(get(0, 150, IRPERF), 0);
	assert_int_equal(get(0, 150, APERF_RO), 50);
	assert_int_equal(get(0, 150, MPERF_RO), 50);
	set(0, 150, HWCR, 1ull << 30);
	assert_int_equal(get(0, 160, IRPERF), 10);
}

static void registers_of_others_are_the_cpus(void **state)
{
	uint64_t val;

	(void)state;
	start("amd-zen3");
	assert_false(model_rdmsr(model, 0, 0, SMI_COUNT, &val));
	assert_false(model_rdmsr(model, 0, 0, DEBUGCTL, &val));
	assert_false(model_wrmsr(model, 0, 0, DEBUGCTL, FREEZE));
	assert_false(model_rdmsr(model, 0, 0, 0x10, &val));
}

static void hypervisor_is_dead(void **state)
{
	struct model_cpuid said;

	(void)state;
	start("hypervisor");
	assert_true(model_cpuid(model, 6, &said));
	assert_int_equal(said.reg[2] & 1, 1);
	assert_false(model_cpuid(model, 0xa, &said));
	assert_int_equal(get(0, 100, APERF), 0);
	assert_int_equal(get(0, 200, MPERF), 0);
	set(0, 200, TRUTH_INJECT, 5);
	assert_int_equal(get(0, 200, SMI_COUNT), 0);
	assert_int_equal(get(0, 200, TRUTH_SMIS), 1);
}

static void unknown_profile(void **state)
{
	(void)state;
	assert_null(model_new("no-such-cpu", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(aperf_counts_cycles, stop),
		cmocka_unit_test_teardown(mperf_follows_the_ratio, stop),
		cmocka_unit_test_teardown(smi_without_freeze_is_counted_by_all, stop),
		cmocka_unit_test_teardown(frozen_pmu_skips_smm, stop),
		cmocka_unit_test_teardown(rendezvous_takes_all_cpus, stop),
		cmocka_unit_test_teardown(injected_smis, stop),
		cmocka_unit_test_teardown(armed_smi_strikes_before_the_kth_read, stop),
		cmocka_unit_test_teardown(storm_strikes_before_each_read, stop),
		cmocka_unit_test_teardown(stalls_take_time_and_no_cycles, stop),
		cmocka_unit_test_teardown(counters_stand_while_disabled, stop),
		cmocka_unit_test_teardown(widths, stop),
		cmocka_unit_test_teardown(no_freeze_no_bit, stop),
		cmocka_unit_test_teardown(cpus_that_differ, stop),
		cmocka_unit_test_teardown(amd, stop),
		cmocka_unit_test_teardown(reset_loses_registers, stop),
		cmocka_unit_test_teardown(reset_keeps_the_truth, stop),
		cmocka_unit_test_teardown(reset_is_of_one_cpu, stop),
		cmocka_unit_test_teardown(smi_after_reset, stop),
		cmocka_unit_test_teardown(reset_keeps_the_ratio, stop),
		cmocka_unit_test_teardown(reset_of_amd, stop),
		cmocka_unit_test_teardown(registers_of_others_are_the_cpus, stop),
		cmocka_unit_test_teardown(hypervisor_is_dead, stop),
		cmocka_unit_test(unknown_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
