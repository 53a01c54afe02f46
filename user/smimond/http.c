// SPDX-License-Identifier: GPL-2.0-only
/*
 * libmicrohttpd without a thread of its own: its epoll descriptor is a source of the loop, and what
 * it waits for besides is a timer. A connection serves one request and is broken off after
 * CONNECTION_SECONDS, whatever it does meanwhile; a page is made once and shared by all who get it.
 */
#include "http.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-event.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define CONNECTIONS		256
#define CONNECTION_BYTES	16384
#define CONNECTION_SECONDS	10
#define USEC_PER_SECOND		UINT64_C(1000000)
#define USEC_PER_MSEC		1000

/* A client, in the order in which they came. */
struct client {
	struct client *next;
	struct client *prev;
	int fd;
	uint64_t until;
};

struct page {
	struct MHD_Response *response;
	uint64_t number;
};

struct http {
	struct MHD_Daemon *daemon;
	sd_event_source *io;
	sd_event_source *timer;
	struct http_source source;
	struct client clients;
	struct page page[EXPOSITION_FORMATS];
};

static const char front_page[] =
	"<!doctype html><html lang=en><meta charset=utf-8><title>smimond</title>\n"
	"<h1>smimond</h1>\n"
	"<p>What system management interrupts cost on this machine, and what clock its CPUs run at.\n"
	"<ul><li><a href=/metrics>/metrics</a> for Prometheus\n"
	"<li><a href=/healthz>/healthz</a> says whether all is well</ul>\n";

/* Owned by the connection, or by a page that connections share. */
static struct MHD_Response *make_response(char *bytes, size_t length, enum MHD_ResponseMemoryMode mode,
					  const char *type)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(length, bytes, mode);

	if (!response)
		return NULL;
	if (MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES &&
	    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES &&
	    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") == MHD_YES &&
	    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES)
		return response;
	MHD_destroy_response(response);
	return NULL;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned int status,
				   const char *text, const char *type)
{
	struct MHD_Response *response = make_response((char *)text, strlen(text),
						      MHD_RESPMEM_MUST_COPY, type);
	enum MHD_Result result = MHD_YES;

	if (!response)
		return MHD_NO;
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		result = MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (result == MHD_YES)
		result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static struct MHD_Response *make_page(struct http *http, enum exposition_format format)
{
	struct MHD_Response *response;
	struct text text = { 0 };

	http->source.write(http->source.arg, &text, format);
	if (text.failed || !text.bytes) {
		free(text.bytes);
		return NULL;
	}
	response = make_response(text.bytes, text.length, MHD_RESPMEM_MUST_FREE,
				 exposition_type(format));
	if (response &&
	    MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Accept") != MHD_YES) {
		MHD_destroy_response(response);
		return NULL;
	}
	return response;
}

static enum MHD_Result answer_metrics(struct http *http, struct MHD_Connection *connection)
{
	const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							 MHD_HTTP_HEADER_ACCEPT);
	enum exposition_format format = exposition_choose(accept);
	struct page *page = &http->page[format];
	uint64_t number = http->source.number(http->source.arg);

	if (!page->response || page->number != number) {
		if (page->response)
			MHD_destroy_response(page->response);
		page->response = make_page(http, format);
		page->number = number;
	}
	if (!page->response)
		return answer_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "no memory\n",
				   "text/plain");
	return MHD_queue_response(connection, MHD_HTTP_OK, page->response);
}

static enum MHD_Result answer_health(struct http *http, struct MHD_Connection *connection)
{
	const char *why = http->source.unhealthy(http->source.arg);
	char text[512];

	if (!why)
		return answer_text(connection, MHD_HTTP_OK, "ok\n", "text/plain");
	snprintf(text, sizeof(text), "%s\n", why);
	return answer_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, text, "text/plain");
}

/* Called once before a request's body, which nobody wants, and then answered at once. */
static enum MHD_Result answer(void *arg, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **request)
{
	struct http *http = arg;

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)request;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				   "only GET and HEAD\n", "text/plain");
	if (!strcmp(url, "/metrics"))
		return answer_metrics(http, connection);
	if (!strcmp(url, "/healthz"))
		return answer_health(http, connection);
	if (!strcmp(url, "/"))
		return answer_text(connection, MHD_HTTP_OK, front_page, "text/html");
	return answer_text(connection, MHD_HTTP_NOT_FOUND,
			   "there are /, /metrics and /healthz\n", "text/plain");
}

static uint64_t now_usec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * USEC_PER_SECOND + now.tv_nsec / 1000;
}

