// SPDX-License-Identifier: GPL-2.0-only
#include "json_lines.h"

#include <math.h>
#include <string.h>

bool json_lines_parse(const char *text, struct json_lines *lines)
{
	struct json_tokener *tokener = json_tokener_new();
	bool good = true;
	size_t len;

	lines->count = 0;
	for (; good && *text && lines->count < JSON_LINES_MAX; text += len + 1) {
		struct json_object *object;

		len = strcspn(text, "\n");
		json_tokener_reset(tokener);
		object = json_tokener_parse_ex(tokener, text, len + 1);
		good = text[len] == '\n' && json_object_is_type(object, json_type_object);
		lines->object[lines->count++] = object;
	}
	json_tokener_free(tokener);
	return good;
}

void json_lines_free(struct json_lines *lines)
{
	while (lines->count)
		json_object_put(lines->object[--lines->count]);
}

struct json_object *json_lines_cpu(const struct json_lines *lines, int cpu, int n)
{
	struct json_object *val;
	int i;

	for (i = 0; i < lines->count; i++) {
		if (!json_object_object_get_ex(lines->object[i], "cpu", &val))
			continue;
		if ((val ? json_object_get_int(val) : JSON_TOTAL) == cpu && !n--)
			return lines->object[i];
	}
	return NULL;
}

double json_number(struct json_object *object, const char *key)
{
	struct json_object *val;

	if (!json_object_object_get_ex(object, key, &val) ||
	    (!json_object_is_type(val, json_type_int) &&
	     !json_object_is_type(val, json_type_double)))
		return NAN;
	return json_object_get_double(val);
}

bool json_is_null(struct json_object *object, const char *key)
{
	struct json_object *val;

	return json_object_object_get_ex(object, key, &val) && !val;
}

const char *json_text(struct json_object *object, const char *key)
{
	struct json_object *val;

	if (!json_object_object_get_ex(object, key, &val) ||
	    !json_object_is_type(val, json_type_string))
		return "";
	return json_object_get_string(val);
}
