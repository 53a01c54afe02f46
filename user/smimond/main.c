// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdio.h>

#include "daemon.h"
#include "log.h"
#include "settings.h"
#include "version.h"

#define EXIT_FAILED	1
#define EXIT_USAGE	2

static int print_help(void)
{
	printf("Usage: smimond [OPTIONS]\n\n"
	       "Watches what SMIs cost and what clock the CPUs run at, keeps a history of it for\n"
	       "'smimon report', and serves it to Prometheus.\n\n"
	       "Options, which the file may have as 'key = value' (defaults in parentheses):\n");
	settings_help(stdout);
	return fflush(stdout) ? EXIT_FAILED : 0;
}

static int print_version(void)
{
	printf("smimond %s\n", SMIMON_VERSION);
	return fflush(stdout) ? EXIT_FAILED : 0;
}

int main(int argc, char **argv)
{
	struct invocation invocation;
	struct settings settings;

	log_open();
	/* A client that went away is no reason to die. */
	signal(SIGPIPE, SIG_IGN);
	if (settings_parse(&invocation, argc, argv))
		return EXIT_USAGE;
	if (invocation.help)
		return print_help();
	if (invocation.version)
		return print_version();
	if (settings_read(&settings, &invocation))
		return EXIT_FAILED;
	return daemon_run(&invocation, &settings) ? EXIT_FAILED : 0;
}
