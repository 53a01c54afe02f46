// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of an answer is its acknowledgment, an error, or the last message of a dump, which can
 * carry an error as well. Nothing stops before: an answer that is half read would be taken for
 * that of the next request.
 */
#include "request.h"

#include <errno.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <sys/socket.h>

#include "context.h"
#include "smimon.h"

/* The largest is a list of CPUs, and headers. */
#define REQUEST_SIZE	(SMIMON_CPU_LIST_MAX + 256)

struct pending {
	struct smimon *ctx;
	const struct smimon_request *request;
	uint32_t seq;
	bool done;
	int err;
};

/* The kernel's own words, if @hdr has any after @skip bytes of payload; not NUL-terminated. */
static const struct nlattr *extack_text(struct nlmsghdr *hdr, int skip)
{
	int len = nlmsg_datalen(hdr) - NLMSG_ALIGN(skip);

	if (!(hdr->nlmsg_flags & NLM_F_ACK_TLVS) || len <= 0)
		return NULL;
	return nla_find((struct nlattr *)((char *)nlmsg_data(hdr) + NLMSG_ALIGN(skip)), len,
			NLMSGERR_ATTR_MSG);
}

static void fail(struct pending *pending, int err, const struct nlattr *text)
{
	struct smimon *ctx = pending->ctx;
	const char *what = pending->request->what;

	if (pending->err)
		return;
	pending->err = err;
	errno = -err;
	if (text)
		smimon_set_error(ctx, err, "%s: %.*s", what, nla_len(text),
				 (const char *)nla_data(text));
	else if (err == -EPERM)
		smimon_set_error(ctx, err, "%s: not permitted: CAP_NET_ADMIN is needed, run as root",
				 what);
	else if (err == -EOPNOTSUPP && pending->request->unsupported)
		smimon_set_error(ctx, err, "%s: %s", what, pending->request->unsupported);
	else if (err == -ENODEV && pending->request->offline)
		smimon_set_error(ctx, err, "%s: %s", what, pending->request->offline);
	/* What is refused so comes with the kernel's words. */
	else if (err == -ENOENT)
		smimon_set_error(ctx, err, "%s: the kernel module was unloaded: load it again",
				 what);
	else if (err == -EOPNOTSUPP)
		smimon_set_error(ctx, err, "%s: the loaded kernel module does not know how: load the one that belongs to this program",
				 what);
	else if (err == -EBADMSG)
		smimon_set_error(ctx, err, "%s: the kernel module's answer is malformed", what);
	else
		smimon_set_error(ctx, err, "%s: %m", what);
}

static int on_sequence(struct nl_msg *msg, void *arg)
{
	const struct pending *pending = arg;

	return nlmsg_hdr(msg)->nlmsg_seq == pending->seq ? NL_OK : NL_SKIP;
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct pending *pending = arg;
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	int err = -EBADMSG;

	if (genlmsg_valid_hdr(hdr, 0) && pending->request->reply)
		err = pending->request->reply(hdr, pending->request->arg);
	if (err)
		fail(pending, err, NULL);
	return NL_OK;
}

static int on_finish(struct nl_msg *msg, void *arg)
{
	struct pending *pending = arg;
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	int err;

	pending->done = true;
	if (nlmsg_datalen(hdr) >= (int)sizeof(err)) {
		err = *(const int *)nlmsg_data(hdr);
		if (err < 0)
			fail(pending, err, extack_text(hdr, sizeof(err)));
	}
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct pending *pending = arg;

	(void)msg;
	pending->done = true;
	return NL_STOP;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct pending *pending = arg;
	struct nlmsghdr *hdr = (struct nlmsghdr *)((char *)error - NLMSG_HDRLEN);
	int skip = sizeof(*error);

	(void)from;
	if (error->msg.nlmsg_seq != pending->seq)
		return NL_SKIP;
	/* Unless it was asked to cap it, the kernel sends all of the request back. */
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		skip += nlmsg_datalen(&error->msg);
	pending->done = true;
	fail(pending, error->error, extack_text(hdr, skip));
	return NL_STOP;
}

