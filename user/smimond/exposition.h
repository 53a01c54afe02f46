/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's numbers as a page for Prometheus, in OpenMetrics 1.0 or in the older text format.
 * Names and units are for ever, as rules and dashboards are made of them.
 */
#ifndef SMIMON_EXPOSITION_H
#define SMIMON_EXPOSITION_H

#include <stdbool.h>
#include <stdint.h>

struct tally;
struct text;

enum exposition_format {
	EXPOSITION_TEXT,		/* text/plain; version=0.0.4 */
	EXPOSITION_OPENMETRICS,		/* application/openmetrics-text; version=1.0.0 */
	EXPOSITION_FORMATS
};

/**
 * struct daemon_state - how the daemon itself fares
 * @version: of the daemon
 * @module_version: of the module that it talks to, "" if there is none
 * @connected: it talks to the module
 * @interval_ms: how often it samples
 * @samples: how many snapshots it took
 * @failed: how many it could not take
 * @missed: how many it should have taken besides
 * @connects: how often it found the module
 * @overruns: how often the kernel could not put an answer into the socket's buffer
 * @sample_time: when the last snapshot was taken, in seconds since 1970; 0 if there was none
 * @history: it keeps one
 * @history_failing: which cannot be written just now
 * @history_rows: rows written
 * @history_lost: rows that could not be
 * @history_bytes: how large the database is
 */
struct daemon_state {
	const char *version;
	const char *module_version;
	bool connected;
	unsigned int interval_ms;
	uint64_t samples;
	uint64_t failed;
	uint64_t missed;
	uint64_t connects;
	uint64_t overruns;
	double sample_time;
	bool history;
	bool history_failing;
	uint64_t history_rows;
	uint64_t history_lost;
	uint64_t history_bytes;
};

/**
 * exposition_type() - the content type of a format
 */
const char *exposition_type(enum exposition_format format);

/**
 * exposition_choose() - the format that a client likes best
 * @accept: the value of its Accept header; NULL without
 */
enum exposition_format exposition_choose(const char *accept);

/**
 * exposition_write() - write the page
 */
void exposition_write(struct text *text, enum exposition_format format, const struct tally *tally,
		      const struct daemon_state *state);

#endif /* SMIMON_EXPOSITION_H */
