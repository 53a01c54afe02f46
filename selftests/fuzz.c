// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/smimon.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array)	(sizeof(array) / sizeof((array)[0]))

#define LIST_MAX		4096
#define NO_SUCH_CPU		100000
#define MANGLED_MAX		4

enum attr_kind { FUZZ_U32, FUZZ_STRING, FUZZ_FLAG, FUZZ_BINARY, FUZZ_NEST };

/**
 * struct fuzz_attr - an attribute
 * @type: its number
 * @kind: what it holds
 * @values: how many values it may have, 0 for any; CPU numbers have no bound here
 */
struct fuzz_attr {
	uint16_t type;
	enum attr_kind kind;
	uint32_t values;
};

/**
 * struct fuzz_op - a command
 * @cmd: its number
 * @attrs: the set that its attributes are of
 * @count: how many there are in that
 * @can_do: it is there as a do request
 * @do_attrs: bits of the attributes of that, by their place in the set
 * @can_dump: it is there as a dump
 * @dump_attrs: likewise
 */
struct fuzz_op {
	uint8_t cmd;
	const struct fuzz_attr *attrs;
	unsigned int count;
	bool can_do;
	unsigned int do_attrs;
	bool can_dump;
	unsigned int dump_attrs;
};

#include "fuzz_table.h"

/* Of two CPUs. */
static const char *const good_lists[] = {
	"0", "1", "0-1", "0,1", "1,0", "0-1:1/2", "0,0,0", "all",
};
static const char *const bad_lists[] = {
	"", "x", "1-0", "-", "0-", ",", "0-1:0/0", "4096-0", "100000", "0x1", "1 0 z", "0--1",
	"4294967296", "99999999999999999999", "0-1:2/1", "0;1", "\xff\xfe", "all,none",
};

uint32_t fuzz_number(struct fuzz_state *state, uint32_t limit)
{
	return nrand48(state->x) % limit;
}

static void put(struct fuzz_request *request, uint16_t type, const void *data, size_t len)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	if (request->len + NLA_ALIGN(attr.nla_len) > sizeof(request->buf))
		return;
	memset(request->buf + request->len, 0, NLA_ALIGN(attr.nla_len));
	memcpy(request->buf + request->len, &attr, sizeof(attr));
	memcpy(request->buf + request->len + NLA_HDRLEN, data, len);
	request->len += NLA_ALIGN(attr.nla_len);
}

static void put_string(struct fuzz_request *request, uint16_t type, const char *text)
{
	put(request, type, text, strlen(text) + 1);
}

static uint32_t number_out_of_range(const struct fuzz_attr *attr, struct fuzz_state *state)
{
	uint32_t least = attr->values ? attr->values : NO_SUCH_CPU;

	switch (fuzz_number(state, 3)) {
	case 0:
		return least;
	case 1:
		return UINT32_MAX;
	default:
		return least + fuzz_number(state, UINT32_MAX - least);
	}
}

static void put_bad_list(struct fuzz_request *request, uint16_t type, struct fuzz_state *state)
{
	static const char too_long[LIST_MAX + 64] = { [0 ... LIST_MAX + 62] = '1' };
	unsigned int which = fuzz_number(state, ARRAY_LEN(bad_lists) + 2);

	if (which < ARRAY_LEN(bad_lists))
		put_string(request, type, bad_lists[which]);
	else if (which == ARRAY_LEN(bad_lists))
		put_string(request, type, too_long);
	else
		put(request, type, "0-1", 3);		/* not ended by a NUL */
}

static void put_good(struct fuzz_request *request, const struct fuzz_attr *attr,
		     struct fuzz_state *state)
{
	uint32_t val = fuzz_number(state, attr->values ? attr->values : 2);

	switch (attr->kind) {
	case FUZZ_U32:
		put(request, attr->type, &val, sizeof(val));
		break;
	case FUZZ_STRING:
		put_string(request, attr->type,
			   good_lists[fuzz_number(state, ARRAY_LEN(good_lists))]);
		break;
	case FUZZ_FLAG:
		put(request, attr->type, "", 0);
		break;
	case FUZZ_BINARY:
	case FUZZ_NEST:
		put(request, attr->type, "binary", 6);
		break;
	}
}

static void put_bad(struct fuzz_request *request, const struct fuzz_attr *attr,
		    struct fuzz_state *state)
{
	static const unsigned char bytes[64];
	uint32_t val;

	switch (request->kind) {
	case FUZZ_LENGTH:
		val = fuzz_number(state, sizeof(bytes));
		put(request, attr->type, bytes, val == sizeof(val) ? val + 1 : val);
		break;
	case FUZZ_RANGE:
		val = number_out_of_range(attr, state);
		put(request, attr->type, &val, sizeof(val));
		break;
	default:
		put_bad_list(request, attr->type, state);
	}
}

/* Which kind of attribute a request has to have for something to be wrong with that. */
static enum attr_kind spoilt(enum fuzz_kind kind)
{
	return kind == FUZZ_LIST ? FUZZ_STRING : FUZZ_U32;
}

/* Return: the attribute to spoil, NULL if the request has none of the kind. */
static const struct fuzz_attr *find_attr(const struct fuzz_op *op, unsigned int has,
					 enum attr_kind kind)
{
	unsigned int i;

	for (i = 0; i < op->count; i++)
		if (has & 1u << i && op->attrs[i].kind == kind)
			return &op->attrs[i];
	return NULL;
}

