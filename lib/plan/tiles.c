/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses which operands of a plan are staged, and how its iteration space is cut into
 * tiles.
 */
#include "plan/columns.h"
#include "plan/lines.h"
#include "plan/non_temporal.h"

/*
 * Rows of fewer elements than this are made longer by staging.  Measured with add of
 * f32 in L2: a row of 32 costs 1.5 ns to begin, and as much to compute.
 */
#define SHORT_ROW 64

/* Problems of fewer elements are computed in place: staging costs 50 ns to set up. */
#define TINY_COUNT 128

/*
 * Bytes of each operand in a tile of adjacent loops.  In the caches, rows of 3 and 7
 * and i32 plus f32 take 0.84 to 0.93 of the time that they take with half as many
 * bytes, and no less with twice as many; so do vector functions from memory.  In
 * memory, the hardware prefetches what the kernel does next while staging goes on: with
 * half as many bytes as this, columns of 3 f32 and of 5 f64 take 1.08 to 1.15 of the
 * time, with twice as many i32 plus f32 takes 1.2.
 *
 * So it is where a staged operand has MEMORY_BYTES: with 4 MB, columns of 3 f32 and 5
 * f64, i16 plus i32, bf16 plus f32 and less of f32 and f64 take 0.88 to 0.94 of the
 * time in tiles of TILE_BYTES_CACHE, with 8 MB 1.04 (Zen 3).
 *
 * Elements that are apart by less than a cache line are staged in tiles of
 * TILE_BYTES_APART, which read about a page.  From memory f32 by twos plus f32 takes .8
 * to .9 of the time that it takes in tiles of TILE_BYTES_CACHE, both by twos .55 to
 * .75, rows of f32 by twos and a row .6; from half of the last-level cache .4 to .7
 * (Zen 4, one thread).  With 64 bytes from one to the next it takes 1.1, and f32 by
 * twos 1.1 to 1.8 where they are gathered by registers of 512 bits.
 *
 * A number that is staged, as the factor of addcmul is, fills no buffer: in rows
 * of TILE_BYTES_NUMBERS, addcmul of 64 MiB each takes .73 of the time that it takes in
 * tiles of TILE_BYTES_CACHE, of 256 KiB .91 (Zen 4).
 */
#define TILE_BYTES_CACHE   8192
#define TILE_BYTES_MEMORY  4096
#define TILE_BYTES_APART   2048
#define MEMORY_BYTES       (8 << 20)
#define TILE_BYTES_NUMBERS (1 << 20)

/*
 * Bytes that are read and written, as a part of the last-level caches, from which what
 * a multi-loop tile stages is prefetched while the one before is computed.  In the
 * caches tiles take .55 to .8 of the time without, as the hardware finds the rest; from
 * memory 1.0 to 1.2 (Zen 3, cache of 32 MiB: permuted f32, transposed u8 and bf16 of 24
 * MB).
 */
#define PREFETCH_TRAFFIC 0.5

static int64_t computed_size(const struct bl_plan *plan, int32_t k)
{
    return bli_dtypes[plan->computed[k]].size;
}

/*
 * Whether the kernel may access operand `k` in place along loop 0: contiguous, or
 * stride 0.
 */
static bool is_dense(const struct bl_plan *plan, int32_t k)
{
    const int64_t step = plan->nest.stride[0][k];

    return step == plan->size[k] || (step == 0 && k > 0) || plan->nest.extent[0] == 1;
}

/* Whether one stride steps operand `k` through all loops of a tile. */
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

/* Whether rows are too short for the kernel. */
static bool is_short(const struct bl_plan *plan)
{
    return plan->nest.extent[0] < SHORT_ROW &&
           (plan->tiling.non_temporal || !bli_plan_repeats_columns(plan));
}

/* Number of elements that fit in `bytes` of a staging buffer, whatever their dtype. */
static int64_t tile_elements(const struct bl_plan *plan, int64_t bytes)
{
    int64_t widest = 1;

    for (int32_t k = 0; k <= plan->inputs; k++)
        if (computed_size(plan, k) > widest)
            widest = computed_size(plan, k);
    return bytes / widest;
}

/* Set split_loop and split_length for tiles of at most `bytes` per operand. */
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

/*
 * Make tiles that split a loop end on cache lines of the result, if they are long
 * enough.
 */
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

/* Whether numbers are all that is staged, as those of another dtype are. */
static bool stages_numbers(const struct bl_plan *plan)
{
    for (int32_t k = 0; k <= plan->inputs; k++)
        if ((plan->tiling.staged >> k & 1) != 0 && !bli_plan_is_number(plan, k))
            return false;
    return plan->tiling.staged != 0;
}

