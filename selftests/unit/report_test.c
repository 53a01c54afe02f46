// SPDX-License-Identifier: GPL-2.0-only
/* What 'smimon report' makes of a history whose rows are known. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "history.h"
#include "run.h"
#include "schema.h"

#define FILE_NAME	"report_test.db"
#define SVG_NAME	"report_test.svg"
#define NS		INT64_C(1000000000)
/* 2026-12-01 12:00 UTC. */
#define NOON		(1796126400 * NS)
#define RANGE		" --history " FILE_NAME " --since '2026-12-01 11:00' --until '2026-12-01 13:00' "

static struct run run;

/* An interval of a second with SMIs. */
static struct history_row event(int cpu, int64_t end_ns, int smi, double usec)
{
	return (struct history_row){
		.table = HISTORY_EVENT, .cpu = cpu, .end_ns = end_ns, .length_ns = NS, .intervals = 1,
		.smi = smi, .cost_known = true, .usec_known = true, .smm_cycles = 2000 * usec,
		.smm_usec = usec,
	};
}

/* A minute of a CPU that is half busy at 3 GHz, its base clock being 2 GHz. */
static struct history_row minute(int cpu, int64_t end_ns, int smi, double usec, double worst)
{
	return (struct history_row){
		.table = HISTORY_MINUTE, .cpu = cpu, .end_ns = end_ns, .length_ns = 60 * NS,
		.intervals = 60, .invalid = cpu == 1 ? 2 : 0, .smi = smi, .cost_known = true,
		.usec_known = true, .smm_cycles = 2000 * usec, .smm_usec = usec,
		.observed_ns = 60 * NS, .worst_usec = worst, .aperf = 90 * NS, .mperf = 60 * NS,
		.base_khz = 2000000, .clock_ns = 60 * NS,
	};
}

/*
 * 98 SMIs of 100 us in the minute up to noon, then two of 300 us and one of unknown cost in the
 * minute after; CPU 1 takes a tenth less.
 */
static int make_history(void **state)
{
	struct database database = { 0 };
	struct history_row rows[16], unknown, lost;
	size_t n = 0;

	unlink(FILE_NAME);
	assert_int_equal(database_open(&database, FILE_NAME), 0);
	unknown = event(SCHEMA_MACHINE, NOON + 30 * NS, 1, 0);
	unknown.cost_known = unknown.usec_known = false;
	lost = event(1, NOON + 2 * NS, 0, 0);
	lost.cost_known = lost.usec_known = false;
	lost.intervals = 2;
	lost.reason = "torn";
	rows[n++] = event(SCHEMA_MACHINE, NOON, 98, 9800);
	rows[n++] = event(0, NOON, 98, 9800);
	rows[n++] = event(1, NOON, 98, 8820);
	rows[n++] = event(SCHEMA_MACHINE, NOON + 10 * NS, 2, 600);
	rows[n++] = event(0, NOON + 10 * NS, 2, 600);
	rows[n++] = event(1, NOON + 10 * NS, 2, 540);
	rows[n++] = unknown;
	unknown.cpu = 0;
	rows[n++] = unknown;
	rows[n++] = lost;
	rows[n++] = minute(SCHEMA_MACHINE, NOON, 98, 9800, 100);
	rows[n++] = minute(0, NOON, 98, 9800, 100);
	rows[n++] = minute(1, NOON, 98, 8820, 90);
	rows[n++] = minute(SCHEMA_MACHINE, NOON + 60 * NS, 3, 600, 300);
	rows[n++] = minute(0, NOON + 60 * NS, 3, 600, 300);
	rows[n++] = minute(1, NOON + 60 * NS, 2, 540, 270);
	assert_int_equal(database_write(&database, rows, n), 0);
	database_close(&database);
	return 0;
}

static int remove_history(void **state)
{
	unlink(FILE_NAME);
	unlink(FILE_NAME "-wal");
	unlink(FILE_NAME "-shm");
	return 0;
}

static void report(const char *options)
{
	char command[512];

	snprintf(command, sizeof(command), "TZ=UTC LC_ALL=C.UTF-8 smimon report%s", options);
	run_command(&run, NULL, command, 0);
}

static void assert_has(const char *text)
{
	if (!strstr(run.out, text))
		fail_msg("not there: %s\n%s%s", text, run.out, run.err);
}

static void in_words(void **state)
{
	report(RANGE);
	assert_int_equal(run.status, 0);
	assert_has("SMIs from 2026-12-01 11:00:00 to 2026-12-01 13:00:00, watched for 2 min\n");
	assert_has("SMIs       101 (3030 an hour)\n");
	assert_has("longest    300.0 us (mean of 2) on CPU 0 at 2026-12-01 12:00:10\n");
	assert_has("us/SMI     50% 100.0, 90% 100.0, 99% 300.0, 99.9% 300.0, max 300.0\n");
	assert_has("not valid  torn (2 intervals of a CPU)\n");
	assert_has("2026-12-01 12:00:00       98     9800.0       100.0\n"
		   "2026-12-01 12:01:00        3      600.0       300.0\n");
	assert_has("   0      101  10400.0    104.0       300.0     0.0087     3000    50.00          0\n"
		   "   1      100   9360.0     93.6       270.0     0.0078     3000    50.00          4\n");
}

