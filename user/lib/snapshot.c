// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "context.h"
#include "request.h"
#include "smimon.h"

static struct smimon_record *append(struct smimon_snapshot *snapshot)
{
	struct smimon_record *record;

	record = array_grow(snapshot->record, snapshot->count, &snapshot->room, sizeof(*record));
	if (!record)
		return NULL;
	snapshot->record = record;
	return &record[snapshot->count++];
}

static int snapshot_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct genlmsghdr *genl = genlmsg_hdr((struct nlmsghdr *)hdr);
	struct nlattr *attr;
	int err, rest;

	nla_for_each_attr(attr, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0), rest) {
		struct smimon_record *record;

		if (nla_type(attr) != SMIMON_A_SNAPSHOT_RECORD)
			continue;
		record = append(arg);
		if (!record)
			return -ENOMEM;
		err = smimon_record_copy(record, nla_data(attr), nla_len(attr));
		if (err)
			return err;
	}
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	uint32_t x = ((const struct smimon_record *)a)->cpu;
	uint32_t y = ((const struct smimon_record *)b)->cpu;

	return (x > y) - (x < y);
}

/* The module sends them in order, so as a rule there is nothing to do. */
static void sort(struct smimon_snapshot *snapshot)
{
	size_t i;

	for (i = 1; i < snapshot->count; i++)
		if (snapshot->record[i].cpu < snapshot->record[i - 1].cpu) {
			qsort(snapshot->record, snapshot->count, sizeof(*snapshot->record), by_cpu);
			return;
		}
}

static int send_with_list(struct smimon *ctx, const struct smimon_request *request,
			  const char *cpu_list, bool isolated)
{
	struct nl_msg *msg;

	if (cpu_list && strlen(cpu_list) > SMIMON_CPU_LIST_MAX)
		return smimon_set_error(ctx, -EINVAL, "%s: the list of CPUs is longer than %d bytes",
					request->what, SMIMON_CPU_LIST_MAX);
	msg = smimon_request_new(ctx, request);
	if (!msg)
		return -ENOMEM;
	if ((cpu_list && nla_put_string(msg, SMIMON_A_SNAPSHOT_CPU_LIST, cpu_list) < 0) ||
	    (isolated && nla_put_flag(msg, SMIMON_A_SNAPSHOT_ISOLATED) < 0))
		return smimon_request_abort(ctx, request, msg);
	return smimon_request_send(ctx, request, msg);
}

int smimon_take_snapshot(struct smimon *ctx, const char *cpu_list, bool isolated,
			 struct smimon_snapshot *snapshot)
{
	struct smimon_request request = {
		.what = "cannot read the counters",
		.unsupported = "no CPU asked for has any of the counters",
		.offline = "no CPU asked for is online",
		.command = SMIMON_CMD_SNAPSHOT_GET,
		.dump = true,
		.reply = snapshot_reply,
		.arg = snapshot,
	};
	int err;

	snapshot->count = 0;
	err = send_with_list(ctx, &request, cpu_list, isolated);
	if (err) {
		snapshot->count = 0;
		return err;
	}
	sort(snapshot);
	return 0;
}

int smimon_hold_counters(struct smimon *ctx, const char *cpu_list, bool isolated)
{
	struct smimon_request request = {
		.what = "cannot have the PMU count",
		.command = SMIMON_CMD_COUNT_HOLD,
	};

	return send_with_list(ctx, &request, cpu_list, isolated);
}

static int record_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct genlmsghdr *genl = genlmsg_hdr((struct nlmsghdr *)hdr);
	struct nlattr *attr = nla_find(genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0),
				       SMIMON_A_SNAPSHOT_RECORD);

	if (!attr)
		return -EBADMSG;
	return smimon_record_copy(arg, nla_data(attr), nla_len(attr));
}

int smimon_take_record(struct smimon *ctx, uint32_t cpu, struct smimon_record *record)
{
	struct smimon_request request = {
		.what = "cannot read the counters",
		.command = SMIMON_CMD_SNAPSHOT_GET,
		.reply = record_reply,
		.arg = record,
	};
	struct nl_msg *msg = smimon_request_new(ctx, &request);

	if (!msg)
		return -ENOMEM;
	if (nla_put_u32(msg, SMIMON_A_SNAPSHOT_CPU, cpu) < 0)
		return smimon_request_abort(ctx, &request, msg);
	return smimon_request_send(ctx, &request, msg);
}

const struct smimon_record *smimon_snapshot_find(const struct smimon_snapshot *snapshot,
						 uint32_t cpu)
{
	size_t low = 0, high = snapshot->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (snapshot->record[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == snapshot->count || snapshot->record[low].cpu != cpu)
		return NULL;
	return &snapshot->record[low];
}

void smimon_snapshot_clear(struct smimon_snapshot *snapshot)
{
	free(snapshot->record);
	*snapshot = (struct smimon_snapshot){ 0 };
}
