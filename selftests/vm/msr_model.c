// SPDX-License-Identifier: GPL-2.0-only
#include "msr_model.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "truth.h"

#define MSR_SMI_COUNT		0x34
#define MSR_PERFCTR0		0xc1
#define MSR_PLATFORM_INFO	0xce
#define MSR_MPERF		0xe7
#define MSR_APERF		0xe8
#define MSR_EVENTSEL0		0x186
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED_CTR0		0x309
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_OVF_CTRL	0x390
#define MSR_AMD_MPERF_RO	0xc00000e7
#define MSR_AMD_APERF_RO	0xc00000e8
#define MSR_AMD_IRPERF		0xc00000e9
#define MSR_K7_EVNTSEL0		0xc0010000
#define MSR_K7_PERFCTR0		0xc0010004
#define MSR_K7_HWCR		0xc0010015

#define GP_COUNTERS		4
#define FIXED_COUNTERS		3
#define FIXED_BASE		GP_COUNTERS
#define COUNTERS		(GP_COUNTERS + FIXED_COUNTERS)
#define COUNTER_BITS		48
#define COUNTER_MASK		((1ull << COUNTER_BITS) - 1)
#define FIXED_INDEX		(1u << 30)

#define EVENTSEL_ENABLE		(1ull << 22)
#define EVENTSEL_EVENT		0xffffull		/* event and unit mask */
#define EVENT_INTEL_CYCLES	0x003c
#define EVENT_INTEL_REF_CYCLES	0x013c
#define EVENT_AMD_CYCLES	0x0076
#define EVENT_AMD_SMIS		0x002b
#define EVENT_INSTRUCTIONS	0x00c0		/* of both */

#define DEBUGCTL_FREEZE_IN_SMM	(1ull << 14)
#define PERF_CAP_SMM_FREEZE	(1ull << 12)
#define HWCR_IRPERF_EN		(1ull << 30)
#define BASE_RATIO		24ull

/* In microseconds: a longer one would be a hang. */
#define STALL_MAX		10000000u

/**
 * enum source - what a counter counts
 */
enum source {
	NOTHING,
	CYCLES,
	INSTRUCTIONS,
	REF_CYCLES,
	SMIS,
	SOURCES,
};

/**
 * struct profile - a kind of CPU
 * @name: its name
 * @amd: AMD's registers, else Intel's
 * @freeze: has FREEZE_WHILE_SMM
 * @dead: announces APERF and MPERF, has nothing
 * @uneven: each second CPU has no FREEZE_WHILE_SMM, and an APERF that stands still
 * @irperf: has IRPERF, which counts where HWCR enables it
 */
struct profile {
	const char *name;
	bool amd;
	bool freeze;
	bool dead;
	bool uneven;
	bool irperf;
};

static const struct profile profiles[] = {
	{ .name = "intel", .freeze = true },
	{ .name = "intel-nofreeze" },
	{ .name = "intel-uneven", .freeze = true, .uneven = true },
	/* What QEMU's CPU says of its model makes the difference. */
	{ .name = "knl", .freeze = true },
	{ .name = "amd-zen3", .amd = true, .irperf = true },
	/* Erratum 1054: announced, and not to be enabled. */
	{ .name = "amd-zen1", .amd = true, .irperf = true },
	{ .name = "hypervisor", .dead = true },
};

/**
 * struct cpu - one CPU
 * @extra: cycles that SMIs took besides the instructions executed
 * @smm: all cycles in SMM
 * @skipped: of these, those that the PMU did not count, and of instructions likewise
 * @smis: SMIs taken; what SMI_COUNT says is this plus @smi_count_offset
 * @entered: instructions executed when SMM was entered
 * @aperf_start: cycles when APERF was 0, at power-on
 * @aperf_offset: what writes to APERF have made of it
 * @mperf: MPERF at @mperf_cycles cycles; @mperf_rest of a unit less than a whole one more
 * @ratio: the machine's ratio, as far as this CPU has heard
 * @debugctl, @hwcr, @global_ctrl, @fixed_ctrl, @eventsel: registers
 * @counter: the PMU's, at @counted of each source
 * @irperf: likewise
 * @armed: counter reads until some are injected, << 32, | how many cycles; 0 for never
 * @storm: counter reads left, << 32, | cycles that are injected before each
 * @stall: likewise, microseconds that each takes
 */
