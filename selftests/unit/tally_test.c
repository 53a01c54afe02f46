// SPDX-License-Identifier: GPL-2.0-only
/* What the daemon sums up: nothing twice, and nothing for what is not known. */
#include "unit.h"

#include "second.h"
#include "tally.h"

#define MAX_CPUS	64

static struct tally tally;

static int set_up(void **state)
{
	tally_init(&tally);
	return 0;
}

static int tear_down(void **state)
{
	tally_clear(&tally);
	return 0;
}

#define TALLY_TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* An interval at whose end those CPUs are there that do not lack their record. */
static void add(const struct smimon_delta *delta, size_t count)
{
	struct smimon_record record[MAX_CPUS];
	struct smimon_snapshot now = { .record = record };
	size_t i;

	assert_true(count <= MAX_CPUS);
	for (i = 0; i < count; i++) {
		if (delta[i].smi.missing == SMIMON_MISSING_OFFLINE)
			continue;
		record[now.count] = pair_to;
		record[now.count++].cpu = delta[i].cpu;
	}
	assert_int_equal(tally_add(&tally, &now, delta, count), 0);
}

static const struct tally_cpu *cpu_of(uint32_t cpu)
{
	size_t i;

	for (i = 0; i < tally.count; i++)
		if (tally.cpu[i].cpu == cpu)
			return &tally.cpu[i];
	fail_msg("CPU %u is not there", cpu);
	return NULL;
}

static void sums(void **state)
{
	struct smimon_delta delta[2];
	const struct tally_cpu *cpu;

	second_with(&delta[0], 2, 4, 12000);
	second_with(&delta[1], 5, 3, 30000);
	add(delta, 2);
	second_with(&delta[0], 2, 1, 6000);
	second_with(&delta[1], 5, 2, 600);
	add(delta, 2);

	assert_int_equal(tally.count, 2);
	cpu = cpu_of(2);
	assert_int_equal(cpu->intervals, 2);
	assert_int_equal(cpu->smi, 5);
	assert_int_equal(cpu->smm_cycles, 18000);
	assert_close(cpu->smm_usec, 6);
	assert_int_equal(cpu->observed_ns, 2 * SECOND_NS);
	assert_int_equal(cpu->aperf, 2 * SECOND_APERF);
	assert_int_equal(cpu->mperf, 2 * SECOND_MPERF);
	assert_int_equal(cpu->hertz.missing, SMIMON_MISSING_NOTHING);
	assert_close(cpu->hertz.real, 3e9);
	assert_close(cpu->busy.real, 0.5);
	assert_true(cpu->online && cpu->freeze_on);

	cpu = cpu_of(5);
	assert_int_equal(cpu->smi, 5);
	assert_int_equal(cpu->smm_cycles, 30600);
	assert_close(cpu->smm_usec, 10.2);

	/* Those of the CPU that had most in each: 4 and 2. */
	assert_int_equal(tally.smi, 6);
}

/* What is not known adds nothing, and takes nothing of what it would be a share of. */
static void gaps(void **state)
{
	struct smimon_delta d;
	const struct tally_cpu *cpu;

	second_with(&d, 1, 2, 6000);
	add(&d, 1);
	second_torn(&d, 1, 7);
	add(&d, 1);
	cpu = cpu_of(1);
	assert_int_equal(cpu->intervals, 2);
	assert_int_equal(cpu->smi, 9);
	assert_int_equal(cpu->smm_cycles, 6000);
	assert_close(cpu->smm_usec, 2);
	assert_int_equal(cpu->observed_ns, SECOND_NS);
	assert_int_equal(cpu->aperf, 2 * SECOND_APERF);

	smimon_delta_none(&d, 1, SMIMON_MISSING_EPOCH);
	add(&d, 1);
	cpu = cpu_of(1);
	assert_int_equal(cpu->intervals, 3);
	assert_int_equal(cpu->smi, 9);
	assert_int_equal(cpu->aperf, 2 * SECOND_APERF);
	assert_int_equal(cpu->mperf, 2 * SECOND_MPERF);
	assert_int_equal(cpu->observed_ns, SECOND_NS);
	assert_int_equal(cpu->hertz.missing, SMIMON_MISSING_EPOCH);
	assert_int_equal(cpu->busy.missing, SMIMON_MISSING_EPOCH);
	assert_true(cpu->online);
	assert_int_equal(tally.smi, 9);
}

/* Cycles in SMM are known without the base clock, time is not. */
static void no_base_clock(void **state)
{
	struct smimon_record from = pair_from, to = pair_to;
	struct smimon_delta d;
	const struct tally_cpu *cpu;

	smimon_delta_compute(&d, &from, &to, 0);
	add(&d, 1);
	cpu = cpu_of(3);
	assert_int_equal(cpu->smm_cycles, 30000000);
	assert_close(cpu->smm_usec, 0);
	assert_int_equal(cpu->observed_ns, 0);
	assert_int_equal(cpu->hertz.missing, SMIMON_MISSING_BASE);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_BASE], 1);
}

