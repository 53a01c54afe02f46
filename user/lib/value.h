/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_VALUE_H
#define SMIMON_VALUE_H

#include "smimon_metric.h"

static inline struct smimon_value value_count(uint64_t n)
{
	return (struct smimon_value){ .count = n, .real = n };
}

static inline struct smimon_value value_real(double n)
{
	return (struct smimon_value){ .real = n };
}

static inline struct smimon_value value_missing(enum smimon_missing why)
{
	return (struct smimon_value){ .missing = why };
}

#endif /* SMIMON_VALUE_H */
