// SPDX-License-Identifier: GPL-2.0-only
/*
 * smimond as a host runs it: started by systemd from the unit that is installed, scraped by a real
 * Prometheus, its entries in the journal. The truth is the emulated machine's.
 */
#include "kselftest_harness.h"

#include <ctype.h>
#include <math.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "daemon.h"
#include "machine.h"
#include "nl.h"
#include "truth.h"

#define PROMETHEUS_PORT	9090
#define SMIS		20
#define SMI_CYCLES	150000
#define OFF		0.001
#define STEP_US		200000
#define STEPS		(180 * 1000000 / STEP_US)
#define DROP_IN		"/run/systemd/system/smimond.service.d"
#define SOCKET		"/run/smimond.sock"
#define FIRING		"count(ALERTS{alertname=\"SmiRateHigh\",alertstate=\"firing\"})"
#define CAPABILITIES	((1ull << 12) | (1ull << 17))	/* CAP_NET_ADMIN, CAP_SYS_RAWIO */

FIXTURE(host) {
	uint64_t smis[NL_CPUS], smm[NL_CPUS];
};

/* Return: the status of a shell command, which says on standard error what it has to say. */
static int run(const char *command)
{
	static struct machine_output done;

	machine_run(command, &done);
	if (done.status)
		fprintf(stderr, "# %s: %d: %s%s\n", command, done.status, done.out, done.err);
	return done.status;
}

/* A number that a command prints. */
static long number(const char *command)
{
	static struct machine_output done;

	machine_run(command, &done);
	return strtol(done.out, NULL, 10);
}

static bool becomes(const char *command)
{
	static struct machine_output done;
	int step;

	for (step = 0; step < STEPS; step++) {
		machine_run(command, &done);
		if (!done.status)
			return true;
		usleep(STEP_US);
	}
	fprintf(stderr, "# does not become true: %s: %s%s\n", command, done.out, done.err);
	return false;
}

static void encode(char *to, const char *text)
{
	for (; *text; text++)
		to += sprintf(to, isalnum((unsigned char)*text) ? "%c" : "%%%02X",
			      (unsigned char)*text);
	*to = '\0';
}

/* What Prometheus says a query's one value is now; not a number if it has none. */
static double query(const char *text)
{
	static char page[DAEMON_PAGE];
	char path[1024] = "/api/v1/query?query=";
	const char *value;
	double number;

	encode(path + strlen(path), text);
	if (daemon_get_at(PROMETHEUS_PORT, path, page) != 200)
		return NAN;
	value = strstr(page, "\"value\":[");
	return value && sscanf(value, "\"value\":[%*[^,],\"%lf\"", &number) == 1 ? number : NAN;
}

static double query_cpu(const char *name, unsigned int cpu)
{
	char text[128];

	snprintf(text, sizeof(text), "%s{cpu=\"%u\"}", name, cpu);
	return query(text);
}

static bool query_becomes(const char *text, double least)
{
	int step;

	for (step = 0; step < STEPS; step++) {
		if (query(text) >= least)
			return true;
		usleep(STEP_US);
	}
	fprintf(stderr, "# Prometheus has %g for %s, not %g\n", query(text), text, least);
	return false;
}

/* Wait until what Prometheus has is of a snapshot that began after now. */
static bool scraped(void)
{
	return daemon_samples() &&
	       query_becomes("smimon_samples_total", daemon_ask("smimon_samples_total"));
}

FIXTURE_SETUP(host)
{
	unsigned int cpu;

	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	ASSERT_EQ(0, run("systemctl start smimond"));
	ASSERT_TRUE(daemon_becomes("smimon_intervals_total{cpu=\"0\"}", 1));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		self->smis[cpu] = machine_rdmsr(cpu, TRUTH_SMIS);
		self->smm[cpu] = machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	}
}

FIXTURE_TEARDOWN(host)
{
	EXPECT_EQ(0, run("systemctl stop smimond"));
}

