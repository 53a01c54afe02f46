// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two formats differ in how a counter's family is named, in the unit that OpenMetrics wants to
 * have said, and in the end that it wants to see.
 */
#include "exposition.h"

#include <inttypes.h>

#include "array.h"
#include "tally.h"
#include "text.h"

#define PREFIX		"smimon_"
#define NS_PER_SECOND	1e9
#define USEC_PER_SECOND	1e6

struct page {
	struct text *text;
	enum exposition_format format;
};

/* A family of which each CPU has one sample, or none. */
struct cpu_family {
	const char *name;
	const char *unit;
	const char *help;
	bool counter;
	struct smimon_value (*get)(const struct tally_cpu *cpu);
};

static struct smimon_value count(uint64_t number)
{
	return (struct smimon_value){ .count = number, .real = number };
}

static struct smimon_value real(double number)
{
	return (struct smimon_value){ .real = number };
}

/* A gauge is of the present, which a CPU that is offline does not have. */
static struct smimon_value gauge(const struct tally_cpu *cpu, struct smimon_value value)
{
	return cpu->online ? value : (struct smimon_value){ .missing = SMIMON_MISSING_OFFLINE };
}

static struct smimon_value smi(const struct tally_cpu *cpu)
{
	return count(cpu->smi);
}

static struct smimon_value smm_cycles(const struct tally_cpu *cpu)
{
	return count(cpu->smm_cycles);
}

static struct smimon_value smm_seconds(const struct tally_cpu *cpu)
{
	return real(cpu->smm_usec / USEC_PER_SECOND);
}

static struct smimon_value observed_seconds(const struct tally_cpu *cpu)
{
	return real(cpu->observed_ns / NS_PER_SECOND);
}

static struct smimon_value aperf(const struct tally_cpu *cpu)
{
	return count(cpu->aperf);
}

static struct smimon_value mperf(const struct tally_cpu *cpu)
{
	return count(cpu->mperf);
}

static struct smimon_value intervals(const struct tally_cpu *cpu)
{
	return count(cpu->intervals);
}

static struct smimon_value hertz(const struct tally_cpu *cpu)
{
	return gauge(cpu, cpu->hertz);
}

static struct smimon_value busy(const struct tally_cpu *cpu)
{
	return gauge(cpu, cpu->busy);
}

static struct smimon_value freeze(const struct tally_cpu *cpu)
{
	return gauge(cpu, count(cpu->freeze_on));
}

static const struct cpu_family families[] = {
	{ "smi", "", "SMIs that struck the CPU. One SMI strikes all CPUs: do not add them up.",
	  true, smi },
	{ "smm_cycles", "cycles", "Unhalted cycles spent in system management mode.",
	  true, smm_cycles },
	{ "smm_seconds", "seconds", "Time spent in system management mode.", true, smm_seconds },
	{ "observed_seconds", "seconds", "Time of which smimon_smm_seconds is a part.",
	  true, observed_seconds },
	{ "aperf_cycles", "cycles", "Unhalted cycles.", true, aperf },
	{ "mperf_cycles", "cycles", "Unhalted cycles at the base clock.", true, mperf },
	{ "intervals", "", "Intervals seen of the CPU, with those of smimon_invalid_intervals.",
	  true, intervals },
	{ "effective_frequency_hertz", "hertz", "Clock while not halted, in the last interval.",
	  false, hertz },
	{ "busy_ratio", "ratio", "Share of the last interval that the CPU was not halted.",
	  false, busy },
	{ "freeze_enabled", "", "FREEZE_WHILE_SMM is set.", false, freeze },
};

const char *exposition_type(enum exposition_format format)
{
	return format == EXPOSITION_OPENMETRICS ?
		"application/openmetrics-text; version=1.0.0; charset=utf-8" :
		"text/plain; version=0.0.4; charset=utf-8";
}

static void head(const struct page *page, const char *name, const char *type, const char *unit,
		 const char *help)
{
	/* What the samples of a counter end with is part of its name in the older format. */
	bool counter = type[0] == 'c';
	const char *end = counter && page->format == EXPOSITION_TEXT ? "_total" : "";

	text_add(page->text, "# HELP " PREFIX "%s%s %s\n", name, end, help);
	text_add(page->text, "# TYPE " PREFIX "%s%s %s\n", name, end, type);
	if (*unit && page->format == EXPOSITION_OPENMETRICS)
		text_add(page->text, "# UNIT " PREFIX "%s %s\n", name, unit);
}

static void counter(const struct page *page, const char *name, uint64_t value, const char *help)
{
	head(page, name, "counter", "", help);
	text_add(page->text, PREFIX "%s_total %" PRIu64 "\n", name, value);
}

