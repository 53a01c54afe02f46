// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many requests, good and bad, from several processes at once: each is answered as documented, and
 * nothing is left of them. How many, and of which series, can be said on the kernel's command line:
 * smimon_fuzz=N smimon_seed=N.
 */
#include "kselftest_harness.h"

#include <linux/netlink.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "fuzz.h"
#include "machine.h"
#include "nl.h"

#define REQUESTS	8000
#define WORKERS		4
#define DEADLINE_S	60

/* One in so many. */
#define REOPEN		16
#define HALF_READ	64

#define SENTINEL	0x80000000u
#define UNANSWERED	1

static bool is_one_of(int err, const int *errs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (errs[i] == err)
			return true;
	return false;
}

#define ONE_OF(err, ...) \
	is_one_of(err, (const int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))

/* Others change the state meanwhile, so some good requests may be refused for that. */
static bool good_may_be(uint8_t cmd, int err)
{
	switch (cmd) {
	case SMIMON_CMD_FREEZE_SET:
		return ONE_OF(err, 0, -EBUSY);
	case SMIMON_CMD_FREEZE_HOLD:
		return ONE_OF(err, 0, -EALREADY, -EPERM);
	case SMIMON_CMD_FREEZE_RELEASE:
		return ONE_OF(err, 0, -ENOENT);
	default:
		return !err;
	}
}

/* Documentation/abi.md */
static bool may_be(const struct fuzz_request *request, int err)
{
	switch (request->kind) {
	case FUZZ_VALID:
		return good_may_be(request->cmd, err);
	case FUZZ_MISSING:
	case FUZZ_UNASKED:
	case FUZZ_LENGTH:
		return err == -EINVAL;
	case FUZZ_RANGE:
		return err == -ERANGE;
	case FUZZ_LIST:
		return ONE_OF(err, -EINVAL, -ERANGE);
	case FUZZ_COMMAND:
		return err == -EOPNOTSUPP;
	default:
		return ONE_OF(err, UNANSWERED, 0, -EPERM, -EINVAL, -ERANGE, -ENODEV, -EOPNOTSUPP,
			      -EALREADY, -ENOENT, -EBUSY);
	}
}

/**
 * struct answers - what has come back
 * @err: to the request, UNANSWERED if nothing did
 * @sentinel: the one behind it was answered
 */
struct answers {
	int err;
	bool sentinel;
};

static void look_at(const struct nlmsghdr *hdr, struct answers *answers)
{
	int err;

	if (hdr->nlmsg_type != NLMSG_ERROR && hdr->nlmsg_type != NLMSG_DONE)
		return;
	memcpy(&err, NLMSG_DATA(hdr), sizeof(err));
	if (hdr->nlmsg_seq & SENTINEL)
		answers->sentinel = true;
	else
		answers->err = err;
}

/* Return: bytes received, or as recv(). */
static ssize_t receive(int fd, int flags, struct answers *answers)
{
	static union {
		struct nlmsghdr hdr;
		char bytes[65536];
	} buf;
	ssize_t len = recv(fd, &buf, sizeof(buf), flags);
	const struct nlmsghdr *hdr = &buf.hdr;
	int left = len;

	for (; len > 0 && NLMSG_OK(hdr, left); hdr = NLMSG_NEXT(hdr, left))
		look_at(hdr, answers);
	return len;
}

/*
 * A mangled request may get no answer, so one that certainly does is sent behind it. A dump is made
 * as it is read: once there is nothing to receive it is at its end.
 */
static int ask(struct nl *nl, const struct fuzz_request *request)
{
	struct answers answers = { .err = UNANSWERED };
	struct {
		struct nlmsghdr hdr;
		unsigned char genl[4];
	} sentinel = {
		.hdr.nlmsg_len = sizeof(sentinel),
		.hdr.nlmsg_type = nl->family,
		.hdr.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		.hdr.nlmsg_seq = SENTINEL,
		.genl = { SMIMON_CMD_FREEZE_GET, SMIMON_FAMILY_VERSION },
	};

	if (send(nl->fd, request->buf, request->len, 0) < 0 ||
	    send(nl->fd, &sentinel, sizeof(sentinel), 0) < 0)
		return -errno;
	while (!answers.sentinel)
		if (receive(nl->fd, 0, &answers) < 0)
			return -errno;
	while (receive(nl->fd, MSG_DONTWAIT, &answers) > 0)
		;
	return answers.err;
}