TEST_F_TIMEOUT(host, is_active_with_few_rights, 300)
{
	static struct machine_output done;
	const char *uid, *capabilities;

	EXPECT_EQ(0, run("systemctl is-active smimond"));
	machine_run("cat /proc/$(systemctl show -P MainPID smimond)/status", &done);
	uid = strstr(done.out, "\nUid:\t");
	capabilities = strstr(done.out, "\nCapEff:\t");
	ASSERT_TRUE(uid && capabilities);
	EXPECT_LT(0, atoi(uid + 6));
	EXPECT_EQ(CAPABILITIES, strtoull(capabilities + 9, NULL, 16));
	machine_run("systemctl show -P StatusText smimond", &done);
	TH_LOG("status: %s", done.out);
	EXPECT_LT(1, strlen(done.out));
}

TEST_F_TIMEOUT(host, prometheus_agrees_with_the_truth, 600)
{
	unsigned int cpu;
	int i;

	EXPECT_TRUE(query_becomes("up{job=\"smimon\"}", 1));
	for (i = 0; i < 5; i++) {
		daemon_smis(number("systemctl show -P MainPID smimond"), SMIS / 5);
		EXPECT_TRUE(daemon_samples());
	}
	EXPECT_TRUE(scraped());
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		double smis = machine_rdmsr(cpu, TRUTH_SMIS) - self->smis[cpu];
		double smm = machine_rdmsr(cpu, TRUTH_SMM_CYCLES) - self->smm[cpu];

		TH_LOG("CPU %u: %g of %g SMIs, %g of %g cycles", cpu,
		       query_cpu("smimon_smi_total", cpu), smis,
		       query_cpu("smimon_smm_cycles_total", cpu), smm);
		EXPECT_LE(SMIS, smis);
		EXPECT_EQ(smis, query_cpu("smimon_smi_total", cpu));
		EXPECT_LE(fabs(query_cpu("smimon_smm_cycles_total", cpu) - smm), OFF * smm);
	}
	EXPECT_EQ(SMIS, query("smimon_machine_smi_total"));
	EXPECT_EQ(SMIS, query("smimon_smi_duration_seconds_bucket{le=\"+Inf\"}"));
}

TEST_F_TIMEOUT(host, alert_fires_and_resolves, 600)
{
	int step;

	EXPECT_TRUE(query_becomes("up{job=\"smimon\"}", 1));
	/* The SMIs of other tests may be just now too many. */
	for (step = 0; step < STEPS && query(FIRING) > 0; step++)
		usleep(STEP_US);
	EXPECT_TRUE(isnan(query(FIRING)));
	for (step = 0; step < STEPS && !(query(FIRING) > 0); step++) {
		machine_smis(2);
		usleep(STEP_US);
	}
	EXPECT_EQ(1, query(FIRING));
	for (step = 0; step < STEPS && query(FIRING) > 0; step++)
		usleep(STEP_US);
	EXPECT_TRUE(isnan(query(FIRING)));
	EXPECT_EQ(1, query("up{job=\"smimon\"}"));
}

TEST_F_TIMEOUT(host, journal_has_fields_and_help, 300)
{
	static struct machine_output done;
	const char *smi, *cpu, *usec;

	EXPECT_EQ(0, run("journalctl --update-catalog"));
	machine_smis(SMIS);
	EXPECT_TRUE(daemon_samples());
	EXPECT_TRUE(becomes("journalctl -q -u smimond -o json MESSAGE_ID=37df4f1d4d814dddb6aed8acdb63df2e "
			    "| grep -q SMIMON_SMI"));
	machine_run("journalctl -q -u smimond -o json -n 1 "
		    "MESSAGE_ID=37df4f1d4d814dddb6aed8acdb63df2e", &done);
	smi = strstr(done.out, "\"SMIMON_SMI\":\"");
	cpu = strstr(done.out, "\"SMIMON_CPU\":\"");
	usec = strstr(done.out, "\"SMIMON_USEC\":\"");
	ASSERT_TRUE(smi && cpu && usec);
	EXPECT_LT(0, atoi(smi + 14));
	EXPECT_GT(machine_cpus(), atoi(cpu + 14));
	EXPECT_LT(0, atof(usec + 15));
	machine_run("journalctl -q -x -u smimond -n 1 "
		    "MESSAGE_ID=37df4f1d4d814dddb6aed8acdb63df2e", &done);
	EXPECT_NE(NULL, strstr(done.out, "System management interrupts stopped the CPUs"));
	EXPECT_NE(NULL, strstr(done.out, "SMIs struck"));
}

