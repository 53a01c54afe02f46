// SPDX-License-Identifier: GPL-2.0-only
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char *format, ...)
{
	va_list args;

	fputs("smimon: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
