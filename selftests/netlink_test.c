// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the family answers, and each of its refusals with errno, text and attribute.
 */
#include "kselftest_harness.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "machine.h"
#include "nl.h"
#include "truth.h"

#define NO_SUCH_CPU	100000

#define MPERF		0xe7
#define APERF		0xe8

FIXTURE(netlink) {
	struct nl nl;
	struct smimon_record records[NL_CPUS];
};

FIXTURE_SETUP(netlink)
{
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(netlink)
{
	nl_close(&self->nl);
}

/* Before 6.2 a dump that does not start has no extended acknowledgment to fill. */
static bool dump_explains(void)
{
	struct utsname name;

	uname(&name);
	return strncmp(name.release, "6.1.", 4);
}

static void drop_capability(int cap)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	syscall(SYS_capget, &header, data);
	data[CAP_TO_INDEX(cap)].effective &= ~CAP_TO_MASK(cap);
	syscall(SYS_capset, &header, data);
}

TEST_F(netlink, dump_is_of_all_cpus)
{
	unsigned int cpu;

	ASSERT_EQ(0, nl_dump(&self->nl, NULL, self->records));
	for (cpu = 0; cpu < NL_CPUS; cpu++) {
		EXPECT_EQ(cpu < machine_cpus() ? SMIMON_RECORD_SIZE_1 : 0,
			  self->records[cpu].size);
	}
}

TEST_F(netlink, dump_of_a_list)
{
	struct nl_attrs attrs = {};

	nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, "1");
	ASSERT_EQ(0, nl_dump(&self->nl, &attrs, self->records));
	EXPECT_EQ(0, self->records[0].size);
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->records[1].size);
}

TEST_F(netlink, dump_leaves_out_what_is_offline)
{
	unsigned int last = machine_cpus() - 1;
	struct nl_attrs attrs = {};

	nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, "0-1");
	ASSERT_EQ(0, machine_set_online(last, false));
	EXPECT_EQ(0, nl_dump(&self->nl, &attrs, self->records));
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->records[0].size);
	EXPECT_EQ(0, self->records[last].size);
	ASSERT_EQ(0, machine_set_online(last, true));
}

TEST_F(netlink, record_of_one_cpu)
{
	const unsigned int all = 1u << SMIMON_COUNTER_TSC | 1u << SMIMON_COUNTER_APERF |
				 1u << SMIMON_COUNTER_MPERF | 1u << SMIMON_COUNTER_CYCLES |
				 1u << SMIMON_COUNTER_SMI_COUNT | 1u << SMIMON_COUNTER_DEBUGCTL;
	struct smimon_record a, b;

	ASSERT_EQ(0, nl_count(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &a));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &b));
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, a.size);
	EXPECT_EQ(1, a.cpu);
	EXPECT_EQ(all, a.valid);
	EXPECT_EQ(SMIMON_RECORD_FREEZE_ON, a.flags);
	EXPECT_EQ(a.epoch, b.epoch);
	EXPECT_EQ(a.freeze_epoch, b.freeze_epoch);
	EXPECT_LT(a.time_ns, b.time_ns);
	EXPECT_LT(a.tsc, b.tsc);
	EXPECT_LT(a.aperf, b.aperf);
	EXPECT_LT(a.mperf, b.mperf);
	EXPECT_LT(a.cycles, b.cycles);
	EXPECT_EQ(0, a.irperf);
	EXPECT_EQ(a.smi_count, b.smi_count);
	EXPECT_EQ(machine_rdmsr(1, DEBUGCTL), a.debugctl);
	EXPECT_LT(0, a.window);
	EXPECT_LT(a.window, b.tsc - a.tsc);
}

TEST_F(netlink, epoch_changes_with_hotplug)
{
	unsigned int last = machine_cpus() - 1;
	struct smimon_record a, b;

	ASSERT_EQ(0, nl_snapshot(&self->nl, last, &a));
	ASSERT_EQ(0, machine_set_online(last, false));
	ASSERT_EQ(0, machine_set_online(last, true));
	ASSERT_EQ(0, nl_snapshot(&self->nl, last, &b));
	EXPECT_LT(a.epoch, b.epoch);
}

TEST_F(netlink, epoch_changes_where_a_counter_is_set_back)
{
	static const uint32_t counters[] = { APERF, MPERF, TRUTH_SET_SMI_COUNT };
	struct smimon_record a, b, c;
	size_t i;

	machine_wrmsr(1, TRUTH_SET_SMI_COUNT, 1000);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &a));
		machine_wrmsr(1, counters[i], 0);
		ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &b));
		ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &c));
		EXPECT_LT(a.epoch, b.epoch) {
			TH_LOG("%#x", counters[i]);
		}
		EXPECT_EQ(b.epoch, c.epoch);
	}
}