TEST_F_TIMEOUT(host, history_is_reported, 300)
{
	static struct machine_output done;

	machine_smis(SMIS);
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, run("systemctl stop smimond"));
	machine_run("smimon report -j --since 1h", &done);
	TH_LOG("%s%s", done.out, done.err);
	EXPECT_EQ(0, done.status);
	EXPECT_NE(NULL, strstr(done.out, "\"cpu\":1,\"smi\":"));
	EXPECT_EQ(0, run("test \"$(stat -c %U /var/lib/private/smimon/history.db)\" != root"));
}

TEST_F_TIMEOUT(host, reload, 300)
{
	long pid = number("systemctl show -P MainPID smimond");

	ASSERT_EQ(0, run("cp /etc/smimon.conf /run/smimon.conf && "
			 "echo 'interval = 200' >>/etc/smimon.conf && systemctl reload smimond"));
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0.2, daemon_ask("smimon_sample_interval_seconds"));
	EXPECT_EQ(pid, number("systemctl show -P MainPID smimond"));
	ASSERT_EQ(0, run("mv /run/smimon.conf /etc/smimon.conf && systemctl reload smimond"));
}

/* What stands still is ended and started again. */
TEST_F_TIMEOUT(host, watchdog, 300)
{
	ASSERT_EQ(0, run("systemctl stop smimond && mkdir -p " DROP_IN " && printf "
			 "'[Service]\\nWatchdogSec=5\\nRestartSec=100ms\\nTimeoutAbortSec=1\\n' >"
			 DROP_IN "/test.conf && systemctl daemon-reload && "
			 "systemctl start smimond"));
	ASSERT_EQ(0, run("systemctl kill -s STOP smimond"));
	EXPECT_TRUE(becomes("test $(systemctl show -P NRestarts smimond) -ge 1 && "
			    "systemctl -q is-active smimond"));
	EXPECT_TRUE(daemon_samples());
	EXPECT_EQ(0, run("systemctl stop smimond && rm -r " DROP_IN " && "
			 "systemctl daemon-reload"));
}

static int connect_socket(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = SOCKET };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return -1;
	return fd;
}

/* The socket is systemd's; who connects to it starts the daemon. */
TEST_F_TIMEOUT(host, socket_activation, 300)
{
	static char page[DAEMON_PAGE];
	int fd;

	ASSERT_EQ(0, run("systemctl stop smimond && mkdir -p /run/systemd/system/smimond.socket.d && "
			 "printf '[Socket]\\nListenStream=\\nListenStream=" SOCKET "\\n' >"
			 "/run/systemd/system/smimond.socket.d/test.conf && "
			 "systemctl daemon-reload && systemctl start smimond.socket"));
	EXPECT_NE(0, run("systemctl -q is-active smimond"));
	fd = connect_socket();
	ASSERT_LE(0, fd);
	EXPECT_EQ(200, daemon_talk(fd, "/metrics", NULL, page));
	EXPECT_EQ(1, daemon_value(page, "smimon_module_connected"));
	EXPECT_EQ(0, run("systemctl -q is-active smimond"));
	EXPECT_EQ(0, daemon_get("/", NULL, page));
	EXPECT_EQ(0, run("systemctl stop smimond.socket smimond && "
			 "rm -r /run/systemd/system/smimond.socket.d && systemctl daemon-reload"));
}

/* An end gives back all that was taken. */
TEST_F_TIMEOUT(host, stop_gives_back, 300)
{
	struct nl nl;

	ASSERT_EQ(0, nl_open(&nl));
	EXPECT_EQ(1, nl_ask(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS));
	EXPECT_EQ(0, run("systemctl stop smimond"));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_FREEZE_GET, SMIMON_A_FREEZE_HOLDS, 0));
	EXPECT_TRUE(nl_becomes(&nl, SMIMON_CMD_INFO_GET, SMIMON_A_INFO_COUNTING, 0));
	nl_close(&nl);
}

TEST_HARNESS_MAIN
