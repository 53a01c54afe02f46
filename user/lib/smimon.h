/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libsmimon: what system management interrupts (SMIs) cost and what clock a CPU really runs at.
 * This asks the kernel module; smimon_metric.h, which comes with it, makes something of the answer.
 *
 * A function that can fail returns 0 or a negative errno, after which smimon_error() has one line
 * of text for the user. A context is used by one thread at a time; contexts share nothing. After
 * -ENOBUFS, which says that the kernel could not put an answer into the socket's buffer, the
 * context is good to ask again, and what it holds it still holds.
 */
#ifndef SMIMON_H
#define SMIMON_H

#include <linux/smimon.h>
#include <linux/smimon_record.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "smimon_metric.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest list of CPUs that a request can carry, in bytes without the NUL. */
#define SMIMON_CPU_LIST_MAX	4096

struct smimon;

/**
 * smimon_new() - make a context that is not connected yet
 *
 * Return: the context, for smimon_free(), or NULL if there is no memory.
 */
struct smimon *smimon_new(void);

/**
 * smimon_connect() - find the kernel module; once for each context
 *
 * Return: 0, -ENOENT if the module is not there, -EPROTO if it is too old, or what the socket said.
 */
int smimon_connect(struct smimon *ctx);

/**
 * smimon_free() - close the connection, which gives up the freeze held on it, and the context
 * @ctx: may be NULL
 */
void smimon_free(struct smimon *ctx);

/**
 * smimon_error() - why the last function on this context failed
 *
 * Return: one line without its end, the kernel's own words if it gave any. Owned by the context
 * and good until its next use.
 */
const char *smimon_error(const struct smimon *ctx);

/**
 * struct smimon_info - the module as a whole
 * @version: its version
 * @record_size: bytes of struct smimon_record that it fills
 * @tsc_khz: the TSC's frequency in kHz
 * @base_khz: the clock that MPERF advances at while a CPU is busy, in kHz; 0 if it is not known
 * @base_source: where @base_khz is from; may be one that this library does not know
 * @counting: how many contexts have the PMU count
 */
struct smimon_info {
	char version[64];
	uint32_t record_size;
	uint32_t tsc_khz;
	uint32_t base_khz;
	uint32_t base_source;
	uint32_t counting;
};

/**
 * smimon_get_info() - ask what the module is
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN, -EPROTO if the module is too old.
 */
int smimon_get_info(struct smimon *ctx, struct smimon_info *info);

/* What smimon_caps.reason holds where the module said nothing about a counter. */
#define SMIMON_REASON_UNTOLD	UINT32_MAX

/**
 * struct smimon_caps - what one online CPU has
 * @cpu: its number
 * @isolated: it is isolated, hence read only where it is named or isolated CPUs are asked for
 * @reason: by enum smimon_counter, why the CPU does not have it; may be one that this library
 *	does not know
 */
struct smimon_caps {
	uint32_t cpu;
	bool isolated;
	uint32_t reason[SMIMON_COUNTERS];
};

/**
 * smimon_get_caps() - ask what each online CPU has
 * @caps: set to an array, for free()
 * @count: set to the number of its elements
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN, -ENOMEM.
 */
int smimon_get_caps(struct smimon *ctx, struct smimon_caps **caps, size_t *count);

/**
 * struct smimon_snapshot - the counters of some CPUs at one instant
 * @record: in the order of CPU numbers
 * @count: how many there are
 * @room: how many @record has memory for
 *
 * Starts zeroed. Used again it keeps its memory, so that taking the same CPUs does not allocate.
 */
struct smimon_snapshot {
	struct smimon_record *record;
	size_t count;
	size_t room;
};

/**
 * smimon_take_snapshot() - read the counters of all or of some CPUs at one instant
 * @cpu_list: such as "0-3,7", at most SMIMON_CPU_LIST_MAX bytes; those offline are left out.
 *	NULL means all that are online.
 * @isolated: without @cpu_list, take isolated CPUs as well
 * @snapshot: filled; empty after an error
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN, -ENODEV if no CPU of the list is online, -EOPNOTSUPP
 * where none has any counter, -EINVAL for a bad list, -ENOMEM.
 */
int smimon_take_snapshot(struct smimon *ctx, const char *cpu_list, bool isolated,
			 struct smimon_snapshot *snapshot);