/* What leaves no trace in SMI_COUNT shows as a long reading, which is tried again. */
TEST_F(netlink, long_reading_is_tried_again)
{
	const uint64_t bound_us = 1000000, stall_us = bound_us + 100000;
	struct smimon_record rec;

	/* One of these comes before the window. */
	machine_wrmsr(1, TRUTH_STALL, 2ull << 32 | stall_us);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &rec));
	ASSERT_EQ(stall_us, machine_rdmsr(1, TRUTH_STALL));
	EXPECT_FALSE(rec.flags & SMIMON_RECORD_TORN);
	ASSERT_EQ(0, nl_do(&self->nl, SMIMON_CMD_INFO_GET, NULL));
	EXPECT_GT(bound_us * nl_reply_u32(&self->nl, SMIMON_A_INFO_TSC_KHZ) / 1000, rec.window);
}

TEST_F(netlink, reading_is_torn_if_each_try_is_long)
{
	struct smimon_record rec;

	nl_close(&self->nl);
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load_with("window_us=1000"));
	ASSERT_EQ(0, nl_open(&self->nl));
	machine_wrmsr(1, TRUTH_STALL, 100000ull << 32 | 2000);
	ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &rec));
	machine_wrmsr(1, TRUTH_STALL, 0);
	EXPECT_TRUE(rec.flags & SMIMON_RECORD_TORN);
	nl_close(&self->nl);
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load());
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_snapshot(&self->nl, 1, &rec));
	EXPECT_FALSE(rec.flags & SMIMON_RECORD_TORN);
}

TEST_F(netlink, cpu_is_needed)
{
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_SNAPSHOT_GET, NULL));
	EXPECT_STREQ("which CPU is missing", self->nl.extack);
}

TEST_F(netlink, cpu_out_of_range)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_SNAPSHOT_CPU, NO_SUCH_CPU);
	EXPECT_EQ(-ERANGE, nl_do(&self->nl, SMIMON_CMD_SNAPSHOT_GET, &attrs));
	EXPECT_STREQ("no such CPU", self->nl.extack);
	EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU, self->nl.bad_attr);
}

TEST_F(netlink, cpu_offline)
{
	unsigned int last = machine_cpus() - 1;
	struct smimon_record rec;

	ASSERT_EQ(0, machine_set_online(last, false));
	EXPECT_EQ(-ENODEV, nl_snapshot(&self->nl, last, &rec));
	EXPECT_STREQ("no CPU asked for is online", self->nl.extack);
	EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU, self->nl.bad_attr);
	ASSERT_EQ(0, machine_set_online(last, true));
}

/* Offline since before the module was loaded: offline all the same. */
TEST_F(netlink, cpu_never_online)
{
	unsigned int last = machine_cpus() - 1;
	static struct machine_output run;
	struct nl_attrs attrs = {};

	ASSERT_EQ(1, last);
	nl_close(&self->nl);
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_set_online(last, false));
	ASSERT_EQ(0, machine_load());
	ASSERT_EQ(0, nl_open(&self->nl));
	nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, "1");
	EXPECT_EQ(-ENODEV, nl_dump(&self->nl, &attrs, self->records));
	if (dump_explains()) {
		EXPECT_STREQ("no CPU asked for is online", self->nl.extack);
		EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU_LIST, self->nl.bad_attr);
	}
	machine_run("smimon show -C 1", &run);
	EXPECT_EQ(1, run.status);
	EXPECT_STREQ("smimon: cannot read the counters: no CPU asked for is online (CPU 1)\n",
		     run.err);
	ASSERT_EQ(0, machine_set_online(last, true));
	EXPECT_EQ(0, nl_dump(&self->nl, &attrs, self->records));
	EXPECT_EQ(SMIMON_RECORD_SIZE_1, self->records[last].size);
}

TEST_F(netlink, attribute_of_the_wrong_size)
{
	struct nl_attrs attrs = {};

	nl_put(&attrs, SMIMON_A_SNAPSHOT_CPU, "\1\0", 2);
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_SNAPSHOT_GET, &attrs));
	EXPECT_STREQ("invalid attribute length", self->nl.extack);
	EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU, self->nl.bad_attr);
}

TEST_F(netlink, unknown_attribute)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_SNAPSHOT_CPU, 0);
	nl_put_u32(&attrs, SMIMON_A_SNAPSHOT_MAX + 1, 0);
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_SNAPSHOT_GET, &attrs));
	EXPECT_STREQ("Unknown attribute type", self->nl.extack);
	EXPECT_EQ(SMIMON_A_SNAPSHOT_MAX + 1, self->nl.bad_attr);
}

