/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which operands of a plan are staged in tiles, and how work is cut into boxes.
 */
#include "plan/plan.h"

/*
 * Rows of fewer elements than this are made longer in tiles.  Measured with add of f32
 * in the second cache: a row of 32 costs 1.5 ns to begin, and as much to compute.
 */
#define SHORT_ROW 64

/*
 * The same where one of two inputs stands still along them: 0.65 to 0.9 of the time in
 * the second cache with elements of 4 bytes or more, 1.7 with bytes.
 */
#define SHORT_FILLED_ROW 40

/* Problems of fewer elements are done where they are: a tile costs 50 ns to set up. */
#define TINY_COUNT 128

/*
 * Results of more bytes than this go past the caches.  Writing through them reads every
 * line first; below that size the next reader finds it in the cache.  With a last cache
 * of 32 MiB, 34 MB that were written again and again took 0.43 ms through it, 0.81 ms
 * past it; 67 MB took as long either way, and 268 MB 1.3 times as long through it.
 * With inputs it is full sooner: add of 25 MB and 25 MB took 0.85 of the time past it.
 */
#define NT_BYTES   (40 << 20)
#define NT_TRAFFIC (64 << 20)

/* Operands of fewer bytes together are in a core's own caches. */
#define CACHE_BYTES (1 << 20)

/*
 * Bytes of each operand in a box of neighbouring loops.  In the caches, rows of 3 and 7
 * and i32 plus f32 take 0.84 to 0.93 of the time that they take with half as many, and
 * no less with twice.  Past them the machine is to read what the kernel does next while
 * a tile is made: a column of 3 takes 0.86 of the time, i32 plus f32 0.79.  Functions
 * of blocks have less use for that: exp of f16 takes 0.92 with twice as many.
 */
#define TILE_BYTES_CACHE  8192
#define TILE_BYTES_MEMORY 2048

/* Least bytes of a result in one segment that are worth streaming. */
#define NT_ROW 256

static int64_t computed_size(const struct bl_plan *plan, int32_t k)
{
    return bli_dtypes[plan->computed[k]].size;
}

/* Whether elements are moved as they are: kernels that do take any strides well. */
static bool is_move(const struct bl_plan *plan)
{
    return plan->op == BL_OP_COPY && plan->dtype[0] == plan->dtype[1];
}

/* Whether a kernel may walk operand `k` along loop 0 as it is. */
static bool is_dense(const struct bl_plan *plan, int32_t k)
{
    const int64_t step = plan->nest.stride[0][k];

    return step == plan->size[k] || (step == 0 && k > 0) || plan->nest.extent[0] == 1;
}

/* Whether operand `k` goes on evenly over the loops of a box. */
static bool is_even(const struct bl_plan *plan, int32_t k)
{
    const struct bli_nest *const nest = &plan->nest;
    const int32_t last = plan->tiling.split_length > 1 ? plan->tiling.split_loop
                                                       : plan->tiling.split_loop - 1;

    for (int32_t i = 0; i < last; i++)
        if (nest->stride[i + 1][k] != nest->stride[i][k] * nest->extent[i])
            return false;
    return true;
}

/* Kernels of expressions and conversions write past the caches themselves. */
static bool can_store_non_temporal(const struct bl_plan *plan)
{
    return plan->op != BL_OP_NONE && bli_ops[plan->op].impl < BLI_IMPL_VECTOR &&
           !is_move(plan);
}

/* Whether rows of operand `k` are too short for the kernel. */
static bool is_short(const struct bl_plan *plan, int32_t k)
{
    const bool is_filled = plan->inputs == 2 && plan->nest.stride[0][k] == 0 &&
                           plan->size[0] >= 4 && can_store_non_temporal(plan) &&
                           !plan->tiling.non_temporal;

    return plan->nest.extent[0] < (is_filled ? SHORT_FILLED_ROW : SHORT_ROW);
}

/* Elements that have room in `bytes` of a tile, whatever their dtype. */
static int64_t tile_elements(const struct bl_plan *plan, int64_t bytes)
{
    int64_t widest = 1;

    for (int32_t k = 0; k <= plan->inputs; k++)
        if (computed_size(plan, k) > widest)
            widest = computed_size(plan, k);
    return bytes / widest;
}

static void cut_tiles(struct bl_plan *plan, int64_t bytes)
{
    const struct bli_nest *const nest = &plan->nest;
    struct bli_tiling *const tiling = &plan->tiling;
    const int64_t most = tile_elements(plan, bytes);
    int64_t below = 1;
    int32_t level = 0;

    while (level + 1 < nest->loops && level + 1 < BLI_TILE_LOOPS &&
           nest->extent[level] <= most / below)
        below *= nest->extent[level++];
    tiling->split_loop = level;
    tiling->split_length =
        most / below < nest->extent[level] ? most / below : nest->extent[level];
}

