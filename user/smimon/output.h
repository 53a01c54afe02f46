/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a report goes. That something could not be written never goes by unnoticed. */
#ifndef SMIMON_OUTPUT_H
#define SMIMON_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct output - where to print
 * @file: to print to
 * @name: for messages
 * @failed: the user knows that not all could be written
 */
struct output {
	FILE *file;
	const char *name;
	bool failed;
};

/**
 * output_open() - make ready to print
 * @name: of a file, which is emptied; NULL for standard output
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int output_open(struct output *output, const char *name);

/**
 * output_flush() - see to it that what was printed is written
 *
 * Return: 0, or EXIT_FAILED after a line to the user, without one if a pipe's reader went away.
 */
int output_flush(struct output *output);

/**
 * output_close() - the same, and close it
 */
int output_close(struct output *output);

/**
 * output_flush_stdout() - the same for what was printed to standard output
 */
int output_flush_stdout(void);

#endif /* SMIMON_OUTPUT_H */
