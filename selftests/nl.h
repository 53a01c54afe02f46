/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generic netlink by hand, for tests that have to send what a library would not let through and
 * to see all that comes back.
 */
#ifndef SMIMON_SELFTESTS_NL_H
#define SMIMON_SELFTESTS_NL_H

#include <linux/smimon.h>
#include <linux/smimon_record.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NL_CPUS		64

/**
 * struct nl - a socket and the family
 * @fd: the socket
 * @family: the family's number
 * @seq: of the last request
 * @extack: text of the last answer's extended acknowledgment, "" if it had none
 * @bad_attr: type of the attribute that it pointed at, 0 if it did not
 * @reply: the last reply, from its generic netlink header on
 * @reply_len: its length, 0 if there was none
 */
struct nl {
	int fd;
	uint16_t family;
	uint32_t seq;
	char extack[256];
	unsigned int bad_attr;
	unsigned char reply[32768];
	size_t reply_len;
};

/**
 * struct nl_attrs - attributes being put together
 */
struct nl_attrs {
	size_t len;
	unsigned char buf[8192];
};

void nl_put(struct nl_attrs *attrs, unsigned int type, const void *data, size_t len);
void nl_put_u32(struct nl_attrs *attrs, unsigned int type, uint32_t val);
void nl_put_string(struct nl_attrs *attrs, unsigned int type, const char *text);

/* 0, or a negative errno: -ENOENT if there is no such family. */
int nl_open(struct nl *nl);
void nl_close(struct nl *nl);

/* Send a request and wait for its end. 0 or the negative errno that it was answered with. */
int nl_do(struct nl *nl, int cmd, const struct nl_attrs *attrs);

/*
 * Dump snapshots into records, by number of the CPU; those that did not come have size 0. As
 * nl_do() otherwise.
 */
int nl_dump(struct nl *nl, const struct nl_attrs *attrs, struct smimon_record records[NL_CPUS]);

/* The same in two: have the kernel take the snapshots, and read them. */
int nl_dump_begin(struct nl *nl, const struct nl_attrs *attrs);
int nl_dump_end(struct nl *nl, const struct nl_attrs *attrs,
		struct smimon_record records[NL_CPUS]);

/*
 * Why each CPU does not have each counter, by enum smimon_counter. Return: how many CPUs came, or
 * as nl_do().
 */
int nl_caps(struct nl *nl, unsigned int reasons[NL_CPUS][SMIMON_COUNTER_DEBUGCTL + 1]);

/* A u32 attribute of the last reply. -1 if it is not there. */
int64_t nl_reply_u32(const struct nl *nl, unsigned int type);

/* Ask for a u32 attribute of a command's reply. -1 if there is none. */
int64_t nl_ask(struct nl *nl, int cmd, unsigned int type);

/*
 * Ask until it is a value, for at most a minute: what is left of processes that are gone may go a
 * little later. Return: whether it became that.
 */
bool nl_becomes(struct nl *nl, int cmd, unsigned int type, int64_t value);

/* Set the policy of the freeze. As nl_do(). */
int nl_set_policy(struct nl *nl, uint32_t policy);

/* Have the PMU count on all CPUs for as long as the socket is open. As nl_do(). */
int nl_count(struct nl *nl);

/* Snapshot one CPU. As nl_do(). */
int nl_snapshot(struct nl *nl, unsigned int cpu, struct smimon_record *rec);

#endif
