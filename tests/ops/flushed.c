/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic of subnormal numbers and their neighbours while the caller flushes them,
 * in results, operands or both, and in each rounding direction: rows of many elements
 * and of few, with gaps and without, have the bits of each element computed alone, on
 * every instruction set.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <broadloom.h>

#include "harness/floating.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "reference/ref.h"

static const bl_op operators[] = {
    BL_OP_ADD,     BL_OP_SUB,     BL_OP_MUL,   BL_OP_DIV,     BL_OP_RECIPROCAL,
    BL_OP_SQUARE,  BL_OP_LERP,    BL_OP_CLAMP, BL_OP_MAXIMUM, BL_OP_MINIMUM,
    BL_OP_FMAX,    BL_OP_FMIN,    BL_OP_RELU,  BL_OP_NEG,     BL_OP_HEAVISIDE,
    BL_OP_ADDCMUL, BL_OP_ADDCDIV, BL_OP_EQ,    BL_OP_LT,      BL_OP_ISCLOSE,
};

/* The smallest normal number. */
static const struct {
    bl_dtype dtype;
    double least;
} kinds[] = {{BL_DTYPE_F16, 0x1p-14},  {BL_DTYPE_BF16, 0x1p-126},
             {BL_DTYPE_F32, 0x1p-126}, {BL_DTYPE_F64, 0x1p-1022},
             {BL_DTYPE_C64, 0x1p-126}, {BL_DTYPE_C128, 0x1p-1022}};

#define COUNT(of) (sizeof(of) / sizeof *(of))

/* Values, some of them in units of the smallest normal number. */
static const struct {
    double number;
    bool is_small;
} values[] = {{0, false},  {-0.0, false},  {0.25, true},      {-0.75, true},
              {1, true},   {-1.5, true},   {1.25, true},      {1, false},
              {-3, false}, {0.375, false}, {INFINITY, false}, {-0x1p15, false},
              {NAN, false}};
enum { VALUES = COUNT(values), WIDTH = 3 * VALUES, ELEMENTS = VALUES * WIDTH };
enum { FEW = 3, GAP = 3 };

static unsigned char memory[PROBLEM_INPUTS][ELEMENTS * GAP * REF_ELEMENT];
static unsigned char want[ELEMENTS * REF_ELEMENT], got[ELEMENTS * GAP * REF_ELEMENT];

/* A row of calls: input `slow` is the same along WIDTH elements. */
struct row {
    bl_op op;
    size_t kind;
    int32_t slow;
    int32_t state;
};

/* How elements are computed: `count` at a time, `gap` apart, or all, one input still.
 */
static const struct {
    int32_t count, gap;
    bool is_still;
} ways[] = {{ELEMENTS, 1, false},
            {FEW, 1, false},
            {ELEMENTS, GAP, false},
            {FEW, GAP, false},
            {WIDTH, 1, true}};

static double value(size_t kind, int32_t i)
{
    const double number = values[i % VALUES].number;

    return values[i % VALUES].is_small ? number * kinds[kind].least : number;
}

static void fill(struct row row, int32_t gap)
{
    const bl_dtype dtype = kinds[row.kind].dtype;
    const size_t apart = (size_t)gap * ref_size(dtype);

    for (int32_t i = 0; i < ELEMENTS; i++)
        for (int32_t k = 0; k < PROBLEM_INPUTS; k++) {
            const bool is_slow = k == row.slow;
            const int32_t re = is_slow ? i / WIDTH : k < 2 ? i : 5 * i + i / WIDTH;
            const int32_t im = is_slow ? re + 1 : 3 * re + i / 7;

            ref_make(dtype, value(row.kind, re), value(row.kind, im),
                     memory[k] + (size_t)i * apart);
        }
}

