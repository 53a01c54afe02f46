// SPDX-License-Identifier: GPL-2.0-only
/*
 * The history that smimond keeps: against the truth, when it is killed while it writes, and on a
 * disk that is full.
 */
#include "kselftest_harness.h"

#include <math.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "daemon.h"
#include "machine.h"
#include "truth.h"

#define SMIS		20
#define SMI_CYCLES	150000
#define KILLS		50
#define DISK		"/tmp/disk"
#define FILLER		DISK "/filler"

static void clear_history(void)
{
	unlink(DAEMON_HISTORY);
	unlink(DAEMON_HISTORY "-wal");
	unlink(DAEMON_HISTORY "-shm");
}

FIXTURE(history) {
	sqlite3 *db;
};

FIXTURE_SETUP(history)
{
	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	machine_perf_freeze(true);
	clear_history();
}

FIXTURE_TEARDOWN(history)
{
	sqlite3_close(self->db);
}

/* One number; not a number if it is NULL, nothing, or not to be had. */
static double ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement;
	double number = NAN;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return NAN;
	if (sqlite3_step(statement) == SQLITE_ROW &&
	    sqlite3_column_type(statement, 0) != SQLITE_NULL)
		number = sqlite3_column_double(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

static bool is_whole(sqlite3 *db)
{
	sqlite3_stmt *statement;
	bool good;

	if (sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL) != SQLITE_OK)
		return false;
	good = sqlite3_step(statement) == SQLITE_ROW &&
	       !strcmp("ok", (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return good;
}

static double rows(sqlite3 *db)
{
	return ask(db, "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM minute)");
}

/* Both tables have all of it: SMIs one by one, and in the sums of minutes. */
TEST_F_TIMEOUT(history, agrees_with_truth, 300)
{
	double smm = machine_rdmsr(1, TRUTH_SMM_CYCLES), seconds;
	pid_t pid = daemon_start("");
	char sql[256];
	int i;

	ASSERT_TRUE(daemon_becomes("smimon_intervals_total{cpu=\"0\"}", 1));
	for (i = 0; i < 5; i++) {
		machine_smis(SMIS / 5);
		EXPECT_TRUE(daemon_samples());
	}
	smm = machine_rdmsr(1, TRUTH_SMM_CYCLES) - smm;
	seconds = daemon_ask("smimon_smm_seconds_total{cpu=\"1\"}");
	EXPECT_EQ(0, daemon_stop(pid, SIGTERM));

	ASSERT_EQ(SQLITE_OK, sqlite3_open_v2(DAEMON_HISTORY, &self->db, SQLITE_OPEN_READONLY, NULL));
	EXPECT_TRUE(is_whole(self->db));
	EXPECT_EQ(SMIS, ask(self->db, "SELECT sum(smi) FROM event WHERE cpu = 1"));
	EXPECT_EQ(SMIS, ask(self->db, "SELECT sum(smi) FROM minute WHERE cpu = 1"));
	EXPECT_EQ(SMIS, ask(self->db, "SELECT sum(smi) FROM minute WHERE cpu = -1"));
	EXPECT_EQ(SMIS, ask(self->db, "SELECT sum(smi) FROM event WHERE cpu = -1"));
	EXPECT_GT(0.001, fabs(ask(self->db, "SELECT sum(smm_cycles) FROM event WHERE cpu = 1") /
			      smm - 1));
	EXPECT_GT(0.001, fabs(ask(self->db, "SELECT sum(smm_cycles) FROM minute WHERE cpu = 1") /
			      smm - 1));
	EXPECT_GT(0.001, fabs(ask(self->db, "SELECT sum(smm_usec) FROM event WHERE cpu = 1") /
			      seconds / 1e6 - 1));
	snprintf(sql, sizeof(sql), "SELECT count(DISTINCT cpu) FROM minute WHERE cpu >= 0");
	EXPECT_EQ(machine_cpus(), ask(self->db, sql));
}

/* What has no cost is there with its reason, as one row for all of its intervals in a minute. */
TEST_F_TIMEOUT(history, intervals_that_lack_something, 300)
{
	pid_t pid;

	machine_perf_freeze(false);
	pid = daemon_start("--freeze no");
	EXPECT_TRUE(daemon_becomes("smimon_samples_total", 10));
	machine_smis(1);
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, daemon_stop(pid, SIGTERM));
	machine_perf_freeze(true);

	ASSERT_EQ(SQLITE_OK, sqlite3_open_v2(DAEMON_HISTORY, &self->db, SQLITE_OPEN_READONLY, NULL));
	EXPECT_EQ(1, ask(self->db, "SELECT sum(smi) FROM event WHERE cpu = 0 AND smm_cycles IS NULL"
			 " AND smm_usec IS NULL AND reason = 'freeze off'"));
	EXPECT_LE(5, ask(self->db, "SELECT max(intervals) FROM event WHERE cpu = 0 AND"
			 " reason = 'freeze off'"));
	EXPECT_EQ(0, ask(self->db, "SELECT count(*) FROM event WHERE reason IS NULL"));
	EXPECT_EQ(0, ask(self->db, "SELECT sum(observed_ns) FROM minute WHERE cpu = 0"));
	EXPECT_LE(9, ask(self->db, "SELECT sum(invalid) FROM minute WHERE cpu = 0"));
}

/* SMIs in each interval, so that it always writes. What it said was written must be there. */
TEST_F_TIMEOUT(history, killed_while_it_writes, 600)
{
	int i;

	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, 1000);
	for (i = 0; i < KILLS; i++) {
		pid_t pid = daemon_start("");
		double before, written;
		int smis;

		ASSERT_TRUE(daemon_becomes("smimon_intervals_total{cpu=\"0\"}", 1));
		before = self->db ? rows(self->db) : 0;
		for (smis = 0; smis < 3; smis++) {
			machine_smis(1);
			ASSERT_TRUE(daemon_becomes("smimon_machine_smi_total", smis + 1));
		}
		written = daemon_ask("smimon_history_rows_total");
		usleep(i * 2000);
		ASSERT_EQ(SIGKILL, daemon_stop(pid, SIGKILL));
		sqlite3_close(self->db);
		ASSERT_EQ(SQLITE_OK, sqlite3_open(DAEMON_HISTORY, &self->db));
		ASSERT_TRUE(is_whole(self->db));
		ASSERT_LE(before + written, rows(self->db));
	}
	EXPECT_LE(KILLS * 3, rows(self->db));
}

