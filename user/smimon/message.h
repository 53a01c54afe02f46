/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SMIMON_MESSAGE_H
#define SMIMON_MESSAGE_H

/* What a command returns to its caller, besides 0 and the status of a command that it ran. */
#define EXIT_FAILED	1
#define EXIT_USAGE	2

/**
 * complain() - tell the user in one line on stderr what went wrong and what to do
 */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

#endif /* SMIMON_MESSAGE_H */