/**
 * smimon_hold_counters() - have the PMU count cycles, and SMIs on AMD, until smimon_free() or the
 * end of the process, whichever way it ends. Costs, and SMIs on AMD, need that from the first
 * snapshot on.
 * @cpu_list: as of smimon_take_snapshot(); those that come online later are counted too
 * @isolated: likewise
 *
 * Takes a hardware counter of each CPU, on AMD two. In place of what this context asked for before.
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN, -ENOSPC if too many ask, -EINVAL for a bad list, -ENOMEM.
 */
int smimon_hold_counters(struct smimon *ctx, const char *cpu_list, bool isolated);

/**
 * smimon_take_record() - read the counters of one CPU
 *
 * Return: as smimon_take_snapshot(), -ENODEV if the CPU is offline.
 */
int smimon_take_record(struct smimon *ctx, uint32_t cpu, struct smimon_record *record);

/**
 * smimon_snapshot_find() - the record of a CPU
 *
 * Return: the record, owned by @snapshot, or NULL.
 */
const struct smimon_record *smimon_snapshot_find(const struct smimon_snapshot *snapshot,
						 uint32_t cpu);

/**
 * smimon_deltas() - what happened between two snapshots on each CPU that is in either
 * @delta: filled in the order of CPU numbers; has room for @from->count + @to->count
 * @from: the earlier
 * @to: the later
 * @base_khz: as in struct smimon_info
 *
 * Return: how many CPUs that are.
 */
size_t smimon_deltas(struct smimon_delta *delta, const struct smimon_snapshot *from,
		     const struct smimon_snapshot *to, uint32_t base_khz);

/**
 * smimon_snapshot_clear() - free the memory of a snapshot, which may be used again
 */
void smimon_snapshot_clear(struct smimon_snapshot *snapshot);

/**
 * struct smimon_freeze - the state of FREEZE_WHILE_SMM
 * @policy: enum smimon_freeze_policy; may be one that this library does not know
 * @holds: how many contexts hold the freeze
 * @active: the module wants the bit to be set
 * @supported: how many online CPUs have the bit
 * @changed: how many online CPUs have it set by the module, which clears it again
 */
struct smimon_freeze {
	uint32_t policy;
	uint32_t holds;
	bool active;
	uint32_t supported;
	uint32_t changed;
};

/**
 * smimon_get_freeze() - ask for the state of the freeze
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN.
 */
int smimon_get_freeze(struct smimon *ctx, struct smimon_freeze *freeze);

/**
 * smimon_set_freeze() - set the policy
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN and CAP_SYS_RAWIO, -EBUSY for "off" while it is held.
 */
int smimon_set_freeze(struct smimon *ctx, enum smimon_freeze_policy policy);

/**
 * smimon_hold_freeze() - hold the freeze until smimon_release_freeze(), smimon_free() or the end
 * of the process, whichever way it ends; the connection is not inherited over exec
 *
 * Return: 0, -EPERM without CAP_NET_ADMIN and CAP_SYS_RAWIO or under the policy "off", -EOPNOTSUPP
 * where no CPU has the bit, -EALREADY if this context holds it.
 */
int smimon_hold_freeze(struct smimon *ctx);

/**
 * smimon_release_freeze() - give up the hold of this context
 *
 * Return: 0, -ENOENT if it has none.
 */
int smimon_release_freeze(struct smimon *ctx);

/**
 * smimon_counter_name() - the name of a counter's field in struct smimon_record
 *
 * Return: a constant; NULL for a counter that this library does not know.
 */
const char *smimon_counter_name(uint32_t counter);

/**
 * smimon_reason_text() - enum smimon_reason in words
 *
 * Return: a constant, also for one that this library does not know.
 */
const char *smimon_reason_text(uint32_t reason);

/**
 * smimon_base_source_text() - enum smimon_base_source in words
 *
 * Return: a constant, also for one that this library does not know.
 */
const char *smimon_base_source_text(uint32_t source);

/**
 * smimon_policy_name() - the name of enum smimon_freeze_policy
 *
 * Return: a constant; "unknown" for one that this library does not know.
 */
const char *smimon_policy_name(uint32_t policy);

/**
 * smimon_policy_parse() - the policy of that name
 *
 * Return: 0, or -EINVAL if none is named so.
 */
int smimon_policy_parse(const char *name, enum smimon_freeze_policy *policy);

#ifdef __cplusplus
}
#endif

#endif /* SMIMON_H */
