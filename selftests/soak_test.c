// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thousands of snapshots while CPUs come and go, SMIs strike and holders are killed: what the valid
 * intervals say SMIs cost is what they did, and each other interval has its reason. All SMIs here
 * are of one length, so that how many fell into an interval tells what they cost there. How many
 * snapshots can be said on the kernel's command line: smimon_soak=N.
 */
#include "kselftest_harness.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "machine.h"
#include "nl.h"
#include "smimon_metric.h"
#include "truth.h"

#define SNAPSHOTS	10000

/* In how many snapshots each happens once, so that none is alone with the machine. */
#define HOTPLUG_EACH	50
#define SMI_EACH	5
#define KILL_EACH	50

#define SMI_CYCLES	150000
#define OFF		0.0001

#define REASONS		(SMIMON_MISSING_QUIET + 1)

/**
 * struct shared - what the processes tell each other
 * @stop: it is enough
 * @wanted: how many snapshots are enough
 * @snapshots: taken
 * @hotplugs: CPUs that went and came back
 * @smis: SMIs raised
 * @kills: holders killed
 */
struct shared {
	atomic_bool stop;
	unsigned int wanted;
	atomic_uint snapshots;
	atomic_uint hotplugs;
	atomic_uint smis;
	atomic_uint kills;
};

/**
 * struct sum - what became of a CPU's intervals
 * @smis: SMIs in those whose cost is known
 * @cycles: what they cost
 * @other_smis: SMIs in the others
 * @intervals: by why the cost is not known, how many
 */
struct sum {
	uint64_t smis;
	double cycles;
	uint64_t other_smis;
	unsigned int intervals[REASONS];
};

static struct shared *shared;

/* A child does one thing each so many snapshots until it is told to stop, or fails. */
static pid_t start(int (*once)(void), atomic_uint *done, unsigned int each)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	while (!atomic_load(&shared->stop)) {
		if (atomic_load(&shared->snapshots) / each <= atomic_load(done)) {
			usleep(100);
			continue;
		}
		if (once())
			_exit(1);
		atomic_fetch_add(done, 1);
	}
	_exit(0);
}

static int hotplug(void)
{
	unsigned int cpu = 1 + atomic_load(&shared->hotplugs) % (machine_cpus() - 1);

	return machine_set_online(cpu, false) || machine_set_online(cpu, true);
}

/* Real ones, which take the other CPUs along, and injected ones in turn. */
static int smi(void)
{
	static uint64_t length;

	if (!length) {
		uint64_t before = machine_rdmsr(0, TRUTH_SMM_CYCLES);

		machine_smis(1);
		length = machine_rdmsr(0, TRUTH_SMM_CYCLES) - before;
	} else if (atomic_load(&shared->smis) % 2) {
		machine_smis(1);
	} else {
		machine_wrmsr(0, TRUTH_INJECT_ALL, length);
	}
	return 0;
}

static int hold_and_be_killed(void)
{
	pid_t pid = fork();
	struct nl nl;
	int status;

	if (!pid) {
		if (nl_open(&nl) || nl_count(&nl) || nl_do(&nl, SMIMON_CMD_FREEZE_HOLD, NULL))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status);
}

static bool enough(void)
{
	return atomic_load(&shared->snapshots) >= shared->wanted &&
	       atomic_load(&shared->hotplugs) >= shared->wanted / HOTPLUG_EACH &&
	       atomic_load(&shared->smis) >= shared->wanted / SMI_EACH &&
	       atomic_load(&shared->kills) >= shared->wanted / KILL_EACH;
}

/* The last record of each CPU stays for the next that it is compared with. */
static void add_interval(struct sum *sum, struct smimon_record *last,
			 const struct smimon_record *now, bool lasted)
{
	uint32_t smis = now->smi_count - last->smi_count;
	struct smimon_delta d;

	if (!now->size) {
		sum->intervals[SMIMON_MISSING_OFFLINE]++;
		return;
	}
	smimon_delta_compute(&d, lasted ? last : NULL, now, 0);
	sum->intervals[d.smm_cycles.missing]++;
	if (d.smm_cycles.missing) {
		sum->other_smis += smis;
	} else {
		sum->smis += smis;
		sum->cycles += d.smm_cycles.real;
	}
	*last = *now;
}

FIXTURE(soak) {
	struct nl nl;
	struct smimon_record last[NL_CPUS], before[NL_CPUS], now[NL_CPUS];
	struct sum sum[NL_CPUS];
	uint64_t smis[NL_CPUS], smm[NL_CPUS];
};

