// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdlib.h>

#include "array.h"
#include "context.h"
#include "request.h"
#include "smimon.h"

static int info_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[SMIMON_A_INFO_MAX + 1];
	struct nla_policy policy[SMIMON_A_INFO_MAX + 1] = {
		[SMIMON_A_INFO_VERSION] = { .type = NLA_STRING },
		[SMIMON_A_INFO_RECORD_SIZE] = { .type = NLA_U32 },
		[SMIMON_A_INFO_TSC_KHZ] = { .type = NLA_U32 },
		[SMIMON_A_INFO_BASE_KHZ] = { .type = NLA_U32 },
		[SMIMON_A_INFO_BASE_SOURCE] = { .type = NLA_U32 },
		[SMIMON_A_INFO_COUNTING] = { .type = NLA_U32 },
	};
	struct smimon_info *info = arg;

	if (genlmsg_parse((struct nlmsghdr *)hdr, 0, attrs, SMIMON_A_INFO_MAX, policy) < 0 ||
	    !attrs[SMIMON_A_INFO_VERSION] || !attrs[SMIMON_A_INFO_RECORD_SIZE] ||
	    !attrs[SMIMON_A_INFO_TSC_KHZ] || !attrs[SMIMON_A_INFO_BASE_KHZ] ||
	    !attrs[SMIMON_A_INFO_BASE_SOURCE] || !attrs[SMIMON_A_INFO_COUNTING])
		return -EBADMSG;
	nla_strlcpy(info->version, attrs[SMIMON_A_INFO_VERSION], sizeof(info->version));
	info->record_size = nla_get_u32(attrs[SMIMON_A_INFO_RECORD_SIZE]);
	info->tsc_khz = nla_get_u32(attrs[SMIMON_A_INFO_TSC_KHZ]);
	info->base_khz = nla_get_u32(attrs[SMIMON_A_INFO_BASE_KHZ]);
	info->base_source = nla_get_u32(attrs[SMIMON_A_INFO_BASE_SOURCE]);
	info->counting = nla_get_u32(attrs[SMIMON_A_INFO_COUNTING]);
	return 0;
}

int smimon_get_info(struct smimon *ctx, struct smimon_info *info)
{
	struct smimon_request request = {
		.what = "cannot ask for the kernel module's version",
		.command = SMIMON_CMD_INFO_GET,
		.reply = info_reply,
		.arg = info,
	};
	int err;

	*info = (struct smimon_info){ 0 };
	err = smimon_request_simple(ctx, &request);
	if (err)
		return err;
	if (info->record_size < SMIMON_RECORD_SIZE_1)
		return smimon_set_error(ctx, -EPROTO, "the loaded kernel module's records have %u bytes, this program needs %u: load the module that belongs to it",
					info->record_size, SMIMON_RECORD_SIZE_1);
	return 0;
}

struct caps_list {
	struct smimon_caps *caps;
	size_t count;
	size_t room;
};

static struct smimon_caps *caps_append(struct caps_list *list)
{
	struct smimon_caps *caps;
	size_t i;

	caps = array_grow(list->caps, list->count, &list->room, sizeof(*caps));
	if (!caps)
		return NULL;
	list->caps = caps;
	caps += list->count++;
	*caps = (struct smimon_caps){ 0 };
	for (i = 0; i < SMIMON_COUNTERS; i++)
		caps->reason[i] = SMIMON_REASON_UNTOLD;
	return caps;
}

/* A counter that this library does not know is left out. */
static int parse_cap(struct nlattr *nest, struct smimon_caps *caps)
{
	struct nlattr *attrs[SMIMON_A_CAP_MAX + 1];
	struct nla_policy policy[SMIMON_A_CAP_MAX + 1] = {
		[SMIMON_A_CAP_COUNTER] = { .type = NLA_U32 },
		[SMIMON_A_CAP_REASON] = { .type = NLA_U32 },
	};
	uint32_t counter;

	if (nla_parse_nested(attrs, SMIMON_A_CAP_MAX, nest, policy) < 0 ||
	    !attrs[SMIMON_A_CAP_COUNTER] || !attrs[SMIMON_A_CAP_REASON])
		return -EBADMSG;
	counter = nla_get_u32(attrs[SMIMON_A_CAP_COUNTER]);
	if (counter < SMIMON_COUNTERS)
		caps->reason[counter] = nla_get_u32(attrs[SMIMON_A_CAP_REASON]);
	return 0;
}

static int caps_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct genlmsghdr *genl = genlmsg_hdr((struct nlmsghdr *)hdr);
	struct nlattr *cpu = genlmsg_attrdata(genl, 0);
	struct nlattr *attr;
	struct smimon_caps *caps = caps_append(arg);
	int err, rest;

	if (!caps)
		return -ENOMEM;
	cpu = nla_find(cpu, genlmsg_attrlen(genl, 0), SMIMON_A_INFO_CPU);
	if (!cpu || nla_len(cpu) != sizeof(uint32_t))
		return -EBADMSG;
	caps->cpu = nla_get_u32(cpu);
	nla_for_each_attr(attr, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0), rest) {
		if (nla_type(attr) == SMIMON_A_INFO_ISOLATED)
			caps->isolated = true;
		if (nla_type(attr) != SMIMON_A_INFO_CAP)
			continue;
		err = parse_cap(attr, caps);
		if (err)
			return err;
	}
	return 0;
}

int smimon_get_caps(struct smimon *ctx, struct smimon_caps **caps, size_t *count)
{
	struct caps_list list = { 0 };
	struct smimon_request request = {
		.what = "cannot ask for the CPUs' counters",
		.command = SMIMON_CMD_INFO_GET,
		.dump = true,
		.reply = caps_reply,
		.arg = &list,
	};
	int err = smimon_request_simple(ctx, &request);

	if (err) {
		free(list.caps);
		return err;
	}
	*caps = list.caps;
	*count = list.count;
	return 0;
}
