/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the shape of multi-loop tiles for permuted operands (cache blocking), such
 * that every operand has long contiguous segments in a tile, whichever loops it is
 * contiguous along.
 */
#include "plan/plan.h"

/*
 * The loops along which an operand is contiguous in memory, each continuing the one
 * before.
 */
struct run {
    int32_t operand;
    int32_t along; /* the first of these loops */
    bool is_long;  /* long enough, or cannot grow further */
};

/*
 * Bytes from which a segment is long enough, and least extent of loops that a
 * multi-loop tile is made for.
 */
#define LONG_SEGMENT     512
#define MIN_TILED_EXTENT 8

/*
 * Iterations of the outermost loop of multi-loop tiles below which a range is left to
 * tiles of adjacent loops.
 */
#define MIN_ITERATIONS 4

/*
 * The result's run and one more.  A third one would leave each run a single cache line
 * in a tile, and memory delivers single lines at half its speed.  An operand that is
 * contiguous along a third loop is gathered from lines that stay in L2: 0.8 of the
 * time.
 */
#define MOST_RUNS 2

/* Whether operand k steps by `bytes`, in either direction, along a loop. */
static bool steps(const struct bl_plan *plan, int32_t loop, int32_t k, int64_t bytes)
{
    const int64_t stride = plan->nest.stride[loop][k];

    return plan->nest.extent[loop] > 1 && (stride == bytes || stride == -bytes);
}

/* The loop that continues operand k's contiguous segment of `bytes`; -1: none. */
static int32_t find_loop(const struct bl_plan *plan, int32_t k, int64_t bytes)
{
    for (int32_t i = 0; i < plan->nest.loops; i++)
        if (steps(plan, i, k, bytes))
            return i;
    return -1;
}

/*
 * The loop along which operand k is contiguous in memory, if it is not loop 0; else 0.
 */
static int32_t runs_along(const struct bl_plan *plan, int32_t k)
{
    const int64_t step = plan->nest.stride[0][k];
    const int32_t loop = find_loop(plan, k, plan->size[k]);

    if (plan->nest.extent[0] < MIN_TILED_EXTENT || (step < 64 && step > -64) ||
        loop <= 0 || plan->nest.extent[loop] < MIN_TILED_EXTENT)
        return 0;
    return loop;
}

/*
 * The position of loop `loop` in the tile, added with one iteration if it is new; -1:
 * no room.
 */
static int32_t add_loop(struct bli_tiling *tiling, int32_t loop)
{
    int32_t d = tiling->dims;

    for (int32_t i = 0; i < tiling->dims; i++)
        if (tiling->loop[i] == loop)
            return i;
    if (d == BLI_TILE_LOOPS)
        return -1;
    for (; d > 0 && tiling->loop[d - 1] > loop; d--) {
        tiling->loop[d] = tiling->loop[d - 1];
        tiling->tile_extent[d] = tiling->tile_extent[d - 1];
    }
    tiling->loop[d] = loop;
    tiling->tile_extent[d] = 1;
    tiling->dims++;
    return d;
}

/* Iterations of a tile. */
static int64_t tile_count(const struct bli_tiling *tiling)
{
    int64_t count = 1;

    for (int32_t d = 0; d < tiling->dims; d++)
        count *= tiling->tile_extent[d];
    return count;
}

/* Iterations of a loop that a tile spans. */
static int64_t tile_extent_of(const struct bli_tiling *tiling, int32_t loop)
{
    for (int32_t d = 0; d < tiling->dims; d++)
        if (tiling->loop[d] == loop)
            return tiling->tile_extent[d];
    return 1;
}

/*
 * Bytes of one contiguous segment of a run in the tile; `*loop` is the loop that ends
 * it, or -1 if none does.
 */
