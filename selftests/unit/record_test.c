// SPDX-License-Identifier: GPL-2.0-only
/* Records of modules older and newer than the library. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "smimon.h"

#define NEWER	24

/* A record that a later module appended fields to, at an address of any alignment. */
struct blob {
	char odd;
	char data[sizeof(struct smimon_record) + NEWER];
} __attribute__((packed));

/* Each byte differs from its neighbours, the size and what is valid are as given. */
static void fill(struct blob *blob, uint32_t size, uint32_t valid)
{
	size_t i;

	for (i = 0; i < sizeof(blob->data); i++)
		blob->data[i] = i + 1;
	memcpy(blob->data + offsetof(struct smimon_record, size), &size, sizeof(size));
	memcpy(blob->data + offsetof(struct smimon_record, valid), &valid, sizeof(valid));
}

static void layout_is_for_ever(void **state)
{
	static const size_t offsets[][2] = {
		{ offsetof(struct smimon_record, size), 0 },
		{ offsetof(struct smimon_record, cpu), 4 },
		{ offsetof(struct smimon_record, valid), 8 },
		{ offsetof(struct smimon_record, flags), 12 },
		{ offsetof(struct smimon_record, epoch), 16 },
		{ offsetof(struct smimon_record, freeze_epoch), 24 },
		{ offsetof(struct smimon_record, time_ns), 32 },
		{ offsetof(struct smimon_record, tsc), 40 },
		{ offsetof(struct smimon_record, aperf), 48 },
		{ offsetof(struct smimon_record, mperf), 56 },
		{ offsetof(struct smimon_record, cycles), 64 },
		{ offsetof(struct smimon_record, irperf), 72 },
		{ offsetof(struct smimon_record, smi_count), 80 },
		{ offsetof(struct smimon_record, debugctl), 88 },
		{ offsetof(struct smimon_record, window), 96 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(offsets); i++)
		assert_int_equal(offsets[i][0], offsets[i][1]);
	assert_int_equal(SMIMON_RECORD_SIZE_1, 104);
}

static void sizes(void **state)
{
	static const struct {
		uint32_t size;		/* that the record says */
		size_t len;		/* that came */
		int err;
		uint32_t copied;
	} cases[] = {
		{ 104, 104, 0, 104 },
		{ 104, 128, 0, 104 },		/* padding */
		{ 112, 112, 0, 104 },		/* newer */
		{ 128, 128, 0, 104 },		/* newer still */
		{ 128, 127, -EBADMSG, 0 },	/* cut off */
		{ 112, 104, -EBADMSG, 0 },
		{ 103, 104, -EBADMSG, 0 },	/* less than there ever was */
		{ 16, 104, -EBADMSG, 0 },
		{ 0, 104, -EBADMSG, 0 },
		{ UINT32_MAX, 128, -EBADMSG, 0 },
		{ 104, 103, -EBADMSG, 0 },
		{ 104, 3, -EBADMSG, 0 },
		{ 104, 0, -EBADMSG, 0 },
	};
	struct smimon_record record;
	struct blob blob;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fill(&blob, cases[i].size, 0x7f);
		assert_int_equal(smimon_record_copy(&record, blob.data, cases[i].len),
				 cases[i].err);
		if (cases[i].err)
			continue;
		assert_int_equal(record.size, cases[i].copied);
		/* Little endian, bytes 97 to 104 as filled. */
		assert_true(record.window == UINT64_C(0x6867666564636261));
		assert_true(record.epoch == UINT64_C(0x1817161514131211));
	}
}

static void unknown_counters_are_not_valid(void **state)
{
	struct smimon_record record;
	struct blob blob;

	fill(&blob, 128, 0xffffff80 | SMIMON_VALID(SMIMON_COUNTER_APERF));
	assert_int_equal(smimon_record_copy(&record, blob.data, 128), 0);
	assert_int_equal(record.valid, SMIMON_VALID(SMIMON_COUNTER_APERF));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_is_for_ever),
		cmocka_unit_test(sizes),
		cmocka_unit_test(unknown_counters_are_not_valid),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
