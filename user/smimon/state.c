// SPDX-License-Identifier: GPL-2.0-only
#include "state.h"

#include <smimon.h>
#include <stdio.h>

#include "json.h"

void state_add_freeze(struct json_line *line, struct json_object *to,
		      const struct smimon_freeze *freeze)
{
	json_add_string(line, to, "policy", smimon_policy_name(freeze->policy));
	json_add_count(line, to, "holds", freeze->holds);
	json_add_bool(line, to, "active", freeze->active);
	json_add_count(line, to, "supported", freeze->supported);
	json_add_count(line, to, "changed", freeze->changed);
}

void state_print_freeze(const struct smimon_freeze *freeze)
{
	printf("%-*s%s\n", STATE_NAME_WIDTH, "freeze policy", smimon_policy_name(freeze->policy));
	printf("%-*s%u\n", STATE_NAME_WIDTH, "freeze holds", freeze->holds);
	printf("%-*s%s\n", STATE_NAME_WIDTH, "freeze active", freeze->active ? "yes" : "no");
	printf("%-*son %u CPU%s\n", STATE_NAME_WIDTH, "freeze bit", freeze->supported,
	       freeze->supported == 1 ? "" : "s");
	printf("%-*son %u CPU%s\n", STATE_NAME_WIDTH, "set by smimon", freeze->changed,
	       freeze->changed == 1 ? "" : "s");
}
