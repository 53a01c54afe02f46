// SPDX-License-Identifier: GPL-2.0-only
/*
 * SMIs and what they cost are summed over events, which are there at once; what else there is, over
 * minutes, of which the last is not there yet. In the queries, ?1 and ?2 are the times; chosen(cpu)
 * is true for the CPUs that the user named, or else for the machine; listed(cpu) for these CPUs, or
 * else for all of them and the machine.
 */
#include "past.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "message.h"
#include "schema.h"

/* The writer's last steps can keep a reader waiting for a moment. */
#define BUSY_MS		5000
/* Minutes come a minute late. */
#define LATE_NS		INT64_C(120000000000)

#define IN_TIME		" end_ns > ?1 AND end_ns <= ?2 "

const double past_percents[PAST_PERCENTILES] = { 50, 90, 99, 99.9, 100 };

struct query {
	struct sqlite3 *db;
	sqlite3_stmt *statement;
	int result;
};

static int failed(struct sqlite3 *db)
{
	complain("cannot read the history: %s", sqlite3_errmsg(db));
	return EXIT_FAILED;
}

static bool has_cpu(sqlite3_context *context, sqlite3_value **values, bool otherwise)
{
	const struct past *past = sqlite3_user_data(context);
	int cpu = sqlite3_value_int(values[0]);

	return past->cpus ? cpu >= 0 && cpuset_has(past->cpus, cpu) : otherwise;
}

static void chosen(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	sqlite3_result_int(context, has_cpu(context, values,
					    sqlite3_value_int(values[0]) == SCHEMA_MACHINE));
}

static void listed(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	sqlite3_result_int(context, has_cpu(context, values, true));
}

static void begin(struct query *query, struct sqlite3 *db, const struct past *past,
		  const char *sql)
{
	*query = (struct query){ .db = db };
	query->result = sqlite3_prepare_v2(db, sql, -1, &query->statement, NULL);
	if (query->result != SQLITE_OK)
		return;
	sqlite3_bind_int64(query->statement, 1, past->since_ns);
	sqlite3_bind_int64(query->statement, 2, past->until_ns);
}

static bool next(struct query *query)
{
	if (query->result != SQLITE_OK && query->result != SQLITE_ROW)
		return false;
	query->result = sqlite3_step(query->statement);
	return query->result == SQLITE_ROW;
}

static int end(struct query *query)
{
	int err = 0;

	if (query->result != SQLITE_DONE && query->result != SQLITE_ROW)
		err = failed(query->db);
	sqlite3_finalize(query->statement);
	return err;
}

static int64_t integer(const struct query *query, int column)
{
	return sqlite3_column_int64(query->statement, column);
}

static double real(const struct query *query, int column)
{
	return sqlite3_column_double(query->statement, column);
}

static struct past_sum *find_sum(struct past *past, int cpu)
{
	struct past_sum *grown;
	size_t i;

	for (i = past->count; i > 0; i--)
		if (past->sum[i - 1].cpu == cpu)
			return &past->sum[i - 1];
	grown = array_grow(past->sum, past->count, &past->room, sizeof(*grown));
	if (!grown) {
		complain("no memory");
		return NULL;
	}
	past->sum = grown;
	grown[past->count] = (struct past_sum){ .cpu = cpu };
	return &grown[past->count++];
}

