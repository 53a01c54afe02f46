// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of the emulated machine: runs one command and looks at the whole kernel log. It writes the
 * token that stands for success only if both were good, so that nothing else, a crash least of
 * all, can look like it. On a host with systemd, that is PID 1 and this a child of it.
 *
 * The command is in /command, its arguments ended by NULs. Its output and the verdict go to the
 * second serial port; the first is the kernel's console. The token comes on the kernel's command
 * line, in the environment, and so does whether this is such a host.
 */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define PORT		"/dev/ttyS1"
#define KMEMLEAK	"/sys/kernel/debug/kmemleak"
#define LOCKDEP_STATS	"/proc/lockdep_stats"
#define SYSTEMD		"/usr/lib/systemd/systemd"
#define ARGS_MAX	64

/* What a healthy kernel does not say. */
#define BAD	"WARNING: |BUG: |BUG\\b.*!|Oops|Kernel panic|general protection|Call Trace|" \
		"cut here|possible circular locking|possible recursive locking|" \
		"suspicious RCU|inconsistent lock state|sleeping function|" \
		"scheduling while atomic|unchecked MSR access|soft lockup|hard LOCKUP|" \
		"blocked for more than|rcu_.*detected stall|refcount_t|UBSAN|KASAN|KFENCE|KCSAN|" \
		"kmemleak|ODEBUG|list_add corruption|list_del corruption|Object .*corrupted|" \
		"Poison overwritten|Redzone overwritten|Bad page|double free|use-after-free|" \
		"unexpectedly returned|trying to register non-static key|Voluntary context switch"

/* What looks like it and is not: it speaks of the emulated CPU, not of what happened. */
#define HARMLESS "Spectre|RETBleed|Speculative Return Stack Overflow|report a bug|not a bug|" \
		 "Kernel memory leak detector initialized|use-after-free debug is enabled"

static FILE *port;

static _Noreturn void power_off(void)
{
	fflush(port);
	tcdrain(fileno(port));
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void vcomplain(const char *format, va_list args)
{
	fprintf(port, "# init: ");
	vfprintf(port, format, args);
	fprintf(port, "\n");
}

static __attribute__((format(printf, 1, 2))) void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(format, args);
	va_end(args);
}

static _Noreturn __attribute__((format(printf, 1, 2))) void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vcomplain(format, args);
	va_end(args);
	power_off();
}

static void mount_all(void)
{
	static const struct {
		const char *type, *where;
	} mounts[] = {
		{ "devtmpfs", "/dev" },
		{ "proc", "/proc" },
		{ "sysfs", "/sys" },
		{ "tmpfs", "/tmp" },
		{ "tracefs", "/sys/kernel/tracing" },
		{ "debugfs", "/sys/kernel/debug" },
	};
	size_t i;

	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL))
			fprintf(stderr, "init: mount %s: %s\n", mounts[i].where, strerror(errno));
	}
}

static void open_port(void)
{
	struct termios raw;
	int fd;

	port = fopen(PORT, "w");
	if (!port) {
		fprintf(stderr, "init: %s: %s\n", PORT, strerror(errno));
		reboot(RB_POWER_OFF);
		_exit(1);
	}
	fd = fileno(port);
	if (!tcgetattr(fd, &raw)) {
		cfmakeraw(&raw);
		tcsetattr(fd, TCSANOW, &raw);
	}
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		fail("%s: %s", path, strerror(errno));
	close(fd);
}

static void make_systemd_pid_1(void)
{
	pid_t judge = fork();

	if (judge < 0)
		fail("fork: %s", strerror(errno));
	if (!judge) {
		setsid();
		return;
	}
	unsetenv("smimon_token");
	execl(SYSTEMD, SYSTEMD, NULL);
	fail(SYSTEMD ": %s", strerror(errno));
}