FIXTURE_SETUP(soak)
{
	machine_perf_freeze(false);
	machine_wrmsr(0, TRUTH_REAL_SMI_CYCLES, SMI_CYCLES);
	machine_wrmsr(0, TRUTH_RENDEZVOUS, 1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	ASSERT_NE(MAP_FAILED, shared);
	shared->wanted = machine_number("smimon_soak", SNAPSHOTS);
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
}

FIXTURE_TEARDOWN(soak)
{
	nl_close(&self->nl);
	machine_perf_freeze(true);
}

static void print_reasons(struct __test_metadata *_metadata, unsigned int cpu,
			  const struct sum *sum)
{
	int why;

	for (why = 0; why < REASONS; why++)
		if (sum->intervals[why])
			TH_LOG("CPU %u: %u intervals %s", cpu, sum->intervals[why],
			       why ? smimon_missing_text(why) : "valid");
}

TEST_F_TIMEOUT(soak, everything_at_once, 580)
{
	const pid_t pid[] = {
		start(hotplug, &shared->hotplugs, HOTPLUG_EACH),
		start(smi, &shared->smis, SMI_EACH),
		start(hold_and_be_killed, &shared->kills, KILL_EACH),
	};
	unsigned int cpu, cpus = machine_cpus(), snapshots, i;
	int status;

	for (cpu = 0; cpu < cpus; cpu++) {
		self->smis[cpu] = machine_rdmsr(cpu, TRUTH_SMIS);
		self->smm[cpu] = machine_rdmsr(cpu, TRUTH_SMM_CYCLES);
	}
	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->before));
	memcpy(self->last, self->before, sizeof(self->last));
	/* They wait for this. */
	for (snapshots = 1; !atomic_load(&shared->stop); snapshots++) {
		atomic_store(&shared->snapshots, snapshots);
		if (enough()) {
			atomic_store(&shared->stop, true);
			for (i = 0; i < ARRAY_SIZE(pid); i++) {
				ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
				EXPECT_EQ(0, status) {
					TH_LOG("disturber %u failed", i);
				}
			}
		}
		ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->now));
		for (cpu = 0; cpu < cpus; cpu++)
			add_interval(&self->sum[cpu], &self->last[cpu], &self->now[cpu],
				     self->before[cpu].size);
		memcpy(self->before, self->now, sizeof(self->before));
	}
	snapshots--;
	TH_LOG("%u snapshots, %u hotplugs, %u SMIs, %u kills", snapshots,
	       atomic_load(&shared->hotplugs), atomic_load(&shared->smis),
	       atomic_load(&shared->kills));

	for (cpu = 0; cpu < cpus; cpu++) {
		struct sum *sum = &self->sum[cpu];
		uint64_t smis = machine_rdmsr(cpu, TRUTH_SMIS) - self->smis[cpu];
		double length = (double)(machine_rdmsr(cpu, TRUTH_SMM_CYCLES) - self->smm[cpu]) /
				smis;

		print_reasons(_metadata, cpu, sum);
		TH_LOG("CPU %u: %llu SMIs of %.0f cycles known, %+.0f cycles, %llu in other intervals",
		       cpu, (unsigned long long)sum->smis, length,
		       sum->cycles - sum->smis * length, (unsigned long long)sum->other_smis);
		EXPECT_EQ(atomic_load(&shared->smis), smis);
		EXPECT_EQ(round(length), length);
		EXPECT_EQ(smis, sum->smis + sum->other_smis);
		EXPECT_LT(smis / 2, sum->smis);
		EXPECT_LT(snapshots / 2, sum->intervals[SMIMON_MISSING_NOTHING]);
		EXPECT_TRUE(fabs(sum->cycles / (sum->smis * length) - 1) <= OFF);
		/* What else there is to be said of these intervals. */
		EXPECT_EQ(snapshots, sum->intervals[SMIMON_MISSING_NOTHING] +
			  sum->intervals[SMIMON_MISSING_OFFLINE] +
			  sum->intervals[SMIMON_MISSING_NEW] +
			  sum->intervals[SMIMON_MISSING_EPOCH] +
			  sum->intervals[SMIMON_MISSING_TORN]);
		EXPECT_EQ(!cpu, !sum->intervals[SMIMON_MISSING_OFFLINE] &&
			  !sum->intervals[SMIMON_MISSING_EPOCH]);
	}
}

TEST_HARNESS_MAIN
