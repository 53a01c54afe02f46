// SPDX-License-Identifier: GPL-2.0-only
/* What the library makes of refusals, and of answers that are not sound. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "connected.h"

static size_t bad_record(unsigned int n, struct smimon_record *record)
{
	size_t count = connected_snapshot(n, record);

	record[3].size = 96;
	return count;
}

static void expect_error(const char *text)
{
	const char *error = smimon_error(connected);

	if (!strstr(error, text))
		fail_msg("\"%s\" has no \"%s\"", error, text);
	assert_null(strchr(error, '\n'));
}

static void malformed_record(void **state)
{
	struct smimon_snapshot snapshot = { 0 };
	struct smimon_info info;

	fake_kernel.snapshot = bad_record;
	assert_int_equal(smimon_take_snapshot(connected, NULL, false, &snapshot), -EBADMSG);
	expect_error("malformed");
	assert_int_equal(snapshot.count, 0);
	assert_int_equal(smimon_take_record(connected, 6, snapshot.record), -EBADMSG);
	/* All of the answer was read, so the next is not taken for it. */
	assert_int_equal(smimon_get_info(connected, &info), 0);
	smimon_snapshot_clear(&snapshot);
}

static int ask_snapshot(void)
{
	struct smimon_snapshot snapshot = { 0 };
	int err = smimon_take_snapshot(connected, NULL, false, &snapshot);

	smimon_snapshot_clear(&snapshot);
	return err;
}

static int ask(uint8_t command)
{
	struct smimon_freeze freeze;
	struct smimon_info info;

	switch (command) {
	case SMIMON_CMD_INFO_GET:
		return smimon_get_info(connected, &info);
	case SMIMON_CMD_SNAPSHOT_GET:
		return ask_snapshot();
	case SMIMON_CMD_FREEZE_GET:
		return smimon_get_freeze(connected, &freeze);
	case SMIMON_CMD_FREEZE_SET:
		return smimon_set_freeze(connected, SMIMON_FREEZE_POLICY_OFF);
	case SMIMON_CMD_FREEZE_HOLD:
		return smimon_hold_freeze(connected);
	case SMIMON_CMD_COUNT_HOLD:
		return smimon_hold_counters(connected, "0-3", true);
	default:
		return smimon_release_freeze(connected);
	}
}

/* Each kind of request, refused: none is granted by mistake, and the reason comes through. */
static void refusals(void **state)
{
	static const struct {
		int err;
		const char *text;
		bool whole;
		const char *error;
	} cases[] = {
		{ EBUSY, "somebody holds the freeze", false, ": somebody holds the freeze" },
		{ EBUSY, "somebody holds the freeze", true, ": somebody holds the freeze" },
		{ EPERM, "the policy is \"off\"", false, ": the policy is \"off\"" },
		{ EPERM, NULL, false, "CAP_NET_ADMIN" },
		{ EPERM, NULL, true, "CAP_NET_ADMIN" },
		{ EOPNOTSUPP, "no CPU has it", false, ": no CPU has it" },
		{ ENODEV, "no such CPU", false, ": no such CPU" },
		{ ENOENT, "it does not hold", false, ": it does not hold" },
		{ ENOENT, NULL, false, ": the kernel module was unloaded" },
		{ EALREADY, NULL, true, ": Operation already in progress" },
	};
	uint8_t command;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		for (command = 1; command <= SMIMON_CMD_MAX; command++) {
			fake_kernel.refusal = (struct fake_refusal){
				.command = command,
				.err = cases[i].err,
				.text = cases[i].text,
				.whole = cases[i].whole,
			};
			assert_int_equal(ask(command), -cases[i].err);
			expect_error(cases[i].error);
			fake_kernel.refusal.command = 0;
			assert_int_equal(ask(command), 0);
		}
}

/* Before 6.2 a dump is refused without a text; of the requests, one knows what that means. */
static void refused_without_a_text(void **state)
{
	static const struct {
		int err;
		const char *snapshot;
		const char *others;
	} cases[] = {
		{ EOPNOTSUPP, ": no CPU asked for has any of the counters", "does not know how" },
		{ ENODEV, ": no CPU asked for is online", ": No such device" },
	};
	uint8_t command;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		for (command = 1; command <= SMIMON_CMD_MAX; command++) {
			const char *text = cases[i].others;

			if (command == SMIMON_CMD_SNAPSHOT_GET)
				text = cases[i].snapshot;
			fake_kernel.refusal = (struct fake_refusal){
				.command = command, .err = cases[i].err,
			};
			assert_int_equal(ask(command), -cases[i].err);
			expect_error(text);
		}
}