struct cpu {
	uint64_t extra;
	uint64_t smm;
	uint64_t skipped, skipped_instructions;
	uint64_t smis;
	uint32_t smi_count_offset;
	uint64_t entered;
	uint64_t aperf_start, aperf_offset;
	uint64_t mperf, mperf_cycles, mperf_rest, mperf_offset;
	uint64_t ratio;
	uint64_t debugctl, hwcr, global_ctrl, fixed_ctrl;
	uint64_t eventsel[GP_COUNTERS];
	uint64_t counter[COUNTERS];
	uint64_t irperf;
	uint64_t counted[SOURCES];
	uint64_t armed;
	uint64_t storm;
	uint64_t stall;
};

struct model {
	const struct profile *profile;
	pthread_mutex_t lock;
	uint64_t real_smi_cycles;
	uint64_t rendezvous;
	uint64_t ratio;
	unsigned int cpus;
	struct cpu cpu[];
};

struct model *model_new(const char *name, unsigned int cpus)
{
	const struct profile *profile = NULL;
	struct model *model;
	size_t i;

	for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
		if (!strcmp(profiles[i].name, name))
			profile = &profiles[i];
	if (!profile)
		return NULL;
	model = calloc(1, sizeof(*model) + cpus * sizeof(model->cpu[0]));
	if (!model)
		return NULL;
	model->profile = profile;
	model->cpus = cpus;
	model->ratio = 1ull << 32 | 1;
	pthread_mutex_init(&model->lock, NULL);
	for (i = 0; i < cpus; i++)
		model_reset(model, i, 0);
	return model;
}

void model_free(struct model *model)
{
	pthread_mutex_destroy(&model->lock);
	free(model);
}

/* SDM: leaf 0AH. Version 2, four general and three fixed counters of 48 bits, all events. */
bool model_cpuid(const struct model *model, uint32_t leaf, struct model_cpuid *answer)
{
	const struct profile *profile = model->profile;

	memset(answer, 0, sizeof(*answer));
	switch (leaf) {
	case 1:
		if (profile->amd || profile->dead)
			return false;
		answer->reg[2] = 1u << 15;		/* PDCM */
		return true;
	case 6:
		answer->reg[2] = 1u << 0;		/* APERF and MPERF */
		return true;
	case 0xa:
		if (profile->amd || profile->dead)
			return false;
		answer->whole = true;
		answer->reg[0] = 2 | GP_COUNTERS << 8 | COUNTER_BITS << 16 | 7u << 24;
		answer->reg[3] = FIXED_COUNTERS | COUNTER_BITS << 5;
		return true;
	case 0x80000007:
		answer->reg[3] = 1u << 10;		/* read-only APERF and MPERF */
		return profile->amd;
	case 0x80000008:
		answer->reg[1] = 1u << 1;		/* IRPERF */
		return profile->amd;
	default:
		return false;
	}
}

static uint64_t cycles_at(const struct cpu *cpu, uint64_t now)
{
	return now + cpu->extra;
}

/* MPERF = cycles x den / num since the ratio was last changed, exactly. */
static uint64_t mperf_at(struct model *model, struct cpu *cpu, uint64_t now)
{
	uint64_t num = cpu->ratio >> 32, den = (uint32_t)cpu->ratio;
	uint64_t cycles = cycles_at(cpu, now) - cpu->mperf_cycles;
	uint64_t rest = cycles % num * den + cpu->mperf_rest;

	cpu->mperf += cycles / num * den + rest / num;
	cpu->mperf_rest = rest % num;
	cpu->mperf_cycles = cycles_at(cpu, now);
	if (cpu->ratio != model->ratio) {
		cpu->ratio = model->ratio;
		cpu->mperf_rest = 0;
	}
	return cpu->mperf;
}

static uint64_t aperf_at(const struct cpu *cpu, uint64_t now)
{
	return cycles_at(cpu, now) - cpu->aperf_start;
}

