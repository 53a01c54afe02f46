// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http.h"
#include "log.h"

#define BACKLOG		128

static int listen_at(const struct addrinfo *at)
{
	int on = 1, fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, BACKLOG)) {
		int err = errno;

		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

/* "[::1]:9764" is cut at the last colon, and the brackets are not part of the address. */
int http_listen(const char *address)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	const char *colon = strrchr(address, ':');
	char host[128];
	size_t length = colon ? colon - address : 0;
	int err, fd;

	if (length >= 2 && address[0] == '[' && address[length - 1] == ']')
		snprintf(host, sizeof(host), "%.*s", (int)length - 2, address + 1);
	else
		snprintf(host, sizeof(host), "%.*s", (int)length, address);
	err = getaddrinfo(host, colon ? colon + 1 : NULL, &hints, &found);
	if (err) {
		log_line(LOG_ERR, "cannot listen at %s: %s", address, gai_strerror(err));
		return -1;
	}
	fd = listen_at(found);
	if (fd < 0)
		log_line(LOG_ERR, "cannot listen at %s: %m", address);
	freeaddrinfo(found);
	return fd;
}
