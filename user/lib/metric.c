// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one table of metrics that columns, JSON, lists of values and documentation are made from.
 * Each getter serves a CPU as well as a total.
 */
#include <string.h>

#include "array.h"
#include "value.h"

/* factor * a / b, or the reason why there is no such thing; @zero is that for b = 0. */
static struct smimon_value ratio(double factor, const struct smimon_value *a,
				 const struct smimon_value *b, enum smimon_missing zero)
{
	if (a->missing)
		return value_missing(a->missing);
	if (b->missing)
		return value_missing(b->missing);
	if (!b->count)
		return value_missing(zero);
	return value_real(factor * a->real / b->real);
}

static struct smimon_value smi(const struct smimon_delta *d)
{
	return d->smi;
}

static struct smimon_value smi_cycles_percent(const struct smimon_delta *d)
{
	return ratio(100, &d->smm_cycles, &d->aperf, SMIMON_MISSING_IDLE);
}

static struct smimon_value smm_cycles(const struct smimon_delta *d)
{
	return d->smm_cycles;
}

static struct smimon_value smm_usec(const struct smimon_delta *d)
{
	return d->smm_usec;
}

static struct smimon_value usec_per_smi(const struct smimon_delta *d)
{
	return ratio(1, &d->smm_usec, &d->smi_sum, SMIMON_MISSING_SMI);
}

static struct smimon_value smm_wall_percent(const struct smimon_delta *d)
{
	return ratio(100 * 1e3, &d->smm_usec, &d->elapsed, SMIMON_MISSING_TIME);
}

static struct smimon_value bzy_mhz(const struct smimon_delta *d)
{
	struct smimon_value value = ratio(d->base_khz / 1e3, &d->aperf, &d->mperf,
					  SMIMON_MISSING_IDLE);

	return value.missing || d->base_khz ? value : value_missing(SMIMON_MISSING_BASE);
}

static struct smimon_value busy_percent(const struct smimon_delta *d)
{
	if (!d->mperf.missing && !d->base_khz)
		return value_missing(SMIMON_MISSING_BASE);
	return ratio(100 * 1e6 / d->base_khz, &d->mperf, &d->elapsed, SMIMON_MISSING_TIME);
}

static struct smimon_value avg_mhz(const struct smimon_delta *d)
{
	return ratio(1e3, &d->aperf, &d->elapsed, SMIMON_MISSING_TIME);
}

static struct smimon_value ipc(const struct smimon_delta *d)
{
	return ratio(1, &d->irperf, &d->aperf, SMIMON_MISSING_IDLE);
}

static struct smimon_value floor_percent(const struct smimon_delta *d)
{
	return smimon_floor_percent(&d->floor);
}

static struct smimon_value aperf(const struct smimon_delta *d)
{
	return d->aperf;
}

static struct smimon_value mperf(const struct smimon_delta *d)
{
	return d->mperf;
}

static struct smimon_value cycles(const struct smimon_delta *d)
{
	return d->cycles;
}

static struct smimon_value irperf(const struct smimon_delta *d)
{
	return d->irperf;
}

static struct smimon_value tsc(const struct smimon_delta *d)
{
	return d->tsc;
}

#define COUNT(key, head, of, text, whom)							\
	{ #key, head, of, text, SMIMON_METRIC_COUNT, SMIMON_METRIC_##whom, 0, key }
#define REAL(key, head, of, text, whom, digits)							\
	{ #key, head, of, text, SMIMON_METRIC_REAL, SMIMON_METRIC_##whom, digits, key }

static const struct smimon_metric metrics[] = {
	COUNT(smi, "SMI#", "", "SMIs; in a total, those of the CPU that had most", MAIN),
	REAL(smi_cycles_percent, "SMI cycles%", "%", "Share of the unhalted cycles spent in SMM",
	     MAIN, 2),
	COUNT(smm_cycles, "SMM cycles", "cycles", "Cycles spent in SMM", MAIN),
	REAL(smm_usec, "SMM us", "us", "Time spent in SMM", MAIN, 1),
	REAL(usec_per_smi, "us/SMI", "us", "Time that one SMI took on average", MAIN, 1),
	REAL(smm_wall_percent, "SMM wall%", "%", "Share of the elapsed time spent in SMM", MAIN, 4),
	REAL(bzy_mhz, "Bzy_MHz", "MHz", "Clock while not halted", MAIN, 0),
	REAL(busy_percent, "Busy%", "%", "Share of the elapsed time not halted", MAIN, 2),
	REAL(avg_mhz, "Avg_MHz", "MHz", "Clock averaged over the elapsed time, halted as 0", MAIN,
	     0),
	REAL(ipc, "IPC", "", "Instructions per unhalted cycle (AMD)", MAIN, 2),
	REAL(floor_percent, "floor%", "%",
	     "Share of the unhalted cycles that look like SMM's where there was no SMI", TOTAL, 4),
	COUNT(aperf, "APERF", "cycles", "Unhalted cycles, SMM included", RAW),
	COUNT(mperf, "MPERF", "cycles", "Unhalted cycles at the base clock, SMM included", RAW),
	COUNT(cycles, "cycles", "cycles", "Unhalted cycles that the PMU saw, SMM left out", RAW),
	COUNT(irperf, "IRPERF", "", "Instructions retired (AMD)", RAW),
	COUNT(tsc, "TSC", "ticks", "Time stamp counter", RAW),
};

const struct smimon_metric *smimon_metrics(size_t *count)
{
	*count = ARRAY_SIZE(metrics);
	return metrics;
}

const struct smimon_metric *smimon_metric_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(metrics); i++)
		if (!strcmp(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

enum smimon_missing smimon_delta_reason(const struct smimon_delta *delta)
{
	enum smimon_missing first = SMIMON_MISSING_HARMLESS;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		enum smimon_missing why = metrics[i].get(delta).missing;

		if (why && why < first)
			first = why;
	}
	return first == SMIMON_MISSING_HARMLESS ? SMIMON_MISSING_NOTHING : first;
}

struct smimon_value smimon_floor_percent(const struct smimon_floor *floor)
{
	if (!floor->aperf)
		return value_missing(SMIMON_MISSING_QUIET);
	return value_real(100.0 * floor->excess / floor->aperf);
}
