// SPDX-License-Identifier: GPL-2.0-only
/* What two records make, and what each condition that does not hold takes away. */
#include "unit.h"

#include "pair.h"

/* The values of a delta, one bit each. */
enum {
	ELAPSED = 1 << 0,
	TSC = 1 << 1,
	APERF = 1 << 2,
	MPERF = 1 << 3,
	CYCLES = 1 << 4,
	IRPERF = 1 << 5,
	SMI = 1 << 6,
	COST = 1 << 7,
	USEC = 1 << 8,
	ALL = (1 << 9) - 1,
};

static const struct smimon_value *value_of(const struct smimon_delta *d, int bit)
{
	switch (bit) {
	case ELAPSED:
		return &d->elapsed;
	case TSC:
		return &d->tsc;
	case APERF:
		return &d->aperf;
	case MPERF:
		return &d->mperf;
	case CYCLES:
		return &d->cycles;
	case IRPERF:
		return &d->irperf;
	case SMI:
		return &d->smi;
	case COST:
		return &d->smm_cycles;
	default:
		return &d->smm_usec;
	}
}

static void compute(struct smimon_delta *d, const struct smimon_record *from,
		    const struct smimon_record *to)
{
	smimon_delta_compute(d, from, to, PAIR_BASE_KHZ);
}

static void values(void **state)
{
	struct smimon_delta d;

	compute(&d, &pair_from, &pair_to);
	assert_int_equal(d.cpu, 3);
	assert_int_equal(d.base_khz, PAIR_BASE_KHZ);
	assert_true(d.elapsed.count == 1000000000);
	assert_true(d.tsc.count == 2000000000);
	assert_true(d.aperf.count == 1500000000);
	assert_true(d.mperf.count == 1000000000);
	assert_true(d.cycles.count == 1470000000);
	assert_true(d.irperf.count == 3000000000);
	assert_true(d.smi.count == 10);
	assert_true(d.smi_sum.count == 10);
	assert_true(d.smm_cycles.count == 30000000);
	assert_close(d.smm_cycles.real, 30e6);
	/* 30 M cycles at 3 GHz. */
	assert_close(d.smm_usec.real, 10000);
	assert_true(d.floor.aperf == 0);
	assert_int_equal(smimon_delta_reason(&d), SMIMON_MISSING_NOTHING);
}

/* Each of @bits is missing for @why, and nothing else is missing. */
static void expect_missing_in(const char *text, const struct smimon_delta *d, int bits,
			      enum smimon_missing why)
{
	int bit;

	for (bit = 1; bit < ALL; bit <<= 1) {
		const struct smimon_value *value = value_of(d, bit);

		assert_case(text, value->missing, bits & bit ? why : SMIMON_MISSING_NOTHING);
		if (!value->missing)
			continue;
		assert_true(value->count == 0);
		assert_true(value->real == 0);
	}
}

static void expect_missing(const struct smimon_delta *d, int bits, enum smimon_missing why)
{
	expect_missing_in("alone", d, bits, why);
}

/* One condition that does not hold, in either record alone. */
struct spoiler {
	const char *text;
	uint32_t invalid;	/* in valid */
	uint32_t set;		/* in flags */
	uint32_t clear;		/* in flags */
	int epoch;
	int freeze_epoch;
	int missing;
	enum smimon_missing why;
};

