// SPDX-License-Identifier: GPL-2.0-only
/* The machines that the client is tried on, by the environment variable SMIMON_FAKE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "fake_kernel.h"
#include "pair.h"

/* All but IRPERF. */
#define INTEL	0x6f
/* The TSC, APERF, MPERF, IRPERF. */
#define AMD	0x17

/* Between two snapshots, what pair.h says of a CPU. */
static void fast_cpu(struct smimon_record *record, unsigned int n)
{
	*record = pair_from;
	record->valid = INTEL;
	record->cpu = 0;
	record->time_ns += n * UINT64_C(1000000000);
	record->tsc += n * UINT64_C(2000000000);
	record->aperf += n * UINT64_C(1500000000);
	record->mperf += n * UINT64_C(1000000000);
	record->cycles += n * UINT64_C(1470000000);
	record->irperf += n * UINT64_C(3000000000);
	record->smi_count += n * 10;
}

/* A quarter busy, at 2 GHz, with 12 SMIs that took 10 M cycles. */
static void slow_cpu(struct smimon_record *record, unsigned int n)
{
	fast_cpu(record, n);
	record->cpu = 1;
	record->aperf = 200 + n * UINT64_C(500000000);
	record->mperf = 300 + n * UINT64_C(500000000);
	record->cycles = 400 + n * UINT64_C(490000000);
	record->smi_count = 600 + n * 12;
}

static size_t two_cpus(unsigned int n, struct smimon_record *record)
{
	fast_cpu(&record[0], n);
	slow_cpu(&record[1], n);
	return 2;
}

/* No SMI; 300 cycles of 1500 M and 250 of 500 M that the PMU did not see. */
static size_t quiet(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[0].smi_count = record[1].smi_count = 600;
	record[0].cycles = 400 + n * UINT64_C(1499999700);
	record[1].cycles = 400 + n * UINT64_C(499999750);
	return 2;
}

/* A fifth of the time in SMM. */
static size_t alarming(unsigned int n, struct smimon_record *record)
{
	fast_cpu(record, n);
	record->cycles = 400 + n * UINT64_C(1200000000);
	return 1;
}

static size_t freeze_off(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[0].flags = 0;
	record[1].flags = 0;
	return 2;
}

static size_t torn_on_one(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[1].flags |= SMIMON_RECORD_TORN;
	return 2;
}

/*
 * A measurement begins with the second snapshot, after one that is tried. CPU 1 is not there in
 * the third, and comes back.
 */
static size_t offline_once(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[1].epoch += n / 2;
	return n == 2 ? 1 : 2;
}

/* There CPU 1 is replaced by CPU 2. */
static size_t exchanged(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[1].cpu = n > 1 ? 2 : 1;
	return 2;
}

static size_t amd(unsigned int n, struct smimon_record *record)
{
	fast_cpu(record, n);
	record->valid = AMD;
	record->flags = 0;
	return 1;
}

static size_t all_flags(unsigned int n, struct smimon_record *record)
{
	two_cpus(n, record);
	record[0].flags = 0x1f;
	record[0].window = 77;
	record[1].valid = 0;
	record[1].flags = 0;
	return 2;
}

static size_t no_cpu(unsigned int n, struct smimon_record *record)
{
	return 0;
}

static const struct smimon_caps hybrid[] = {
	{ 0, false, { 0, 0, 0, 0, SMIMON_REASON_VENDOR, 0, 0 } },
	{ 1, false, { 0, 0, 0, SMIMON_REASON_NO_PMU, SMIMON_REASON_VENDOR, 0, 0 } },
	{ 2, false, { 0, 0, 0, 0, SMIMON_REASON_VENDOR, 0, 0 } },
	{ 3, true, { 0, 0, 0, SMIMON_REASON_NO_PMU, SMIMON_REASON_VENDOR, 0,
		     SMIMON_REASON_NO_FREEZE_BIT } },
};

#define SOUND									\
	.family_version = 1, .record_size = SMIMON_RECORD_SIZE_1, .base_khz = PAIR_BASE_KHZ,	\
	.caps = hybrid, .cpus = ARRAY_SIZE(hybrid)

static const struct fake_kernel machines[] = {
	{ "two", SOUND, .snapshot = two_cpus },
	{ "quiet", SOUND, .snapshot = quiet },
	{ "alarming", SOUND, .snapshot = alarming },
	{ "torn", SOUND, .snapshot = torn_on_one },
	{ "offline-once", SOUND, .snapshot = offline_once },
	{ "exchanged", SOUND, .snapshot = exchanged },
	{ "amd", SOUND, .snapshot = amd, .refusal = {
		.command = SMIMON_CMD_FREEZE_HOLD, .err = 95, .text = "no CPU has the bit" } },
	{ "flags", SOUND, .snapshot = all_flags },
	{ "isolated", SOUND, .snapshot = no_cpu },
	{ "no-base", .family_version = 1, .record_size = SMIMON_RECORD_SIZE_1,
	  .snapshot = two_cpus },
	{ "policy-off", SOUND, .snapshot = freeze_off, .refusal = {
		.command = SMIMON_CMD_FREEZE_HOLD, .err = 1, .text = "the policy is off" } },
	{ "hold-fails", SOUND, .snapshot = two_cpus, .refusal = {
		.command = SMIMON_CMD_FREEZE_HOLD, .err = 5, .text = "it did not stay set" } },
	{ "set-fails", SOUND, .snapshot = two_cpus, .refusal = {
		.command = SMIMON_CMD_FREEZE_SET, .err = 16, .text = "somebody holds it" } },
	{ "nothing", SOUND, .snapshot = two_cpus, .refusal = {
		.command = SMIMON_CMD_SNAPSHOT_GET, .err = 95, .text = "no counters" } },
	{ "fails-later", SOUND, .snapshot = two_cpus, .refusal = {
		.command = SMIMON_CMD_SNAPSHOT_GET, .after = 3, .err = 12, .text = "no memory" } },
	{ "user", SOUND, .refusal = { .command = SMIMON_CMD_INFO_GET, .err = 1 } },
	{ "old", .family_version = 0 },
	{ "old-records", .family_version = 1, .record_size = 96 },
};

__attribute__((constructor))
static void choose(void)
{
	const char *name = getenv("SMIMON_FAKE");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (name && !strcmp(machines[i].name, name)) {
			fake_kernel = machines[i];
			return;
		}
	fprintf(stderr, "no fake kernel %s\n", name ? name : "");
	exit(125);
}
