// SPDX-License-Identifier: GPL-2.0-only
#include "daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <time.h>

#include "collector.h"
#include "exposition.h"
#include "gaps.h"
#include "history.h"
#include "http.h"
#include "log.h"
#include "rollup.h"
#include "settings.h"
#include "tally.h"
#include "version.h"

#define NS_PER_SECOND	INT64_C(1000000000)
#define USEC_PER_MSEC	UINT64_C(1000)

/**
 * struct daemon - all of it
 * @invocation: where the settings are from
 * @settings: as they are now
 * @event: the loop
 * @timer: for the next sample
 * @due: when that is, CLOCK_MONOTONIC in us
 * @collector: takes the samples
 * @tally: sums them up
 * @gaps: knows what is not known
 * @rollup: makes rows of them
 * @history: writes these; NULL without
 * @http: serves; NULL without
 * @activated: systemd listens for us
 * @sampled_ns: when the last sample was taken, CLOCK_BOOTTIME; before the first, when it began
 * @ticks: of the timer
 * @samples: taken
 * @failed: not given by the module
 * @missed: not taken in time
 * @sample_time: as in struct daemon_state
 * @history_error: what was last said of the history
 */
struct daemon {
	const struct invocation *invocation;
	struct settings settings;
	sd_event *event;
	sd_event_source *timer;
	uint64_t due;
	struct collector collector;
	struct tally tally;
	struct gaps gaps;
	struct rollup rollup;
	struct history *history;
	struct http *http;
	bool activated;
	int64_t sampled_ns;
	uint64_t ticks;
	uint64_t samples;
	uint64_t failed;
	uint64_t missed;
	double sample_time;
	char history_error[256];
};

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

static void emit_row(void *arg, const struct history_row *row)
{
	struct daemon *daemon = arg;

	if (daemon->history)
		history_add(daemon->history, row);
}

static void log_interval(struct daemon *daemon, const struct smimon_delta *delta, size_t count)
{
	struct smimon_delta total;
	const struct smimon_delta *longest;
	double usec;

	gaps_log(&daemon->gaps, delta, count);
	if (!count || daemon->settings.journal_usec < 0)
		return;
	smimon_delta_total(&total, delta, count);
	if (total.smi.missing || !total.smi.count)
		return;
	longest = tally_longest(delta, count, &usec);
	if (!longest)
		log_smi(total.smi.count, SMIMON_CPU_ALL, 0);
	else if (usec >= daemon->settings.journal_usec)
		log_smi(longest->smi.count, longest->cpu, longest->smm_usec.real);
}

static void check_history(struct daemon *daemon)
{
	struct history_state state;

	if (!daemon->history)
		return;
	history_get_state(daemon->history, &state);
	if (!strcmp(state.error, daemon->history_error))
		return;
	memcpy(daemon->history_error, state.error, sizeof(daemon->history_error));
	if (*state.error)
		log_event(LOG_WARNING, LOG_ID_HISTORY_FAILS,
			  "history %s: %s; sampling goes on, rows wait",
			  daemon->settings.history, state.error);
	else
		log_event(LOG_INFO, LOG_ID_HISTORY_WORKS,
			  "history %s: written again, %" PRIu64 " rows were lost",
			  daemon->settings.history, state.lost);
}

static void take_interval(struct daemon *daemon)
{
	const struct collector *collector = &daemon->collector;
	int64_t now_ns = clock_ns(CLOCK_BOOTTIME);
	struct interval interval = {
		.end_ns = clock_ns(CLOCK_REALTIME),
		.length_ns = now_ns - daemon->sampled_ns,
		.delta = collector->delta,
		.count = collector->count,
	};

	daemon->sampled_ns = now_ns;
	daemon->sample_time = (double)interval.end_ns / NS_PER_SECOND;
	daemon->samples++;
	if (tally_add(&daemon->tally, &collector->now, collector->delta, collector->count) ||
	    rollup_add(&daemon->rollup, &interval))
		log_line(LOG_ERR, "no memory: an interval is lost");
	if (daemon->history)
		history_flush(daemon->history);
	log_interval(daemon, collector->delta, collector->count);
}

