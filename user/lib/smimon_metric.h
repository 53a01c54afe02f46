/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What two snapshots of a CPU say about the time between them. All of this is pure: it asks
 * nobody, allocates nothing and keeps nothing.
 */
#ifndef SMIMON_METRIC_H
#define SMIMON_METRIC_H

#include <linux/smimon.h>
#include <linux/smimon_record.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many counters this library knows, and the bits that they have in smimon_record.valid. */
#define SMIMON_COUNTERS		(SMIMON_COUNTER_DEBUGCTL + 1)
#define SMIMON_VALID(counter)	(UINT32_C(1) << (counter))

/**
 * smimon_record_copy() - take a record that a module of any version filled
 * @to: what this version of the structure does not get is zero; bits of counters that it does not
 *	know are clear in its valid; its size is that of what it holds
 * @from: as it came, of any alignment
 * @len: bytes at @from
 *
 * Return: 0, or -EBADMSG if that is no record.
 */
int smimon_record_copy(struct smimon_record *to, const void *from, size_t len);

/**
 * enum smimon_missing - why a value is not there, the more important reason first
 *
 * Those from SMIMON_MISSING_HARMLESS on are nothing to worry about: the value is not there because
 * of what was measured or of the CPU's vendor.
 */
enum smimon_missing {
	SMIMON_MISSING_NOTHING,		/* the value is there */
	SMIMON_MISSING_NO_CPU,		/* a total over no CPU */
	SMIMON_MISSING_OFFLINE,		/* no record at the end */
	SMIMON_MISSING_NEW,		/* no record at the start */
	SMIMON_MISSING_ORDER,		/* the end is before the start */
	SMIMON_MISSING_EPOCH,		/* the counters started anew in between */
	SMIMON_MISSING_SMI_COUNT,
	SMIMON_MISSING_APERF,
	SMIMON_MISSING_MPERF,
	SMIMON_MISSING_CYCLES_LOST,	/* perf had the cycle counter off the hardware */
	SMIMON_MISSING_CYCLES,
	SMIMON_MISSING_FREEZE_BIT,	/* the CPU cannot freeze its counters in SMM */
	SMIMON_MISSING_FREEZE_LOST,	/* somebody else cleared the bit */
	SMIMON_MISSING_FREEZE_OFF,
	SMIMON_MISSING_FREEZE_CHANGED,	/* not set for all of the time */
	SMIMON_MISSING_TORN,		/* a reading was disturbed */
	SMIMON_MISSING_BASE,		/* the base clock is not known */
	SMIMON_MISSING_TIME,		/* no time went by */
	SMIMON_MISSING_IDLE,		/* no busy cycle to divide by */
	SMIMON_MISSING_TSC,
	SMIMON_MISSING_HARMLESS,
	SMIMON_MISSING_IRPERF = SMIMON_MISSING_HARMLESS,
	SMIMON_MISSING_SMI,		/* no SMI to divide by */
	SMIMON_MISSING_QUIET,		/* each interval had an SMI */
};

/**
 * smimon_missing_text() - a few words for a reason
 *
 * Return: a constant; NULL for SMIMON_MISSING_NOTHING.
 */
const char *smimon_missing_text(enum smimon_missing missing);

/**
 * struct smimon_value - a value, or why it is not there
 * @missing: if not SMIMON_MISSING_NOTHING, the others are 0 and mean nothing
 * @real: the value
 * @count: likewise, exact, for what is counted
 */
struct smimon_value {
	enum smimon_missing missing;
	double real;
	uint64_t count;
};

/**
 * struct smimon_floor - what the method itself costs: cycles that the cycle counter did not see
 * where no SMI was
 * @excess: of these; negative where the two readings happened to fall so
 * @aperf: of that many
 */
struct smimon_floor {
	int64_t excess;
	uint64_t aperf;
};

/* smimon_delta.cpu of a total. */
#define SMIMON_CPU_ALL		UINT32_MAX

