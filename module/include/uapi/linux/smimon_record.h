/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * One snapshot of one CPU, in raw register values: whatever a tool shows can be computed from two
 * of these again at any time.
 *
 * The layout is for ever. Fields are appended, never moved, removed or given another meaning;
 * 64-bit fields are 8-byte aligned and there is no padding. A reader takes the shorter of the size
 * it knows and smimon_record.size, and treats fields beyond as not valid.
 */
#ifndef _UAPI_LINUX_SMIMON_RECORD_H
#define _UAPI_LINUX_SMIMON_RECORD_H

#include <linux/types.h>

/* FREEZE_WHILE_SMM was set when the counters had been read. */
#define SMIMON_RECORD_FREEZE_ON		0x1
/* The module wants FREEZE_WHILE_SMM to be set, and somebody else has cleared it. */
#define SMIMON_RECORD_FREEZE_LOST	0x2
/*
 * Each try to read the counters was disturbed, by an SMI (SMI_COUNT moved meanwhile) or by
 * something else that made it too long. The fields are those of the last try: true each, but not
 * of one instant, so no cost can be computed from the difference of two of them.
 */
#define SMIMON_RECORD_TORN		0x4
/* Cycles were to be counted on this CPU, and perf had no counter for them just now. */
#define SMIMON_RECORD_CYCLES_LOST	0x8
/* The CPU is isolated (isolcpus=, nohz_full=). */
#define SMIMON_RECORD_ISOLATED		0x10

/**
 * struct smimon_record - the counters of one CPU at one instant
 * @size: size of this structure in bytes as the kernel module knows it
 * @cpu: number of the CPU
 * @valid: bit SMIMON_COUNTER_x says that the field of that name holds a value
 * @flags: SMIMON_RECORD_x
 * @epoch: names the baseline of all counters: two records make a difference only if theirs are
 *	equal. It changes when the CPU comes online, from before suspend until after it, when a
 *	counter went backwards, and when the PMU's counters are other ones than before.
 *	CLOCK_BOOTTIME in ns of when it began, hence unique and growing.
 * @freeze_epoch: likewise names the time for which FREEZE_WHILE_SMM was seen unchanged: two
 *	records make a cost only if theirs are equal
 * @time_ns: CLOCK_BOOTTIME in ns
 * @tsc: time stamp counter, 64 bits
 * @aperf: cycles not halted at the actual clock, in SMM too, 64 bits
 * @mperf: cycles not halted at the base clock, in SMM too, 64 bits
 * @cycles: core cycles not halted as the PMU counts them while SMIMON_CMD_COUNT_HOLD asks, from
 *	an arbitrary start, 64 bits; without those in SMM where FREEZE_WHILE_SMM is set
 * @irperf: instructions retired, modulo 2^48; not valid while HWCR has it switched off
 * @smi_count: SMIs since reset, modulo 2^32; on AMD as the PMU counts them, from an arbitrary
 *	start, while SMIMON_CMD_COUNT_HOLD asks
 * @debugctl: IA32_DEBUGCTL, read after the counters
 * @window: TSC ticks from before the first counter's reading to after the last's
 */
struct smimon_record {
	__u32	size;
	__u32	cpu;
	__u32	valid;
	__u32	flags;
	__u64	epoch;
	__u64	freeze_epoch;
	__u64	time_ns;
	__u64	tsc;
	__u64	aperf;
	__u64	mperf;
	__u64	cycles;
	__u64	irperf;
	__u64	smi_count;
	__u64	debugctl;
	__u64	window;
};

/* The size of the first version, which every module fills at least. */
#define SMIMON_RECORD_SIZE_1		104

#endif /* _UAPI_LINUX_SMIMON_RECORD_H */
