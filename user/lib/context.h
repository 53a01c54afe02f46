/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_CONTEXT_H
#define SMIMON_CONTEXT_H

struct nl_sock;

/* The connection. Until the family is found it talks to the controller of families. */
struct smimon {
	struct nl_sock *sock;
	int family;
	char error[256];
};

/**
 * smimon_set_error() - keep a line of text for smimon_error()
 *
 * Return: @err.
 */
__attribute__((format(printf, 3, 4)))
int smimon_set_error(struct smimon *ctx, int err, const char *format, ...);

#endif /* SMIMON_CONTEXT_H */