/**
 * struct smimon_delta - what happened on a CPU, or on some, between two snapshots
 * @cpu: its number or SMIMON_CPU_ALL
 * @base_khz: as in struct smimon_info
 * @elapsed: ns; in a total, summed over CPUs
 * @tsc: ticks, likewise
 * @aperf: cycles, likewise
 * @mperf: cycles at the base clock, likewise
 * @cycles: cycles that the PMU saw, likewise
 * @irperf: instructions, likewise
 * @smi: SMIs; in a total the maximum over CPUs, as one SMI strikes all of them
 * @smi_sum: SMIs, summed over CPUs
 * @smm_cycles: cycles in SMM, summed over CPUs
 * @smm_usec: time in SMM in us, likewise
 * @floor: from those CPUs that had no SMI
 */
struct smimon_delta {
	uint32_t cpu;
	uint32_t base_khz;
	struct smimon_value elapsed;
	struct smimon_value tsc;
	struct smimon_value aperf;
	struct smimon_value mperf;
	struct smimon_value cycles;
	struct smimon_value irperf;
	struct smimon_value smi;
	struct smimon_value smi_sum;
	struct smimon_value smm_cycles;
	struct smimon_value smm_usec;
	struct smimon_floor floor;
};

/**
 * smimon_delta_compute() - what happened on a CPU between two records of it
 * @from: the earlier; NULL if the CPU was not there yet
 * @to: the later; NULL if the CPU is not there any more. One of the two is given.
 * @base_khz: as in struct smimon_info
 */
void smimon_delta_compute(struct smimon_delta *delta, const struct smimon_record *from,
			  const struct smimon_record *to, uint32_t base_khz);

/**
 * smimon_delta_none() - that nothing is known, and why
 */
void smimon_delta_none(struct smimon_delta *delta, uint32_t cpu, enum smimon_missing missing);

/**
 * smimon_delta_total() - what happened on some CPUs together
 *
 * A sum is there only if each CPU has it; else its reason is the most important of theirs. The SMI
 * count is there if one CPU has it.
 */
void smimon_delta_total(struct smimon_delta *total, const struct smimon_delta *delta, size_t count);

/**
 * smimon_delta_reason() - the most important reason why a metric is not there
 *
 * Return: SMIMON_MISSING_NOTHING if each is there but for harmless reasons.
 */
enum smimon_missing smimon_delta_reason(const struct smimon_delta *delta);

/**
 * smimon_floor_add() - sum up
 */
void smimon_floor_add(struct smimon_floor *sum, const struct smimon_floor *floor);

/**
 * smimon_floor_percent() - in percent of all cycles
 */
struct smimon_value smimon_floor_percent(const struct smimon_floor *floor);

enum smimon_metric_type {
	SMIMON_METRIC_COUNT,		/* smimon_value.count */
	SMIMON_METRIC_REAL,		/* smimon_value.real */
};

/* For whom a metric is. */
enum smimon_metric_class {
	SMIMON_METRIC_MAIN,
	SMIMON_METRIC_TOTAL,		/* of a total only */
	SMIMON_METRIC_RAW,		/* what the others are computed from */
};

/**
 * struct smimon_metric - what can be said of a struct smimon_delta
 * @name: unique, as a key of JSON
 * @title: as a column's head
 * @unit: "" for plain numbers
 * @help: one sentence
 * @type: which member of a value holds it
 * @level: for whom it is
 * @decimals: digits after the point that a person wants to see
 * @get: computes it
 */
struct smimon_metric {
	const char *name;
	const char *title;
	const char *unit;
	const char *help;
	enum smimon_metric_type type;
	enum smimon_metric_class level;
	int decimals;
	struct smimon_value (*get)(const struct smimon_delta *delta);
};

/**
 * smimon_metrics() - all metrics, in the order to show them in
 * @count: set to their number
 */
const struct smimon_metric *smimon_metrics(size_t *count);

/**
 * smimon_metric_find() - the metric of a name
 *
 * Return: a constant, or NULL if none is named so.
 */
const struct smimon_metric *smimon_metric_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* SMIMON_METRIC_H */
