// SPDX-License-Identifier: GPL-2.0-only
/* What a configuration file and a command line make of the settings, and what they are told. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"

#define FILE_NAME	"settings_test.conf"
#define TEXT_MAX	65536

static struct settings settings;
static char said[TEXT_MAX];

static void write_file(const char *text)
{
	FILE *file = fopen(FILE_NAME, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Return: 0, or what settings_parse() or settings_read() have; what they print is in @said. */
static int read_with(int argc, char **argv)
{
	struct invocation invocation;
	FILE *caught = tmpfile();
	int saved = dup(STDERR_FILENO), err;

	assert_true(caught && saved >= 0);
	fflush(stderr);
	dup2(fileno(caught), STDERR_FILENO);
	err = settings_parse(&invocation, argc, argv);
	if (!err)
		err = settings_read(&settings, &invocation);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(caught);
	said[fread(said, 1, sizeof(said) - 1, caught)] = '\0';
	fclose(caught);
	return err;
}

/* One word after "-c FILE_NAME" on the command line, or none. */
static int read_file(const char *text, const char *word)
{
	char *argv[5] = { "smimond", "-c", FILE_NAME, (char *)word, NULL };

	write_file(text);
	return read_with(word ? 4 : 3, argv);
}

/* What stands in the file that is installed is what holds without. */
static void defaults(void **state)
{
	static char text[TEXT_MAX];
	struct settings without;
	FILE *file;
	size_t i, length;

	assert_int_equal(read_file("", NULL), 0);
	without = settings;
	assert_int_equal(settings.interval_ms, 1000);
	assert_true(settings.freeze && !settings.isolated);
	assert_string_equal(settings.listen, "127.0.0.1:9764");

	file = fopen("../../user/smimond/smimon.conf", "re");
	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	/* Keys that are commented out have no blank before them. */
	for (i = 0; i + 1 < length; i++)
		if (text[i] == '#' && text[i + 1] != ' ')
			text[i] = ' ';
	assert_non_null(strstr(text, " history-megabytes = 512\n"));
	if (read_file(text, NULL))
		fail_msg("%s", said);
	assert_string_equal(said, "");
	assert_memory_equal(&settings, &without, sizeof(settings));
}

static void all_keys(void **state)
{
	if (read_file("# all\n; of them\n\n"
				   "interval=250\n cpus = 0-2,1,5\nisolated = yes\nfreeze: no\n"
				   "listen = [::1]:80\nhistory = /x y\nhistory-days = 36500\n"
				   "history-megabytes = 4\njournal = none\n", NULL))
		fail_msg("%s", said);
	assert_int_equal(settings.interval_ms, 250);
	assert_string_equal(settings.cpus, "0-2,5");
	assert_true(settings.isolated && !settings.freeze);
	assert_string_equal(settings.listen, "[::1]:80");
	assert_string_equal(settings.history, "/x y");
	assert_int_equal(settings.history_days, 36500);
	assert_int_equal(settings.history_megabytes, 4);
	assert_int_equal(settings.journal_usec, -1);

	assert_int_equal(read_file("cpus = 1\ncpus = all\nhistory = none\nlisten = none\n"
				   "journal = 1000000000", NULL), 0);
	assert_string_equal(settings.cpus, "");
	assert_string_equal(settings.history, "");
	assert_string_equal(settings.listen, "");
	assert_int_equal(settings.journal_usec, 1000000000);
}

static void options_go_first(void **state)
{
	assert_int_equal(read_file("interval = 250\nfreeze = no\n", "--interval=300"), 0);
	assert_int_equal(settings.interval_ms, 300);
	assert_false(settings.freeze);
}

