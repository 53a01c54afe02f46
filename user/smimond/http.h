/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's pages over HTTP, served from its own loop. A client can be slow, huge or hostile: it
 * has so much memory and so much time, then it is gone.
 */
#ifndef SMIMON_HTTP_H
#define SMIMON_HTTP_H

#include <stdint.h>

#include "exposition.h"
#include "text.h"

struct http;
struct sd_event;

/**
 * struct http_source - where the pages come from
 * @write: writes the metrics' page
 * @number: of the page; it is written once for each format, until this changes
 * @unhealthy: why not all is well, NULL if it is
 * @arg: for these
 */
struct http_source {
	void (*write)(void *arg, struct text *text, enum exposition_format format);
	uint64_t (*number)(void *arg);
	const char *(*unhealthy)(void *arg);
	void *arg;
};

/**
 * http_listen() - make a socket that listens
 * @address: address and port, "127.0.0.1:9764" or "[::1]:9764"
 *
 * Return: the socket, or -1 after a line to the user.
 */
int http_listen(const char *address);

/**
 * http_open() - begin to serve
 * @event: the loop
 * @fd: a socket that listens, which is http_close()'s from now on, also after an error
 * @source: copied
 *
 * Return: NULL after a line to the user.
 */
struct http *http_open(struct sd_event *event, int fd, const struct http_source *source);

/**
 * http_close() - break off all connections
 * @http: may be NULL
 */
void http_close(struct http *http);

#endif /* SMIMON_HTTP_H */
