// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the client prints of machines whose numbers are known, see fake_preload.c, and how it ends.
 */
#include "unit.h"

#include <signal.h>
#include <string.h>

#include "run.h"

/* CPU 0 and CPU 1 of the machine "two", and both, by the definitions of the metrics. */
#define CPU0	"\"smi\":10,\"smi_cycles_percent\":2,\"smm_cycles\":30000000,"			\
	"\"smm_usec\":10000,\"usec_per_smi\":1000,\"smm_wall_percent\":1,\"bzy_mhz\":3000,"	\
	"\"busy_percent\":50,\"avg_mhz\":1500,\"ipc\":null"
#define CPU1	"\"smi\":12,\"smi_cycles_percent\":2,\"smm_cycles\":10000000,"			\
	"\"smm_usec\":5000,\"usec_per_smi\":416.6666667,\"smm_wall_percent\":0.5,"		\
	"\"bzy_mhz\":2000,\"busy_percent\":25,\"avg_mhz\":500,\"ipc\":null"
#define BOTH	"\"smi\":12,\"smi_cycles_percent\":2,\"smm_cycles\":40000000,"			\
	"\"smm_usec\":15000,\"usec_per_smi\":681.8181818,\"smm_wall_percent\":0.75,"		\
	"\"bzy_mhz\":2666.666667,\"busy_percent\":37.5,\"avg_mhz\":1000,\"ipc\":null,"		\
	"\"floor_percent\":null"
#define UNKNOWN	"\"smi_cycles_percent\":null,\"smm_cycles\":null,\"smm_usec\":null,"		\
	"\"usec_per_smi\":null,\"smm_wall_percent\":null,\"bzy_mhz\":null,"			\
	"\"busy_percent\":null,\"avg_mhz\":null,\"ipc\":null"
#define RAW0	",\"aperf\":1500000000,\"mperf\":1000000000,\"cycles\":1470000000,"		\
	"\"irperf\":null,\"tsc\":2000000000"
#define LINE(cpu, values, reason)								\
	"{\"interval\":null,\"cpu\":" cpu "," values ",\"reason\":" reason "}\n"

#define CSV0		"10,2,30000000,10000,1000,1,3000,50,1500,-,-,"
#define CSV_RAW0	"1500000000,1000000000,1470000000,-,2000000000,"

#define TABLE0									\
	"       10         2.00    30000000  10000.0   1000.0     1.0000     3000    50.00     1500"
#define TABLE_BOTH								\
	"       12         2.00    40000000  15000.0    681.8     0.7500     2667    37.50     1000"

#define SHOWN0	"{\"cpu\":0,\"time_ns\":7000000000,\"epoch\":5,\"freeze_epoch\":6,\"tsc\":100,"	\
	"\"aperf\":200,\"mperf\":300,\"cycles\":400,\"irperf\":null,\"smi_count\":600,"	\
	"\"debugctl\":16384,\"window\":77,\"flags\":[\"freeze_on\",\"freeze_lost\","		\
	"\"torn\",\"cycles_lost\",\"isolated\"]}\n"
#define SHOWN1	"{\"cpu\":1,\"time_ns\":7000000000,\"epoch\":5,\"freeze_epoch\":6,\"tsc\":null,"	\
	"\"aperf\":null,\"mperf\":null,\"cycles\":null,\"irperf\":null,\"smi_count\":null,"	\
	"\"debugctl\":null,\"window\":null,\"flags\":[]}\n"

#define FREEZE	"{\"policy\":\"auto\",\"holds\":3,\"active\":true,\"supported\":2,\"changed\":0}\n"

static struct run run;

