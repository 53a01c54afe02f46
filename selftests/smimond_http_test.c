// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients of smimond that are slow, many, huge or broken: they get so much and no more, and the
 * sampling does not notice.
 */
#include "kselftest_harness.h"

#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "daemon.h"
#include "machine.h"

#define SLOW_CLIENTS	200
#define MORE_CLIENTS	500
#define RESIDENT_KB	65536
#define FUZZ_ROUNDS	4
#define FUZZ_REQUESTS	200
#define FUZZ_BYTES	600
/* No client is served for longer than ten seconds. */
#define WAIT_MS		60000

FIXTURE(http) {
	pid_t pid;
	char page[DAEMON_PAGE];
};

/* An interval that no hiccup of the emulator is as long as. */
FIXTURE_SETUP(http)
{
	self->pid = daemon_start("--interval 5000 --history none");
	ASSERT_TRUE(daemon_becomes("smimon_samples_total", 1));
}

FIXTURE_TEARDOWN(http)
{
	EXPECT_EQ(0, daemon_stop(self->pid, SIGTERM));
}

static long resident_kb(pid_t pid)
{
	char path[64], line[256];
	long kb = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kb);
	if (file)
		fclose(file);
	return kb;
}

/* Send something, and read the status of the answer. 0 if there is none. */
static int status_of(const char *request, size_t length)
{
	char answer[4096] = "";
	int status = 0, fd = daemon_connect();

	if (fd < 0)
		return 0;
	send(fd, request, length, MSG_NOSIGNAL);
	if (recv(fd, answer, sizeof(answer) - 1, MSG_WAITALL) > 0)
		sscanf(answer, "HTTP/1.%*d %d", &status);
	close(fd);
	return status;
}

static int status_of_line(const char *line)
{
	char request[512];

	snprintf(request, sizeof(request), "%s HTTP/1.1\r\nHost: localhost\r\n\r\n", line);
	return status_of(request, strlen(request));
}

TEST_F_TIMEOUT(http, pages, 120)
{
	static const char openmetrics[] = "application/openmetrics-text;version=1.0.0;q=0.5,"
					  "text/plain;version=0.0.4;q=0.3,*/*;q=0.1";

	EXPECT_EQ(200, daemon_get("/metrics", NULL, self->page));
	EXPECT_EQ(NULL, strstr(self->page, "# EOF"));
	EXPECT_EQ(200, daemon_get("/metrics", openmetrics, self->page));
	EXPECT_NE(NULL, strstr(self->page, "\n# EOF\n"));
	EXPECT_EQ(200, daemon_get("/healthz", NULL, self->page));
	EXPECT_STREQ("ok\n", self->page);
	EXPECT_EQ(200, daemon_get("/", NULL, self->page));
	EXPECT_NE(NULL, strstr(self->page, "href=/metrics"));
	EXPECT_EQ(404, daemon_get("/nothing", NULL, self->page));
	EXPECT_EQ(404, daemon_get("/../etc/passwd", NULL, self->page));
}

TEST_F_TIMEOUT(http, methods, 120)
{
	EXPECT_EQ(200, status_of_line("HEAD /metrics"));
	EXPECT_EQ(405, status_of_line("POST /metrics"));
	EXPECT_EQ(405, status_of_line("PUT /"));
	EXPECT_EQ(405, status_of_line("DELETE /metrics"));
	EXPECT_EQ(405, status_of_line("OPTIONS *"));
	EXPECT_EQ(405, status_of_line("TRACE /"));
}

