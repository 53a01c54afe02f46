// SPDX-License-Identifier: GPL-2.0-only
#include "array.h"

#include <stdlib.h>

#define FIRST_ROOM	16

void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : FIRST_ROOM;

	if (count < *room)
		return array;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}
