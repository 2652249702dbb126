/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A query as Torch saw one: which operand is self, how many elements each has, what its
 * C library says where the counts differ.  Shared by the legacy and transitional rules
 * and by what compares their results with broadcasting's.
 */
#ifndef COMPAT_TORCH_H
#define COMPAT_TORCH_H

#include <broadloom/compat.h>

/* Kinds and refusals of functions.def; LOOP: pairs as 1-D for ever. */
enum bli_function_kind {
    BLI_KIND_PAIRED,
    BLI_KIND_SCALAR,
    BLI_KIND_MASKED,
    BLI_KIND_MASK_FIRST,
    BLI_KIND_SUM_TO,
    BLI_KIND_EXPAND,
    BLI_KIND_LOOP
};
enum bli_refusal {
    BLI_REFUSAL_NONE,
    BLI_REFUSAL_POINTWISE,
    BLI_REFUSAL_PRODUCT,
    BLI_REFUSAL_COMPARE,
    BLI_REFUSAL_EXTREME,
    BLI_REFUSAL_ATAN2,
    BLI_REFUSAL_APPLY2,
    BLI_REFUSAL_APPLY3,
    BLI_REFUSAL_FILL,
    BLI_REFUSAL_SELECT,
    BLI_REFUSAL_SCATTER,
    BLI_REFUSAL_LERP,
    BLI_REFUSAL_CRITERION
};

/* A row of functions.def. */
struct bli_function {
    const char *name;
    bl_op op;
    int32_t kind;    /* an enum bli_function_kind */
    int32_t refusal; /* an enum bli_refusal */
    const char *operand[3];
};

/* The row of a query's function or operator; never NULL.  Pure. */
const struct bli_function *bli_function_of(const bl_rules_query *query);

/*
 * What operand k is called: its own name, else that of its function, else a letter.
 */
const char *bli_torch_name(const bl_rules_query *query, int32_t k);

/* The operands of a query that meet each other. */
struct bli_torch {
    const bl_rules_query *query;
    int32_t self;
    int32_t others;
    int32_t other[BL_MAX_INPUTS];
    int64_t count[BL_MAX_INPUTS]; /* of every operand; () is the empty tensor */
};

/*
 * Read a query.  BL_ERR_OVERFLOW where a count does not fit in 64 bits; BL_ERR_RULES
 * for a call of a tensor without dimensions, which Torch has none of, in the name of
 * `rules`; NULL leaves that check and error texts out.
 */
bl_status bli_torch_read(struct bli_torch *torch, const bl_rules *rules,
                         const bl_rules_query *query);

/* Whether all operands have as many elements as self. */
bool bli_torch_same_counts(const struct bli_torch *torch);

/* Whether all operands have the shape of self. */
bool bli_torch_same_shapes(const struct bli_torch *torch);

bool bli_same_shape(const bl_shape *a, const bl_shape *b);

/* Answer: the shape of self, and the k-th element of each operand at the k-th of it. */
void bli_torch_pair_flat(const struct bli_torch *torch, bl_rules_answer *answer);

/* Answer that operands with role BL_ROLE_SOURCE are not paired; no events. */
void bli_torch_open(const struct bli_torch *torch, bl_rules_answer *answer);

/* Refuse counts that differ, in the words of 0.1.12, or of 0.2 where `names` is set. */
bl_status bli_torch_refuse(const struct bli_torch *torch, bool names);

#endif
