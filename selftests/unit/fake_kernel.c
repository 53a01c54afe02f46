// SPDX-License-Identifier: GPL-2.0-only
#include "fake_kernel.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpulist.h"

#define FAMILY_ID		0x1f
#define DATAGRAMS		64
#define DATAGRAM_SIZE		8192

/* So that a few CPUs make several messages. */
#define RECORDS_PER_MESSAGE	3

struct fake_kernel fake_kernel;
struct fake_state fake_state;

/* What waits to be received, and the request that it answers. */
static struct {
	char data[DATAGRAMS][DATAGRAM_SIZE];
	size_t len[DATAGRAMS];
	size_t first, last;
	struct nlmsghdr request;
} queue;

static char *end_of_queue(size_t len)
{
	char *p = queue.data[queue.last % DATAGRAMS] + queue.len[queue.last % DATAGRAMS];

	if (queue.len[queue.last % DATAGRAMS] + NLMSG_ALIGN(len) > DATAGRAM_SIZE)
		abort();
	memset(p, 0, NLMSG_ALIGN(len));
	queue.len[queue.last % DATAGRAMS] += NLMSG_ALIGN(len);
	return p;
}

static void put(const void *data, size_t len)
{
	memcpy(end_of_queue(len), data, len);
}

static void begin(uint16_t type, uint16_t flags)
{
	struct nlmsghdr hdr = {
		.nlmsg_type = type,
		.nlmsg_flags = flags,
		.nlmsg_seq = queue.request.nlmsg_seq,
		.nlmsg_pid = queue.request.nlmsg_pid,
	};

	queue.len[queue.last % DATAGRAMS] = 0;
	put(&hdr, sizeof(hdr));
}

static void end(void)
{
	size_t i = queue.last++ % DATAGRAMS;

	((struct nlmsghdr *)queue.data[i])->nlmsg_len = queue.len[i];
}

static void put_attr(uint16_t type, const void *data, size_t len)
{
	bool cut = fake_kernel.fault == FAKE_SHORT_ATTR &&
		queue.request.nlmsg_type == FAMILY_ID;
	struct nlattr attr = { .nla_type = type };

	if (fake_kernel.fault == FAKE_EMPTY && queue.request.nlmsg_type == FAMILY_ID)
		return;
	if (cut)
		len = 1;
	attr.nla_len = NLA_HDRLEN + len;
	put(&attr, sizeof(attr));
	put(data, len);
}

static void put_u32(uint16_t type, uint32_t value)
{
	put_attr(type, &value, sizeof(value));
}

static void begin_reply(uint16_t flags)
{
	struct genlmsghdr genl = { .cmd = 1, .version = fake_kernel.family_version };

	if (fake_kernel.fault == FAKE_INTERRUPTED && flags)
		flags |= NLM_F_DUMP_INTR;
	begin(queue.request.nlmsg_type, flags);
	if (fake_kernel.fault != FAKE_NO_HEADER || queue.request.nlmsg_type != FAMILY_ID)
		put(&genl, sizeof(genl));
}

/* The kernel puts an offset before the text, so the text is not the first attribute. */
static void put_text(const char *text)
{
	struct nlattr attr = { .nla_type = NLMSGERR_ATTR_OFFS, .nla_len = NLA_HDRLEN + 4 };
	uint32_t offset = 20;

	if (!text)
		return;
	put(&attr, sizeof(attr));
	put(&offset, sizeof(offset));
	attr.nla_type = NLMSGERR_ATTR_MSG;
	attr.nla_len = NLA_HDRLEN + strlen(text) + 1;
	put(&attr, sizeof(attr));
	put(text, strlen(text) + 1);
}

static void acknowledge(int err, const char *text, bool whole)
{
	size_t payload = queue.request.nlmsg_len - sizeof(queue.request);
	int negative = -err;

	begin(NLMSG_ERROR, (text ? NLM_F_ACK_TLVS : 0) | (whole ? 0 : NLM_F_CAPPED));
	put(&negative, sizeof(negative));
	put(&queue.request, sizeof(queue.request));
	if (whole)
		end_of_queue(payload);
	put_text(text);
	end();
}

static void finish_dump(int err, const char *text)
{
	int negative = -err;

	begin(NLMSG_DONE, NLM_F_MULTI | (text ? NLM_F_ACK_TLVS : 0));
	put(&negative, sizeof(negative));
	put_text(text);
	end();
}

