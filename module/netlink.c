// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests run in parallel, each in its sender's context; what they share is locked below.
 *
 * A dump of snapshots is taken whole when it starts and only handed out after, so that it is one
 * instant however slowly it is read.
 */
#include "netlink.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/smimon.h>
#include <linux/smimon_record.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <asm/tsc.h>

#include "caps.h"
#include "freeze.h"
#include "pmu.h"
#include "snapshot.h"
#include "version.h"

#define CPU_LIST_MAX	4096

/**
 * struct snapshot_dump - a dump of snapshots under way
 * @next: number of the CPU to hand out next
 * @records: nr_cpu_ids of them, by number; those of size 0 are not handed out
 */
struct snapshot_dump {
	unsigned int next;
	struct smimon_record records[];
};

static struct genl_family family;

static const struct nla_policy snapshot_policy[] = {
	[SMIMON_A_SNAPSHOT_CPU]		= { .type = NLA_U32 },
	[SMIMON_A_SNAPSHOT_CPU_LIST]	= { .type = NLA_NUL_STRING, .len = CPU_LIST_MAX },
	[SMIMON_A_SNAPSHOT_ISOLATED]	= { .type = NLA_FLAG },
};

static const struct nla_policy freeze_policy[] = {
	[SMIMON_A_FREEZE_POLICY]	= NLA_POLICY_MAX(NLA_U32, SMIMON_FREEZE_POLICY_OFF),
};

static int start_reply(struct genl_info *info, struct sk_buff **skb, void **hdr)
{
	*skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!*skb)
		return -ENOMEM;
	*hdr = genlmsg_put_reply(*skb, info, &family, 0, info->genlhdr->cmd);
	if (!*hdr) {
		nlmsg_free(*skb);
		return -EMSGSIZE;
	}
	return 0;
}

static int send_reply(struct genl_info *info, struct sk_buff *skb, void *hdr, int err)
{
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static int put_info(struct sk_buff *skb)
{
	enum smimon_base_source source;
	u32 base = smimon_caps_base_khz(&source);

	if (nla_put_string(skb, SMIMON_A_INFO_VERSION, SMIMON_VERSION) ||
	    nla_put_u32(skb, SMIMON_A_INFO_RECORD_SIZE, sizeof(struct smimon_record)) ||
	    nla_put_u32(skb, SMIMON_A_INFO_TSC_KHZ, tsc_khz) ||
	    nla_put_u32(skb, SMIMON_A_INFO_BASE_KHZ, base) ||
	    nla_put_u32(skb, SMIMON_A_INFO_BASE_SOURCE, source) ||
	    nla_put_u32(skb, SMIMON_A_INFO_COUNTING, smimon_pmu_holds()))
		return -EMSGSIZE;
	return 0;
}

static int info_doit(struct sk_buff *request, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;
	int err;

	err = start_reply(info, &skb, &hdr);
	return err ?: send_reply(info, skb, hdr, put_info(skb));
}

static int put_cap(struct sk_buff *skb, unsigned int cpu, u32 counter)
{
	struct nlattr *nest = nla_nest_start(skb, SMIMON_A_INFO_CAP);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, SMIMON_A_CAP_COUNTER, counter) ||
	    nla_put_u32(skb, SMIMON_A_CAP_REASON, smimon_caps_reason(cpu, counter)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_cpu_info(struct sk_buff *skb, unsigned int cpu)
{
	u32 i;

	if (nla_put_u32(skb, SMIMON_A_INFO_CPU, cpu) ||
	    (smimon_caps_isolated(cpu) && nla_put_flag(skb, SMIMON_A_INFO_ISOLATED)))
		return -EMSGSIZE;
	for (i = 0; i < SMIMON_COUNTERS; i++)
		if (put_cap(skb, cpu, i))
			return -EMSGSIZE;
	return 0;
}

static void *start_dumped(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &family,
			   NLM_F_MULTI, cmd);
}

static int info_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned int cpu = cb->args[0];
	void *hdr;

	cpus_read_lock();
	for (; cpu < nr_cpu_ids; cpu++) {
		if (!cpu_online(cpu))
			continue;
		hdr = start_dumped(skb, cb, SMIMON_CMD_INFO_GET);
		if (!hdr)
			break;
		if (put_cpu_info(skb, cpu)) {
			genlmsg_cancel(skb, hdr);
			break;
		}
		genlmsg_end(skb, hdr);
	}
	cpus_read_unlock();
	cb->args[0] = cpu;
	return skb->len;
}

