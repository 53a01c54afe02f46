/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that grows. That there was no memory is kept in mind. */
#ifndef SMIMON_TEXT_H
#define SMIMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct text - what was written so far
 * @bytes: it, with a NUL at its end; NULL if there is nothing
 * @length: without the NUL
 * @room: of @bytes
 * @failed: there was no memory, and @bytes is not all of it
 */
struct text {
	char *bytes;
	size_t length;
	size_t room;
	bool failed;
};

/**
 * text_add() - write at the end, as printf()
 */
__attribute__((format(printf, 2, 3)))
void text_add(struct text *text, const char *format, ...);

#endif /* SMIMON_TEXT_H */
