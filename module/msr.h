/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model-specific registers of the CPU this runs on. Names and fields that the kernel has are its
 * own (asm/msr-index.h); these are the rest.
 */
#ifndef SMIMON_MSR_H
#define SMIMON_MSR_H

#include <asm/msr-index.h>
#include <linux/bits.h>
#include <linux/types.h>

/*
 * Twins of MPERF and APERF that writes to 0xE7 and 0xE8 do not move, there if CPUID
 * 8000_0007 EDX[10] (AMD PPR, "Effective Frequency Read-Only Interface").
 */
#define SMIMON_MSR_AMD_MPERF_RO		0xc00000e7
#define SMIMON_MSR_AMD_APERF_RO		0xc00000e8
#define SMIMON_AMD_POWER_EFF_FREQ_RO	BIT(10)

/* IA32_PERF_CAPABILITIES.FREEZE_WHILE_SMM_IS_SUPPORTED (SDM volume 4, table 2-2). */
#define SMIMON_PERF_CAP_SMM_FREEZE	BIT_ULL(12)

/* MSR_PLATFORM_INFO.MAXIMUM_NON_TURBO_RATIO, in units of the bus clock (SDM volume 4). */
#define SMIMON_PLATFORM_INFO_RATIO	GENMASK_ULL(15, 8)

/**
 * smimon_msr_read() - read a register that is known to be there
 * @msr: its number
 *
 * Any context. The kernel logs a read that faults and takes it for 0.
 */
u64 smimon_msr_read(u32 msr);

/**
 * smimon_msr_read_safe() - read a register that may not be there
 * @msr: its number
 * @val: where to put its value
 *
 * Return: 0, or -EIO if reading it faults.
 */
int smimon_msr_read_safe(u32 msr, u64 *val);

/**
 * smimon_msr_write_safe() - write a register
 * @msr: its number
 * @val: its new value
 *
 * Return: 0, or -EIO if writing it faults.
 */
int smimon_msr_write_safe(u32 msr, u64 val);

/**
 * smimon_msr_tsc() - read the time stamp counter, not before what precedes it
 */
u64 smimon_msr_tsc(void);

#endif /* SMIMON_MSR_H */
