// SPDX-License-Identifier: GPL-2.0-only
#include "rollup.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "schema.h"
#include "tally.h"

#define NS_PER_MINUTE	INT64_C(60000000000)

/* CPUs come in one order as a rule, so the next is the one after the last. */
static struct rollup_cpu *find(struct rollup *rollup, int32_t cpu, size_t *hint)
{
	struct rollup_cpu *grown;
	size_t i;

	for (i = 0; i < rollup->count; i++) {
		size_t at = (*hint + i) % rollup->count;

		if (rollup->cpu[at].minute.cpu == cpu) {
			*hint = at + 1;
			return &rollup->cpu[at];
		}
	}
	grown = array_grow(rollup->cpu, rollup->count, &rollup->room, sizeof(*grown));
	if (!grown)
		return NULL;
	rollup->cpu = grown;
	grown[rollup->count] = (struct rollup_cpu){
		.minute = {
			.table = HISTORY_MINUTE, .cpu = cpu,
			.cost_known = true, .usec_known = true,
		},
		.run = { .table = HISTORY_EVENT, .cpu = cpu },
	};
	return &grown[rollup->count++];
}

static void end_run(struct rollup *rollup, struct rollup_cpu *cpu)
{
	if (cpu->run.intervals)
		rollup->emit(rollup->arg, &cpu->run);
	cpu->run.intervals = 0;
}

static void extend_run(struct rollup *rollup, struct rollup_cpu *cpu,
		       const struct interval *interval, const char *reason)
{
	/* A reason has one text, so pointers tell them apart. */
	if (cpu->run.reason != reason)
		end_run(rollup, cpu);
	if (!cpu->run.intervals)
		cpu->run.length_ns = 0;
	cpu->run.reason = reason;
	cpu->run.end_ns = interval->end_ns;
	cpu->run.length_ns += interval->length_ns;
	cpu->run.intervals++;
}

static void emit_smis(struct rollup *rollup, int32_t cpu, const struct interval *interval,
		      const struct smimon_delta *d, const char *reason)
{
	struct history_row row = {
		.table = HISTORY_EVENT,
		.cpu = cpu,
		.end_ns = interval->end_ns,
		.length_ns = interval->length_ns,
		.intervals = 1,
		.smi = d->smi.count,
		.cost_known = !d->smm_cycles.missing,
		.usec_known = !d->smm_usec.missing,
		.smm_cycles = d->smm_cycles.count,
		.smm_usec = d->smm_usec.real,
		.reason = reason,
	};

	rollup->emit(rollup->arg, &row);
}

static void add_interval(struct history_row *minute, const struct interval *interval, bool invalid)
{
	minute->end_ns = interval->end_ns;
	minute->length_ns += interval->length_ns;
	minute->intervals++;
	minute->invalid += invalid;
}

static void add_cost(struct history_row *minute, const struct smimon_delta *d, int64_t length_ns)
{
	double mean = d->smi.count ? d->smm_usec.real / d->smi.count : 0;

	minute->smm_cycles += d->smm_cycles.count;
	minute->smm_usec += d->smm_usec.real;
	minute->observed_ns += length_ns;
	if (mean > minute->worst_usec)
		minute->worst_usec = mean;
}

static void add_clock(struct history_row *minute, const struct smimon_delta *d)
{
	if (d->aperf.missing || d->mperf.missing || d->elapsed.missing)
		return;
	minute->aperf += d->aperf.count;
	minute->mperf += d->mperf.count;
	minute->clock_ns += d->elapsed.count;
	minute->base_khz = d->base_khz;
}

static int add_cpu(struct rollup *rollup, const struct interval *interval,
		   const struct smimon_delta *d, size_t *hint)
{
	const char *reason = smimon_missing_text(smimon_delta_reason(d));
	struct rollup_cpu *cpu = find(rollup, d->cpu, hint);

	if (!cpu)
		return -ENOMEM;
	add_interval(&cpu->minute, interval, reason);
	cpu->minute.smi += d->smi.count;
	if (!d->smm_usec.missing)
		add_cost(&cpu->minute, d, interval->length_ns);
	add_clock(&cpu->minute, d);

	if (d->smi.count) {
		end_run(rollup, cpu);
		emit_smis(rollup, d->cpu, interval, d, reason);
	} else if (reason) {
		extend_run(rollup, cpu, interval, reason);
	} else {
		end_run(rollup, cpu);
	}
	return 0;
}

/* A CPU on which nothing was there to know, because there was no SMI, tells that of the machine. */
static bool cost_is_known(const struct interval *interval)
{
	size_t i;

	for (i = 0; i < interval->count; i++)
		if (!interval->delta[i].smm_usec.missing)
			return true;
	return false;
}

static int add_machine(struct rollup *rollup, const struct interval *interval, size_t *hint)
{
	struct rollup_cpu *machine = find(rollup, SCHEMA_MACHINE, hint);
	struct smimon_value unknown = { .missing = SMIMON_MISSING_NO_CPU };
	struct smimon_delta total, of_machine = { .smm_cycles = unknown, .smm_usec = unknown };
	const struct smimon_delta *longest;
	const char *reason;
	double usec;

	if (!machine)
		return -ENOMEM;
	smimon_delta_total(&total, interval->delta, interval->count);
	reason = smimon_missing_text(smimon_delta_reason(&total));
	longest = tally_longest(interval->delta, interval->count, &usec);
	if (longest)
		of_machine = *longest;
	else if (cost_is_known(interval))
		of_machine = (struct smimon_delta){ .cpu = 0 };
	of_machine.smi = total.smi;

	add_interval(&machine->minute, interval, reason);
	machine->minute.smi += total.smi.count;
	if (!of_machine.smm_usec.missing)
		add_cost(&machine->minute, &of_machine, interval->length_ns);
	add_clock(&machine->minute, &total);
	if (total.smi.count)
		emit_smis(rollup, SCHEMA_MACHINE, interval, &of_machine, reason);
	return 0;
}

int rollup_add(struct rollup *rollup, const struct interval *interval)
{
	int64_t minute = interval->end_ns / NS_PER_MINUTE;
	size_t i, hint = 0;
	int err;

	if (!interval->count)
		return 0;
	if (minute != rollup->minute)
		rollup_flush(rollup);
	rollup->minute = minute;
	err = add_machine(rollup, interval, &hint);
	for (i = 0; i < interval->count && !err; i++)
		err = add_cpu(rollup, interval, &interval->delta[i], &hint);
	return err;
}

void rollup_flush(struct rollup *rollup)
{
	size_t i;

	for (i = 0; i < rollup->count; i++) {
		struct rollup_cpu *cpu = &rollup->cpu[i];

		end_run(rollup, cpu);
		if (cpu->minute.intervals)
			rollup->emit(rollup->arg, &cpu->minute);
	}
	rollup->count = 0;
}

void rollup_clear(struct rollup *rollup)
{
	free(rollup->cpu);
	rollup->cpu = NULL;
	rollup->count = 0;
	rollup->room = 0;
}
