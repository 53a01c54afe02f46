// SPDX-License-Identifier: GPL-2.0-only
/* The format that a client's Accept header asks for. */
#include "unit.h"

#include "exposition.h"

#define NONE	EXPOSITION_TEXT
#define OPEN	EXPOSITION_OPENMETRICS

static void chosen(void **state)
{
	static const struct {
		const char *accept;
		enum exposition_format format;
	} cases[] = {
		{ "", NONE },
		{ "*/*", NONE },
		{ "text/html", NONE },
		{ "text/plain", NONE },
		{ "application/openmetrics-text", OPEN },
		{ "Application/OpenMetrics-Text", OPEN },
		{ "application/openmetrics-text;version=1.0.0", OPEN },
		{ "application/openmetrics-text; version=0.0.1; charset=utf-8", OPEN },
		/* One that we do not have. */
		{ "application/openmetrics-text; version=2.0.0", NONE },
		{ "application/openmetrics-text;version=2.0.0,application/openmetrics-text;version=1.0.0",
		  OPEN },
		/* Weights. */
		{ "application/openmetrics-text;q=0.5,text/plain;q=0.4", OPEN },
		{ "application/openmetrics-text;q=0.5,text/plain;q=0.6", NONE },
		{ "text/plain;q=0.5, \tapplication/openmetrics-text ; q=0.7", OPEN },
		{ "application/openmetrics-text;q=0.5,*/*;q=0.5", NONE },
		{ "application/openmetrics-text;q=0.5,text/*;q=0.9", NONE },
		{ "application/openmetrics-text;q=0", NONE },
		{ "application/openmetrics-text;q=0.000,text/plain;q=0", NONE },
		/* What Prometheus 2.53 sends. */
		{ "application/openmetrics-text;version=1.0.0;q=0.5,"
		  "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,"
		  "*/*;q=0.2", OPEN },
		/* Not as they should be. */
		{ "application/openmetrics-text;q=", NONE },
		{ "application/openmetrics-text;q=2", NONE },
		{ "application/openmetrics-text;q=-1", NONE },
		{ "application/openmetrics-text;q=nan", NONE },
		{ "application/openmetrics-text;q=0.5.5", NONE },
		{ "application/openmetrics-text;q=0.000000001", NONE },
		{ "application/openmetrics-textual", NONE },
		{ "application/openmetrics", NONE },
		{ ",;,;;q=1,;=,", NONE },
		{ ";application/openmetrics-text", NONE },
		{ " ,, application/openmetrics-text;;; ,", OPEN },
	};
	size_t i;

	assert_int_equal(exposition_choose(NULL), NONE);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_case(cases[i].accept, exposition_choose(cases[i].accept), cases[i].format);
}

static void types(void **state)
{
	assert_string_equal(exposition_type(NONE), "text/plain; version=0.0.4; charset=utf-8");
	assert_string_equal(exposition_type(OPEN),
			    "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chosen),
		cmocka_unit_test(types),
	};

	return cmocka_run_group_tests_name("accept", tests, NULL, NULL);
}
