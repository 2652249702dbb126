/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits on what a call may move, names of operands in refusals, warnings.
 */
#ifndef BLI_LIMITS_H
#define BLI_LIMITS_H

#include <broadloom/rules.h>

#include "mpi/spread/call.h"

/* The name of operand k: the call's, else "a", "b", ..., written to `letter`. */
const char *bli_call_name(const bl_options *call, bl_op op, int32_t k, char letter[2]);

/* Raise the warnings of a call that rules have answered, where the options say so. */
bl_status bli_call_warn(const struct bli_spread_options *options, const bl_rules *rules,
                        const bl_rules_query *query, bl_rules_answer *answer);

/* Bytes of operand k that a rank receives. */
int64_t bli_call_received(const struct bli_spread_call *plan, int32_t k,
                          int32_t of_rank);

/*
 * BL_ERR_RULES where a plan moves more than its options allow.  Stages, by which ranks
 * of a node receive some elements twice, are left out before that.
 */
bl_status bli_call_check_limits(struct bli_spread_call *plan,
                                const struct bli_spread_options *options);

#endif
