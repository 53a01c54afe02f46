/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stands in for the kernel and its module behind a generic netlink socket: what is linked with
 * this, or has it preloaded, sends its requests here. All other sockets are left alone.
 */
#ifndef SMIMON_FAKE_KERNEL_H
#define SMIMON_FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "smimon.h"

/* More than a scenario has. */
#define FAKE_CPUS	64

/**
 * struct fake_refusal - one request that is not granted
 * @command: SMIMON_CMD_x; 0 for none
 * @after: grant so many of these before
 * @err: positive errno
 * @text: the kernel's words, or NULL
 * @at_end: only at the end of the dump that it asks for
 * @whole: send the whole request back, as if nobody had asked to cap it
 */
struct fake_refusal {
	uint8_t command;
	unsigned int after;
	int err;
	const char *text;
	bool at_end;
	bool whole;
};

/* What else can go wrong with an answer. */
enum fake_fault {
	FAKE_SOUND,
	FAKE_SILENT,		/* there is none */
	FAKE_STALE,		/* before it, that to an earlier request */
	FAKE_INTERRUPTED,	/* what is dumped changed meanwhile */
	FAKE_EMPTY,		/* its messages have no attribute */
	FAKE_SHORT_ATTR,	/* its first attribute has a byte only */
	FAKE_NO_HEADER,		/* its messages have no generic netlink header */
	FAKE_CANNOT_SEND,
};

/**
 * struct fake_kernel - what there is
 * @name: by which fake_preload.c knows it
 * @absent: the module is not loaded
 * @family_version: of the interface
 * @record_size: of the records
 * @base_khz: the base clock
 * @caps: what the CPUs have
 * @cpus: how many of these
 * @snapshot: fills in the CPUs of the n-th snapshot, returns how many
 * @refusal: what is refused
 * @fault: what the answers to smimon's requests suffer from
 */
struct fake_kernel {
	const char *name;
	bool absent;
	uint32_t family_version;
	uint32_t record_size;
	uint32_t base_khz;
	const struct smimon_caps *caps;
	size_t cpus;
	size_t (*snapshot)(unsigned int n, struct smimon_record *record);
	struct fake_refusal refusal;
	enum fake_fault fault;
};

/**
 * struct fake_state - what has happened
 * @requests: how many of each command
 * @flags: of the last request's header
 * @policy: of the freeze
 * @held: the freeze is held
 * @counting: the PMU is asked to count
 * @cpu_list: of the last request that may have one, "" without
 * @isolated: isolated CPUs were asked for then
 */
struct fake_state {
	unsigned int requests[SMIMON_CMD_MAX + 1];
	uint16_t flags;
	uint32_t policy;
	bool held;
	bool counting;
	char cpu_list[SMIMON_CPU_LIST_MAX + 1];
	bool isolated;
};

/* Set before the first request. */
extern struct fake_kernel fake_kernel;
extern struct fake_state fake_state;

#endif /* SMIMON_FAKE_KERNEL_H */
