/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_ARRAY_H
#define SMIMON_ARRAY_H

#include <stddef.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * array_grow() - see to it that an array has room for one more element
 * @array: from malloc() or NULL; stays as it is if there is no memory
 * @count: how many elements it has
 * @room: how many it has memory for; is updated
 * @size: of an element
 *
 * Return: the array, which may have moved, or NULL.
 */
void *array_grow(void *array, size_t count, size_t *room, size_t size);

#endif /* SMIMON_ARRAY_H */
