// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines, the exit status of each and what its line on stderr says. The machine has no
 * smimon module, which is what the right ones end with.
 */
#include "unit.h"

#include <string.h>

#include "run.h"

#define NO_MODULE	"modprobe smimon"

static const struct {
	const char *command;
	int status;
	const char *says;
} lines[] = {
	{ "smimon", 2, "no command" },
	{ "smimon stats", 2, "'stats'" },
	{ "smimon ''", 2, "''" },
	{ "smimon -Z stat", 2, "'-Z'" },
	{ "smimon --nope stat", 2, "'--nope'" },
	{ "smimon -I 100 stat", 2, "'-I'" },
	{ "smimon help stats", 2, "'stats'" },
	{ "smimon -C", 2, "'-C' needs a value" },
	{ "smimon -j", 2, "no command" },

	{ "smimon status", 1, NO_MODULE },
	{ "smimon -j status", 1, NO_MODULE },
	{ "smimon status --json", 1, NO_MODULE },
	{ "smimon --cpu 0-3,7 status", 1, NO_MODULE },
	{ "smimon --cpu=0-3,7 status", 1, NO_MODULE },
	{ "smimon status now", 2, "'now'" },
	{ "smimon status --isolated", 2, "'--isolated'" },
	{ "smimon status -A", 2, "'-A'" },
	{ "smimon status -C 1-", 2, "'1-'" },
	{ "smimon status -C 0,8192", 2, "'0,8192'" },

	{ "smimon show", 1, NO_MODULE },
	{ "smimon show -jC0", 1, NO_MODULE },
	{ "smimon show --isolated", 1, NO_MODULE },
	{ "smimon show -jQ", 2, "'-Q'" },
	{ "smimon show --json=yes", 2, "'--json=yes' takes no value" },
	{ "smimon show -C ''", 2, "''" },
	{ "smimon show -C 3-1", 2, "'3-1'" },

	{ "smimon stat", 1, NO_MODULE },
	{ "smimon stat true", 1, NO_MODULE },
	{ "smimon stat -- true", 1, NO_MODULE },
	{ "smimon stat -I 100 --interval-count 3 -A -C 0 --isolated --no-metric-only", 1,
	  NO_MODULE },
	{ "smimon stat -r 3 true -Z", 1, NO_MODULE },
	{ "smimon stat -x ';' -o /dev/null true", 1, NO_MODULE },
	{ "smimon stat -I", 2, "'-I' needs a value" },
	{ "smimon stat --interval-print", 2, "'--interval-print' needs a value" },
	{ "smimon stat -I ''", 2, "''" },
	{ "smimon stat -I 0", 2, "1 to 86400000" },
	{ "smimon stat -I 86400001", 2, "1 to 86400000" },
	{ "smimon stat -I 86400000", 1, NO_MODULE },
	{ "smimon stat -I 18446744073709551617", 2, "1 to 86400000" },
	{ "smimon stat -I -5", 2, "'-5'" },
	{ "smimon stat -I +5", 2, "'+5'" },
	{ "smimon stat -I 0x10", 2, "'0x10'" },
	{ "smimon stat -I 1e3", 2, "'1e3'" },
	{ "smimon stat -I ' 5'", 2, "' 5'" },
	{ "smimon stat -I 5s", 2, "'5s'" },
	{ "smimon stat --interval-count 3", 2, "--interval-count is for -I" },
	{ "smimon stat -I 9 --interval-count 0", 2, "1 to 1000000000" },
	{ "smimon stat -I 9 --interval-count 1000000001", 2, "1 to 1000000000" },
	{ "smimon stat -r 0 true", 2, "1 to 10000" },
	{ "smimon stat -r 10001 true", 2, "1 to 10000" },
	{ "smimon stat -r 3", 2, "-r needs a command" },
	{ "smimon stat -r 3 -I 10 true", 2, "-r and -I" },
	{ "smimon stat -r 3 -A true", 2, "-r and -A" },
	{ "smimon stat -r 3 -A -j true", 1, NO_MODULE },
	{ "smimon stat -x , -j", 2, "-j and -x" },
	{ "smimon stat -x ''", 2, "--field-separator" },
	{ "smimon stat -x .", 2, "'.'" },
	{ "smimon stat -x -", 2, "'-'" },
	{ "smimon stat -x e", 2, "'e'" },
	{ "smimon stat -x 1", 2, "'1'" },
	{ "smimon stat -o ''", 2, "--output" },
	{ "smimon stat --interval", 2, "'--interval'" },
	{ "smimon stat --per", 1, NO_MODULE },

	{ "smimon freeze", 1, NO_MODULE },
	{ "smimon freeze auto", 1, NO_MODULE },
	{ "smimon freeze on", 1, NO_MODULE },
	{ "smimon freeze off", 1, NO_MODULE },
	{ "smimon freeze hold true", 1, NO_MODULE },
	{ "smimon freeze hold -- true", 1, NO_MODULE },
	{ "smimon freeze hold", 2, "needs a command" },
	{ "smimon freeze hold --", 2, "needs a command" },
	{ "smimon freeze hold -Z true", 2, "'-Z'" },
	{ "smimon freeze maybe", 2, "'maybe'" },
	{ "smimon freeze on off", 2, "'off'" },
	{ "smimon freeze -C 0", 2, "'-C'" },
	{ "smimon -C 0 freeze", 2, "'-C'" },

	{ "smimon help >/dev/full", 1, "No space left on device" },
	{ "smimon stat -h >/dev/full", 1, "No space left on device" },
	{ "smimon -V >&-", 1, "Bad file descriptor" },
};

