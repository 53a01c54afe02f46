// SPDX-License-Identifier: GPL-2.0-only
#include "load.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int dump(struct nl *nl)
{
	static struct smimon_record records[NL_CPUS];

	return nl_dump(nl, NULL, records);
}

static int hold_and_release(struct nl *nl)
{
	return nl_do(nl, SMIMON_CMD_FREEZE_HOLD, NULL) ||
	       nl_do(nl, SMIMON_CMD_FREEZE_RELEASE, NULL);
}

static int ask_caps(struct nl *nl)
{
	unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1];

	return nl_caps(nl, reasons) <= 0;
}

/* Holds are ended by SIGKILL, at any time. */
static int hold_and_be_killed(struct nl *nl)
{
	pid_t pid = fork();
	struct nl mine;

	(void)nl;
	if (!pid) {
		if (!nl_open(&mine))
			nl_do(&mine, SMIMON_CMD_FREEZE_HOLD, NULL);
		kill(getpid(), SIGKILL);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

pid_t load_start(int (*once)(struct nl *nl))
{
	pid_t pid = fork();
	struct nl nl;

	if (pid)
		return pid;
	if (nl_open(&nl))
		_exit(1);
	while (!once(&nl))
		;
	_exit(1);
}

bool load_stop(pid_t pid)
{
	int status;

	/* Killed, not gone by itself. */
	return pid > 0 && !kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid &&
	       WIFSIGNALED(status);
}

void loads_start(pid_t pids[LOADS])
{
	int (*const loads[LOADS])(struct nl *nl) = {
		dump, hold_and_release, ask_caps, hold_and_be_killed,
	};
	int i;

	/* What a load has forked is waited for here when the load is gone. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (i = 0; i < LOADS; i++)
		pids[i] = load_start(loads[i]);
}

bool loads_stop(const pid_t pids[LOADS])
{
	bool all = true;
	int i;

	for (i = 0; i < LOADS; i++) {
		if (load_stop(pids[i]))
			continue;
		fprintf(stderr, "# load %d failed\n", i);
		all = false;
	}
	while (wait(NULL) > 0)
		;
	return all;
}
