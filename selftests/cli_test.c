// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a user sees when something does not go: one line that says what to do, and the exit status.
 */
#include "kselftest_harness.h"

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define NOBODY	65534

/**
 * struct refusal - a command line that is refused
 * @command: it
 * @status: the exit status
 * @says: what the line on stderr has in it
 */
struct refusal {
	const char *command;
	int status;
	const char *says;
};

static const struct refusal usages[] = {
	{ "smimon", 2, "command" },
	{ "smimon no-such-command", 2, "no-such-command" },
	{ "smimon stat --no-such-option", 2, "--no-such-option" },
	{ "smimon stat -I 0 true", 2, "0" },
	{ "smimon stat -I 10x true", 2, "10x" },
	{ "smimon stat -I -5 true", 2, "-5" },
	{ "smimon stat -I 99999999999999999999 true", 2, "99999999999999999999" },
	{ "smimon stat -r 0 true", 2, "0" },
	{ "smimon stat -C 1- true", 2, "1-" },
	{ "smimon stat -C x true", 2, "x" },
	{ "smimon stat -C 3-2 true", 2, "3-2" },
	{ "smimon stat -C '' true", 2, "" },
	{ "smimon show -C 0,,1", 2, "0,,1" },
	{ "smimon freeze sometimes", 2, "sometimes" },
	{ "smimon freeze hold", 2, "command" },
};

static bool one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end && end != text && !end[1];
}

static void expect_refusal(struct __test_metadata *_metadata, const struct refusal *refusal)
{
	static struct machine_output run;

	machine_run(refusal->command, &run);
	EXPECT_EQ(refusal->status, run.status) {
		TH_LOG("%s", refusal->command);
	}
	EXPECT_TRUE(one_line(run.err)) {
		TH_LOG("%s: %s", refusal->command, run.err);
	}
	EXPECT_NE(NULL, strstr(run.err, refusal->says)) {
		TH_LOG("%s: %s", refusal->command, run.err);
	}
	EXPECT_STREQ("", run.out);
}

TEST(usage)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(usages); i++)
		expect_refusal(_metadata, &usages[i]);
}

TEST(no_module)
{
	static const struct refusal refusals[] = {
		{ "smimon status", 1, "modprobe smimon" },
		{ "smimon show", 1, "modprobe smimon" },
		{ "smimon stat -- true", 1, "modprobe smimon" },
		{ "smimon freeze", 1, "modprobe smimon" },
	};
	size_t i;

	ASSERT_EQ(0, machine_unload());
	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		expect_refusal(_metadata, &refusals[i]);
	ASSERT_EQ(0, machine_load());
}

TEST(not_root)
{
	static const struct refusal refusals[] = {
		{ "smimon status", 1, "CAP_NET_ADMIN" },
		{ "smimon show", 1, "CAP_NET_ADMIN" },
		{ "smimon stat -- true", 1, "CAP_NET_ADMIN" },
		{ "smimon freeze on", 1, "CAP_NET_ADMIN" },
	};
	size_t i;

	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		expect_refusal(_metadata, &refusals[i]);
}

TEST(cpus_that_are_not_there)
{
	static const struct refusal refusals[] = {
		{ "smimon stat -C 0,1 -- true", 1, "CPU 1" },
		{ "smimon show -C 1", 1, "CPU 1" },
		{ "smimon stat -C 0,4000 -- true", 1, "4000" },
	};
	size_t i;

	ASSERT_EQ(0, machine_set_online(1, false));
	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		expect_refusal(_metadata, &refusals[i]);
	ASSERT_EQ(0, machine_set_online(1, true));
}

TEST(output_that_cannot_be_written)
{
	static const struct refusal full = { "smimon show >/dev/full", 1, "No space left" };

	expect_refusal(_metadata, &full);
}

TEST(status_of_the_command)
{
	static const struct {
		const char *command;
		int status;
	} runs[] = {
		{ "smimon stat -- true", 0 },
		{ "smimon stat -- sh -c 'exit 7'", 7 },
		{ "smimon stat -- sh -c 'kill -TERM $$'", 128 + SIGTERM },
		{ "smimon stat -- /no/such/command", 127 },
		{ "smimon stat -- /proc", 126 },
		{ "smimon freeze hold -- sh -c 'exit 7'", 7 },
	};
	static struct machine_output run;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		machine_run(runs[i].command, &run);
		EXPECT_EQ(runs[i].status, run.status) {
			TH_LOG("%s: %s", runs[i].command, run.err);
		}
	}
}

TEST(hold_lasts_as_long_as_the_command)
{
	static struct machine_output run;

	machine_perf_freeze(false);
	machine_run("smimon freeze hold -- smimon freeze -j", &run);
	EXPECT_EQ(0, run.status);
	EXPECT_NE(NULL, strstr(run.out, "\"holds\":1")) {
		TH_LOG("%s", run.out);
	}
	EXPECT_FALSE(machine_freeze_bit(0));
	machine_perf_freeze(true);
}

/* Under the policy off there is no hold, but perf's bit is set: the cost is known all the same. */
TEST(stat_goes_on_without_a_hold)
{
	static struct machine_output run;
	static struct json_lines lines;

	machine_run("smimon freeze off", &run);
	ASSERT_EQ(0, run.status);
	machine_run("smimon stat -j -- true", &run);
	EXPECT_EQ(0, run.status);
	EXPECT_TRUE(one_line(run.err)) {
		TH_LOG("%s", run.err);
	}
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_EQ(0, json_number(json_lines_cpu(&lines, JSON_TOTAL, 0), "smm_cycles"));
	json_lines_free(&lines);
	machine_run("smimon freeze auto", &run);
	ASSERT_EQ(0, run.status);
}

TEST(module_goes_meanwhile)
{
	static struct machine_output run;

	machine_run("smimon stat -j -- rmmod smimon", &run);
	ASSERT_EQ(0, machine_load());
	EXPECT_EQ(1, run.status);
	EXPECT_STREQ("smimon: cannot read the counters: the kernel module was unloaded: "
		     "load it again\n", run.err);
}

TEST(cpu_goes_offline_meanwhile)
{
	static struct machine_output run;
	static struct json_lines lines;

	machine_run("smimon stat -j -A -- sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online'",
		    &run);
	ASSERT_EQ(0, machine_set_online(1, true));
	ASSERT_EQ(0, run.status);
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&lines, 1, 0), "smi"));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&lines, 1, 0), "bzy_mhz"));
	EXPECT_NE(NULL, strstr(json_text(json_lines_cpu(&lines, 1, 0), "reason"), "offline"));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&lines, 0, 0), "reason"));
	json_lines_free(&lines);
}

TEST(cpu_goes_and_comes_back_meanwhile)
{
	static struct machine_output run;
	static struct json_lines lines;

	machine_run("smimon stat -j -A -- sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online; "
		    "echo 1 >/sys/devices/system/cpu/cpu1/online'", &run);
	ASSERT_EQ(0, run.status);
	ASSERT_TRUE(json_lines_parse(run.out, &lines));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&lines, 1, 0), "smi"));
	EXPECT_TRUE(json_is_null(json_lines_cpu(&lines, 1, 0), "bzy_mhz"));
	EXPECT_STRNE("", json_text(json_lines_cpu(&lines, 1, 0), "reason"));
	json_lines_free(&lines);
}

TEST_HARNESS_MAIN
