/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the freeze, which two commands show. */
#ifndef SMIMON_STATE_H
#define SMIMON_STATE_H

struct json_line;
struct json_object;
struct smimon_freeze;

/* The width of the names that values are printed behind. */
#define STATE_NAME_WIDTH	18

/**
 * state_add_freeze() - add its keys to an object
 */
void state_add_freeze(struct json_line *line, struct json_object *to,
		      const struct smimon_freeze *freeze);

/**
 * state_print_freeze() - print it to standard output
 */
void state_print_freeze(const struct smimon_freeze *freeze);

#endif /* SMIMON_STATE_H */
