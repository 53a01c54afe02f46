// SPDX-License-Identifier: GPL-2.0-only
#include "client.h"

#include <errno.h>
#include <smimon.h>

#include "cpulist.h"
#include "message.h"
#include "options.h"

struct smimon *client_open(void)
{
	struct smimon *ctx = smimon_new();

	if (!ctx) {
		complain("no memory");
		return NULL;
	}
	if (smimon_connect(ctx)) {
		client_failed(ctx);
		smimon_free(ctx);
		return NULL;
	}
	return ctx;
}

int client_failed(const struct smimon *ctx)
{
	complain("%s", smimon_error(ctx));
	return EXIT_FAILED;
}

int client_refuse_missing(const struct cpuset *missing)
{
	char list[SMIMON_CPU_LIST_MAX + 1];

	if (!cpuset_format(missing, list, sizeof(list)))
		return 0;
	complain("CPU %s: offline or not there", list);
	return EXIT_FAILED;
}

static int snapshot_failed(const struct smimon *ctx, const struct options *options, int err)
{
	const char *hint = err == -EOPNOTSUPP ? "; 'smimon status' says why" : "";

	if (*options->cpu_list)
		complain("%s (CPU %s)%s", smimon_error(ctx), options->cpu_list, hint);
	else
		complain("%s%s", smimon_error(ctx), hint);
	return EXIT_FAILED;
}

int client_first_snapshot(struct smimon *ctx, const struct options *options,
			  struct smimon_snapshot *snapshot)
{
	struct cpuset missing = options->cpus;
	size_t i;
	int err;

	err = smimon_take_snapshot(ctx, options_cpu_list(options), options->isolated, snapshot);
	if (err)
		return snapshot_failed(ctx, options, err);
	if (!snapshot->count && !*options->cpu_list) {
		complain("all CPUs are isolated: name some with -C, or use --isolated");
		return EXIT_FAILED;
	}
	for (i = 0; i < snapshot->count; i++)
		cpuset_remove(&missing, snapshot->record[i].cpu);
	return client_refuse_missing(&missing);
}
