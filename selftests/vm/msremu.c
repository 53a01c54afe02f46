// SPDX-License-Identifier: GPL-2.0-only
/*
 * QEMU plugin: has the model of msr_model.c answer RDMSR, WRMSR, RDPMC and CPUID, and tells it of
 * real SMIs. What the model does not have goes on to QEMU's own CPU.
 *
 * Instructions are counted by block, when a block begins. A callback within one knows how many of
 * the block's are still to come and takes them off, so that each reading is exact.
 *
 * QEMU's CPU executes the instructions too: it neither refuses registers that it does not know nor
 * does anything with them. What it answers is replaced in front of the instruction behind, where
 * that is in the same block and so nothing can come between. Only where there is none, and for
 * RDPMC, which it refuses, is the instruction left by setting the program counter behind it. That
 * ends the block early, so what is not executed of it is taken off the count for good. It is
 * avoided elsewhere because QEMU then goes on with arithmetic flags that are not up to date, which
 * once in a long while gets into RFLAGS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msr_model.h"
#include "qemu_plugin.h"

#define CPUS_MAX	256

/* Each of the instructions has two bytes and no operand. */
#define INSN_BYTES	2

/* Where SMM begins: SMBASE + 8000H with CS = SMBASE / 16, SMBASE being of reset or SeaBIOS's. */
#define SMBASE_RESET	0x30000u
#define SMBASE_SEABIOS	0xa0000u
#define SMM_ENTRY	0x8000u

/* Where the boot CPU begins, at power-on and when it wakes the machine from S3. */
#define RESET_VECTOR	0xfffffff0u

#define CR0_PE		1u
#define CS_RPL		3u

/**
 * struct place - where an instruction of interest is
 * @next: address of the one behind it
 * @left: how many of its block are not executed before it, itself included
 */
struct place {
	uint64_t next;
	unsigned int left;
};

enum reg { RAX, RBX, RCX, RDX, CR0, CS, REGS };

#define GENERAL		(RDX + 1)

/**
 * struct patch - what to make of registers behind an instruction
 * @keep: which bits stay
 * @bits: which are added
 */
struct patch {
	uint64_t keep[GENERAL];
	uint64_t bits[GENERAL];
};

/**
 * struct vcpu - what is kept of a CPU
 * @reg: QEMU's handles of its registers
 * @buf: for reading and writing them: set_pc does not return, so nothing is to be freed after
 * @patch: what the instruction before this one should have left in them, if @patching
 */
struct vcpu {
	void *reg[REGS];
	struct g_byte_array *buf;
	struct patch patch;
	bool patching;
};

static const struct patch no_change = { .keep = { ~0ull, ~0ull, ~0ull, ~0ull } };

int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static struct model *model;
static unsigned int cpus;
static struct vcpu vcpus[CPUS_MAX];
static struct qemu_plugin_u64 counted;

static _Noreturn void die(const char *what, const char *name)
{
	fprintf(stderr, "msremu: %s %s\n", what, name);
	exit(1);
}

static uint64_t get(struct vcpu *vcpu, enum reg reg)
{
	uint64_t val = 0;

	g_byte_array_set_size(vcpu->buf, 0);
	if (!qemu_plugin_read_register(vcpu->reg[reg], vcpu->buf))
		die("cannot read", "a register");
	memcpy(&val, vcpu->buf->data, vcpu->buf->len < sizeof(val) ? vcpu->buf->len : sizeof(val));
	return val;
}

static void set(struct vcpu *vcpu, enum reg reg, uint64_t val)
{
	g_byte_array_set_size(vcpu->buf, 0);
	g_byte_array_append(vcpu->buf, (const uint8_t *)&val, sizeof(val));
	if (!qemu_plugin_write_register(vcpu->reg[reg], vcpu->buf))
		die("cannot write", "a register");
}

/* Instructions executed before the one at a place. */
static uint64_t executed(unsigned int cpu, const struct place *place)
{
	return qemu_plugin_u64_get(counted, cpu) - place->left;
}

/* Go on behind the instruction. Does not return. */
static void skip(unsigned int cpu, const struct place *place)
{
	qemu_plugin_u64_add(counted, cpu, -(uint64_t)(place->left - 1));
	qemu_plugin_set_pc(place->next);
}

