// SPDX-License-Identifier: GPL-2.0-only
/*
 * What two records of a CPU say about the time between them. No value is better than a wrong one:
 * each condition that a value rests on is checked here, and the first that does not hold is the
 * reason why the value is not there.
 */
#include <stdbool.h>

#include "value.h"

#define MASK(bits)	(UINT64_MAX >> (64 - (bits)))

/* Without this nothing can be said at all. */
static enum smimon_missing no_baseline(const struct smimon_record *from,
				       const struct smimon_record *to)
{
	if (!to)
		return SMIMON_MISSING_OFFLINE;
	if (!from)
		return SMIMON_MISSING_NEW;
	if (to->time_ns < from->time_ns)
		return SMIMON_MISSING_ORDER;
	if (to->epoch != from->epoch)
		return SMIMON_MISSING_EPOCH;
	return SMIMON_MISSING_NOTHING;
}

/* The counters differ by APERF's share in SMM only if the freeze was on from end to end. */
static enum smimon_missing no_freeze(const struct smimon_record *from,
				     const struct smimon_record *to)
{
	if (!(from->valid & to->valid & SMIMON_VALID(SMIMON_COUNTER_DEBUGCTL)))
		return SMIMON_MISSING_FREEZE_BIT;
	if ((from->flags | to->flags) & SMIMON_RECORD_FREEZE_LOST)
		return SMIMON_MISSING_FREEZE_LOST;
	if (!((from->flags | to->flags) & SMIMON_RECORD_FREEZE_ON))
		return SMIMON_MISSING_FREEZE_OFF;
	if (!(from->flags & to->flags & SMIMON_RECORD_FREEZE_ON) ||
	    from->freeze_epoch != to->freeze_epoch)
		return SMIMON_MISSING_FREEZE_CHANGED;
	return SMIMON_MISSING_NOTHING;
}

static enum smimon_missing no_cost(const struct smimon_delta *d, const struct smimon_record *from,
				   const struct smimon_record *to)
{
	enum smimon_missing freeze = no_freeze(from, to);

	if (d->smi.missing)
		return d->smi.missing;
	if (d->aperf.missing)
		return d->aperf.missing;
	if (d->cycles.missing)
		return d->cycles.missing;
	if (freeze)
		return freeze;
	if ((from->flags | to->flags) & SMIMON_RECORD_TORN)
		return SMIMON_MISSING_TORN;
	/* There was an SMI, so APERF must have moved if it counts at all. */
	if (d->smi.count && !d->aperf.count)
		return SMIMON_MISSING_IDLE;
	return SMIMON_MISSING_NOTHING;
}

/* Jitter of the readings can put the cycles ahead of APERF, also where there was an SMI. */
static void compute_cost(struct smimon_delta *d)
{
	int64_t excess = d->aperf.count - d->cycles.count;

	if (d->smi.count) {
		d->smm_cycles = value_count(excess > 0 ? excess : 0);
	} else {
		d->smm_cycles = value_count(0);
		d->floor.excess = excess;
		d->floor.aperf = d->aperf.count;
	}
}

/* Cycles in SMM last as long as the others on average: at the clock that APERF over MPERF says. */
static struct smimon_value smm_usec(const struct smimon_delta *d)
{
	double cycles_per_usec;

	if (d->smm_cycles.missing || !d->smm_cycles.count)
		return d->smm_cycles;
	if (d->mperf.missing)
		return d->mperf;
	if (!d->base_khz)
		return value_missing(SMIMON_MISSING_BASE);
	if (!d->mperf.count)
		return value_missing(SMIMON_MISSING_IDLE);
	cycles_per_usec = d->base_khz / 1e3 * d->aperf.real / d->mperf.real;
	return value_real(d->smm_cycles.real / cycles_per_usec);
}

/*
 * Counters of a torn reading are each from another instant of its window, so that a ratio is off by
 * up to the windows' share of what is measured. One that could be off by 0.1 % is none.
 */
static bool tear_matters(const struct smimon_delta *d, const struct smimon_record *from,
			 const struct smimon_record *to)
{
	uint64_t ticks = 0;

	if (from->flags & SMIMON_RECORD_TORN)
		ticks += from->window;
	if (to->flags & SMIMON_RECORD_TORN)
		ticks += to->window;
	return ticks && (d->mperf.missing || ticks > d->mperf.count / 1000);
}

#define DELTA(field, counter, bits, why)							\
	(from->valid & to->valid & SMIMON_VALID(counter) ?					\
		value_count((to->field - from->field) & MASK(bits)) : value_missing(why))

void smimon_delta_compute(struct smimon_delta *d, const struct smimon_record *from,
			  const struct smimon_record *to, uint32_t base_khz)
{
	enum smimon_missing why = no_baseline(from, to);

	smimon_delta_none(d, to ? to->cpu : from->cpu, why);
	d->base_khz = base_khz;
	if (why)
		return;

	if (to->time_ns == from->time_ns)
		d->elapsed = value_missing(SMIMON_MISSING_TIME);
	else
		d->elapsed = value_count(to->time_ns - from->time_ns);
	d->tsc = DELTA(tsc, SMIMON_COUNTER_TSC, 64, SMIMON_MISSING_TSC);
	d->aperf = DELTA(aperf, SMIMON_COUNTER_APERF, 64, SMIMON_MISSING_APERF);
	d->mperf = DELTA(mperf, SMIMON_COUNTER_MPERF, 64, SMIMON_MISSING_MPERF);
	if ((from->flags | to->flags) & SMIMON_RECORD_CYCLES_LOST)
		d->cycles = value_missing(SMIMON_MISSING_CYCLES_LOST);
	else
		d->cycles = DELTA(cycles, SMIMON_COUNTER_CYCLES, 64, SMIMON_MISSING_CYCLES);
	d->irperf = DELTA(irperf, SMIMON_COUNTER_IRPERF, 48, SMIMON_MISSING_IRPERF);
	d->smi = DELTA(smi_count, SMIMON_COUNTER_SMI_COUNT, 32, SMIMON_MISSING_SMI_COUNT);
	d->smi_sum = d->smi;
	if (tear_matters(d, from, to))
		d->aperf = d->mperf = d->irperf = value_missing(SMIMON_MISSING_TORN);

	why = no_cost(d, from, to);
	if (why)
		d->smm_cycles = value_missing(why);
	else
		compute_cost(d);
	d->smm_usec = smm_usec(d);
}

void smimon_delta_none(struct smimon_delta *d, uint32_t cpu, enum smimon_missing why)
{
	struct smimon_value none = value_missing(why);

	*d = (struct smimon_delta){
		.cpu = cpu,
		.elapsed = none, .tsc = none, .aperf = none, .mperf = none, .cycles = none,
		.irperf = none, .smi = none, .smi_sum = none, .smm_cycles = none, .smm_usec = none,
	};
}
