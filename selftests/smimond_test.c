// SPDX-License-Identifier: GPL-2.0-only
/*
 * What smimond serves against what the emulated machine knows, whatever becomes of the module, the
 * CPUs, the clock and its own socket meanwhile.
 */
#include "kselftest_harness.h"

#include <ctype.h>
#include <dirent.h>
#include <linux/netlink.h>
#include <math.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "daemon.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define SMIS		20
#define SMI_CYCLES	150000
#define CYCLES_OFF	0.001
#define LOST(reason)	"smimon_invalid_intervals_total{cpu=\"1\",reason=\"" reason "\"}"

FIXTURE(smimond) {
	pid_t pid;
	uint64_t smis[NL_CPUS], smm[NL_CPUS];
};

static double of_cpu(const char *name, unsigned int cpu)
{
	char series[128];

	snprintf(series, sizeof(series), "%s{cpu=\"%u\"}", name, cpu);
	return daemon_ask(series);
}

FIXTURE_SETUP(smimond)
{
	unsigned int cpu;

	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	machine_perf_freeze(true);
	unlink(DAEMON_HISTORY);
	self->pid = daemon_start("");
	ASSERT_TRUE(daemon_becomes("smimon_intervals_total{cpu=\"0\"}", 1));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		self->smis[cpu] = machine_rdmsr(cpu, TRUTH_SMIS);
		self->smm[cpu] = machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	}
}

FIXTURE_TEARDOWN(smimond)
{
	EXPECT_EQ(0, daemon_stop(self->pid, SIGTERM));
}

/* SMIs since the start are those of the truth; cycles to a thousandth. */
static bool agrees(struct __test_metadata *_metadata, FIXTURE_DATA(smimond) * self)
{
	unsigned int cpu;
	bool good = daemon_samples();

	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		double smis = machine_rdmsr(cpu, TRUTH_SMIS) - self->smis[cpu];
		double smm = machine_rdmsr(cpu, TRUTH_SMM_CYCLES) - self->smm[cpu];

		TH_LOG("CPU %u: %g of %g SMIs, %g of %g cycles", cpu,
		       of_cpu("smimon_smi_total", cpu), smis,
		       of_cpu("smimon_smm_cycles_total", cpu), smm);
		good &= of_cpu("smimon_smi_total", cpu) == smis;
		good &= fabs(of_cpu("smimon_smm_cycles_total", cpu) - smm) <= CYCLES_OFF * smm;
	}
	return good;
}

TEST_F_TIMEOUT(smimond, counts_what_happens, 300)
{
	int i;

	for (i = 0; i < 5; i++) {
		daemon_smis(self->pid, SMIS / 5);
		EXPECT_TRUE(daemon_samples());
	}
	EXPECT_TRUE(agrees(_metadata, self));
	EXPECT_EQ(SMIS, daemon_ask("smimon_machine_smi_total"));
	EXPECT_EQ(SMIS, daemon_ask("smimon_smi_duration_seconds_count"));
	EXPECT_LT(fabs(daemon_ask("smimon_smi_duration_seconds_sum") /
		       of_cpu("smimon_smm_seconds_total", 0) - 1), CYCLES_OFF);
	EXPECT_EQ(1, of_cpu("smimon_freeze_enabled", 0));
	EXPECT_EQ(1, daemon_ask("smimon_module_connected"));
	EXPECT_TRUE(daemon_said("SMIs took"));
}

TEST_F_TIMEOUT(smimond, module_goes_and_comes, 300)
{
	char page[DAEMON_PAGE];

	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	ASSERT_EQ(0, machine_unload());
	EXPECT_TRUE(daemon_becomes("smimon_failed_samples_total", 2));
	EXPECT_EQ(0, daemon_ask("smimon_module_connected"));
	EXPECT_EQ(503, daemon_get("/healthz", NULL, page));
	EXPECT_NE(NULL, strstr(page, "modprobe smimon"));
	EXPECT_TRUE(isnan(of_cpu("smimon_effective_frequency_hertz", 0)));
	ASSERT_EQ(0, machine_load());
	EXPECT_TRUE(daemon_becomes("smimon_module_connects_total", 2));
	EXPECT_TRUE(daemon_becomes(LOST("epoch changed"), 1));
	EXPECT_EQ(200, daemon_get("/healthz", NULL, page));
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	EXPECT_EQ(1, daemon_ask(LOST("epoch changed")));
	EXPECT_TRUE(daemon_said("not all is known of CPU 0-"));
	EXPECT_TRUE(daemon_said("run 'modprobe smimon' as root"));
}