static int transport_error(const struct pending *pending, int err)
{
	struct smimon *ctx = pending->ctx;
	const char *what = pending->request->what;

	switch (err) {
	case -NLE_NOMEM:
		return smimon_set_error(ctx, -ENOMEM, "%s: no memory", what);
	case -NLE_AGAIN:
		return smimon_set_error(ctx, -ETIMEDOUT, "%s: the kernel does not answer", what);
	case -NLE_DUMP_INTR:
		return smimon_set_error(ctx, -EAGAIN, "%s: it changed while it was read, try again",
					what);
	default:
		return smimon_set_error(ctx, -EIO, "%s: %s", what, nl_geterror(err));
	}
}

/* More than fit into any socket's buffer. */
#define STALE_MAX	1000000

/*
 * An answer did not fit into the socket's buffer and is lost. What did fit belongs to nobody any
 * more. A dump goes on as that is read, and can run into the full buffer once more.
 */
static int overrun(const struct pending *pending)
{
	char rest[4096];
	int i, fd = nl_socket_get_fd(pending->ctx->sock);

	for (i = 0; i < STALE_MAX; i++)
		if (recv(fd, rest, sizeof(rest), MSG_DONTWAIT) < 0 && errno != ENOBUFS)
			break;
	return smimon_set_error(pending->ctx, -ENOBUFS,
				"%s: the socket's buffer was full and an answer is lost, try again",
				pending->request->what);
}

static void listen_to(struct nl_sock *sock, struct pending *pending)
{
	nl_socket_modify_cb(sock, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_sequence, pending);
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, on_message, pending);
	nl_socket_modify_cb(sock, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, pending);
	nl_socket_modify_cb(sock, NL_CB_ACK, NL_CB_CUSTOM, on_ack, pending);
	nl_socket_modify_err_cb(sock, NL_CB_CUSTOM, on_error, pending);
}

struct nl_msg *smimon_request_new(struct smimon *ctx, const struct smimon_request *request)
{
	struct nl_msg *msg = nlmsg_alloc_size(REQUEST_SIZE);
	int flags = request->dump ? NLM_F_DUMP : 0;

	if (msg && genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, ctx->family, 0, flags,
			       request->command, SMIMON_FAMILY_VERSION))
		return msg;
	smimon_request_abort(ctx, request, msg);
	return NULL;
}

int smimon_request_abort(struct smimon *ctx, const struct smimon_request *request,
			 struct nl_msg *msg)
{
	nlmsg_free(msg);
	return smimon_set_error(ctx, -ENOMEM, "%s: no memory", request->what);
}

int smimon_request_send(struct smimon *ctx, const struct smimon_request *request,
			struct nl_msg *msg)
{
	struct pending pending = { .ctx = ctx, .request = request };
	int err;

	err = nl_send_auto(ctx->sock, msg);
	pending.seq = nlmsg_hdr(msg)->nlmsg_seq;
	nlmsg_free(msg);
	if (err < 0)
		return transport_error(&pending, err);

	listen_to(ctx->sock, &pending);
	do {
		errno = 0;
		err = nl_recvmsgs_default(ctx->sock);
	} while (!pending.done && err >= 0);

	/* The library makes one of it and of a lack of memory. */
	if (err == -NLE_NOMEM && errno == ENOBUFS)
		return overrun(&pending);
	if (pending.err)
		return pending.err;
	return err < 0 ? transport_error(&pending, err) : 0;
}

int smimon_request_simple(struct smimon *ctx, const struct smimon_request *request)
{
	struct nl_msg *msg = smimon_request_new(ctx, request);

	return msg ? smimon_request_send(ctx, request, msg) : -ENOMEM;
}