static void apply(struct vcpu *vcpu, const struct patch *patch)
{
	int i;

	for (i = 0; i < GENERAL; i++)
		if (~patch->keep[i] || patch->bits[i])
			set(vcpu, i, (get(vcpu, i) & patch->keep[i]) | patch->bits[i]);
}

/* Have registers be so behind the instruction. */
static void answer(unsigned int cpu, const struct place *place, const struct patch *patch)
{
	struct vcpu *vcpu = &vcpus[cpu];

	if (place->left > 1) {
		vcpu->patch = *patch;
		vcpu->patching = true;
		return;
	}
	apply(vcpu, patch);
	skip(cpu, place);
}

/* As an instruction that reads a register of 64 bits into EDX and EAX. */
static struct patch value(uint64_t val)
{
	struct patch patch = no_change;

	patch.keep[RAX] = 0;
	patch.bits[RAX] = (uint32_t)val;
	patch.keep[RDX] = 0;
	patch.bits[RDX] = val >> 32;
	return patch;
}

/* In front of the instruction behind, in the same block. */
static void behind(unsigned int cpu, void *unused)
{
	struct vcpu *vcpu = &vcpus[cpu];

	(void)unused;
	if (vcpu->patching)
		apply(vcpu, &vcpu->patch);
	vcpu->patching = false;
}

/* In real mode and in user mode QEMU's CPU decides, which refuses or is the firmware's. */
static bool in_kernel(struct vcpu *vcpu)
{
	return get(vcpu, CR0) & CR0_PE && !(get(vcpu, CS) & CS_RPL);
}

static void on_rdmsr(unsigned int cpu, void *arg)
{
	const struct place *place = arg;
	struct vcpu *vcpu = &vcpus[cpu];
	struct patch patch;
	uint64_t val;

	vcpu->patching = false;
	if (!in_kernel(vcpu) ||
	    !model_rdmsr(model, cpu, executed(cpu, place), (uint32_t)get(vcpu, RCX), &val))
		return;
	patch = value(val);
	answer(cpu, place, &patch);
}

static void on_wrmsr(unsigned int cpu, void *arg)
{
	const struct place *place = arg;
	struct vcpu *vcpu = &vcpus[cpu];
	uint64_t val;

	if (!in_kernel(vcpu))
		return;
	val = get(vcpu, RDX) << 32 | (uint32_t)get(vcpu, RAX);
	model_wrmsr(model, cpu, executed(cpu, place), (uint32_t)get(vcpu, RCX), val);
}

static void on_rdpmc(unsigned int cpu, void *arg)
{
	const struct place *place = arg;
	struct vcpu *vcpu = &vcpus[cpu];
	struct patch patch;
	uint64_t val;

	if (!in_kernel(vcpu) ||
	    !model_rdpmc(model, cpu, executed(cpu, place), (uint32_t)get(vcpu, RCX), &val))
		return;
	patch = value(val);
	apply(vcpu, &patch);
	skip(cpu, place);
}

static void on_cpuid(unsigned int cpu, void *arg)
{
	const struct place *place = arg;
	struct vcpu *vcpu = &vcpus[cpu];
	struct patch patch = no_change;
	struct model_cpuid said;
	int i;

	vcpu->patching = false;
	if (!(get(vcpu, CR0) & CR0_PE) ||
	    !model_cpuid(model, (uint32_t)get(vcpu, RAX), &said))
		return;
	for (i = 0; i < GENERAL; i++) {
		patch.bits[i] = said.reg[i];
		if (said.whole)
			patch.keep[i] = 0;
	}
	/* What only adds to the CPU's own answer needs that answer. */
	if (said.whole || place->left > 1)
		answer(cpu, place, &patch);
}

static void on_smm_entry(unsigned int cpu, void *arg)
{
	const struct place *place = arg;
	struct vcpu *vcpu = &vcpus[cpu];
	uint64_t base = place->next - SMM_ENTRY;

	if (!(get(vcpu, CR0) & CR0_PE) && (get(vcpu, CS) & 0xffff) == base >> 4)
		model_smm_enter(model, cpu, executed(cpu, place));
}