static int set_others_online(bool online)
{
	unsigned int cpu;
	int err = 0;

	for (cpu = 1; cpu < machine_cpus() && !err; cpu++)
		err = machine_set_online(cpu, online);
	return err;
}

/* What strikes while a CPU is offline nobody counts there, so nothing does here. */
TEST_F_TIMEOUT(smimond, all_but_one_go_offline, 300)
{
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	ASSERT_EQ(0, set_others_online(false));
	EXPECT_TRUE(daemon_becomes(LOST("cpu offline"), 1));
	EXPECT_TRUE(isnan(of_cpu("smimon_busy_ratio", 1)));
	EXPECT_EQ(SMIS, of_cpu("smimon_smi_total", 1));
	EXPECT_TRUE(daemon_samples());
	ASSERT_EQ(0, set_others_online(true));
	EXPECT_TRUE(daemon_becomes(LOST("cpu came online"), 1));
	EXPECT_TRUE(daemon_samples());
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	EXPECT_EQ(1, daemon_ask("smimon_module_connects_total"));
}

/* The socket of generic netlink (protocol 16) that a process has. Return: its number there. */
static int find_socket(pid_t pid, unsigned long *inode)
{
	char path[64], name[320], line[256];
	unsigned long socket, wanted;
	unsigned int protocol, portid;
	struct dirent *entry;
	FILE *table = fopen("/proc/net/netlink", "re");
	DIR *dir;
	int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	while (dir && fd < 0 && (entry = readdir(dir))) {
		ssize_t length;

		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		length = readlink(name, line, sizeof(line) - 1);
		line[length < 0 ? 0 : length] = '\0';
		if (sscanf(line, "socket:[%lu]", &wanted) != 1)
			continue;
		rewind(table);
		while (fd < 0 && fgets(line, sizeof(line), table))
			if (sscanf(line, "%*x %u %u %*x %*u %*u %*u %*u %*u %lu", &protocol, &portid,
				   &socket) == 3 && protocol == 16 && socket == wanted)
				fd = atoi(entry->d_name);
	}
	if (dir)
		closedir(dir);
	fclose(table);
	*inode = wanted;
	return fd;
}

/* How many messages a socket lost. */
static long drops(unsigned long inode)
{
	FILE *table = fopen("/proc/net/netlink", "re");
	unsigned long socket;
	char line[256];
	long lost, found = -1;

	while (fgets(line, sizeof(line), table))
		if (sscanf(line, "%*x %*u %*u %*x %*u %*u %*u %*u %ld %lu", &lost, &socket) == 2 &&
		    socket == inode)
			found = lost;
	fclose(table);
	return found;
}

/* While it stands still, its socket is asked in its name until the answers do not fit any more. */
TEST_F_TIMEOUT(smimond, socket_overrun, 300)
{
	unsigned long inode;
	int theirs = find_socket(self->pid, &inode);
	int pidfd = syscall(SYS_pidfd_open, self->pid, 0);
	struct nlmsghdr noop = { .nlmsg_len = sizeof(noop), .nlmsg_type = NLMSG_NOOP,
				 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK };
	int fd, i;

	ASSERT_LE(0, theirs);
	ASSERT_LE(0, pidfd);
	fd = syscall(SYS_pidfd_getfd, pidfd, theirs, 0);
	ASSERT_LE(0, fd);
	machine_smis(SMIS);
	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	for (i = 0; i < 100000 && !drops(inode); i++)
		send(fd, &noop, sizeof(noop), MSG_DONTWAIT);
	EXPECT_LT(0, drops(inode));
	machine_smis(SMIS);
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	close(fd);
	close(pidfd);
	EXPECT_TRUE(daemon_becomes("smimon_netlink_overruns_total", 1));
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	EXPECT_EQ(1, daemon_ask("smimon_module_connects_total"));
	EXPECT_TRUE(isnan(daemon_ask(LOST("epoch changed"))));
	EXPECT_TRUE(daemon_said("an answer is lost"));
}

