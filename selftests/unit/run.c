// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define LIMIT_MS	60000

static void set_environment(const char *kernel)
{
	char smimon[4096], path[8192];

	snprintf(smimon, sizeof(smimon), "%s", getenv("SMIMON"));
	snprintf(path, sizeof(path), "%s:%s", dirname(smimon), getenv("PATH"));
	setenv("PATH", path, 1);
	if (!kernel)
		return;
	setenv("LD_PRELOAD", getenv("SMIMON_FAKE_KERNEL"), 1);
	setenv("SMIMON_FAKE", kernel, 1);
	/* The fake comes before the sanitizer, and neither minds. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
}

/* Whatever this was started from. */
static void reset_signals(void)
{
	sigset_t none;
	int i;

	for (i = 1; i < SIGRTMIN; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static pid_t start(const char *kernel, const char *command, int out, int err)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	reset_signals();
	set_environment(kernel);
	/* Of its own group, for what is sent to it by its terminal. */
	setpgid(0, 0);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	/* Nor is any file inherited that this was started with, a socket perhaps. */
	close_range(STDERR_FILENO + 1, ~0U, 0);
	close(STDIN_FILENO);
	if (open("/dev/null", O_RDONLY) != STDIN_FILENO)
		_exit(125);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(125);
}

/* Returns whether there may be more. */
static bool take(int fd, char *text, size_t size)
{
	size_t len = strlen(text);
	ssize_t n = read(fd, text + len, size - len - 1);

	if (n > 0)
		text[len + n] = '\0';
	return n > 0;
}

static void collect(struct run *run, pid_t pid, int out, int err, int signal)
{
	struct pollfd fds[] = { { out, POLLIN }, { err, POLLIN } };

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (poll(fds, 2, LIMIT_MS) <= 0) {
			kill(-pid, SIGKILL);
			fail_msg("still running");
		}
		if (fds[0].revents && !take(out, run->out, sizeof(run->out)))
			fds[0].fd = -1;
		if (fds[1].revents && !take(err, run->err, sizeof(run->err)))
			fds[1].fd = -1;
		if (signal && *run->out) {
			kill(-pid, signal);
			signal = 0;
		}
	}
}

void run_command(struct run *run, const char *kernel, const char *command, int signal)
{
	int out[2], err[2], status;
	pid_t pid;

	*run = (struct run){ 0 };
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid = start(kernel, command, out[1], err[1]);
	assert_true(pid > 0);
	close(out[1]);
	close(err[1]);
	collect(run, pid, out[0], err[0], signal);
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	run->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool run_one_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end && end != text && !end[1];
}