/* Whether a CPU of these is online and has a counter, the TSC apart, which all have. */
static bool any_counter(const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, cpus, cpu_online_mask)
		if (smimon_caps_of(cpu)->present & ~BIT(SMIMON_COUNTER_TSC))
			return true;
	return false;
}

/* None at all is nobody's mistake: all CPUs may be isolated. */
static int check_online(const struct cpumask *cpus, const struct nlattr *attr,
			struct netlink_ext_ack *extack)
{
	if (cpumask_empty(cpus))
		return 0;
	if (!cpumask_intersects(cpus, cpu_online_mask)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no CPU asked for is online");
		return -ENODEV;
	}
	if (!any_counter(cpus)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no CPU asked for has any of the counters");
		return -EOPNOTSUPP;
	}
	return 0;
}

/* @attr is what named the CPUs. Return: the dump, or an error pointer. */
static struct snapshot_dump *take_snapshot(const struct cpumask *cpus, const struct nlattr *attr,
					   struct netlink_ext_ack *extack)
{
	struct snapshot_dump *dump;
	int err;

	dump = kvzalloc(struct_size(dump, records, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!dump)
		return ERR_PTR(-ENOMEM);
	cpus_read_lock();
	err = check_online(cpus, attr, extack);
	if (!err)
		smimon_snapshot_take(cpus, dump->records);
	cpus_read_unlock();
	if (err) {
		kvfree(dump);
		return ERR_PTR(err);
	}
	return dump;
}

static int put_record(struct sk_buff *skb, const struct smimon_record *rec)
{
	return nla_put(skb, SMIMON_A_SNAPSHOT_RECORD, sizeof(*rec), rec);
}

/* The policy is one for do and dump; an attribute of the other would be ignored silently. */
static int refuse_attr(struct nlattr **attrs, int type, struct netlink_ext_ack *extack)
{
	if (!attrs[type])
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attrs[type], "attribute of the other kind of request");
	return -EINVAL;
}

static int parse_cpu(struct genl_info *info, u32 *cpu)
{
	struct nlattr *attr = info->attrs[SMIMON_A_SNAPSHOT_CPU];

	if (refuse_attr(info->attrs, SMIMON_A_SNAPSHOT_CPU_LIST, info->extack) ||
	    refuse_attr(info->attrs, SMIMON_A_SNAPSHOT_ISOLATED, info->extack))
		return -EINVAL;
	if (GENL_REQ_ATTR_CHECK(info, SMIMON_A_SNAPSHOT_CPU)) {
		GENL_SET_ERR_MSG(info, "which CPU is missing");
		return -EINVAL;
	}
	*cpu = nla_get_u32(attr);
	if (*cpu >= nr_cpu_ids) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "no such CPU");
		return -ERANGE;
	}
	return 0;
}

static int snapshot_doit(struct sk_buff *request, struct genl_info *info)
{
	struct snapshot_dump *dump;
	struct sk_buff *skb;
	void *hdr;
	u32 cpu;
	int err;

	err = parse_cpu(info, &cpu);
	if (err)
		return err;
	dump = take_snapshot(cpumask_of(cpu), info->attrs[SMIMON_A_SNAPSHOT_CPU], info->extack);
	if (IS_ERR(dump))
		return PTR_ERR(dump);
	err = start_reply(info, &skb, &hdr);
	if (!err)
		err = send_reply(info, skb, hdr, put_record(skb, &dump->records[cpu]));
	kvfree(dump);
	return err;
}

/* The CPUs that many are asked for: those of a list, or all but the isolated ones, or all. */
static int parse_cpus(struct nlattr **attrs, struct netlink_ext_ack *extack, struct cpumask *cpus)
{
	struct nlattr *list = attrs[SMIMON_A_SNAPSHOT_CPU_LIST];
	unsigned int cpu;
	int err;

	err = refuse_attr(attrs, SMIMON_A_SNAPSHOT_CPU, extack);
	if (err)
		return err;
	if (list) {
		err = cpulist_parse(nla_data(list), cpus);
		/* It has more ways to say that a number makes no sense. */
		if ((err && err != -ERANGE) || (!err && cpumask_empty(cpus)))
			err = -EINVAL;
		if (err)
			NL_SET_ERR_MSG_ATTR(extack, list, "not a list of CPUs of this machine");
		return err;
	}
	cpumask_copy(cpus, cpu_possible_mask);
	if (attrs[SMIMON_A_SNAPSHOT_ISOLATED])
		return 0;
	for_each_cpu(cpu, cpus)
		if (smimon_caps_isolated(cpu))
			cpumask_clear_cpu(cpu, cpus);
	return 0;
}

