// SPDX-License-Identifier: GPL-2.0-only
#include <smimon.h>
#include <stdlib.h>

#include "client.h"
#include "command.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "state.h"
#include "table.h"

/* All that the module tells of itself. */
struct status {
	struct smimon_info info;
	struct smimon_freeze freeze;
	struct smimon_caps *caps;
	size_t count;
};

/* Room for the longest list: each second CPU. */
#define LIST_SIZE	(CPUSET_CPUS / 2 * sizeof("8191,"))

/* Leaves those that were not asked for out. Returns 0, or EXIT_FAILED after a line to the user. */
static int select_cpus(struct status *status, const struct options *options)
{
	struct cpuset missing = options->cpus;
	size_t i, kept = 0;

	if (!*options->cpu_list)
		return 0;
	for (i = 0; i < status->count; i++) {
		if (!cpuset_has(&options->cpus, status->caps[i].cpu))
			continue;
		cpuset_remove(&missing, status->caps[i].cpu);
		status->caps[kept++] = status->caps[i];
	}
	status->count = kept;
	return client_refuse_missing(&missing);
}

static void print_module(const struct status *status)
{
	const struct smimon_info *info = &status->info;

	printf("%-*s%s\n", STATE_NAME_WIDTH, "module version", info->version);
	if (info->base_khz)
		printf("%-*s%.3f MHz (%s)\n", STATE_NAME_WIDTH, "base clock",
		       info->base_khz / 1e3, smimon_base_source_text(info->base_source));
	else
		printf("%-*s%s\n", STATE_NAME_WIDTH, "base clock", "not known");
	printf("%-*s%.3f MHz\n", STATE_NAME_WIDTH, "TSC", info->tsc_khz / 1e3);
	printf("%-*s%u\n", STATE_NAME_WIDTH, "PMU counted by", info->counting);
}

static void print_isolated(const struct status *status)
{
	static char list[LIST_SIZE];
	struct cpuset isolated = { 0 };
	size_t i;

	for (i = 0; i < status->count; i++)
		if (status->caps[i].isolated)
			cpuset_add(&isolated, status->caps[i].cpu);
	printf("%-*s%s\n", STATE_NAME_WIDTH, "isolated CPUs",
	       cpuset_format(&isolated, list, sizeof(list)) ? list : "none");
}

/* The CPUs from @first on that share its state of a counter. */
static void same_state(const struct status *status, size_t first, uint32_t counter,
		       struct cpuset *same)
{
	size_t i;

	*same = (struct cpuset){ 0 };
	for (i = first; i < status->count; i++)
		if (status->caps[i].reason[counter] == status->caps[first].reason[counter])
			cpuset_add(same, status->caps[i].cpu);
}

static bool seen_before(const struct status *status, size_t cpu, uint32_t counter)
{
	size_t i;

	for (i = 0; i < cpu; i++)
		if (status->caps[i].reason[counter] == status->caps[cpu].reason[counter])
			return true;
	return false;
}

static void add_lines(struct table *table, const struct status *status, uint32_t counter)
{
	static char list[LIST_SIZE];
	struct cpuset same;
	size_t i;

	for (i = 0; i < status->count; i++) {
		if (seen_before(status, i, counter))
			continue;
		same_state(status, i, counter, &same);
		cpuset_format(&same, list, sizeof(list));
		table_line(table);
		table_cell(table, 0, "%s", smimon_counter_name(counter));
		table_cell(table, 1, "%s", list);
		table_cell(table, 2, "%s", smimon_reason_text(status->caps[i].reason[counter]));
	}
}

static int print_counters(const struct status *status)
{
	struct table table;
	uint32_t counter;
	int err;

	table_open(&table, stdout, false);
	table_column(&table, "COUNTER", 0, false);
	table_column(&table, "CPUS", 0, false);
	table_column(&table, "STATE", 0, false);
	for (counter = 0; counter < SMIMON_COUNTERS; counter++)
		add_lines(&table, status, counter);
	err = table_print(&table, true);
	table_close(&table);
	return err;
}

static int print_text(const struct status *status)
{
	print_module(status);
	state_print_freeze(&status->freeze);
	print_isolated(status);
	putchar('\n');
	return print_counters(status);
}

static void add_cpu(struct json_line *line, struct json_object *to, const struct smimon_caps *caps)
{
	struct json_object *cpu = json_add_object(line, to, NULL);
	struct json_object *counters;
	uint32_t i;

	json_add_count(line, cpu, "cpu", caps->cpu);
	json_add_bool(line, cpu, "isolated", caps->isolated);
	counters = json_add_object(line, cpu, "counters");
	for (i = 0; i < SMIMON_COUNTERS; i++) {
		bool available = caps->reason[i] == SMIMON_REASON_AVAILABLE;
		struct json_object *counter = json_add_object(line, counters,
							      smimon_counter_name(i));

		json_add_bool(line, counter, "available", available);
		json_add_string(line, counter, "reason",
				available ? NULL : smimon_reason_text(caps->reason[i]));
	}
}

static int print_json(const struct status *status)
{
	const struct smimon_info *info = &status->info;
	struct json_object *cpus;
	struct json_line line;
	size_t i;

	json_begin(&line);
	json_add_string(&line, line.top, "version", info->version);
	json_add_count(&line, line.top, "record_size", info->record_size);
	if (info->base_khz)
		json_add_real(&line, line.top, "base_mhz", info->base_khz / 1e3);
	else
		json_add_null(&line, line.top, "base_mhz");
	json_add_string(&line, line.top, "base_source", smimon_base_source_text(info->base_source));
	json_add_real(&line, line.top, "tsc_mhz", info->tsc_khz / 1e3);
	json_add_count(&line, line.top, "counting", info->counting);
	state_add_freeze(&line, json_add_object(&line, line.top, "freeze"), &status->freeze);
	cpus = json_add_array(&line, line.top, "cpus");
	for (i = 0; i < status->count; i++)
		add_cpu(&line, cpus, &status->caps[i]);
	return json_end(&line, stdout);
}

static int ask(struct smimon *ctx, struct status *status)
{
	if (smimon_get_info(ctx, &status->info) || smimon_get_freeze(ctx, &status->freeze) ||
	    smimon_get_caps(ctx, &status->caps, &status->count))
		return client_failed(ctx);
	return 0;
}

static int run(const struct options *options)
{
	struct status status = { 0 };
	struct smimon *ctx;
	int err;

	if (options_refuse_words(options))
		return EXIT_USAGE;
	ctx = client_open();
	if (!ctx)
		return EXIT_FAILED;
	err = ask(ctx, &status);
	if (!err)
		err = select_cpus(&status, options);
	if (!err)
		err = options->json ? print_json(&status) : print_text(&status);
	free(status.caps);
	smimon_free(ctx);
	return err ? err : output_flush_stdout();
}

const struct command command_status = {
	.name = "status",
	.bit = CMD_STATUS,
	.arguments = "[OPTIONS]",
	.summary = "Show the kernel module's state, and which CPUs have which counters",
	.run = run,
};