static void sample(struct daemon *daemon)
{
	bool connected = daemon->collector.ctx;

	daemon->ticks++;
	if (collector_step(&daemon->collector)) {
		daemon->failed++;
		tally_lost(&daemon->tally);
	} else {
		take_interval(daemon);
	}
	check_history(daemon);
	if (daemon->collector.ctx && !connected)
		sd_notifyf(0, "STATUS=Sampling %zu CPUs", daemon->collector.now.count);
	else if (!daemon->collector.ctx && (connected || daemon->ticks == 1))
		sd_notifyf(0, "STATUS=No samples: %s", daemon->collector.error);
}

/* What could not be done in time is not made up for: the next interval has it all. */
static void count_missed(struct daemon *daemon, uint64_t now, uint64_t interval)
{
	uint64_t late = (now - daemon->due) / interval;

	daemon->due += (late + 1) * interval;
	if (!late)
		return;
	daemon->missed += late;
	log_event(LOG_NOTICE, LOG_ID_MISSED, "late by %" PRIu64 " sample%s", late,
		  late == 1 ? "" : "s");
}

static int on_timer(sd_event_source *source, uint64_t usec, void *arg)
{
	struct daemon *daemon = arg;
	uint64_t now = clock_ns(CLOCK_MONOTONIC) / 1000;

	(void)usec;
	count_missed(daemon, now, daemon->settings.interval_ms * USEC_PER_MSEC);
	sample(daemon);
	sd_event_source_set_time(source, daemon->due);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static void write_page(void *arg, struct text *text, enum exposition_format format)
{
	const struct daemon *daemon = arg;
	struct history_state history = { 0 };
	struct daemon_state state = {
		.version = SMIMON_VERSION,
		.module_version = daemon->collector.info.version,
		.connected = daemon->collector.ctx,
		.interval_ms = daemon->settings.interval_ms,
		.samples = daemon->samples,
		.failed = daemon->failed,
		.missed = daemon->missed,
		.connects = daemon->collector.connects,
		.overruns = daemon->collector.overruns,
		.sample_time = daemon->sample_time,
		.history = daemon->history,
	};

	if (daemon->history)
		history_get_state(daemon->history, &history);
	state.history_failing = *history.error;
	state.history_rows = history.rows;
	state.history_lost = history.lost;
	state.history_bytes = history.bytes;
	exposition_write(text, format, &daemon->tally, &state);
}

static uint64_t page_number(void *arg)
{
	return ((const struct daemon *)arg)->ticks;
}

static const char *unhealthy(void *arg)
{
	const struct daemon *daemon = arg;

	return daemon->collector.ctx ? NULL : daemon->collector.error;
}

static int open_http(struct daemon *daemon, int fd)
{
	struct http_source source = {
		.write = write_page,
		.number = page_number,
		.unhealthy = unhealthy,
		.arg = daemon,
	};

	daemon->http = http_open(daemon->event, fd, &source);
	return daemon->http ? 0 : -1;
}

static int start_http(struct daemon *daemon)
{
	int fds = sd_listen_fds(1), fd;

	if (fds > 1) {
		log_line(LOG_ERR, "systemd gave %d sockets to listen at, which are too many", fds);
		return -1;
	}
	daemon->activated = fds == 1;
	if (daemon->activated)
		return open_http(daemon, SD_LISTEN_FDS_START);
	if (!*daemon->settings.listen)
		return 0;
	fd = http_listen(daemon->settings.listen);
	return fd < 0 ? -1 : open_http(daemon, fd);
}

static void start_history(struct daemon *daemon)
{
	struct history_limits limits = {
		.days = daemon->settings.history_days,
		.megabytes = daemon->settings.history_megabytes,
	};

	if (!*daemon->settings.history)
		return;
	daemon->history = history_open(daemon->settings.history, &limits);
	if (!daemon->history)
		log_line(LOG_ERR, "no memory for a history: going on without");
}

static void stop_history(struct daemon *daemon)
{
	size_t left;

	rollup_flush(&daemon->rollup);
	left = history_close(daemon->history);
	if (left)
		log_event(LOG_WARNING, LOG_ID_HISTORY_FAILS, "history %s: %zu rows are lost",
			  daemon->settings.history, left);
	daemon->history = NULL;
	daemon->history_error[0] = '\0';
}

static int start_timer(struct daemon *daemon)
{
	int err;

	daemon->due = clock_ns(CLOCK_MONOTONIC) / 1000;
	if (daemon->timer) {
		sd_event_source_set_time(daemon->timer, daemon->due);
		return sd_event_source_set_enabled(daemon->timer, SD_EVENT_ONESHOT);
	}
	err = sd_event_add_time(daemon->event, &daemon->timer, CLOCK_MONOTONIC, daemon->due, 1,
				on_timer, daemon);
	if (err < 0)
		return err;
	return sd_event_source_set_priority(daemon->timer, SD_EVENT_PRIORITY_IMPORTANT);
}

static bool same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* The new socket first: where it cannot be had, the old one stays. */
static void move_http(struct daemon *daemon, const char *old)
{
	struct http *before = daemon->http;
	int fd;

	if (daemon->activated || same(old, daemon->settings.listen))
		return;
	daemon->http = NULL;
	if (*daemon->settings.listen) {
		fd = http_listen(daemon->settings.listen);
		if (fd < 0 || open_http(daemon, fd)) {
			snprintf(daemon->settings.listen, sizeof(daemon->settings.listen), "%s",
				 old);
			daemon->http = before;
			return;
		}
	}
	http_close(before);
}

/* What did not change goes on undisturbed. */
static void apply(struct daemon *daemon, const struct settings *settings)
{
	struct settings old = daemon->settings;

	daemon->settings = *settings;
	move_http(daemon, old.listen);
	if (!same(old.history, settings->history) ||
	    old.history_days != settings->history_days ||
	    old.history_megabytes != settings->history_megabytes) {
		stop_history(daemon);
		start_history(daemon);
	}
	if (!same(old.cpus, settings->cpus) || old.isolated != settings->isolated ||
	    old.freeze != settings->freeze)
		collector_disconnect(&daemon->collector);
	if (old.interval_ms != settings->interval_ms)
		start_timer(daemon);
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *info, void *arg)
{
	struct daemon *daemon = arg;
	struct settings settings;

	(void)source;
	(void)info;
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIi64, clock_ns(CLOCK_MONOTONIC) / 1000);
	if (settings_read(&settings, daemon->invocation)) {
		log_line(LOG_ERR, "the settings stay as they were");
	} else {
		apply(daemon, &settings);
		log_line(LOG_INFO, "settings read again");
	}
	sd_notify(0, "READY=1");
	return 0;
}

