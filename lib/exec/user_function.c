/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls a user's function on dense rows.  Plans stage the operands whose staging pays
 * off; what arrives here with other strides, broadcast operands above all, is made
 * dense piece by piece.
 */
#include "exec/user_function.h"

/*
 * Most elements of a piece, and most bytes that a piece takes for all operands
 * together.
 */
#define PIECE       256
#define PIECE_BYTES 8192

/* Two loops, with the bytes that operands step in each. */
struct rows {
    const struct bli_function *function;
    const int64_t *inner_stride; /* along a row */
    const int64_t *outer_stride; /* from one row to the next */
    int64_t inner;
    int64_t outer;
    uint32_t gathered; /* bit k: operand k's rows are not dense */
};

/* Call the user's function for one dense row of `count` elements. */
static void call_row(const struct bli_function *function, char *const *at,
                     int64_t count)
{
    const void *in[BL_MAX_INPUTS];

    for (int32_t k = 0; k < function->inputs; k++)
        in[k] = at[1 + k];
    function->call(function->user, count, at[0], in);
}

/*
 * Return whether operand `k` is a single element (all strides 0), so that it needs to
 * be copied to its staging buffer only once.
 */
static bool is_single(const struct rows *rows, int32_t k)
{
    return k > 0 && rows->inner_stride[k] == 0 &&
           (rows->outer == 1 || rows->outer_stride[k] == 0);
}

/*
 * Copy `count` elements of operand `k` between its staging buffer and memory, with the
 * strides given.
 */
static void move(const struct rows *rows, int32_t k, char *to, int64_t to_step,
                 char *from, int64_t from_step, int64_t count)
{
    char *const pair[BLI_MAX_OPERANDS] = {to, from};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{to_step, from_step}, {0, 0}};

    bli_kernel_run(rows->function->move[k], pair, stride, count, 1, NULL);
}

/*
 * Lay out staging buffers for the operands that are not dense, in `staging`. Returns
 * the number of elements in each.
 */
static int64_t layout_buffers(const struct rows *rows, char *staging, char **buffer)
{
    const int64_t *const size = rows->function->size;
    int64_t all = 0, piece;

    for (int32_t k = 0; k <= rows->function->inputs; k++)
        all += rows->gathered >> k & 1 ? size[k] : 0;
    piece = PIECE_BYTES / all / BLI_ALIGNMENT * BLI_ALIGNMENT;
    piece = piece < PIECE ? piece : PIECE;
    for (int32_t k = 0; k <= rows->function->inputs; k++) {
        buffer[k] = staging;
        staging += rows->gathered >> k & 1 ? piece * size[k] : 0;
    }
    return piece;
}

/* Run rows of which some are not dense: copy each piece to and from staging buffers. */
static void run_pieces(const struct rows *rows, char *const *data)
{
    _Alignas(BLI_ALIGNMENT) char staging[PIECE_BYTES];
    char *buffer[BLI_MAX_OPERANDS];
    const int64_t piece = layout_buffers(rows, staging, buffer);
    const struct bli_function *const function = rows->function;
    const int64_t *const size = function->size;

    for (int64_t i = 0; i < rows->outer; i++)
        for (int64_t j = 0; j < rows->inner; j += piece) {
            const int64_t rest = rows->inner - j;
            const int64_t count = rest < piece ? rest : piece;
            const bool is_first = i == 0 && j == 0;
            char *from[BLI_MAX_OPERANDS], *at[BLI_MAX_OPERANDS];

            for (int32_t k = 0; k <= function->inputs; k++) {
                from[k] =
                    data[k] + i * rows->outer_stride[k] + j * rows->inner_stride[k];
                at[k] = rows->gathered >> k & 1 ? buffer[k] : from[k];
                if (k > 0 && at[k] != from[k] && (is_first || !is_single(rows, k)))
                    move(rows, k, buffer[k], size[k], from[k], rows->inner_stride[k],
                         count);
            }
            call_row(function, at, count);
            if (at[0] != from[0])
                move(rows, 0, from[0], rows->inner_stride[0], buffer[0], size[0],
                     count);
        }
}

/* Run dense rows that are not contiguous with each other, one call for each. */
static void run_rows(const struct rows *rows, char *const *data)
{
    char *at[BLI_MAX_OPERANDS];

    for (int64_t i = 0; i < rows->outer; i++) {
        for (int32_t k = 0; k <= rows->function->inputs; k++)
            at[k] = data[k] + i * rows->outer_stride[k];
        call_row(rows->function, at, rows->inner);
    }
}

static void run(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                int64_t inner, int64_t outer, const void *params, bli_kernel *kernel)
{
    const struct bli_function *const function = params;
    const bool is_column = inner == 1;
    struct rows rows = {.function = function,
                        .inner_stride = stride[is_column ? 1 : 0],
                        .outer_stride = stride[is_column ? 0 : 1],
                        .inner = is_column ? outer : inner,
                        .outer = is_column ? 1 : outer};
    bool is_one_row = true;

    (void)kernel;
    for (int32_t k = 0; k <= function->inputs; k++) {
        if (rows.inner_stride[k] != function->size[k] && rows.inner > 1)
            rows.gathered |= UINT32_C(1) << k;
        is_one_row &=
            rows.outer == 1 || rows.outer_stride[k] == rows.inner * function->size[k];
    }
    if (rows.gathered != 0)
        run_pieces(&rows, data);
    else if (is_one_row)
        call_row(function, data, rows.inner * rows.outer);
    else
        run_rows(&rows, data);
}

bli_kernel bli_function_kernel = {run};
