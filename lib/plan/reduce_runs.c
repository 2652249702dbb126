/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how runs of elements are read that are not one after another in memory:
 * copied to a buffer (reduce_gather.c), or side by side.
 */
#include "plan/reduce_choose.h"

/*
 * Least bytes of an array that is reduced in strips, and least elements of its rows:
 * rows that are not whole blocks read 1023 elements twice. Rows of one loop have to be
 * long, as gathering them transposes registers. f32[2000,2000], transposed, takes 0.6
 * of the time, f32[64,128,32,32] with its dimensions in the order 0321 takes 0.08.
 */
#define STRIP_BYTES (1 << 17)
#define LONG_STRIP  1536
#define SHORT_STRIP 128

/*
 * Rows of one loop that are not multiples of it have borders of blocks so close to each
 * other that gathering them is faster, where elements are in cache and rows have at
 * most so many bytes: f32[2000,2000] takes 0.84 of the time with AVX-512, 0.78 with
 * AVX2.
 */
#define EVEN_STRIP   32
#define GATHERED_ROW 8192

/*
 * Rows of several contiguous runs, each shorter than a block, are read side by side, in
 * the order of memory, where a run has at least so many elements, or so many if they do
 * not fill the lanes, a row has so many, and there are so many rows: f32[16,128,8,64]
 * with its dimensions in the order 0213 takes 0.25 of the time, f32[128,256,128] in the
 * order 102 takes 0.37.
 */
#define SHORT_RUN 32
#define ODD_RUN   256
#define LONG_ROW  4096
#define SIDE_ROWS 4

/*
 * Rows side by side are reduced in registers where these are at most so many bytes, and
 * each is so long. Zen 3, sums, one thread: f32[3000000,16], transposed, takes .16 of
 * the time that it takes in strips, f64 .25, bf16 .03, f32[200000,8] .19, f32[50000,32]
 * .53, f64 .7, but f32[300000,100], from memory, 1.6. In the caches that holds for
 * wider rows, too, where strips have borders of blocks close to each other:
 * f32[3000,100] .45, f64[1000,1000] .68, f64[2000,700] .6, f64[1001,1500] .75 to 1.1;
 * f32[1000,1000] takes 1.04, f32[1500,300] and bf16[1500,300] 1.2, and steps that are
 * multiples of 2048 bytes, whose elements are in few places of L1, 1.7 to 2.4.
 *
 * Zen 4, one thread and two: rows of more than LONG_BESIDE elements, where strips are
 * narrow, f32[3000,300] .5 and .45, f32[5000,500] .52 and .56, bf16[5000,300] .53 and
 * .69, f16[6500,700] .62 and .7, but f32[2900,2000], 23 MB, 1.2 and .74.  With 512
 * bits, 8 rows at a time, shorter ones, too: f32[1000,1000] .83 and .81, f32[2000,2000]
 * 1.0 and .65, bf16[1000,1000] .8, bf16[2000,2000] .71, f32[900,900] 1.16 and 1.0;
 * of more than MOST_BESIDE bytes 1.4 and .6 to 1.0.  f16[3000,1000] takes .8 with AVX2,
 * but bf16[1500,700] 1.3.
 */
#define ROWS_BESIDE  8
#define BYTES_BESIDE 256
#define NEAR_BESIDE  1024
#define LEAST_BESIDE 896
#define LONG_BESIDE  2048
#define CLOSE_STEP   2048
#define WIDE_ABREAST 4
#define MOST_BESIDE  (1 << 24)

/*
 * From memory, or of more than MOST_BESIDE bytes with 2 bytes an element, what is read
 * next is prefetched, and rows are reduced in registers. But where strips have borders
 * far from each other they are faster, for rows of at most LONG_EVEN elements and more
 * than EVEN_BESIDE bytes side by side. Zen 4, one thread, of the time without
 * prefetching, or in strips: f32[1000000,40] .45, f32[800000,64] .53, bf16[700000,100]
 * .35, f32[3000,3000] .47, f32[5000,10000] .59, f64[3000,3000] .58, bf16[50000,1000]
 * .32, f16[3500,4000] .53, with AVX2 .48, .60, .42, .54, .57, .66, .45 and .41;
 * f32[400000,100] .60, f32[200000,200] .68, with AVX2 .69 and 1.08; f32[80000,500] .75,
 * with two threads .50, f32[40000,1000] .79 and .81; but f32[4000,4000] 1.01 to 1.13,
 * f32[4096,4000] 1.34. In the caches prefetching takes 1.05 to 1.6 of the time.
 */
