// SPDX-License-Identifier: GPL-2.0-only
/* Two snapshots paired up, whichever CPUs are in them; metrics by their names. */
#include "unit.h"

#include <string.h>

#include "pair.h"

#define CPUS	8

struct cpus {
	size_t count;
	uint32_t cpu[CPUS];
};

/* What becomes of each CPU, in the order of CPU numbers. */
struct outcome {
	uint32_t cpu;
	enum smimon_missing reason;
};

static struct smimon_record from_record[CPUS], to_record[CPUS];
static struct smimon_delta delta[2 * CPUS];

static struct smimon_snapshot snapshot_of(struct smimon_record *record, const struct cpus *cpus,
					  const struct smimon_record *like)
{
	size_t i;

	for (i = 0; i < cpus->count; i++) {
		record[i] = *like;
		record[i].cpu = cpus->cpu[i];
	}
	return (struct smimon_snapshot){ .record = record, .count = cpus->count, .room = CPUS };
}

static size_t compare(const struct cpus *from, const struct cpus *to)
{
	struct smimon_snapshot a = snapshot_of(from_record, from, &pair_from);
	struct smimon_snapshot b = snapshot_of(to_record, to, &pair_to);
	size_t i;

	/* Each CPU by a number of SMIs of its own. */
	for (i = 0; i < to->count; i++)
		to_record[i].smi_count = pair_from.smi_count + 100 + to->cpu[i];
	memset(delta, 0xee, sizeof(delta));
	return smimon_deltas(delta, &a, &b, PAIR_BASE_KHZ);
}

static void pairs(void **state)
{
	static const struct {
		const char *what;
		struct cpus from, to;
		struct outcome outcome[CPUS];
	} cases[] = {
		{ "the same", { 3, { 0, 1, 5 } }, { 3, { 0, 1, 5 } },
		  { { 0 }, { 1 }, { 5 } } },
		{ "none", { 0 }, { 0 }, { } },
		{ "all come", { 0 }, { 2, { 0, 7 } },
		  { { 0, SMIMON_MISSING_NEW }, { 7, SMIMON_MISSING_NEW } } },
		{ "all go", { 2, { 0, 7 } }, { 0 },
		  { { 0, SMIMON_MISSING_OFFLINE }, { 7, SMIMON_MISSING_OFFLINE } } },
		{ "the first comes", { 1, { 3 } }, { 2, { 0, 3 } },
		  { { 0, SMIMON_MISSING_NEW }, { 3 } } },
		{ "the first goes", { 2, { 0, 3 } }, { 1, { 3 } },
		  { { 0, SMIMON_MISSING_OFFLINE }, { 3 } } },
		{ "the last comes", { 1, { 3 } }, { 3, { 3, 4, 9 } },
		  { { 3 }, { 4, SMIMON_MISSING_NEW }, { 9, SMIMON_MISSING_NEW } } },
		{ "the last goes", { 3, { 3, 4, 9 } }, { 1, { 3 } },
		  { { 3 }, { 4, SMIMON_MISSING_OFFLINE }, { 9, SMIMON_MISSING_OFFLINE } } },
		{ "others", { 2, { 1, 3 } }, { 2, { 0, 2 } },
		  { { 0, SMIMON_MISSING_NEW }, { 1, SMIMON_MISSING_OFFLINE },
		    { 2, SMIMON_MISSING_NEW }, { 3, SMIMON_MISSING_OFFLINE } } },
		{ "one in the middle each", { 3, { 0, 2, 5 } }, { 3, { 0, 4, 5 } },
		  { { 0 }, { 2, SMIMON_MISSING_OFFLINE }, { 4, SMIMON_MISSING_NEW }, { 5 } } },
		{ "the largest numbers", { 1, { 8191 } }, { 2, { 8190, 8191 } },
		  { { 8190, SMIMON_MISSING_NEW }, { 8191 } } },
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *what = cases[i].what;
		size_t count = compare(&cases[i].from, &cases[i].to);

		for (j = 0; j < count; j++) {
			const struct outcome *outcome = &cases[i].outcome[j];

			assert_case(what, delta[j].cpu, outcome->cpu);
			assert_case(what, delta[j].smi.missing, outcome->reason);
			assert_case(what, delta[j].base_khz, PAIR_BASE_KHZ);
			if (!outcome->reason)
				assert_case(what, delta[j].smi.count, 100 + outcome->cpu);
		}
		/* What is behind is not touched. */
		assert_case(what, delta[count].cpu, 0xeeeeeeee);
		assert_case(what, count == CPUS || !cases[i].outcome[count].cpu, true);
		assert_case(what, count >= cases[i].from.count && count >= cases[i].to.count, true);
	}
}

/* The later record is the later snapshot's. */
static void direction(void **state)
{
	struct smimon_record first = pair_from, second = pair_to;
	struct smimon_snapshot from = { .record = &first, .count = 1 };
	struct smimon_snapshot to = { .record = &second, .count = 1 };

	assert_int_equal(smimon_deltas(delta, &from, &to, 0), 1);
	assert_true(delta[0].smi.count == 10);
	assert_int_equal(delta[0].base_khz, 0);
	assert_int_equal(smimon_deltas(delta, &to, &from, 0), 1);
	assert_int_equal(delta[0].smi.missing, SMIMON_MISSING_ORDER);
}

static void metrics_by_name(void **state)
{
	static const char *const none[] = { "", "sm", "smi ", "SMI", "smm_usecs", "interval" };
	const struct smimon_metric *metrics;
	size_t i, count;

	metrics = smimon_metrics(&count);
	assert_true(count > 0);
	for (i = 0; i < count; i++)
		assert_ptr_equal(smimon_metric_find(metrics[i].name), &metrics[i]);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		assert_null(smimon_metric_find(none[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs),
		cmocka_unit_test(direction),
		cmocka_unit_test(metrics_by_name),
	};

	return cmocka_run_group_tests_name("deltas", tests, NULL, NULL);
}
