// SPDX-License-Identifier: GPL-2.0-only
#include "history.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "array.h"
#include "database.h"

/* Ten minutes of an interval with SMIs each second on 100 CPUs; 8 MiB. */
#define MAX_WAITING	60000

#define NS_PER_SECOND	INT64_C(1000000000)
#define RETRY_SECONDS	1
#define TRIM_SECONDS	60

/*
 * @lock is for @waiting, @state, @flush and @stop; what is below is the thread's alone.
 */
struct history {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	struct history_row *waiting;
	size_t waiting_count;
	size_t waiting_room;
	struct history_state state;
	bool flush;
	bool stop;

	char *file;
	struct history_limits limits;
	struct database database;
	struct history_row *writing;
	size_t writing_count;
	size_t writing_room;
	time_t trimmed;
};

static void set_error(struct history *history, const char *error)
{
	pthread_mutex_lock(&history->lock);
	snprintf(history->state.error, sizeof(history->state.error), "%s", error);
	pthread_mutex_unlock(&history->lock);
}

static time_t seconds_since_boot(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static int trim(struct history *history)
{
	struct timespec now;

	if (history->trimmed && seconds_since_boot() - history->trimmed < TRIM_SECONDS)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	history->trimmed = seconds_since_boot();
	return database_trim(&history->database, &history->limits,
			     now.tv_sec * NS_PER_SECOND + now.tv_nsec);
}

static void written(struct history *history)
{
	uint64_t bytes = database_bytes(&history->database);

	pthread_mutex_lock(&history->lock);
	history->state.rows += history->writing_count;
	history->state.bytes = bytes;
	history->state.error[0] = '\0';
	pthread_mutex_unlock(&history->lock);
	history->writing_count = 0;
}

/* What fails is closed and opened again by the next try: nothing is known of its state. */
static void write_rows(struct history *history)
{
	struct database *database = &history->database;
	int err = 0;

	if (database->db && database_is_gone(database))
		database_close(database);
	if (!database->db)
		err = database_open(database, history->file);
	if (!err)
		err = database_write(database, history->writing, history->writing_count);
	if (!err) {
		written(history);
		err = trim(history);
	}
	if (err) {
		set_error(history, database->error);
		database_close(database);
	}
}

/* With the lock. */
static void take_waiting(struct history *history)
{
	struct history_row *rows = history->writing;
	size_t room = history->writing_room;

	history->writing = history->waiting;
	history->writing_count = history->waiting_count;
	history->writing_room = history->waiting_room;
	history->waiting = rows;
	history->waiting_count = 0;
	history->waiting_room = room;
}

/* With the lock. After a failure it is time to try again soon, else when there is something. */
static void wait_for_rows(struct history *history)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += RETRY_SECONDS;
	while (!history->stop && !history->flush) {
		if (*history->state.error) {
			if (pthread_cond_timedwait(&history->wake, &history->lock, &until))
				break;
		} else {
			pthread_cond_wait(&history->wake, &history->lock);
		}
	}
	history->flush = false;
}

/* A batch that could not be written goes first; what waits meanwhile comes after. */
static void write_batch(struct history *history)
{
	pthread_mutex_lock(&history->lock);
	if (!history->writing_count)
		take_waiting(history);
	pthread_mutex_unlock(&history->lock);
	write_rows(history);
}

static void *run(void *arg)
{
	struct history *history = arg;
	bool stop = false;

	while (!stop) {
		write_batch(history);
		pthread_mutex_lock(&history->lock);
		wait_for_rows(history);
		stop = history->stop;
		pthread_mutex_unlock(&history->lock);
	}
	write_batch(history);
	if (!history->writing_count && history->waiting_count)
		write_batch(history);
	return NULL;
}

/* Signals are the main thread's. */
static int start_thread(struct history *history)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&history->thread, NULL, run, history);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void destroy(struct history *history)
{
	pthread_cond_destroy(&history->wake);
	pthread_mutex_destroy(&history->lock);
	free(history->waiting);
	free(history->writing);
	free(history->file);
	free(history);
}

struct history *history_open(const char *file, const struct history_limits *limits)
{
	struct history *history = calloc(1, sizeof(*history));
	pthread_condattr_t attr;

	if (!history)
		return NULL;
	history->limits = *limits;
	history->file = strdup(file);
	pthread_mutex_init(&history->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&history->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (history->file && !start_thread(history))
		return history;
	destroy(history);
	return NULL;
}

void history_add(struct history *history, const struct history_row *row)
{
	struct history_row *rows = NULL;

	pthread_mutex_lock(&history->lock);
	if (history->waiting_count < MAX_WAITING)
		rows = array_grow(history->waiting, history->waiting_count,
				  &history->waiting_room, sizeof(*rows));
	if (rows) {
		history->waiting = rows;
		rows[history->waiting_count++] = *row;
	} else {
		history->state.lost++;
	}
	pthread_mutex_unlock(&history->lock);
}

void history_flush(struct history *history)
{
	pthread_mutex_lock(&history->lock);
	history->flush = true;
	pthread_cond_signal(&history->wake);
	pthread_mutex_unlock(&history->lock);
}

void history_get_state(struct history *history, struct history_state *state)
{
	pthread_mutex_lock(&history->lock);
	*state = history->state;
	state->waiting = history->waiting_count;
	pthread_mutex_unlock(&history->lock);
}

size_t history_close(struct history *history)
{
	size_t left;

	if (!history)
		return 0;
	pthread_mutex_lock(&history->lock);
	history->stop = true;
	pthread_cond_signal(&history->wake);
	pthread_mutex_unlock(&history->lock);
	pthread_join(history->thread, NULL);
	database_close(&history->database);
	left = history->writing_count + history->waiting_count;
	destroy(history);
	return left;
}
