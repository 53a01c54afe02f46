// SPDX-License-Identifier: GPL-2.0-only
#include "nl.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ANSWER_SECONDS	60
#define WAIT_SECONDS	60

struct message {
	struct nlmsghdr nlh;
	struct genlmsghdr genl;
	unsigned char attrs[8192];
};

void nl_put(struct nl_attrs *attrs, unsigned int type, const void *data, size_t len)
{
	struct nlattr *attr = (struct nlattr *)(attrs->buf + attrs->len);

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	if (len)
		memcpy((char *)attr + NLA_HDRLEN, data, len);
	attrs->len += NLA_ALIGN(attr->nla_len);
}

void nl_put_u32(struct nl_attrs *attrs, unsigned int type, uint32_t val)
{
	nl_put(attrs, type, &val, sizeof(val));
}

void nl_put_string(struct nl_attrs *attrs, unsigned int type, const char *text)
{
	nl_put(attrs, type, text, strlen(text) + 1);
}

/* The first attribute of a type, its payload's length in len. */
static const void *find_attr(const void *buf, size_t left, unsigned int type, size_t *len)
{
	const struct nlattr *attr = buf;

	while (left >= sizeof(*attr) && attr->nla_len >= sizeof(*attr) && attr->nla_len <= left) {
		size_t step = NLA_ALIGN(attr->nla_len);

		if ((attr->nla_type & NLA_TYPE_MASK) == type) {
			*len = attr->nla_len - NLA_HDRLEN;
			return (const char *)attr + NLA_HDRLEN;
		}
		if (step > left)
			break;
		left -= step;
		attr = (const struct nlattr *)((const char *)attr + step);
	}
	return NULL;
}

static int send_request(struct nl *nl, int type, int cmd, int flags, const struct nl_attrs *attrs)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct message msg = {
		.nlh.nlmsg_type = type,
		.nlh.nlmsg_flags = NLM_F_REQUEST | flags,
		.nlh.nlmsg_seq = ++nl->seq,
		.genl.cmd = cmd,
		.genl.version = 1,
	};

	if (attrs)
		memcpy(msg.attrs, attrs->buf, attrs->len);
	msg.nlh.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN + (attrs ? attrs->len : 0));
	nl->extack[0] = 0;
	nl->bad_attr = 0;
	nl->reply_len = 0;
	if (sendto(nl->fd, &msg, msg.nlh.nlmsg_len, 0, (struct sockaddr *)&kernel,
		   sizeof(kernel)) < 0)
		return -errno;
	return 0;
}

/* The request comes back in an error unless NETLINK_CAP_ACK is set, which nl_open() does. */
static void note_extack(struct nl *nl, const struct nlmsghdr *nlh, size_t fixed,
			const struct nl_attrs *attrs)
{
	const char *tlvs = (const char *)NLMSG_DATA(nlh) + fixed;
	size_t left = nlh->nlmsg_len - NLMSG_HDRLEN - fixed;
	size_t len, first = NLMSG_LENGTH(GENL_HDRLEN);
	const void *found;
	uint32_t offset;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	found = find_attr(tlvs, left, NLMSGERR_ATTR_MSG, &len);
	if (found && len < sizeof(nl->extack)) {
		memcpy(nl->extack, found, len);
		nl->extack[len] = 0;
	}
	found = find_attr(tlvs, left, NLMSGERR_ATTR_OFFS, &len);
	if (found && attrs) {
		memcpy(&offset, found, sizeof(offset));
		if (offset >= first && offset - first + NLA_HDRLEN <= attrs->len)
			nl->bad_attr = ((const struct nlattr *)(attrs->buf + offset - first))->nla_type;
	}
}

typedef void (*take_fn)(struct nl *nl, const unsigned char *genl, size_t len, void *arg);

static void keep_reply(struct nl *nl, const unsigned char *genl, size_t len, void *arg)
{
	(void)arg;
	memcpy(nl->reply, genl, len);
	nl->reply_len = len;
}

