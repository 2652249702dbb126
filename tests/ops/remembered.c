/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of calls with new results, which each thread remembers: calls that differ in
 * one thing, made one after the other, have the results of calls that are never
 * remembered, those of a context with a limit of growth.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

enum { ROWS = 4, MOST = 64, THREADS = 4, INPUTS = 3 };

/* ---- operands ---- */

static const int64_t square[] = {ROWS, ROWS}, flat[] = {ROWS * ROWS}, row[] = {ROWS};
static const int64_t cube[] = {2, ROWS, 1}, column[] = {ROWS, 1};
static const int64_t by_columns[] = {1, ROWS}, still[] = {0, 1}, backwards[] = {-1};
static const int64_t apart[] = {8, 2};

static float numbers[MOST];
static int32_t integers[MOST], divisors[MOST];
static const bl_scalar one_and_half = {BL_DTYPE_F64, {{1.5, 0}}};

enum { SQUARE, TURNED, STILL, APART, BYTES, ROW, COLUMN, FLAT, BACK, CUBE, INT };
enum { NUMBER = INT + 1 }; /* no array */

static const bl_array arrays[] = {
    [SQUARE] = {numbers, BL_DTYPE_F32, 2, square, NULL, 0},
    [TURNED] = {numbers, BL_DTYPE_F32, 2, square, by_columns, 0},
    [STILL] = {numbers, BL_DTYPE_F32, 2, square, still, 0},
    [APART] = {numbers, BL_DTYPE_F32, 2, square, apart, 0},
    [BYTES] = {numbers, BL_DTYPE_F32, 2, square, apart, BL_ARRAY_BYTE_STRIDES},
    [ROW] = {numbers, BL_DTYPE_F32, 1, row, NULL, 0},
    [COLUMN] = {numbers, BL_DTYPE_F32, 2, column, NULL, 0},
    [FLAT] = {numbers, BL_DTYPE_F32, 1, flat, NULL, 0},
    [BACK] = {numbers + 15, BL_DTYPE_F32, 1, flat, backwards, 0},
    [CUBE] = {numbers, BL_DTYPE_F32, 3, cube, NULL, 0},
    [INT] = {integers, BL_DTYPE_I32, 2, square, NULL, 0},
};

/*
 * Calls of two squares, where they say nothing else.  Operators of three inputs take
 * the second again.  Some are refused.
 */
