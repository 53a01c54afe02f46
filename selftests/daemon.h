/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * smimond as a test runs it, and what it serves. What must work for a test to mean anything ends
 * the test program with a message when it fails.
 */
#ifndef SMIMON_SELFTESTS_DAEMON_H
#define SMIMON_SELFTESTS_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define DAEMON_PORT	9764
#define DAEMON_LOG	"/tmp/smimond.log"
#define DAEMON_HISTORY	"/tmp/history.db"
#define DAEMON_PAGE	262144

/*
 * Start it with more options, as "--interval 100 --freeze no"; its log is in DAEMON_LOG. Returns
 * when it serves.
 */
pid_t daemon_start(const char *options);

/* End it by a signal. Return: its status as of waitpid(). */
int daemon_stop(pid_t pid, int signal);

/*
 * Raise SMIs while it stands still: all CPUs have them in the same interval, which is not so of an
 * SMI that strikes in the middle of a snapshot.
 */
void daemon_smis(pid_t pid, unsigned int count);

/* A connection to it, or -1. It gives up after a minute of silence. */
int daemon_connect(void);

/* Ask whoever is at the other end of a connection, which is closed then; as daemon_get(). */
int daemon_talk(int fd, const char *path, const char *accept, char page[DAEMON_PAGE]);

/*
 * Ask for a page. Return: the status of HTTP, 0 if there was no answer. The page is what was
 * received after the head.
 */
int daemon_get(const char *path, const char *accept, char page[DAEMON_PAGE]);

/* The same of another server of this machine. */
int daemon_get_at(unsigned int port, const char *path, char page[DAEMON_PAGE]);

/* The value of a series on a page, as "smimon_smi_total{cpu=\"0\"}"; not a number without. */
double daemon_value(const char *page, const char *series);

/* The same, on a page asked for now. */
double daemon_ask(const char *series);

/*
 * Wait, for at most two minutes, until a series is at least that large. Return: whether it became
 * so.
 */
bool daemon_becomes(const char *series, double least);

/* Wait until a snapshot was taken that began after now. */
bool daemon_samples(void);

/* Whether a text is in the log. */
bool daemon_said(const char *text);

#endif