TEST_F_TIMEOUT(http, huge_head_and_body, 120)
{
	size_t length = 1 << 20;
	char *request = malloc(length);
	int status;

	ASSERT_NE(NULL, request);
	memset(request, 'a', length);
	memcpy(request, "GET /", 5);
	status = status_of(request, length);
	EXPECT_TRUE(status == 0 || (status >= 400 && status < 500));
	memset(request, 'a', length);
	memcpy(request, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n", 52);
	status = status_of(request, length);
	EXPECT_TRUE(status == 0 || status == 200);
	free(request);
	EXPECT_EQ(200, daemon_get("/healthz", NULL, self->page));
	EXPECT_GT(RESIDENT_KB, resident_kb(self->pid));
}

static void slow_clients(int *fds, int count)
{
	static const char whole[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
	int i, one = 1;

	for (i = 0; i < count; i++) {
		fds[i] = daemon_connect();
		if (fds[i] < 0)
			continue;
		/* Of each other nothing is read, the rest never say what they want. */
		setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &one, sizeof(one));
		send(fds[i], whole, i % 2 ? sizeof(whole) - 1 : 9, MSG_NOSIGNAL);
	}
}

TEST_F_TIMEOUT(http, slow_clients, 300)
{
	int fds[SLOW_CLIENTS], i, open = 0;
	double missed = daemon_ask("smimon_missed_samples_total");
	double samples = daemon_ask("smimon_samples_total");

	slow_clients(fds, SLOW_CLIENTS);
	for (i = 0; i < SLOW_CLIENTS; i++)
		open += fds[i] >= 0;
	EXPECT_EQ(SLOW_CLIENTS, open);
	EXPECT_EQ(200, daemon_get("/metrics", NULL, self->page));
	EXPECT_TRUE(daemon_becomes("smimon_samples_total", samples + 3));
	EXPECT_EQ(missed, daemon_ask("smimon_missed_samples_total"));
	EXPECT_GT(RESIDENT_KB, resident_kb(self->pid));
	for (i = 0; i < SLOW_CLIENTS; i++)
		close(fds[i]);
}

/* More than are served at a time: they are broken off, so that the next has its turn. */
TEST_F_TIMEOUT(http, more_than_are_served, 300)
{
	static int fds[MORE_CLIENTS];
	struct pollfd first;
	int i;

	slow_clients(fds, MORE_CLIENTS);
	first = (struct pollfd){ .fd = fds[0], .events = POLLIN | POLLRDHUP };
	EXPECT_EQ(1, poll(&first, 1, WAIT_MS));
	EXPECT_TRUE(first.revents & (POLLRDHUP | POLLHUP));
	EXPECT_EQ(200, daemon_get("/metrics", NULL, self->page));
	EXPECT_GT(RESIDENT_KB, resident_kb(self->pid));
	for (i = 0; i < MORE_CLIENTS; i++)
		close(fds[i]);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A request of which some bytes are other than they should be, or only noise. */
static size_t make_request(uint64_t *state, char *request)
{
	static const char *const parts[] = {
		"GET ", "HEAD ", "/metrics", "/healthz", "/", "?a=%00%zz", " HTTP/1.1\r\n",
		" HTTP/9.9\r\n", "Host: x\r\n", "Accept: application/openmetrics-text;q=\r\n",
		"Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n", "Connection: keep-alive\r\n",
		"\r\n", "ffffffffffffffff\r\n", "Expect: 100-continue\r\n", ": \r\n", "\t\r\n", "\n",
	};
	size_t length = 0, i, count = next_random(state) % 12;

	for (i = 0; i < count; i++) {
		const char *part = parts[next_random(state) % ARRAY_SIZE(parts)];

		memcpy(request + length, part, strlen(part));
		length += strlen(part);
	}
	for (i = next_random(state) % 5; i && length; i--)
		request[next_random(state) % length] = next_random(state);
	return length;
}

/* All at the same time, as one that is not whole is waited for as long as any client is. */
static void send_broken(uint64_t *state)
{
	int fds[FUZZ_REQUESTS], i;
	char bytes[FUZZ_BYTES];

	for (i = 0; i < FUZZ_REQUESTS; i++) {
		size_t length = make_request(state, bytes);

		fds[i] = daemon_connect();
		send(fds[i], bytes, length, MSG_NOSIGNAL);
		shutdown(fds[i], SHUT_WR);
	}
	for (i = 0; i < FUZZ_REQUESTS; i++) {
		while (recv(fds[i], bytes, sizeof(bytes), 0) > 0)
			;
		close(fds[i]);
	}
}

TEST_F_TIMEOUT(http, broken_requests, 600)
{
	uint64_t state = machine_number("smimon_seed", 1);
	double missed = daemon_ask("smimon_missed_samples_total");
	int i;

	TH_LOG("smimon_seed=%llu", (unsigned long long)state);
	for (i = 0; i < FUZZ_ROUNDS; i++) {
		send_broken(&state);
		ASSERT_EQ(200, daemon_get("/healthz", NULL, self->page));
	}
	EXPECT_EQ(missed, daemon_ask("smimon_missed_samples_total"));
	EXPECT_GT(RESIDENT_KB, resident_kb(self->pid));
}

TEST_F(http, port_is_taken)
{
	struct machine_output second;

	machine_run("smimond --history none", &second);
	EXPECT_EQ(1, second.status);
	EXPECT_STREQ("smimond: cannot listen at 127.0.0.1:9764: Address already in use\n",
		     second.err);
}

TEST_HARNESS_MAIN