static int snapshot_start(struct netlink_callback *cb)
{
	struct nlattr *attrs[ARRAY_SIZE(snapshot_policy)];
	struct snapshot_dump *dump;
	cpumask_var_t cpus;
	int err;

	/* They were checked before; where they were put differs between kernels. */
	err = genlmsg_parse(cb->nlh, &family, attrs, ARRAY_SIZE(attrs) - 1, snapshot_policy,
			    cb->extack);
	if (err)
		return err;
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = parse_cpus(attrs, cb->extack, cpus);
	if (err)
		goto out_free_cpus;
	dump = take_snapshot(cpus, attrs[SMIMON_A_SNAPSHOT_CPU_LIST], cb->extack);
	err = PTR_ERR_OR_ZERO(dump);
	if (!err)
		cb->args[0] = (long)dump;
out_free_cpus:
	free_cpumask_var(cpus);
	return err;
}

/* Records until one does not fit any more. Return: whether there was one. */
static bool put_records(struct sk_buff *skb, struct snapshot_dump *dump)
{
	bool any = false;

	for (; dump->next < nr_cpu_ids; dump->next++) {
		const struct smimon_record *rec = &dump->records[dump->next];

		if (!rec->size)
			continue;
		if (put_record(skb, rec))
			break;
		any = true;
	}
	return any;
}

static int snapshot_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	void *hdr = start_dumped(skb, cb, SMIMON_CMD_SNAPSHOT_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (put_records(skb, (struct snapshot_dump *)cb->args[0]))
		genlmsg_end(skb, hdr);
	else
		genlmsg_cancel(skb, hdr);
	return skb->len;
}

static int snapshot_done(struct netlink_callback *cb)
{
	kvfree((struct snapshot_dump *)cb->args[0]);
	return 0;
}

static int count_hold_doit(struct sk_buff *request, struct genl_info *info)
{
	cpumask_var_t cpus;
	int err;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	err = parse_cpus(info->attrs, info->extack, cpus);
	if (!err)
		err = smimon_pmu_hold(info->snd_portid, cpus);
	if (err == -ENOSPC)
		GENL_SET_ERR_MSG(info, "too many sockets count");
	free_cpumask_var(cpus);
	return err;
}

static int put_freeze(struct sk_buff *skb)
{
	struct smimon_freeze_state state;

	smimon_freeze_get(&state);
	if (nla_put_u32(skb, SMIMON_A_FREEZE_POLICY, state.policy) ||
	    nla_put_u32(skb, SMIMON_A_FREEZE_HOLDS, state.holds) ||
	    nla_put_u32(skb, SMIMON_A_FREEZE_ACTIVE, state.active) ||
	    nla_put_u32(skb, SMIMON_A_FREEZE_SUPPORTED, state.supported) ||
	    nla_put_u32(skb, SMIMON_A_FREEZE_CHANGED, state.changed))
		return -EMSGSIZE;
	return 0;
}

static int freeze_get_doit(struct sk_buff *request, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;
	int err;

	err = start_reply(info, &skb, &hdr);
	return err ?: send_reply(info, skb, hdr, put_freeze(skb));
}

/* What writing the register by /dev/cpu/N/msr takes. */
static int may_write(struct sk_buff *request, struct genl_info *info)
{
	int err;

	if (!netlink_capable(request, CAP_SYS_RAWIO)) {
		GENL_SET_ERR_MSG(info, "CAP_SYS_RAWIO is needed to freeze");
		return -EPERM;
	}
	err = security_locked_down(LOCKDOWN_MSR);
	if (err)
		GENL_SET_ERR_MSG(info, "the kernel is locked down: it lets no MSR be written");
	return err;
}

