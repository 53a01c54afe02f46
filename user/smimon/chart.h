/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened over time, in as many parts of equal length as there is room to draw. */
#ifndef SMIMON_CHART_H
#define SMIMON_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CHART_BUCKETS_MAX	512

/**
 * struct chart_bucket - a part
 * @smi: SMIs in it
 * @usec: us in SMM, of those whose cost is known
 * @watched: somebody watched some of it
 */
struct chart_bucket {
	double smi;
	double usec;
	bool watched;
};

/**
 * struct chart - all of it
 * @since_ns: when it begins
 * @until_ns: when it ends
 * @count: of parts
 * @bucket: these
 */
struct chart {
	int64_t since_ns;
	int64_t until_ns;
	size_t count;
	struct chart_bucket bucket[CHART_BUCKETS_MAX];
};

/**
 * chart_init() - an empty one
 * @count: at most CHART_BUCKETS_MAX
 */
void chart_init(struct chart *chart, int64_t since_ns, int64_t until_ns, size_t count);

/**
 * chart_add() - add what happened in an interval to the part in which it ended
 */
void chart_add(struct chart *chart, int64_t end_ns, double smi, double usec);

/**
 * chart_watch() - say that there was a watch from one time to another
 */
void chart_watch(struct chart *chart, int64_t from_ns, int64_t to_ns);

/**
 * chart_bucket_ns() - how long a part is
 */
int64_t chart_bucket_ns(const struct chart *chart);

/**
 * chart_value() - one of the two things that a part has
 * @usec: its time in SMM, not its SMIs
 */
double chart_value(const struct chart_bucket *bucket, bool usec);

/**
 * chart_top() - a round number that no part's value is above
 */
double chart_top(const struct chart *chart, bool usec);

/**
 * chart_round_up() - the least of 1, 2 and 5 times a power of ten that is not below
 */
double chart_round_up(double value);

/**
 * chart_plot() - draw it with letters, a column for each part
 * @utf8: with blocks of UTF-8
 */
void chart_plot(const struct chart *chart, FILE *out, bool utf8);

/**
 * chart_plot_buckets() - how many parts fit into a terminal
 */
size_t chart_plot_buckets(unsigned int columns);

/**
 * chart_svg() - draw it as SVG
 */
void chart_svg(const struct chart *chart, FILE *out);

#endif /* SMIMON_CHART_H */