/* Handle one message. Return: whether it was the last one, with err set. */
static bool take_message(struct nl *nl, const struct nlmsghdr *nlh, const struct nl_attrs *attrs,
			 take_fn take, void *arg, int *err)
{
	if (nlh->nlmsg_seq != nl->seq)
		return false;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		*err = ((const struct nlmsgerr *)NLMSG_DATA(nlh))->error;
		note_extack(nl, nlh, sizeof(struct nlmsgerr), attrs);
		return true;
	case NLMSG_DONE:
		*err = *(const int *)NLMSG_DATA(nlh);
		note_extack(nl, nlh, sizeof(int), attrs);
		return true;
	default:
		take(nl, NLMSG_DATA(nlh), nlh->nlmsg_len - NLMSG_HDRLEN, arg);
		return false;
	}
}

static int receive(struct nl *nl, const struct nl_attrs *attrs, take_fn take, void *arg)
{
	static union {
		struct nlmsghdr first;
		unsigned char buf[65536];
	} in;
	struct nlmsghdr *nlh;
	ssize_t got;
	int err;

	for (;;) {
		got = recv(nl->fd, &in, sizeof(in), 0);
		if (got < 0)
			return -errno;
		for (nlh = &in.first; NLMSG_OK(nlh, got); nlh = NLMSG_NEXT(nlh, got))
			if (take_message(nl, nlh, attrs, take, arg, &err))
				return err;
	}
}

static int find_family(struct nl *nl)
{
	struct nl_attrs attrs = {};
	const void *id;
	size_t len;
	int err;

	nl_put_string(&attrs, CTRL_ATTR_FAMILY_NAME, SMIMON_FAMILY_NAME);
	err = send_request(nl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK, &attrs);
	if (!err)
		err = receive(nl, &attrs, keep_reply, NULL);
	if (err)
		return err;
	id = find_attr(nl->reply + GENL_HDRLEN, nl->reply_len - GENL_HDRLEN, CTRL_ATTR_FAMILY_ID,
		       &len);
	if (!id)
		return -EPROTO;
	memcpy(&nl->family, id, sizeof(nl->family));
	return 0;
}

int nl_open(struct nl *nl)
{
	struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	int on = 1, err;

	memset(nl, 0, sizeof(*nl));
	nl->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (nl->fd < 0)
		return -errno;
	if (setsockopt(nl->fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on)) ||
	    setsockopt(nl->fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on)) ||
	    setsockopt(nl->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
		err = -errno;
	else
		err = find_family(nl);
	if (err)
		nl_close(nl);
	return err;
}

void nl_close(struct nl *nl)
{
	close(nl->fd);
	nl->fd = -1;
}

int nl_do(struct nl *nl, int cmd, const struct nl_attrs *attrs)
{
	int err = send_request(nl, nl->family, cmd, NLM_F_ACK, attrs);

	return err ? err : receive(nl, attrs, keep_reply, NULL);
}

static void keep_records(struct nl *nl, const unsigned char *genl, size_t len, void *arg)
{
	struct smimon_record *records = arg, rec;
	const unsigned char *at = genl + GENL_HDRLEN, *end = genl + len, *found;
	size_t size;

	(void)nl;
	while ((found = find_attr(at, end - at, SMIMON_A_SNAPSHOT_RECORD, &size))) {
		memcpy(&rec, found, sizeof(rec));
		if (size == sizeof(rec) && rec.cpu < NL_CPUS)
			records[rec.cpu] = rec;
		at = found + NLA_ALIGN(size);
	}
}

int nl_dump_begin(struct nl *nl, const struct nl_attrs *attrs)
{
	return send_request(nl, nl->family, SMIMON_CMD_SNAPSHOT_GET, NLM_F_DUMP, attrs);
}

int nl_dump_end(struct nl *nl, const struct nl_attrs *attrs,
		struct smimon_record records[NL_CPUS])
{
	memset(records, 0, NL_CPUS * sizeof(*records));
	return receive(nl, attrs, keep_records, records);
}

