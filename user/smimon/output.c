// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <errno.h>

#include "message.h"

#define STDOUT_NAME	"standard output"

int output_open(struct output *output, const char *name)
{
	*output = (struct output){ .file = stdout, .name = STDOUT_NAME };
	if (!name)
		return 0;
	output->file = fopen(name, "we");
	output->name = name;
	if (output->file)
		return 0;
	complain("cannot open %s: %m", name);
	return EXIT_FAILED;
}

/* A reader that goes away has its reasons, and they are not ours to tell. */
static int fail(struct output *output)
{
	if (errno == EPIPE)
		output->failed = true;
	if (!output->failed)
		complain(errno ? "cannot write to %s: %m" : "cannot write to %s", output->name);
	output->failed = true;
	return EXIT_FAILED;
}

int output_flush(struct output *output)
{
	/* The stream remembers that an earlier write failed, but not why. */
	errno = 0;
	if (fflush(output->file) || ferror(output->file))
		return fail(output);
	return 0;
}

int output_close(struct output *output)
{
	int err = output_flush(output);

	if (output->file != stdout && fclose(output->file))
		err = fail(output);
	return err;
}

int output_flush_stdout(void)
{
	struct output output = { .file = stdout, .name = STDOUT_NAME };

	return output_flush(&output);
}