static void bad_values(void **state)
{
	static const char *const cases[][2] = {
		{ "interval", "99" }, { "interval", "3600001" }, { "interval", "1000ms" },
		{ "interval", "" }, { "interval", "-1000" }, { "interval", "1e3" },
		{ "interval", "18446744073709552616" }, { "cpus", "" }, { "cpus", "3-1" },
		{ "cpus", "none" }, { "cpus", "0,,1" }, { "isolated", "on" }, { "freeze", "" },
		{ "listen", "9764" }, { "listen", ":9764" }, { "listen", "localhost:" },
		{ "listen", "localhost:0" }, { "listen", "localhost:65536" },
		{ "history", "history.db" }, { "history", "" }, { "history-days", "0" },
		{ "history-days", "36501" }, { "history-megabytes", "3" },
		{ "history-megabytes", "1048577" }, { "journal", "-1" }, { "journal", "1000000001" },
	};
	char line[128], begin[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(line, sizeof(line), "\n\n%s = %s\n", cases[i][0], cases[i][1]);
		assert_case(line, read_file(line, NULL), -22);
		snprintf(begin, sizeof(begin), "smimond: " FILE_NAME ": line 3: bad value '%s' of '%s': it "
			 "takes a", cases[i][1], cases[i][0]);
		if (strncmp(said, begin, strlen(begin) - 1))
			fail_msg("%s: %s", line, said);

		snprintf(line, sizeof(line), "--%s=%s", cases[i][0], cases[i][1]);
		assert_case(line, read_file("", line), -22);
		snprintf(begin, sizeof(begin), "smimond: bad value '%s' of --%s: it takes ", cases[i][1],
			 cases[i][0]);
		if (strncmp(said, begin, strlen(begin)))
			fail_msg("%s: %s", line, said);
	}
}

/* Each is told with its line. */
static void bad_lines(void **state)
{
	char text[1024] = "interval = 250\n# ";

	assert_int_equal(read_file("colour = red\n[smimond]\nfreeze = no\n", NULL), -22);
	assert_string_equal(said,
		"smimond: " FILE_NAME ": line 1: unknown key 'colour'; keys are interval, cpus, "
		"isolated, freeze, listen, history, history-days, history-megabytes, journal\n"
		"smimond: " FILE_NAME ": line 3: unknown key 'smimond.freeze'; keys are interval, cpus, "
		"isolated, freeze, listen, history, history-days, history-megabytes, journal\n");

	assert_int_equal(read_file("interval = 250\n\nfreeze\n", NULL), -22);
	assert_string_equal(said, "smimond: " FILE_NAME
			    ": line 3: neither 'key = value' nor a comment with #\n");

	memset(text + strlen(text), 'x', 300);
	strncat(text, "\ninterval = 1\n", sizeof(text) - strlen(text) - 1);
	assert_int_equal(read_file(text, NULL), -22);
	assert_non_null(strstr(said, ": line 2: longer than 198 bytes\n"));
	assert_non_null(strstr(said, ": line 3: bad value '1' of 'interval'"));
}

static void bad_command_lines(void **state)
{
	static const struct {
		const char *word;
		const char *said;
	} cases[] = {
		{ "--colour=red", "smimond: unknown option '--colour=red' (see 'smimond -h')\n" },
		{ "-x", "smimond: unknown option '-x' (see 'smimond -h')\n" },
		{ "--interval", "smimond: a value is missing after '--interval' (see 'smimond -h')\n" },
		{ "start", "smimond: unexpected word 'start' (see 'smimond -h')\n" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_case(cases[i].word, read_file("", cases[i].word), -22);
		assert_string_equal(said, cases[i].said);
	}
}

/* Not there is as good as empty, but not if it was asked for. */
static void no_file(void **state)
{
	char *asked[4] = { "smimond", "-c", "/nonexistent/smimon.conf", NULL };
	char *directory[4] = { "smimond", "-c", ".", NULL };

	assert_int_equal(read_with(3, asked), -2);
	assert_string_equal(said, "smimond: cannot read /nonexistent/smimon.conf: No such file or "
			    "directory\n");
	assert_int_not_equal(read_with(3, directory), 0);
	assert_string_not_equal(said, "");
}

static int tear_down(void **state)
{
	unlink(FILE_NAME);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(all_keys),
		cmocka_unit_test(options_go_first),
		cmocka_unit_test(bad_values),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(bad_command_lines),
		cmocka_unit_test(no_file),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, tear_down);
}
