/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The private MSRs of the emulated machine: what really happened on a CPU, and the means to make
 * it happen. Each is per CPU unless it says otherwise; tests reach them through /dev/cpu/N/msr.
 * Nothing in the kernel module knows of them.
 */
#ifndef SMIMON_VM_TRUTH_H
#define SMIMON_VM_TRUTH_H

#define TRUTH_BASE		0x534d4900	/* "SMI" */

/* Read-only. Reads TRUTH_MAGIC: this machine is emulated, its truth is known. */
#define TRUTH_IDENT		(TRUTH_BASE + 0x0)
#define TRUTH_MAGIC		0x3168747572544d53ull

/*
 * Read-only. Unhalted core cycles since the machine was started, those in SMM included (what APERF
 * counts). Unlike APERF, neither this nor what follows restarts when the machine wakes from S3.
 */
#define TRUTH_CYCLES		(TRUTH_BASE + 0x1)
/* Read-only. Of these, the cycles spent in SMM. */
#define TRUTH_SMM_CYCLES	(TRUTH_BASE + 0x2)
/* Read-only. Of these again, the cycles that the PMU did not count since it was frozen in SMM. */
#define TRUTH_SKIPPED_CYCLES	(TRUTH_BASE + 0x3)
/* Read-only. SMIs this CPU has taken, real and injected. */
#define TRUTH_SMIS		(TRUTH_BASE + 0x4)

/* Write N: an SMI of N cycles (1 to 2^32 - 1) strikes this CPU now. Reads 0. */
#define TRUTH_INJECT		(TRUTH_BASE + 0x5)
/* Write N: an SMI of N cycles strikes all CPUs now. Reads 0. */
#define TRUTH_INJECT_ALL	(TRUTH_BASE + 0x6)
/*
 * Write (K << 32 | N): an SMI of N cycles strikes this CPU immediately before the K-th counter
 * read from now on (rdmsr of SMI_COUNT, APERF, MPERF, IRPERF or their AMD twins, a PMU counter,
 * or rdpmc; K counts from 1). K = 0 disarms. Reads what is left; 0 once it struck.
 */
#define TRUTH_INJECT_AT		(TRUTH_BASE + 0x7)
/* As TRUTH_INJECT_AT with K = 1, again and again, for the next K reads: a storm. */
#define TRUTH_STORM		(TRUTH_BASE + 0x8)

/* Machine-wide. Cycles added to each real SMI, besides those its handler executes. Reset: 0. */
#define TRUTH_REAL_SMI_CYCLES	(TRUTH_BASE + 0x9)
/*
 * Machine-wide. 1: a real SMI, which QEMU delivers to CPU 0 alone, takes all other CPUs along as
 * real machines do: each gets one of the same length as CPU 0's when that ends. Reset: 0.
 */
#define TRUTH_RENDEZVOUS	(TRUTH_BASE + 0xa)
/* (num << 32 | den): APERF advances num for each den of MPERF. Reset: 1 / 1. */
#define TRUTH_RATIO		(TRUTH_BASE + 0xb)
/* Write V: SMI_COUNT (32 bits) reads V from now on, plus what comes. To test the wrap. */
#define TRUTH_SET_SMI_COUNT	(TRUTH_BASE + 0xc)
/*
 * Write (K << 32 | N): each of the next K counter reads, as of TRUTH_INJECT_AT, takes N microseconds
 * (at most 10^7), in which the CPU does not count: as if a hypervisor had come between. Reads what
 * is left.
 */
#define TRUTH_STALL		(TRUTH_BASE + 0xd)

#endif
