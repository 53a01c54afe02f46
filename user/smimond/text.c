// SPDX-License-Identifier: GPL-2.0-only
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAST_ROOM	4096

static bool make_room(struct text *text, size_t more)
{
	size_t wanted = text->length + more + 1;
	size_t room = text->room ? text->room : LEAST_ROOM;
	char *bytes;

	if (wanted <= text->room)
		return true;
	while (room < wanted)
		room *= 2;
	bytes = realloc(text->bytes, room);
	if (!bytes) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->room = room;
	return true;
}

void text_add(struct text *text, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		text->failed = true;
	else if (make_room(text, length)) {
		vsnprintf(text->bytes + text->length, length + 1, format, again);
		text->length += length;
	}
	va_end(again);
}