static void on_rsm(unsigned int cpu, void *arg)
{
	model_smm_leave(model, cpu, executed(cpu, arg) + 1);
}

/*
 * S3 takes the power of all CPUs. Only the boot CPU begins here: the others are halted until the
 * kernel sends them elsewhere, as it does to those that had their power all the time.
 */
static void on_reset(unsigned int cpu, void *arg)
{
	unsigned int i;

	for (i = 0; i < cpus; i++)
		model_reset(model, i, i == cpu ? executed(cpu, arg) :
						 qemu_plugin_u64_get(counted, i));
}

/* Lives as long as the block, which QEMU does not tell the end of: a few bytes a translation. */
static struct place *new_place(uint64_t next, size_t left)
{
	struct place *place = malloc(sizeof(*place));

	if (!place)
		die("no", "memory");
	place->next = next;
	place->left = left;
	return place;
}

static qemu_plugin_cpu_cb handler_of(const struct qemu_plugin_insn *insn)
{
	uint8_t code[INSN_BYTES] = {};

	if (qemu_plugin_insn_data(insn, code, sizeof(code)) != sizeof(code) || code[0] != 0x0f)
		return NULL;
	switch (code[1]) {
	case 0x30:
		return on_wrmsr;
	case 0x32:
		return on_rdmsr;
	case 0x33:
		return on_rdpmc;
	case 0xa2:
		return on_cpuid;
	case 0xaa:
		return on_rsm;
	default:
		return NULL;
	}
}

static void on_translate(struct qemu_plugin_tb *tb, void *unused)
{
	uint64_t start = qemu_plugin_tb_vaddr(tb);
	size_t n = qemu_plugin_tb_n_insns(tb), i;
	qemu_plugin_cpu_cb handler = NULL, before;

	(void)unused;
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64, counted,
							  n);
	if (start == SMBASE_RESET + SMM_ENTRY || start == SMBASE_SEABIOS + SMM_ENTRY)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, 0),
						       on_smm_entry, QEMU_PLUGIN_CB_R_REGS,
						       new_place(start, n));
	if (start == RESET_VECTOR)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, 0), on_reset,
						       QEMU_PLUGIN_CB_NO_REGS, new_place(start, n));
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		before = handler;
		handler = handler_of(insn);
		if (before == on_cpuid || before == on_rdmsr)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, behind, QEMU_PLUGIN_CB_RW_REGS,
							       NULL);
		if (handler)
			qemu_plugin_register_vcpu_insn_exec_cb(
				insn, handler, QEMU_PLUGIN_CB_RW_REGS_PC,
				new_place(qemu_plugin_insn_vaddr(insn) + INSN_BYTES, n - i));
	}
}

static void find_registers(unsigned int cpu, void *unused)
{
	static const char *const names[REGS] = { "rax", "rbx", "rcx", "rdx", "cr0", "cs" };
	struct g_array *regs = qemu_plugin_get_registers();
	const struct qemu_plugin_reg_descriptor *desc = (const void *)regs->data;
	struct vcpu *vcpu = &vcpus[cpu];
	unsigned int i;
	int reg;

	(void)unused;
	for (i = 0; i < regs->len; i++)
		for (reg = 0; reg < REGS; reg++)
			if (!strcmp(desc[i].name, names[reg]))
				vcpu->reg[reg] = desc[i].handle;
	for (reg = 0; reg < REGS; reg++)
		if (!vcpu->reg[reg])
			die("no register", names[reg]);
	g_array_free(regs, 1);
	vcpu->buf = g_byte_array_new();
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *profile = "intel";
	int i;

	for (i = 0; i < argc; i++) {
		if (strncmp(argv[i], "profile=", 8) != 0)
			die("unknown argument", argv[i]);
		profile = argv[i] + 8;
	}
	if (info->system.max_vcpus > CPUS_MAX)
		die("too many", "CPUs");
	cpus = info->system.max_vcpus;
	model = model_new(profile, cpus);
	if (!model)
		die("unknown profile", profile);
	counted.score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
	counted.offset = 0;
	qemu_plugin_register_vcpu_init_cb(id, find_registers, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate, NULL);
	return 0;
}
