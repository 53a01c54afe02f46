/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One request to the kernel and all of its answer. Everything that libsmimon says to the kernel
 * goes this way, so errors are looked at in this one place.
 */
#ifndef SMIMON_REQUEST_H
#define SMIMON_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct nl_msg;
struct nlmsghdr;
struct smimon;

/* Looks at one message of the answer. Returns 0, or a negative errno that the request gets. */
typedef int (*smimon_reply_fn)(const struct nlmsghdr *hdr, void *arg);

/**
 * struct smimon_request - what to ask for
 * @what: "cannot ...", for the text of an error
 * @command: SMIMON_CMD_x
 * @unsupported: what -EOPNOTSUPP means where the kernel gives no text, as before 6.2 to a dump;
 *	NULL if that the module is too old
 * @offline: likewise for -ENODEV; NULL if it always comes with a text
 * @dump: ask for a dump
 * @reply: NULL if the answer has no message but the acknowledgment
 * @arg: for @reply
 */
struct smimon_request {
	const char *what;
	const char *unsupported;
	const char *offline;
	uint8_t command;
	bool dump;
	smimon_reply_fn reply;
	void *arg;
};

/**
 * smimon_request_new() - begin a request, to which attributes can be added
 *
 * Return: the message, or NULL if there is no memory, which the context's error then says.
 */
struct nl_msg *smimon_request_new(struct smimon *ctx, const struct smimon_request *request);

/**
 * smimon_request_abort() - free a request that an attribute did not fit into
 *
 * Return: -ENOMEM, as the context's error then says.
 */
int smimon_request_abort(struct smimon *ctx, const struct smimon_request *request,
			 struct nl_msg *msg);

/**
 * smimon_request_send() - send a request and wait for all of the answer
 * @msg: freed in any case
 *
 * Return: 0 or a negative errno, which the context's error then explains: what the kernel refused
 * with, what the first reply function that failed returned, -ETIMEDOUT, -EIO.
 */
int smimon_request_send(struct smimon *ctx, const struct smimon_request *request,
			struct nl_msg *msg);

/**
 * smimon_request_simple() - all of that for a request without attributes
 */
int smimon_request_simple(struct smimon *ctx, const struct smimon_request *request);

#endif /* SMIMON_REQUEST_H */