static int read_minutes(struct sqlite3 *db, struct past *past)
{
	struct query query;
	int err = 0;

	begin(&query, db, past,
	      "SELECT cpu, sum(length_ns), sum(intervals), sum(invalid), sum(observed_ns),"
	      " total(smm_usec), total(1.0 * aperf * base_khz), total(mperf),"
	      " total(CASE WHEN base_khz > 0 THEN 1e6 * mperf / base_khz END),"
	      " sum(CASE WHEN base_khz > 0 THEN clock_ns ELSE 0 END)"
	      " FROM minute WHERE" IN_TIME "AND listed(cpu) GROUP BY cpu ORDER BY cpu");
	while (!err && next(&query)) {
		struct past_sum *sum = find_sum(past, integer(&query, 0));

		if (!sum) {
			err = EXIT_FAILED;
			break;
		}
		sum->watched_ns = integer(&query, 1);
		sum->intervals = integer(&query, 2);
		sum->invalid = integer(&query, 3);
		sum->observed_ns = integer(&query, 4);
		sum->observed_usec = real(&query, 5);
		sum->cycles = real(&query, 6);
		sum->mperf = real(&query, 7);
		sum->busy_ns = real(&query, 8);
		sum->clock_ns = integer(&query, 9);
	}
	return end(&query) || err ? EXIT_FAILED : 0;
}

static int read_events(struct sqlite3 *db, struct past *past)
{
	struct query query;
	int err = 0;

	begin(&query, db, past,
	      "SELECT cpu, sum(smi), sum(CASE WHEN smm_usec IS NULL THEN 0 ELSE smi END),"
	      " total(smm_usec), max(smm_usec / smi)"
	      " FROM event WHERE" IN_TIME "AND smi > 0 AND listed(cpu) GROUP BY cpu ORDER BY cpu");
	while (!err && next(&query)) {
		struct past_sum *sum = find_sum(past, integer(&query, 0));

		if (!sum) {
			err = EXIT_FAILED;
			break;
		}
		sum->smi = integer(&query, 1);
		sum->costed = integer(&query, 2);
		sum->smm_usec = real(&query, 3);
		sum->longest_usec = real(&query, 4);
	}
	return end(&query) || err ? EXIT_FAILED : 0;
}

static int by_cpu(const void *a, const void *b)
{
	return ((const struct past_sum *)a)->cpu - ((const struct past_sum *)b)->cpu;
}

static int read_worst(struct sqlite3 *db, struct past *past)
{
	struct query query;

	begin(&query, db, past,
	      "SELECT end_ns, max(smi), max(smm_usec), max(worst_usec) FROM minute WHERE" IN_TIME
	      "AND smi > 0 AND chosen(cpu) GROUP BY end_ns"
	      " ORDER BY max(smm_usec) DESC, max(smi) DESC, end_ns LIMIT 5");
	while (past->worst_count < PAST_WORST && next(&query))
		past->worst[past->worst_count++] = (struct past_minute){
			.end_ns = integer(&query, 0),
			.smi = integer(&query, 1),
			.smm_usec = real(&query, 2),
			.worst_usec = real(&query, 3),
		};
	return end(&query);
}

/* The machine's row does not say on which CPU: the one with the same interval and cost does. */
static int read_longest(struct sqlite3 *db, struct past *past)
{
	struct query query;

	begin(&query, db, past,
	      "SELECT end_ns, max(cpu), smi, smm_usec / smi FROM event WHERE" IN_TIME
	      "AND smi > 0 AND smm_usec IS NOT NULL AND listed(cpu)"
	      " GROUP BY end_ns, smi, smm_usec ORDER BY smm_usec / smi DESC, end_ns LIMIT 1");
	if (next(&query))
		past->longest = (struct past_longest){
			.end_ns = integer(&query, 0),
			.cpu = integer(&query, 1),
			.smi = integer(&query, 2),
			.mean_usec = real(&query, 3),
		};
	return end(&query);
}

/* The rows come in order, so the first at which enough have gone by is the one. */
static int read_percentiles(struct sqlite3 *db, struct past *past)
{
	struct query query;
	int64_t total = 0, seen = 0;
	size_t i = 0;

	begin(&query, db, past,
	      "SELECT smm_usec / smi, smi, sum(smi) OVER () FROM event WHERE" IN_TIME
	      "AND smi > 0 AND smm_usec IS NOT NULL AND chosen(cpu) ORDER BY smm_usec / smi");
	while (i < PAST_PERCENTILES && next(&query)) {
		seen += integer(&query, 1);
		total = integer(&query, 2);
		for (; i < PAST_PERCENTILES && seen >= past_percents[i] / 100 * total; i++)
			past->percentile[i] = real(&query, 0);
	}
	for (; i < PAST_PERCENTILES; i++)
		past->percentile[i] = NAN;
	return end(&query);
}