static void single_gauge(const struct page *page, const char *name, const char *unit,
			 double value, const char *help)
{
	head(page, name, "gauge", unit, help);
	text_add(page->text, PREFIX "%s %.15g\n", name, value);
}

static void write_state(const struct page *page, const struct daemon_state *state)
{
	head(page, "build_info", "gauge", "", "Versions; the module's is empty where there is none.");
	text_add(page->text, PREFIX "build_info{version=\"%s\",module=\"%s\"} 1\n",
		 state->version, state->connected ? state->module_version : "");
	single_gauge(page, "module_connected", "", state->connected,
		     "The kernel module is there and answers.");
	single_gauge(page, "sample_interval_seconds", "seconds", state->interval_ms / 1e3,
		     "How often snapshots are taken.");
	if (state->sample_time > 0)
		single_gauge(page, "last_sample_timestamp_seconds", "seconds", state->sample_time,
			     "When the last snapshot was taken.");
	counter(page, "samples", state->samples, "Snapshots taken.");
	counter(page, "failed_samples", state->failed,
		"Snapshots that the module did not give, most often as it is not there.");
	counter(page, "missed_samples", state->missed,
		"Snapshots not taken in time; what happened is in the interval of the next one.");
	counter(page, "module_connects", state->connects, "How often the module was found.");
	counter(page, "netlink_overruns", state->overruns,
		"Answers of the module that did not fit into the socket's buffer.");
	if (!state->history)
		return;
	single_gauge(page, "history_failing", "", state->history_failing,
		     "The history cannot be written.");
	single_gauge(page, "history_bytes", "bytes", state->history_bytes,
		     "Size of the history's database.");
	counter(page, "history_rows", state->history_rows, "Rows written to the history.");
	counter(page, "history_lost_rows", state->history_lost,
		"Rows lost as the history could not be written for too long.");
}

static void write_family(const struct page *page, const struct tally *tally,
			 const struct cpu_family *family)
{
	const char *end = family->counter ? "_total" : "";
	size_t i;

	head(page, family->name, family->counter ? "counter" : "gauge", family->unit,
	     family->help);
	for (i = 0; i < tally->count; i++) {
		const struct tally_cpu *cpu = &tally->cpu[i];
		struct smimon_value value = family->get(cpu);

		if (value.missing)
			continue;
		text_add(page->text, PREFIX "%s%s{cpu=\"%" PRIu32 "\"} ", family->name, end, cpu->cpu);
		if (value.count)
			text_add(page->text, "%" PRIu64 "\n", value.count);
		else
			text_add(page->text, "%.15g\n", value.real);
	}
}

static void write_invalid(const struct page *page, const struct tally *tally)
{
	size_t i;
	int why;

	head(page, "invalid_intervals", "counter", "",
	     "Intervals of which not all is known, by the most important reason.");
	for (i = 0; i < tally->count; i++)
		for (why = SMIMON_MISSING_NOTHING + 1; why < TALLY_MISSING; why++) {
			if (!tally->cpu[i].invalid[why])
				continue;
			text_add(page->text, PREFIX "invalid_intervals_total{cpu=\"%" PRIu32
				 "\",reason=\"%s\"} %" PRIu64 "\n", tally->cpu[i].cpu,
				 smimon_missing_text(why), tally->cpu[i].invalid[why]);
		}
}

static void write_durations(const struct page *page, const struct tally *tally)
{
	uint64_t sum = 0;
	size_t i;

	head(page, "smi_duration_seconds", "histogram", "seconds",
	     "How long SMIs took, on the CPU on which they took longest.");
	for (i = 0; i < TALLY_BOUNDS; i++) {
		sum += tally->duration[i];
		text_add(page->text, PREFIX "smi_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
			 tally_bounds[i] / USEC_PER_SECOND, sum);
	}
	sum += tally->duration[i];
	text_add(page->text, PREFIX "smi_duration_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n", sum);
	text_add(page->text, PREFIX "smi_duration_seconds_sum %.15g\n",
		 tally->duration_usec / USEC_PER_SECOND);
	text_add(page->text, PREFIX "smi_duration_seconds_count %" PRIu64 "\n", sum);
}

void exposition_write(struct text *text, enum exposition_format format, const struct tally *tally,
		      const struct daemon_state *state)
{
	struct page page = { .text = text, .format = format };
	size_t i;

	write_state(&page, state);
	counter(&page, "machine_smi", tally->smi, "SMIs of the machine.");
	write_durations(&page, tally);
	for (i = 0; i < ARRAY_SIZE(families); i++)
		write_family(&page, tally, &families[i]);
	write_invalid(&page, tally);
	if (format == EXPOSITION_OPENMETRICS)
		text_add(text, "# EOF\n");
}