static void reasons(void **state)
{
	static const enum smimon_missing why[] = {
		SMIMON_MISSING_EPOCH, SMIMON_MISSING_NEW, SMIMON_MISSING_EPOCH,
		SMIMON_MISSING_OFFLINE, SMIMON_MISSING_EPOCH,
	};
	const struct tally_cpu *cpu;
	struct smimon_delta d;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(why); i++) {
		smimon_delta_none(&d, 1, why[i]);
		add(&d, 1);
	}
	second_torn(&d, 1, 0);
	add(&d, 1);
	second_with(&d, 1, 0, 0);
	add(&d, 1);

	cpu = cpu_of(1);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_EPOCH], 3);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_NEW], 1);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_OFFLINE], 1);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_TORN], 1);
	assert_int_equal(cpu->invalid[SMIMON_MISSING_NOTHING], 1);
	for (i = 0; i < TALLY_MISSING; i++)
		sum += cpu->invalid[i];
	assert_int_equal(sum, cpu->intervals);
}

static size_t bucket_of(uint64_t cycles)
{
	struct smimon_delta d;
	size_t i, found = SIZE_MAX;

	second_with(&d, 0, 1, cycles);
	add(&d, 1);
	for (i = 0; i <= TALLY_BOUNDS; i++)
		if (tally.duration[i]) {
			assert_int_equal(tally.duration[i], 1);
			assert_true(found == SIZE_MAX);
			found = i;
			tally.duration[i] = 0;
		}
	return found;
}

/* A bound is the largest of its bucket, as Prometheus has it. */
static void buckets(void **state)
{
	size_t i;

	assert_int_equal(bucket_of(1), 0);
	for (i = 0; i < TALLY_BOUNDS; i++) {
		uint64_t cycles = (uint64_t)tally_bounds[i] * SECOND_CYCLES_PER_USEC;

		assert_int_equal(bucket_of(cycles - 1), i);
		assert_int_equal(bucket_of(cycles), i);
		assert_int_equal(bucket_of(cycles + 1), i + 1);
	}
}

/* An interval's SMIs have the mean of the CPU that it is longest on, not of that with most time. */
static void durations(void **state)
{
	struct smimon_delta delta[4];
	double usec = 0;

	second_with(&delta[0], 0, 10, 10 * 9 * SECOND_CYCLES_PER_USEC);
	second_with(&delta[1], 1, 2, 2 * 40 * SECOND_CYCLES_PER_USEC);
	second_with(&delta[2], 2, 0, 0);
	second_torn(&delta[3], 3, 90);
	assert_ptr_equal(tally_longest(delta, 4, &usec), &delta[1]);
	assert_close(usec, 40);
	add(delta, 4);
	assert_int_equal(tally.duration[2], 2);
	assert_close(tally.duration_usec, 80);
	assert_int_equal(tally.smi, 90);

	/* The first of equals, wherever it is. */
	second_with(&delta[0], 0, 4, 4 * 40 * SECOND_CYCLES_PER_USEC);
	assert_ptr_equal(tally_longest(delta, 4, &usec), &delta[0]);
	assert_ptr_equal(tally_longest(delta + 1, 3, &usec), &delta[1]);
	/* Where nobody knows, or there was none. */
	assert_null(tally_longest(delta + 2, 2, &usec));
	assert_null(tally_longest(delta, 0, &usec));
	add(delta + 2, 2);
	assert_int_equal(tally.duration[2], 2);
	assert_close(tally.duration_usec, 80);

	/* An SMI whose cost is lost in the noise took no time, which is something to know. */
	second_with(&delta[0], 0, 1, 0);
	assert_ptr_equal(tally_longest(delta, 1, &usec), &delta[0]);
	assert_close(usec, 0);
	add(delta, 1);
	assert_int_equal(tally.duration[0], 1);
}

static void gone_and_back(void **state)
{
	struct smimon_delta delta[2];
	const struct tally_cpu *cpu;

	second_with(&delta[0], 0, 1, 3000);
	second_with(&delta[1], 1, 1, 3000);
	add(delta, 2);
	smimon_delta_none(&delta[1], 1, SMIMON_MISSING_OFFLINE);
	add(delta, 2);
	cpu = cpu_of(1);
	assert_false(cpu->online);
	assert_false(cpu->freeze_on);
	assert_int_equal(cpu->smi, 1);
	assert_int_equal(cpu->intervals, 2);

	/* While it is away nothing of it changes. */
	add(delta, 1);
	cpu = cpu_of(1);
	assert_int_equal(cpu->intervals, 2);
	assert_false(cpu->online);
	assert_true(cpu_of(0)->online);

	smimon_delta_none(&delta[1], 1, SMIMON_MISSING_NEW);
	add(delta, 2);
	second_with(&delta[1], 1, 2, 6000);
	add(delta, 2);
	cpu = cpu_of(1);
	assert_true(cpu->online && cpu->freeze_on);
	assert_int_equal(cpu->smi, 3);
	assert_int_equal(cpu->smm_cycles, 9000);
	assert_int_equal(cpu->intervals, 4);
	assert_int_equal(tally.count, 2);
}

