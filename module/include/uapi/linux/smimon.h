/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/smimon.yaml */
/* YNL-GEN uapi header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _UAPI_LINUX_SMIMON_H
#define _UAPI_LINUX_SMIMON_H

#define SMIMON_FAMILY_NAME	"smimon"
#define SMIMON_FAMILY_VERSION	1

/**
 * enum smimon_counter - What a CPU may have. The value is also the number of
 *   the bit in smimon_record.valid that says whether the field of that name
 *   holds a value.
 * @SMIMON_COUNTER_TSC: Time stamp counter.
 * @SMIMON_COUNTER_APERF: Unhalted cycles at the actual clock, SMM included
 *   (MSR 0xE8; AMD 0xC00000E8).
 * @SMIMON_COUNTER_MPERF: Unhalted cycles at the base clock, SMM included (MSR
 *   0xE7; AMD 0xC00000E7).
 * @SMIMON_COUNTER_CYCLES: Unhalted core cycles of the PMU, which
 *   FREEZE_WHILE_SMM stops in SMM. Counted while count-hold asks for it.
 * @SMIMON_COUNTER_IRPERF: Instructions retired, 48 bits (AMD, MSR 0xC00000E9).
 * @SMIMON_COUNTER_SMI_COUNT: SMIs, 32 bits: since reset (Intel, MSR 0x34), or
 *   counted by the PMU while count-hold asks for it (AMD, PMCx02B).
 * @SMIMON_COUNTER_DEBUGCTL: IA32_DEBUGCTL (MSR 0x1D9), valid where it has the
 *   FREEZE_WHILE_SMM bit.
 */
enum smimon_counter {
	SMIMON_COUNTER_TSC,
	SMIMON_COUNTER_APERF,
	SMIMON_COUNTER_MPERF,
	SMIMON_COUNTER_CYCLES,
	SMIMON_COUNTER_IRPERF,
	SMIMON_COUNTER_SMI_COUNT,
	SMIMON_COUNTER_DEBUGCTL,
};

/**
 * enum smimon_reason - Why a CPU does not have a counter.
 * @SMIMON_REASON_AVAILABLE: The CPU has it.
 * @SMIMON_REASON_NO_CPUID: CPUID does not announce it.
 * @SMIMON_REASON_UNREADABLE: Reading its MSR faults.
 * @SMIMON_REASON_STUCK: It reads, but was not seen to increment while the CPU
 *   was busy (a hypervisor?).
 * @SMIMON_REASON_VENDOR: CPUs of this vendor have none.
 * @SMIMON_REASON_ERRATUM: It is unreliable on this CPU model (AMD erratum
 *   1054).
 * @SMIMON_REASON_DISABLED: Its enable bit is clear (AMD HWCR bit 30).
 * @SMIMON_REASON_NO_PMU: The kernel has no PMU driver that counts it on this
 *   CPU.
 * @SMIMON_REASON_PMU_BUSY: perf could not give a hardware counter to it.
 * @SMIMON_REASON_NO_FREEZE_BIT: IA32_PERF_CAPABILITIES bit 12 says that
 *   FREEZE_WHILE_SMM does not exist.
 * @SMIMON_REASON_SCALED: APERF and MPERF count in units of 1024 here, core
 *   cycles do not (Xeon Phi).
 * @SMIMON_REASON_PARAVIRTUAL: MSRs of a Xen PV guest are those of whichever
 *   CPU it happens to run on.
 */
enum smimon_reason {
	SMIMON_REASON_AVAILABLE,
	SMIMON_REASON_NO_CPUID,
	SMIMON_REASON_UNREADABLE,
	SMIMON_REASON_STUCK,
	SMIMON_REASON_VENDOR,
	SMIMON_REASON_ERRATUM,
	SMIMON_REASON_DISABLED,
	SMIMON_REASON_NO_PMU,
	SMIMON_REASON_PMU_BUSY,
	SMIMON_REASON_NO_FREEZE_BIT,
	SMIMON_REASON_SCALED,
	SMIMON_REASON_PARAVIRTUAL,
};

