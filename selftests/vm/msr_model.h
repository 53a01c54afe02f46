/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of an emulated machine's CPUs, and what an SMI does to them.
 *
 * One executed instruction is one core cycle; a halted CPU executes none. An SMI adds cycles of
 * its own, injected ones nothing but these. Each function is told how many instructions the CPU has
 * executed before the one that it is about; that number only grows.
 *
 * The model knows nothing of what executes the instructions. Its functions may be called for
 * different CPUs at the same time.
 */
#ifndef SMIMON_VM_MSR_MODEL_H
#define SMIMON_VM_MSR_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/**
 * struct model_cpuid - the answer to a CPUID leaf
 * @whole: @reg replaces what the CPU would say, else its bits are added to that
 * @reg: EAX, EBX, ECX, EDX
 */
struct model_cpuid {
	bool whole;
	uint32_t reg[4];
};

/**
 * model_new() - a machine that was just powered on
 * @profile: "intel", "intel-nofreeze", "amd-zen3", "amd-zen1" or "hypervisor"
 * @cpus: how many CPUs it has
 *
 * Return: the machine, or NULL for an unknown profile or without memory.
 */
struct model *model_new(const char *profile, unsigned int cpus);
void model_free(struct model *model);

/**
 * model_reset() - a CPU loses its power and gets it back
 *
 * Its registers are those of power-on. What the truth says goes on.
 */
void model_reset(struct model *model, unsigned int cpu, uint64_t now);

/**
 * model_cpuid() - what a CPUID leaf says
 *
 * Return: whether the model has anything to say about it.
 */
bool model_cpuid(const struct model *model, uint32_t leaf, struct model_cpuid *answer);

/**
 * model_rdmsr() - read a register
 *
 * Return: whether the model has it; if not, it is the CPU's.
 */
bool model_rdmsr(struct model *model, unsigned int cpu, uint64_t now, uint32_t msr, uint64_t *val);

/**
 * model_wrmsr() - write a register
 *
 * Return: whether the model has it; if not, it is the CPU's.
 */
bool model_wrmsr(struct model *model, unsigned int cpu, uint64_t now, uint32_t msr, uint64_t val);

/**
 * model_rdpmc() - read a performance counter
 * @index: as RDPMC takes it in ECX
 *
 * Return: whether there is such a counter.
 */
bool model_rdpmc(struct model *model, unsigned int cpu, uint64_t now, uint32_t index,
		 uint64_t *val);

/**
 * model_smm_enter() - a real SMI strikes
 * model_smm_leave() - its handler is done, @now being the instructions with RSM itself
 */
void model_smm_enter(struct model *model, unsigned int cpu, uint64_t now);
void model_smm_leave(struct model *model, unsigned int cpu, uint64_t now);

#endif