#define EVEN_BESIDE 1024
#define LONG_EVEN   (1 << 15)

/*
 * Where all rows are neighbours, and have so many elements, threads divide these: of
 * the rows each would have too few, or read a part of each line.
 */
#define LONG_PLACES (1 << 16)

/*
 * Rows of a strip that are read at once: of contiguous runs, so many, whose lanes are
 * in L1; of elements so many bytes side by side, which are in L2; or if blocks begin so
 * close to each other that the reducer is not given the 4 elements of each lane that it
 * takes at once, so many. From memory the pieces of rows are as wide as those of
 * columns.
 */
#define STRIP_RUNS   252
#define NEAR_STRIP   4032
#define NARROW_STRIP 512

/* Elements of the loops inside loop `i`. */
static int64_t elements_inside(const struct bli_nest *nest, int32_t i)
{
    int64_t elements = 1;

    for (int32_t k = 0; k < i; k++)
        elements *= nest->extent[k];
    return elements;
}

/*
 * The loop of rows of contiguous runs that are read side by side: the one of the
 * shortest stride, where that is not the next one; 0: none.
 */
static int32_t across_runs(const struct bli_reduce_plan *plan)
{
    const struct bli_nest *const nest = &plan->reduced;
    int32_t least = 1;
    int64_t row;

    for (int32_t i = 2; i < nest->loops; i++)
        if (nest->extent[i] > 1 && bli_reduce_distance(nest->stride[i][1]) <
                                       bli_reduce_distance(nest->stride[least][1]))
            least = i;
    row = elements_inside(nest, least);
    return least > 1 && nest->stride[0][1] == plan->size &&
                   nest->extent[0] >= (nest->extent[0] % plan->reducer->lanes == 0
                                           ? SHORT_RUN
                                           : ODD_RUN) &&
                   nest->extent[0] < BLI_REDUCE_BLOCK &&
                   nest->extent[least] >= SIDE_ROWS &&
                   (row % BLI_REDUCE_BLOCK == 0 || row >= LONG_ROW) &&
                   plan->count * plan->size >= STRIP_BYTES && !plan->reducer->is_free &&
                   !plan->by_columns && !plan->is_staged && plan->origin == 0
               ? least
               : 0;
}

/*
 * Whether rows of `run` elements are long enough to be read side by side, as rows of
 * one loop or of several.
 */
static bool is_strip(const struct bli_reduce_plan *plan, int64_t run, bool is_one_loop)
{
    const bool is_gathered =
        plan->is_near && run % EVEN_STRIP != 0 && run * plan->size <= GATHERED_ROW;

    if (!is_one_loop || run % BLI_REDUCE_BLOCK == 0)
        return run % BLI_REDUCE_BLOCK == 0 || run >= SHORT_STRIP;
    return run >= LONG_STRIP && !is_gathered;
}

/*
 * Whether rows in cache, of so many bytes side by side, are reduced in registers where
 * these are more than BYTES_BESIDE.
 */
static bool is_beside_near(const struct bli_reduce_plan *plan, int64_t run,
                           int64_t bytes)
{
    const bool is_wide = plan->reducer->abreast > WIDE_ABREAST || run > LONG_BESIDE;

    if (plan->size == (int64_t)sizeof(double) ||
        (is_wide && run * bytes <= MOST_BESIDE))
        return true;
    return plan->size == 4 && run >= BLI_REDUCE_BLOCK && bytes <= NEAR_BESIDE;
}