static void lost(void **state)
{
	struct smimon_delta d;
	const struct tally_cpu *cpu;

	second_with(&d, 7, 3, 9000);
	add(&d, 1);
	tally_lost(&tally);
	cpu = cpu_of(7);
	assert_false(cpu->online);
	assert_false(cpu->freeze_on);
	assert_int_equal(cpu->smi, 3);
	assert_int_equal(cpu->intervals, 1);
	assert_int_equal(tally.smi, 3);
	add(&d, 1);
	assert_true(cpu_of(7)->online);
	assert_int_equal(cpu_of(7)->smi, 6);
}

/* What the freeze is at the end counts, however the interval was. */
static void freeze(void **state)
{
	struct smimon_record record = pair_to;
	struct smimon_snapshot now = { .record = &record, .count = 1 };
	struct smimon_delta d;

	second_with(&d, record.cpu, 0, 0);
	record.flags &= ~SMIMON_RECORD_FREEZE_ON;
	assert_int_equal(tally_add(&tally, &now, &d, 1), 0);
	assert_true(cpu_of(record.cpu)->online);
	assert_false(cpu_of(record.cpu)->freeze_on);
}

/* They are in the order of CPU numbers, in whichever they come, and keep what is theirs. */
static void order(void **state)
{
	static const uint32_t cpus[] = { 4, 0, 9, 4, 2, 8191, 1, 5, 3, 0 };
	struct smimon_delta d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		second_with(&d, cpus[i], cpus[i] + 1, 0);
		add(&d, 1);
	}
	assert_int_equal(tally.count, 8);
	for (i = 0; i < tally.count; i++) {
		uint64_t times = tally.cpu[i].cpu == 4 || !tally.cpu[i].cpu ? 2 : 1;

		assert_true(!i || tally.cpu[i - 1].cpu < tally.cpu[i].cpu);
		assert_int_equal(tally.cpu[i].intervals, times);
		assert_int_equal(tally.cpu[i].smi, times * (tally.cpu[i].cpu + 1));
	}
}

/* More than there is room for at first, from the last to the first. */
static void many(void **state)
{
	struct smimon_delta d;
	uint32_t cpu;

	for (cpu = 200; cpu--;) {
		second_with(&d, cpu, cpu, 0);
		add(&d, 1);
	}
	assert_int_equal(tally.count, 200);
	for (cpu = 0; cpu < 200; cpu++) {
		assert_int_equal(tally.cpu[cpu].cpu, cpu);
		assert_int_equal(tally.cpu[cpu].smi, cpu);
	}
}

/* Sums outgrow 32 bits, and what a double holds exactly. */
static void growth(void **state)
{
	struct smimon_delta d;
	const struct tally_cpu *cpu;

	second_with(&d, 0, UINT32_MAX, 0);
	d.aperf.count = (UINT64_C(1) << 53) + 1;
	d.mperf.count = UINT64_C(1) << 62;
	d.smm_cycles.count = (UINT64_C(1) << 53) + 1;
	d.elapsed.count = UINT64_C(1) << 61;
	add(&d, 1);
	add(&d, 1);
	cpu = cpu_of(0);
	assert_int_equal(cpu->smi, 2 * UINT64_C(0xffffffff));
	assert_int_equal(cpu->aperf, (UINT64_C(1) << 54) + 2);
	assert_int_equal(cpu->mperf, UINT64_C(1) << 63);
	assert_int_equal(cpu->smm_cycles, (UINT64_C(1) << 54) + 2);
	assert_int_equal(cpu->observed_ns, UINT64_C(1) << 62);
	assert_int_equal(tally.smi, 2 * UINT64_C(0xffffffff));
	assert_int_equal(tally.duration[0], 2 * UINT64_C(0xffffffff));
}

/* The first snapshot has nothing to compare with. */
static void nothing(void **state)
{
	add(NULL, 0);
	assert_int_equal(tally.count, 0);
	assert_int_equal(tally.smi, 0);
	tally_lost(&tally);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TALLY_TEST(sums),
		TALLY_TEST(gaps),
		TALLY_TEST(no_base_clock),
		TALLY_TEST(reasons),
		TALLY_TEST(buckets),
		TALLY_TEST(durations),
		TALLY_TEST(gone_and_back),
		TALLY_TEST(lost),
		TALLY_TEST(freeze),
		TALLY_TEST(order),
		TALLY_TEST(many),
		TALLY_TEST(growth),
		TALLY_TEST(nothing),
	};

	return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
