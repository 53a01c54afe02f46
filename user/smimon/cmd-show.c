// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <smimon.h>
#include <string.h>

#include "array.h"
#include "client.h"
#include "command.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "table.h"

/* The 64-bit fields of a record; @counter is that whose bit says that it is valid, or ALWAYS. */
#define ALWAYS	UINT32_MAX

static const struct field {
	const char *name;
	size_t offset;
	uint32_t counter;
	bool bits;
} fields[] = {
#define FIELD(name, counter, bits)	{ #name, offsetof(struct smimon_record, name), counter, bits }
	FIELD(time_ns, ALWAYS, false),
	FIELD(epoch, ALWAYS, false),
	FIELD(freeze_epoch, ALWAYS, false),
	FIELD(tsc, SMIMON_COUNTER_TSC, false),
	FIELD(aperf, SMIMON_COUNTER_APERF, false),
	FIELD(mperf, SMIMON_COUNTER_MPERF, false),
	FIELD(cycles, SMIMON_COUNTER_CYCLES, false),
	FIELD(irperf, SMIMON_COUNTER_IRPERF, false),
	FIELD(smi_count, SMIMON_COUNTER_SMI_COUNT, false),
	FIELD(debugctl, SMIMON_COUNTER_DEBUGCTL, true),
	FIELD(window, SMIMON_COUNTER_TSC, false),
#undef FIELD
};

static const struct flag {
	uint32_t bit;
	const char *name;
} flags[] = {
	{ SMIMON_RECORD_FREEZE_ON, "freeze_on" },
	{ SMIMON_RECORD_FREEZE_LOST, "freeze_lost" },
	{ SMIMON_RECORD_TORN, "torn" },
	{ SMIMON_RECORD_CYCLES_LOST, "cycles_lost" },
	{ SMIMON_RECORD_ISOLATED, "isolated" },
};

static bool has_field(const struct smimon_record *record, const struct field *field)
{
	return field->counter == ALWAYS || record->valid & SMIMON_VALID(field->counter);
}

static uint64_t field_value(const struct smimon_record *record, const struct field *field)
{
	uint64_t value;

	memcpy(&value, (const char *)record + field->offset, sizeof(value));
	return value;
}

static void add_line(struct table *table, const struct smimon_record *record)
{
	char words[64] = "";
	size_t i;

	table_line(table);
	table_cell(table, 0, "%u", record->cpu);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		uint64_t value = field_value(record, &fields[i]);

		if (!has_field(record, &fields[i]))
			table_cell(table, i + 1, TABLE_NO_VALUE);
		else if (fields[i].bits)
			table_cell(table, i + 1, "0x%" PRIx64, value);
		else
			table_cell(table, i + 1, "%" PRIu64, value);
	}
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (record->flags & flags[i].bit)
			snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s",
				 *words ? "," : "", flags[i].name);
	table_cell(table, ARRAY_SIZE(fields) + 1, "%s", *words ? words : TABLE_NO_VALUE);
}

static int print_table(const struct smimon_snapshot *snapshot)
{
	struct table table;
	size_t i;
	int err;

	table_open(&table, stdout, false);
	table_column(&table, "cpu", 0, true);
	for (i = 0; i < ARRAY_SIZE(fields); i++)
		table_column(&table, fields[i].name, 0, true);
	table_column(&table, "flags", 0, false);
	for (i = 0; i < snapshot->count; i++)
		add_line(&table, &snapshot->record[i]);
	err = table_print(&table, true);
	table_close(&table);
	return err;
}

static int print_json_line(const struct smimon_record *record)
{
	struct json_object *words;
	struct json_line line;
	size_t i;

	json_begin(&line);
	json_add_count(&line, line.top, "cpu", record->cpu);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (has_field(record, &fields[i]))
			json_add_count(&line, line.top, fields[i].name,
				       field_value(record, &fields[i]));
		else
			json_add_null(&line, line.top, fields[i].name);
	}
	words = json_add_array(&line, line.top, "flags");
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (record->flags & flags[i].bit)
			json_add_string(&line, words, NULL, flags[i].name);
	return json_end(&line, stdout);
}

static int print_json(const struct smimon_snapshot *snapshot)
{
	size_t i;
	int err = 0;

	for (i = 0; i < snapshot->count && !err; i++)
		err = print_json_line(&snapshot->record[i]);
	return err;
}

static int run(const struct options *options)
{
	struct smimon_snapshot snapshot = { 0 };
	struct smimon *ctx;
	int err;

	if (options_refuse_words(options))
		return EXIT_USAGE;
	ctx = client_open();
	if (!ctx)
		return EXIT_FAILED;
	err = client_first_snapshot(ctx, options, &snapshot);
	if (!err)
		err = options->json ? print_json(&snapshot) : print_table(&snapshot);
	smimon_snapshot_clear(&snapshot);
	smimon_free(ctx);
	return err ? err : output_flush_stdout();
}

const struct command command_show = {
	.name = "show",
	.bit = CMD_SHOW,
	.arguments = "[OPTIONS]",
	.summary = "Show one reading of all counters in raw values",
	.run = run,
};