static void send_family(void)
{
	uint16_t id = FAMILY_ID;

	if (fake_kernel.absent) {
		acknowledge(ENOENT, NULL, false);
		return;
	}
	begin_reply(0);
	put_attr(CTRL_ATTR_FAMILY_NAME, SMIMON_FAMILY_NAME, sizeof(SMIMON_FAMILY_NAME));
	put_attr(CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
	put_u32(CTRL_ATTR_VERSION, fake_kernel.family_version);
	end();
	acknowledge(0, NULL, false);
}

static void send_info(void)
{
	begin_reply(0);
	put_u32(SMIMON_A_INFO_RECORD_SIZE, fake_kernel.record_size);
	put_attr(SMIMON_A_INFO_VERSION, "1.2-fake", sizeof("1.2-fake"));
	put_u32(SMIMON_A_INFO_TSC_KHZ, 2100000);
	put_u32(SMIMON_A_INFO_COUNTING, fake_state.counting ? 1 : 0);
	put_u32(SMIMON_A_INFO_BASE_KHZ, fake_kernel.base_khz);
	put_u32(SMIMON_A_INFO_BASE_SOURCE, fake_kernel.base_khz ? SMIMON_BASE_SOURCE_TSC :
		SMIMON_BASE_SOURCE_NONE);
	end();
}

static void send_caps(const struct smimon_caps *caps)
{
	uint32_t i;

	begin_reply(NLM_F_MULTI);
	put_u32(SMIMON_A_INFO_CPU, caps->cpu);
	if (caps->isolated)
		put_attr(SMIMON_A_INFO_ISOLATED, "", 0);
	/* One more than this library knows. */
	for (i = 0; i <= SMIMON_COUNTERS; i++) {
		struct {
			struct nlattr attr_counter;
			uint32_t counter;
			struct nlattr attr_reason;
			uint32_t reason;
		} cap = {
			{ 8, SMIMON_A_CAP_COUNTER }, i,
			{ 8, SMIMON_A_CAP_REASON }, i < SMIMON_COUNTERS ? caps->reason[i] : 0,
		};

		if (cap.reason != SMIMON_REASON_UNTOLD)
			put_attr(SMIMON_A_INFO_CAP | NLA_F_NESTED, &cap, sizeof(cap));
	}
	end();
}

/* Those that the request names, in descending order: the interface does not promise any other. */
static void dump_records(void)
{
	unsigned int n = fake_state.requests[SMIMON_CMD_SNAPSHOT_GET] - 1;
	struct smimon_record record[FAKE_CPUS];
	struct cpuset named;
	size_t i = fake_kernel.snapshot(n, record), in_message = 0;

	if (*fake_state.cpu_list && cpuset_parse(&named, fake_state.cpu_list))
		abort();
	while (i--) {
		if (*fake_state.cpu_list && !cpuset_has(&named, record[i].cpu))
			continue;
		if (!in_message)
			begin_reply(NLM_F_MULTI);
		put_attr(SMIMON_A_SNAPSHOT_RECORD, &record[i], sizeof(record[i]));
		if (++in_message == RECORDS_PER_MESSAGE) {
			end();
			in_message = 0;
		}
	}
	if (in_message)
		end();
}

static void send_record(uint32_t cpu)
{
	unsigned int n = fake_state.requests[SMIMON_CMD_SNAPSHOT_GET] - 1;
	struct smimon_record record[FAKE_CPUS];
	size_t i = fake_kernel.snapshot(n, record);

	while (i--)
		if (record[i].cpu == cpu) {
			begin_reply(0);
			put_attr(SMIMON_A_SNAPSHOT_RECORD, &record[i], sizeof(record[i]));
			end();
		}
}

static void send_freeze(void)
{
	begin_reply(0);
	put_u32(SMIMON_A_FREEZE_POLICY, fake_state.policy);
	put_u32(SMIMON_A_FREEZE_HOLDS, fake_state.held ? 4 : 3);
	put_u32(SMIMON_A_FREEZE_ACTIVE, 1);
	put_u32(SMIMON_A_FREEZE_SUPPORTED, 2);
	put_u32(SMIMON_A_FREEZE_CHANGED, 0);
	end();
}

static const struct nlattr *find_attr(const struct nlmsghdr *hdr, uint16_t type)
{
	const char *p = (const char *)hdr + NLMSG_HDRLEN + GENL_HDRLEN;

	while (p < (const char *)hdr + hdr->nlmsg_len) {
		const struct nlattr *attr = (const struct nlattr *)p;

		if (attr->nla_type == type)
			return attr;
		p += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

static void note_cpus(const struct nlmsghdr *hdr)
{
	const struct nlattr *list = find_attr(hdr, SMIMON_A_SNAPSHOT_CPU_LIST);

	snprintf(fake_state.cpu_list, sizeof(fake_state.cpu_list), "%s",
		 list ? (const char *)(list + 1) : "");
	fake_state.isolated = find_attr(hdr, SMIMON_A_SNAPSHOT_ISOLATED);
}

static void dump(uint8_t command, const struct nlmsghdr *hdr)
{
	size_t i;

	if (command == SMIMON_CMD_INFO_GET) {
		for (i = 0; i < fake_kernel.cpus; i++)
			send_caps(&fake_kernel.caps[i]);
		return;
	}
	note_cpus(hdr);
	dump_records();
}

static void answer_do(uint8_t command, const struct nlmsghdr *hdr)
{
	switch (command) {
	case SMIMON_CMD_INFO_GET:
		send_info();
		break;
	case SMIMON_CMD_SNAPSHOT_GET:
		send_record(*(uint32_t *)(find_attr(hdr, SMIMON_A_SNAPSHOT_CPU) + 1));
		break;
	case SMIMON_CMD_FREEZE_GET:
		send_freeze();
		break;
	case SMIMON_CMD_FREEZE_SET:
		fake_state.policy = *(uint32_t *)(find_attr(hdr, SMIMON_A_FREEZE_POLICY) + 1);
		break;
	case SMIMON_CMD_FREEZE_HOLD:
		fake_state.held = true;
		break;
	case SMIMON_CMD_FREEZE_RELEASE:
		fake_state.held = false;
		break;
	case SMIMON_CMD_COUNT_HOLD:
		note_cpus(hdr);
		fake_state.counting = true;
		break;
	}
	acknowledge(0, NULL, false);
}

static void answer(const struct nlmsghdr *hdr)
{
	uint8_t command = *(uint8_t *)NLMSG_DATA(hdr);
	const struct fake_refusal *refusal = &fake_kernel.refusal;
	bool is_dump = (hdr->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	bool refused = refusal->command == command &&
		fake_state.requests[command]++ >= refusal->after;

	if (refusal->command != command)
		fake_state.requests[command]++;
	fake_state.flags = hdr->nlmsg_flags;
	if (refused && !refusal->at_end) {
		acknowledge(refusal->err, refusal->text, refusal->whole);
	} else if (is_dump) {
		dump(command, hdr);
		finish_dump(refused ? refusal->err : 0, refused ? refusal->text : NULL);
	} else {
		answer_do(command, hdr);
	}
}

static void request(const struct nlmsghdr *hdr)
{
	queue.request = *hdr;
	if (hdr->nlmsg_type == GENL_ID_CTRL) {
		send_family();
		return;
	}
	if (fake_kernel.fault == FAKE_SILENT)
		return;
	if (fake_kernel.fault == FAKE_STALE) {
		queue.request.nlmsg_seq--;
		acknowledge(EBUSY, "stale", false);
		acknowledge(0, NULL, false);
		send_freeze();
		queue.request.nlmsg_seq++;
	}
	answer(hdr);
}

static bool is_netlink(int fd)
{
	int domain = 0;
	socklen_t len = sizeof(domain);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) && domain == AF_NETLINK;
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	const struct nlmsghdr *hdr = msg->msg_iov[0].iov_base;

	if (!is_netlink(fd))
		return syscall(SYS_sendmsg, fd, msg, flags);
	if (fake_kernel.fault == FAKE_CANNOT_SEND && hdr->nlmsg_type == FAMILY_ID) {
		errno = EBADF;
		return -1;
	}
	request(hdr);
	return msg->msg_iov[0].iov_len;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct sockaddr_nl from = { .nl_family = AF_NETLINK };
	size_t i = queue.first % DATAGRAMS;

	if (!is_netlink(fd))
		return syscall(SYS_recvmsg, fd, msg, flags);
	if (queue.first == queue.last) {
		errno = EAGAIN;		/* as after SO_RCVTIMEO */
		return -1;
	}
	if (queue.len[i] > msg->msg_iov[0].iov_len)
		abort();
	queue.first++;
	memcpy(msg->msg_iov[0].iov_base, queue.data[i], queue.len[i]);
	memcpy(msg->msg_name, &from, sizeof(from));
	msg->msg_namelen = sizeof(from);
	msg->msg_controllen = 0;
	msg->msg_flags = 0;
	return queue.len[i];
}
