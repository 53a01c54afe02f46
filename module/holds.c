// SPDX-License-Identifier: GPL-2.0-only
#include "holds.h"

#include <linux/errno.h>

static __u32 find(const struct smimon_holds *holds, __u32 portid)
{
	__u32 i;

	for (i = 0; i < holds->count; i++)
		if (holds->portid[i] == portid)
			break;
	return i;
}

int smimon_holds_has(const struct smimon_holds *holds, __u32 portid)
{
	return find(holds, portid) < holds->count;
}

int smimon_holds_add(struct smimon_holds *holds, __u32 portid)
{
	if (holds->policy == SMIMON_FREEZE_POLICY_OFF)
		return -EPERM;
	if (smimon_holds_has(holds, portid))
		return -EALREADY;
	if (holds->count == SMIMON_HOLDS_MAX)
		return -ENOSPC;
	holds->portid[holds->count++] = portid;
	return 0;
}

int smimon_holds_remove(struct smimon_holds *holds, __u32 portid)
{
	__u32 i = find(holds, portid);

	if (i == holds->count)
		return -ENOENT;
	holds->portid[i] = holds->portid[--holds->count];
	return 0;
}

int smimon_holds_set_policy(struct smimon_holds *holds, enum smimon_freeze_policy policy)
{
	if (policy == SMIMON_FREEZE_POLICY_OFF && holds->count)
		return -EBUSY;
	holds->policy = policy;
	return 0;
}

int smimon_holds_want(const struct smimon_holds *holds)
{
	return holds->policy == SMIMON_FREEZE_POLICY_ON ||
	       (holds->policy == SMIMON_FREEZE_POLICY_AUTO && holds->count);
}
