// SPDX-License-Identifier: GPL-2.0-only
#include "repeat.h"

#include <math.h>

/* Welford's way, which does not subtract large sums of squares. */
void repeat_add(struct repeat *repeat, const struct smimon_value *value)
{
	double distance = value->real - repeat->mean;

	repeat->runs++;
	repeat->mean += distance / repeat->runs;
	repeat->squares += distance * (value->real - repeat->mean);
	if (value->missing && (!repeat->missing || value->missing < repeat->missing))
		repeat->missing = value->missing;
}

struct smimon_value repeat_mean(const struct repeat *repeat)
{
	return (struct smimon_value){
		.missing = repeat->missing,
		.real = repeat->missing ? 0 : repeat->mean,
	};
}

double repeat_deviation(const struct repeat *repeat)
{
	if (repeat->runs < 2)
		return 0;
	return sqrt(repeat->squares / repeat->runs / (repeat->runs - 1));
}