TEST_F_TIMEOUT(smimond, late_samples, 300)
{
	machine_smis(SMIS);
	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	machine_smis(SMIS);
	usleep(500000);
	ASSERT_EQ(0, kill(self->pid, SIGCONT));
	EXPECT_TRUE(daemon_becomes("smimon_missed_samples_total", 3));
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	EXPECT_TRUE(daemon_said("late by"));
}

TEST_F_TIMEOUT(smimond, clock_is_set, 300)
{
	struct timespec now;
	double before;

	machine_smis(SMIS);
	EXPECT_TRUE(daemon_samples());
	before = daemon_ask("smimon_last_sample_timestamp_seconds");
	ASSERT_EQ(0, clock_gettime(CLOCK_REALTIME, &now));
	now.tv_sec -= 7200;
	ASSERT_EQ(0, clock_settime(CLOCK_REALTIME, &now));
	EXPECT_TRUE(daemon_samples());
	EXPECT_GT(before - 3600, daemon_ask("smimon_last_sample_timestamp_seconds"));
	machine_smis(SMIS);
	EXPECT_TRUE(agrees(_metadata, self));
	now.tv_sec += 7200;
	ASSERT_EQ(0, clock_settime(CLOCK_REALTIME, &now));
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, daemon_ask("smimon_failed_samples_total"));
	EXPECT_TRUE(isnan(daemon_ask(LOST("records out of order"))));
}

/* Whoever sets the policy to "off" is heeded, and the hold comes back when it is lifted. */
TEST_F_TIMEOUT(smimond, policy_off_meanwhile, 300)
{
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	EXPECT_EQ(-EBUSY, nl_set_policy(&nl, SMIMON_FREEZE_POLICY_OFF));
	EXPECT_EQ(0, daemon_stop(self->pid, SIGTERM));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
	EXPECT_EQ(0, nl_set_policy(&nl, SMIMON_FREEZE_POLICY_OFF));
	self->pid = daemon_start("");
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, nl_ask(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS));
	EXPECT_TRUE(daemon_said("going on without it"));
	EXPECT_EQ(0, nl_set_policy(&nl, SMIMON_FREEZE_POLICY_AUTO));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 1));
	nl_close(&nl);
}

TEST_F_TIMEOUT(smimond, killed, 300)
{
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	EXPECT_EQ(1, nl_ask(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(SIGKILL, daemon_stop(self->pid, SIGKILL));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
	nl_close(&nl);
	self->pid = daemon_start("");
}

#define CONF	"/tmp/smimon.conf"

static bool configure(const char *text)
{
	FILE *file = fopen(CONF, "we");

	if (!file)
		return false;
	fputs(text, file);
	return !fclose(file);
}

TEST_F_TIMEOUT(smimond, settings_read_again, 300)
{
	EXPECT_EQ(0, daemon_stop(self->pid, SIGTERM));
	ASSERT_TRUE(configure("listen = 127.0.0.1:9764\nhistory-days = 3\n"));
	self->pid = daemon_start("-c " CONF);
	EXPECT_TRUE(daemon_samples());

	/* The command line's interval goes before the file's. */
	ASSERT_TRUE(configure("interval = 200\ncpus = 0\n"));
	ASSERT_EQ(0, kill(self->pid, SIGHUP));
	EXPECT_TRUE(daemon_becomes("smimon_module_connects_total", 2));
	EXPECT_TRUE(daemon_samples());
	EXPECT_TRUE(isnan(of_cpu("smimon_busy_ratio", 1)));
	EXPECT_FALSE(isnan(of_cpu("smimon_busy_ratio", 0)));
	EXPECT_EQ(0.1, daemon_ask("smimon_sample_interval_seconds"));

	ASSERT_TRUE(configure("cpus = 1\n\nfreeze = maybe\n"));
	ASSERT_EQ(0, kill(self->pid, SIGHUP));
	EXPECT_TRUE(daemon_samples());
	EXPECT_TRUE(daemon_samples());
	EXPECT_TRUE(daemon_said("line 3: bad value 'maybe' of 'freeze': it takes yes or no"));
	EXPECT_EQ(2, daemon_ask("smimon_module_connects_total"));
}

TEST_HARNESS_MAIN