int nl_dump(struct nl *nl, const struct nl_attrs *attrs, struct smimon_record records[NL_CPUS])
{
	int err = nl_dump_begin(nl, attrs);

	return err ? err : nl_dump_end(nl, attrs, records);
}

struct caps {
	int cpus;
	unsigned int (*reasons)[SMIMON_COUNTER_DEBUGCTL + 1];
};

static int64_t get_u32(const void *attrs, size_t left, unsigned int type)
{
	const void *found;
	uint32_t val;
	size_t len;

	found = find_attr(attrs, left, type, &len);
	if (!found || len != sizeof(val))
		return -1;
	memcpy(&val, found, sizeof(val));
	return val;
}

static void keep_caps(struct nl *nl, const unsigned char *genl, size_t len, void *arg)
{
	const unsigned char *at = genl + GENL_HDRLEN, *end = genl + len, *found;
	int64_t cpu = get_u32(at, end - at, SMIMON_A_INFO_CPU), counter;
	struct caps *caps = arg;
	size_t size;

	(void)nl;
	if (cpu < 0 || cpu >= NL_CPUS)
		return;
	caps->cpus++;
	while ((found = find_attr(at, end - at, SMIMON_A_INFO_CAP, &size))) {
		counter = get_u32(found, size, SMIMON_A_CAP_COUNTER);
		if (counter >= 0 && counter <= SMIMON_COUNTER_DEBUGCTL)
			caps->reasons[cpu][counter] = get_u32(found, size, SMIMON_A_CAP_REASON);
		at = found + NLA_ALIGN(size);
	}
}

int nl_caps(struct nl *nl, unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1])
{
	struct caps caps = { .reasons = reasons };
	int err;

	memset(reasons, 0xff, NL_CPUS * sizeof(*reasons));
	err = send_request(nl, nl->family, SMIMON_CMD_INFO_GET, NLM_F_DUMP, NULL);
	if (!err)
		err = receive(nl, NULL, keep_caps, &caps);
	return err ? err : caps.cpus;
}

int64_t nl_reply_u32(const struct nl *nl, unsigned int type)
{
	if (nl->reply_len < GENL_HDRLEN)
		return -1;
	return get_u32(nl->reply + GENL_HDRLEN, nl->reply_len - GENL_HDRLEN, type);
}

int64_t nl_ask(struct nl *nl, int cmd, unsigned int type)
{
	return nl_do(nl, cmd, NULL) ? -1 : nl_reply_u32(nl, type);
}

bool nl_becomes(struct nl *nl, int cmd, unsigned int type, int64_t value)
{
	int i;

	for (i = 0; i < WAIT_SECONDS * 100; i++) {
		if (nl_ask(nl, cmd, type) == value)
			return true;
		usleep(10000);
	}
	return false;
}

int nl_set_policy(struct nl *nl, uint32_t policy)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_FREEZE_POLICY, policy);
	return nl_do(nl, SMIMON_CMD_FREEZE_SET, &attrs);
}

int nl_count(struct nl *nl)
{
	struct nl_attrs attrs = {};

	nl_put(&attrs, SMIMON_A_SNAPSHOT_ISOLATED, NULL, 0);
	return nl_do(nl, SMIMON_CMD_COUNT_HOLD, &attrs);
}

int nl_snapshot(struct nl *nl, unsigned int cpu, struct smimon_record *rec)
{
	struct nl_attrs attrs = {};
	const void *found;
	size_t len;
	int err;

	nl_put_u32(&attrs, SMIMON_A_SNAPSHOT_CPU, cpu);
	err = nl_do(nl, SMIMON_CMD_SNAPSHOT_GET, &attrs);
	if (err)
		return err;
	found = find_attr(nl->reply + GENL_HDRLEN, nl->reply_len - GENL_HDRLEN,
			  SMIMON_A_SNAPSHOT_RECORD, &len);
	if (!found || len != sizeof(*rec))
		return -EPROTO;
	memcpy(rec, found, len);
	return 0;
}
