/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a kernel over a loop nest.  An odometer counts the loops outside the kernel's
 * two: it divides once a range, to find where that begins; every later step is an
 * addition.
 */
#include "exec/loops/loop_nest.h"
#include "exec/loops/odometer.h"

/* Call the kernel for all iterations of three loops or more. */
static void walk_outer_loops(int32_t loops, const int64_t *extent,
                             const int64_t (*stride)[BLI_MAX_OPERANDS],
                             int32_t operands, bli_kernel *kernel, const void *params,
                             char *const *data)
{
    const struct bli_loops outer = {.count = loops - 2,
                                    .operands = operands,
                                    .extent = extent + 2,
                                    .stride = stride[2],
                                    .pitch = BLI_MAX_OPERANDS};
    int64_t index[BL_MAX_RANK];
    char *at[BLI_MAX_OPERANDS];

    for (int32_t k = 0; k < operands; k++)
        at[k] = data[k];
    for (int32_t i = 0; i < outer.count; i++)
        index[i] = 0;
    do
        bli_kernel_run(kernel, at, stride, extent[0], extent[1], params);
    while (bli_loops_advance(&outer, index, at, 0, 1));
}

void bli_walk_loops(int32_t loops, const int64_t *extent,
                    const int64_t (*stride)[BLI_MAX_OPERANDS], int32_t operands,
                    bli_kernel *kernel, const void *params, char *const *data)
{
    if (loops == 2)
        bli_kernel_run(kernel, data, stride, extent[0], extent[1], params);
    else
        walk_outer_loops(loops, extent, stride, operands, kernel, params, data);
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

            bli_kernel_run(kernel, o.data, nest->stride, inner, 1, params);
            bli_odometer_advance(&o, nest, 0, inner);
            left -= inner;
        } else {
            /* Whole rows: as many as are left of the second loop here. */
            const int64_t rest = nest->extent[1] - o.index[1];
            const int64_t outer = rest < left / row ? rest : left / row;

            bli_kernel_run(kernel, o.data, nest->stride, row, outer, params);
            bli_odometer_advance(&o, nest, 1, outer);
            left -= outer * row;
        }
    }
}
