/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the loops of every kernel are run, for one instruction set: short rows, rows
 * that are packed into blocks first, and non-temporal stores.
 */
#include "kernels/loops/rows.h"

#include "kernels/loops/pack.h"
#include "kernels/loops/nt_rows.h"

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

/* nt_rows, for each number of operands. */
#define BLI_NT_ROWS_OF(operands)                                                       \
    static __attribute__((noinline)) void nt_rows_##operands(                          \
        const struct bli_loops *loops, struct bli_rows *rows)                          \
    {                                                                                  \
        if (are_apart(loops, rows))                                                    \
            nt_rows_apart(loops, rows, operands);                                      \
        else                                                                           \
            nt_rows(loops, rows, operands);                                            \
    }

BLI_NT_ROWS_OF(2)
BLI_NT_ROWS_OF(3)
BLI_NT_ROWS_OF(4)
BLI_NT_ROWS_OF(5)

static void (*const nt_rows_of[])(const struct bli_loops *loops, struct bli_rows *) = {
    nt_rows_2, nt_rows_3, nt_rows_4, nt_rows_5};

/* ---- lines that `dense` stores ---- */

/*
 * Least bytes of each of several rows that are computed by lines, where there are four
 * inputs, and where there are fewer.  Zen 3, results of 24 MB, one input a row: those
 * of 8 KB take 1.1 times as long as by pieces, of 12 KB .77 to .92 with one thread and
 * .9 to 1.1 with two, of 400 KB .65 and .83.  With fewer inputs 1.0 to 1.1; Zen 4,
 * results of 128 MB, one thread: sums of f32 with rows of 1 to 4 KB 1.0 to 1.4, of 16
 * KB .9, of 40 KB .8, of 8 MB .83.
 */
#define BLI_NT_LINES_ROW_OF_4 10240
#define BLI_NT_LINES_ROW      32768

/* Whether `dense` takes the whole lines of such rows as BLI_NT_LINES. */
static bool has_nt_lines(const struct bli_loops *loops, const struct bli_rows *rows,
                         int32_t operands)
{
    const int64_t bytes = rows->inner * loops->size[0];
    const int64_t row = operands == 5 ? BLI_NT_LINES_ROW_OF_4 : BLI_NT_LINES_ROW;
    const bool is_long = bytes >= (rows->outer == 1 ? 2 * BLI_ALIGNMENT : row);

    return (loops->forms >> BLI_NT_LINES & 1) != 0 && is_long &&
           scalar_set(rows, operands) == BLI_NT_SCALARS(operands - 1) &&
           ((uintptr_t)rows->data[0] & (loops->size[0] - 1)) == 0;
}

/* Compute as many elements as a line of the result has, from element j on. */
static void compute_line(const struct bli_loops *loops, const struct bli_rows *rows,
                         int32_t operands, int64_t j, struct bli_line *line)
{
    struct bli_rows part = *rows;

    part.data[0] = line->bytes;
    part.inner = BLI_ALIGNMENT / loops->size[0];
    part.outer = 1;
    for (int32_t k = 1; k < operands; k++)
        part.data[k] += j * rows->stride[0][k];
    run_loop(loops->dense, &part, BLI_NT_SCALARS(operands - 1));
}

/*
 * Compute a row by its lines. What fills none, at either end, is computed with elements
 * beside it, before those are stored: the result may be an input.
 */
