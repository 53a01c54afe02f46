// SPDX-License-Identifier: GPL-2.0-only
/* Totals over CPUs: what is summed, what is weighted, what is not there. */
#include "unit.h"

#include <string.h>

#include "pair.h"

/*
 * The other CPU, likewise a second: a quarter busy, at 2 GHz, with 12 SMIs. MPERF and APERF move by
 * 500 M, cycles by 10 M less, IRPERF by 250 M.
 */
static void other_cpu(struct smimon_record *to)
{
	*to = pair_to;
	to->mperf = pair_from.mperf + 500000000;
	to->aperf = pair_from.aperf + 500000000;
	to->cycles = pair_from.cycles + 490000000;
	to->irperf = pair_from.irperf + 250000000;
	to->smi_count = pair_from.smi_count + 12;
}

static void compute(struct smimon_delta *d, const struct smimon_record *to)
{
	smimon_delta_compute(d, &pair_from, to, PAIR_BASE_KHZ);
}

static double value_of(const struct smimon_delta *d, const char *name)
{
	const struct smimon_metric *metrics;
	size_t i, count;

	metrics = smimon_metrics(&count);
	for (i = 0; i < count; i++)
		if (!strcmp(metrics[i].name, name))
			return metrics[i].get(d).missing ? NAN : metrics[i].get(d).real;
	fail_msg("no metric %s", name);
	return NAN;
}

static void two_cpus(void **state)
{
	struct smimon_delta d[2], total;
	struct smimon_record to;

	other_cpu(&to);
	compute(&d[0], &pair_to);
	compute(&d[1], &to);
	smimon_delta_total(&total, d, 2);
	assert_int_equal(total.cpu, SMIMON_CPU_ALL);
	assert_true(total.smi.count == 12);
	assert_true(total.smi_sum.count == 22);
	assert_true(total.smm_cycles.count == 40000000);
	assert_true(total.elapsed.count == 2000000000);
	assert_true(total.tsc.count == 4000000000);

	assert_close(value_of(&total, "smi"), 12);
	assert_close(value_of(&total, "smi_cycles_percent"), 2);		/* 40 M of 2000 M */
	assert_close(value_of(&total, "smm_usec"), 15000);		/* 10 ms and 5 ms */
	assert_close(value_of(&total, "usec_per_smi"), 15000 / 22.0);
	assert_close(value_of(&total, "smm_wall_percent"), 0.75);		/* 15 ms of 2 s */
	assert_close(value_of(&total, "bzy_mhz"), 8000 / 3.0);	/* 3000 and 2000, weighted 2 to 1 */
	assert_close(value_of(&total, "busy_percent"), 37.5);
	assert_close(value_of(&total, "avg_mhz"), 1000);			/* 1500 and 500 */
	assert_close(value_of(&total, "ipc"), 1.625);			/* 3250 M to 2000 M */
	assert_close(value_of(&total, "aperf"), 2e9);
	assert_close(value_of(&total, "mperf"), 1.5e9);
	assert_close(value_of(&total, "cycles"), 1.96e9);
	assert_int_equal(smimon_delta_reason(&total), SMIMON_MISSING_NOTHING);

	/* In the other order it is the same. */
	compute(&d[1], &pair_to);
	compute(&d[0], &to);
	smimon_delta_total(&total, d, 2);
	assert_true(total.smi.count == 12);
	assert_close(value_of(&total, "bzy_mhz"), 8000 / 3.0);
}

/* A CPU whose noise makes its cost negative does not take from that of another. */
static void costs_are_summed_not_computed_from_sums(void **state)
{
	struct smimon_delta d[2], total;
	struct smimon_record to;

	other_cpu(&to);
	to.cycles = to.aperf - pair_from.aperf + pair_from.cycles + 1000;
	compute(&d[0], &to);
	compute(&d[1], &pair_to);
	smimon_delta_total(&total, d, 2);
	assert_true(total.smm_cycles.count == 30000000);
}

/* One CPU without a cost makes the total's unknown, and nothing else. */
static void one_has_no_cost(void **state)
{
	struct smimon_delta d[2], total;
	struct smimon_record to;
	size_t spoiled;

	for (spoiled = 0; spoiled < 2; spoiled++) {
		other_cpu(&to);
		to.flags |= SMIMON_RECORD_TORN;
		compute(&d[spoiled], &to);
		compute(&d[!spoiled], &pair_to);
		smimon_delta_total(&total, d, 2);
		assert_int_equal(total.smm_cycles.missing, SMIMON_MISSING_TORN);
		assert_true(total.smm_cycles.count == 0);
		assert_int_equal(total.smm_usec.missing, SMIMON_MISSING_TORN);
		assert_true(isnan(value_of(&total, "smi_cycles_percent")));
		assert_true(isnan(value_of(&total, "usec_per_smi")));
		assert_close(value_of(&total, "smi"), 12);
		assert_close(value_of(&total, "bzy_mhz"), 8000 / 3.0);
		assert_int_equal(smimon_delta_reason(&total), SMIMON_MISSING_TORN);
	}
}