static int on_stop(sd_event_source *source, const struct signalfd_siginfo *info, void *arg)
{
	struct daemon *daemon = arg;

	(void)source;
	(void)info;
	sd_notify(0, "STOPPING=1");
	return sd_event_exit(daemon->event, 0);
}

static int watch_signals(struct daemon *daemon)
{
	sigset_t ours;
	int err;

	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, NULL);
	err = sd_event_add_signal(daemon->event, NULL, SIGTERM, on_stop, daemon);
	if (err >= 0)
		err = sd_event_add_signal(daemon->event, NULL, SIGINT, on_stop, daemon);
	if (err >= 0)
		err = sd_event_add_signal(daemon->event, NULL, SIGHUP, on_reload, daemon);
	return err;
}

static int start_loop(struct daemon *daemon)
{
	int err = sd_event_new(&daemon->event);

	if (err >= 0)
		err = watch_signals(daemon);
	if (err >= 0)
		err = sd_event_set_watchdog(daemon->event, true);
	if (err >= 0)
		err = start_timer(daemon);
	if (err < 0)
		log_line(LOG_ERR, "cannot set up the loop: %s", strerror(-err));
	return err < 0 ? -1 : 0;
}

static int run_loop(struct daemon *daemon)
{
	int err;

	sd_notify(0, "READY=1");
	err = sd_event_loop(daemon->event);
	if (err < 0)
		log_line(LOG_ERR, "the loop failed: %s", strerror(-err));
	return err < 0 ? -1 : 0;
}

int daemon_run(const struct invocation *invocation, const struct settings *settings)
{
	static struct daemon daemon;
	int err;

	daemon.invocation = invocation;
	daemon.settings = *settings;
	daemon.collector.settings = &daemon.settings;
	daemon.rollup.emit = emit_row;
	daemon.rollup.arg = &daemon;
	daemon.sampled_ns = clock_ns(CLOCK_BOOTTIME);
	tally_init(&daemon.tally);

	err = start_loop(&daemon);
	if (!err)
		err = start_http(&daemon);
	if (!err) {
		start_history(&daemon);
		err = run_loop(&daemon);
	}
	stop_history(&daemon);
	http_close(daemon.http);
	sd_event_source_unref(daemon.timer);
	sd_event_unref(daemon.event);
	collector_clear(&daemon.collector);
	rollup_clear(&daemon.rollup);
	tally_clear(&daemon.tally);
	return err;
}
