// SPDX-License-Identifier: GPL-2.0-only
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMI_PORT		0xb2
/* Any but 0x00 and 0xb5, which the firmware understands. */
#define SMI_BYTE		0x01

static _Noreturn void give_up(const char *what, unsigned int where)
{
	fprintf(stderr, "# %s %#x: %s\n", what, where, strerror(errno));
	exit(1);
}

unsigned int machine_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_CONF);
}

static int open_msr(unsigned int cpu, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		give_up("MSRs of CPU", cpu);
	return fd;
}

uint64_t machine_rdmsr(unsigned int cpu, uint32_t msr)
{
	int fd = open_msr(cpu, O_RDONLY);
	uint64_t val;

	if (pread(fd, &val, sizeof(val), msr) != sizeof(val))
		give_up("rdmsr", msr);
	close(fd);
	return val;
}

void machine_wrmsr(unsigned int cpu, uint32_t msr, uint64_t val)
{
	int fd = open_msr(cpu, O_WRONLY);

	if (pwrite(fd, &val, sizeof(val), msr) != sizeof(val))
		give_up("wrmsr", msr);
	close(fd);
}

uint32_t machine_number(const char *name, uint32_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

bool machine_freeze_bit(unsigned int cpu)
{
	return machine_rdmsr(cpu, DEBUGCTL) & DEBUGCTL_FREEZE;
}

bool machine_freeze_bits_are(bool on)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine_cpus(); cpu++)
		if (machine_freeze_bit(cpu) != on)
			return false;
	return true;
}

void machine_set_freeze_bit(unsigned int cpu, bool on)
{
	uint64_t val = machine_rdmsr(cpu, DEBUGCTL) & ~DEBUGCTL_FREEZE;

	machine_wrmsr(cpu, DEBUGCTL, on ? val | DEBUGCTL_FREEZE : val);
}

int machine_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

void machine_perf_freeze(bool on)
{
	const char *path = "/sys/bus/event_source/devices/cpu/freeze_on_smi";

	if (machine_write(path, on ? "0" : "1") || machine_write(path, on ? "1" : "0"))
		give_up(path, on);
}

int machine_set_online(unsigned int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return machine_write(path, online ? "1" : "0");
}

int machine_sleep(const char *state, const char *level)
{
	if (machine_write("/sys/power/pm_test", level) ||
	    machine_write("/sys/module/suspend/parameters/pm_test_delay", "0"))
		give_up(level, 0);
	return machine_write("/sys/power/state", state);
}

int machine_load_with(const char *params)
{
	int fd = open("/smimon.ko", O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		give_up("/smimon.ko", 0);
	err = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return err;
}

int machine_load(void)
{
	return machine_load_with("window_us=1000000");
}

int machine_unload(void)
{
	return syscall(SYS_delete_module, "smimon", O_NONBLOCK) ? -errno : 0;
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		give_up("affinity to CPU", cpu);
}

void machine_smis(unsigned int count)
{
	cpu_set_t before;

	if (sched_getaffinity(0, sizeof(before), &before))
		give_up("affinity", 0);
	pin(0);
	if (ioperm(SMI_PORT, 1, 1))
		give_up("port", SMI_PORT);
	while (count--)
		outb(SMI_BYTE, SMI_PORT);
	ioperm(SMI_PORT, 1, 0);
	sched_setaffinity(0, sizeof(before), &before);
}

void machine_spin(unsigned int cpu, unsigned int millions)
{
	cpu_set_t before;
	unsigned int i;

	if (sched_getaffinity(0, sizeof(before), &before))
		give_up("affinity", 0);
	pin(cpu);
	for (i = 0; i < millions * 500000; i++)
		__asm__ volatile("");
	sched_setaffinity(0, sizeof(before), &before);
}

static void read_back(int fd, char *text, size_t size)
{
	ssize_t len = pread(fd, text, size - 1, 0);

	text[len > 0 ? len : 0] = 0;
	close(fd);
}

/* Files, not pipes: nothing blocks, however much the command writes. */
void machine_run(const char *command, struct machine_output *output)
{
	int out = memfd_create("stdout", MFD_CLOEXEC), err = memfd_create("stderr", MFD_CLOEXEC);
	int status;
	pid_t pid;

	if (out < 0 || err < 0)
		give_up("temporary file", 0);
	pid = fork();
	if (pid < 0)
		give_up("fork", 0);
	if (!pid) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		give_up("waitpid", pid);
	output->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	read_back(out, output->out, sizeof(output->out));
	read_back(err, output->err, sizeof(output->err));
}
