/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a kernel over a loop nest.  An odometer counts the loops outside the kernel's
 * two: it divides once a range, to find where that begins; every later step is an
 * addition.
 */
#include "exec/loops/loop_nest.h"
#include "exec/loops/odometer.h"

void bli_walk_loops(int32_t loops, const int64_t *extent,
                    const int64_t (*stride)[BLI_MAX_OPERANDS], int32_t operands,
                    bli_kernel *kernel, const void *params, char *const *data)
{
    int64_t index[BL_MAX_RANK];
    char *at[BLI_MAX_OPERANDS];
    int32_t i = 2;

    if (loops == 2) {
        kernel(data, stride, extent[0], extent[1], params);
        return;
    }
    for (int32_t k = 0; k < operands; k++)
        at[k] = data[k];
    for (int32_t n = 2; n < loops; n++)
        index[n] = 0;
    while (i < loops) {
        kernel(at, stride, extent[0], extent[1], params);
        for (i = 2; i < loops; i++) {
            const bool carries = ++index[i] == extent[i];
            const int64_t moved = carries ? 1 - extent[i] : 1;

            for (int32_t k = 0; k < operands; k++)
                at[k] += moved * stride[i][k];
            if (!carries)
                break;
            index[i] = 0;
        }
    }
}

void bli_walk(const struct bli_nest *nest, bli_kernel *kernel, const void *params,
              char *const *data, bl_range range)
{
    const int64_t row = nest->extent[0];
    int64_t left = range.end - range.begin;
    struct bli_odometer o;

    if (left <= 0)
        return;
    if (left == nest->count) {
        for (int32_t k = 0; k < nest->operands; k++)
            o.data[k] = data[k] + nest->offset[k];
        bli_walk_loops(nest->loops, nest->extent, nest->stride, nest->operands, kernel,
                       params, o.data);
        return;
    }
    bli_odometer_set(&o, nest, data, range.begin);
    while (left > 0) {
        if (o.index[0] != 0 || left < row) {
            /* Part of a row: up to the end of the row or of the range. */
            const int64_t rest = row - o.index[0];
            const int64_t inner = rest < left ? rest : left;

            kernel(o.data, nest->stride, inner, 1, params);
            bli_odometer_advance(&o, nest, 0, inner);
            left -= inner;
        } else {
            /* Whole rows: as many as are left of the second loop here. */
            const int64_t rest = nest->extent[1] - o.index[1];
            const int64_t outer = rest < left / row ? rest : left / row;

            kernel(o.data, nest->stride, row, outer, params);
            bli_odometer_advance(&o, nest, 1, outer);
            left -= outer * row;
        }
    }
}

/*
 * Return whether the result is written with non-temporal stores: if the plan says so,
 * and no input is at the same address.
 */
static bool streams_now(const struct bl_plan *plan, const struct bli_binding *binding)
{
    bool non_temporal = plan->tiling.non_temporal;

    for (int32_t k = 1; non_temporal && k < binding->nest->operands; k++)
        non_temporal = binding->data[k] != binding->data[0];
    return non_temporal;
}

/* Run tiles with staging on the stack, in a frame that other calls do not need. */
BLI_OWN_FRAME static void walk_small(const struct bl_plan *plan,
                                     const struct bli_binding *binding,
                                     bool non_temporal, bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];

    bli_tiled_walk(plan, binding, non_temporal, range, staging);
}

void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread)
{
    const bool non_temporal = streams_now(plan, binding);

    if (plan->tiling.is_used && binding->staging.memory)
        bli_tiled_walk(plan, binding, non_temporal, range,
                       bli_staging_of(&binding->staging, thread));
    else if (plan->tiling.is_used)
        walk_small(plan, binding, non_temporal, range);
    else
        bli_walk(binding->nest, plan->kernel,
                 non_temporal ? BLI_NT_STORES : binding->params, binding->data, range);
    if (non_temporal)
        plan->isa->stream_fence();
}

const char *bli_walk_address(const struct bli_nest *nest, const char *data, int32_t k,
                             int64_t at)
{
    data += nest->offset[k];
    for (int32_t i = 0; i < nest->loops; i++) {
        data += at % nest->extent[i] * nest->stride[i][k];
        at /= nest->extent[i];
    }
    return data;
}