static int64_t segment(const struct bl_plan *plan, const struct run *run, int32_t *loop)
{
    const int64_t step = plan->nest.stride[run->along][run->operand];
    int64_t bytes = step < 0 ? -step : step;

    for (*loop = run->along; *loop >= 0; *loop = find_loop(plan, run->operand, bytes)) {
        const int64_t extent = tile_extent_of(&plan->tiling, *loop);

        bytes *= extent;
        if (extent < plan->nest.extent[*loop])
            break;
    }
    return bytes;
}

/*
 * Double the run's segment, to at least one cache line.  Returns false if it cannot
 * grow or the tile has no room.
 */
static bool grow(struct bl_plan *plan, const struct run *run, int64_t most)
{
    struct bli_tiling *const tiling = &plan->tiling;
    int32_t loop;
    const int64_t bytes = segment(plan, run, &loop);
    const int32_t d = loop < 0 ? -1 : add_loop(tiling, loop);

    if (d < 0)
        return false;

    const int64_t old = tiling->tile_extent[d], extent = plan->nest.extent[loop];
    const int64_t line = (BLI_ALIGNMENT + bytes - 1) / bytes;
    int64_t wanted = old == 1 && line > 2 ? line : 2 * old;

    /* A slightly larger tile is better than a small remainder. */
    if (extent <= wanted + wanted / 2)
        wanted = extent;
    if (tile_count(tiling) / old * wanted > most)
        return false;
    tiling->tile_extent[d] = wanted;
    return true;
}

/* The shortest run that is not long yet; NULL if all are long. */
static struct run *find_shortest(const struct bl_plan *plan, struct run *run,
                                 int32_t runs)
{
    struct run *shortest = NULL;
    int64_t least_bytes = LONG_SEGMENT;
    int32_t loop;

    for (int32_t i = 0; i < runs; i++) {
        const int64_t bytes = segment(plan, &run[i], &loop);

        if (!run[i].is_long && bytes < least_bytes) {
            shortest = &run[i];
            least_bytes = bytes;
        }
    }
    return shortest;
}

/*
 * Extent of pieces that divide `extent` evenly: as few pieces as `most` allows, each a
 * multiple of 16.
 */
static int64_t even_piece(int64_t extent, int64_t most)
{
    const int64_t pieces = (extent + most - 1) / most;
    const int64_t piece = ((extent + pieces - 1) / pieces + 15) / 16 * 16;

    return piece < extent && piece < most ? piece : bli_least(most, extent);
}

/* Even out the tile's extents, and drop loops that it has one iteration of. */
static void even_out(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    int32_t dims = 0;

    for (int32_t d = 0; d < tiling->dims; d++) {
        const int32_t loop = tiling->loop[d];

        if (tiling->tile_extent[d] == 1)
            continue;
        tiling->loop[dims] = loop;
        tiling->tile_extent[dims++] =
            even_piece(plan->nest.extent[loop], tiling->tile_extent[d]);
    }
    tiling->dims = dims;
}

void bli_plan_permuted(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    struct run run[MOST_RUNS] = {{0, 0, false}}, *shortest;
    int32_t runs = 1;
    int64_t widest = 1;

    for (int32_t k = 0; k <= plan->inputs; k++) {
        const int32_t along = runs_along(plan, k);
        const int64_t size = bli_dtypes[plan->computed[k]].size;

        widest = size > widest ? size : widest;
        if (along != 0 && runs < MOST_RUNS)
            run[runs++] = (struct run){k, along, false};
    }
    /* A result whose elements overlap is refused, or computed one by one. */
    if (runs == 1 || plan->nest.stride[0][0] == 0)
        return;
    while ((shortest = find_shortest(plan, run, runs)) != NULL)
        shortest->is_long = !grow(plan, shortest, BLI_STAGING_BYTES / widest);
    even_out(plan);
    if (tiling->dims > 0)
        tiling->min_iterations = bli_least(
            plan->nest.extent[tiling->loop[tiling->dims - 1]], MIN_ITERATIONS);
}
