/* SPDX-License-Identifier: BSD-3-Clause */
/* What finding the phases of a plan works with. */
#ifndef BLI_EXPR_PHASES_H
#define BLI_EXPR_PHASES_H

#include "expr/grouping.h"
#include "expr/plan.h"

/* How a reduction may be part of a fusion. */
enum bli_fold_level {
    BLI_FOLD_APART,   /* not at all */
    BLI_FOLD_LAST,    /* where no other step of the fusion uses its result */
    BLI_FOLD_RESIDENT /* where whole rows are in a thread's cache meanwhile */
};

/* What is known of each step meanwhile. */
struct bli_phase_state {
    int32_t class; /* the first step of the same shape; -1: a call of its own */
    int32_t phase; /* before these are put in order */
    bool is_done;
    bool is_row;      /* it has one element for each row of its class's shape */
    bool is_resident; /* a row's, and other steps of its fusion may use it */
    bool is_sibling;  /* in its group it is with a step that reads the same array */
    bool is_loner;    /* its group is not joined with siblings */
    int32_t kind;  /* of it: the first reduction over the same axes, from 1; 0: none */
    int32_t level; /* of a reduction: enum bli_fold_level */
};

struct bli_phases {
    struct bli_expr_making *making;
    bl_expr_plan *plan;
    struct bli_phase_state *state; /* of each step */
    struct bli_expr_phase *made;   /* phases by their first steps */
    struct bli_grouping grouping;
    bool is_final;
};

/*
 * Make a phase of each group of steps, in an order in which they can be executed, and
 * find the phases that compute and read each value.
 */
void bli_phases_put_in_order(struct bli_phases *phases);

/* Whether a step that is a call may fail after others have written outputs. */
bool bli_phases_may_fail(const struct bli_expr_step *step);

/* ---- reductions ---- */

/* Find how each reduction may be fused. */
void bli_phases_find_levels(struct bli_phases *phases);

/* Take reductions of a phase that cannot be fused this way one level down: false where
 * there is none. */
bool bli_phases_lower(struct bli_phases *phases, const struct bli_expr_phase *phase);

/*
 * The value whose elements a step goes through: its own, or the one that it reduces.
 */
const struct bli_expr_value *bli_phases_domain(const bl_expr_plan *plan, int32_t s);

/*
 * The class of a step among those before it: its own, or where it is computed from
 * results of a reduction, one for each row, that of the reduction.
 */
int32_t bli_phases_classify(struct bli_phases *phases, int32_t s);

/* Whether a step and that of its operand `k` may be in one fusion. */
bool bli_phases_may_join(const struct bli_phases *phases, int32_t s, int32_t k);

/* ---- siblings ---- */

/* Join groups, all of whose steps are known, that read the same arrays. */
void bli_phases_join_siblings(struct bli_phases *phases);

/* Have no step of a phase be joined with siblings: false where none was. */
bool bli_phases_part_siblings(struct bli_phases *phases,
                              const struct bli_expr_phase *phase);

#endif
