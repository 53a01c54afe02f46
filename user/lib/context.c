// SPDX-License-Identifier: GPL-2.0-only
#include "context.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "request.h"
#include "smimon.h"

/* The kernel answers at once, or after a cross call; this is for a kernel in distress. */
#define ANSWER_SECONDS		10

/* More than the kernel puts into one message of a dump (32 KiB). */
#define RECEIVE_BUFFER		65536

struct family {
	int id;
	uint32_t version;
};

int smimon_set_error(struct smimon *ctx, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(ctx->error, sizeof(ctx->error), format, args);
	va_end(args);
	return err;
}

struct smimon *smimon_new(void)
{
	struct smimon *ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		return NULL;
	ctx->family = GENL_ID_CTRL;
	ctx->sock = nl_socket_alloc();
	if (!ctx->sock) {
		free(ctx);
		return NULL;
	}
	return ctx;
}

void smimon_free(struct smimon *ctx)
{
	if (!ctx)
		return;
	nl_socket_free(ctx->sock);
	free(ctx);
}

const char *smimon_error(const struct smimon *ctx)
{
	return ctx->error;
}

static int open_socket(struct smimon *ctx)
{
	struct timeval timeout = { .tv_sec = ANSWER_SECONDS };
	int on = 1;
	int err, fd;

	err = genl_connect(ctx->sock);
	if (err < 0)
		return smimon_set_error(ctx, -EIO, "cannot open a netlink socket: %s",
					nl_geterror(err));
	fd = nl_socket_get_fd(ctx->sock);
	if (setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) ||
	    nl_socket_set_msg_buf_size(ctx->sock, RECEIVE_BUFFER))
		return smimon_set_error(ctx, -EIO, "cannot set up a netlink socket: %m");
	return 0;
}

static int family_reply(const struct nlmsghdr *hdr, void *arg)
{
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	struct nla_policy policy[CTRL_ATTR_MAX + 1] = {
		[CTRL_ATTR_FAMILY_ID] = { .type = NLA_U16 },
		[CTRL_ATTR_VERSION] = { .type = NLA_U32 },
	};
	struct family *family = arg;

	if (genlmsg_parse((struct nlmsghdr *)hdr, 0, attrs, CTRL_ATTR_MAX, policy) < 0 ||
	    !attrs[CTRL_ATTR_FAMILY_ID] || !attrs[CTRL_ATTR_VERSION])
		return -EBADMSG;
	family->id = nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	family->version = nla_get_u32(attrs[CTRL_ATTR_VERSION]);
	return 0;
}

static int find_family(struct smimon *ctx, struct family *family)
{
	struct smimon_request request = {
		.what = "cannot look for the kernel module",
		.command = CTRL_CMD_GETFAMILY,
		.reply = family_reply,
		.arg = family,
	};
	struct nl_msg *msg = smimon_request_new(ctx, &request);

	if (!msg)
		return -ENOMEM;
	if (nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, SMIMON_FAMILY_NAME) < 0)
		return smimon_request_abort(ctx, &request, msg);
	return smimon_request_send(ctx, &request, msg);
}

int smimon_connect(struct smimon *ctx)
{
	struct family family = { 0 };
	int err;

	err = open_socket(ctx);
	if (err)
		return err;
	err = find_family(ctx, &family);
	if (err == -ENOENT)
		return smimon_set_error(ctx, err, "the kernel module is not loaded: run 'modprobe smimon' as root");
	if (err)
		return err;
	if (family.version < SMIMON_FAMILY_VERSION)
		return smimon_set_error(ctx, -EPROTO, "the loaded kernel module speaks version %u of the interface, this program needs %u: load the module that belongs to it",
					family.version, SMIMON_FAMILY_VERSION);
	ctx->family = family.id;
	return 0;
}