static int refuse_freeze(struct genl_info *info, int err)
{
	switch (err) {
	case -EPERM:
		GENL_SET_ERR_MSG(info, "the freeze policy is \"off\"");
		break;
	case -EALREADY:
		GENL_SET_ERR_MSG(info, "this socket holds the freeze already");
		break;
	case -ENOENT:
		GENL_SET_ERR_MSG(info, "this socket does not hold the freeze");
		break;
	case -EBUSY:
		GENL_SET_ERR_MSG(info, "somebody holds the freeze");
		break;
	case -ENOSPC:
		GENL_SET_ERR_MSG(info, "too many hold the freeze");
		break;
	case -EOPNOTSUPP:
		GENL_SET_ERR_MSG(info, "no CPU has FREEZE_WHILE_SMM");
		break;
	case -EIO:
		GENL_SET_ERR_MSG(info, "FREEZE_WHILE_SMM did not stay set");
		break;
	}
	return err;
}

static int freeze_set_doit(struct sk_buff *request, struct genl_info *info)
{
	u32 policy;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, SMIMON_A_FREEZE_POLICY)) {
		GENL_SET_ERR_MSG(info, "the policy is missing");
		return -EINVAL;
	}
	err = may_write(request, info);
	if (err)
		return err;
	policy = nla_get_u32(info->attrs[SMIMON_A_FREEZE_POLICY]);
	return refuse_freeze(info, smimon_freeze_set_policy(policy));
}

static int freeze_hold_doit(struct sk_buff *request, struct genl_info *info)
{
	int err = may_write(request, info);

	return err ?: refuse_freeze(info, smimon_freeze_hold(info->snd_portid));
}

static int freeze_release_doit(struct sk_buff *request, struct genl_info *info)
{
	return refuse_freeze(info, smimon_freeze_release(info->snd_portid));
}

static const struct genl_ops ops[] = {
	{
		.cmd		= SMIMON_CMD_INFO_GET,
		.flags		= GENL_ADMIN_PERM,
		.doit		= info_doit,
		.dumpit		= info_dumpit,
	},
	{
		.cmd		= SMIMON_CMD_SNAPSHOT_GET,
		.flags		= GENL_ADMIN_PERM,
		.policy		= snapshot_policy,
		.maxattr	= ARRAY_SIZE(snapshot_policy) - 1,
		.doit		= snapshot_doit,
		.start		= snapshot_start,
		.dumpit		= snapshot_dumpit,
		.done		= snapshot_done,
	},
	{
		.cmd		= SMIMON_CMD_COUNT_HOLD,
		.flags		= GENL_ADMIN_PERM,
		.policy		= snapshot_policy,
		.maxattr	= ARRAY_SIZE(snapshot_policy) - 1,
		.doit		= count_hold_doit,
	},
	{
		.cmd		= SMIMON_CMD_FREEZE_GET,
		.flags		= GENL_ADMIN_PERM,
		.doit		= freeze_get_doit,
	},
	{
		.cmd		= SMIMON_CMD_FREEZE_SET,
		.flags		= GENL_ADMIN_PERM,
		.policy		= freeze_policy,
		.maxattr	= ARRAY_SIZE(freeze_policy) - 1,
		.doit		= freeze_set_doit,
	},
	{
		.cmd		= SMIMON_CMD_FREEZE_HOLD,
		.flags		= GENL_ADMIN_PERM,
		.doit		= freeze_hold_doit,
	},
	{
		.cmd		= SMIMON_CMD_FREEZE_RELEASE,
		.flags		= GENL_ADMIN_PERM,
		.doit		= freeze_release_doit,
	},
};

static struct genl_family family __ro_after_init = {
	.name		= SMIMON_FAMILY_NAME,
	.version	= SMIMON_FAMILY_VERSION,
	.module		= THIS_MODULE,
	.parallel_ops	= true,
	.ops		= ops,
	.n_ops		= ARRAY_SIZE(ops),
};

/* A socket that goes, also with a killed process, takes its holds along. */
static int socket_gone(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct netlink_notify *gone = data;

	if (event == NETLINK_URELEASE && gone->protocol == NETLINK_GENERIC &&
	    net_eq(gone->net, &init_net)) {
		smimon_freeze_release(gone->portid);
		smimon_pmu_release(gone->portid);
	}
	return NOTIFY_DONE;
}

static struct notifier_block socket_notifier = {
	.notifier_call = socket_gone,
};

int __init smimon_netlink_init(void)
{
	int err;

	err = netlink_register_notifier(&socket_notifier);
	if (err)
		return err;
	err = genl_register_family(&family);
	if (err)
		netlink_unregister_notifier(&socket_notifier);
	return err;
}

void smimon_netlink_exit(void)
{
	genl_unregister_family(&family);
	netlink_unregister_notifier(&socket_notifier);
}
