// SPDX-License-Identifier: GPL-2.0-only
#include "collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "settings.h"

/* The module is away, for one reason after another perhaps: each is said once. */
static void complain(struct collector *collector, const char *why)
{
	if (!strcmp(collector->error, why))
		return;
	snprintf(collector->error, sizeof(collector->error), "%s", why);
	log_event(LOG_WARNING, LOG_ID_MODULE_LOST, "%s; trying again until it works", why);
}

void collector_disconnect(struct collector *collector)
{
	smimon_free(collector->ctx);
	collector->ctx = NULL;
	collector->freeze_settled = false;
}

static int fail(struct collector *collector, int err)
{
	complain(collector, collector->ctx ? smimon_error(collector->ctx) : "no memory");
	collector_disconnect(collector);
	return err;
}

static const char *cpu_list(const struct collector *collector)
{
	return *collector->settings->cpus ? collector->settings->cpus : NULL;
}

/* Counters are to count before the first snapshot, or it would not have them. */
static int connect_to_module(struct collector *collector)
{
	int err = -ENOMEM;

	collector->ctx = smimon_new();
	if (collector->ctx)
		err = smimon_connect(collector->ctx);
	if (!err)
		err = smimon_get_info(collector->ctx, &collector->info);
	if (!err)
		err = smimon_hold_counters(collector->ctx, cpu_list(collector),
					   collector->settings->isolated);
	return err ? fail(collector, err) : 0;
}

/*
 * Whoever set the policy to "off" may set it back, so this is tried again. The rest is there
 * without the freeze, hence it is no failure.
 */
static void hold_freeze(struct collector *collector)
{
	int err;

	if (!collector->settings->freeze || collector->freeze_settled)
		return;
	err = smimon_hold_freeze(collector->ctx);
	collector->freeze_settled = !err || err == -EALREADY || err == -EOPNOTSUPP;
	if (!err || err == -EALREADY) {
		collector->freeze_error[0] = '\0';
		return;
	}
	if (!strcmp(collector->freeze_error, smimon_error(collector->ctx)))
		return;
	snprintf(collector->freeze_error, sizeof(collector->freeze_error), "%s",
		 smimon_error(collector->ctx));
	log_line(LOG_WARNING, "%s; going on without it", collector->freeze_error);
}

/* An answer that was lost leaves all as it is, so it is only asked for again. */
static int take_snapshot(struct collector *collector)
{
	int err, tries;

	for (tries = 0; tries < 2; tries++) {
		err = smimon_take_snapshot(collector->ctx, cpu_list(collector),
					   collector->settings->isolated, &collector->now);
		if (err != -ENOBUFS)
			break;
		collector->overruns++;
		log_event(LOG_NOTICE, LOG_ID_OVERRUN, "%s", smimon_error(collector->ctx));
	}
	return err ? fail(collector, err) : 0;
}

static void found(struct collector *collector)
{
	log_event(LOG_INFO, LOG_ID_MODULE_FOUND, "sampling %zu CPUs with smimon.ko %s",
		  collector->now.count, collector->info.version);
	collector->connects++;
	collector->error[0] = '\0';
}

static int make_room(struct collector *collector)
{
	size_t wanted = collector->before.count + collector->now.count;
	struct smimon_delta *grown;

	if (wanted <= collector->room)
		return 0;
	grown = realloc(collector->delta, wanted * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	collector->delta = grown;
	collector->room = wanted;
	return 0;
}

static void swap_snapshots(struct collector *collector)
{
	struct smimon_snapshot last = collector->before;

	collector->before = collector->now;
	collector->now = last;
}

int collector_step(struct collector *collector)
{
	bool connected = collector->ctx;
	int err;

	collector->count = 0;
	swap_snapshots(collector);
	err = connected ? 0 : connect_to_module(collector);
	if (!err) {
		hold_freeze(collector);
		err = take_snapshot(collector);
	}
	if (!err) {
		err = make_room(collector);
		if (err)
			complain(collector, "no memory");
	}
	if (err) {
		/* The one before stays the last. */
		swap_snapshots(collector);
		return err;
	}
	if (!connected)
		found(collector);
	if (collector->before.count)
		collector->count = smimon_deltas(collector->delta, &collector->before,
						 &collector->now, collector->info.base_khz);
	return 0;
}

void collector_clear(struct collector *collector)
{
	collector_disconnect(collector);
	smimon_snapshot_clear(&collector->before);
	smimon_snapshot_clear(&collector->now);
	free(collector->delta);
}