static void nt_row(const struct bli_loops *loops, const struct bli_rows *rows,
                   int32_t operands)
{
    const int64_t size = loops->size[0], most = BLI_ALIGNMENT / size;
    char *const r = rows->data[0];
    const int64_t begin = (int64_t)(-(uintptr_t)r & (BLI_ALIGNMENT - 1)) / size;
    const int64_t rest = (rows->inner - begin) % most, end = rows->inner - rest;
    struct bli_rows lines = *rows;
    struct bli_line first, last;

    lines.inner = end - begin;
    lines.outer = 1;
    for (int32_t k = 0; k < operands; k++)
        lines.data[k] += begin * rows->stride[0][k];
    if (begin > 0)
        compute_line(loops, rows, operands, 0, &first);
    if (rest > 0)
        compute_line(loops, rows, operands, rows->inner - most, &last);
    run_loop(loops->dense, &lines, BLI_NT_LINES);
    if (begin > 0)
        memcpy(r, first.bytes, (size_t)(begin * size));
    if (rest > 0)
        memcpy(r + end * size, last.bytes + (most - rest) * size,
               (size_t)(rest * size));
}

/* Compute rows that have them; `rows` is used up. */
static __attribute__((noinline)) void
nt_rows_by_lines(const struct bli_loops *loops, struct bli_rows *rows, int32_t operands)
{
    for (int64_t i = 0; i < rows->outer; i++) {
        nt_row(loops, rows, operands);
        for (int32_t k = 0; k < operands; k++)
            rows->data[k] += rows->stride[1][k];
    }
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
    else if (has_nt_lines(loops, &rows, operands))
        nt_rows_by_lines(loops, &rows, operands);
    else
        nt_rows_of[operands - 2](loops, &rows);
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
    else if (!is_one || count <= 0)
        any(BLI_ARGUMENTS, loops);
    else if (*loops->single == NULL ||
             (count >= BLI_SHORT_ROW_MAX && is_padded(loops, operands, count)))
        padded(loops, operands, data, stride[0], count);
    else
        (*loops->single)(data, stride, count, 1, scalars);
}

/* What a kernel is a part of. */
BLI_INLINE const struct bli_loops *loops_of(bli_kernel *kernel)
{
    return (const struct bli_loops *)kernel;
}

BLI_INLINE const struct bli_derived *derived_of(bli_kernel *kernel)
{
    return (const struct bli_derived *)kernel;
}

#define BLI_RUN_OF(operands)                                                           \
    static __attribute__((noinline)) void run_any_##operands(                          \
        BLI_PARAMETERS, const struct bli_loops *loops)                                 \
    {                                                                                  \
        run_any(loops, operands, BLI_ARGUMENTS);                                       \
    }                                                                                  \
    void bli_run_##operands(BLI_PARAMETERS, bli_kernel *kernel)                        \
    {                                                                                  \
        run(loops_of(kernel), operands, run_any_##operands, BLI_ARGUMENTS);            \
    }

BLI_RUN_OF(2)
BLI_RUN_OF(3)
BLI_RUN_OF(4)
BLI_RUN_OF(5)

void bli_run_swapped(BLI_PARAMETERS, bli_kernel *kernel)
{
    char *const turned[] = {bli_address(data, 0), bli_address(data, 2),
                            bli_address(data, 1)};
    int64_t steps[2][BLI_MAX_OPERANDS];

    for (int32_t i = 0; i < 2; i++) {
        steps[i][0] = stride[i][0];
        steps[i][1] = stride[i][2];
        steps[i][2] = stride[i][1];
    }
    run(derived_of(kernel)->loops, 3, run_any_3, turned,
        (const int64_t(*)[BLI_MAX_OPERANDS])steps, inner, outer, params);
}

void bli_run_with(BLI_PARAMETERS, bli_kernel *kernel)
{
    const struct bli_derived *const derived = derived_of(kernel);
    char *const both[] = {bli_address(data, 0), (char *)derived->constant,
                          bli_address(data, 1)};
    int64_t steps[2][BLI_MAX_OPERANDS];

    for (int32_t i = 0; i < 2; i++) {
        steps[i][0] = stride[i][0];
        steps[i][1] = 0;
        steps[i][2] = stride[i][1];
    }
    run(derived->loops, 3, run_any_3, both, (const int64_t(*)[BLI_MAX_OPERANDS])steps,
        inner, outer, params);
}