TEST_F(netlink, command_without_attributes_refuses_one)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_FREEZE_POLICY, 0);
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, &attrs));
	EXPECT_EQ(SMIMON_A_FREEZE_POLICY, self->nl.bad_attr);
}

TEST_F(netlink, attribute_of_the_other_kind_of_request)
{
	struct nl_attrs one = {}, many = {};

	nl_put_u32(&one, SMIMON_A_SNAPSHOT_CPU, 0);
	nl_put_string(&many, SMIMON_A_SNAPSHOT_CPU_LIST, "0");
	EXPECT_EQ(-EINVAL, nl_dump(&self->nl, &one, self->records));
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_SNAPSHOT_GET, &many));
	EXPECT_STREQ("attribute of the other kind of request", self->nl.extack);
	EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU_LIST, self->nl.bad_attr);
}

TEST_F(netlink, unknown_command)
{
	EXPECT_EQ(-EOPNOTSUPP, nl_do(&self->nl, SMIMON_CMD_MAX + 1, NULL));
}

TEST_F(netlink, bad_lists)
{
	static const struct {
		const char *list;
		int err;
	} bad[] = {
		{ "", -EINVAL },
		{ "x", -EINVAL },
		{ "1-0", -EINVAL },
		{ "0,", 0 },
		{ "100000", -ERANGE },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct nl_attrs attrs = {};

		nl_put_string(&attrs, SMIMON_A_SNAPSHOT_CPU_LIST, bad[i].list);
		EXPECT_EQ(bad[i].err, nl_dump(&self->nl, &attrs, self->records))
			TH_LOG("list \"%s\"", bad[i].list);
		if (!bad[i].err || !dump_explains())
			continue;
		EXPECT_STREQ("not a list of CPUs of this machine", self->nl.extack);
		EXPECT_EQ(SMIMON_A_SNAPSHOT_CPU_LIST, self->nl.bad_attr);
	}
}

TEST_F(netlink, policy_is_needed)
{
	EXPECT_EQ(-EINVAL, nl_do(&self->nl, SMIMON_CMD_FREEZE_SET, NULL));
	EXPECT_STREQ("the policy is missing", self->nl.extack);
}

TEST_F(netlink, policy_out_of_range)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_FREEZE_POLICY, SMIMON_FREEZE_POLICY_OFF + 1);
	EXPECT_EQ(-ERANGE, nl_do(&self->nl, SMIMON_CMD_FREEZE_SET, &attrs));
	EXPECT_STREQ("integer out of range", self->nl.extack);
	EXPECT_EQ(SMIMON_A_FREEZE_POLICY, self->nl.bad_attr);
}

TEST_F(netlink, net_admin_is_needed_for_all)
{
	struct nl_attrs attrs = {};
	int cmd;

	nl_put_u32(&attrs, SMIMON_A_SNAPSHOT_CPU, 0);
	drop_capability(CAP_NET_ADMIN);
	for (cmd = 1; cmd <= SMIMON_CMD_MAX; cmd++) {
		EXPECT_EQ(-EPERM, nl_do(&self->nl, cmd, cmd == SMIMON_CMD_SNAPSHOT_GET ? &attrs :
					NULL));
	}
	EXPECT_EQ(-EPERM, nl_dump(&self->nl, NULL, self->records));
}

TEST_F(netlink, sys_rawio_is_needed_to_freeze)
{
	struct nl_attrs attrs = {};

	nl_put_u32(&attrs, SMIMON_A_FREEZE_POLICY, SMIMON_FREEZE_POLICY_ON);
	drop_capability(CAP_SYS_RAWIO);
	EXPECT_EQ(-EPERM, nl_do(&self->nl, SMIMON_CMD_FREEZE_HOLD, NULL));
	EXPECT_STREQ("CAP_SYS_RAWIO is needed to freeze", self->nl.extack);
	EXPECT_EQ(-EPERM, nl_do(&self->nl, SMIMON_CMD_FREEZE_SET, &attrs));
	EXPECT_STREQ("CAP_SYS_RAWIO is needed to freeze", self->nl.extack);
	EXPECT_EQ(0, nl_do(&self->nl, SMIMON_CMD_FREEZE_GET, NULL));
	EXPECT_EQ(0, nl_dump(&self->nl, NULL, self->records));
}

TEST(other_network_namespaces_do_not_see_the_family)
{
	struct nl nl;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	EXPECT_EQ(-ENOENT, nl_open(&nl));
}

TEST_F(netlink, half_read_dump_does_not_outlive_its_socket)
{
	ASSERT_EQ(0, nl_dump_begin(&self->nl, NULL));
	nl_close(&self->nl);
	ASSERT_EQ(0, machine_unload());
	ASSERT_EQ(0, machine_load());
	ASSERT_EQ(0, nl_open(&self->nl));
}

TEST_HARNESS_MAIN
