/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the conversions of staged operands, the offsets of their buffers in a
 * thread's staging memory, and their layout there.
 */
#include "plan/non_temporal.h"

/*
 * An input with stride 0 in a loop is repeated in its staging buffer until rows have so
 * many elements; from there on its stride in the buffer is 0 too, and the kernel
 * repeats it.
 */
#define LONG_ROW 64

/* The instruction sets by which elements of one size, and others, are converted. */
struct converters {
    const struct bli_isa *same, *other;
};

/* Choose the conversions between operand `k` in memory and in its staging buffer. */
static void choose_conversion(struct bl_plan *plan, struct converters by, int32_t k,
                              bl_dtype intermediate)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const bl_dtype from = k == 0 ? plan->computed[0] : plan->dtype[k];
    const bl_dtype to = k == 0 ? plan->dtype[0] : plan->computed[k];
    const bool rounds = bli_dtype_widened(intermediate) != intermediate &&
                        from != intermediate && to != intermediate && from != to;
    const struct bli_isa *const isa =
        bli_dtypes[from].size == bli_dtypes[to].size ? by.same : by.other;

    tiling->convert[k] = isa->convert[from][rounds ? intermediate : to];
    tiling->narrow[k] = rounds ? isa->convert[intermediate][to] : NULL;
}

/* Number of iterations of the largest tile. */
static int64_t most_elements(const struct bl_plan *plan)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    int64_t line = tiling->split_length, across = 1, most;

    for (int32_t i = 0; i < tiling->split_loop; i++)
        line *= plan->nest.extent[i];
    for (int32_t d = 0; d < tiling->dims; d++)
        across *= tiling->tile_extent[d];
    most = line > across ? line : across;
    return most < plan->nest.count ? most : plan->nest.count;
}

/* Add `bytes` to a thread's staging memory.  Returns their offset. */
static int32_t add_staging(struct bli_tiling *tiling, int64_t bytes)
{
    const int32_t begin = tiling->staging;

    tiling->staging += (int32_t)bli_align_up(bytes);
    return begin;
}

/* Whether operand `k` is staged, or may be: bindings decide how the result is stored.
 */
static bool may_stage(const struct bl_plan *plan, int32_t k)
{
    return (plan->tiling.staged >> k & 1) ||
           (k == 0 && plan->tiling.stages_result_for_nt);
}

/* Choose buffers and conversions of the operands that may be staged. */
static void make_buffers(struct bl_plan *plan, struct converters by)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const int64_t most = most_elements(plan);
    const bl_dtype result = bli_op_result(plan->op, plan->common);
    int64_t rounded = 0;

    for (int32_t k = 0; k <= plan->inputs; k++) {
        if (!may_stage(plan, k))
            continue;
        const int64_t count = k > 0 && bli_plan_is_number(plan, k) ? 1 : most;

        choose_conversion(plan, by, k, k == 0 ? result : plan->common);
        tiling->buffer[k] =
            add_staging(tiling, count * bli_dtypes[plan->computed[k]].size);
        if (tiling->narrow[k] && count > rounded)
            rounded = count;
    }
    /* Only f16 and bf16 occur between two conversions. */
    if (rounded > 0)
        tiling->intermediate = add_staging(tiling, rounded * BLI_INTERMEDIATE_SIZE);
}

void bli_plan_stage(struct bl_plan *plan, const struct bli_isa *same,
                    const struct bli_isa *other)
{
    struct bli_tiling *const tiling = &plan->tiling;

    tiling->staging = 0;
    tiling->intermediate = 0;
    if (!tiling->is_used)
        return;
    make_buffers(plan, (struct converters){same, other});
    bli_plan_layout(&tiling->layout, plan, &plan->nest);
}

/* ---- layout ---- */

/* The loops of a whole tile. */
struct loops {
    int32_t count;
    const int32_t *loop; /* of the nest; NULL: the innermost ones */
    int64_t extent[BLI_TILE_LOOPS];
};

/* The stride of operand `k` along loop `d` of a tile. */
static int64_t stride_of(const struct loops *tile, const struct bli_nest *nest,
                         int32_t d, int32_t k)
{
    return nest->stride[tile->loop ? tile->loop[d] : d][k];
}

/* The loops along which input `k` has stride 0 in its staging buffer: bit d, loop d. */
static uint8_t repeated_loops(const struct loops *tile, const struct bli_nest *nest,
                              int32_t k)
{
    int64_t below = 1;
    uint32_t loops = 0;
    bool is_single = true; /* a single element serves the whole tile */

    for (int32_t d = 0; d < tile->count; d++)
        is_single &= stride_of(tile, nest, d, k) == 0 || tile->extent[d] == 1;
    for (int32_t d = 0; d < tile->count; d++) {
        const bool is_long =
            below >= LONG_ROW || (d == 0 && tile->extent[d] >= LONG_ROW);

        if (is_single || (is_long && stride_of(tile, nest, d, k) == 0))
            loops |= UINT32_C(1) << d;
        below *= tile->extent[d];
    }
    return (uint8_t)loops;
}

/*
 * The loop that comes second when operand `k` is copied, because kernels transpose two
 * loops: one along which it is contiguous in memory.  0 if there is none.
 */
static int8_t second_loop(const struct loops *tile, const struct bli_nest *nest,
                          int32_t k, int64_t size)
{
    for (int32_t d = 1; d < tile->count; d++)
        if (stride_of(tile, nest, d, k) == size || stride_of(tile, nest, d, k) == -size)
            return (int8_t)d;
    return 0;
}

static void layout_tile(struct bli_tile_layout *layout, const struct loops *tile,
                        const struct bl_plan *plan, const struct bli_nest *nest)
{
    for (int32_t k = 0; k <= plan->inputs; k++) {
        if (!may_stage(plan, k))
            continue;
        layout->repeated[k] = k > 0 ? repeated_loops(tile, nest, k) : 0;
        layout->second[k] = second_loop(tile, nest, k, plan->size[k]);
    }
}

void bli_plan_layout(struct bli_staging_layout *layout, const struct bl_plan *plan,
                     const struct bli_nest *nest)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    struct loops tile = {tiling->split_loop + 1, NULL, {0}};

    for (int32_t d = 0; d < tiling->split_loop; d++)
        tile.extent[d] = nest->extent[d];
    tile.extent[tiling->split_loop] = tiling->split_length;
    layout_tile(&layout->adjacent, &tile, plan, nest);
    if (tiling->dims == 0)
        return;
    tile.count = tiling->dims;
    tile.loop = tiling->loop;
    for (int32_t d = 0; d < tiling->dims; d++)
        tile.extent[d] = tiling->tile_extent[d];
    layout_tile(&layout->permuted, &tile, plan, nest);
}