static void client_came(struct http *http, struct MHD_Connection *connection, void **context)
{
	const union MHD_ConnectionInfo *info;
	struct client *client = calloc(1, sizeof(*client));

	*context = client;
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (!client || !info)
		return;
	client->fd = info->connect_fd;
	client->until = now_usec() + CONNECTION_SECONDS * USEC_PER_SECOND;
	client->prev = http->clients.prev;
	client->next = &http->clients;
	client->prev->next = client;
	http->clients.prev = client;
}

static void client_went(void **context)
{
	struct client *client = *context;

	if (client && client->next) {
		client->prev->next = client->next;
		client->next->prev = client->prev;
	}
	free(client);
	*context = NULL;
}

static void on_connection(void *arg, struct MHD_Connection *connection, void **context,
			  enum MHD_ConnectionNotificationCode what)
{
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		client_came(arg, connection, context);
	else
		client_went(context);
}

/* The library sees the end of the connection and closes it. */
static void break_off_late_clients(struct http *http, uint64_t now)
{
	struct client *client;

	for (client = http->clients.next; client != &http->clients && client->until <= now;
	     client = client->next)
		shutdown(client->fd, SHUT_RDWR);
}

static void arm(struct http *http, uint64_t now)
{
	MHD_UNSIGNED_LONG_LONG msec;
	uint64_t next = UINT64_MAX;

	if (http->clients.next != &http->clients)
		next = http->clients.next->until;
	/* One that is late and still here is on its way. */
	if (next <= now)
		next = now + USEC_PER_SECOND;
	if (MHD_get_timeout(http->daemon, &msec) == MHD_YES &&
	    now + msec * USEC_PER_MSEC < next)
		next = now + msec * USEC_PER_MSEC;
	sd_event_source_set_time(http->timer, next);
	sd_event_source_set_enabled(http->timer, next == UINT64_MAX ? SD_EVENT_OFF :
						 SD_EVENT_ONESHOT);
}

static void serve(struct http *http)
{
	uint64_t now = now_usec();

	break_off_late_clients(http, now);
	MHD_run(http->daemon);
	arm(http, now);
}

static int on_io(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	(void)source;
	(void)fd;
	(void)events;
	serve(arg);
	return 0;
}

static int on_timer(sd_event_source *source, uint64_t usec, void *arg)
{
	(void)source;
	(void)usec;
	serve(arg);
	return 0;
}

/* What it has to say is of clients, and not for the journal. */
static void ignore_message(void *arg, const char *format, va_list args)
{
	(void)arg;
	(void)format;
	(void)args;
}

static int join_loop(struct http *http, sd_event *event)
{
	const union MHD_DaemonInfo *info;
	int err;

	info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	if (!info || info->epoll_fd < 0)
		return -EIO;
	err = sd_event_add_io(event, &http->io, info->epoll_fd, EPOLLIN, on_io, http);
	if (err < 0)
		return err;
	err = sd_event_add_time(event, &http->timer, CLOCK_MONOTONIC, 0, 0, on_timer, http);
	if (err < 0)
		return err;
	/* The sampling goes first. */
	sd_event_source_set_priority(http->io, SD_EVENT_PRIORITY_IDLE);
	sd_event_source_set_priority(http->timer, SD_EVENT_PRIORITY_IDLE);
	return 0;
}

struct http *http_open(sd_event *event, int fd, const struct http_source *source)
{
	struct http *http = calloc(1, sizeof(*http));
	int err = -ENOMEM;

	if (!http)
		goto close_fd;
	http->source = *source;
	http->clients.next = http->clients.prev = &http->clients;
	http->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, http,
					MHD_OPTION_EXTERNAL_LOGGER, ignore_message, NULL,
					MHD_OPTION_LISTEN_SOCKET, fd,
					MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
					MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
					MHD_OPTION_CONNECTION_TIMEOUT, CONNECTION_SECONDS,
					MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
					MHD_OPTION_END);
	if (!http->daemon)
		goto free_http;
	err = join_loop(http, event);
	if (!err)
		return http;
	http_close(http);
	log_line(LOG_ERR, "cannot serve: %s", strerror(-err));
	return NULL;

free_http:
	free(http);
close_fd:
	close(fd);
	log_line(LOG_ERR, "cannot serve: %s", strerror(-err));
	return NULL;
}

void http_close(struct http *http)
{
	size_t i;

	if (!http)
		return;
	sd_event_source_unref(http->io);
	sd_event_source_unref(http->timer);
	MHD_stop_daemon(http->daemon);
	for (i = 0; i < EXPOSITION_FORMATS; i++)
		if (http->page[i].response)
			MHD_destroy_response(http->page[i].response);
	free(http);
}
