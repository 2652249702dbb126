/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What warnings need to know of Torch's history.  Declared here, where it is needed,
 * and defined in compat/rules/changes.c: warnings are a layer below the rules.  All
 * functions are pure.
 */
#ifndef BLI_CHANGE_H
#define BLI_CHANGE_H

#include <broadloom/rules.h>

/*
 * What an event of a query's answer changes of the result: a bl_change, BL_CHANGE_NONE
 * where nothing changes.
 */
int32_t bli_effect_of_event(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event);

/*
 * Compare the result with the shape of self: `*growth` is its number of elements over
 * self's, and bit d of `*expanded_dims` is set where dimension d of the result is
 * longer.  Both are left unchanged where the query has no self.
 */
void bli_measure_change(const bl_rules_query *query, const bl_rules_answer *answer,
                        double *growth, uint64_t *expanded_dims);

/* The name of a query's function in Torch; NULL where it has none. */
const char *bli_torch_function(const bl_rules_query *query);

/*
 * The rules by which Torch paired a query's operands: the legacy ones for a loop of TH,
 * which pair as 1-D, else the transitional ones, which do so as a fallback.
 */
const bl_rules *bli_pointwise_rules(const bl_rules_query *query);

#endif