static const struct spoiler spoilers[] = {
	{ "epoch changed", .epoch = 1, .missing = ALL, .why = SMIMON_MISSING_EPOCH },
	{ "no TSC", .invalid = SMIMON_VALID(SMIMON_COUNTER_TSC), .missing = TSC,
	  .why = SMIMON_MISSING_TSC },
	{ "no APERF", .invalid = SMIMON_VALID(SMIMON_COUNTER_APERF), .missing = APERF | COST | USEC,
	  .why = SMIMON_MISSING_APERF },
	{ "no MPERF", .invalid = SMIMON_VALID(SMIMON_COUNTER_MPERF), .missing = MPERF | USEC,
	  .why = SMIMON_MISSING_MPERF },
	{ "no cycle counter", .invalid = SMIMON_VALID(SMIMON_COUNTER_CYCLES),
	  .missing = CYCLES | COST | USEC, .why = SMIMON_MISSING_CYCLES },
	{ "cycles lost", .invalid = SMIMON_VALID(SMIMON_COUNTER_CYCLES),
	  .set = SMIMON_RECORD_CYCLES_LOST, .missing = CYCLES | COST | USEC,
	  .why = SMIMON_MISSING_CYCLES_LOST },
	{ "cycles lost, if valid says otherwise", .set = SMIMON_RECORD_CYCLES_LOST,
	  .missing = CYCLES | COST | USEC, .why = SMIMON_MISSING_CYCLES_LOST },
	{ "no IRPERF", .invalid = SMIMON_VALID(SMIMON_COUNTER_IRPERF), .missing = IRPERF,
	  .why = SMIMON_MISSING_IRPERF },
	{ "no SMI count", .invalid = SMIMON_VALID(SMIMON_COUNTER_SMI_COUNT),
	  .missing = SMI | COST | USEC, .why = SMIMON_MISSING_SMI_COUNT },
	{ "no freeze bit", .invalid = SMIMON_VALID(SMIMON_COUNTER_DEBUGCTL),
	  .missing = COST | USEC, .why = SMIMON_MISSING_FREEZE_BIT },
	{ "freeze changed", .freeze_epoch = 1, .missing = COST | USEC,
	  .why = SMIMON_MISSING_FREEZE_CHANGED },
	{ "freeze off at one end", .clear = SMIMON_RECORD_FREEZE_ON, .missing = COST | USEC,
	  .why = SMIMON_MISSING_FREEZE_CHANGED },
	{ "freeze lost", .set = SMIMON_RECORD_FREEZE_LOST, .clear = SMIMON_RECORD_FREEZE_ON,
	  .freeze_epoch = 1, .missing = COST | USEC, .why = SMIMON_MISSING_FREEZE_LOST },
	{ "torn", .set = SMIMON_RECORD_TORN, .missing = COST | USEC, .why = SMIMON_MISSING_TORN },
	{ "isolated", .set = SMIMON_RECORD_ISOLATED },
};

static void spoil(struct smimon_record *record, const struct spoiler *spoiler)
{
	record->valid &= ~spoiler->invalid;
	record->flags = (record->flags | spoiler->set) & ~spoiler->clear;
	record->epoch += spoiler->epoch;
	record->freeze_epoch += spoiler->freeze_epoch;
}

static void each_reason_alone(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spoilers); i++) {
		struct smimon_record from = pair_from, to = pair_to;
		struct smimon_delta d;

		spoil(&from, &spoilers[i]);
		compute(&d, &from, &pair_to);
		expect_missing_in(spoilers[i].text, &d, spoilers[i].missing, spoilers[i].why);
		spoil(&to, &spoilers[i]);
		compute(&d, &pair_from, &to);
		expect_missing_in(spoilers[i].text, &d, spoilers[i].missing, spoilers[i].why);
	}
}

static void freeze_off_at_both_ends(void **state)
{
	struct smimon_record from = pair_from, to = pair_to;
	struct smimon_delta d;

	from.flags = 0;
	to.flags = 0;
	compute(&d, &from, &to);
	expect_missing(&d, COST | USEC, SMIMON_MISSING_FREEZE_OFF);
	/* Also if there was no SMI: that it would have been seen is not known. */
	to.smi_count = from.smi_count;
	compute(&d, &from, &to);
	expect_missing(&d, COST | USEC, SMIMON_MISSING_FREEZE_OFF);
	assert_true(d.floor.aperf == 0);
}

static void ends(void **state)
{
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	compute(&d, NULL, &pair_to);
	assert_int_equal(d.cpu, 3);
	expect_missing(&d, ALL, SMIMON_MISSING_NEW);
	compute(&d, &pair_from, NULL);
	assert_int_equal(d.cpu, 3);
	expect_missing(&d, ALL, SMIMON_MISSING_OFFLINE);
	compute(&d, &pair_to, &pair_from);
	expect_missing(&d, ALL, SMIMON_MISSING_ORDER);
	to.time_ns = pair_from.time_ns;
	compute(&d, &pair_from, &to);
	expect_missing(&d, ELAPSED, SMIMON_MISSING_TIME);
	smimon_delta_none(&d, 9, SMIMON_MISSING_OFFLINE);
	assert_int_equal(d.cpu, 9);
	expect_missing(&d, ALL, SMIMON_MISSING_OFFLINE);
}