/* Elements from `first` on to `result`. */
static bool call(bl_context *ctx, struct row row, int32_t first, int64_t count,
                 int64_t gap, bool is_still, void *result)
{
    const bl_dtype dtype = kinds[row.kind].dtype;
    const size_t at = (size_t)(first * gap) * ref_size(dtype);
    const int64_t still = 0;
    const bl_array out = {result, ref_result_dtype(row.op, dtype), 1, &count, &gap, 0};
    const bl_array *in[PROBLEM_INPUTS];
    bl_array array[PROBLEM_INPUTS];

    for (int32_t k = 0; k < PROBLEM_INPUTS; k++) {
        array[k] = (bl_array){memory[k] + at,
                              dtype,
                              1,
                              &count,
                              is_still && k == row.slow ? &still : &gap,
                              0};
        in[k] = &array[k];
    }
    return bl_apply(ctx, row.op, &out, ref_inputs(row.op), in, NULL) == BL_OK;
}

static bool is_same(const struct setting *setting, struct row row, size_t way)
{
    const bl_dtype to = ref_result_dtype(row.op, kinds[row.kind].dtype);
    const int32_t count = ways[way].count, gap = ways[way].gap;
    const size_t size = ref_size(to), apart = (size_t)gap * size;
    const struct floating own = floating_set(row.state);
    bool pass = true;

    for (int32_t i = 0; pass && i < ELEMENTS; i += count)
        pass = call(setting->ctx, row, i, count, gap, ways[way].is_still,
                    got + (size_t)i * apart);
    floating_restore(own);
    for (int32_t i = 0; pass && i < ELEMENTS; i++) {
        const unsigned char *const one = want + (size_t)i * size;

        pass = ref_same(to, one, got + (size_t)i * apart, 0);
        if (!pass) {
            char text[2][128];

            ref_print(to, one, text[0], sizeof text[0]);
            ref_print(to, got + (size_t)i * apart, text[1], sizeof text[1]);
            tap_note("%s, %" PRId32 " at a time, %" PRId32 " apart%s: element %" PRId32
                     " is %s, alone %s",
                     setting->name, count, gap, ways[way].is_still ? ", one still" : "",
                     i, text[1], text[0]);
        }
    }
    return pass;
}

/* In one state, on each instruction set. */
static bool check(const struct setting *settings, struct row row)
{
    const size_t size = ref_size(ref_result_dtype(row.op, kinds[row.kind].dtype));
    struct floating own;
    bool pass = true;

    fill(row, 1);
    own = floating_set(row.state);
    for (int32_t i = 0; pass && i < ELEMENTS; i++)
        pass = call(settings[0].ctx, row, i, 1, 1, false, want + (size_t)i * size);
    floating_restore(own);
    for (size_t way = 0; pass && way < COUNT(ways); way++) {
        fill(row, ways[way].gap);
        for (int32_t isa = 0; pass && isa < settings_distinct(settings); isa += 3)
            pass = is_same(&settings[isa], row, way);
    }
    if (!pass)
        tap_note("rounding %s, state %" PRId32 ", input %" PRId32 " slow",
                 floating_name(row.state), row.state, row.slow);
    return pass;
}

/* Whether bits of operands that are flushed are left open. */
static bool is_left_open(bl_op op, bl_dtype dtype)
{
    return dtype == BL_DTYPE_BF16 && (op == BL_OP_MAXIMUM || op == BL_OP_MINIMUM ||
                                      op == BL_OP_FMAX || op == BL_OP_FMIN);
}

static void check_operator(const struct setting *settings, bl_op op, size_t kind)
{
    bool pass = true;

    for (int32_t slow = 0; pass && slow < 2 && slow < ref_inputs(op); slow++)
        for (int32_t state = 0; pass && state < FLOATING_STATES; state++)
            pass = check(settings, (struct row){op, kind, slow, state});
    tap_ok(pass, "%s of %s, subnormal numbers flushed or not", ref_name(op),
           ref_dtype_name(kinds[kind].dtype));
}

int main(void)
{
    struct setting settings[SETTINGS];

    tap_plan();
    if (!FLOATING_FLUSHES_ALIKE) {
        tap_skip("Clang's loops differ", "subnormal numbers flushed");
        return tap_done();
    }
    settings_open(settings);
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < COUNT(operators); i++)
            if (ref_takes(operators[i], kinds[kind].dtype) &&
                !is_left_open(operators[i], kinds[kind].dtype))
                check_operator(settings, operators[i], kind);
    settings_close(settings);
    return tap_done();
}
