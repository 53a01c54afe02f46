/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of QEMU's plugin interface, version 7 (QEMU 11.1), and of the GLib arrays in it that is
 * used here. Debian ships no header of it; facts are of include/plugins/qemu-plugin.h.
 */
#ifndef SMIMON_VM_QEMU_PLUGIN_H
#define SMIMON_VM_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_VERSION	7

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

struct qemu_info {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus;
		int max_vcpus;
	} system;
};

/* GLib's GArray and GByteArray. */
struct g_array {
	char *data;
	unsigned int len;
};

struct g_byte_array {
	uint8_t *data;
	unsigned int len;
};

struct qemu_plugin_reg_descriptor {
	void *handle;
	const char *name;
	const char *feature;
	bool is_readonly;
};

/* A 64-bit number for each CPU. */
struct qemu_plugin_u64 {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
};

enum qemu_plugin_op {
	QEMU_PLUGIN_INLINE_ADD_U64,
};

/* What a callback does with registers. The last one may also set the program counter. */
enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
	QEMU_PLUGIN_CB_R_REGS,
	QEMU_PLUGIN_CB_RW_REGS,
	QEMU_PLUGIN_CB_RW_REGS_PC,
};

typedef void (*qemu_plugin_cpu_cb)(unsigned int cpu, void *arg);
typedef void (*qemu_plugin_tb_cb)(struct qemu_plugin_tb *tb, void *arg);

extern int qemu_plugin_version;
int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

void qemu_plugin_register_vcpu_init_cb(uint64_t id, qemu_plugin_cpu_cb cb, void *arg);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, qemu_plugin_tb_cb cb, void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_cpu_cb cb,
					    enum qemu_plugin_cb_flags flags, void *arg);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb,
						       enum qemu_plugin_op op,
						       struct qemu_plugin_u64 entry, uint64_t val);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *data, size_t len);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
void qemu_plugin_u64_add(struct qemu_plugin_u64 entry, unsigned int cpu, uint64_t added);
uint64_t qemu_plugin_u64_get(struct qemu_plugin_u64 entry, unsigned int cpu);

struct g_array *qemu_plugin_get_registers(void);
bool qemu_plugin_read_register(void *handle, struct g_byte_array *buf);
bool qemu_plugin_write_register(void *handle, struct g_byte_array *buf);
void qemu_plugin_set_pc(uint64_t vaddr);

struct g_byte_array *g_byte_array_new(void);
struct g_byte_array *g_byte_array_set_size(struct g_byte_array *array, unsigned int len);
struct g_byte_array *g_byte_array_append(struct g_byte_array *array, const uint8_t *data, unsigned int len);
char *g_array_free(struct g_array *array, int free_segment);

#endif
