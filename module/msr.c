// SPDX-License-Identifier: GPL-2.0-only
#include "msr.h"

#include "compat.h"

u64 smimon_msr_read(u32 msr)
{
	u64 val;

	rdmsrq(msr, val);
	return val;
}

int smimon_msr_read_safe(u32 msr, u64 *val)
{
	return rdmsrq_safe(msr, val) ? -EIO : 0;
}

int smimon_msr_write_safe(u32 msr, u64 val)
{
	return wrmsrq_safe(msr, val) ? -EIO : 0;
}

u64 smimon_msr_tsc(void)
{
	return rdtsc_ordered();
}