/* Bytes of the result that one segment of memory has. */
static int64_t segment(const struct bl_plan *plan)
{
    const struct bli_nest *const nest = &plan->nest;
    int64_t bytes = plan->size[0];

    for (int32_t i = 0; i < nest->loops; i++) {
        if (nest->extent[i] != 1 && nest->stride[i][0] != bytes)
            break;
        bytes *= nest->extent[i];
        if (bytes >= NT_ROW)
            break;
    }
    return bytes;
}

/* Let boxes that part a loop end on lines of the result, if they have so many. */
static void align_tiles_to_cache_lines(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    int64_t bytes = plan->size[0];
    int64_t elements = 1;

    for (int32_t i = 0; i < tiling->split_loop; i++)
        bytes *= plan->nest.extent[i];
    while (bytes * elements % BLI_ALIGNMENT != 0)
        elements *= 2;
    if (tiling->split_length > elements &&
        tiling->split_length < plan->nest.extent[tiling->split_loop])
        tiling->split_length -= tiling->split_length % elements;
}

/*
 * Bytes of operand `k`, each element once.  Plans need no data: there may be more than
 * an integer holds.
 */
static double own_bytes(const struct bl_plan *plan, int32_t k)
{
    double bytes = (double)plan->size[k];

    for (int32_t i = 0; i < plan->nest.loops; i++)
        if (plan->nest.stride[i][k] != 0)
            bytes *= (double)plan->nest.extent[i];
    return bytes;
}

/* Bytes of memory that are read and written, at least. */
static double traffic(const struct bl_plan *plan)
{
    double bytes = 0;

    for (int32_t k = 0; k <= plan->inputs; k++)
        bytes += own_bytes(plan, k);
    return bytes;
}

/* Whether tiles are made of memory past the caches that is read in order. */
static bool reads_far(const struct bl_plan *plan)
{
    bool reads = false;

    for (int32_t k = 1; k <= plan->inputs; k++)
        reads |= (plan->tiling.staged >> k & 1) && is_dense(plan, k) &&
                 own_bytes(plan, k) > CACHE_BYTES;
    return reads;
}

/*
 * Whether the last cache would keep none of the result for its next reader, where `all`
 * is the traffic.
 */
static bool is_large(const struct bl_plan *plan, double all)
{
    const double bytes = (double)plan->nest.count * (double)plan->size[0];

    return bytes > NT_BYTES || (all > NT_TRAFFIC && bytes >= all / 4);
}

/* Whether the result's part of a box across loops is mostly whole lines. */
static bool has_full_lines(const struct bl_plan *plan)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    int64_t bytes = plan->size[0];

    for (int32_t d = 0; d < tiling->dims && tiling->loop[d] == d; d++) {
        bytes *= tiling->tile_extent[d];
        if (tiling->tile_extent[d] != plan->nest.extent[d])
            break;
    }
    return tiling->dims == 0 || bytes % BLI_ALIGNMENT == 0 || bytes >= 4 * NT_ROW;
}

void bli_plan_tile(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const bool is_tiny = plan->nest.count < TINY_COUNT;
    const bool moves = is_move(plan);
    const double all = traffic(plan);

    tiling->is_used = false;
    tiling->staged = 0;
    tiling->dims = 0;
    tiling->exceeds_l2 = all > CACHE_BYTES;
    tiling->non_temporal = is_large(plan, all) && segment(plan) >= NT_ROW;
    cut_tiles(plan, TILE_BYTES_CACHE);
    for (int32_t k = 0; k <= plan->inputs; k++) {
        const bool is_far =
            !is_dense(plan, k) || (is_short(plan, k) && !is_even(plan, k));

        if (plan->dtype[k] != plan->computed[k] || (is_far && !is_tiny && !moves))
            tiling->staged |= UINT32_C(1) << k;
    }
    if (reads_far(plan))
        cut_tiles(plan, can_store_non_temporal(plan) ? TILE_BYTES_MEMORY
                                                     : 2 * TILE_BYTES_MEMORY);
    if (!is_tiny && (tiling->staged || moves))
        bli_plan_permuted(plan);
    tiling->non_temporal &= has_full_lines(plan);
    /* From memory to memory across two loops is slower than by way of a tile. */
    if (moves && tiling->dims > 0)
        tiling->staged |= 2;
    /* Long copies are the C library's, which has its own limit for that. */
    tiling->non_temporal &= !moves || tiling->dims > 0;
    tiling->stages_result_for_nt =
        tiling->non_temporal && !can_store_non_temporal(plan);
    tiling->is_used =
        tiling->staged != 0 || tiling->dims > 0 || tiling->stages_result_for_nt;
    align_tiles_to_cache_lines(plan);
    bli_plan_stage(plan);
}
