// SPDX-License-Identifier: GPL-2.0-only
#include "connected.h"

#include "array.h"
#include "pair.h"

const struct smimon_caps connected_caps[2] = {
	{ 0, false, { 0, 0, 0, 0, SMIMON_REASON_VENDOR, 0, 0 } },
	{ 5, true, { 0, 0, 0, SMIMON_REASON_PMU_BUSY, SMIMON_REASON_VENDOR, 0,
		     SMIMON_REASON_UNTOLD } },
};

struct smimon *connected;

size_t connected_snapshot(unsigned int n, struct smimon_record *record)
{
	size_t i;

	for (i = 0; i <= 20; i++) {
		record[i] = pair_from;
		record[i].cpu = 2 * i;
		record[i].aperf = 1000 * n + i;
	}
	return i;
}

int connected_set_up(void **state)
{
	fake_kernel = (struct fake_kernel){
		.family_version = SMIMON_FAMILY_VERSION,
		.record_size = SMIMON_RECORD_SIZE_1,
		.base_khz = 2000000,
		.caps = connected_caps,
		.cpus = ARRAY_SIZE(connected_caps),
		.snapshot = connected_snapshot,
	};
	fake_state = (struct fake_state){ 0 };
	connected = smimon_new();
	return connected ? smimon_connect(connected) : -1;
}

int connected_tear_down(void **state)
{
	smimon_free(connected);
	return 0;
}