/* An error at the end of a dump is one, whatever came before it. */
static void refused_at_the_end_of_a_dump(void **state)
{
	struct smimon_snapshot snapshot = { 0 };
	struct smimon_caps *got;
	size_t count;

	fake_kernel.refusal = (struct fake_refusal){
		.command = SMIMON_CMD_SNAPSHOT_GET, .err = ENODEV, .text = "gone", .at_end = true,
	};
	assert_int_equal(smimon_take_snapshot(connected, NULL, false, &snapshot), -ENODEV);
	assert_int_equal(snapshot.count, 0);
	expect_error(": gone");
	smimon_snapshot_clear(&snapshot);

	fake_kernel.refusal = (struct fake_refusal){
		.command = SMIMON_CMD_INFO_GET, .err = ENOMEM, .at_end = true,
	};
	assert_int_equal(smimon_get_caps(connected, &got, &count), -ENOMEM);
	expect_error(": Cannot allocate memory");
}

static void no_answer(void **state)
{
	uint8_t command;

	for (command = 1; command <= SMIMON_CMD_MAX; command++) {
		fake_kernel.fault = FAKE_SILENT;
		assert_int_equal(ask(command), -ETIMEDOUT);
		expect_error("does not answer");
		fake_kernel.fault = FAKE_SOUND;
		assert_int_equal(ask(command), 0);
	}
}

/* The rest of an answer that was given up does not answer the next request. */
static void stale_answer(void **state)
{
	struct smimon_info info;

	fake_kernel.fault = FAKE_STALE;
	assert_int_equal(smimon_get_info(connected, &info), 0);
	assert_string_equal(info.version, "1.2-fake");
	assert_int_equal(smimon_hold_freeze(connected), 0);
	fake_kernel.refusal = (struct fake_refusal){ .command = SMIMON_CMD_FREEZE_HOLD,
						     .err = EALREADY, .text = "fresh" };
	assert_int_equal(smimon_hold_freeze(connected), -EALREADY);
	expect_error("fresh");
}

static void strange_answers(void **state)
{
	static const struct {
		enum fake_fault fault;
		int err;
		const char *text;
	} cases[] = {
		{ FAKE_EMPTY, -EBADMSG, "malformed" },
		{ FAKE_SHORT_ATTR, -EBADMSG, "malformed" },
		{ FAKE_NO_HEADER, -EBADMSG, "malformed" },
		{ FAKE_CANNOT_SEND, -EIO, "cannot" },
	};
	struct smimon_record record;
	struct smimon_caps *got;
	size_t i, count;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fake_kernel.fault = cases[i].fault;
		assert_int_equal(ask(SMIMON_CMD_INFO_GET), cases[i].err);
		expect_error(cases[i].text);
		assert_int_equal(ask(SMIMON_CMD_FREEZE_GET), cases[i].err);
		expect_error(cases[i].text);
		assert_int_equal(smimon_get_caps(connected, &got, &count), cases[i].err);
		expect_error(cases[i].text);
		assert_int_equal(smimon_take_record(connected, 6, &record), cases[i].err);
		expect_error(cases[i].text);
	}
	fake_kernel.fault = FAKE_SOUND;
	assert_int_equal(ask(SMIMON_CMD_INFO_GET), 0);
}

static void interrupted_dump(void **state)
{
	struct smimon_caps *got;
	size_t count;

	fake_kernel.fault = FAKE_INTERRUPTED;
	assert_int_equal(smimon_get_caps(connected, &got, &count), -EAGAIN);
	expect_error("try again");
}

static void old_records(void **state)
{
	struct smimon_info info;

	fake_kernel.record_size = 96;
	assert_int_equal(smimon_get_info(connected, &info), -EPROTO);
	expect_error("load the module");
}

static void connections(void **state)
{
	static const struct {
		bool absent;
		uint32_t version;
		int err;
		const char *text;
	} cases[] = {
		{ true, 1, -ENOENT, "modprobe smimon" },
		{ false, 0, -EPROTO, "load the module" },
		{ false, 1, 0, "" },
		{ false, 2, 0, "" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		smimon_free(connected);
		fake_kernel.absent = cases[i].absent;
		fake_kernel.family_version = cases[i].version;
		connected = smimon_new();
		assert_non_null(connected);
		assert_int_equal(smimon_connect(connected), cases[i].err);
		expect_error(cases[i].text);
	}
	smimon_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONNECTED_TEST(malformed_record),
		CONNECTED_TEST(refusals),
		CONNECTED_TEST(refused_without_a_text),
		CONNECTED_TEST(refused_at_the_end_of_a_dump),
		CONNECTED_TEST(no_answer),
		CONNECTED_TEST(stale_answer),
		CONNECTED_TEST(strange_answers),
		CONNECTED_TEST(interrupted_dump),
		CONNECTED_TEST(old_records),
		CONNECTED_TEST(connections),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