/**
 * enum smimon_base_source - Where the base clock, which MPERF advances at
 *   while a CPU is busy, is known from.
 * @SMIMON_BASE_SOURCE_NONE: Not known.
 * @SMIMON_BASE_SOURCE_TSC: The kernel's calibrated TSC frequency.
 * @SMIMON_BASE_SOURCE_PLATFORM_INFO: Intel's base ratio (MSR 0xCE bits 15:8)
 *   times 100 MHz, as the TSC confirms to 1 %.
 */
enum smimon_base_source {
	SMIMON_BASE_SOURCE_NONE,
	SMIMON_BASE_SOURCE_TSC,
	SMIMON_BASE_SOURCE_PLATFORM_INFO,
};

/**
 * enum smimon_freeze_policy - Who decides about FREEZE_WHILE_SMM.
 * @SMIMON_FREEZE_POLICY_AUTO: smimon sees to it that the bit is set while
 *   somebody holds it.
 * @SMIMON_FREEZE_POLICY_ON: smimon sees to it that the bit is set.
 * @SMIMON_FREEZE_POLICY_OFF: smimon leaves the bit alone and refuses holds.
 */
enum smimon_freeze_policy {
	SMIMON_FREEZE_POLICY_AUTO,
	SMIMON_FREEZE_POLICY_ON,
	SMIMON_FREEZE_POLICY_OFF,
};

enum {
	SMIMON_A_CAP_COUNTER = 1,
	SMIMON_A_CAP_REASON,

	__SMIMON_A_CAP_MAX,
	SMIMON_A_CAP_MAX = (__SMIMON_A_CAP_MAX - 1)
};

enum {
	SMIMON_A_INFO_VERSION = 1,
	SMIMON_A_INFO_RECORD_SIZE,
	SMIMON_A_INFO_TSC_KHZ,
	SMIMON_A_INFO_BASE_KHZ,
	SMIMON_A_INFO_BASE_SOURCE,
	SMIMON_A_INFO_CPU,
	SMIMON_A_INFO_ISOLATED,
	SMIMON_A_INFO_CAP,
	SMIMON_A_INFO_COUNTING,

	__SMIMON_A_INFO_MAX,
	SMIMON_A_INFO_MAX = (__SMIMON_A_INFO_MAX - 1)
};

enum {
	SMIMON_A_SNAPSHOT_CPU = 1,
	SMIMON_A_SNAPSHOT_CPU_LIST,
	SMIMON_A_SNAPSHOT_ISOLATED,
	SMIMON_A_SNAPSHOT_RECORD,

	__SMIMON_A_SNAPSHOT_MAX,
	SMIMON_A_SNAPSHOT_MAX = (__SMIMON_A_SNAPSHOT_MAX - 1)
};

enum {
	SMIMON_A_FREEZE_POLICY = 1,
	SMIMON_A_FREEZE_HOLDS,
	SMIMON_A_FREEZE_ACTIVE,
	SMIMON_A_FREEZE_SUPPORTED,
	SMIMON_A_FREEZE_CHANGED,

	__SMIMON_A_FREEZE_MAX,
	SMIMON_A_FREEZE_MAX = (__SMIMON_A_FREEZE_MAX - 1)
};

enum {
	SMIMON_CMD_INFO_GET = 1,
	SMIMON_CMD_SNAPSHOT_GET,
	SMIMON_CMD_FREEZE_GET,
	SMIMON_CMD_FREEZE_SET,
	SMIMON_CMD_FREEZE_HOLD,
	SMIMON_CMD_FREEZE_RELEASE,
	SMIMON_CMD_COUNT_HOLD,

	__SMIMON_CMD_MAX,
	SMIMON_CMD_MAX = (__SMIMON_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_SMIMON_H */
