// SPDX-License-Identifier: GPL-2.0-only
/* The rows that the history gets: nothing twice, nothing left out, nothing that is not known. */
#include "unit.h"

#include <string.h>

#include "rollup.h"
#include "schema.h"
#include "second.h"

#define MAX_ROWS	64
#define MINUTE_NS	INT64_C(60000000000)
#define START		(1000 * MINUTE_NS)

static struct rollup rollup;
static struct history_row rows[MAX_ROWS];
static size_t row_count;
static int64_t now;

static void emit(void *arg, const struct history_row *row)
{
	assert_ptr_equal(arg, rows);
	assert_true(row_count < MAX_ROWS);
	rows[row_count++] = *row;
}

static int set_up(void **state)
{
	rollup = (struct rollup){ .emit = emit, .arg = rows };
	row_count = 0;
	now = START;
	return 0;
}

static int tear_down(void **state)
{
	rollup_clear(&rollup);
	return 0;
}

/* A second that all CPUs of @delta saw. */
static void add(const struct smimon_delta *delta, size_t count)
{
	struct interval interval = {
		.length_ns = SECOND_NS, .delta = delta, .count = count,
	};

	now += SECOND_NS;
	interval.end_ns = now;
	assert_int_equal(rollup_add(&rollup, &interval), 0);
}

static const struct history_row *find(enum history_table table, int32_t cpu, size_t nth)
{
	size_t i;

	for (i = 0; i < row_count; i++)
		if (rows[i].table == table && rows[i].cpu == cpu && !nth--)
			return &rows[i];
	return NULL;
}

static size_t rows_of(enum history_table table)
{
	size_t i, count = 0;

	for (i = 0; i < row_count; i++)
		count += rows[i].table == table;
	return count;
}

/* Each interval with SMIs is a row of each CPU, and one of the machine: that of the longest. */
static void smis(void **state)
{
	const struct history_row *row;
	struct smimon_delta delta[2];

	second_with(&delta[0], 0, 2, 6000);
	second_with(&delta[1], 1, 2, 12000);
	add(delta, 2);
	assert_int_equal(row_count, 3);
	row = find(HISTORY_EVENT, 0, 0);
	assert_true(row->cost_known && row->usec_known);
	assert_int_equal(row->smi, 2);
	assert_int_equal(row->intervals, 1);
	assert_int_equal(row->smm_cycles, 6000);
	assert_close(row->smm_usec, 2);
	assert_int_equal(row->end_ns, START + SECOND_NS);
	assert_int_equal(row->length_ns, SECOND_NS);
	assert_null(row->reason);
	row = find(HISTORY_EVENT, SCHEMA_MACHINE, 0);
	assert_int_equal(row->smi, 2);
	assert_close(row->smm_usec, 4);
	assert_int_equal(row->smm_cycles, 12000);
}

/* How many there were is known, what they took is not. */
static void smis_of_unknown_cost(void **state)
{
	const struct history_row *row;
	struct smimon_delta d;

	second_torn(&d, 0, 3);
	add(&d, 1);
	row = find(HISTORY_EVENT, 0, 0);
	assert_int_equal(row->smi, 3);
	assert_false(row->cost_known || row->usec_known);
	assert_string_equal(row->reason, "torn");
	row = find(HISTORY_EVENT, SCHEMA_MACHINE, 0);
	assert_int_equal(row->smi, 3);
	assert_false(row->cost_known || row->usec_known);
	assert_string_equal(row->reason, "torn");
}

static void quiet_has_no_row_but_the_minute(void **state)
{
	const struct history_row *row;
	struct smimon_delta d;
	int i;

	second_with(&d, 0, 0, 0);
	for (i = 0; i < 10; i++)
		add(&d, 1);
	assert_int_equal(row_count, 0);
	rollup_flush(&rollup);
	assert_int_equal(row_count, 2);
	row = find(HISTORY_MINUTE, 0, 0);
	assert_int_equal(row->intervals, 10);
	assert_int_equal(row->invalid, 0);
	assert_int_equal(row->length_ns, 10 * SECOND_NS);
	assert_int_equal(row->observed_ns, 10 * SECOND_NS);
	assert_int_equal(row->aperf, 10 * SECOND_APERF);
	assert_int_equal(row->mperf, 10 * SECOND_MPERF);
	assert_int_equal(row->base_khz, PAIR_BASE_KHZ);
	assert_int_equal(row->clock_ns, 10 * SECOND_NS);
	rollup_flush(&rollup);
	assert_int_equal(row_count, 2);
}

