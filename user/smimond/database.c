// SPDX-License-Identifier: GPL-2.0-only
/*
 * SQLite in WAL mode: readers and the writer do not wait for each other, and what was committed
 * survives the end of the process, whichever way it comes. Over a loss of power the database stays
 * whole, without the last rows perhaps: to wait for the disk each second is not worth those.
 */
#include "database.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>

#include "array.h"
#include "history.h"
#include "schema.h"

#define STRINGIFY(x)	#x
#define NUMBER(x)	STRINGIFY(x)

#define NS_PER_DAY	INT64_C(86400000000000)
/* A reader's transaction never blocks a writer in WAL mode, but its last steps can. */
#define BUSY_MS		1000
/* What one call of the trimming deletes at most, so that the log of the write stays small. */
#define TRIM_ROWS	20000
#define TRIM_STEPS	10

static const char setup[] =
	"PRAGMA auto_vacuum = INCREMENTAL;"
	"PRAGMA journal_mode = WAL;"
	"PRAGMA synchronous = NORMAL;"
	"PRAGMA journal_size_limit = 4194304;";

static const char schema[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE event("
	" end_ns INTEGER NOT NULL, length_ns INTEGER NOT NULL, cpu INTEGER NOT NULL,"
	" intervals INTEGER NOT NULL, smi INTEGER NOT NULL, smm_cycles INTEGER, smm_usec REAL,"
	" reason TEXT);"
	"CREATE INDEX event_end ON event(end_ns);"
	"CREATE TABLE minute("
	" end_ns INTEGER NOT NULL, length_ns INTEGER NOT NULL, cpu INTEGER NOT NULL,"
	" intervals INTEGER NOT NULL, invalid INTEGER NOT NULL, smi INTEGER NOT NULL,"
	" smm_cycles INTEGER NOT NULL, smm_usec REAL NOT NULL, observed_ns INTEGER NOT NULL,"
	" worst_usec REAL NOT NULL, aperf INTEGER NOT NULL, mperf INTEGER NOT NULL,"
	" base_khz INTEGER NOT NULL, clock_ns INTEGER NOT NULL);"
	"CREATE INDEX minute_end ON minute(end_ns);"
	"PRAGMA application_id = " NUMBER(SCHEMA_APPLICATION) ";"
	"PRAGMA user_version = " NUMBER(SCHEMA_VERSION) ";"
	"COMMIT;";

static const char *const inserts[] = {
	[HISTORY_EVENT] =
		"INSERT INTO event(end_ns, length_ns, cpu, intervals, smi, smm_cycles, smm_usec,"
		" reason) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
	[HISTORY_MINUTE] =
		"INSERT INTO minute(end_ns, length_ns, cpu, intervals, smi, smm_cycles, smm_usec,"
		" invalid, observed_ns, worst_usec, aperf, mperf, base_khz, clock_ns)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
};

static int fail(struct database *database, const char *what)
{
	snprintf(database->error, sizeof(database->error), "%s: %s", what,
		 database->db ? sqlite3_errmsg(database->db) : "no memory");
	return -1;
}

static int run(struct database *database, const char *sql)
{
	return sqlite3_exec(database->db, sql, NULL, NULL, NULL);
}

static int64_t ask_number(struct database *database, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t number = -1;

	if (sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

/* An empty database is made ours; another's is left alone. */
static int take_over(struct database *database)
{
	int64_t application = ask_number(database, "PRAGMA application_id");
	int64_t version = ask_number(database, "PRAGMA user_version");
	int64_t tables = ask_number(database, "SELECT count(*) FROM sqlite_schema");

	if (application < 0 || version < 0 || tables < 0)
		return fail(database, "cannot read it");
	if (application == SCHEMA_APPLICATION && version == SCHEMA_VERSION && tables)
		return 0;
	if (application || version || tables) {
		snprintf(database->error, sizeof(database->error),
			 "it is no history of this version of smimond; move it away");
		return -1;
	}
	if (run(database, schema) != SQLITE_OK) {
		fail(database, "cannot make tables");
		run(database, "ROLLBACK");
		return -1;
	}
	return 0;
}

static int prepare(struct database *database)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(inserts); i++)
		if (sqlite3_prepare_v3(database->db, inserts[i], -1, SQLITE_PREPARE_PERSISTENT,
				       &database->insert[i], NULL) != SQLITE_OK)
			return fail(database, "cannot prepare to write");
	return 0;
}

int database_open(struct database *database, const char *file)
{
	int err;

	if (sqlite3_open_v2(file, &database->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			    SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		err = fail(database, "cannot open it");
	} else {
		sqlite3_busy_timeout(database->db, BUSY_MS);
		sqlite3_extended_result_codes(database->db, 1);
		err = run(database, setup) == SQLITE_OK ? 0 : fail(database, "cannot set it up");
		if (!err)
			err = take_over(database);
		if (!err)
			err = prepare(database);
	}
	if (err)
		database_close(database);
	return err;
}

static void bind_common(sqlite3_stmt *statement, const struct history_row *row)
{
	sqlite3_bind_int64(statement, 1, row->end_ns);
	sqlite3_bind_int64(statement, 2, row->length_ns);
	sqlite3_bind_int64(statement, 3, row->cpu);
	sqlite3_bind_int64(statement, 4, row->intervals);
	sqlite3_bind_int64(statement, 5, row->smi);
	if (row->cost_known)
		sqlite3_bind_int64(statement, 6, row->smm_cycles);
	if (row->usec_known)
		sqlite3_bind_double(statement, 7, row->smm_usec);
}

static void bind_event(sqlite3_stmt *statement, const struct history_row *row)
{
	if (row->reason)
		sqlite3_bind_text(statement, 8, row->reason, -1, SQLITE_STATIC);
}

static void bind_minute(sqlite3_stmt *statement, const struct history_row *row)
{
	sqlite3_bind_int64(statement, 8, row->invalid);
	sqlite3_bind_int64(statement, 9, row->observed_ns);
	sqlite3_bind_double(statement, 10, row->worst_usec);
	sqlite3_bind_int64(statement, 11, row->aperf);
	sqlite3_bind_int64(statement, 12, row->mperf);
	sqlite3_bind_int64(statement, 13, row->base_khz);
	sqlite3_bind_int64(statement, 14, row->clock_ns);
}

static int write_row(struct database *database, const struct history_row *row)
{
	sqlite3_stmt *statement = database->insert[row->table];
	int result;

	sqlite3_clear_bindings(statement);
	bind_common(statement, row);
	if (row->table == HISTORY_EVENT)
		bind_event(statement, row);
	else
		bind_minute(statement, row);
	result = sqlite3_step(statement);
	sqlite3_reset(statement);
	return result == SQLITE_DONE ? 0 : -1;
}

int database_write(struct database *database, const struct history_row *rows, size_t count)
{
	size_t i;

	if (run(database, "BEGIN IMMEDIATE") != SQLITE_OK)
		return fail(database, "cannot write");
	for (i = 0; i < count; i++)
		if (write_row(database, &rows[i]))
			goto undo;
	if (run(database, "COMMIT") == SQLITE_OK)
		return 0;
undo:
	fail(database, "cannot write");
	/* Some errors have rolled it back already. */
	if (!sqlite3_get_autocommit(database->db))
		run(database, "ROLLBACK");
	return -1;
}

uint64_t database_bytes(struct database *database)
{
	int64_t pages = ask_number(database, "PRAGMA page_count");
	int64_t unused = ask_number(database, "PRAGMA freelist_count");
	int64_t size = ask_number(database, "PRAGMA page_size");

	return pages < 0 || unused < 0 || size < 0 ? 0 : (uint64_t)(pages - unused) * size;
}

static int delete_before(struct database *database, int64_t end_ns)
{
	static const char *const tables[] = { "event", "minute" };
	char sql[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s"
			 " WHERE end_ns < %" PRId64 " ORDER BY end_ns LIMIT " NUMBER(TRIM_ROWS) ")",
			 tables[i], tables[i], end_ns);
		if (run(database, sql) != SQLITE_OK)
			return -1;
	}
	return 0;
}

/* The time before which there are TRIM_ROWS rows, roughly: of both tables, the older's. */
static int64_t oldest_part(struct database *database)
{
	return ask_number(database,
			  "SELECT max(end_ns) FROM (SELECT end_ns FROM (SELECT end_ns FROM event"
			  " ORDER BY end_ns LIMIT " NUMBER(TRIM_ROWS) ") UNION ALL"
			  " SELECT end_ns FROM (SELECT end_ns FROM minute ORDER BY end_ns LIMIT "
			  NUMBER(TRIM_ROWS) ") ORDER BY end_ns LIMIT " NUMBER(TRIM_ROWS) ")");
}

int database_trim(struct database *database, const struct history_limits *limits, int64_t now_ns)
{
	uint64_t most = (uint64_t)limits->megabytes << 20;
	int err = delete_before(database, now_ns - limits->days * NS_PER_DAY);
	int step;

	for (step = 0; !err && step < TRIM_STEPS && database_bytes(database) > most; step++)
		err = delete_before(database, oldest_part(database) + 1);
	if (err || run(database, "PRAGMA incremental_vacuum") != SQLITE_OK)
		return fail(database, "cannot delete old rows");
	return 0;
}

bool database_is_gone(struct database *database)
{
	int moved = 0;

	return sqlite3_file_control(database->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
	       SQLITE_OK && moved;
}

void database_close(struct database *database)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(database->insert); i++) {
		sqlite3_finalize(database->insert[i]);
		database->insert[i] = NULL;
	}
	sqlite3_close(database->db);
	database->db = NULL;
}