static void in_json(void **state)
{
	report(RANGE "-j");
	assert_int_equal(run.status, 0);
	assert_has("{\"cpu\":null,\"since\":1796122800,\"until\":1796130000,\"smi\":101,"
		   "\"smm_usec\":10400,\"usec_per_smi\":104,\"longest_usec\":300,"
		   "\"smm_wall_percent\":0.008666666667,\"bzy_mhz\":3000,\"busy_percent\":50,"
		   "\"watched_seconds\":120,\"intervals\":120,\"invalid_intervals\":0,"
		   "\"p50_usec\":100,\"p90_usec\":100,\"p99_usec\":300,\"p999_usec\":300,"
		   "\"max_usec\":300,\"reasons\":{\"torn\":2}}\n");
	assert_has("\n{\"cpu\":1,\"smi\":100,\"smm_usec\":9360,");
}

/* Of one CPU it is that CPU's, in all places. */
static void of_one_cpu(void **state)
{
	report(RANGE "-j -C 1");
	assert_has("{\"cpu\":null,\"since\":1796122800,\"until\":1796130000,\"smi\":100,"
		   "\"smm_usec\":9360,\"usec_per_smi\":93.6,\"longest_usec\":270,");
	assert_has("\"p50_usec\":90,\"p90_usec\":90,\"p99_usec\":270,");
	assert_null(strstr(run.out, "\"cpu\":0"));
}

/* What ended before the time, or at it, is not in it. */
static void times_are_bounds(void **state)
{
	report(" -j --history " FILE_NAME " --since '2026-12-01 12:00' --until '2026-12-01 12:00:30'");
	assert_has("\"smi\":3,\"smm_usec\":600,\"usec_per_smi\":300,\"longest_usec\":300,"
		   "\"smm_wall_percent\":null,\"bzy_mhz\":null,\"busy_percent\":null,"
		   "\"watched_seconds\":0,");
	report(" -j --history " FILE_NAME " --until '2026-12-01 12:00'");
	assert_has("\"smi\":98,");
}

static void nothing_there(void **state)
{
	report(" --history " FILE_NAME " --until '2025-01-01'");
	assert_int_equal(run.status, 0);
	assert_string_equal(run.out, "no history from that time\n");
	report(" -j --history " FILE_NAME " --until '2025-01-01'");
	assert_has("\"smi\":0,\"smm_usec\":null,\"usec_per_smi\":null,");
}

static void drawn(void **state)
{
	char svg[65536] = "";
	FILE *file;

	report(RANGE "--plot --svg " SVG_NAME);
	assert_int_equal(run.status, 0);
	assert_has("    20000 ┤");
	assert_has("····");
	assert_has("11:00:00");
	file = fopen(SVG_NAME, "re");
	assert_non_null(file);
	assert_true(fread(svg, 1, sizeof(svg) - 1, file) > 1000);
	fclose(file);
	assert_int_equal(strncmp(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 38), 0);
	assert_non_null(strstr(svg, "2026-12-01 11:00:00 to 2026-12-01 13:00:00"));
	assert_non_null(strstr(svg, "class=\"unwatched\""));
	assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
	unlink(SVG_NAME);
}

/* As wide as COLUMNS says; 80 where that makes no sense. */
static void width(void **state)
{
	static const struct {
		const char *set;
		unsigned int columns;
	} cases[] = {
		{ "", 80 }, { "COLUMNS=40", 40 }, { "COLUMNS=200", 200 }, { "COLUMNS=0", 80 },
		{ "COLUMNS=x", 80 }, { "COLUMNS=99999999999999999999", 80 },
	};
	char command[512];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *axis;

		snprintf(command, sizeof(command), "TZ=UTC LC_ALL=C %s smimon report" RANGE "--plot",
			 cases[i].set);
		run_command(&run, NULL, command, 0);
		axis = strstr(run.out, "        0 +");
		assert_non_null(axis);
		assert_case(cases[i].set, strcspn(axis, "\n"), cases[i].columns);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *options;
		int status;
		const char *err;
	} cases[] = {
		{ " --history /nowhere/h.db", 1, "cannot read the history /nowhere/h.db" },
		{ " --history /etc/passwd", 1, "/etc/passwd is no history of this version" },
		{ " --since tomorrow", 2, "bad value 'tomorrow' of --since: it takes a time ago" },
		{ " --since 1h --until 2h", 2, "--since is not before --until" },
		{ " -j --plot", 2, "--plot and -j do not go together" },
		{ RANGE "--svg /nowhere/x.svg", 1, "cannot open /nowhere/x.svg" },
		{ RANGE "--svg /dev/full", 1, "/dev/full" },
		{ RANGE "word", 2, "unexpected word 'word'" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		report(cases[i].options);
		assert_case(cases[i].options, run.status, cases[i].status);
		if (!strstr(run.err, cases[i].err) || !run_one_line(run.err))
			fail_msg("%s: %s", cases[i].options, run.err);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_words),
		cmocka_unit_test(in_json),
		cmocka_unit_test(of_one_cpu),
		cmocka_unit_test(times_are_bounds),
		cmocka_unit_test(nothing_there),
		cmocka_unit_test(drawn),
		cmocka_unit_test(width),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests_name("report", tests, make_history, remove_history);
}
