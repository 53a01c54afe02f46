// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module says of each kind of machine, and that what is not there is never a number.
 * The kind comes in SMIMON_PROFILE.
 */
#include "kselftest_harness.h"

#include <math.h>

#include "json_lines.h"
#include "machine.h"
#include "nl.h"

#define COUNTERS	(SMIMON_COUNTER_DEBUGCTL + 1)

#define R(reason)	SMIMON_REASON_##reason

/**
 * struct profile - a kind of machine
 * @name: its name
 * @reason: of each counter, why it is not there
 * @reason_odd: on CPUs with an odd number, if it is not there for another reason than on CPU 0
 * @smi_on_cpu0: CPU 0 has an SMI_COUNT all the same, since the firmware's own SMIs moved it
 * @numbers: the keys of stat that are numbers on CPU 0 after an undisturbed run
 * @numbers_odd: on CPU 1, if they are others
 * @hold: what a hold is answered with
 */
struct profile {
	const char *name;
	unsigned int reason[COUNTERS];
	unsigned int reason_odd[COUNTERS];
	bool smi_on_cpu0;
	const char *numbers[12];
	const char *numbers_odd[12];
	int hold;
};

static const struct profile profiles[] = {
	{
		.name = "intel",
		.reason = {
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
		},
		.numbers = { "smi", "smi_cycles_percent", "smm_cycles", "smm_usec",
			     "smm_wall_percent", "bzy_mhz", "busy_percent", "avg_mhz" },
	}, {
		.name = "intel-nofreeze",
		.reason = {
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
			[SMIMON_COUNTER_DEBUGCTL] = R(NO_FREEZE_BIT),
		},
		.numbers = { "smi", "bzy_mhz", "busy_percent", "avg_mhz" },
		.hold = -EOPNOTSUPP,
	}, {
		.name = "intel-uneven",
		.reason = {
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
		},
		.reason_odd = {
			[SMIMON_COUNTER_APERF] = R(STUCK),
			[SMIMON_COUNTER_SMI_COUNT] = R(STUCK),
			[SMIMON_COUNTER_DEBUGCTL] = R(NO_FREEZE_BIT),
		},
		.numbers = { "smi", "smi_cycles_percent", "smm_cycles", "smm_usec",
			     "smm_wall_percent", "bzy_mhz", "busy_percent", "avg_mhz" },
		.numbers_odd = { "busy_percent" },
	}, {
		.name = "knl",
		.reason = {
			[SMIMON_COUNTER_APERF] = R(SCALED),
			[SMIMON_COUNTER_MPERF] = R(SCALED),
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
		},
		.numbers = { "smi" },
	}, {
		.name = "amd-zen3",
		.reason = {
			[SMIMON_COUNTER_DEBUGCTL] = R(VENDOR),
		},
		.numbers = { "smi", "bzy_mhz", "busy_percent", "avg_mhz", "ipc" },
		.hold = -EOPNOTSUPP,
	}, {
		.name = "amd-zen1",
		.reason = {
			[SMIMON_COUNTER_IRPERF] = R(ERRATUM),
			[SMIMON_COUNTER_SMI_COUNT] = R(VENDOR),
			[SMIMON_COUNTER_DEBUGCTL] = R(VENDOR),
		},
		.numbers = { "bzy_mhz", "busy_percent", "avg_mhz" },
		.hold = -EOPNOTSUPP,
	}, {
		.name = "hypervisor",
		.reason = {
			[SMIMON_COUNTER_APERF] = R(STUCK),
			[SMIMON_COUNTER_MPERF] = R(STUCK),
			[SMIMON_COUNTER_CYCLES] = R(NO_PMU),
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
			[SMIMON_COUNTER_SMI_COUNT] = R(STUCK),
			[SMIMON_COUNTER_DEBUGCTL] = R(NO_CPUID),
		},
		.hold = -EOPNOTSUPP,
	}, {
		.name = "stock",
		.reason = {
			[SMIMON_COUNTER_APERF] = R(NO_CPUID),
			[SMIMON_COUNTER_MPERF] = R(NO_CPUID),
			[SMIMON_COUNTER_CYCLES] = R(NO_PMU),
			[SMIMON_COUNTER_IRPERF] = R(VENDOR),
			[SMIMON_COUNTER_SMI_COUNT] = R(STUCK),
			[SMIMON_COUNTER_DEBUGCTL] = R(NO_CPUID),
		},
		.smi_on_cpu0 = true,
		.numbers = { "smi" },
		.hold = -EOPNOTSUPP,
	},
};