static int read_reasons(struct sqlite3 *db, struct past *past)
{
	struct query query;

	begin(&query, db, past,
	      "SELECT reason, sum(intervals) FROM event WHERE" IN_TIME
	      "AND reason IS NOT NULL AND cpu >= 0 AND listed(cpu)"
	      " GROUP BY reason ORDER BY sum(intervals) DESC, reason");
	while (past->reason_count < PAST_REASONS && next(&query)) {
		struct past_reason *reason = &past->reason[past->reason_count++];

		snprintf(reason->text, sizeof(reason->text), "%s",
			 (const char *)sqlite3_column_text(query.statement, 0));
		reason->intervals = integer(&query, 1);
	}
	return end(&query);
}

static int define_functions(struct sqlite3 *db, const struct past *past)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

	if (sqlite3_create_function(db, "chosen", 1, flags, (void *)past, chosen, NULL, NULL) ||
	    sqlite3_create_function(db, "listed", 1, flags, (void *)past, listed, NULL, NULL))
		return failed(db);
	return 0;
}

int past_read(struct sqlite3 *db, struct past *past)
{
	if (define_functions(db, past) || read_minutes(db, past) || read_events(db, past) ||
	    read_worst(db, past) || read_longest(db, past) || read_percentiles(db, past) ||
	    read_reasons(db, past))
		return EXIT_FAILED;
	if (past->count)
		qsort(past->sum, past->count, sizeof(*past->sum), by_cpu);
	return 0;
}

/* What was watched till a moment ago is watched still. */
static int64_t watched_until(const struct chart *chart, int64_t end_ns)
{
	return chart->until_ns - end_ns < LATE_NS ? chart->until_ns : end_ns;
}

int past_read_chart(struct sqlite3 *db, const struct past *past, struct chart *chart)
{
	struct query query;

	begin(&query, db, past,
	      "SELECT end_ns, max(smi), max(smm_usec) FROM event WHERE" IN_TIME
	      "AND smi > 0 AND chosen(cpu) GROUP BY end_ns");
	while (next(&query))
		chart_add(chart, integer(&query, 0), real(&query, 1), real(&query, 2));
	if (end(&query))
		return EXIT_FAILED;
	begin(&query, db, past,
	      "SELECT end_ns, max(length_ns) FROM minute WHERE end_ns > ?1"
	      " AND end_ns <= ?2 + 60000000000 AND chosen(cpu) GROUP BY end_ns");
	while (next(&query))
		chart_watch(chart, integer(&query, 0) - integer(&query, 1),
			    watched_until(chart, integer(&query, 0)));
	return end(&query);
}

static int64_t pragma(struct sqlite3 *db, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t number = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

struct sqlite3 *past_open(const char *file)
{
	struct sqlite3 *db = NULL;

	if (access(file, R_OK)) {
		complain("cannot read the history %s: %m: does smimond run, and are you root?",
			 file);
		return NULL;
	}
	if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		complain("cannot open the history %s: %s", file, db ? sqlite3_errmsg(db) : "no memory");
		sqlite3_close(db);
		return NULL;
	}
	sqlite3_busy_timeout(db, BUSY_MS);
	if (pragma(db, "PRAGMA application_id") == SCHEMA_APPLICATION &&
	    pragma(db, "PRAGMA user_version") == SCHEMA_VERSION)
		return db;
	complain("%s is no history of this version of smimond, or you may not read all of it", file);
	sqlite3_close(db);
	return NULL;
}

void past_clear(struct past *past)
{
	free(past->sum);
	past->sum = NULL;
	past->count = past->room = 0;
}

void past_close(struct sqlite3 *db)
{
	sqlite3_close(db);
}
