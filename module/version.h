/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_VERSION_H
#define SMIMON_VERSION_H

#define SMIMON_VERSION	"0.1"

#endif