/* Dumps that nobody reads to the end, on a socket with room for next to nothing. */
static bool leave_half_read(uint16_t seed, uint32_t index)
{
	struct answers answers;
	struct fuzz_request request;
	int small = 1, n;
	struct nl nl;

	if (nl_open(&nl))
		return false;
	setsockopt(nl.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	for (n = 0; n < 4; n++) {
		do {
			fuzz_make(&request, seed, ++index, nl.family, n);
		} while (request.kind != FUZZ_VALID || !request.dump);
		send(nl.fd, request.buf, request.len, MSG_DONTWAIT);
		if (n == 1)
			receive(nl.fd, MSG_DONTWAIT, &answers);
	}
	nl_close(&nl);
	return true;
}

/* Return: 0 if all was as it should be. */
static int work(uint16_t seed, uint32_t first, uint32_t count)
{
	const struct timeval limit = { .tv_sec = DEADLINE_S };
	struct fuzz_request request;
	uint32_t index;
	struct nl nl;
	int err;

	if (nl_open(&nl))
		return 1;
	for (index = first; index < first + count; index++) {
		if (index % HALF_READ == 0 && !leave_half_read(seed, index))
			return 1;
		if (index % REOPEN == 0) {
			nl_close(&nl);
			if (nl_open(&nl) || setsockopt(nl.fd, SOL_SOCKET, SO_RCVTIMEO, &limit,
						       sizeof(limit)))
				return 1;
		}
		fuzz_make(&request, seed, index, nl.family, index & ~SENTINEL);
		err = ask(&nl, &request);
		if (may_be(&request, err))
			continue;
		fprintf(stderr, "# series %u, request %u, kind %u, command %u%s: %d\n", seed, index,
			request.kind, request.cmd, request.dump ? ", dump" : "", err);
		return 1;
	}
	nl_close(&nl);
	return 0;
}

TEST(same_numbers_same_request)
{
	unsigned int kinds[FUZZ_KINDS] = {}, i;
	static struct fuzz_request a, b;

	for (i = 0; i < 1000; i++) {
		fuzz_make(&a, 1, i, 20, 7);
		fuzz_make(&b, 1, i, 20, 7);
		ASSERT_EQ(a.len, b.len);
		ASSERT_EQ(0, memcmp(a.buf, b.buf, a.len));
		kinds[a.kind]++;
	}
	for (i = 0; i < FUZZ_KINDS; i++) {
		EXPECT_LT(0, kinds[i]) {
			TH_LOG("no request of kind %u", i);
		}
	}
}

FIXTURE(fuzz) {
};

FIXTURE_SETUP(fuzz)
{
	machine_perf_freeze(false);
}

FIXTURE_TEARDOWN(fuzz)
{
	machine_perf_freeze(true);
}

TEST_F_TIMEOUT(fuzz, requests_good_and_bad, 7200)
{
	uint32_t each = machine_number("smimon_fuzz", REQUESTS) / WORKERS, i;
	uint16_t seed = machine_number("smimon_seed", 1);
	pid_t pid[WORKERS];
	struct nl nl;
	int status;

	for (i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(work(seed, i * each, each));
	}
	for (i = 0; i < WORKERS; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
	ASSERT_EQ(0, nl_open(&nl));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
	EXPECT_EQ(0, nl_set_policy(&nl, SMIMON_FREEZE_POLICY_AUTO));
	EXPECT_TRUE(machine_freeze_bits_are(false));
	nl_close(&nl);
	TH_LOG("%u requests of series %u", each * WORKERS, seed);
}

TEST_HARNESS_MAIN
