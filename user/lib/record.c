// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "smimon_metric.h"

#define KNOWN_COUNTERS	(SMIMON_VALID(SMIMON_COUNTERS) - 1)

int smimon_record_copy(struct smimon_record *to, const void *from, size_t len)
{
	uint32_t size;

	if (len < SMIMON_RECORD_SIZE_1)
		return -EBADMSG;
	memcpy(&size, (const char *)from + offsetof(struct smimon_record, size), sizeof(size));
	if (size < SMIMON_RECORD_SIZE_1 || size > len)
		return -EBADMSG;
	if (size > sizeof(*to))
		size = sizeof(*to);
	memset(to, 0, sizeof(*to));
	memcpy(to, from, size);
	to->size = size;
	to->valid &= KNOWN_COUNTERS;
	return 0;
}
