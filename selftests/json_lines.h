/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The JSON lines that smimon prints.
 */
#ifndef SMIMON_SELFTESTS_JSON_LINES_H
#define SMIMON_SELFTESTS_JSON_LINES_H

#include <json-c/json.h>
#include <stdbool.h>

#define JSON_LINES_MAX	256
#define JSON_TOTAL	-1

/**
 * struct json_lines - objects, one a line
 * @count: how many
 * @object: they
 */
struct json_lines {
	int count;
	struct json_object *object[JSON_LINES_MAX];
};

/* Return: whether each line of text was an object. */
bool json_lines_parse(const char *text, struct json_lines *lines);
void json_lines_free(struct json_lines *lines);

/* The n-th object about a CPU, or of the total; NULL if there is none. */
struct json_object *json_lines_cpu(const struct json_lines *lines, int cpu, int n);

/* A number; not a number (as isnan() says) if it is null, not there, or something else. */
double json_number(struct json_object *object, const char *key);

/* Whether a key is there and null. */
bool json_is_null(struct json_object *object, const char *key);

/* A text; "" if it is null, not there, or something else. */
const char *json_text(struct json_object *object, const char *key);

#endif