/* Only what is named here outlives it: what happened to the CPU, and what tests have armed. */
void model_reset(struct model *model, unsigned int which, uint64_t now)
{
	struct cpu *cpu = &model->cpu[which];

	pthread_mutex_lock(&model->lock);
	*cpu = (struct cpu) {
		.extra = cpu->extra,
		.smm = cpu->smm,
		.skipped = cpu->skipped,
		.skipped_instructions = cpu->skipped_instructions,
		.smis = cpu->smis,
		.smi_count_offset = -(uint32_t)cpu->smis,
		.aperf_start = cycles_at(cpu, now),
		.mperf_cycles = cycles_at(cpu, now),
		.ratio = model->ratio,
		.armed = cpu->armed,
		.storm = cpu->storm,
		.stall = cpu->stall,
	};
	pthread_mutex_unlock(&model->lock);
}

static enum source event_source(const struct profile *profile, uint64_t event)
{
	if (event == (profile->amd ? EVENT_AMD_CYCLES : EVENT_INTEL_CYCLES))
		return CYCLES;
	if (event == EVENT_INSTRUCTIONS)
		return INSTRUCTIONS;
	if (event == EVENT_INTEL_REF_CYCLES && !profile->amd)
		return REF_CYCLES;
	if (event == EVENT_AMD_SMIS && profile->amd)
		return SMIS;
	return NOTHING;
}

/* What a counter counts now: nothing where it is not enabled. Rings are not told apart. */
static enum source counter_source(const struct model *model, const struct cpu *cpu, unsigned int i)
{
	static const enum source fixed[FIXED_COUNTERS] = { INSTRUCTIONS, CYCLES, REF_CYCLES };
	uint64_t sel;

	if (i >= FIXED_BASE) {
		i -= FIXED_BASE;
		return cpu->global_ctrl >> (32 + i) & 1 && cpu->fixed_ctrl >> (4 * i) & 3 ?
		       fixed[i] : NOTHING;
	}
	sel = cpu->eventsel[i];
	if (!(sel & EVENTSEL_ENABLE) || (!model->profile->amd && !(cpu->global_ctrl >> i & 1)))
		return NOTHING;
	return event_source(model->profile, sel & EVENTSEL_EVENT);
}

/* Bring the counters up to now. Needed before whatever changes what they count. */
static void count(struct model *model, struct cpu *cpu, uint64_t now)
{
	uint64_t at[SOURCES] = {};
	unsigned int i;

	at[CYCLES] = cycles_at(cpu, now) - cpu->skipped;
	at[INSTRUCTIONS] = now - cpu->skipped_instructions;
	at[REF_CYCLES] = mperf_at(model, cpu, now);
	at[SMIS] = cpu->smis;
	for (i = 0; i < COUNTERS; i++) {
		enum source source = counter_source(model, cpu, i);

		cpu->counter[i] += at[source] - cpu->counted[source];
		cpu->counter[i] &= COUNTER_MASK;
	}
	if (cpu->hwcr & HWCR_IRPERF_EN)
		cpu->irperf += at[INSTRUCTIONS] - cpu->counted[INSTRUCTIONS];
	cpu->irperf &= COUNTER_MASK;
	memcpy(cpu->counted, at, sizeof(at));
}

static bool is_lesser(const struct model *model, const struct cpu *cpu)
{
	return model->profile->uneven && (cpu - model->cpu) % 2;
}

static bool can_freeze(const struct model *model, const struct cpu *cpu)
{
	return model->profile->freeze && !is_lesser(model, cpu);
}

static bool frozen_in_smm(const struct model *model, const struct cpu *cpu)
{
	return can_freeze(model, cpu) && cpu->debugctl & DEBUGCTL_FREEZE_IN_SMM;
}

/* An SMI of so many cycles, none of which is an executed instruction. */
static void inject(struct model *model, struct cpu *cpu, uint64_t cycles)
{
	cpu->smis++;
	cpu->extra += cycles;
	cpu->smm += cycles;
	if (frozen_in_smm(model, cpu))
		cpu->skipped += cycles;
}

static void inject_all(struct model *model, const struct cpu *but, uint64_t cycles)
{
	unsigned int i;

	for (i = 0; i < model->cpus; i++)
		if (&model->cpu[i] != but)
			inject(model, &model->cpu[i], cycles);
}

static void stall(uint32_t usec)
{
	struct timespec rest = { .tv_sec = usec / 1000000, .tv_nsec = usec % 1000000 * 1000l };

	while (nanosleep(&rest, &rest) && errno == EINTR)
		;
}

