/* SPDX-License-Identifier: GPL-2.0-only */
/* A context that is connected to a fake kernel without fault. */
#ifndef SMIMON_CONNECTED_H
#define SMIMON_CONNECTED_H

#include "fake_kernel.h"

/* What the fake kernel's CPUs have, 0 and 5. Snapshots are of other CPUs: 0, 2, 4 and so on to 40. */
extern const struct smimon_caps connected_caps[2];

extern struct smimon *connected;

/* For cmocka_unit_test_setup_teardown(). */
int connected_set_up(void **state);
int connected_tear_down(void **state);

#define CONNECTED_TEST(name)								\
	cmocka_unit_test_setup_teardown(name, connected_set_up, connected_tear_down)

/**
 * connected_snapshot() - what the fake kernel takes
 */
size_t connected_snapshot(unsigned int n, struct smimon_record *record);

#endif /* SMIMON_CONNECTED_H */