/* Whether rows that are reduced in registers are taken to be in memory. */
static bool is_from_memory(const struct bli_reduce_plan *plan)
{
    return !plan->is_near ||
           (plan->size == 2 && plan->count * plan->size > MOST_BESIDE);
}

/* Whether so many rows, of `run` elements, are reduced in registers. */
static bool is_beside(const struct bli_reduce_plan *plan, int64_t run, int64_t rows)
{
    const int64_t bytes = rows * plan->size;

    if (plan->reducer->abreast == 0 || rows < ROWS_BESIDE || run < LEAST_BESIDE)
        return false;
    if (bytes <= BYTES_BESIDE)
        return true;
    if (plan->reduced.stride[0][1] % CLOSE_STEP == 0)
        return false;
    if (is_from_memory(plan))
        return run % EVEN_STRIP != 0 || run > LONG_EVEN || bytes <= EVEN_BESIDE;
    return run % EVEN_STRIP != 0 && is_beside_near(plan, run, bytes);
}

/* The loop of rows that are neighbours in memory; that of none, if there are none. */
static int32_t neighbours(const struct bli_reduce_plan *plan)
{
    const struct bli_nest *const nest = &plan->reduced;
    int32_t i = 1;

    while (i < nest->loops && nest->stride[i][1] != plan->size)
        i++;
    return i;
}

static int64_t strip_rows(const struct bli_reduce_plan *plan, int64_t width)
{
    if (plan->is_beside)
        return (plan->is_ahead ? BLI_REDUCE_FAR_SIDE : BLI_REDUCE_SIDE) / plan->size;
    if (plan->reduced.stride[0][1] == plan->size)
        return STRIP_RUNS;
    if (bli_reduce_turn(plan->row) < 4 * plan->reducer->lanes)
        return NARROW_STRIP / plan->size;
    return plan->is_near ? NEAR_STRIP / plan->size : width;
}

/* Decide about the rows of loop `i`, contiguous runs where these are read across. */
static void choose_rows(struct bli_reduce_plan *plan, int32_t i, bool is_across,
                        int64_t width)
{
    const struct bli_nest *const nest = &plan->reduced;
    const int64_t row = elements_inside(nest, i), rows = nest->extent[i];

    plan->is_beside = nest->stride[0][1] != plan->size && is_beside(plan, row, rows);
    plan->is_ahead = plan->is_beside && is_from_memory(plan);
    if (plan->is_beside && plan->outputs == 1 && row * rows == plan->count &&
        row >= LONG_PLACES)
        plan->places = (row - 1) / BLI_REDUCE_BLOCK + 1;
    if (!plan->is_beside && (!is_strip(plan, row, i == 1) ||
                             (!is_across && rows * plan->size < BLI_ALIGNMENT)))
        return;
    plan->strips = i;
    plan->row = row;
    plan->strip = strip_rows(plan, width);
}

void bli_reduce_choose_runs(struct bli_reduce_plan *plan, bool is_converted,
                            int64_t width)
{
    const int32_t across = across_runs(plan);
    const int32_t i = across > 0 ? across : neighbours(plan);

    plan->gathered = bli_reduce_blocks_at_once(plan, across > 0);
    plan->strips = 0;
    plan->row = 0;
    plan->strip = 0;
    plan->is_beside = false;
    plan->is_ahead = false;
    plan->places = 0;
    if (plan->gathered > 0 && plan->origin == 0 && !is_converted &&
        i < plan->reduced.loops && plan->count * plan->size >= STRIP_BYTES)
        choose_rows(plan, i, across > 0, width);
}

void bli_reduce_choose_stage(struct bli_reduce_plan *plan,
                             const struct bli_reduce_problem *problem, bl_dtype reduced)
{
    const int64_t step = plan->reduced.stride[0][1];
    /* Elements apart, within a line, as in plan/tiles.c. */
    const bool is_apart =
        bli_reduce_distance(step) < BLI_ALIGNMENT && step != plan->size;
    const struct bli_isa *const isa =
        is_apart ? bli_isa_for_memory(problem->isa) : problem->isa;

    plan->stage = isa->convert[problem->from][reduced];
}
