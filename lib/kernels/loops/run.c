/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the loops of every kernel are run, for one instruction set: short rows, rows
 * that are packed into blocks first, and non-temporal stores.
 */
#include "kernels/loops/rows.h"

#include "kernels/copy/copy.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/loops/pack.h"

/*
 * Bytes of a result that are computed at a time before non-temporal stores, a block of
 * a kernel or more. Floor of f32 takes 1.07 of the time with 256, because of the calls,
 * and 1.03 with 1024, which the processor computes and stores in turns. BLI_NT_PREFETCH
 * is the prefetch distance in bytes.
 */
#define BLI_NT_BLOCK    512
#define BLI_NT_PREFETCH 2048
_Static_assert(BLI_NT_BLOCK >= BLI_BLOCK_BYTES, "fewer than a block");

/* Fill `rows` from a kernel's arguments. */
static void rows_open(struct bli_rows *rows, int32_t operands, char *const *data,
                      const int64_t (*stride)[BLI_MAX_OPERANDS], int64_t inner,
                      int64_t outer)
{
    const int32_t in = inner == 1; /* then the outer loop is the only one */
    bool is_even = true;

    for (int32_t k = 0; k < operands; k++) {
        rows->data[k] = data[k];
        rows->stride[0][k] = stride[in][k];
        rows->stride[1][k] = stride[1][k];
        is_even &= stride[1][k] == stride[0][k] * inner;
    }
    const bool is_one = is_even || in || outer == 1;

    rows->inner = is_one ? inner * outer : inner;
    rows->outer = is_one ? 1 : outer;
}

/* Whether `dense` takes the operands' inner strides. */
static bool strides_fit(const struct bli_loops *loops, const struct bli_rows *rows,
                        int32_t operands)
{
    bool fits = rows->stride[0][0] == loops->size[0];

    for (int32_t k = 1; k < operands; k++)
        fits &= rows->stride[0][k] == loops->size[k] || rows->stride[0][k] == 0;
    return (fits && (loops->forms >> scalar_set(rows, operands) & 1) != 0) ||
           rows->inner == 1;
}

/* ---- non-temporal stores ---- */

/* Compute `count` elements at `rows->data`, and advance to those after them. */
static void compute_part(const struct bli_loops *loops, struct bli_rows *rows,
                         int32_t operands, int64_t count)
{
    rows->inner = count;
    if (count <= 0)
        return;
    if (count >= loops->fewest)
        run_loop(loops->dense, rows, scalar_set(rows, operands));
    else if (!is_padded(loops, operands, count))
        run_loop(*loops->single, rows, scalar_set(rows, operands));
    else
        padded(loops, operands, rows->data, rows->stride[0], count);
    for (int32_t k = 0; k < operands; k++)
        rows->data[k] += count * rows->stride[0][k];
}

/*
 * Prefetch the later blocks of an input: while results are written with non-temporal
 * stores, the hardware prefetcher does not run far enough ahead.
 */
static void prefetch_block(const char *at, int64_t step, int64_t many)
{
    for (int64_t b = 0; b < many * step; b += 64)
        __builtin_prefetch(at + BLI_NT_PREFETCH + b, 0, 3);
}

/*
 * Compute one row with non-temporal stores, except at the ends that fill no block. A
 * block is written while the next one is computed: its own stores have then left the
 * store buffer, from which registers of another width cannot be loaded.
 */
static void stream_row(const struct bli_loops *loops, const struct bli_rows *rows,
                       int32_t operands)
{
    _Alignas(BLI_ALIGNMENT) char block[2][BLI_NT_BLOCK];
    const int64_t size = loops->size[0], many = BLI_NT_BLOCK / size;
    const int64_t skip = (int64_t)(-(uintptr_t)rows->data[0] & 63);
    const int64_t head =
        skip % size != 0 || skip / size > rows->inner ? rows->inner : skip / size;
    const int64_t blocks = (rows->inner - head) / many;
    const uint32_t scalars = scalar_set(rows, operands);
    struct bli_rows part = *rows;
    char *r;

    part.outer = 1;
    compute_part(loops, &part, operands, head);
    r = part.data[0];
    part.inner = many;
    for (int64_t i = 0; i < blocks; i++) {
        for (int32_t k = 1; k < operands; k++)
            prefetch_block(part.data[k], part.stride[0][k], many);
        part.data[0] = block[i & 1];
        run_loop(loops->dense, &part, scalars);
        for (int32_t k = 1; k < operands; k++)
            part.data[k] += many * part.stride[0][k];
        if (i > 0)
            bli_nt_store_lines(r + (i - 1) * BLI_NT_BLOCK, block[~i & 1], BLI_NT_BLOCK);
    }
    if (blocks > 0)
        bli_nt_store_lines(r + (blocks - 1) * BLI_NT_BLOCK, block[~blocks & 1],
                           BLI_NT_BLOCK);
    part.data[0] = r + blocks * BLI_NT_BLOCK;
    compute_part(loops, &part, operands, rows->inner - head - blocks * many);
}

/* ---- kernels ---- */

