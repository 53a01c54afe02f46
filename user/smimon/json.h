/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of JSON. A failed allocation would look like a null, so it is kept in mind and refuses the
 * line; keys are constants.
 */
#ifndef SMIMON_JSON_H
#define SMIMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

/**
 * struct json_line - an object to print
 * @top: it
 * @failed: something is missing in it
 */
struct json_line {
	struct json_object *top;
	bool failed;
};

void json_begin(struct json_line *line);

/* To the object or the array @to, whose @key then is NULL. */
struct json_object *json_add_object(struct json_line *line, struct json_object *to,
				    const char *key);
struct json_object *json_add_array(struct json_line *line, struct json_object *to,
				   const char *key);
void json_add_null(struct json_line *line, struct json_object *to, const char *key);
void json_add_bool(struct json_line *line, struct json_object *to, const char *key, bool value);
void json_add_count(struct json_line *line, struct json_object *to, const char *key,
		    uint64_t value);
/* Not a NaN or an infinity, which JSON does not have. */
void json_add_real(struct json_line *line, struct json_object *to, const char *key, double value);
/* NULL gives a null. */
void json_add_string(struct json_line *line, struct json_object *to, const char *key,
		     const char *value);

/**
 * json_end() - print the line and free the object
 *
 * Return: 0, or EXIT_FAILED after a line to the user; write errors show in the stream.
 */
int json_end(struct json_line *line, FILE *out);

#endif /* SMIMON_JSON_H */
