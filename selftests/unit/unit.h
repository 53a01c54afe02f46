/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_UNIT_H
#define SMIMON_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "array.h"

/* For cases of a table: says which. */
#define assert_case(text, value, expected)						\
	do {										\
		long long value_ = (value), expected_ = (expected);			\
		if (value_ != expected_)						\
			fail_msg("%s: %s is %lld, not %lld", text, #value, value_, expected_); \
	} while (0)

/* To the precision that the order of operations leaves. */
#define assert_close(value, expected)							\
	do {										\
		double value_ = (value), expected_ = (expected);			\
		if (!(fabs(value_ - expected_) <= 1e-12 * fabs(expected_)))		\
			fail_msg("%s is %.17g, not %.17g", #value, value_, expected_);	\
	} while (0)

#endif /* SMIMON_UNIT_H */
