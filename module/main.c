// SPDX-License-Identifier: GPL-2.0-only
/*
 * smimon: what system management interrupts cost and what clock a CPU really runs at.
 *
 * The units, each above those that it uses:
 *
 *	main		comes and goes, with the module, the CPUs and the machine's sleep
 *	netlink		hands it all out
 *	snapshot	reads the counters
 *	freeze, holds	control FREEZE_WHILE_SMM
 *	caps		which counters there are
 *	pmu, msr	the counters
 */
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/suspend.h>

#include "caps.h"
#include "freeze.h"
#include "netlink.h"
#include "pmu.h"
#include "snapshot.h"
#include "version.h"

static enum cpuhp_state hotplug_state __ro_after_init;

static int cpu_online_here(unsigned int cpu)
{
	smimon_caps_probe();
	smimon_pmu_online(cpu);
	smimon_freeze_online();
	smimon_snapshot_restart();
	return 0;
}

static int cpu_offline_here(unsigned int cpu)
{
	smimon_freeze_offline();
	smimon_pmu_offline(cpu);
	return 0;
}

/* User space runs both a while after the first and a while before the last of these. */
static int on_sleep(struct notifier_block *nb, unsigned long event, void *unused)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		smimon_snapshot_suspend();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		smimon_pmu_resume();
		smimon_freeze_resume();
		smimon_snapshot_resume();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block sleep_notifier = {
	.notifier_call = on_sleep,
};

static int __init smimon_init(void)
{
	int err;

	smimon_snapshot_init();
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "x86/smimon:online", cpu_online_here,
				cpu_offline_here);
	if (err < 0)
		goto err_exit_pmu;
	hotplug_state = err;
	err = register_pm_notifier(&sleep_notifier);
	if (err)
		goto err_remove_hotplug;
	err = smimon_netlink_init();
	if (err)
		goto err_unregister_pm;
	return 0;

err_unregister_pm:
	unregister_pm_notifier(&sleep_notifier);
err_remove_hotplug:
	smimon_pmu_exit();
	cpuhp_remove_state(hotplug_state);
	return err;

err_exit_pmu:
	smimon_pmu_exit();
	return err;
}

static void __exit smimon_exit(void)
{
	smimon_netlink_exit();
	unregister_pm_notifier(&sleep_notifier);
	smimon_pmu_exit();
	cpuhp_remove_state(hotplug_state);
}

module_init(smimon_init);
module_exit(smimon_exit);

MODULE_DESCRIPTION("SMI cost and effective frequency of each CPU");
MODULE_AUTHOR("The smimon authors");
MODULE_VERSION(SMIMON_VERSION);
MODULE_LICENSE("GPL");
