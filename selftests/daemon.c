// SPDX-License-Identifier: GPL-2.0-only
#include "daemon.h"

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

#define SECONDS		60
#define WORDS		32
#define STEP_US		20000
#define STEPS		(120 * 1000000 / STEP_US)

static void loopback_up(void)
{
	struct machine_output done;

	machine_run("ifconfig lo 127.0.0.1 up", &done);
	if (done.status)
		errx(1, "no loopback: %s", done.err);
}

/* The last of an option given twice is the one that counts. */
static _Noreturn void run(const char *options)
{
	char *words[WORDS] = { "smimond", "--interval", "100", "--history", DAEMON_HISTORY };
	char *text = strdup(options), *word;
	int fd, n = 5;

	for (word = strtok(text, " "); word && n < WORDS - 1; word = strtok(NULL, " "))
		words[n++] = word;
	fd = open(DAEMON_LOG, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, STDERR_FILENO);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execvp(words[0], words);
	_exit(127);
}

pid_t daemon_start(const char *options)
{
	char page[DAEMON_PAGE];
	pid_t pid;
	int step;

	loopback_up();
	unlink(DAEMON_LOG);
	pid = fork();
	if (!pid)
		run(options);
	for (step = 0; step < STEPS; step++) {
		if (daemon_get("/", NULL, page) == 200)
			return pid;
		if (waitpid(pid, NULL, WNOHANG))
			break;
		usleep(STEP_US);
	}
	errx(1, "smimond does not serve; see %s", DAEMON_LOG);
}

int daemon_stop(pid_t pid, int signal)
{
	int status = -1;

	kill(pid, signal);
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	return status;
}

/* Whether a process was stopped by a signal. */
static bool stands_still(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		err(1, "%s", path);
	fclose(file);
	return state == 'T';
}

void daemon_smis(pid_t pid, unsigned int count)
{
	int step;

	kill(pid, SIGSTOP);
	for (step = 0; step < STEPS && !stands_still(pid); step++)
		usleep(STEP_US);
	machine_smis(count);
	kill(pid, SIGCONT);
}

static int connect_to(unsigned int port)
{
	struct timeval timeout = { .tv_sec = SECONDS };
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		err(1, "socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	close(fd);
	return -1;
}

int daemon_connect(void)
{
	return connect_to(DAEMON_PORT);
}

static void receive(int fd, char *answer, size_t size)
{
	size_t have = 0;
	ssize_t got;

	while (have < size - 1 && (got = recv(fd, answer + have, size - 1 - have, 0)) > 0)
		have += got;
	answer[have] = '\0';
}

int daemon_talk(int fd, const char *path, const char *accept, char page[DAEMON_PAGE])
{
	static char answer[DAEMON_PAGE];
	char request[2048], *body;
	int status = 0;

	page[0] = '\0';
	if (fd < 0)
		return 0;
	snprintf(request, sizeof(request),
		 "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s%s\r\n", path,
		 accept ? "Accept: " : "", accept ? accept : "", accept ? "\r\n" : "");
	send(fd, request, strlen(request), MSG_NOSIGNAL);
	receive(fd, answer, sizeof(answer));
	close(fd);
	body = strstr(answer, "\r\n\r\n");
	if (!body || sscanf(answer, "HTTP/1.1 %d", &status) != 1)
		return 0;
	strcpy(page, body + 4);
	return status;
}

int daemon_get(const char *path, const char *accept, char page[DAEMON_PAGE])
{
	return daemon_talk(daemon_connect(), path, accept, page);
}

int daemon_get_at(unsigned int port, const char *path, char page[DAEMON_PAGE])
{
	return daemon_talk(connect_to(port), path, NULL, page);
}

double daemon_value(const char *page, const char *series)
{
	size_t length = strlen(series);
	const char *line = page;

	while (line) {
		if (!strncmp(line, series, length) && line[length] == ' ')
			return strtod(line + length, NULL);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NAN;
}

double daemon_ask(const char *series)
{
	static char page[DAEMON_PAGE];

	return daemon_get("/metrics", NULL, page) == 200 ? daemon_value(page, series) : NAN;
}

bool daemon_becomes(const char *series, double least)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		if (daemon_ask(series) >= least)
			return true;
		usleep(STEP_US);
	}
	fprintf(stderr, "# %s is %g, not %g\n", series, daemon_ask(series), least);
	return false;
}

/* The next may have begun already. */
bool daemon_samples(void)
{
	return daemon_becomes("smimon_samples_total", daemon_ask("smimon_samples_total") + 2);
}

bool daemon_said(const char *text)
{
	char log[65536];
	int fd = open(DAEMON_LOG, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, log, sizeof(log) - 1);

	if (fd >= 0)
		close(fd);
	log[length < 0 ? 0 : length] = '\0';
	return strstr(log, text);
}