/* Commands whose whole output is known. */
static void output(void **state)
{
	static const struct {
		const char *kernel;
		const char *command;
		const char *out;
	} cases[] = {
		{ "two", "smimon stat -j true", LINE("null", BOTH, "null") },
		{ "two", "smimon -j stat -A -- true", LINE("0", CPU0, "null")
		  LINE("1", CPU1, "null") LINE("null", BOTH, "null") },
		{ "two", "smimon stat -j -A -C 0 --no-metric-only true",
		  LINE("0", CPU0 RAW0, "null")
		  LINE("null", CPU0 ",\"floor_percent\":null" RAW0, "null") },
		{ "two", "smimon stat -j -r 2 true",
		  LINE("null", BOTH, "null") LINE("null", BOTH, "null") },
		{ "two", "smimon stat -x ';' -A true",
		  "-;0;10;2;30000000;10000;1000;1;3000;50;1500;-;-;-\n"
		  "-;1;12;2;10000000;5000;416.6666667;0.5;2000;25;500;-;-;-\n"
		  "-;-;12;2;40000000;15000;681.8181818;0.75;2666.666667;37.5;1000;-;-;-\n" },
		{ "two", "smimon stat -x , -C 0 --no-metric-only true",
		  "-,-," CSV0 CSV_RAW0 "-\n" },
		{ "torn", "smimon stat -x ' ' -A true",
		  "- 0 10 2 30000000 10000 1000 1 3000 50 1500 - - -\n"
		  "- 1 12 - - - - - 2000 25 500 - - torn\n"
		  "- - 12 - - - - - 2666.666667 37.5 1000 - - torn\n" },
		/* 550 of 2000 M cycles. */
		{ "quiet", "smimon stat -x , true",
		  "-,-,0,0,0,0,-,0,2666.666667,37.5,1000,-,2.75e-05,-\n" },
		{ "exchanged", "smimon stat -j -A true", LINE("0", CPU0, "null")
		  LINE("1", "\"smi\":null," UNKNOWN, "\"cpu offline\"")
		  LINE("2", "\"smi\":null," UNKNOWN, "\"cpu came online\"")
		  LINE("null", "\"smi\":10," UNKNOWN ",\"floor_percent\":null",
		       "\"cpu offline\"") },
		{ "no-base", "smimon stat -x , true",
		  "-,-,12,2,40000000,-,-,-,-,-,1000,-,-,base clock unknown\n" },
		{ "flags", "smimon show -j", SHOWN0 SHOWN1 },
		{ "two", "smimon freeze -j", FREEZE },
		{ "two", "smimon freeze on", "" },
		{ "two", "smimon stat -o /dev/null true", "" },
		{ "two", "smimon stat -x , -C 0 -o /dev/stderr true 2>&1",
		  "-,-," CSV0 "-\n" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		run_command(&run, cases[i].kernel, cases[i].command, 0);
		assert_case(cases[i].command, run.status, 0);
		assert_string_equal(run.out, cases[i].out);
		assert_string_equal(run.err, "");
	}
}

/* Lines that the output has, among others whose text depends on the time. */
static void output_lines(void **state)
{
	static const struct {
		const char *kernel;
		const char *command;
		const char *lines[4];
	} cases[] = {
		{ "two", "smimon stat -A sh -c true", {
		  "\n SMM statistics for 'sh -c true' on CPU 0-1:\n\n",
		  "\n   0" TABLE0 "\n", "\n all" TABLE_BOTH "\n",
		  " seconds time elapsed\n" } },
		{ "torn", "smimon stat -A true", { "   1500\n", "500 torn\n", "1000 torn\n" } },
		{ "amd", "smimon stat true", { "     IPC reason\n",
		  " -     3000    50.00     1500     2.00 no SMI count\n" } },
		{ "quiet", "smimon stat true", { " 0.000028 % floor" } },
		{ "two", "smimon stat true", { " - % floor (no interval without an SMI)\n" } },
		{ "two", "smimon stat -r 3 true", { "(3 runs)", "\nmean     12.0 ",
		  "\n+-      0.00% " } },
		{ "two", "smimon show", { "freeze_on\n", " 0x4000 " } },
		{ "two", "smimon status", { "module version    1.2-fake\n",
		  "base clock        2000.000 MHz (TSC frequency)\n",
		  "PMU counted by    0\n",
		  "\ncycles    1,3  the kernel has no PMU driver for this CPU\n" } },
		{ "two", "smimon status", { "isolated CPUs     3\n" } },
		{ "two", "smimon status -C 1,3", {
		  "\ndebugctl  1    available\ndebugctl  3    the CPU cannot freeze" } },
		{ "two", "smimon status -j", {
		  "\"version\":\"1.2-fake\",\"record_size\":104,\"base_mhz\":2000,",
		  "\"cpu\":3,\"isolated\":true,\"counters\":{\"tsc\":{\"available\":true,",
		  "\"cycles\":{\"available\":false,\"reason\":\"the kernel has no PMU" } },
		{ "no-base", "smimon status -j", { "\"base_mhz\":null," } },
		{ "two", "smimon freeze", { "freeze holds      3\n", "freeze active     yes\n" } },
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		run_command(&run, cases[i].kernel, cases[i].command, 0);
		assert_case(cases[i].command, run.status, 0);
		for (j = 0; j < ARRAY_SIZE(cases[i].lines) && cases[i].lines[j]; j++)
			if (!strstr(run.out, cases[i].lines[j]))
				fail_msg("%s: no \"%s\" in:\n%s", cases[i].command,
					 cases[i].lines[j], run.out);
	}
}

static int count(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void intervals(void **state)
{
	run_command(&run, "two", "smimon stat -j -I 1 --interval-count 3", 0);
	assert_int_equal(run.status, 0);
	assert_int_equal(count(run.out, "\n"), 3);
	assert_int_equal(count(run.out, BOTH), 3);
	assert_int_equal(count(run.out, "{\"interval\":0."), 3);

	/* Those of a command, and the last, which is shorter. */
	run_command(&run, "two", "smimon stat -j -A -I 86400000 sh -c 'exit 3'", 0);
	assert_int_equal(run.status, 3);
	assert_int_equal(count(run.out, "\n"), 3);

	/* Counted out, the command is still waited for. */
	run_command(&run, "two", "smimon stat -x , -I 1 --interval-count 2 sh -c 'sleep 1; exit 4'",
		    0);
	assert_int_equal(run.status, 4);
	assert_int_equal(count(run.out, "\n"), 2);

	/* One head, unless a reason comes or goes. */
	run_command(&run, "two", "smimon stat -I 1 --interval-count 5", 0);
	assert_int_equal(count(run.out, "SMI cycles%"), 1);
	run_command(&run, "exchanged", "smimon stat -I 1 --interval-count 5 -A", 0);
	assert_int_equal(count(run.out, "SMI cycles%"), 2);
	assert_int_equal(count(run.out, "reason"), 1);
	assert_int_equal(count(run.out, "cpu offline"), 2);

	/* Who named it is told for as long as it is not there. */
	run_command(&run, "exchanged", "smimon stat -C 0,1 -I 1 --interval-count 5 -A", 0);
	assert_int_equal(count(run.out, "cpu offline"), 10);

	/* Not there, just back, in another epoch than before. */
	run_command(&run, "offline-once", "smimon stat -x , -I 1 --interval-count 3", 0);
	assert_int_equal(count(run.out, "cpu offline"), 1);
	assert_int_equal(count(run.out, "cpu came online"), 1);
	assert_int_equal(count(run.out, "epoch changed"), 1);
}

static void stopped_by_the_user(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		run_command(&run, "two", "exec smimon stat -I 1", signals[i]);
		assert_int_equal(run.status, 0);
		assert_int_equal(count(run.out, "seconds time elapsed\n"), 1);
		assert_string_equal(run.err, "");
	}
	/* As a script's job in the background, which starts with SIGINT ignored. */
	run_command(&run, "two", "trap '' INT; exec smimon stat -j -I 1", SIGINT);
	assert_int_equal(run.status, 0);
}

/* Exit statuses, and what else the user is told. */
static void ends(void **state)
{
	static const struct {
		const char *kernel;
		const char *command;
		int status;
		const char *err;
	} cases[] = {
		{ "two", "smimon stat -j sh -c 'exit 7'", 7, NULL },
		{ "two", "smimon stat -j -- sh -c 'kill -TERM $$'", 143, NULL },
		{ "two", "smimon stat /no/such/command", 127, "cannot run /no/such/command" },
		{ "two", "smimon stat no-such-command", 127, "No such file" },
		{ "two", "smimon stat /proc", 126, "Permission denied" },
		{ "two", "smimon stat -r 3 -j false", 1, NULL },
		{ "two", "env --ignore-signal=CHLD smimon stat -j sh -c 'exit 7'", 7, NULL },
		/* Ctrl-C is the command's; SIGTERM is passed on to it. */
		{ "two", "smimon stat -j sh -c 'kill -INT $PPID; kill -QUIT $PPID; exit 5'", 5,
		  NULL },
		{ "two", "smimon stat -j sh -c 'trap \"exit 9\" TERM; kill -TERM $PPID\n"
		  "while :; do sleep 0.01; done'", 9, NULL },
		{ "two", "smimon freeze hold -- sh -c 'kill -INT $PPID; exit 5'", 5, NULL },
		{ "two", "smimon freeze hold sh -c 'kill -KILL $$'", 137, NULL },
		{ "two", "smimon freeze hold /no/such/command", 127, "cannot run" },
		{ "two", "smimon stat -C 0,4 true", 1, "CPU 4: offline or not there" },
		{ "two", "smimon show -C 4,6-7", 1, "CPU 4,6-7: offline or not there" },
		{ "two", "smimon status -C 0-4", 1, "CPU 4: offline or not there" },
		{ "two", "smimon stat -o /dev/full true", 1, "/dev/full: No space left" },
		{ "two", "smimon stat -o /no/such/file true", 1, "cannot open /no/such/file" },
		{ "two", "smimon stat -I 1 >/dev/full", 1, "standard output: No space left" },
		{ "two", "smimon show >/dev/full", 1, "No space left" },
		{ "two", "smimon status -j >&-", 1, "Bad file descriptor" },
		{ "two", "smimon stat -I 1 --interval-count 1 >&-", 1, "Bad file descriptor" },
		/* The command is done all the same. */
		{ "two", "d=$(mktemp -d)\n"
		  "smimon stat -I 1 sh -c \"sleep 1; touch $d/done\" >/dev/full 2>/dev/null\n"
		  "[ $? = 1 ] && rm $d/done && rmdir $d", 0, NULL },
		{ "amd", "smimon stat true", 0, "cannot hold the freeze: no CPU has the bit; going" },
		{ "policy-off", "smimon stat true", 0, "the policy is off; going on without it" },
		{ "policy-off", "smimon freeze hold true", 1, "the policy is off" },
		{ "hold-fails", "smimon stat true", 1, "it did not stay set" },
		{ "set-fails", "smimon freeze off", 1, "somebody holds it" },
		{ "nothing", "smimon stat -C 0 true", 1,
		  "no counters (CPU 0); 'smimon status' says why" },
		{ "nothing", "smimon show", 1, "no counters; 'smimon status' says why" },
		{ "fails-later", "smimon stat -I 1", 1, "no memory" },
		{ "isolated", "smimon stat true", 1, "all CPUs are isolated" },
		{ "user", "smimon stat true", 1, "CAP_NET_ADMIN" },
		{ "user", "smimon status", 1, "CAP_NET_ADMIN" },
		{ "old", "smimon freeze", 1, "load the module" },
		{ "old-records", "smimon stat true", 1, "load the module" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *err = cases[i].err;

		run_command(&run, cases[i].kernel, cases[i].command, 0);
		assert_case(cases[i].command, run.status, cases[i].status);
		if (err && (!run_one_line(run.err) || !strstr(run.err, err)))
			fail_msg("%s: no \"%s\" in: %s", cases[i].command, err, run.err);
		if (!err && *run.err)
			fail_msg("%s: %s", cases[i].command, run.err);
	}
}

/* A command gets the signals as they were, and no file of ours, least of all the hold. */
static void what_commands_inherit(void **state)
{
	run_command(&run, "two", "smimon freeze hold -- ls -l /proc/self/fd", 0);
	assert_non_null(strstr(run.out, " 2 -> "));
	assert_null(strstr(run.out, "socket:"));
	assert_null(strstr(run.out, "anon_inode:"));
	run_command(&run, "two",
		    "exec env --block-signal=WINCH --ignore-signal=HUP \\\n"
		    "smimon stat -o /dev/null sed -nE 's/^(Sig(Blk|Ign):).*(.{7})$/\\1\\3/p' "
		    "/proc/self/status", 0);
	/* Signals 1 to 28: above SIGRTMIN nothing can be set right before. */
	assert_string_equal(run.out, "SigBlk:8000000\nSigIgn:0000001\n");
}

static void closed_pipe(void **state)
{
	run_command(&run, "two", "d=$(mktemp -d); mkfifo $d/gone\n"
		    "{ read -r x <$d/gone; smimon stat -I 1; echo $? >&2; } |\n"
		    "{ exec <&-; echo >$d/gone; }; rm -r $d", 0);
	assert_string_equal(run.err, "1\n");
}

/* Red and yellow are for terminals, and for those who want them. */
static void colours(void **state)
{
	static const struct {
		const char *kernel;
		const char *command;
		const char *colour;	/* or what else is printed */
	} cases[] = {
		{ "alarming", "script -qec 'smimon stat -C 0 true' /dev/null", "31m" },
		{ "two", "script -qec 'smimon stat -C 0 true' /dev/null", "33m" },
		{ "two", "NO_COLOR= script -qec 'smimon stat -C 0 true' /dev/null", "33m" },
		{ "quiet", "script -qec 'smimon stat -C 0 true' /dev/null", "elapsed" },
		{ "alarming", "NO_COLOR=1 script -qec 'smimon stat -C 0 true' /dev/null", "elapsed" },
		{ "alarming", "smimon stat -C 0 true", "elapsed" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		run_command(&run, cases[i].kernel, cases[i].command, 0);
		if (!strstr(run.out, cases[i].colour))
			fail_msg("%s: %s", cases[i].command, run.out);
		assert_case(cases[i].command, !strchr(run.out, '\033'),
			    !strcmp(cases[i].colour, "elapsed"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output),
		cmocka_unit_test(output_lines),
		cmocka_unit_test(intervals),
		cmocka_unit_test(stopped_by_the_user),
		cmocka_unit_test(ends),
		cmocka_unit_test(what_commands_inherit),
		cmocka_unit_test(closed_pipe),
		cmocka_unit_test(colours),
	};

	return cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