/* Whether neighbouring elements of operand `k` are apart, within a cache line. */
static bool is_apart(const struct bl_plan *plan, int32_t k)
{
    const int64_t step = plan->nest.stride[0][k];

    return !is_dense(plan, k) && step > -BLI_ALIGNMENT && step < BLI_ALIGNMENT;
}

/*
 * Whether an input that exceeds the caches is staged from contiguous rows, or if
 * `apart` from elements that are, or copied from them.
 */
static bool reads_memory(const struct bl_plan *plan, bool apart)
{
    const uint32_t read =
        apart && bli_plan_is_move(plan) ? ~UINT32_C(0) : plan->tiling.staged;
    bool reads = false;

    for (int32_t k = 1; k <= plan->inputs; k++)
        reads |= (read >> k & 1) != 0 &&
                 (apart ? is_apart(plan, k) : is_dense(plan, k)) &&
                 bli_plan_own_bytes(plan, k) >= MEMORY_BYTES;
    return reads;
}

/*
 * Whether 256 bits are read at a time rather than 512, by what stages or copies an
 * input that exceeds the caches, and by kernels that wait for it, on a processor that
 * halves 512.  Reading a few KiB by those it does not prefetch as far: from memory and
 * from half of the last-level cache i32 plus f32 takes .5 to .8 of the time with 256,
 * copies of every second element .7 to .8, exp of them .5 to .6, none of 80 workloads
 * more than 1.08 (Zen 4, one and two threads).  From the nearer caches conversions
 * would take 1.2 times as long.
 */
static bool wants_256_bits(const struct bl_plan *plan)
{
    return plan->tiling.dims == 0 &&
           (reads_memory(plan, true) || reads_memory(plan, false));
}

static void use_isa(struct bl_plan *plan, const struct bli_isa *isa)
{
    plan->isa = isa;
    plan->kernel =
        bli_isa_kernel(isa, plan->op, plan->computed[plan->inputs], plan->computed[0]);
}

void bli_plan_tile(struct bl_plan *plan, struct bli_caches caches)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const bool is_tiny = plan->nest.count < TINY_COUNT;
    const bool moves = bli_plan_is_move(plan);
    const bool has_nt_kernel = bli_plan_has_nt_kernel(plan);
    const double traffic = bli_plan_traffic(plan);
    const struct bli_isa *const wide = plan->isa, *memory = bli_isa_for_memory(wide);
    bool are_short;

    tiling->is_used = false;
    tiling->staged = 0;
    tiling->dims = 0;
    tiling->min_iterations = 0;
    tiling->non_temporal = bli_plan_wants_nt(plan, caches, traffic);
    cut_tiles(plan, TILE_BYTES_CACHE);
    are_short = is_short(plan);
    for (int32_t k = 0; k <= plan->inputs; k++) {
        const bool is_unsuited = !is_dense(plan, k) || (are_short && !is_even(plan, k));

        if (plan->dtype[k] != plan->computed[k] || (is_unsuited && !is_tiny && !moves))
            tiling->staged |= UINT32_C(1) << k;
    }
    if (has_nt_kernel && stages_numbers(plan))
        cut_tiles(plan, TILE_BYTES_NUMBERS);
    else if (!moves && !bli_isa_has_512_bits(memory) && reads_memory(plan, true))
        cut_tiles(plan, TILE_BYTES_APART);
    else if (has_nt_kernel && reads_memory(plan, false))
        cut_tiles(plan, TILE_BYTES_MEMORY);
    if (!is_tiny && (tiling->staged || moves))
        bli_plan_permuted(plan);
    tiling->prefetches =
        tiling->dims > 0 && bli_caches_exceeded(caches, traffic, PREFETCH_TRAFFIC);
    if (memory != wide && !wants_256_bits(plan) &&
        !bli_plan_waits_for_lines(plan, caches, traffic))
        memory = wide;
    if (memory != wide && (has_nt_kernel || moves))
        use_isa(plan, memory);
    bli_plan_settle_nt(plan);
    /* Copying in place across two loops is slower than through a staging buffer. */
    if (moves && tiling->dims > 0)
        tiling->staged |= 2;
    tiling->is_used =
        tiling->staged != 0 || tiling->dims > 0 || tiling->stages_result_for_nt;
    align_tiles_to_cache_lines(plan);
    bli_plan_stage(plan, memory, wide);
}
