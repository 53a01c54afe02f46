/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that smimon builds for. Feature tests only: distributions
 * backport, so a version number says little about an interface.
 */
#ifndef SMIMON_COMPAT_H
#define SMIMON_COMPAT_H

#include <asm/msr.h>
#include <asm/tsc.h>		/* rdtsc_ordered() has moved here from asm/msr.h */

#ifndef rdmsrq			/* the names before rdmsrl() and its kin were renamed */
#define rdmsrq(msr, val)	rdmsrl(msr, val)
#define rdmsrq_safe(msr, p)	rdmsrl_safe(msr, p)
#define wrmsrq_safe(msr, val)	wrmsrl_safe(msr, val)
#endif

#endif /* SMIMON_COMPAT_H */