static const struct variant {
    bl_op op;
    int left, right;
    bl_dtype dtype;
    const bl_rules *(*rules)(void);
    int32_t axis; /* 0: the last */
    uint32_t fixed;
    int64_t alpha; /* 0: none */
} variants[] = {
    {.op = BL_OP_ADD},
    {.op = BL_OP_ADD, .left = TURNED},
    {.op = BL_OP_ADD, .right = TURNED},
    {.op = BL_OP_ADD, .right = STILL},
    {.op = BL_OP_ADD, .left = APART},
    {.op = BL_OP_ADD, .left = BYTES},
    {.op = BL_OP_ADD, .right = ROW},
    {.op = BL_OP_ADD, .right = COLUMN},
    {.op = BL_OP_ADD, .left = CUBE},
    {.op = BL_OP_ADD, .left = FLAT, .right = FLAT},
    {.op = BL_OP_ADD, .left = BACK, .right = FLAT},
    {.op = BL_OP_ADD, .left = INT, .right = INT},
    {.op = BL_OP_ADD, .left = INT},
    {.op = BL_OP_ADD, .right = NUMBER},
    {.op = BL_OP_ADD, .left = INT, .right = NUMBER},
    {.op = BL_OP_SUB, .right = ROW},
    {.op = BL_OP_LT, .right = ROW},
    {.op = BL_OP_ADDCMUL, .right = ROW},
    {.op = BL_OP_ADD, .dtype = BL_DTYPE_F64},
    {.op = BL_OP_ADD, .dtype = BL_DTYPE_F16},
    {.op = BL_OP_ADD, .dtype = BL_DTYPE_C64},
    {.op = BL_OP_ADD, .dtype = BL_DTYPE_I32},
    {.op = BL_OP_ADD, .fixed = 3},
    {.op = BL_OP_ADD, .right = ROW, .fixed = 2},
    {.op = BL_OP_ADD, .right = FLAT},
    {.op = BL_OP_ADD, .right = FLAT, .rules = bl_rules_legacy},
    {.op = BL_OP_ADD, .right = ROW, .rules = bl_rules_strict},
    {.op = BL_OP_ADD, .right = ROW, .rules = bl_rules_paddle},
    {.op = BL_OP_ADD, .right = ROW, .rules = bl_rules_paddle, .axis = 1},
    {.op = BL_OP_ADD, .right = ROW, .rules = bl_rules_paddle, .axis = -2},
    {.op = BL_OP_ADD, .alpha = 2},
    {.op = BL_OP_ADD, .alpha = 3},
    {.op = BL_OP_ADD, .left = INT, .right = INT, .alpha = 3},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static bl_array operand(int name)
{
    return name < NUMBER ? arrays[name] : bl_scalar_array(&one_and_half);
}

static bl_status apply(bl_context *ctx, const struct variant *variant, bl_tensor **out)
{
    const bl_array left = operand(variant->left), right = operand(variant->right);
    const bl_array *const in[INPUTS] = {&left, &right, &right};
    const bl_scalar alpha = {BL_DTYPE_I64, {.i64 = variant->alpha}};
    bl_options options = BL_OPTIONS_DEFAULT;

    options.rules = variant->rules ? variant->rules() : NULL;
    options.axis = variant->axis != 0 ? variant->axis : BL_AXIS_LAST;
    options.dtype = variant->dtype;
    options.fixed = variant->fixed;
    options.alpha = variant->alpha != 0 ? &alpha : NULL;
    *out = NULL;
    return bl_apply_new(ctx, variant->op, variant->op == BL_OP_ADDCMUL ? 3 : 2, in,
                        &options, out);
}

/* ---- pairs of calls ---- */

/* A result and its status, of a call that is not remembered. */
static struct expected {
    bl_status status;
    bl_tensor *result;
} expected[VARIANTS];

static bool is_equal(bl_tensor *made, bl_tensor *wanted)
{
    const int32_t rank = bl_tensor_rank(wanted);
    bool pass = bl_tensor_rank(made) == rank &&
                bl_tensor_dtype(made) == bl_tensor_dtype(wanted);

    for (int32_t d = 0; pass && d < rank; d++)
        pass = bl_tensor_extent(made, d) == bl_tensor_extent(wanted, d);
    return pass && memcmp(bl_tensor_data(made), bl_tensor_data(wanted),
                          (size_t)bl_tensor_numel(wanted) *
                              bl_dtype_size(bl_tensor_dtype(wanted))) == 0;
}

static bool is_as_expected(bl_context *ctx, int which)
{
    const struct expected *const wanted = &expected[which];
    bl_tensor *made;
    const bl_status status = apply(ctx, &variants[which], &made);
    const bool pass = status == wanted->status && (made != NULL) == (status == BL_OK) &&
                      (!made || is_equal(made, wanted->result));

    bl_tensor_release(made);
    return pass;
}

/* Each call twice, then each other one. */
static bool are_pairs_right(bl_context *ctx)
{
    bool pass = true;

    for (int i = 0; i < VARIANTS; i++)
        for (int k = 0; k < VARIANTS; k++)
            pass = is_as_expected(ctx, i) && is_as_expected(ctx, i) &&
                   is_as_expected(ctx, k) && pass;
    return pass;
}

static void *run_pairs(void *pass)
{
    *(bool *)pass = are_pairs_right(NULL);
    return NULL;
}

static void test_pairs(void)
{
    bl_context *limited = NULL, *base = NULL;
    pthread_t thread[THREADS];
    bool pass[THREADS], all = true;

    if (bl_context_create(&limited) != BL_OK || bl_context_create(&base) != BL_OK ||
        bl_context_set_max_growth(limited, 1e9) != BL_OK ||
        bl_context_set_isa(base, "base") != BL_OK)
        abort();
    for (int k = 0; k < VARIANTS; k++)
        expected[k].status = apply(limited, &variants[k], &expected[k].result);
    tap_ok(are_pairs_right(NULL), "each call after each other");
    for (int k = 0; k < THREADS; k++)
        if (pthread_create(&thread[k], NULL, run_pairs, &pass[k]) != 0)
            abort();
    for (int k = 0; k < THREADS; k++)
        all = pthread_join(thread[k], NULL) == 0 && pass[k] && all;
    tap_ok(all, "by several threads");
    bl_context_set_reproducible(base, true);
    tap_ok(are_pairs_right(base) && are_pairs_right(NULL),
           "in a context with other settings, and again");
    for (int k = 0; k < VARIANTS; k++)
        bl_tensor_release(expected[k].result);
    bl_context_destroy(limited);
    bl_context_destroy(base);
}

/* ---- calls that are refused after an equal one was not ---- */

static void test_refusals(void)
{
    const bl_array a = arrays[INT], by = {divisors, BL_DTYPE_I32, 2, square, NULL, 0};
    const bl_array *const in[] = {&a, &by};
    const bl_rules nameless = {.size = sizeof nameless};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_tensor *quotient = NULL, *none = NULL;

    options.dtype = BL_DTYPE_I64;
    for (int k = 0; k < MOST; k++)
        divisors[k] = 1 + k % 3;
    tap_ok(bl_apply_new(NULL, BL_OP_FLOOR_DIVIDE, 2, in, &options, &quotient) == BL_OK,
           "a quotient");
    bl_tensor_release(quotient);
    divisors[7] = 0;
    tap_ok(bl_apply_new(NULL, BL_OP_FLOOR_DIVIDE, 2, in, &options, &none) ==
                   BL_ERR_ARGUMENT &&
               !none && strstr(bl_error_message(), "floor_divide") != NULL,
           "divisors of 0 are refused then, too: %s", bl_error_message());
    divisors[7] = 1;
    options.max_growth = -1;
    tap_ok(bl_apply_new(NULL, BL_OP_FLOOR_DIVIDE, 2, in, &options, &none) != BL_OK &&
               !none,
           "and what is no limit of growth: %s", bl_error_message());
    options.max_growth = 0;
    options.rules = &nameless;
    tap_ok(bl_apply_new(NULL, BL_OP_FLOOR_DIVIDE, 2, in, &options, &none) != BL_OK &&
               !none,
           "and rules that resolve nothing: %s", bl_error_message());
}

/* ---- no memory for the result of a plan that is remembered ---- */

static bool is_out;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    return is_out ? NULL : aligned_alloc(alignment, bytes + (-bytes & (alignment - 1)));
}

