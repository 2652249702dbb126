/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bits of a result do not depend on what computes it: 1 to 16 threads, bound or
 * not, with memory on any node.  Prints a checksum of all results, which
 * synthetic_machines.t.sh compares between machines.
 */
#include <inttypes.h>
#include <omp.h>
#include <string.h>

#include <broadloom.h>

#include "harness/sanitizer.h"
#include "harness/tap.h"

/* Results larger than the size from which they are placed. */
enum { ROWS = 1103, COLUMNS = 1021, MOST_THREADS = 16 };

enum form { SAME, ROW, COLUMN, OUTER, TRANSPOSED, IN_PLACE, SLICED };

static const struct {
    const char *what;
    bl_op op;
    bl_dtype dtype;
    enum form form;
} cases[] = {
    {"two of the same shape", BL_OP_MUL, BL_DTYPE_F32, SAME},
    {"a row", BL_OP_DIV, BL_DTYPE_F32, ROW},
    {"a column", BL_OP_SUB, BL_DTYPE_F64, COLUMN},
    {"an outer product", BL_OP_MUL, BL_DTYPE_F64, OUTER},
    {"a transposed operand", BL_OP_ADD, BL_DTYPE_F32, TRANSPOSED},
    {"in place", BL_OP_DIV, BL_DTYPE_F64, IN_PLACE},
    {"every other column, backwards", BL_OP_MAXIMUM, BL_DTYPE_F64, SLICED},
    {"complex numbers", BL_OP_MUL, BL_DTYPE_C64, ROW},
    {"half precision", BL_OP_ADD, BL_DTYPE_F16, COLUMN},
    {"vector mathematics", BL_OP_ATAN2, BL_DTYPE_F64, ROW},
    {"vector mathematics of single precision", BL_OP_LOGADDEXP, BL_DTYPE_F32, SLICED},
    {"vector mathematics of half precision", BL_OP_HYPOT, BL_DTYPE_BF16, TRANSPOSED},
};
#define CASES ((int32_t)(sizeof cases / sizeof cases[0]))

static bl_tensor *numbers(bl_dtype dtype, int64_t rows, int64_t columns, uint64_t seed)
{
    const int64_t extent[2] = {rows, columns};
    bl_tensor *tensor = NULL;

    if (bl_tensor_randn(NULL, dtype, 2, extent, seed, &tensor) != BL_OK)
        tap_note("no numbers: %s", bl_error_message());
    return tensor;
}

/* Release `tensor` and return another view of it. */
static bl_tensor *viewed(bl_tensor *tensor, enum form form)
{
    bl_tensor *view = NULL, *sliced = NULL;
    bl_status status = BL_ERR_ARGUMENT;

    if (form == TRANSPOSED)
        status = bl_tensor_transpose(tensor, 0, 1, &view);
    else if (bl_tensor_slice(tensor, 1, 0, 2 * COLUMNS, 2, &sliced) == BL_OK)
        status = bl_tensor_flip(sliced, 1, &view);
    bl_tensor_release(sliced);
    bl_tensor_release(tensor);
    return status == BL_OK ? view : NULL;
}

static bool open_operands(int32_t number, bl_tensor *operand[2])
{
    const bl_dtype dtype = cases[number].dtype;
    const enum form form = cases[number].form;
    const bool is_column = form == COLUMN || form == OUTER;
    const bool is_row = form == ROW || form == OUTER;

    operand[0] = numbers(dtype, ROWS, form == OUTER ? 1 : COLUMNS, 1);
    if (form == TRANSPOSED)
        operand[1] = viewed(numbers(dtype, COLUMNS, ROWS, 2), form);
    else if (form == SLICED)
        operand[1] = viewed(numbers(dtype, ROWS, 2 * COLUMNS, 2), form);
    else
        operand[1] =
            numbers(dtype, is_row ? 1 : ROWS, is_column && !is_row ? 1 : COLUMNS, 2);
    return operand[0] != NULL && operand[1] != NULL;
}

/* Compute the result with a context: a new tensor, or NULL. */
static bl_tensor *result_of(int32_t number, bl_context *ctx, bl_tensor *operand[2])
{
    const bl_array *in[2] = {bl_tensor_array(operand[0]), bl_tensor_array(operand[1])};
    bl_tensor *result = NULL;

    if (cases[number].form != IN_PLACE)
        return bl_apply_new(ctx, cases[number].op, 2, in, NULL, &result) == BL_OK
                   ? result
                   : NULL;
    if (bl_tensor_clone(ctx, in[0], &result) != BL_OK)
        return NULL;
    in[0] = bl_tensor_array(result);
    if (bl_apply(ctx, cases[number].op, in[0], 2, in, NULL) == BL_OK)
        return result;
    bl_tensor_release(result);
    return NULL;
}

static size_t bytes_of(const bl_tensor *tensor)
{
    return (size_t)bl_tensor_numel(tensor) *
           bl_dtype_size(bl_tensor_array(tensor)->dtype);
}

static bool set_up(bl_context *ctx, int32_t threads, int32_t variant)
{
    static const bl_placement_kind kinds[] = {
        BL_PLACEMENT_FIRST_TOUCH, BL_PLACEMENT_INTERLEAVE, BL_PLACEMENT_BIND_RANGE};
    const bl_placement placement = {.kind = kinds[(threads + variant) % 3]};

    bl_context_set_thread_binding(ctx, variant == 1);
    return bl_context_set_threads(ctx, threads) == BL_OK &&
           bl_context_set_placement(ctx, placement) == BL_OK;
}

static bool check_case(int32_t number, bl_context *ctx, int32_t step, uint64_t *sum)
{
    bl_tensor *operand[2] = {NULL, NULL}, *first = NULL;
    bool pass = open_operands(number, operand) && set_up(ctx, 1, 0) &&
                (first = result_of(number, ctx, operand)) != NULL;

    for (int32_t run = 0; pass && run < 2 * ((MOST_THREADS + step - 1) / step); run++) {
        const int32_t threads = run / 2 * step + 1;
        bl_tensor *const result =
            set_up(ctx, threads, run % 2) ? result_of(number, ctx, operand) : NULL;

        pass = result != NULL &&
               memcmp(bl_tensor_array(first)->data, bl_tensor_array(result)->data,
                      bytes_of(first)) == 0;
        if (!pass)
            tap_note("with %" PRId32 " threads%s", threads, run % 2 ? ", bound" : "");
        bl_tensor_release(result);
    }
    if (pass) { /* FNV-1a */
        const unsigned char *const byte = bl_tensor_array(first)->data;

        for (size_t i = 0; i < bytes_of(first); i++)
            *sum = (*sum ^ byte[i]) * UINT64_C(1099511628211);
    }
    bl_tensor_release(first);
    bl_tensor_release(operand[0]);
    bl_tensor_release(operand[1]);
    return pass;
}

int main(int argc, char **argv)
{
    const bool is_few = IS_SANITIZED || (argc > 1 && strcmp(argv[1], "few") == 0);
    const int32_t step = is_few ? 5 : 1;
    bl_context *ctx = NULL;
    uint64_t sum = UINT64_C(14695981039346656037);

    omp_set_num_threads(MOST_THREADS);
    tap_plan();
    if (!tap_ok(bl_context_create(&ctx) == BL_OK, "a context"))
        return tap_done();
    for (int32_t number = 0; number < CASES; number++)
        tap_ok(check_case(number, ctx, step, &sum), "same bits: %s",
               cases[number].what);
    tap_note("bits %016" PRIx64, sum);
    bl_context_destroy(ctx);
    return tap_done();
}