/* What is armed strikes before a counter is read. */
static void before_read(struct model *model, struct cpu *cpu)
{
	if (cpu->stall >> 32) {
		stall((uint32_t)cpu->stall);
		cpu->stall -= 1ull << 32;
	}
	if (cpu->storm >> 32) {
		inject(model, cpu, (uint32_t)cpu->storm);
		cpu->storm -= 1ull << 32;
	}
	if (cpu->armed >> 32) {
		cpu->armed -= 1ull << 32;
		if (cpu->armed >> 32)
			return;
		inject(model, cpu, (uint32_t)cpu->armed);
		cpu->armed = 0;
	}
}

void model_smm_enter(struct model *model, unsigned int which, uint64_t now)
{
	struct cpu *cpu = &model->cpu[which];

	pthread_mutex_lock(&model->lock);
	cpu->entered = now;
	cpu->smis++;
	pthread_mutex_unlock(&model->lock);
}

void model_smm_leave(struct model *model, unsigned int which, uint64_t now)
{
	struct cpu *cpu = &model->cpu[which];
	uint64_t executed, cycles;

	pthread_mutex_lock(&model->lock);
	executed = now - cpu->entered;
	cycles = executed + model->real_smi_cycles;
	cpu->extra += model->real_smi_cycles;
	cpu->smm += cycles;
	if (frozen_in_smm(model, cpu)) {
		cpu->skipped += cycles;
		cpu->skipped_instructions += executed;
	}
	if (model->rendezvous)
		inject_all(model, cpu, cycles);
	pthread_mutex_unlock(&model->lock);
}

static bool read_counter(struct model *model, struct cpu *cpu, uint64_t now, unsigned int i,
			 uint64_t *val)
{
	before_read(model, cpu);
	count(model, cpu, now);
	*val = cpu->counter[i];
	return true;
}

static bool read_truth(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		       uint64_t *val)
{
	switch (msr) {
	case TRUTH_IDENT:
		*val = TRUTH_MAGIC;
		return true;
	case TRUTH_CYCLES:
		*val = cycles_at(cpu, now);
		return true;
	case TRUTH_SMM_CYCLES:
		*val = cpu->smm;
		return true;
	case TRUTH_SKIPPED_CYCLES:
		*val = cpu->skipped;
		return true;
	case TRUTH_SMIS:
		*val = cpu->smis;
		return true;
	case TRUTH_INJECT:
	case TRUTH_INJECT_ALL:
	case TRUTH_SET_SMI_COUNT:
		*val = 0;
		return true;
	case TRUTH_INJECT_AT:
		*val = cpu->armed;
		return true;
	case TRUTH_STORM:
		*val = cpu->storm;
		return true;
	case TRUTH_STALL:
		*val = cpu->stall;
		return true;
	case TRUTH_REAL_SMI_CYCLES:
		*val = model->real_smi_cycles;
		return true;
	case TRUTH_RENDEZVOUS:
		*val = model->rendezvous;
		return true;
	case TRUTH_RATIO:
		*val = model->ratio;
		return true;
	default:
		return false;
	}
}

static bool write_truth(struct model *model, struct cpu *cpu, uint32_t msr, uint64_t val)
{
	switch (msr) {
	case TRUTH_INJECT:
		inject(model, cpu, (uint32_t)val);
		return true;
	case TRUTH_INJECT_ALL:
		inject_all(model, NULL, (uint32_t)val);
		return true;
	case TRUTH_INJECT_AT:
		cpu->armed = val;
		return true;
	case TRUTH_STORM:
		cpu->storm = val;
		return true;
	case TRUTH_STALL:
		if ((uint32_t)val <= STALL_MAX)
			cpu->stall = val;
		return true;
	case TRUTH_REAL_SMI_CYCLES:
		model->real_smi_cycles = val;
		return true;
	case TRUTH_RENDEZVOUS:
		model->rendezvous = val;
		return true;
	case TRUTH_RATIO:
		if (val >> 32 && (uint32_t)val)
			model->ratio = val;
		return true;
	case TRUTH_SET_SMI_COUNT:
		cpu->smi_count_offset = (uint32_t)val - (uint32_t)cpu->smis;
		return true;
	default:
		return msr >= TRUTH_BASE && msr <= TRUTH_SMIS;
	}
}

