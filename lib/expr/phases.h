/* SPDX-License-Identifier: BSD-3-Clause */
/* What finding the phases of a plan works with. */
#ifndef BLI_EXPR_PHASES_H
#define BLI_EXPR_PHASES_H

#include "expr/grouping.h"
#include "expr/plan.h"

/* What is known of each step meanwhile. */
struct bli_phase_state {
    int32_t class; /* the first step of the same shape; -1: a call of its own */
    int32_t phase; /* before these are put in order */
    bool is_done;
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

#endif
