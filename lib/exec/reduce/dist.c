/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the norm of a difference.
 */
#include "exec/reduce/dist.h"

#include <math.h>

#include "core/float_control.h"
#include "exec/loops/loop_nest.h"

/*
 * Return the bytes of a staging buffer for one block: of elements, or of their absolute
 * values in f64.
 */
static int64_t tile_bytes(const struct bli_dist *dist)
{
    const int64_t size = dist->size > 8 ? dist->size : 8;
    const int64_t bytes =
        (dist->count < BLI_REDUCE_BLOCK ? dist->count : BLI_REDUCE_BLOCK) * size;

    return bli_align_up(bytes);
}

/* Copy the elements of operand k in `range` to a staging buffer. */
static void gather(const struct bli_dist *dist, int32_t k, char *tile, bl_range range)
{
    /* The address that element 0 of the buffer's compact array would have. */
    const uintptr_t origin = (uintptr_t)tile - (uintptr_t)(range.begin * dist->size);
    char *const data[BLI_MAX_OPERANDS] = {(char *)origin, dist->data[k]};

    bli_walk(&dist->nest[k], dist->stage[k], NULL, data, range);
}

/*
 * Raise numbers that are not negative to the power p, in place.  Zeros stay 0 where p
 * is 0, and all numbers stay as they are where p is infinite.
 */
static void raise(const struct bli_dist *dist, double *x, int64_t count)
{
    double p = dist->p;

    if (p == 2) {
        for (int64_t i = 0; i < count; i++)
            x[i] *= x[i];
    } else if (p == 0) {
        for (int64_t i = 0; i < count; i++)
            x[i] = x[i] != 0;
    } else if (p != 1 && p - p == 0) {
        char *const data[BLI_MAX_OPERANDS] = {(char *)x, (char *)x, (char *)&p};
        const int64_t stride[2][BLI_MAX_OPERANDS] = {{sizeof *x, sizeof *x, 0}, {0}};

        bli_kernel_run(dist->pow, data, stride, count, 1, NULL);
    }
}

/* Reduce |a - b|^p of one block to its partial result. */
static void reduce_block(const struct bli_dist *dist, char *staging, int64_t block)
{
    char *const a = staging, *const b = staging + tile_bytes(dist);
    const int64_t begin = block * BLI_REDUCE_BLOCK, rest = dist->count - begin;
    const int64_t count = rest < BLI_REDUCE_BLOCK ? rest : BLI_REDUCE_BLOCK;
    const int64_t size = dist->size, real = dist->widen ? (int64_t)sizeof(float) : 8;
    const int64_t same[2][BLI_MAX_OPERANDS] = {{size, size, size}, {0}};
    const int64_t to_real[2][BLI_MAX_OPERANDS] = {{real, size}, {0}};
    const int64_t to_f64[2][BLI_MAX_OPERANDS] = {{sizeof(double), real}, {0}};
    char *const difference[BLI_MAX_OPERANDS] = {a, a, b};
    char *const there[BLI_MAX_OPERANDS] = {b, a};
    char *const back[BLI_MAX_OPERANDS] = {a, b};
    char *const result = dist->widen ? a : b;

    gather(dist, 0, a, (bl_range){begin, begin + count});
    gather(dist, 1, b, (bl_range){begin, begin + count});
    bli_kernel_run(dist->sub, difference, same, count, 1, NULL);
    bli_kernel_run(dist->abs, there, to_real, count, 1, NULL);
    if (dist->widen)
        bli_kernel_run(dist->widen, back, to_f64, count, 1, NULL);
    raise(dist, (double *)(void *)result, count);
    bli_reducer_rows(dist->reducer, dist->partial + block, result, 0, 1, count, true);
}

/* Reduce the blocks in a range, rounding to nearest. */
static void reduce_range(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_dist *const dist = argument;
    char *const staging = bli_staging_of(&dist->staging, thread);
    struct bli_float_control own;
    const bool is_set = bli_float_enter_nearest(&own);

    for (int64_t block = range.begin; block < range.end; block++)
        reduce_block(dist, staging, block);
    if (is_set)
        bli_float_control_set(own);
}

/*
 * Reduce all blocks on the calling thread, with staging in a frame that a team does not
 * need.
 */
BLI_OWN_FRAME static void reduce_on_stack(const struct bli_dist *dist)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];
    struct bli_dist alone = *dist;

    alone.staging.memory = staging;
    reduce_range(&alone, 0, (bl_range){0, dist->blocks});
}

int64_t bli_dist_staging(const struct bli_dist *dist)
{
    return 2 * tile_bytes(dist);
}

/* Return the norm, given the reduction of all |a - b|^p. */
static double root(double p, double reduced)
{
    if (p == 0 || p == 1 || isinf(p))
        return reduced;
    return p == 2 ? sqrt(reduced) : pow(reduced, 1 / p);
}

double bli_exec_dist(const struct bli_dist *dist, const struct bli_team *team)
{
    struct bli_float_control own;

    if (dist->staging.memory)
        (void)bli_exec_region(&dist->partition, team, reduce_range, dist);
    else
        reduce_on_stack(dist);

    const bool is_set = bli_float_enter_nearest(&own);

    dist->reducer->pairs(dist->reducer, dist->partial, dist->blocks);
    dist->partial[0] = root(dist->p, dist->partial[0]);
    if (is_set)
        bli_float_control_set(own);
    return dist->partial[0];
}
