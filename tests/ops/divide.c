/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer divisors of 0 and negative integer exponents are refused before anything is
 * written, wherever in memory they are, by calls and by reused plans.
 */
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "reference/ref.h"
#include "harness/tap.h"

static const bl_op operators[] = {BL_OP_FLOOR_DIVIDE, BL_OP_TRUNC_DIVIDE,
                                  BL_OP_REMAINDER, BL_OP_FMOD};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static bool is_zero_division(bl_status status)
{
    const bool pass = status == BL_ERR_ARGUMENT &&
                      strstr(bl_error_message(), "ZeroDivisionError") != NULL;

    if (!pass)
        tap_note("status %d: %s", (int)status, bl_error_message());
    return pass;
}

/* Set `count` elements to 3. */
static void fill(bl_dtype dtype, void *data, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        ref_make(dtype, 3, 0, (char *)data + i * (int64_t)ref_size(dtype));
}

/* ---- every dtype and operator, and every position of the zero ---- */

enum { ROWS = 3, COLUMNS = 5, ROOM = 2 * ROWS * COLUMNS };

static const struct {
    const char *what;
    int64_t stride[2];
    int64_t first;
} layouts[] = {
    {"compact", {COLUMNS, 1}, 0},     {"transposed", {1, ROWS}, 0},
    {"strided", {2 * COLUMNS, 2}, 0}, {"reversed", {-COLUMNS, 1}, (ROWS - 1) * COLUMNS},
    {"a row repeated", {0, 1}, 0},    {"a column repeated", {1, 0}, 0},
    {"one element", {0, 0}, 0},
};

/*
 * Check each operator on a divisor of one dtype and layout with a zero at one position.
 */
static bool check_places(bl_dtype dtype, size_t layout)
{
    static const int64_t extent[2] = {ROWS, COLUMNS};
    const int64_t *const stride = layouts[layout].stride;
    const int64_t size = (int64_t)ref_size(dtype);
    _Alignas(8) char a[ROOM * 8], b[ROOM * 8], out[ROOM * 8], before[ROOM * 8];
    const bl_array dividend = {a, dtype, 2, extent, NULL, 0};
    const bl_array divisor = {
        b + layouts[layout].first * size, dtype, 2, extent, stride, 0};
    const bl_array result = {out, dtype, 2, extent, NULL, 0};
    const bl_array *const in[] = {&dividend, &divisor};
    bool pass = true;

    memset(out, 0x55, sizeof out);
    memcpy(before, out, sizeof before);
    for (int32_t i = 0; i < ROWS * COLUMNS; i++) {
        const bl_op op = operators[i % OPERATORS];
        char *const at = (char *)divisor.data +
                         (i / COLUMNS * stride[0] + i % COLUMNS * stride[1]) * size;

        fill(dtype, a, ROOM);
        fill(dtype, b, ROOM);
        memset(at, 0, (size_t)size);
        pass = is_zero_division(bl_apply(NULL, op, &result, 2, in, NULL)) &&
               memcmp(out, before, sizeof out) == 0 && pass;
    }
    return pass;
}

static void check_dtypes(void)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        bool pass = true;

        for (int32_t d = REF_DTYPES_BEGIN; d < REF_DTYPES_END; d++)
            if (ref_class((bl_dtype)d) & (REF_SIGNED | REF_UNSIGNED))
                pass = check_places((bl_dtype)d, i) && pass;
        tap_ok(pass, "a zero anywhere in a divisor of any dtype: %s", layouts[i].what);
    }
}

/* ---- which operand is a divisor, and which value is a zero ---- */

static int32_t i32[4] = {7, -7, 100, 3};
static uint8_t u8[4] = {7, 9, 100, 3};
static int32_t gap[8] = {2, 0, -2, 0, 5, 0, 1, 0};
static int64_t wide[4] = {2, 256, 3, 5};
static int64_t multiple = 512;
static bool truth[4] = {true, false, true, true};
static int32_t zero;
static float real_zero;

static const int64_t four[1] = {4};
static const int64_t two_by_four[2] = {2, 4};
static const int64_t no_rows[2] = {0, 4};
static const int64_t every_second[1] = {2};

static const struct {
    const char *what;
    bl_array dividend;
    bl_array divisor;
    bool is_refused;
} rows[] = {
    {"zeros between the divisor's elements",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {gap, BL_DTYPE_I32, 1, four, every_second, 0},
     false},
    {"a zero divisor of no dimensions",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {&zero, BL_DTYPE_I32, 0, NULL, NULL, 0},
     true},
    {"the number 0",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {&zero, BL_DTYPE_I32, 0, NULL, NULL, BL_ARRAY_SCALAR},
     true},
    {"a zero and no elements",
     {i32, BL_DTYPE_I32, 2, no_rows, NULL, 0},
     {&zero, BL_DTYPE_I32, 0, NULL, NULL, 0},
     false},
    {"a zero dividend",
     {&zero, BL_DTYPE_I32, 0, NULL, NULL, 0},
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     false},
    {"256 and i64",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {wide, BL_DTYPE_I64, 1, four, NULL, 0},
     false},
    {"512 that becomes 0 in u8",
     {u8, BL_DTYPE_U8, 1, four, NULL, 0},
     {&multiple, BL_DTYPE_I64, 0, NULL, NULL, 0},
     true},
    {"the number 512 that becomes 0 in u8",
     {u8, BL_DTYPE_U8, 1, four, NULL, 0},
     {&multiple, BL_DTYPE_I64, 0, NULL, NULL, BL_ARRAY_SCALAR},
     true},
    {"a false divisor",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {truth, BL_DTYPE_BOOL, 1, four, NULL, 0},
     true},
    {"a real zero",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {&real_zero, BL_DTYPE_F32, 0, NULL, NULL, 0},
     false},
    {"a divisor's zero and real numbers",
     {&real_zero, BL_DTYPE_F32, 0, NULL, NULL, 0},
     {truth, BL_DTYPE_BOOL, 1, four, NULL, 0},
     false},
    {"a divisor that grows the result",
     {i32, BL_DTYPE_I32, 1, four, NULL, 0},
     {gap, BL_DTYPE_I32, 2, two_by_four, NULL, 0},
     true},
};