static _Noreturn void run_command(void)
{
	static char text[65536], *args[ARGS_MAX + 1];
	int fd = open("/command", O_RDONLY | O_CLOEXEC), n = 0;
	ssize_t len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	char *at;

	for (at = text; at < text + len && n < ARGS_MAX; at += strlen(at) + 1)
		args[n++] = at;
	dup2(fileno(port), STDOUT_FILENO);
	dup2(fileno(port), STDERR_FILENO);
	unsetenv("smimon_token");
	setenv("PATH", "/bin:/sbin:/usr/bin:/usr/sbin", 1);
	setenv("HOME", "/tmp", 1);
	setenv("TERM", "dumb", 1);
	if (n)
		execvp(args[0], args);
	dprintf(STDERR_FILENO, "# init: %s: %s\n", n ? args[0] : "no command", strerror(errno));
	_exit(127);
}

/* Orphans are reaped on the way. */
static bool command_succeeds(pid_t command)
{
	int status;
	pid_t pid;

	do {
		pid = wait(&status);
	} while (pid != command && (pid > 0 || errno == EINTR));
	if (WIFSIGNALED(status))
		complain("the command was killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		complain("the command ended with status %d", WEXITSTATUS(status));
	return !status;
}

/* Each read is one record, "priority,sequence,...;text". */
static bool log_is_clean(void)
{
	unsigned long long seq, next = 0;
	regex_t bad, harmless;
	char record[8192], *text;
	int fd, found = 0;
	ssize_t len;

	if (regcomp(&bad, BAD, REG_EXTENDED | REG_NOSUB) ||
	    regcomp(&harmless, HARMLESS, REG_EXTENDED | REG_NOSUB))
		fail("regcomp");
	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fail("/dev/kmsg: %s", strerror(errno));
	while ((len = read(fd, record, sizeof(record) - 1)) > 0) {
		record[len] = 0;
		if (sscanf(record, "%*u,%llu", &seq) != 1 || seq != next++)
			fail("records of the kernel log were lost before %llu", seq);
		text = strchr(record, ';');
		if (!text || regexec(&bad, text, 0, NULL, 0) ||
		    !regexec(&harmless, text, 0, NULL, 0))
			continue;
		fprintf(port, "# kernel log: %s", text + 1);
		found++;
	}
	if (errno != EAGAIN)
		fail("/dev/kmsg: %s", strerror(errno));
	if (found)
		complain("the kernel log is not clean");
	return !found;
}

static void scan_for_leaks(void)
{
	int fd = open(KMEMLEAK, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "scan", 4) != 4)
		fail(KMEMLEAK ": %s", strerror(errno));
	close(fd);
}

/*
 * Kernels that do not look for leaks have none. What is younger than five seconds is not reported,
 * nor what changed since the last scan.
 */
static bool nothing_leaked(void)
{
	char line[512];
	int lines = 0;
	FILE *file;

	if (access(KMEMLEAK, F_OK))
		return true;
	sleep(6);
	scan_for_leaks();
	scan_for_leaks();
	file = fopen(KMEMLEAK, "r");
	if (!file) {
		complain(KMEMLEAK ": %s", strerror(errno));
		return false;
	}
	for (; fgets(line, sizeof(line), file); lines++)
		fprintf(port, "# kmemleak: %s", line);
	fclose(file);
	if (lines)
		complain("memory was leaked");
	return !lines;
}

/* A taint can turn lockdep off, which is no warning to the kernel, but then it finds nothing. */
static bool lockdep_is_on(void)
{
	FILE *file = fopen(LOCKDEP_STATS, "r");
	char line[256];
	int on = 1;

	if (!file)
		return true;
	while (fgets(line, sizeof(line), file))
		sscanf(line, " debug_locks: %d", &on);
	fclose(file);
	if (!on)
		complain("lockdep is off");
	return on;
}

int main(void)
{
	const char *token = getenv("smimon_token");
	pid_t command;
	bool good;

	mount_all();
	open_port();
	if (!token)
		fail("no token on the kernel's command line");
	fprintf(port, "# init: up\n");
	fflush(port);
	load_module("/msr.ko");
	if (getenv("smimon_host"))
		make_systemd_pid_1();
	command = fork();
	if (!command)
		run_command();
	/* What the kernel saw often tells why the command failed, so all of it is told. */
	good = command_succeeds(command);
	good &= nothing_leaked();
	good &= log_is_clean();
	good &= lockdep_is_on();
	if (good)
		fprintf(port, "%s\n", token);
	power_off();
}
