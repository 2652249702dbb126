/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Special values of each dtype, in all pairs with every operator, and conversions
 * between all dtypes.  NaN, infinities, zeros of both signs, subnormal and largest
 * numbers, limits of integers, and values that conversion has to truncate.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "harness/limits.h"
#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

static struct setting settings[SETTINGS];
static struct rng rng;

/* Values that are special to several dtypes once rounded, truncated or wrapped. */
static const double numbers[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    127.0,
    128.0,
    -128.0,
    -129.0,
    255.0,
    256.0,
    32767.0,
    32768.0,
    -32768.0,
    65504.0,
    65519.0,
    65520.0,
    65535.0,
    65536.0,
    0x1.fffffep30,
    0x1p31,
    -0x1p31,
    -0x1p31 - 0.5,
    -0x1p31 - 1,
    0x1p32 - 1,
    0x1p32,
    0x1p53,
    0x1p53 + 2,
    0x1p62,
    0x1p63 - 1024,
    -0x1p63,
    0x1p63,
    0x1p63 + 2048,
    0x1p64 - 2048,
    0x1p64,
    -0x1p63 - 4096,
    1e30,
    -1e30,
    0x1p-14,
    0x1p-24,
    0x1p-25,
    0x1.8p-25,
    0x1.004p0,
    0x1.00200001p0,
    0x1.01p0,
    0x1.03p0,
    0x1.01000001p0,
    0x1p-126,
    0x1p-149,
    0x1p-150,
    0x1.000001p0,
    0x1.0000010000001p0,
    0x1.fffffep127,
    0x1.ffffffp127,
    0x1p-133,
    0x1p-134,
    0x1.8p-134,
    1e300,
    0x1p-1022,
    0x1p-1074,
    0x1.fffffffffffffp1023,
    (double)INFINITY,
    -(double)INFINITY,
    (double)NAN,
    7.0 / 3.0,
    -1e-3,
    1e-45,
    100.7,
    -100.7,
    -3.99,
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* Bits that no number above gives: patterns of a dtype with few set or clear bits. */
enum { PATTERNS = 24, VALUES = NUMBERS + PATTERNS };

/*
 * Restrict numbers for complex operators with a normwise bound to those for which no
 * algorithm overflows or loses bits: moderate numbers, zeros and NaN.
 */
static double tame(bl_op op, bl_dtype dtype, double number)
{
    const double size = fabs(number);

    if (!ref_is_normwise(op, dtype) && !(op == BL_OP_ISCLOSE && dtype >= BL_DTYPE_C64))
        return number;
    return size == 0 || isnan(number) || (size > 1e-4 && size < 1e2) ? number : 3.25;
}

/* Write an integer; the second of two is a bit count, or a divisor other than 0. */
static void put_integer(bl_op op, bl_dtype dtype, int32_t k, int64_t i, void *memory)
{
    const uint64_t pattern =
        (UINT64_C(0x8000000000000000) >> (i % 16 * 4)) - (uint64_t)(i % 3);
    static const unsigned char zero[8] = {0};

    if (k > 0 && ref_contents(op)->counts && i % 3 != 0)
        ref_make(dtype, (double)(i % 75 - 5), 0, memory);
    else if (i >= NUMBERS)
        memcpy(memory, &pattern, ref_size(dtype));
    else if (!(fabs(numbers[i]) < 0x1p63))
        ref_make(dtype, -(double)i, 0, memory);
    else
        ref_make(dtype, numbers[i], 0, memory);
    if (k > 0 && ref_contents(op)->divides &&
        memcmp(memory, zero, ref_size(dtype)) == 0)
        ref_make(dtype, 3, 0, memory);
}

static void put_special(bl_op op, bl_dtype dtype, int32_t k, int64_t i, void *memory)
{
    const int64_t other = (i * 7 + 3) % NUMBERS;
    const double edge = ref_contents(op)->high;

    i %= VALUES;
    if (dtype == BL_DTYPE_BOOL)
        *(unsigned char *)memory = (unsigned char)(i % 3 == 0 ? 0 : i % 5 == 0 ? 2 : 1);
    else if (ref_class(dtype) & (REF_UNSIGNED | REF_SIGNED))
        put_integer(op, dtype, k, i, memory);
    else if (i >= NUMBERS && edge > 0 && ref_class(dtype) == REF_REAL)
        ref_make(dtype, edge * (double)(i - NUMBERS - PATTERNS / 2) / (PATTERNS / 2), 0,
                 memory);
    else
        ref_make(dtype, tame(op, dtype, numbers[i % NUMBERS]),
                 tame(op, dtype, numbers[other]), memory);
}

static void put_all(struct problem *problem, int32_t k, bool scattered)
{
    struct problem_operand *in = &problem->in[k];

    for (int64_t i = 0; i < in->room; i++)
        put_special(problem->op, in->array.dtype, k,
                    scattered ? rng_below(&rng, VALUES) : i, in->memory + i * in->slot);
}

/* Check a column against a row, in both orders, and vectors with permuted values. */
static bool check_pairs(bl_op op, bl_dtype dtype)
{
    static const struct {
        int64_t extent[PROBLEM_INPUTS][2];
        bool scattered;
    } rows[] = {
        {{{VALUES, 1}, {1, VALUES}, {VALUES, 1}, {1, VALUES}}, false},
        {{{1, VALUES}, {VALUES, 1}, {1, VALUES}, {VALUES, 1}}, false},
        {{{VALUES, VALUES}, {VALUES, VALUES}, {VALUES, VALUES}, {VALUES, VALUES}},
         true},
        {{{VALUES, VALUES}, {1, 1}, {VALUES, VALUES}, {1, 1}}, true},
        {{{1, 1}, {VALUES, VALUES}, {1, 1}, {VALUES, VALUES}}, true},
    };
    const bool is_unary = ref_inputs(op) == 1;
    const int64_t square[2] = {is_unary ? 3 : VALUES, VALUES};
    const struct problem_layout compact = problem_compact();
    struct problem problem = {.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    bool pass = true;

    for (size_t i = 0; pass && i < sizeof rows / sizeof rows[0]; i++) {
        if ((is_unary && i > 0) || (i % 2 != 0 && !test_is_thorough(op, dtype)))
            continue;
        problem_describe(&problem.out, ref_result_dtype(op, dtype), 2, square,
                         &compact);
        for (int32_t k = 0; k < problem.inputs; k++)
            problem_describe(&problem.in[k], ref_input_dtype(op, dtype, k), 2,
                             is_unary ? square : rows[i].extent[k], &compact);
        problem_open(&problem);
        for (int32_t k = 0; k < problem.inputs; k++)
            put_all(&problem, k, rows[i].scattered);
        problem_refresh(&problem);
        /* NaN bits may differ elsewhere, so each setting is compared with itself. */
        for (int32_t s = 0; pass && s < settings_distinct(settings); s += 3)
            pass = problem_run(&problem, settings[s].ctx, settings[s].name);
        problem_close(&problem);
    }
    return pass;
}

static bool check_cast(bl_dtype from, bl_dtype to)
{
    struct problem problem = {.op = BL_OP_COPY, .dtype = from, .inputs = 1};
    const int64_t extent[2] = {3, VALUES};
    struct problem_layout layout;
    const char *name;
    bool pass = true;

    for (int32_t n = 0; pass && problem_layout_named(n, 2, &layout, &name); n++) {
        problem_describe(&problem.in[0], from, 2, extent, &layout);
        if (layout.repeated != 0 || n % 2 == 0)
            layout = problem_compact();
        problem_describe(&problem.out, to, 2, extent, &layout);
        problem_open(&problem);
        put_all(&problem, 0, n > 0);
        problem_refresh(&problem);
        for (int32_t s = 0; pass && s < settings_distinct(settings); s += 3)
            pass = problem_run(&problem, settings[s].ctx, settings[s].name);
        problem_close(&problem);
    }
    return pass;
}

/* Check that bl_cast and bl_apply_new give a compact tensor of the same elements. */
static bool check_cast_new(bl_dtype from, bl_dtype to)
{
    struct problem problem;
    bl_tensor *tensor = NULL;
    bool pass;

    problem_random(&problem, &rng, BL_OP_COPY, from, 300);
    /* A new tensor has the input's shape: the problem does not broadcast any more. */
    const bl_array *in = problem.input[0];

    pass = bl_cast(NULL, in, to, &tensor) == BL_OK;
    for (int64_t i = 0; pass && i < ref_count(in); i++) {
        unsigned char element[REF_ELEMENT];
        const char *got = (const char *)bl_tensor_array(tensor)->data;

        ref_convert(from, ref_at(in, i), to, element);
        pass = ref_same(to, element, got + i * (int64_t)ref_size(to), 0);
    }
    if (!pass)
        tap_note("%s: %s", problem.text, bl_error_message());
    bl_tensor_release(tensor);
    problem_close(&problem);
    return pass;
}

/* Values of PyTorch 1.13; NaN where both ends contribute an infinity. */
static void test_lerp(void)
{
    static const float a[] = {8, 8, 8, 8, INFINITY, 8, -INFINITY, 3};
    static const float b[] = {INFINITY, -INFINITY, INFINITY, INFINITY,
                              8,        INFINITY,  INFINITY, 7};
    static const float weight[] = {-0.76f, -0.76f, -3,        0.25f,
                                   -0.76f, 0.5f,   -INFINITY, -0.76f};
    static const float want[] = {-INFINITY, INFINITY, -INFINITY, INFINITY,
                                 INFINITY,  NAN,      -INFINITY, -0x1.47aep-5f};
    enum { ROWS = sizeof a / sizeof a[0] };
    const int64_t rows = ROWS;
    const bl_array in[] = {{(void *)a, BL_DTYPE_F32, 1, &rows, NULL, 0},
                           {(void *)b, BL_DTYPE_F32, 1, &rows, NULL, 0},
                           {(void *)weight, BL_DTYPE_F32, 1, &rows, NULL, 0}};

    for (int32_t s = 0; s < SETTINGS; s += 3) {
        float got[ROWS];
        const bl_array out = {got, BL_DTYPE_F32, 1, &rows, NULL, 0};
        bool pass = bl_lerp_out(settings[s].ctx, &out, &in[0], &in[1], &in[2]) == BL_OK;
        for (int32_t i = 0; i < ROWS; i++)
            pass = ref_same(BL_DTYPE_F32, &want[i], &got[i], 0) && pass;
        tap_ok(pass, "lerp of infinities, and by negative weights: %s",
               settings[s].name);
    }
}

int main(void)
{
    tap_plan();
    rng = rng_new();
    settings_open(settings);
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++)
        for (int32_t dtype = REF_DTYPES_BEGIN; dtype < REF_DTYPES_END; dtype++)
            if (ref_takes((bl_op)op, (bl_dtype)dtype))
                tap_ok(check_pairs((bl_op)op, (bl_dtype)dtype), "%s of special %s",
                       ref_name((bl_op)op), ref_dtype_name((bl_dtype)dtype));
    for (int32_t from = REF_DTYPES_BEGIN; from < REF_DTYPES_END; from++)
        for (int32_t to = REF_DTYPES_BEGIN; to < REF_DTYPES_END; to++)
            tap_ok(check_cast((bl_dtype)from, (bl_dtype)to) &&
                       check_cast_new((bl_dtype)from, (bl_dtype)to),
                   "%s converted to %s", ref_dtype_name((bl_dtype)from),
                   ref_dtype_name((bl_dtype)to));
    test_lerp();
    settings_close(settings);
    limits_one_thread();
    return tap_done();
}
