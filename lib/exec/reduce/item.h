/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One item of a reduction's work on the calling thread: elements, through staging
 * buffers where necessary, are reduced to lanes, to partial results, to the result.
 */
#ifndef BLI_REDUCE_ITEM_H
#define BLI_REDUCE_ITEM_H

#include "exec/loops/odometer.h"
#include "exec/reduce/reduce.h"

/*
 * Results that are reduced before they are stored, and the bytes of the largest partial
 * result.
 */
#define BLI_REDUCE_RESULTS 256
#define BLI_MAX_PARTIAL    16

struct bli_reduce_work {
    const struct bli_reduce_plan *plan;
    const struct bli_reduce_binding *binding;
    struct bli_staging staging;
};

/* Set an odometer of the outer loops to result `at`. */
static inline void bli_reduce_begin(const struct bli_reduce_work *work,
                                    struct bli_odometer *o, int64_t at)
{
    char *const data[] = {
        [BLI_REDUCE_IN] = work->binding->in, [BLI_REDUCE_OUT] = work->binding->out};

    bli_odometer_set(o, &work->plan->outer, data, at);
}

/* Return the results that are left in the innermost outer loop, at most `most`. */
static inline int64_t bli_reduce_rest(const struct bli_reduce_work *work,
                                      const struct bli_odometer *o, int64_t most)
{
    const int64_t rest = work->plan->outer.extent[0] - o->index[0];

    return rest < most ? rest : most;
}

/* Return the elements of a block, in the reduced nest. */
static inline bl_range bli_reduce_range(const struct bli_reduce_plan *plan,
                                        int64_t block)
{
    const int64_t begin = block * BLI_REDUCE_BLOCK, rest = plan->count - begin;

    const int64_t count = rest < BLI_REDUCE_BLOCK ? rest : BLI_REDUCE_BLOCK;

    return (bl_range){plan->origin + begin, plan->origin + begin + count};
}

/* The first block that begins in a row of `run` elements or after it. */
static inline int64_t bli_reduce_first_block(int64_t run, int64_t row)
{
    return (row * run + BLI_REDUCE_BLOCK - 1) / BLI_REDUCE_BLOCK;
}

/*
 * A function that does no more than prefetch is removed by GCC, unless it is part of
 * another one.
 */
#define BLI_PREFETCHES static inline __attribute__((always_inline))

/*
 * Prefetch `count` elements, from the one at `x` on, of each of `rows` rows that are
 * neighbours in memory, of the innermost loop.
 */
BLI_PREFETCHES void bli_reduce_prefetch(const struct bli_reduce_plan *plan,
                                        const char *x, int64_t count, int64_t rows)
{
    for (int64_t i = 0; i < count; i++, x += plan->reduced.stride[0][1])
        for (int64_t b = 0; b < rows * plan->size; b += BLI_ALIGNMENT)
            __builtin_prefetch(x + b, 0, 2);
}

/*
 * Call a kernel that computes `r` from `a`. Steps are in bytes: r_step and a_step along
 * the inner loop, r_row and a_row along the outer one.
 */
void bli_reduce_convert(bli_kernel *kernel, char *r, int64_t r_step, int64_t r_row,
                        char *a, int64_t a_step, int64_t a_row, int64_t inner,
                        int64_t outer);

/*
 * In the following `data` are the addresses of the first result's elements, and of the
 * result, by the operands of the outer nest.
 */

/*
 * Reduce `count` neighbouring results of one block each to partial results; `tile` is
 * the thread's staging buffer.
 */
void bli_reduce_rows(const struct bli_reduce_work *work, char *const *data,
                     char *partial, char *tile, int64_t count);

/* Reduce blocks that are dense in memory, the first one's elements at `in`. */
void bli_reduce_dense(const struct bli_reduce_plan *plan, char *in, char *partial,
                      int64_t size, int64_t count, bool near);

/* Reduce results of several blocks each, where bli_reduce_is_by_rows(). */
void bli_reduce_row_blocks(const struct bli_reduce_plan *plan, char *in, char *partial,
                           int64_t count);

/*
 * Reduce blocks begin to end - 1 of one result. `memory` is the thread's memory for
 * gathered blocks, where the plan has some, else its staging buffer.
 */
void bli_reduce_blocks(const struct bli_reduce_work *work, char *const *data,
                       char *partial, char *memory, int64_t begin, int64_t end);

/*
 * Reduce those of the blocks of the only result that rows of a strip take, if the plan
 * has strips. Returns them, a range from the first one on if there are none.
 */
bl_range bli_reduce_strips(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks);

/* The same where the plan reduces these rows in registers. */
bl_range bli_reduce_beside(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks);

/*
 * Reduce blocks, of several runs each, through memory for as many as fit in it. Whole
 * runs are gathered, neighbours in memory; what they have of a block that is not
 * complete is kept for the next turn.
 */
void bli_reduce_gather(const struct bli_reduce_work *work, char *const *data,
                       char *partial, char *memory, bl_range blocks);

/*
 * Reduce the blocks of the only result that begin in a range of the plan's places;
 * `partial` is that of block 0. Returns blocks that are left, at most one.
 */
bl_range bli_reduce_places(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range places);

/*
 * Reduce one block of `width` neighbouring results. The partial results become the
 * first ones in `lane`, which has room for all lanes of each result, with the staging
 * buffer behind them, or are stored at `to`, or if `finish` is not NULL the results
 * that it makes of them. Returns which of the two.
 */
char *bli_reduce_columns(const struct bli_reduce_work *work, char *const *data,
                         char *lane, char *to, const struct bli_finish *finish,
                         int64_t block, int64_t width);

/* Finalize and store neighbouring results; the partial results are lost. */
void bli_reduce_store(const struct bli_reduce_work *work, char *out, char *partial,
                      int64_t step, int64_t count);

#endif
