/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The generic netlink family, as Documentation/netlink/specs/smimon.yaml has it. Marshals; what
 * is asked for is decided and done below.
 */
#ifndef SMIMON_NETLINK_H
#define SMIMON_NETLINK_H

/**
 * smimon_netlink_init() - open for requests
 *
 * Return: 0 or a negative errno.
 */
int smimon_netlink_init(void);

/**
 * smimon_netlink_exit() - answer no more; returns when no request is running
 */
void smimon_netlink_exit(void);

#endif /* SMIMON_NETLINK_H */
