// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "request.h"
#include "smimon.h"

static int freeze_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[SMIMON_A_FREEZE_MAX + 1];
	struct nla_policy policy[SMIMON_A_FREEZE_MAX + 1] = {
		[SMIMON_A_FREEZE_POLICY] = { .type = NLA_U32 },
		[SMIMON_A_FREEZE_HOLDS] = { .type = NLA_U32 },
		[SMIMON_A_FREEZE_ACTIVE] = { .type = NLA_U32 },
		[SMIMON_A_FREEZE_SUPPORTED] = { .type = NLA_U32 },
		[SMIMON_A_FREEZE_CHANGED] = { .type = NLA_U32 },
	};
	struct smimon_freeze *freeze = arg;

	if (genlmsg_parse((struct nlmsghdr *)hdr, 0, attrs, SMIMON_A_FREEZE_MAX, policy) < 0 ||
	    !attrs[SMIMON_A_FREEZE_POLICY] || !attrs[SMIMON_A_FREEZE_HOLDS] ||
	    !attrs[SMIMON_A_FREEZE_ACTIVE] || !attrs[SMIMON_A_FREEZE_SUPPORTED] ||
	    !attrs[SMIMON_A_FREEZE_CHANGED])
		return -EBADMSG;
	freeze->policy = nla_get_u32(attrs[SMIMON_A_FREEZE_POLICY]);
	freeze->holds = nla_get_u32(attrs[SMIMON_A_FREEZE_HOLDS]);
	freeze->active = nla_get_u32(attrs[SMIMON_A_FREEZE_ACTIVE]);
	freeze->supported = nla_get_u32(attrs[SMIMON_A_FREEZE_SUPPORTED]);
	freeze->changed = nla_get_u32(attrs[SMIMON_A_FREEZE_CHANGED]);
	return 0;
}

int smimon_get_freeze(struct smimon *ctx, struct smimon_freeze *freeze)
{
	struct smimon_request request = {
		.what = "cannot ask for the state of the freeze",
		.command = SMIMON_CMD_FREEZE_GET,
		.reply = freeze_reply,
		.arg = freeze,
	};

	*freeze = (struct smimon_freeze){ 0 };
	return smimon_request_simple(ctx, &request);
}

int smimon_set_freeze(struct smimon *ctx, enum smimon_freeze_policy policy)
{
	struct smimon_request request = {
		.what = "cannot set the policy of the freeze",
		.command = SMIMON_CMD_FREEZE_SET,
	};
	struct nl_msg *msg = smimon_request_new(ctx, &request);

	if (!msg)
		return -ENOMEM;
	if (nla_put_u32(msg, SMIMON_A_FREEZE_POLICY, policy) < 0)
		return smimon_request_abort(ctx, &request, msg);
	return smimon_request_send(ctx, &request, msg);
}

int smimon_hold_freeze(struct smimon *ctx)
{
	struct smimon_request request = {
		.what = "cannot hold the freeze",
		.command = SMIMON_CMD_FREEZE_HOLD,
	};

	return smimon_request_simple(ctx, &request);
}

int smimon_release_freeze(struct smimon *ctx)
{
	struct smimon_request request = {
		.what = "cannot release the freeze",
		.command = SMIMON_CMD_FREEZE_RELEASE,
	};

	return smimon_request_simple(ctx, &request);
}
