/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which columns of a reduction are packed: those of two loops are one row. */
#include "plan/reduce_choose.h"

/*
 * Narrow columns of few rows are staged side by side with those of the next loop, where
 * one iteration has at most so many elements and bytes.  Zen 3, AVX2, one thread,
 * arrays of 40000 elements, [n, rows, columns]: sums and largest elements of f32, f64,
 * f16, i32 and u8 take .02 to .25 of the time with 8 to 32 elements an iteration, of
 * f32 .4 to .8 with 128, of f64 .4 to .8 with 96; f64[n, 32, 4] takes 1.1, f32[n, 48,
 * 4] 1.06.  With 512 bits (Zen 4) f64[2500,4,4] takes .09, f32[1000,7,7] .17 and
 * f32[400,32,4] .43.
 *
 * More where columns do not fill a register of lanes of f64, which is reduced in place
 * (Zen 4, AVX2 and AVX-512): sums of f32[200,100,2] take .78 and .67, of i32[160,50,5]
 * .67, u8 .57, largest of f32[200,100,2] .77, f32[160,50,5] .62 and bf16 .58; but f32
 * [133,150,2] 1.24, f64[200,100,2] 1.17, sums of f32[160,50,5] 1.5.
 */
#define PACKED              160
#define PACKED_BYTES        768
#define PACKED_NARROW       256
#define PACKED_NARROW_BYTES 1024
#define NARROW              4

/*
 * The same where columns are staged anyway: largest elements of u8[7,7,7,7] by the
 * second and the last axis take .28 of the time, any of f32[100,20,16] .3 (AVX2), sums
 * of f16[100,20,16] .97 and of f16[100,50,12] 1.3 (SSE2, where f16 is converted).
 */
#define PACKED_STAGED 400

/* Whether columns of f32 and f64 fill registers of lanes, and are reduced in place. */
static bool fills_registers(const struct bli_reduce_plan *plan)
{
    return plan->outer.extent[0] * plan->reducer->numbers >= NARROW &&
           plan->tile_size >= 4 && plan->partial_size >= (int64_t)sizeof(double) &&
           !plan->reducer->is_free;
}

/* Most elements of an iteration whose columns are packed. */
static int64_t most_packed(const struct bli_reduce_plan *plan)
{
    if (plan->is_staged)
        return PACKED_STAGED;
    return fills_registers(plan)
               ? bli_least(PACKED, PACKED_BYTES / plan->tile_size)
               : bli_least(PACKED_NARROW, PACKED_NARROW_BYTES / plan->tile_size);
}

void bli_reduce_choose_packing(struct bli_reduce_plan *plan)
{
    const struct bli_nest *const outer = &plan->outer;
    const int64_t side = outer->extent[0];

    plan->side = side;
    plan->packed = 1;
    plan->stages_at_once = false;
    if (!plan->by_columns || plan->by_partial_blocks)
        return;
    plan->stages_at_once = plan->is_staged && !plan->centre;
    if (outer->loops < 2 || plan->count == 0 || plan->centre)
        return;
    if (bli_reduce_goes_on(plan) || side * plan->count <= most_packed(plan)) {
        plan->packed = outer->extent[1];
        plan->side *= plan->packed;
        plan->is_staged =
            plan->is_staged || (plan->packed > 1 && !bli_reduce_goes_on(plan));
        plan->stages_at_once = plan->is_staged;
    }
}
