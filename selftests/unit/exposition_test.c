// SPDX-License-Identifier: GPL-2.0-only
/* The page for Prometheus: what is in it, and that Prometheus' own tools accept it. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exposition.h"
#include "second.h"
#include "tally.h"
#include "text.h"

#define PAGE	"exposition_test.page"

struct fixture {
	struct tally tally;
	struct daemon_state state;
	struct text page;
};

static void add(struct tally *tally, const struct smimon_delta *delta, size_t count)
{
	struct smimon_record record[2] = { pair_to, pair_to };
	struct smimon_snapshot now = { .record = record, .count = count };
	size_t i;

	for (i = 0; i < count; i++)
		record[i].cpu = delta[i].cpu;
	assert_int_equal(tally_add(tally, &now, delta, count), 0);
}

/* CPUs 0 and 11, of which the latter had a torn interval besides, then was not there any more. */
static int set_up(void **state)
{
	static struct fixture fixture;
	struct smimon_delta delta[2];

	fixture = (struct fixture){
		.state = {
			.version = "1.2", .module_version = "3.4", .connected = true,
			.interval_ms = 200, .samples = 5, .failed = 1, .missed = 2, .connects = 3,
			.overruns = 4, .sample_time = 1796000000.25, .history = true,
			.history_rows = 6, .history_lost = 7, .history_bytes = 8,
		},
	};
	tally_init(&fixture.tally);
	second_with(&delta[0], 0, 2, 12000);
	second_with(&delta[1], 11, 2, 6000);
	add(&fixture.tally, delta, 2);
	second_with(&delta[0], 0, 0, 0);
	second_torn(&delta[1], 11, 1);
	add(&fixture.tally, delta, 2);
	smimon_delta_none(&delta[1], 11, SMIMON_MISSING_OFFLINE);
	add(&fixture.tally, delta, 1);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	tally_clear(&fixture->tally);
	free(fixture->page.bytes);
	unlink(PAGE);
	return 0;
}

static const char *page(struct fixture *fixture, enum exposition_format format)
{
	fixture->page.length = 0;
	exposition_write(&fixture->page, format, &fixture->tally, &fixture->state);
	assert_false(fixture->page.failed);
	return fixture->page.bytes;
}

/* As a line of its own or several. */
static void assert_lines(const char *text, const char *lines)
{
	const char *found = strstr(text, lines);

	if (!found || (found > text && found[-1] != '\n'))
		fail_msg("not there: %s\n%s", lines, text);
}

static void same_in_both(const char *text)
{
	assert_lines(text, "smimon_build_info{version=\"1.2\",module=\"3.4\"} 1\n");
	assert_lines(text, "smimon_module_connected 1\n");
	assert_lines(text, "smimon_sample_interval_seconds 0.2\n");
	assert_lines(text, "smimon_last_sample_timestamp_seconds 1796000000.25\n");
	assert_lines(text, "smimon_samples_total 5\n");
	assert_lines(text, "smimon_failed_samples_total 1\n");
	assert_lines(text, "smimon_missed_samples_total 2\n");
	assert_lines(text, "smimon_module_connects_total 3\n");
	assert_lines(text, "smimon_netlink_overruns_total 4\n");
	assert_lines(text, "smimon_history_failing 0\n");
	assert_lines(text, "smimon_history_rows_total 6\n");
	assert_lines(text, "smimon_history_lost_rows_total 7\n");
	assert_lines(text, "smimon_history_bytes 8\n");
	assert_lines(text, "smimon_machine_smi_total 3\n");
	assert_lines(text, "smimon_smi_total{cpu=\"0\"} 2\n" "smimon_smi_total{cpu=\"11\"} 3\n");
	assert_lines(text, "smimon_smm_cycles_total{cpu=\"0\"} 12000\n"
		     "smimon_smm_cycles_total{cpu=\"11\"} 6000\n");
	assert_lines(text, "smimon_smm_seconds_total{cpu=\"0\"} 4e-06\n"
		     "smimon_smm_seconds_total{cpu=\"11\"} 2e-06\n");
	assert_lines(text, "smimon_observed_seconds_total{cpu=\"0\"} 3\n"
		     "smimon_observed_seconds_total{cpu=\"11\"} 1\n");
	assert_lines(text, "smimon_intervals_total{cpu=\"0\"} 3\n");
	/* A CPU that is not there has no present, but had a past. */
	assert_lines(text, "smimon_effective_frequency_hertz{cpu=\"0\"} 3000000000\n# ");
	assert_lines(text, "smimon_busy_ratio{cpu=\"0\"} 0.5\n# ");
	assert_lines(text, "smimon_freeze_enabled{cpu=\"0\"} 1\n# ");
	assert_lines(text, "smimon_aperf_cycles_total{cpu=\"0\"} 4500000000\n"
		     "smimon_aperf_cycles_total{cpu=\"11\"} 3000000000\n");
	assert_lines(text, "smimon_invalid_intervals_total{cpu=\"11\",reason=\"torn\"} 1\n");
	/* Two SMIs of 2 us; what one in a torn interval took is not known. */
	assert_lines(text, "smimon_smi_duration_seconds_bucket{le=\"+Inf\"} 2\n"
		     "smimon_smi_duration_seconds_sum 4e-06\n"
		     "smimon_smi_duration_seconds_count 2\n");
}