static void check_row(size_t row)
{
    const bl_array *const in[] = {&rows[row].dividend, &rows[row].divisor};
    const void *const data[] = {rows[row].dividend.data, rows[row].divisor.data};
    bl_tensor *tensor = NULL;
    bl_plan *plan = NULL;
    char room[64];
    bool pass = true;

    for (int32_t i = 0; i < OPERATORS; i++) {
        const bl_status status = bl_apply_new(NULL, operators[i], 2, in, NULL, &tensor);

        pass = (rows[row].is_refused ? is_zero_division(status) && tensor == NULL
                                     : status == BL_OK) &&
               pass;
        bl_tensor_release(tensor);
        tensor = NULL;
    }
    tap_ok(pass, "%s %s", rows[row].what,
           rows[row].is_refused ? "is refused" : "is nothing to refuse");
    if (bl_plan_create(NULL, operators[0], NULL, 2, in, NULL, &plan) != BL_OK) {
        tap_ok(false, "%s: a plan", rows[row].what);
        return;
    }
    memset(room, 0x55, sizeof room);
    pass = true;
    for (int32_t parts = 0; parts < 2; parts++) {
        const bl_status status =
            parts == 0 ? bl_plan_execute(NULL, plan, room, data)
                       : bl_plan_execute_part(NULL, plan, 0, 1, room, data);

        pass = (rows[row].is_refused ? is_zero_division(status) && room[0] == 0x55
                                     : status == BL_OK) &&
               pass;
    }
    tap_ok(pass, "%s: by a plan and its parts", rows[row].what);
    bl_plan_destroy(plan);
}

/* ---- large divisors, which a team searches ---- */

static void check_large(void)
{
    enum { LARGE = 1 << 21 };
    static const int64_t extent[1] = {LARGE};
    int32_t *const data = malloc(LARGE * sizeof *data);
    const bl_array array = {data, BL_DTYPE_I32, 1, extent, NULL, 0};
    bool pass = data != NULL;
    bl_context *ctx = NULL;

    pass = pass && bl_context_create(&ctx) == BL_OK &&
           bl_context_set_threads(ctx, 4) == BL_OK;
    for (int64_t at = LARGE - 1; pass && at > 0; at = at * 3 / 5) {
        const bl_array *const in[] = {&array, &array};

        fill(BL_DTYPE_I32, data, LARGE);
        data[at] = 0;
        pass =
            is_zero_division(bl_apply(ctx, BL_OP_FLOOR_DIVIDE, &array, 2, in, NULL)) &&
            data[0] == 3 && data[LARGE - 1] == (at == LARGE - 1 ? 0 : 3);
    }
    tap_ok(pass, "one zero among two million, in place");
    bl_context_destroy(ctx);
    free(data);
}

/* ---- powers ---- */

static void check_powers(void)
{
    const bl_scalar minus_one = bl_scalar_i64(-1);
    const bl_scalar two = bl_scalar_i64(2);
    const bl_scalar half = bl_scalar_f64(-0.5);
    const bl_array base = {i32, BL_DTYPE_I32, 1, four, NULL, 0};
    const bl_array bytes = {u8, BL_DTYPE_U8, 1, four, NULL, 0};
    const bl_array number = bl_scalar_array(&minus_one);
    const bl_array square = bl_scalar_array(&two);
    const bl_array root = bl_scalar_array(&half);
    bl_array tensor_exponent = number;
    bl_tensor *tensor = NULL;

    tap_ok(bl_pow(NULL, &base, &number, &tensor) == BL_ERR_ARGUMENT &&
               strcmp(bl_error_message(),
                      "Integers to negative integer powers are not allowed.") == 0 &&
               bl_pow(NULL, &bytes, &number, &tensor) == BL_ERR_ARGUMENT &&
               bl_pow_inplace(NULL, &base, &number) == BL_ERR_ARGUMENT && i32[0] == 7,
           "integers are not raised to a negative number");
    tap_ok(bl_pow(NULL, &base, &square, &tensor) == BL_OK &&
               *(const int32_t *)bl_tensor_array(tensor)->data == 49,
           "integers are raised to a number");
    bl_tensor_release(tensor);
    tap_ok(bl_pow(NULL, &base, &root, &tensor) == BL_OK,
           "integers are raised to a real number");
    bl_tensor_release(tensor);
    tensor_exponent.flags = 0;
    tap_ok(bl_pow(NULL, &base, &tensor_exponent, &tensor) == BL_OK &&
               *(const int32_t *)bl_tensor_array(tensor)->data == 0,
           "integers are raised to the elements of a tensor");
    bl_tensor_release(tensor);
}

int main(void)
{
    tap_plan();
    check_dtypes();
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        check_row(row);
    check_large();
    check_powers();
    return tap_done();
}
