/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What warnings need to know of Torch's history.  Declared here, where it is asked, and
 * defined in compat/rules/changes.c, which knows the answers: warnings stand below the
 * rules.  All are pure.
 */
#ifndef BLI_CHANGE_H
#define BLI_CHANGE_H

#include <broadloom/rules.h>

/*
 * What an event that was answered for a query changes of a result: a bl_change,
 * BL_CHANGE_NONE where nothing.
 */
int32_t bli_effect_of_event(const bl_rules_query *query, const bl_rules_answer *answer,
                            const bl_rules_event *event);

/*
 * How the result differs from the shape of self: its number of elements over self's,
 * and bit d set where dimension d of the result is longer.  Both stay as they are where
 * the query has no self.
 */
void bli_measure_change(const bl_rules_query *query, const bl_rules_answer *answer,
                        double *growth, uint64_t *expanded_dims);

/* The name of the query's function in Torch; NULL where it has none. */
const char *bli_torch_function(const bl_rules_query *query);

/* The rules by which a query's operands were paired, as 1-D where they may be. */
const bl_rules *bli_pointwise_rules(const bl_rules_query *query);

#endif