static const char *const all_numbers[] = {
	"smi", "smi_cycles_percent", "smm_cycles", "smm_usec", "usec_per_smi",
	"smm_wall_percent", "bzy_mhz", "busy_percent", "avg_mhz", "ipc",
};

static const struct profile *this_profile(void)
{
	const char *name = getenv("SMIMON_PROFILE");
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	ksft_exit_fail_msg("unknown profile %s\n", name ? name : "");
}

static bool is_number(const struct profile *profile, unsigned int cpu, const char *key)
{
	const char *const *numbers = cpu % 2 && profile->numbers_odd[0] ? profile->numbers_odd :
									  profile->numbers;

	for (; *numbers; numbers++)
		if (!strcmp(*numbers, key))
			return true;
	return false;
}

static unsigned int reason_of(const struct profile *profile, unsigned int cpu, unsigned int i)
{
	if (!cpu && profile->smi_on_cpu0 && i == SMIMON_COUNTER_SMI_COUNT)
		return R(AVAILABLE);
	if (cpu % 2 && profile->reason_odd[i])
		return profile->reason_odd[i];
	return profile->reason[i];
}

static bool has_any(const struct profile *profile, unsigned int cpu)
{
	unsigned int i;

	for (i = SMIMON_COUNTER_TSC + 1; i < COUNTERS; i++)
		if (reason_of(profile, cpu, i) == R(AVAILABLE))
			return true;
	return false;
}

FIXTURE(profile) {
	const struct profile *is;
	struct nl nl;
	struct machine_output run;
	struct json_lines lines;
};

FIXTURE_SETUP(profile)
{
	self->is = this_profile();
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(profile)
{
	json_lines_free(&self->lines);
	nl_close(&self->nl);
}

TEST_F(profile, counters_and_reasons)
{
	unsigned int reasons[NL_CPUS][COUNTERS], cpu, i;

	ASSERT_EQ(machine_cpus(), nl_caps(&self->nl, reasons));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		for (i = 0; i < COUNTERS; i++) {
			EXPECT_EQ(reason_of(self->is, cpu, i), reasons[cpu][i])
				TH_LOG("CPU %u, counter %u", cpu, i);
		}
	}
}

TEST_F(profile, record_holds_what_is_there_and_0_else)
{
	struct smimon_record rec = {};
	unsigned int valid = 0, i;
	int err;

	for (i = 0; i < COUNTERS; i++)
		if (reason_of(self->is, 1, i) == R(AVAILABLE))
			valid |= 1u << i;
	ASSERT_EQ(0, nl_count(&self->nl));
	err = nl_snapshot(&self->nl, 1, &rec);
	if (!has_any(self->is, 1)) {
		EXPECT_EQ(-EOPNOTSUPP, err);
		EXPECT_STREQ("no CPU asked for has any of the counters", self->nl.extack);
		return;
	}
	ASSERT_EQ(0, err);
	EXPECT_EQ(valid, rec.valid);
	EXPECT_EQ(!(valid & 1u << SMIMON_COUNTER_APERF), !rec.aperf);
	EXPECT_EQ(!(valid & 1u << SMIMON_COUNTER_MPERF), !rec.mperf);
	EXPECT_EQ(!(valid & 1u << SMIMON_COUNTER_CYCLES), !rec.cycles);
	EXPECT_EQ(!(valid & 1u << SMIMON_COUNTER_IRPERF), !rec.irperf);
	EXPECT_EQ(!(valid & 1u << SMIMON_COUNTER_DEBUGCTL), !rec.freeze_epoch);
}