/* Intervals that lack something for one reason are one row until one is whole, or has an SMI. */
static void runs(void **state)
{
	const struct history_row *row;
	struct smimon_delta d;

	second_torn(&d, 0, 0);
	add(&d, 1);
	add(&d, 1);
	smimon_delta_none(&d, 0, SMIMON_MISSING_OFFLINE);
	add(&d, 1);
	second_with(&d, 0, 0, 0);
	add(&d, 1);
	smimon_delta_none(&d, 0, SMIMON_MISSING_OFFLINE);
	add(&d, 1);
	second_with(&d, 0, 1, 3000);
	add(&d, 1);
	assert_int_equal(rows_of(HISTORY_EVENT), 5);
	row = find(HISTORY_EVENT, 0, 0);
	assert_string_equal(row->reason, "torn");
	assert_int_equal(row->intervals, 2);
	assert_int_equal(row->length_ns, 2 * SECOND_NS);
	assert_int_equal(row->end_ns, START + 2 * SECOND_NS);
	assert_false(row->cost_known || row->usec_known);
	row = find(HISTORY_EVENT, 0, 1);
	assert_string_equal(row->reason, "cpu offline");
	assert_int_equal(row->intervals, 1);
	assert_int_equal(find(HISTORY_EVENT, 0, 2)->end_ns, START + 5 * SECOND_NS);
	assert_int_equal(find(HISTORY_EVENT, 0, 3)->smi, 1);
	rollup_flush(&rollup);
	row = find(HISTORY_MINUTE, 0, 0);
	assert_int_equal(row->intervals, 6);
	assert_int_equal(row->invalid, 4);
}

/* A row of a minute has what ended in it, and a run does not go over its end. */
static void minutes(void **state)
{
	const struct history_row *first, *second;
	struct smimon_delta delta[2];

	now = START + MINUTE_NS - 3 * SECOND_NS;
	second_with(&delta[0], 0, 1, 3000);
	second_torn(&delta[1], 7, 0);
	add(delta, 2);
	add(delta, 2);
	second_with(&delta[0], 0, 2, 24000);
	add(delta, 2);
	assert_int_equal(rows_of(HISTORY_MINUTE), 3);
	first = find(HISTORY_MINUTE, 0, 0);
	assert_int_equal(first->intervals, 2);
	assert_int_equal(first->smi, 2);
	assert_int_equal(first->smm_cycles, 6000);
	assert_close(first->smm_usec, 2);
	assert_close(first->worst_usec, 1);
	assert_int_equal(first->end_ns, START + MINUTE_NS - SECOND_NS);
	rollup_flush(&rollup);
	assert_int_equal(rows_of(HISTORY_MINUTE), 6);
	second = find(HISTORY_MINUTE, 0, 1);
	assert_int_equal(second->intervals, 1);
	assert_int_equal(second->smi, 2);
	assert_close(second->worst_usec, 4);
	assert_int_equal(find(HISTORY_EVENT, 7, 0)->intervals, 2);
	assert_int_equal(find(HISTORY_EVENT, 7, 1)->intervals, 1);
	assert_int_equal(find(HISTORY_MINUTE, 7, 0)->observed_ns, 0);
}

/* A CPU for which the cost is not known takes nothing of the machine's, if another has it. */
static void machine_of_uneven_cpus(void **state)
{
	const struct history_row *row;
	struct smimon_delta delta[2];

	second_torn(&delta[0], 0, 1);
	second_with(&delta[1], 1, 1, 3000);
	add(delta, 2);
	row = find(HISTORY_EVENT, SCHEMA_MACHINE, 0);
	assert_true(row->cost_known && row->usec_known);
	assert_close(row->smm_usec, 1);
	rollup_flush(&rollup);
	row = find(HISTORY_MINUTE, SCHEMA_MACHINE, 0);
	assert_int_equal(row->observed_ns, SECOND_NS);
	assert_int_equal(row->smi, 1);
}

/* CPUs that come in another order, and leave, are still told apart. */
static void cpus_come_and_go(void **state)
{
	struct smimon_delta delta[3];
	uint32_t cpu;

	for (cpu = 0; cpu < 3; cpu++)
		second_with(&delta[cpu], cpu, 0, 0);
	add(delta, 3);
	add(delta + 1, 1);
	second_with(&delta[0], 2, 0, 0);
	second_with(&delta[2], 0, 0, 0);
	add(delta, 3);
	rollup_flush(&rollup);
	assert_int_equal(row_count, 4);
	assert_int_equal(find(HISTORY_MINUTE, 0, 0)->intervals, 2);
	assert_int_equal(find(HISTORY_MINUTE, 1, 0)->intervals, 3);
	assert_int_equal(find(HISTORY_MINUTE, 2, 0)->intervals, 2);
	assert_int_equal(find(HISTORY_MINUTE, SCHEMA_MACHINE, 0)->intervals, 3);
}

#define ROLLUP_TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ROLLUP_TEST(smis),
		ROLLUP_TEST(smis_of_unknown_cost),
		ROLLUP_TEST(quiet_has_no_row_but_the_minute),
		ROLLUP_TEST(runs),
		ROLLUP_TEST(minutes),
		ROLLUP_TEST(machine_of_uneven_cpus),
		ROLLUP_TEST(cpus_come_and_go),
	};

	return cmocka_run_group_tests_name("rollup", tests, NULL, NULL);
}