/* APERF and MPERF, without what writes have made of them for the read-only twins. */
static bool read_perf(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		      uint64_t *val)
{
	bool amd = model->profile->amd;

	switch (msr) {
	case MSR_APERF:
		before_read(model, cpu);
		*val = is_lesser(model, cpu) ? 0 : aperf_at(cpu, now) + cpu->aperf_offset;
		return true;
	case MSR_MPERF:
		before_read(model, cpu);
		*val = mperf_at(model, cpu, now) + cpu->mperf_offset;
		return true;
	case MSR_AMD_APERF_RO:
		before_read(model, cpu);
		*val = aperf_at(cpu, now);
		return amd;
	case MSR_AMD_MPERF_RO:
		before_read(model, cpu);
		*val = mperf_at(model, cpu, now);
		return amd;
	case MSR_AMD_IRPERF:
		before_read(model, cpu);
		count(model, cpu, now);
		*val = cpu->irperf;
		return amd;
	case MSR_K7_HWCR:
		*val = cpu->hwcr;
		return amd;
	default:
		return false;
	}
}

static bool read_amd_pmu(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
			 uint64_t *val)
{
	if (msr >= MSR_K7_EVNTSEL0 && msr < MSR_K7_EVNTSEL0 + GP_COUNTERS) {
		*val = cpu->eventsel[msr - MSR_K7_EVNTSEL0];
		return true;
	}
	if (msr >= MSR_K7_PERFCTR0 && msr < MSR_K7_PERFCTR0 + GP_COUNTERS)
		return read_counter(model, cpu, now, msr - MSR_K7_PERFCTR0, val);
	return false;
}

static bool read_intel_pmu(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
			   uint64_t *val)
{
	if (msr >= MSR_EVENTSEL0 && msr < MSR_EVENTSEL0 + GP_COUNTERS) {
		*val = cpu->eventsel[msr - MSR_EVENTSEL0];
		return true;
	}
	if (msr >= MSR_PERFCTR0 && msr < MSR_PERFCTR0 + GP_COUNTERS)
		return read_counter(model, cpu, now, msr - MSR_PERFCTR0, val);
	if (msr >= MSR_FIXED_CTR0 && msr < MSR_FIXED_CTR0 + FIXED_COUNTERS)
		return read_counter(model, cpu, now, FIXED_BASE + msr - MSR_FIXED_CTR0, val);
	switch (msr) {
	case MSR_FIXED_CTR_CTRL:
		*val = cpu->fixed_ctrl;
		return true;
	case MSR_GLOBAL_CTRL:
		*val = cpu->global_ctrl;
		return true;
	case MSR_GLOBAL_STATUS:			/* no counter overflows: it would take weeks */
	case MSR_GLOBAL_OVF_CTRL:
		*val = 0;
		return true;
	default:
		return false;
	}
}

static bool read_intel(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		       uint64_t *val)
{
	switch (msr) {
	case MSR_SMI_COUNT:
		before_read(model, cpu);
		*val = (uint32_t)(cpu->smis + cpu->smi_count_offset);
		return true;
	case MSR_PLATFORM_INFO:
		*val = BASE_RATIO << 8;
		return true;
	case MSR_DEBUGCTL:
		*val = cpu->debugctl;
		return true;
	case MSR_PERF_CAPABILITIES:
		*val = can_freeze(model, cpu) ? PERF_CAP_SMM_FREEZE : 0;
		return true;
	default:
		return read_intel_pmu(model, cpu, now, msr, val);
	}
}

static bool read_any(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		     uint64_t *val)
{
	if (read_truth(model, cpu, now, msr, val))
		return true;
	if (model->profile->dead) {
		*val = 0;
		return msr == MSR_APERF || msr == MSR_MPERF || msr == MSR_SMI_COUNT;
	}
	if (read_perf(model, cpu, now, msr, val))
		return true;
	return model->profile->amd ? read_amd_pmu(model, cpu, now, msr, val) :
				     read_intel(model, cpu, now, msr, val);
}

bool model_rdmsr(struct model *model, unsigned int which, uint64_t now, uint32_t msr, uint64_t *val)
{
	bool has;

	pthread_mutex_lock(&model->lock);
	has = read_any(model, &model->cpu[which], now, msr, val);
	pthread_mutex_unlock(&model->lock);
	return has;
}

/* SDM: a write to a general counter is of 32 bits, sign-extended. */
static uint64_t extend_sign(uint64_t val)
{
	return (uint64_t)(int64_t)(int32_t)val & COUNTER_MASK;
}

