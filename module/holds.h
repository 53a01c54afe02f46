/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who holds the freeze, and what follows from that and the policy. No kernel interface is used
 * here, so that it can be tested outside of one. The caller serialises.
 */
#ifndef SMIMON_HOLDS_H
#define SMIMON_HOLDS_H

#include <linux/smimon.h>
#include <linux/types.h>

/* Bounds the memory and the look-ups that root can ask for. */
#define SMIMON_HOLDS_MAX	1024

/**
 * struct smimon_holds - the holders and the policy
 * @policy: the policy
 * @count: how many hold
 * @portid: the sockets that do, in no order
 */
struct smimon_holds {
	enum smimon_freeze_policy policy;
	__u32 count;
	__u32 portid[SMIMON_HOLDS_MAX];
};

/**
 * smimon_holds_add() - a socket begins to hold
 * @holds: the holders
 * @portid: the socket's port id
 *
 * Return: 0; -EPERM under the policy "off", -EALREADY if it holds, -ENOSPC if too many do.
 */
int smimon_holds_add(struct smimon_holds *holds, __u32 portid);

/**
 * smimon_holds_remove() - a socket ceases to hold
 * @holds: the holders
 * @portid: the socket's port id
 *
 * Return: 0; -ENOENT if it did not hold.
 */
int smimon_holds_remove(struct smimon_holds *holds, __u32 portid);

/**
 * smimon_holds_has() - whether a socket holds
 * @holds: the holders
 * @portid: the socket's port id
 *
 * Return: 1 or 0.
 */
int smimon_holds_has(const struct smimon_holds *holds, __u32 portid);

/**
 * smimon_holds_set_policy() - set the policy
 * @holds: the holders
 * @policy: the new policy
 *
 * Return: 0; -EBUSY for "off" while somebody holds.
 */
int smimon_holds_set_policy(struct smimon_holds *holds, enum smimon_freeze_policy policy);

/**
 * smimon_holds_want() - whether the freeze bit is to be set
 * @holds: the holders
 *
 * Return: 1 or 0.
 */
int smimon_holds_want(const struct smimon_holds *holds);

#endif /* SMIMON_HOLDS_H */
