/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A query as Torch saw it: which operand is self, the numel of each, and the error text
 * of its C library where they differ.  Shared by the legacy and transitional rules, and
 * by changes.c, which compares their results with those of broadcasting.
 */
#ifndef COMPAT_TORCH_H
#define COMPAT_TORCH_H

#include <broadloom/compat.h>

/* Kinds and refusals of functions.def; LOOP still pairs as 1-D. */
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
 * The name of operand k: the one in the query, else its function's, else a letter.
 */
const char *bli_torch_name(const bl_rules_query *query, int32_t k);

/*
 * Whether a query's function compares numel only under all of Torch's rules: a
 * criterion, or a loop of TH.
 */
static inline bool bli_never_broadcasts(const bl_rules_query *query)
{
    const struct bli_function *const function = bli_function_of(query);

    return function->kind == BLI_KIND_LOOP ||
           function->refusal == BLI_REFUSAL_CRITERION;
}

/* The operands of a query that are paired. */
struct bli_torch {
    const bl_rules_query *query;
    int32_t self;
    int32_t others;
    int32_t other[BL_MAX_INPUTS];
    int64_t count[BL_MAX_INPUTS]; /* numel of each operand; 0 for rank 0 */
};

/*
 * Read a query.  BL_ERR_OVERFLOW where a numel does not fit in 64 bits; BL_ERR_RULES,
 * which names `rules`, for a call with a tensor of rank 0, which Torch does not have.
 * NULL `rules` skip that check and error texts.
 */
bl_status bli_torch_read(struct bli_torch *torch, const bl_rules *rules,
                         const bl_rules_query *query);

/* Whether all operands have as many elements as self. */
bool bli_torch_same_counts(const struct bli_torch *torch);

/* Whether all operands have the shape of self. */
bool bli_torch_same_shapes(const struct bli_torch *torch);

/* Whether two shapes have the same rank and extents. */
bool bli_same_shape(const bl_shape *a, const bl_shape *b);

/* Answer the shape of self, with the k-th element of each operand at its k-th one. */
void bli_torch_pair_flat(const struct bli_torch *torch, bl_rules_answer *answer);

/* Answer that operands with role BL_ROLE_SOURCE are not paired; no events. */
void bli_torch_open(const struct bli_torch *torch, bl_rules_answer *answer);

/* The error of numels that differ: of 0.1.12, or with `names` of 0.2.  BL_ERR_SHAPE. */
bl_status bli_torch_refuse(const struct bli_torch *torch, bool names);

#endif
