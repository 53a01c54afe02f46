/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests do to the emulated machine from the inside. What must work for a test to mean
 * anything ends the test program with a message when it fails.
 */
#ifndef SMIMON_SELFTESTS_MACHINE_H
#define SMIMON_SELFTESTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEBUGCTL		0x1d9
#define DEBUGCTL_FREEZE		(1ull << 14)

/* CPUs present, online or not. */
unsigned int machine_cpus(void);

uint64_t machine_rdmsr(unsigned int cpu, uint32_t msr);
void machine_wrmsr(unsigned int cpu, uint32_t msr, uint64_t val);

/* A number of the kernel's command line, NAME=NUMBER, else another. */
uint32_t machine_number(const char *name, uint32_t otherwise);

/* Write a text to a file, such as one of sysfs. Return: 0 or a negative errno. */
int machine_write(const char *path, const char *text);

/* The freeze bit of a CPU, whether all have the same, and setting it behind everybody's back. */
bool machine_freeze_bit(unsigned int cpu);
bool machine_freeze_bits_are(bool on);
void machine_set_freeze_bit(unsigned int cpu, bool on);

/* perf's freeze_on_smi. Writes both values, since perf does nothing for the one it has. */
void machine_perf_freeze(bool on);

/* Return: 0 or a negative errno. */
int machine_set_online(unsigned int cpu, bool online);

/*
 * Have the machine sleep: "mem" or "disk", as far down as a level of /sys/power/pm_test, "none" for
 * all the way. The machine is woken when it sleeps. Return: 0 or a negative errno.
 */
int machine_sleep(const char *state, const char *level);

/* Load the module as tests have it, or with other parameters. Return: 0 or a negative errno. */
int machine_load(void);
int machine_load_with(const char *params);
int machine_unload(void);

/* Raise real SMIs on CPU 0, the only one that the firmware lets take them. */
void machine_smis(unsigned int count);

/* Keep a CPU busy for some millions of instructions. */
void machine_spin(unsigned int cpu, unsigned int millions);

/**
 * struct machine_output - what a command did
 * @status: its exit status; 128 and more for a signal
 * @out: its standard output
 * @err: its standard error
 */
struct machine_output {
	int status;
	char out[65536];
	char err[4096];
};

/* Run a shell command. */
void machine_run(const char *command, struct machine_output *output);

#endif
