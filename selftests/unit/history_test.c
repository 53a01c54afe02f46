// SPDX-License-Identifier: GPL-2.0-only
/* The history's database: what it keeps, and what it does about files that are not its own. */
#include "unit.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "history.h"
#include "schema.h"

#define FILE_NAME	"history_test.db"
#define DAY_NS		INT64_C(86400000000000)
#define NOW		(20000 * DAY_NS)
#define BATCH		20000

static void remove_files(void)
{
	unlink(FILE_NAME);
	unlink(FILE_NAME "-wal");
	unlink(FILE_NAME "-shm");
}

static int set_up(void **state)
{
	static struct database database;

	remove_files();
	database = (struct database){ 0 };
	*state = &database;
	return 0;
}

static int tear_down(void **state)
{
	database_close(*state);
	remove_files();
	return 0;
}

static void sql(const char *text)
{
	char *error = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(FILE_NAME, &db), SQLITE_OK);
	if (sqlite3_exec(db, text, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", text, error);
	sqlite3_close(db);
}

static int64_t number(const char *text)
{
	sqlite3_stmt *statement;
	int64_t value;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(FILE_NAME, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return value;
}

static struct history_row event(int64_t end_ns)
{
	return (struct history_row){
		.table = HISTORY_EVENT, .cpu = 1, .end_ns = end_ns, .length_ns = 1000,
		.intervals = 1, .smi = 2, .cost_known = true, .smm_cycles = 3, .reason = "torn",
	};
}

static struct history_row minute(int64_t end_ns)
{
	return (struct history_row){
		.table = HISTORY_MINUTE, .cpu = 1, .end_ns = end_ns, .length_ns = 1000,
		.intervals = 60, .invalid = 4, .smi = 5, .cost_known = true, .usec_known = true,
		.smm_cycles = 6, .smm_usec = 7, .observed_ns = 8, .worst_usec = 9, .aperf = 10,
		.mperf = 11, .base_khz = 12, .clock_ns = 13,
	};
}

/* What is written is there, and what is not known is NULL. */
static void rows(void **state)
{
	struct history_row both[] = { event(NOW), minute(NOW) };
	struct database *database = *state;

	assert_int_equal(database_open(database, FILE_NAME), 0);
	assert_int_equal(database_write(database, both, 2), 0);
	assert_int_equal(number("SELECT count(*) FROM event WHERE end_ns = 1728000000000000000 AND "
				"length_ns = 1000 AND cpu = 1 AND intervals = 1 AND smi = 2 AND "
				"smm_cycles = 3 AND smm_usec IS NULL AND reason = 'torn'"), 1);
	assert_int_equal(number("SELECT count(*) FROM minute WHERE end_ns = 1728000000000000000 AND "
				"length_ns = 1000 AND cpu = 1 AND intervals = 60 AND invalid = 4 AND "
				"smi = 5 AND smm_cycles = 6 AND smm_usec = 7 AND observed_ns = 8 AND "
				"worst_usec = 9 AND aperf = 10 AND mperf = 11 AND base_khz = 12 AND "
				"clock_ns = 13"), 1);
	database_close(database);
	assert_int_equal(database_open(database, FILE_NAME), 0);
	assert_int_equal(database_write(database, both, 2), 0);
	assert_int_equal(number("SELECT count(*) FROM event"), 2);
}

static void keeps_days(void **state)
{
	struct history_row ages[] = {
		event(NOW - 3 * DAY_NS - 1), minute(NOW - 3 * DAY_NS - 1), event(NOW - 3 * DAY_NS),
		minute(NOW - 3 * DAY_NS), event(NOW), minute(NOW - 4 * DAY_NS),
	};
	struct history_limits limits = { .days = 3, .megabytes = 4 };
	struct database *database = *state;

	assert_int_equal(database_open(database, FILE_NAME), 0);
	assert_int_equal(database_write(database, ages, ARRAY_SIZE(ages)), 0);
	assert_int_equal(database_trim(database, &limits, NOW), 0);
	assert_int_equal(number("SELECT count(*) FROM event"), 2);
	assert_int_equal(number("SELECT count(*) FROM minute"), 1);
	assert_int_equal(number("SELECT min(end_ns) FROM event"), NOW - 3 * DAY_NS);
}

/* The oldest go until it is small enough, the file as well. */
static void keeps_size(void **state)
{
	struct history_limits limits = { .days = 36500, .megabytes = 4 };
	struct history_row *batch = calloc(BATCH, sizeof(*batch));
	struct database *database = *state;
	struct stat file;
	int64_t all;
	int i, n;

	assert_non_null(batch);
	assert_int_equal(database_open(database, FILE_NAME), 0);
	for (n = 0; database_bytes(database) < 8 << 20; n++) {
		for (i = 0; i < BATCH; i++) {
			int64_t end_ns = NOW + ((int64_t)n * BATCH + i) * 1000;

			batch[i] = i % 4 ? event(end_ns) : minute(end_ns);
		}
		assert_int_equal(database_write(database, batch, BATCH), 0);
	}
	free(batch);
	all = (int64_t)n * BATCH;
	assert_int_equal(database_trim(database, &limits, NOW), 0);
	assert_true(database_bytes(database) <= 4 << 20);
	assert_true(number("SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM minute)") >
		    all / 4);
	/* Nothing older is left of one table than of the other, but for a few. */
	assert_true(llabs(number("SELECT (SELECT min(end_ns) FROM event) - "
				 "(SELECT min(end_ns) FROM minute)")) <= 4000);
	assert_int_equal(number("SELECT max(end_ns) FROM event"), NOW + (all - 1) * 1000);
	database_close(database);
	assert_int_equal(stat(FILE_NAME, &file), 0);
	assert_true(file.st_size <= 4 << 20);
}

/* A database of somebody else, of a later version, and what is none: left as they are. */
static void others_are_left_alone(void **state)
{
	struct database *database = *state;
	char text[16] = "";
	FILE *file;

	sql("CREATE TABLE cats(name TEXT)");
	assert_int_equal(database_open(database, FILE_NAME), -1);
	assert_null(database->db);
	assert_string_equal(database->error,
			    "it is no history of this version of smimond; move it away");
	assert_int_equal(number("SELECT count(*) FROM sqlite_schema"), 1);
	remove_files();

	assert_int_equal(database_open(database, FILE_NAME), 0);
	database_close(database);
	sql("PRAGMA user_version = 2");
	assert_int_equal(database_open(database, FILE_NAME), -1);
	assert_int_equal(number("PRAGMA user_version"), 2);
	remove_files();

	file = fopen(FILE_NAME, "we");
	assert_non_null(file);
	assert_true(fputs("dear diary", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(database_open(database, FILE_NAME), -1);
	file = fopen(FILE_NAME, "re");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "dear diary");
}

static void gone(void **state)
{
	struct database *database = *state;

	assert_int_equal(database_open(database, FILE_NAME), 0);
	assert_false(database_is_gone(database));
	assert_int_equal(unlink(FILE_NAME), 0);
	assert_true(database_is_gone(database));
}

/* All rows of a write are there or none is. */
static void refused_write(void **state)
{
	struct history_row both[] = { event(NOW), minute(NOW) };
	struct database *database = *state;

	assert_int_equal(database_open(database, FILE_NAME), 0);
	sql("CREATE TRIGGER t BEFORE INSERT ON minute BEGIN SELECT raise(ABORT, 'enough'); END");
	assert_int_equal(database_write(database, both, 2), -1);
	assert_non_null(strstr(database->error, "enough"));
	assert_int_equal(number("SELECT count(*) FROM event"), 0);
	sql("DROP TRIGGER t");
	assert_int_equal(database_write(database, both, 2), 0);
	assert_int_equal(number("SELECT count(*) FROM event"), 1);
}

static void wait_for(struct history *history, bool error)
{
	struct history_state now;
	int i;

	for (i = 0; i < 6000; i++) {
		history_flush(history);
		history_get_state(history, &now);
		if (!now.waiting && !*now.error == !error)
			return;
		usleep(10000);
	}
	fail_msg("waiting %zu, error '%s'", now.waiting, now.error);
}

/* Rows wait while they cannot be written, and none is lost when they can. */
static void waits_for_better_times(void **state)
{
	struct history_limits limits = { .days = 36500, .megabytes = 512 };
	struct history_row row = event(NOW);
	struct history_state now;
	struct history *history;

	sql("CREATE TABLE cats(name TEXT)");
	history = history_open(FILE_NAME, &limits);
	assert_non_null(history);
	history_add(history, &row);
	wait_for(history, true);
	history_add(history, &row);
	history_get_state(history, &now);
	assert_int_equal(now.rows, 0);
	assert_int_equal(now.lost, 0);
	remove_files();
	wait_for(history, false);
	assert_int_equal(number("SELECT count(*) FROM event"), 2);
	history_get_state(history, &now);
	assert_int_equal(now.rows, 2);

	/* Deleted under it: a new one is made. */
	remove_files();
	history_add(history, &row);
	wait_for(history, false);
	assert_int_equal(number("SELECT count(*) FROM event"), 1);
	history_add(history, &row);
	assert_int_equal(history_close(history), 0);
	assert_int_equal(number("SELECT count(*) FROM event"), 2);
}

/* What does not fit is counted, then and at the end. */
static void loses_with_count(void **state)
{
	struct history_limits limits = { .days = 36500, .megabytes = 512 };
	struct history_row row = event(NOW);
	struct history_state now = { 0 };
	struct history *history;
	size_t added;

	sql("CREATE TABLE cats(name TEXT)");
	history = history_open(FILE_NAME, &limits);
	assert_non_null(history);
	for (added = 0; added < 200000; added++)
		history_add(history, &row);
	history_get_state(history, &now);
	assert_true(now.lost > 0 && now.lost < added);
	assert_int_equal(history_close(history), added - now.lost);
	assert_null(history_close(NULL));
}

#define HISTORY_TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		HISTORY_TEST(rows),
		HISTORY_TEST(keeps_days),
		HISTORY_TEST(keeps_size),
		HISTORY_TEST(others_are_left_alone),
		HISTORY_TEST(gone),
		HISTORY_TEST(refused_write),
		HISTORY_TEST(waits_for_better_times),
		HISTORY_TEST(loses_with_count),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
