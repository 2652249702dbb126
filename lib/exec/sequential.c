/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan as the plain loop over its elements would.  This defines the result where
 * it overlaps its operands, so that an element is read after another was written.
 */
#include "exec/exec.h"
#include "exec/loops/odometer.h"
#include "exec/loops/walk.h"

/* The loops over an operand's elements in its logical order, and the element now. */
struct cursor {
    int32_t loops;
    char *at;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in bytes */
    int64_t index[BL_MAX_RANK];
};

/* Set the cursor to the first element of an operand at `at`. */
static void open_cursor(struct cursor *cursor, const struct bli_logical_order *order,
                        int64_t size, char *at)
{
    cursor->loops = order->rank;
    cursor->at = at;
    for (int32_t i = 0; i < order->rank; i++) {
        const int32_t d = order->rank - 1 - i;

        cursor->extent[i] = order->extent[d];
        cursor->stride[i] = order->stride[d] * size;
        cursor->index[i] = 0;
    }
}

/* Go to the next element; after the last, to the first. */
static void advance(struct cursor *cursor)
{
    const struct bli_loops loops = {.count = cursor->loops,
                                    .operands = 1,
                                    .extent = cursor->extent,
                                    .stride = cursor->stride,
                                    .pitch = 1};

    (void)bli_loops_advance(&loops, cursor->index, &cursor->at, 0, 1);
}

/* Make the plan of a single element of `plan`. */
static void make_single(struct bl_plan *single, const struct bl_plan *plan)
{
    struct bli_nest *const nest = &single->nest;

    *single = *plan;
    nest->loops = 2;
    nest->count = 1;
    nest->needs_linear_copy = 0;
    for (int32_t i = 0; i < nest->loops; i++) {
        nest->extent[i] = 1;
        for (int32_t k = 0; k < nest->operands; k++)
            nest->stride[i][k] = 0;
    }
    for (int32_t k = 0; k < nest->operands; k++)
        nest->offset[k] = 0;
    bli_plan_tile(single);
}

/* Contents of the binding's staging. */
struct sequence {
    struct bl_plan single;
    struct cursor cursor[BLI_MAX_OPERANDS];
};

int64_t bli_sequence_bytes(void)
{
    return sizeof(struct sequence);
}

void bli_exec_sequential(const struct bl_plan *plan, const struct bli_binding *binding)
{
    const bl_range all = {0, 1};
    struct sequence *const sequence =
        (struct sequence *)(void *)binding->staging.memory;
    struct cursor *const cursor = sequence->cursor;
    struct bli_binding one = *binding;

    make_single(&sequence->single, plan);
    one.nest = &sequence->single.nest;
    one.staging.memory = NULL;
    for (int32_t k = 0; k <= plan->inputs; k++)
        open_cursor(&cursor[k], &plan->logical_order[k], plan->size[k],
                    binding->data[k]);
    for (int64_t i = 0; i < plan->nest.count; i++) {
        for (int32_t k = 0; k <= plan->inputs; k++) {
            one.data[k] = cursor[k].at;
            advance(&cursor[k]);
        }
        bli_walk_plan(&sequence->single, &one, all, 0);
    }
}
