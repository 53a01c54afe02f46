// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Accept header, as far as it tells two formats apart: "type/subtype; parameter=value; q=0.5,
 * ..." (RFC 9110, 12.5.1). Of equal weights the older format wins, as that of who asks for nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "exposition.h"

#define OPENMETRICS	"application/openmetrics-text"
#define SPACE		" \t"

/* A word of @length bytes without the blanks around it. */
static const char *trim(const char *word, size_t *length)
{
	size_t blank = strspn(word, SPACE);

	if (blank > *length)
		blank = *length;
	word += blank;
	*length -= blank;
	while (*length && strchr(SPACE, word[*length - 1]))
		--*length;
	return word;
}

static bool is(const char *word, size_t length, const char *what)
{
	return length == strlen(what) && !strncasecmp(word, what, length);
}

/* What does not look like a weight is none. The locale is C's, so the point is one. */
static double weight(const char *value, size_t length)
{
	char number[8], *end;
	double q;

	if (!length || length >= sizeof(number))
		return 0;
	memcpy(number, value, length);
	number[length] = '\0';
	q = strtod(number, &end);
	return *end || !(q >= 0 && q <= 1) ? 0 : q;
}

/* One range: what it weighs, and whether it is for OpenMetrics or for what we have else. */
static void take_range(const char *range, size_t length, double *openmetrics, double *text)
{
	const char *end = range + length;
	bool wants_openmetrics = false, wants_text = false, known = true;
	double q = 1;
	int n;

	for (n = 0; range < end; n++) {
		size_t part = strcspn(range, ";"), used;
		const char *word;

		if (part > (size_t)(end - range))
			part = end - range;
		used = part;
		word = trim(range, &used);
		if (!n) {
			wants_openmetrics = is(word, used, OPENMETRICS);
			wants_text = is(word, used, "text/plain") || is(word, used, "text/*") ||
				     is(word, used, "*/*");
		} else if (used >= 2 && !strncasecmp(word, "q=", 2)) {
			q = weight(word + 2, used - 2);
		} else if (wants_openmetrics && used > 8 && !strncasecmp(word, "version=", 8)) {
			known = is(word + 8, used - 8, "1.0.0") || is(word + 8, used - 8, "0.0.1");
		}
		range += part + 1;
	}
	if (wants_openmetrics && known && q > *openmetrics)
		*openmetrics = q;
	if (wants_text && q > *text)
		*text = q;
}

enum exposition_format exposition_choose(const char *accept)
{
	double openmetrics = 0, text = 0;

	while (accept && *accept) {
		size_t length = strcspn(accept, ",");

		take_range(accept, length, &openmetrics, &text);
		accept += length;
		accept += *accept == ',';
	}
	return openmetrics > text ? EXPOSITION_OPENMETRICS : EXPOSITION_TEXT;
}