/* Numbers are needed, the rest is as one likes. */
static void put_attrs(struct fuzz_request *request, const struct fuzz_op *op, unsigned int has,
		      const struct fuzz_attr *bad, struct fuzz_state *state)
{
	unsigned int i;

	for (i = 0; i < op->count; i++) {
		const struct fuzz_attr *attr = &op->attrs[i];

		if (!(has & 1u << i))
			continue;
		if (attr == bad && request->kind != FUZZ_MISSING)
			put_bad(request, attr, state);
		else if (attr != bad && (attr->kind == FUZZ_U32 || fuzz_number(state, 2)))
			put_good(request, attr, state);
	}
}

/* An attribute of the set that is not of this request, or of no set. */
static void put_unasked(struct fuzz_request *request, const struct fuzz_op *op, unsigned int has,
			struct fuzz_state *state)
{
	unsigned int i = fuzz_number(state, op->count + 2);
	const struct fuzz_attr nobodys = {
		i == op->count ? 0 : op->count + 1 + fuzz_number(state, 1000), FUZZ_U32, 0,
	};

	if (i >= op->count)
		put_good(request, &nobodys, state);
	else if (has & 1u << i)
		put(request, op->count + 1, "", 0);
	else
		put_good(request, &op->attrs[i], state);
}

static void put_noise(struct fuzz_request *request, struct fuzz_state *state)
{
	uint32_t len = fuzz_number(state, 200);

	while (len--)
		request->buf[request->len++] = fuzz_number(state, 256);
}

/* Where it matters most: the lengths, flags and types. Other families are left alone. */
static void mangle(struct fuzz_request *request, struct fuzz_state *state)
{
	struct nlmsghdr *hdr = (struct nlmsghdr *)request->buf;
	unsigned int n = 1 + fuzz_number(state, MANGLED_MAX);

	while (n--) {
		switch (fuzz_number(state, 4)) {
		case 0:
			hdr->nlmsg_len += fuzz_number(state, 64) - 32;
			break;
		case 1:
			hdr->nlmsg_flags ^= 1u << fuzz_number(state, 16);
			break;
		case 2:
			request->buf[NLMSG_HDRLEN + fuzz_number(state, GENL_HDRLEN)] ^=
				1u << fuzz_number(state, 8);
			break;
		default:
			if (request->len > NLMSG_HDRLEN + GENL_HDRLEN)
				request->buf[NLMSG_HDRLEN + GENL_HDRLEN +
					     fuzz_number(state, request->len - NLMSG_HDRLEN -
							 GENL_HDRLEN)] ^= 1u << fuzz_number(state, 8);
		}
	}
}

static void start(struct fuzz_request *request, uint16_t family, uint32_t seq)
{
	struct nlmsghdr hdr = {
		.nlmsg_type = family,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | (request->dump ? NLM_F_DUMP : 0),
		.nlmsg_seq = seq,
	};
	struct genlmsghdr genl = { .cmd = request->cmd, .version = SMIMON_FAMILY_VERSION };

	memcpy(request->buf, &hdr, sizeof(hdr));
	memcpy(request->buf + NLMSG_HDRLEN, &genl, sizeof(genl));
	request->len = NLMSG_HDRLEN + GENL_HDRLEN;
}

/* Make the one that is asked for, as far as there is such a thing of this command. */
static void choose(struct fuzz_request *request, const struct fuzz_op *op, struct fuzz_state *state)
{
	request->kind = fuzz_number(state, 3) ? FUZZ_VALID : fuzz_number(state, FUZZ_KINDS);
	request->cmd = op->cmd;
	request->dump = op->can_dump && fuzz_number(state, 2);
	if (request->kind != FUZZ_COMMAND)
		return;
	if (!op->can_dump && fuzz_number(state, 2))
		request->dump = true;
	else
		request->cmd = SMIMON_CMD_MAX + 1 + fuzz_number(state, UINT8_MAX - SMIMON_CMD_MAX);
}

/* Neighbouring states give neighbouring numbers, so neighbouring requests begin far apart. */
static uint64_t scatter(uint64_t x)
{
	const uint64_t odd = 0x9e3779b97f4a7c15;	/* 2^64 by the golden ratio */

	x = (x ^ x >> 31) * odd;
	x = (x ^ x >> 29) * odd;
	return x ^ x >> 32;
}

void fuzz_make(struct fuzz_request *request, uint16_t seed, uint32_t index, uint16_t family,
	       uint32_t seq)
{
	uint64_t start_at = scatter((uint64_t)seed << 32 | index);
	struct fuzz_state numbers = { { start_at, start_at >> 16, start_at >> 32 } };
	struct fuzz_state *state = &numbers;
	struct nlmsghdr *hdr = (struct nlmsghdr *)request->buf;
	const struct fuzz_attr *bad = NULL;
	const struct fuzz_op *op;
	unsigned int has;

	op = &fuzz_ops[fuzz_number(state, ARRAY_LEN(fuzz_ops))];
	choose(request, op, state);
	has = request->dump ? op->dump_attrs : op->do_attrs;
	start(request, family, seq);
	if (request->kind >= FUZZ_MISSING && request->kind <= FUZZ_LIST &&
	    request->kind != FUZZ_UNASKED) {
		bad = find_attr(op, has, spoilt(request->kind));
		if (!bad)
			request->kind = FUZZ_VALID;
	}
	if (request->kind == FUZZ_NOISE)
		put_noise(request, state);
	else if (request->kind != FUZZ_COMMAND)
		put_attrs(request, op, has, bad, state);
	if (request->kind == FUZZ_UNASKED)
		put_unasked(request, op, has, state);
	hdr->nlmsg_len = request->len;
	if (request->kind == FUZZ_MANGLED)
		mangle(request, state);
}