static void openmetrics(void **state)
{
	const char *text = page(*state, EXPOSITION_OPENMETRICS);

	same_in_both(text);
	assert_lines(text, "# TYPE smimon_smm_seconds counter\n# UNIT smimon_smm_seconds seconds\n");
	assert_string_equal(text + strlen(text) - 6, "# EOF\n");
}

static void older_text(void **state)
{
	const char *text = page(*state, EXPOSITION_TEXT);

	same_in_both(text);
	assert_lines(text, "# TYPE smimon_smm_seconds_total counter\nsmimon_smm_seconds_total{");
	assert_null(strstr(text, "# UNIT"));
	assert_null(strstr(text, "# EOF"));
}

/* No sample, no history, no module: nothing is made up. */
static void nothing_yet(void **state)
{
	struct fixture *fixture = *state;
	const char *text;

	tally_clear(&fixture->tally);
	tally_init(&fixture->tally);
	fixture->state = (struct daemon_state){
		.version = "1.2", .module_version = "3.4", .interval_ms = 1000,
	};
	text = page(fixture, EXPOSITION_OPENMETRICS);
	assert_lines(text, "smimon_build_info{version=\"1.2\",module=\"\"} 1\n");
	assert_lines(text, "smimon_module_connected 0\n");
	assert_lines(text, "smimon_machine_smi_total 0\n");
	assert_null(strstr(text, "last_sample"));
	assert_null(strstr(text, "history"));
	assert_null(strstr(text, "cpu=\""));
}

static void assert_accepted(const char *text, const char *command)
{
	FILE *file = fopen(PAGE, "we");
	int status;

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	status = system(command);
	if (status)
		fail_msg("%s: %d\n%s", command, status, text);
}

static void accepted_by(struct fixture *fixture)
{
	assert_accepted(page(fixture, EXPOSITION_TEXT), "promtool check metrics <" PAGE " >&2");
	assert_accepted(page(fixture, EXPOSITION_OPENMETRICS),
			"./openmetrics-families <" PAGE " >&2");
}

static void accepted(void **state)
{
	accepted_by(*state);
}

static void accepted_without_samples(void **state)
{
	nothing_yet(state);
	accepted_by(*state);
}

#define PAGE_TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		PAGE_TEST(openmetrics),
		PAGE_TEST(older_text),
		PAGE_TEST(nothing_yet),
		PAGE_TEST(accepted),
		PAGE_TEST(accepted_without_samples),
	};

	return cmocka_run_group_tests_name("exposition", tests, NULL, NULL);
}
