/* SPDX-License-Identifier: GPL-2.0-only */
/* What is not known, said when it begins rather than for as long as it lasts. */
#ifndef SMIMON_GAPS_H
#define SMIMON_GAPS_H

#include <smimon.h>

#include "cpulist.h"
#include "tally.h"

/**
 * struct gaps - of which CPUs something was not known in the last interval
 * @last: by reason; starts zeroed
 */
struct gaps {
	struct cpuset last[TALLY_MISSING];
};

/**
 * gaps_log() - take in an interval, and log what is new in it
 */
void gaps_log(struct gaps *gaps, const struct smimon_delta *delta, size_t count);

#endif /* SMIMON_GAPS_H */
