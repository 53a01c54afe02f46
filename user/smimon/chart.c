// SPDX-License-Identifier: GPL-2.0-only
#include "chart.h"

#include <math.h>

void chart_init(struct chart *chart, int64_t since_ns, int64_t until_ns, size_t count)
{
	*chart = (struct chart){ .since_ns = since_ns, .until_ns = until_ns, .count = count };
}

int64_t chart_bucket_ns(const struct chart *chart)
{
	int64_t length = (chart->until_ns - chart->since_ns) / (int64_t)chart->count;

	return length > 0 ? length : 1;
}

/* Of a time in the chart; an interval belongs to the part that it ended in, also at its very end. */
static size_t bucket_of(const struct chart *chart, int64_t end_ns)
{
	size_t i = (end_ns - chart->since_ns - 1) / chart_bucket_ns(chart);

	return i < chart->count ? i : chart->count - 1;
}

void chart_add(struct chart *chart, int64_t end_ns, double smi, double usec)
{
	struct chart_bucket *bucket;

	if (end_ns <= chart->since_ns || end_ns > chart->until_ns)
		return;
	bucket = &chart->bucket[bucket_of(chart, end_ns)];
	bucket->smi += smi;
	bucket->usec += usec;
	bucket->watched = true;
}

void chart_watch(struct chart *chart, int64_t from_ns, int64_t to_ns)
{
	size_t i, last;

	if (from_ns < chart->since_ns)
		from_ns = chart->since_ns;
	if (to_ns > chart->until_ns)
		to_ns = chart->until_ns;
	if (from_ns >= to_ns)
		return;
	last = bucket_of(chart, to_ns);
	for (i = bucket_of(chart, from_ns + 1); i <= last; i++)
		chart->bucket[i].watched = true;
}

double chart_round_up(double value)
{
	double power;

	if (!(value > 0))
		return 1;
	power = pow(10, floor(log10(value)));
	if (value <= power)
		return power;
	if (value <= 2 * power)
		return 2 * power;
	return value <= 5 * power ? 5 * power : 10 * power;
}

double chart_value(const struct chart_bucket *bucket, bool usec)
{
	return usec ? bucket->usec : bucket->smi;
}

double chart_top(const struct chart *chart, bool usec)
{
	double most = 0;
	size_t i;

	for (i = 0; i < chart->count; i++)
		if (chart_value(&chart->bucket[i], usec) > most)
			most = chart_value(&chart->bucket[i], usec);
	return chart_round_up(most);
}
