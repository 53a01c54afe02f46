// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <json-c/json.h>

#include "message.h"

#define NEW_KEY	(JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY)

static void add(struct json_line *line, struct json_object *to, const char *key,
		struct json_object *value, bool null)
{
	int err = -1;

	if (to && (value || null))
		err = key ? json_object_object_add_ex(to, key, value, NEW_KEY) :
			    json_object_array_add(to, value);
	if (err) {
		json_object_put(value);
		line->failed = true;
	}
}

void json_begin(struct json_line *line)
{
	line->top = json_object_new_object();
	line->failed = !line->top;
}

/* After a failed allocation @to is NULL, which the line knows already. */
static struct json_object *add_container(struct json_line *line, struct json_object *to,
					 const char *key, struct json_object *container)
{
	add(line, to, key, container, false);
	return line->failed ? NULL : container;
}

struct json_object *json_add_object(struct json_line *line, struct json_object *to,
				    const char *key)
{
	return add_container(line, to, key, json_object_new_object());
}

struct json_object *json_add_array(struct json_line *line, struct json_object *to,
				   const char *key)
{
	return add_container(line, to, key, json_object_new_array());
}

void json_add_null(struct json_line *line, struct json_object *to, const char *key)
{
	add(line, to, key, NULL, true);
}

void json_add_bool(struct json_line *line, struct json_object *to, const char *key, bool value)
{
	add(line, to, key, json_object_new_boolean(value), false);
}

void json_add_count(struct json_line *line, struct json_object *to, const char *key,
		    uint64_t value)
{
	add(line, to, key, json_object_new_uint64(value), false);
}

void json_add_real(struct json_line *line, struct json_object *to, const char *key, double value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.10g", value);
	add(line, to, key, json_object_new_double_s(value, digits), false);
}

void json_add_string(struct json_line *line, struct json_object *to, const char *key,
		     const char *value)
{
	if (value)
		add(line, to, key, json_object_new_string(value), false);
	else
		json_add_null(line, to, key);
}

int json_end(struct json_line *line, FILE *out)
{
	const char *text = NULL;

	if (!line->failed)
		text = json_object_to_json_string_ext(line->top, JSON_C_TO_STRING_PLAIN |
						      JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		fprintf(out, "%s\n", text);
	else
		complain("no memory for a line of JSON");
	json_object_put(line->top);
	return text ? 0 : EXIT_FAILED;
}
