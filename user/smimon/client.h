/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_CLIENT_H
#define SMIMON_CLIENT_H

struct cpuset;
struct options;
struct smimon;
struct smimon_snapshot;

/**
 * client_open() - connect to the kernel module
 *
 * Return: a context, for smimon_free(), or NULL after a line to the user.
 */
struct smimon *client_open(void);

/**
 * client_failed() - tell the user why the last request failed
 *
 * Return: EXIT_FAILED.
 */
int client_failed(const struct smimon *ctx);

/**
 * client_first_snapshot() - read the CPUs that the options ask for, each of which must be there
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int client_first_snapshot(struct smimon *ctx, const struct options *options,
			  struct smimon_snapshot *snapshot);

/**
 * client_refuse_missing() - tell the user that there are no such CPUs, if there are any
 *
 * Return: 0, or EXIT_FAILED after a line to the user.
 */
int client_refuse_missing(const struct cpuset *missing);

#endif /* SMIMON_CLIENT_H */