static void release(void *user, void *memory, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    free(memory);
}

static void test_no_memory(void)
{
    static const bl_allocator own = {allocate, release, NULL};
    bl_context *ctx = NULL;
    bl_tensor *first = NULL, *none = NULL, *last = NULL;

    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_allocator(ctx, &own) != BL_OK)
        abort();

    bool pass = apply(ctx, &variants[0], &first) == BL_OK;

    is_out = true;
    pass = pass && apply(ctx, &variants[0], &none) == BL_ERR_MEMORY && !none;
    is_out = false;
    pass = pass && apply(ctx, &variants[0], &last) == BL_OK && is_equal(first, last);
    tap_ok(pass, "no memory for a result: %s", bl_error_message());
    bl_tensor_release(first);
    bl_tensor_release(last);
    bl_context_destroy(ctx);
}

/* Calls that warn do so each time. */
static void test_warnings(void)
{
    static const struct variant to_square = {
        .op = BL_OP_ADD, .left = COLUMN, .right = ROW, .dtype = BL_DTYPE_F64};
    const int64_t before = bl_warnings_count(BL_CHANGE_NONE);
    bl_tensor *made;
    bool pass = true;

    bl_backcompat_broadcast_warning_set_enabled(true);
    for (int k = 0; k < 5; k++) {
        pass = apply(NULL, &to_square, &made) == BL_OK && pass;
        bl_tensor_release(made);
    }
    bl_backcompat_broadcast_warning_set_enabled(false);
    tap_ok(pass && bl_warnings_count(BL_CHANGE_NONE) - before == 5,
           "each of 5 calls warns: %" PRId64,
           bl_warnings_count(BL_CHANGE_NONE) - before);
}

int main(void)
{
    tap_plan();
    for (int k = 0; k < MOST; k++) {
        numbers[k] = 1 + (float)k / 8;
        integers[k] = k;
    }
    test_pairs();
    test_refusals();
    test_no_memory();
    test_warnings();
    return tap_done();
}
