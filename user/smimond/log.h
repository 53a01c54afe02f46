/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the daemon has to say: to the journal with fields where standard error is the journal's, in
 * plain lines on standard error elsewhere. Each event has an entry in smimond.catalog.
 */
#ifndef SMIMON_LOG_H
#define SMIMON_LOG_H

#include <smimon.h>
#include <stdint.h>
#include <syslog.h>

/* Message IDs of the journal, as they are in the catalog. */
#define LOG_ID_SMI		"37df4f1d4d814dddb6aed8acdb63df2e"
#define LOG_ID_INVALID		"c727f67ff9034aa9aa41f3cd6c479a33"
#define LOG_ID_MODULE_LOST	"7ceb452654514fd8a40440792e288020"
#define LOG_ID_MODULE_FOUND	"2246e8ee9f2649c68e940585ccec49d1"
#define LOG_ID_OVERRUN		"1ddb26d4b93048cbb7a7b8ec9baf6099"
#define LOG_ID_MISSED		"66d25e8721d34c788c09c9d554bb7c3f"
#define LOG_ID_HISTORY_FAILS	"b6fe3161632a44d2a8d7b1b3b6ff80b7"
#define LOG_ID_HISTORY_WORKS	"6e19b35ba1fa4a78839ffef0c0c0241f"

/**
 * log_open() - find out where to
 */
void log_open(void);

/**
 * log_line() - say something
 * @priority: LOG_x of syslog.h
 */
__attribute__((format(printf, 2, 3)))
void log_line(int priority, const char *format, ...);

/**
 * log_event() - say something that has a message ID
 */
__attribute__((format(printf, 3, 4)))
void log_event(int priority, const char *id, const char *format, ...);

/**
 * log_smi() - say what an interval's SMIs did
 * @smi: how many
 * @cpu: on which CPU they took longest; SMIMON_CPU_ALL if that is not known
 * @usec: how long together there
 */
void log_smi(uint64_t smi, uint32_t cpu, double usec);

/**
 * log_invalid() - say that intervals are not valid
 * @cpus: list of CPUs
 * @reason: why
 */
void log_invalid(const char *cpus, const char *reason);

#endif /* SMIMON_LOG_H */
