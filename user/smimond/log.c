// SPDX-License-Identifier: GPL-2.0-only
#include "log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#define LINE_MAX_BYTES	1024

static bool to_journal;

/* systemd names the socket that it gave us as standard error, which may be another by now. */
void log_open(void)
{
	const char *named = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat ours;

	to_journal = named && sscanf(named, "%llu:%llu", &device, &inode) == 2 &&
		     !fstat(STDERR_FILENO, &ours) && ours.st_dev == device && ours.st_ino == inode;
}

static void print(const char *line)
{
	fprintf(stderr, "smimond: %s\n", line);
}

void log_line(int priority, const char *format, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (to_journal)
		sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", priority, NULL);
	else
		print(line);
}

void log_event(int priority, const char *id, const char *format, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (to_journal)
		sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", priority, "MESSAGE_ID=%s", id,
				NULL);
	else
		print(line);
}

static void log_smi_of_unknown_cost(uint64_t smi)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "%" PRIu64 " SMI%s", smi, smi == 1 ? "" : "s");
	if (to_journal)
		sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", LOG_NOTICE,
				"MESSAGE_ID=%s", LOG_ID_SMI, "SMIMON_SMI=%" PRIu64, smi, NULL);
	else
		print(line);
}

void log_smi(uint64_t smi, uint32_t cpu, double usec)
{
	char line[LINE_MAX_BYTES];

	if (cpu == SMIMON_CPU_ALL) {
		log_smi_of_unknown_cost(smi);
		return;
	}
	snprintf(line, sizeof(line), "%" PRIu64 " SMI%s took %.1f us of CPU %" PRIu32, smi,
		 smi == 1 ? "" : "s", usec, cpu);
	if (to_journal)
		sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", LOG_NOTICE,
				"MESSAGE_ID=%s", LOG_ID_SMI, "SMIMON_SMI=%" PRIu64, smi,
				"SMIMON_CPU=%" PRIu32, cpu, "SMIMON_USEC=%.1f", usec, NULL);
	else
		print(line);
}

void log_invalid(const char *cpus, const char *reason)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "not all is known of CPU %s: %s", cpus, reason);
	if (to_journal)
		sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", LOG_NOTICE,
				"MESSAGE_ID=%s", LOG_ID_INVALID, "SMIMON_CPU=%s", cpus,
				"SMIMON_REASON=%s", reason, NULL);
	else
		print(line);
}
