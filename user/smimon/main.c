// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "command.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "version.h"

static const struct command *const commands[] = {
	&command_status,
	&command_show,
	&command_stat,
	&command_freeze,
	&command_report,
};

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	complain("unknown command '%s' (see 'smimon help')", name);
	return NULL;
}

static int print_overview(void)
{
	size_t i;

	printf("Usage: smimon [OPTIONS] COMMAND [...]\n\n"
	       "Shows what system management interrupts cost and what clock a CPU really runs at.\n\n"
	       "Commands:\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-27s %s\n", commands[i]->name, commands[i]->summary);
	printf("  %-27s %s\n\nOptions:\n", "help [COMMAND]", "Print this help, or that of a command");
	options_help(NULL, stdout);
	return output_flush_stdout();
}

static int print_help(const struct command *command)
{
	printf("Usage: smimon %s %s\n\n%s.\n\nOptions:\n", command->name, command->arguments,
	       command->summary);
	options_help(command, stdout);
	if (command->notes)
		command->notes(stdout);
	return output_flush_stdout();
}

static int print_version(void)
{
	printf("smimon %s\n", SMIMON_VERSION);
	return output_flush_stdout();
}

static int run_help(char **words)
{
	const struct command *command;

	if (!words[0])
		return print_overview();
	command = find_command(words[0]);
	return command ? print_help(command) : EXIT_USAGE;
}

static int run_command(struct options *options, int argc, char **argv)
{
	const struct command *command = find_command(argv[0]);

	if (!command || options_parse(options, command, argc, argv))
		return EXIT_USAGE;
	if (options->help)
		return print_help(command);
	if (options->version)
		return print_version();
	return command->run(options);
}

/* A file or socket opened later must not become what this or a command takes for its output. */
static void occupy_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	static struct options options;
	char **words;

	occupy_standard_files();
	/* A reader that went away is told from a failed write by its error. */
	signal(SIGPIPE, SIG_IGN);
	if (options_parse(&options, NULL, argc, argv))
		return EXIT_USAGE;
	words = options.words;
	if (options.help)
		return print_overview();
	if (options.version)
		return print_version();
	if (!words[0]) {
		complain("no command (see 'smimon help')");
		return EXIT_USAGE;
	}
	if (!strcmp(words[0], "help"))
		return run_help(words + 1);
	return run_command(&options, argc - (words - argv), words);
}