/* Run a kernel's loops for rows of any kind. */
static void run_any(const struct bli_loops *loops, int32_t operands, BLI_PARAMETERS)
{
    bli_loop *const single = *loops->single;
    struct bli_rows rows;

    rows_open(&rows, operands, data, stride, inner, outer);
    if (rows.inner <= 0 || rows.outer <= 0)
        return;

    const bool is_one = rows.outer == 1, fits = strides_fit(loops, &rows, operands);

    if (single != NULL &&
        (rows.inner < BLI_SHORT_ROW_MAX ||
         (is_one && rows.inner < (fits ? loops->fewest : BLI_ONE_ROW_MAX) &&
          (!fits || !is_padded(loops, operands, rows.inner)))))
        run_loop(single, &rows, scalar_set(&rows, operands));
    else if (!fits || (rows.inner < loops->least && !is_one))
        packed(loops, &rows, operands);
    else if (rows.inner < loops->fewest)
        padded(loops, operands, rows.data, rows.stride[0], rows.inner);
    else if (params != BLI_NT_STORES)
        run_loop(loops->dense, &rows, scalar_set(&rows, operands));
    else
        for (int64_t i = 0; i < rows.outer; i++) {
            stream_row(loops, &rows, operands);
            for (int32_t k = 0; k < operands; k++)
                rows.data[k] += rows.stride[1][k];
        }
}

/* Whether two loops of operands are one, with the inner loop's strides. */
BLI_INLINE bool is_one_row(int32_t operands, const int64_t (*stride)[BLI_MAX_OPERANDS],
                           int64_t inner, int64_t outer)
{
    bool is_even = true;

    if (outer == 1)
        return true;
#pragma GCC unroll 5
    for (int32_t k = 0; k < operands; k++)
        is_even &= stride[1][k] == stride[0][k] * inner;
    return is_even;
}

/* Runs rows that `run` does not take. */
typedef void bli_run_rest(BLI_PARAMETERS, const struct bli_loops *loops);

/*
 * Run a kernel's loops; the number of operands is constant. Rows that `dense` takes as
 * they are, with ordinary stores, are a tail call of it, and so is `any` for others:
 * without room for arguments on the stack, a planned call of 4 f32 takes 418
 * instructions, not 449.
 */
BLI_INLINE void run(const struct bli_loops *loops, int32_t operands, bli_run_rest *any,
                    BLI_PARAMETERS)
{
    const bool is_one = is_one_row(operands, stride, inner, outer);
    const int64_t count = is_one ? inner * outer : inner;
    bool fits = stride[0][0] == loops->size[0] && params != BLI_NT_STORES;
    uint32_t scalars = 0;

#pragma GCC unroll 5
    for (int32_t k = 1; k < operands; k++)
        if (stride[0][k] == 0)
            scalars |= UINT32_C(1) << (k - 1);
        else if (stride[0][k] != loops->size[k])
            fits = false;
    if (!fits || (loops->forms >> scalars & 1) == 0)
        any(BLI_ARGUMENTS, loops);
    else if (count >= (is_one ? loops->fewest : loops->least))
        loops->dense(data, stride, count, is_one ? 1 : outer, scalars);
    else if (is_one && count >= BLI_SHORT_ROW_MAX && is_padded(loops, operands, count))
        padded(loops, operands, data, stride[0], count);
    else if (is_one && count > 0 && *loops->single != NULL)
        (*loops->single)(data, stride, count, 1, scalars);
    else
        any(BLI_ARGUMENTS, loops);
}

#define BLI_RUN_OF(operands)                                                           \
    static __attribute__((noinline)) void run_any_##operands(                          \
        BLI_PARAMETERS, const struct bli_loops *loops)                                 \
    {                                                                                  \
        run_any(loops, operands, BLI_ARGUMENTS);                                       \
    }                                                                                  \
    void bli_run_##operands(BLI_PARAMETERS, const struct bli_loops *loops)             \
    {                                                                                  \
        run(loops, operands, run_any_##operands, BLI_ARGUMENTS);                       \
    }

BLI_RUN_OF(2)
BLI_RUN_OF(3)
BLI_RUN_OF(4)
BLI_RUN_OF(5)

void bli_run_swapped(BLI_PARAMETERS, const struct bli_loops *loops)
{
    char *const turned[] = {bli_address(data, 0), bli_address(data, 2),
                            bli_address(data, 1)};
    int64_t steps[2][BLI_MAX_OPERANDS];

    for (int32_t i = 0; i < 2; i++) {
        steps[i][0] = stride[i][0];
        steps[i][1] = stride[i][2];
        steps[i][2] = stride[i][1];
    }
    run(loops, 3, run_any_3, turned, (const int64_t(*)[BLI_MAX_OPERANDS])steps, inner,
        outer, params);
}

void bli_run_with(BLI_PARAMETERS, const struct bli_loops *loops, const void *constant)
{
    char *const both[] = {bli_address(data, 0), (char *)constant, bli_address(data, 1)};
    int64_t steps[2][BLI_MAX_OPERANDS];

    for (int32_t i = 0; i < 2; i++) {
        steps[i][0] = stride[i][0];
        steps[i][1] = 0;
        steps[i][2] = stride[i][1];
    }
    run(loops, 3, run_any_3, both, (const int64_t(*)[BLI_MAX_OPERANDS])steps, inner,
        outer, params);
}