static bool write_perf(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		       uint64_t val)
{
	switch (msr) {
	case MSR_APERF:
		cpu->aperf_offset = val - aperf_at(cpu, now);
		return true;
	case MSR_MPERF:
		cpu->mperf_offset = val - mperf_at(model, cpu, now);
		return true;
	case MSR_K7_HWCR:
		if (!model->profile->amd)
			return false;
		count(model, cpu, now);
		cpu->hwcr = model->profile->irperf ? val : val & ~HWCR_IRPERF_EN;
		return true;
	case MSR_AMD_IRPERF:
		if (!model->profile->amd)
			return false;
		count(model, cpu, now);
		cpu->irperf = val & COUNTER_MASK;
		return true;
	default:
		return false;
	}
}

static bool write_amd_pmu(struct cpu *cpu, uint32_t msr, uint64_t val)
{
	if (msr >= MSR_K7_EVNTSEL0 && msr < MSR_K7_EVNTSEL0 + GP_COUNTERS) {
		cpu->eventsel[msr - MSR_K7_EVNTSEL0] = val;
		return true;
	}
	if (msr >= MSR_K7_PERFCTR0 && msr < MSR_K7_PERFCTR0 + GP_COUNTERS) {
		cpu->counter[msr - MSR_K7_PERFCTR0] = val & COUNTER_MASK;
		return true;
	}
	return false;
}

static bool write_intel(const struct model *model, struct cpu *cpu, uint32_t msr, uint64_t val)
{
	if (msr >= MSR_EVENTSEL0 && msr < MSR_EVENTSEL0 + GP_COUNTERS) {
		cpu->eventsel[msr - MSR_EVENTSEL0] = val;
		return true;
	}
	if (msr >= MSR_PERFCTR0 && msr < MSR_PERFCTR0 + GP_COUNTERS) {
		cpu->counter[msr - MSR_PERFCTR0] = extend_sign(val);
		return true;
	}
	if (msr >= MSR_FIXED_CTR0 && msr < MSR_FIXED_CTR0 + FIXED_COUNTERS) {
		cpu->counter[FIXED_BASE + msr - MSR_FIXED_CTR0] = val & COUNTER_MASK;
		return true;
	}
	switch (msr) {
	case MSR_FIXED_CTR_CTRL:
		cpu->fixed_ctrl = val;
		return true;
	case MSR_GLOBAL_CTRL:
		cpu->global_ctrl = val;
		return true;
	case MSR_DEBUGCTL:
		/* Where there is no freeze the bit does not stick. */
		cpu->debugctl = can_freeze(model, cpu) ? val : val & ~DEBUGCTL_FREEZE_IN_SMM;
		return true;
	case MSR_GLOBAL_OVF_CTRL:
	case MSR_SMI_COUNT:
	case MSR_PLATFORM_INFO:
	case MSR_PERF_CAPABILITIES:
	case MSR_GLOBAL_STATUS:
		return true;
	default:
		return false;
	}
}

static bool write_any(struct model *model, struct cpu *cpu, uint64_t now, uint32_t msr,
		      uint64_t val)
{
	if (write_truth(model, cpu, msr, val))
		return true;
	if (model->profile->dead)
		return false;
	if (write_perf(model, cpu, now, msr, val))
		return true;
	count(model, cpu, now);
	return model->profile->amd ? write_amd_pmu(cpu, msr, val) :
				     write_intel(model, cpu, msr, val);
}

bool model_wrmsr(struct model *model, unsigned int which, uint64_t now, uint32_t msr, uint64_t val)
{
	bool has;

	pthread_mutex_lock(&model->lock);
	has = write_any(model, &model->cpu[which], now, msr, val);
	pthread_mutex_unlock(&model->lock);
	return has;
}

bool model_rdpmc(struct model *model, unsigned int which, uint64_t now, uint32_t index,
		 uint64_t *val)
{
	bool fixed = index & FIXED_INDEX && !model->profile->amd;
	uint32_t i = fixed ? index & ~FIXED_INDEX : index;

	if (model->profile->dead || i >= (fixed ? FIXED_COUNTERS : GP_COUNTERS))
		return false;
	pthread_mutex_lock(&model->lock);
	read_counter(model, &model->cpu[which], now, fixed ? FIXED_BASE + i : i, val);
	pthread_mutex_unlock(&model->lock);
	return true;
}
