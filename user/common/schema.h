/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The history's database, which the daemon writes and 'smimon report' reads.
 *
 * Times are in ns since 1970, so a clock that is set shows in them; lengths are CLOCK_BOOTTIME's.
 * NULL stands for what is not known. A CPU of -1 is the machine: SMIs of the CPU that had most,
 * times of that on which they took longest on average.
 *
 * event	an interval with SMIs, or a run of intervals of one minute that all lack something for
 *		one reason
 *   end_ns	when it ended
 *   length_ns	how long it was
 *   cpu
 *   intervals	how many it stands for
 *   smi	SMIs
 *   smm_cycles	cycles in SMM
 *   smm_usec	time in SMM in us
 *   reason	why something is not known, as in JSON; NULL if all is
 *
 * minute	the sums of a minute, or of the part of it that was watched
 *   end_ns, length_ns, cpu, intervals
 *   invalid	how many of the intervals lacked something
 *   smi
 *   smm_cycles, smm_usec, observed_ns	over the intervals in which SMM's cost is known
 *   worst_usec	the longest that an SMI took, on average over those of one interval
 *   aperf, mperf
 *   base_khz	the clock that mperf counts at; 0 if it is not known
 *   clock_ns	how long the intervals were of which aperf and mperf are the sums
 */
#ifndef SMIMON_SCHEMA_H
#define SMIMON_SCHEMA_H

/* PRAGMA application_id and user_version. */
#define SCHEMA_APPLICATION	0x534d4948
#define SCHEMA_VERSION		1

#define SCHEMA_FILE		"/var/lib/smimon/history.db"

/* The CPU that stands for the machine. */
#define SCHEMA_MACHINE		(-1)

#endif /* SMIMON_SCHEMA_H */