static void fill_disk(void)
{
	char block[4096] = { 1 };
	FILE *file = fopen(FILLER, "we");

	setbuf(file, NULL);
	while (fwrite(block, sizeof(block), 1, file) == 1)
		;
	fclose(file);
}

TEST_F_TIMEOUT(history, disk_full, 300)
{
	double samples, before;
	pid_t pid;
	int i;

	mkdir(DISK, 0700);
	ASSERT_EQ(0, mount("tmpfs", DISK, "tmpfs", 0, "size=4m"));
	pid = daemon_start("--history " DISK "/history.db");
	machine_smis(1);
	EXPECT_TRUE(daemon_becomes("smimon_history_rows_total", 1));
	EXPECT_TRUE(daemon_samples());
	before = daemon_ask("smimon_history_rows_total");

	fill_disk();
	for (i = 0; i < 300 && daemon_ask("smimon_history_failing") == 0; i++) {
		machine_smis(1);
		EXPECT_TRUE(daemon_samples());
	}
	EXPECT_EQ(1, daemon_ask("smimon_history_failing"));
	samples = daemon_ask("smimon_samples_total");
	machine_smis(1);
	EXPECT_TRUE(daemon_becomes("smimon_samples_total", samples + 5));
	EXPECT_TRUE(daemon_said("sampling goes on, rows wait"));

	ASSERT_EQ(0, unlink(FILLER));
	EXPECT_TRUE(daemon_becomes("smimon_history_rows_total", before + 1));
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, daemon_ask("smimon_history_failing"));
	EXPECT_EQ(0, daemon_ask("smimon_history_lost_rows_total"));
	EXPECT_TRUE(daemon_said("written again, 0 rows were lost"));
	samples = daemon_ask("smimon_smi_total{cpu=\"0\"}");
	EXPECT_EQ(0, daemon_stop(pid, SIGTERM));

	ASSERT_EQ(SQLITE_OK, sqlite3_open(DISK "/history.db", &self->db));
	EXPECT_TRUE(is_whole(self->db));
	EXPECT_EQ(samples, ask(self->db, "SELECT sum(smi) FROM event WHERE cpu = 0"));
	sqlite3_close(self->db);
	self->db = NULL;
	EXPECT_EQ(0, umount(DISK));
}

TEST_HARNESS_MAIN
