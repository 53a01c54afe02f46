// SPDX-License-Identifier: GPL-2.0-only
#include "workload.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

static int spawn(char **argv, const sigset_t *mask, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int err;

	err = posix_spawnattr_init(&attr);
	if (err)
		return err;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	err = posix_spawnattr_setsigmask(&attr, mask);
	if (!err)
		err = posix_spawnattr_setsigdefault(&attr, &defaults);
	if (!err)
		err = posix_spawnattr_setflags(&attr,
					       POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (!err)
		err = posix_spawnp(pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return err;
}

int workload_start(char **argv, const sigset_t *mask, pid_t *pid)
{
	int err = spawn(argv, mask, pid);

	if (!err)
		return 0;
	complain("cannot run %s: %s", argv[0], strerror(err));
	return err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

int workload_status(int status)
{
	return WIFSIGNALED(status) ? EXIT_SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}
