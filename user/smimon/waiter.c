// SPDX-License-Identifier: GPL-2.0-only
#include "waiter.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

int waiter_open(struct waiter *waiter, bool with_command)
{
	sigset_t ours;

	*waiter = (struct waiter){ .timer_fd = -1 };
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGCHLD);
	if (with_command)
		sigaddset(&ours, SIGQUIT);
	/* Where it is ignored, a command leaves no status behind. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &ours, &waiter->old_mask);
	waiter->signal_fd = signalfd(-1, &ours, SFD_CLOEXEC);
	if (waiter->signal_fd >= 0)
		return 0;
	complain("cannot wait for signals: %m");
	sigprocmask(SIG_SETMASK, &waiter->old_mask, NULL);
	return EXIT_FAILED;
}

int waiter_start_timer(struct waiter *waiter, unsigned int interval_ms)
{
	struct itimerspec spec = {
		.it_interval.tv_sec = interval_ms / 1000,
		.it_interval.tv_nsec = interval_ms % 1000 * 1000000L,
	};

	spec.it_value = spec.it_interval;
	waiter->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (waiter->timer_fd >= 0 && !timerfd_settime(waiter->timer_fd, 0, &spec, NULL))
		return 0;
	complain("cannot set a timer: %m");
	waiter_stop_timer(waiter);
	return EXIT_FAILED;
}

void waiter_stop_timer(struct waiter *waiter)
{
	if (waiter->timer_fd >= 0)
		close(waiter->timer_fd);
	waiter->timer_fd = -1;
}

static bool has_exited(struct waiter *waiter)
{
	if (!waiter->pid || waitpid(waiter->pid, &waiter->status, WNOHANG) != waiter->pid)
		return false;
	waiter->pid = 0;
	return true;
}

/* Returns what it means, WAKE_INTERVAL for nothing. */
static enum wake take_signal(struct waiter *waiter)
{
	struct signalfd_siginfo info;

	if (read(waiter->signal_fd, &info, sizeof(info)) != sizeof(info)) {
		complain("cannot read a signal: %m");
		return WAKE_FAILED;
	}
	if (info.ssi_signo == SIGCHLD)
		return has_exited(waiter) ? WAKE_EXIT : WAKE_INTERVAL;
	waiter->interrupted = true;
	if (!waiter->pid)
		return WAKE_STOP;
	if (info.ssi_signo == SIGTERM)
		kill(waiter->pid, SIGTERM);
	return WAKE_INTERVAL;
}

static bool take_interval(struct waiter *waiter)
{
	uint64_t expired;

	return read(waiter->timer_fd, &expired, sizeof(expired)) == sizeof(expired);
}

enum wake waiter_wait(struct waiter *waiter)
{
	struct pollfd fds[] = {
		{ .fd = waiter->signal_fd, .events = POLLIN },
		{ .fd = waiter->timer_fd, .events = POLLIN },
	};

	for (;;) {
		enum wake wake;

		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			complain("cannot wait: %m");
			return WAKE_FAILED;
		}
		if (fds[0].revents) {
			wake = take_signal(waiter);
			if (wake != WAKE_INTERVAL)
				return wake;
		} else if (take_interval(waiter)) {
			return WAKE_INTERVAL;
		}
	}
}

void waiter_close(struct waiter *waiter)
{
	waiter_stop_timer(waiter);
	close(waiter->signal_fd);
	sigprocmask(SIG_SETMASK, &waiter->old_mask, NULL);
}