static struct run run;

static void refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		run_command(&run, NULL, lines[i].command, 0);
		assert_case(lines[i].command, run.status, lines[i].status);
		if (!run_one_line(run.err) || !strstr(run.err, lines[i].says))
			fail_msg("%s: not one line with \"%s\" but %s", lines[i].command,
				 lines[i].says, run.err);
		if (strncmp(run.err, "smimon: ", 8) || *run.out)
			fail_msg("%s: %s%s", lines[i].command, run.err, run.out);
	}
}

/* What help is asked for is on standard output, alone. */
static void helpful(void **state)
{
	static const struct {
		const char *command;
		const char *says;
	} asked[] = {
		{ "smimon help", "Usage: smimon [OPTIONS] COMMAND" },
		{ "smimon -h", "Usage: smimon [OPTIONS] COMMAND" },
		{ "smimon --help stat", "Usage: smimon [OPTIONS] COMMAND" },
		{ "smimon help stat", "Usage: smimon stat" },
		{ "smimon stat -h", "--no-metric-only" },
		{ "smimon stat -I 5 --help -Z", "-I, --interval-print MS" },
		{ "smimon stat -h", "interval cpu smi smi_cycles_percent smm_cycles" },
		{ "smimon show -h", "Usage: smimon show" },
		{ "smimon status -h", "Usage: smimon status" },
		{ "smimon freeze -h", "hold -- COMMAND" },
		{ "smimon -V", "smimon 0" },
		{ "smimon stat --version", "smimon 0" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		run_command(&run, NULL, asked[i].command, 0);
		assert_case(asked[i].command, run.status, 0);
		if (!strstr(run.out, asked[i].says) || *run.err)
			fail_msg("%s: %s%s", asked[i].command, run.out, run.err);
	}
}

/* Who reads no more is not told. */
static void closed_pipe(void **state)
{
	run_command(&run, NULL, "d=$(mktemp -d); mkfifo $d/gone\n"
		    "{ read -r x <$d/gone; smimon help; echo $? >&2; } |\n"
		    "{ exec <&-; echo >$d/gone; }; rm -r $d", 0);
	assert_string_equal(run.err, "1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused),
		cmocka_unit_test(helpful),
		cmocka_unit_test(closed_pipe),
	};

	return cmocka_run_group_tests_name("usage", tests, NULL, NULL);
}
