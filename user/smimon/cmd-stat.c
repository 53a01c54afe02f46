// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <smimon.h>

#include "client.h"
#include "command.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "repeat.h"
#include "sampler.h"
#include "waiter.h"
#include "workload.h"

/**
 * struct stat_run - a measurement, or several
 * @options: what the user wants
 * @sampler: takes the snapshots
 * @waiter: says when
 * @output: where the reports go
 * @printer: what they look like
 * @report: the last
 * @repeat: by column of the printer, what the runs gave
 * @elapsed: how long they took in seconds
 * @reason: the most important reason of a run why a value is not there
 * @status: of the last run of the command that did not return 0
 */
struct stat_run {
	const struct options *options;
	struct sampler sampler;
	struct waiter waiter;
	struct output output;
	struct printer printer;
	struct report report;
	struct repeat repeat[PRINT_COLUMNS];
	struct repeat elapsed;
	enum smimon_missing reason;
	int status;
};

static int refuse(const char *text)
{
	complain("%s (see 'smimon stat -h')", text);
	return EXIT_USAGE;
}

static int check(const struct options *options)
{
	if (options->interval_count && !options->interval_ms)
		return refuse("--interval-count is for -I");
	if (options->repeat && !options->words[0])
		return refuse("-r needs a command to repeat");
	if (options->repeat && options->interval_ms)
		return refuse("-r and -I do not go together");
	if (options->repeat && options->per_cpu && !options->json && !options->separator)
		return refuse("-r and -A do not go together");
	if (options->json && options->separator)
		return refuse("-j and -x do not go together");
	return 0;
}

/* Without the freeze there is all but costs, and whose freeze it is to give is not for us to say. */
static int hold(struct smimon *ctx, const struct options *options)
{
	int err;

	if (smimon_hold_counters(ctx, options_cpu_list(options), options->isolated))
		return client_failed(ctx);
	err = smimon_hold_freeze(ctx);
	if (!err)
		return 0;
	if (err != -EOPNOTSUPP && err != -EPERM)
		return client_failed(ctx);
	complain("%s; going on without it", smimon_error(ctx));
	return 0;
}

static int report(struct stat_run *run)
{
	if (sampler_step(&run->sampler, &run->report))
		return EXIT_FAILED;
	if (run->options->repeat && printer_is_table(&run->printer))
		return 0;
	if (run->printer.report(&run->printer, &run->report))
		return EXIT_FAILED;
	return output_flush(&run->output);
}

/* Reports until it is time to stop, and what there is then, unless the user counted it out. */
static int watch(struct stat_run *run)
{
	unsigned int count = 0;
	enum wake wake;

	for (;;) {
		wake = waiter_wait(&run->waiter);
		if (wake == WAKE_FAILED)
			return EXIT_FAILED;
		if (wake != WAKE_INTERVAL)
			return report(run);
		if (report(run))
			return EXIT_FAILED;
		if (++count == run->options->interval_count)
			return 0;
	}
}

/* Also when nothing is left to measure: who runs a command wants it to be done. */
static void finish_command(struct stat_run *run)
{
	enum wake wake = WAKE_INTERVAL;
	int status;

	waiter_stop_timer(&run->waiter);
	while (run->waiter.pid && wake != WAKE_FAILED)
		wake = waiter_wait(&run->waiter);
	status = workload_status(run->waiter.status);
	if (status)
		run->status = status;
}

static int measure(struct stat_run *run)
{
	const struct options *options = run->options;
	int err;

	if (sampler_start(&run->sampler))
		return EXIT_FAILED;
	if (options->interval_ms && waiter_start_timer(&run->waiter, options->interval_ms))
		return EXIT_FAILED;
	if (options->words[0]) {
		err = workload_start(options->words, &run->waiter.old_mask, &run->waiter.pid);
		if (err)
			return err;
	}
	err = watch(run);
	finish_command(run);
	return err;
}

static void sum_up(struct stat_run *run)
{
	struct smimon_value seconds = { .real = run->report.seconds };
	enum smimon_missing reason = smimon_delta_reason(&run->report.total);
	size_t i;

	repeat_add(&run->elapsed, &seconds);
	for (i = 0; i < run->printer.columns; i++) {
		struct smimon_value value = run->printer.column[i]->get(&run->report.total);

		repeat_add(&run->repeat[i], &value);
	}
	if (reason && (!run->reason || reason < run->reason))
		run->reason = reason;
}

static int measure_all(struct stat_run *run)
{
	unsigned int left = run->options->repeat ? run->options->repeat : 1;
	int err;

	while (left-- && !run->waiter.interrupted) {
		err = measure(run);
		if (err)
			return err;
		sum_up(run);
	}
	if (!printer_is_table(&run->printer))
		return 0;
	if (run->options->repeat &&
	    print_table_repeat(&run->printer, &run->report, run->repeat, run->reason))
		return EXIT_FAILED;
	print_table_end(&run->printer, &run->elapsed, &run->sampler.floor);
	return 0;
}

static int measure_and_print(struct stat_run *run)
{
	int err, close_err;

	if (output_open(&run->output, run->options->output))
		return EXIT_FAILED;
	if (waiter_open(&run->waiter, run->options->words[0])) {
		err = EXIT_FAILED;
		goto close_output;
	}
	printer_open(&run->printer, run->options, run->output.file);
	err = measure_all(run);
	printer_close(&run->printer);
	waiter_close(&run->waiter);
close_output:
	close_err = output_close(&run->output);
	return err ? err : close_err;
}

static int run_connected(struct smimon *ctx, const struct options *options)
{
	struct smimon_info info;
	struct stat_run run = { .options = options, .sampler = { .ctx = ctx, .options = options } };
	int err;

	if (smimon_get_info(ctx, &info))
		return client_failed(ctx);
	run.sampler.base_khz = info.base_khz;
	/* What cannot be read needs no freeze. */
	err = client_first_snapshot(ctx, options, &run.sampler.before);
	if (!err)
		err = hold(ctx, options);
	if (!err)
		err = measure_and_print(&run);
	sampler_clear(&run.sampler);
	return err ? err : run.status;
}

static int run(const struct options *options)
{
	struct smimon *ctx;
	int status;

	if (check(options))
		return EXIT_USAGE;
	ctx = client_open();
	if (!ctx)
		return EXIT_FAILED;
	status = run_connected(ctx, options);
	smimon_free(ctx);
	return status;
}

static void notes(FILE *out)
{
	fprintf(out,
		"\nWith COMMAND it measures that command's run and exits with its status, without until\n"
		"Ctrl-C. FREEZE_WHILE_SMM is held meanwhile. What cannot be had is -, in JSON null.\n\n"
		"Fields of -x: ");
	printer_fields(out);
	fputc('\n', out);
}

const struct command command_stat = {
	.name = "stat",
	.bit = CMD_STAT,
	.arguments = "[OPTIONS] [--] [COMMAND [ARG...]]",
	.summary = "Measure what SMIs cost and what clock the CPUs run at",
	.notes = notes,
	.run = run,
};
