/* SPDX-License-Identifier: GPL-2.0-only */
/* The mean of what several runs of a command gave, and how sure it is. */
#ifndef SMIMON_REPEAT_H
#define SMIMON_REPEAT_H

#include <smimon.h>

/**
 * struct repeat - one value of some runs
 * @runs: how many
 * @mean: of their values
 * @squares: the sum of their squared distances from the mean
 * @missing: the most important reason why a run had no value, which then the mean has not either
 */
struct repeat {
	unsigned int runs;
	double mean;
	double squares;
	enum smimon_missing missing;
};

void repeat_add(struct repeat *repeat, const struct smimon_value *value);

/**
 * repeat_mean() - the mean
 *
 * Return: the value, as real.
 */
struct smimon_value repeat_mean(const struct repeat *repeat);

/**
 * repeat_deviation() - the standard deviation of the mean
 *
 * Return: it in the unit of the values; 0 after less than two runs.
 */
double repeat_deviation(const struct repeat *repeat);

#endif /* SMIMON_REPEAT_H */
