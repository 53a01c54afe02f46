// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "client.h"
#include "command.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "state.h"
#include "waiter.h"
#include "workload.h"

static int show(struct smimon *ctx, const struct options *options)
{
	struct smimon_freeze freeze;
	struct json_line line;

	if (smimon_get_freeze(ctx, &freeze))
		return client_failed(ctx);
	if (options->json) {
		json_begin(&line);
		state_add_freeze(&line, line.top, &freeze);
		if (json_end(&line, stdout))
			return EXIT_FAILED;
	} else {
		state_print_freeze(&freeze);
	}
	return output_flush_stdout();
}

static int set(struct smimon *ctx, enum smimon_freeze_policy policy)
{
	return smimon_set_freeze(ctx, policy) ? client_failed(ctx) : 0;
}

static int run_held(char **argv)
{
	struct waiter waiter;
	enum wake wake;
	int status;

	if (waiter_open(&waiter, true))
		return EXIT_FAILED;
	status = workload_start(argv, &waiter.old_mask, &waiter.pid);
	if (!status) {
		do {
			wake = waiter_wait(&waiter);
		} while (wake == WAKE_INTERVAL);
		status = wake == WAKE_EXIT ? workload_status(waiter.status) : EXIT_FAILED;
	}
	waiter_close(&waiter);
	return status;
}

static int hold(struct smimon *ctx, char **argv)
{
	return smimon_hold_freeze(ctx) ? client_failed(ctx) : run_held(argv);
}

/* What is to be done, once the words are known to be right. */
struct task {
	char **argv;
	bool set;
	enum smimon_freeze_policy policy;
};

static int parse_hold(char **words, struct task *task)
{
	task->argv = words;
	if (words[0] && !strcmp(words[0], "--")) {
		task->argv++;
	} else if (words[0] && words[0][0] == '-') {
		complain("unknown option '%s' (see 'smimon freeze -h')", words[0]);
		return EXIT_USAGE;
	}
	if (task->argv[0])
		return 0;
	complain("hold needs a command (see 'smimon freeze -h')");
	return EXIT_USAGE;
}

static int parse(char **words, struct task *task)
{
	if (!words[0])
		return 0;
	if (!strcmp(words[0], "hold"))
		return parse_hold(words + 1, task);
	if (smimon_policy_parse(words[0], &task->policy)) {
		complain("unknown word '%s': it takes auto, on, off or hold", words[0]);
		return EXIT_USAGE;
	}
	if (words[1]) {
		complain("unexpected word '%s' after %s", words[1], words[0]);
		return EXIT_USAGE;
	}
	task->set = true;
	return 0;
}

static int run(const struct options *options)
{
	struct task task = { 0 };
	struct smimon *ctx;
	int status;

	if (*options->cpu_list) {
		complain("unknown option '-C': the freeze is for all CPUs");
		return EXIT_USAGE;
	}
	if (parse(options->words, &task))
		return EXIT_USAGE;
	ctx = client_open();
	if (!ctx)
		return EXIT_FAILED;
	if (task.argv)
		status = hold(ctx, task.argv);
	else if (task.set)
		status = set(ctx, task.policy);
	else
		status = show(ctx, options);
	smimon_free(ctx);
	return status;
}

static void notes(FILE *out)
{
	fprintf(out,
		"\nWithout a word it shows the state of FREEZE_WHILE_SMM, on which costs rest.\n\n"
		"  auto             set the bit while somebody holds it\n"
		"  on               set the bit\n"
		"  off              leave the bit alone and refuse holds\n"
		"  hold -- COMMAND  hold it while COMMAND runs, and exit with its status\n");
}

const struct command command_freeze = {
	.name = "freeze",
	.bit = CMD_FREEZE,
	.arguments = "[OPTIONS] [auto | on | off | hold -- COMMAND [ARG...]]",
	.summary = "Show or control what stops the cycle counters in SMM",
	.notes = notes,
	.run = run,
};
