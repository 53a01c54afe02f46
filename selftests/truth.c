// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated machine's private side, for scripts inside of it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "truth.h"

static const struct {
	const char *name;
	uint32_t msr;
} settings[] = {
	{ "real-smi-cycles", TRUTH_REAL_SMI_CYCLES },
	{ "rendezvous", TRUTH_RENDEZVOUS },
	{ "ratio", TRUTH_RATIO },
	{ "inject", TRUTH_INJECT },
	{ "inject-all", TRUTH_INJECT_ALL },
};

static _Noreturn void usage(void)
{
	size_t i;

	fprintf(stderr, "usage: truth read\n"
		"       truth smi COUNT [MILLISECONDS]\n");
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		fprintf(stderr, "       truth %s VALUE\n", settings[i].name);
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t val;

	errno = 0;
	val = strtoull(text, &end, 0);
	if (errno || !*text || *end)
		usage();
	return val;
}

static void print_all(void)
{
	unsigned int cpu;

	printf("%4s %8s %14s %14s\n", "CPU", "SMIs", "cycles in SMM", "skipped");
	for (cpu = 0; cpu < machine_cpus(); cpu++)
		printf("%4u %8llu %14llu %14llu\n", cpu,
		       (unsigned long long)machine_rdmsr(cpu, TRUTH_SMIS),
		       (unsigned long long)machine_rdmsr(cpu, TRUTH_SMM_CYCLES),
		       (unsigned long long)machine_rdmsr(cpu, TRUTH_SKIPPED_CYCLES));
}

static void raise_smis(uint64_t count, uint64_t ms)
{
	while (count--) {
		machine_smis(1);
		usleep(ms * 1000);
	}
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 2 && !strcmp(argv[1], "read")) {
		print_all();
		return 0;
	}
	if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "smi")) {
		raise_smis(number(argv[2]), argc == 4 ? number(argv[3]) : 0);
		return 0;
	}
	if (argc != 3)
		usage();
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (!strcmp(argv[1], settings[i].name)) {
			machine_wrmsr(0, settings[i].msr, number(argv[2]));
			return 0;
		}
	}
	usage();
}