static void twice_the_same_record(void **state)
{
	struct smimon_delta d;

	compute(&d, &pair_from, &pair_from);
	expect_missing(&d, ELAPSED, SMIMON_MISSING_TIME);
	assert_true(d.smi.count == 0);
	assert_true(d.smm_cycles.count == 0);
}

/* Where a counter starts, how far it moves. Each stays below its width and wraps there. */
static void wraps(void **state)
{
	static const struct {
		uint64_t smi[2], dsmi;
		uint64_t irperf[2], dirperf;
		uint64_t aperf[2], daperf;
	} cases[] = {
		{ { 0xffffffff, 0 }, 1, { 0xffffffffffff, 0 }, 1, { UINT64_MAX, 0 }, 1 },
		{ { 0xfffffffe, 3 }, 5, { 0xfffffffffffe, 3 }, 5, { UINT64_MAX - 1, 3 }, 5 },
		{ { 0, 0xffffffff }, 0xffffffff, { 0, 0xffffffffffff }, 0xffffffffffff,
		  { 0, UINT64_MAX }, UINT64_MAX },
		/* Bits that are not the counter's do not count. */
		{ { 0x100000000, 0x200000001 }, 1, { 0x1000000000000, 0x2000000000007 }, 7,
		  { 0x1000000000000, 0x2000000000007 }, 0x1000000000007 },
		{ { 7, 7 }, 0, { 7, 7 }, 0, { 7, 7 }, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct smimon_record from = pair_from, to = pair_to;
		struct smimon_delta d;

		from.smi_count = cases[i].smi[0];
		to.smi_count = cases[i].smi[1];
		from.irperf = cases[i].irperf[0];
		to.irperf = cases[i].irperf[1];
		from.aperf = cases[i].aperf[0];
		to.aperf = cases[i].aperf[1];
		from.mperf = from.tsc = from.cycles = from.aperf;
		to.mperf = to.tsc = to.cycles = to.aperf;
		compute(&d, &from, &to);
		assert_true(d.smi.count == cases[i].dsmi);
		assert_true(d.irperf.count == cases[i].dirperf);
		assert_true(d.aperf.count == cases[i].daperf);
		assert_true(d.mperf.count == cases[i].daperf);
		assert_true(d.tsc.count == cases[i].daperf);
		assert_true(d.cycles.count == cases[i].daperf);
	}
}

/* By how much APERF moves ahead of cycles, with and without an SMI. */
static void cost_and_floor(void **state)
{
	static const struct {
		int64_t excess;
		uint32_t smis;
		uint64_t cost;
		int64_t floor;
	} cases[] = {
		{ 30000000, 1, 30000000, 0 },
		{ 1, 1, 1, 0 },
		{ 0, 1, 0, 0 },
		{ -1, 1, 0, 0 },		/* noise */
		{ -500, 1, 0, 0 },
		{ 40, 0, 0, 40 },		/* the method's own */
		{ -3, 0, 0, -3 },
		{ 1500000000, 2, 1500000000, 0 },	/* all of it in SMM */
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct smimon_record to = pair_to;
		struct smimon_delta d;

		to.smi_count = pair_from.smi_count + cases[i].smis;
		to.cycles = pair_from.cycles + 1500000000 - cases[i].excess;
		compute(&d, &pair_from, &to);
		expect_missing(&d, 0, SMIMON_MISSING_NOTHING);
		assert_true(d.smm_cycles.count == cases[i].cost);
		assert_close(d.smm_usec.real, cases[i].cost / 3000.0);
		assert_true(d.floor.excess == cases[i].floor);
		assert_int_equal(!d.floor.aperf, !!cases[i].smis);
		assert_true(!d.floor.aperf || d.floor.aperf == 1500000000);
	}
}

/* What the time in SMM needs: an APERF that counts, an MPERF, a base clock, unless it is none. */
static void time_needs_a_clock(void **state)
{
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	smimon_delta_compute(&d, &pair_from, &to, 0);
	expect_missing(&d, USEC, SMIMON_MISSING_BASE);
	to.mperf = pair_from.mperf;
	compute(&d, &pair_from, &to);
	expect_missing(&d, USEC, SMIMON_MISSING_IDLE);

	to.smi_count = pair_from.smi_count;
	smimon_delta_compute(&d, &pair_from, &to, 0);
	expect_missing(&d, 0, SMIMON_MISSING_NOTHING);
	assert_true(d.smm_usec.real == 0);
}

/* SMIs that move no APERF are those of a hypervisor, and their cost is not 0. */
static void idle(void **state)
{
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.aperf = pair_from.aperf;
	to.mperf = pair_from.mperf;
	to.cycles = pair_from.cycles;
	compute(&d, &pair_from, &to);
	expect_missing(&d, COST | USEC, SMIMON_MISSING_IDLE);
	to.smi_count = pair_from.smi_count;
	compute(&d, &pair_from, &to);
	expect_missing(&d, 0, SMIMON_MISSING_NOTHING);
	assert_true(d.smm_cycles.count == 0);
}

/* A tear that is small against what is measured leaves the clock alone. */
static void torn_readings_and_the_clock(void **state)
{
	uint64_t thousandth = (pair_to.mperf - pair_from.mperf) / 1000;
	struct smimon_record from = pair_from, to = pair_to;
	struct smimon_delta d;

	to.flags |= SMIMON_RECORD_TORN;
	to.window = thousandth;
	from.window = 1;
	compute(&d, &from, &to);
	expect_missing(&d, COST | USEC, SMIMON_MISSING_TORN);
	from.flags |= SMIMON_RECORD_TORN;
	compute(&d, &from, &to);
	expect_missing(&d, APERF | MPERF | IRPERF | COST | USEC, SMIMON_MISSING_TORN);
	from.window = 0;
	to.window = thousandth + 1;
	compute(&d, &from, &to);
	expect_missing(&d, APERF | MPERF | IRPERF | COST | USEC, SMIMON_MISSING_TORN);
	/* Long windows alone do not matter, nor does a tear of no length. */
	to.flags = from.flags = pair_to.flags;
	from.window = 1;
	compute(&d, &from, &to);
	expect_missing(&d, 0, SMIMON_MISSING_NOTHING);
	/* Without MPERF nothing says how small it is. */
	to.flags |= SMIMON_RECORD_TORN;
	to.window = 1;
	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_MPERF);
	compute(&d, &from, &to);
	expect_missing(&d, APERF | MPERF | IRPERF | COST | USEC, SMIMON_MISSING_TORN);
}

/* Of several reasons for one value the most important is told. */
static void most_important_reason(void **state)
{
	struct smimon_record to = pair_to;
	struct smimon_delta d;

	to.flags = SMIMON_RECORD_TORN;
	to.window = 1;
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_FREEZE_CHANGED);
	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_CYCLES);
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_CYCLES);
	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_APERF);
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_APERF);
	to.valid &= ~SMIMON_VALID(SMIMON_COUNTER_SMI_COUNT);
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_SMI_COUNT);
	to.epoch++;
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_EPOCH);
	to.time_ns = 0;
	compute(&d, &pair_from, &to);
	assert_int_equal(d.smm_cycles.missing, SMIMON_MISSING_ORDER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(each_reason_alone),
		cmocka_unit_test(freeze_off_at_both_ends),
		cmocka_unit_test(ends),
		cmocka_unit_test(twice_the_same_record),
		cmocka_unit_test(wraps),
		cmocka_unit_test(cost_and_floor),
		cmocka_unit_test(time_needs_a_clock),
		cmocka_unit_test(idle),
		cmocka_unit_test(torn_readings_and_the_clock),
		cmocka_unit_test(most_important_reason),
	};

	return cmocka_run_group_tests_name("delta", tests, NULL, NULL);
}