TEST_F(profile, hold)
{
	EXPECT_EQ(self->is->hold, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ(self->is->hold ? "no CPU has FREEZE_WHILE_SMM" : "", self->nl.extack);
}

/* What a user is told of a counter, by what the module said of it. */
static const char *const explains[] = {
	[R(AVAILABLE)]		= NULL,
	[R(NO_CPUID)]		= "(CPUID)",
	[R(STUCK)]		= "does not count",
	[R(VENDOR)]		= "vendor",
	[R(ERRATUM)]		= "erratum 1054",
	[R(NO_PMU)]		= "no PMU driver",
	[R(NO_FREEZE_BIT)]	= "cannot freeze",
	[R(SCALED)]		= "other units",
};

static const char *const names[COUNTERS] = {
	"tsc", "aperf", "mperf", "cycles", "irperf", "smi_count", "debugctl",
};

static void expect_explained(struct __test_metadata *_metadata, struct json_object *counter,
			     unsigned int reason, const char *name)
{
	struct json_object *available;

	ASSERT_TRUE(json_object_object_get_ex(counter, "available", &available));
	EXPECT_EQ(reason == R(AVAILABLE), json_object_get_boolean(available)) {
		TH_LOG("%s", name);
	}
	if (reason == R(AVAILABLE)) {
		EXPECT_STREQ("", json_text(counter, "reason"));
		return;
	}
	ASSERT_NE(NULL, explains[reason]);
	EXPECT_NE(NULL, strstr(json_text(counter, "reason"), explains[reason])) {
		TH_LOG("%s: %s", name, json_text(counter, "reason"));
	}
}

TEST_F(profile, status_explains)
{
	struct json_object *cpus, *counters, *counter;
	unsigned int cpu, i;

	machine_run("smimon status", &self->run);
	EXPECT_EQ(0, self->run.status);
	EXPECT_STREQ("", self->run.err);
	for (i = 0; i < COUNTERS; i++) {
		const char *why = explains[reason_of(self->is, 0, i)];

		EXPECT_NE(NULL, strstr(self->run.out, why ? why : "available"));
	}
	machine_run("smimon status -j", &self->run);
	EXPECT_EQ(0, self->run.status);
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	ASSERT_EQ(1, self->lines.count);
	ASSERT_TRUE(json_object_object_get_ex(self->lines.object[0], "cpus", &cpus));
	ASSERT_EQ(machine_cpus(), json_object_array_length(cpus));
	for (cpu = 0; cpu < machine_cpus(); cpu++) {
		ASSERT_TRUE(json_object_object_get_ex(json_object_array_get_idx(cpus, cpu),
						      "counters", &counters));
		for (i = 0; i < COUNTERS; i++) {
			ASSERT_TRUE(json_object_object_get_ex(counters, names[i], &counter));
			expect_explained(_metadata, counter, reason_of(self->is, cpu, i), names[i]);
		}
	}
}

static void expect_numbers(struct __test_metadata *_metadata, const struct profile *profile,
			   struct json_lines *lines, unsigned int cpu)
{
	struct json_object *line = json_lines_cpu(lines, cpu, 0);
	size_t i;

	ASSERT_NE(NULL, line);
	for (i = 0; i < ARRAY_SIZE(all_numbers); i++) {
		const char *key = all_numbers[i];

		EXPECT_EQ(is_number(profile, cpu, key), !isnan(json_number(line, key))) {
			TH_LOG("CPU %u: %s", cpu, key);
		}
		EXPECT_EQ(is_number(profile, cpu, key), !json_is_null(line, key)) {
			TH_LOG("CPU %u: %s", cpu, key);
		}
	}
	EXPECT_EQ(is_number(profile, cpu, "smm_cycles"), json_is_null(line, "reason")) {
		TH_LOG("CPU %u: %s", cpu, json_text(line, "reason"));
	}
}

TEST_F(profile, stat_has_numbers_or_null)
{
	machine_run("smimon stat -j -A -- true", &self->run);
	if (!has_any(self->is, 0)) {
		EXPECT_EQ(1, self->run.status);
		EXPECT_NE(NULL, strstr(self->run.err, "no CPU asked for has any of the counters"))
			TH_LOG("%s", self->run.err);
		return;
	}
	ASSERT_EQ(0, self->run.status) TH_LOG("%s", self->run.err);
	ASSERT_TRUE(json_lines_parse(self->run.out, &self->lines));
	expect_numbers(_metadata, self->is, &self->lines, 0);
	if (!self->is->smi_on_cpu0)
		expect_numbers(_metadata, self->is, &self->lines, 1);
}

TEST_F(profile, unloads_and_loads_again)
{
	int i;

	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, machine_unload());
		ASSERT_EQ(0, machine_load());
	}
}

TEST_HARNESS_MAIN