/* An offline CPU makes sums unknown. Others know the SMIs all the same. */
static void one_is_offline(void **state)
{
	struct smimon_delta d[2], total;
	size_t offline;

	for (offline = 0; offline < 2; offline++) {
		compute(&d[!offline], &pair_to);
		smimon_delta_compute(&d[offline], &pair_from, NULL, PAIR_BASE_KHZ);
		smimon_delta_total(&total, d, 2);
		assert_close(value_of(&total, "smi"), 10);
		assert_true(isnan(value_of(&total, "smm_cycles")));
		assert_true(isnan(value_of(&total, "bzy_mhz")));
		assert_true(isnan(value_of(&total, "usec_per_smi")));
		assert_int_equal(smimon_delta_reason(&total), SMIMON_MISSING_OFFLINE);

		/* Also that there was none. */
		compute(&d[!offline], &pair_from);
		smimon_delta_total(&total, d, 2);
		assert_int_equal(total.smi.missing, SMIMON_MISSING_NOTHING);
		assert_close(value_of(&total, "smi"), 0);
	}
}

static void most_important_reason(void **state)
{
	struct smimon_delta d[3], total;

	compute(&d[0], &pair_to);
	smimon_delta_none(&d[1], 1, SMIMON_MISSING_EPOCH);
	smimon_delta_none(&d[2], 2, SMIMON_MISSING_OFFLINE);
	smimon_delta_total(&total, d, 3);
	assert_int_equal(total.aperf.missing, SMIMON_MISSING_OFFLINE);
	assert_int_equal(smimon_delta_reason(&total), SMIMON_MISSING_OFFLINE);
	smimon_delta_total(&total, d, 2);
	assert_int_equal(total.aperf.missing, SMIMON_MISSING_EPOCH);
	smimon_delta_total(&total, d + 1, 2);
	assert_int_equal(total.smi.missing, SMIMON_MISSING_OFFLINE);
	assert_int_equal(total.aperf.missing, SMIMON_MISSING_OFFLINE);
}

static void none_and_one(void **state)
{
	struct smimon_delta d, total;

	smimon_delta_total(&total, NULL, 0);
	assert_int_equal(total.cpu, SMIMON_CPU_ALL);
	assert_int_equal(total.smi.missing, SMIMON_MISSING_NO_CPU);
	assert_int_equal(smimon_delta_reason(&total), SMIMON_MISSING_NO_CPU);

	compute(&d, &pair_to);
	smimon_delta_total(&total, &d, 1);
	assert_int_equal(total.cpu, SMIMON_CPU_ALL);
	assert_close(value_of(&total, "bzy_mhz"), 3000);
	assert_close(value_of(&total, "usec_per_smi"), 1000);
}

/* From the CPUs without an SMI alone, however many there are. */
static void floors(void **state)
{
	struct smimon_floor sum = { 0 };
	struct smimon_delta d[3], total;
	struct smimon_record to = pair_to;

	assert_int_equal(smimon_floor_percent(&sum).missing, SMIMON_MISSING_QUIET);
	compute(&d[0], &pair_to);
	to.smi_count = pair_from.smi_count;
	to.cycles = pair_from.cycles + 1500000000 - 300;
	compute(&d[1], &to);
	to.cycles = pair_from.cycles + 1500000000 + 60;
	compute(&d[2], &to);
	smimon_delta_total(&total, d, 3);
	assert_true(total.floor.excess == 240);
	assert_true(total.floor.aperf == 3000000000);
	assert_close(value_of(&total, "floor_percent"), 240 / 3e9 * 100);
	smimon_floor_add(&sum, &total.floor);
	smimon_floor_add(&sum, &d[2].floor);
	assert_close(smimon_floor_percent(&sum).real, 180 / 4.5e9 * 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_cpus),
		cmocka_unit_test(costs_are_summed_not_computed_from_sums),
		cmocka_unit_test(one_has_no_cost),
		cmocka_unit_test(one_is_offline),
		cmocka_unit_test(most_important_reason),
		cmocka_unit_test(none_and_one),
		cmocka_unit_test(floors),
	};

	return cmocka_run_group_tests_name("total", tests, NULL, NULL);
}
