/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes on beside a test: processes that do one thing over and over.
 */
#ifndef SMIMON_SELFTESTS_LOAD_H
#define SMIMON_SELFTESTS_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "nl.h"

/* Start a process that does it, with a socket of its own, until it returns other than 0. */
pid_t load_start(int (*once)(struct nl *nl));

/* Kill it. Return: whether it was still at it. */
bool load_stop(pid_t pid);

#define LOADS	4

/*
 * All that the module does, at the same time: dumps, holds that are released and holds whose
 * holder is killed, questions for what CPUs have.
 */
void loads_start(pid_t pids[LOADS]);

/* Kill them and wait for what they have started. Return: whether all were still at it. */
bool loads_stop(const pid_t pids[LOADS]);

#endif
