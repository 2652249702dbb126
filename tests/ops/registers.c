/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Register programs give the bits, and raise the floating-point exceptions, of one
 * kernel after the other: every operator that has a register form, on special values,
 * with its operands in memory, alone, and in registers; random programs; every length
 * around that of a group; in place, with non-temporal stores, in every rounding
 * direction.  Operands lie beside inaccessible pages.
 */
#include <fenv.h>
#include <stdio.h>

#include "harness/limits.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "segments.h"

enum { OPERATOR_ELEMENTS = 1500, RANDOM_PROGRAMS = 1500, GROUP_MOST = 128 };

static const bl_dtype dtypes[] = {BL_DTYPE_BOOL, BL_DTYPE_U8,   BL_DTYPE_I32,
                                  BL_DTYPE_F16,  BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };
static const int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* ---- every operator ---- */

/* Where an operator's input is: in memory, one element, or in a register. */
enum place { STREAM, STILL, REGISTER, PLACES };

/* An input of an operator, an exact copy of a stream where it is in a register. */
static int16_t input_at(struct bli_segment *segment, enum place place, bl_dtype dtype)
{
    const int32_t kind = place == STILL ? BLI_VALUE_STILL : BLI_VALUE_STREAM;
    const int16_t v = segment_operand(segment, kind, dtype);
    const bool is_truth = dtype == BL_DTYPE_BOOL;
    const bool is_number =
        bli_has_register_form(BL_OP_NEG, segment->computes, dtype, dtype);
    const bl_op op = is_truth ? BL_OP_LOGICAL_NOT : BL_OP_NEG;

    if (place != REGISTER || (!is_truth && !is_number))
        return v;
    return segment_op(segment, op, dtype, segment_op(segment, op, dtype, v, -1, -1, -1),
                      -1, -1, -1);
}

/* A segment of one operator, and of another use of input `again`, or -1. */
static void one_operator(struct bli_segment *segment, bl_dtype computes, bl_op op,
                         bl_dtype from, bl_dtype to, int32_t places, int32_t again)
{
    int16_t in[4] = {-1, -1, -1, -1}, made;

    segment_begin(segment, computes);
    for (int32_t k = 0; k < bli_ops[op].count; k++) {
        const bool is_choice = op == BL_OP_WHERE && k == 0;

        in[k] = input_at(segment, (enum place)(places % PLACES),
                         is_choice ? BL_DTYPE_BOOL : from);
        places /= PLACES;
    }
    made = segment_op(segment, op, to, in[0], in[1], in[2], in[3]);
    segment_output(segment, made);
    if (again >= 0 && op != BL_OP_WHERE && (from == BL_DTYPE_BF16 || from == computes))
        segment_output(segment, in[again]);
}

static bool check_operator(bl_dtype computes, bl_op op, bl_dtype from, bl_dtype to,
                           uint64_t seed)
{
    int32_t forms = 1;
    char what[100];

    for (int32_t k = 0; k < bli_ops[op].count; k++)
        forms *= PLACES;
    for (int32_t places = 0; places < forms; places++)
        for (int32_t again = -1; again < bli_ops[op].count; again++) {
            struct bli_segment segment;
            const struct segment_run run = {
                .count = OPERATOR_ELEMENTS, .seed = seed++, .at_end = places % 2 != 0};

            snprintf(what, sizeof what, "%s of %s to %s in %s, places %d, again %d",
                     bli_ops[op].name, bli_dtypes[from].name, bli_dtypes[to].name,
                     bli_dtypes[computes].name, (int)places, (int)again);
            one_operator(&segment, computes, op, from, to, places, again);
            fesetround(directions[seed / 3 % 4]);
            const bool is_same = segment_check_all(what, &segment, run);
            fesetround(FE_TONEAREST);
            if (!is_same)
                return false;
        }
    return true;
}

static void test_operators(struct rng *rng)
{
    static const bl_dtype computed[] = {BL_DTYPE_F32, BL_DTYPE_F64};

    for (int32_t op = 1; op < bli_ops_count; op++) {
        bool all = true;
        int32_t cases = 0;

        if (!bli_op_is_valid((bl_op)op))
            continue;
        for (int32_t k = 0; k < 2 * DTYPES * DTYPES; k++) {
            const bl_dtype computes = computed[k % 2];
            const bl_dtype from = dtypes[k / 2 % DTYPES], to = dtypes[k / 2 / DTYPES];

            if (!bli_has_register_form((bl_op)op, computes, from, to))
                continue;
            all &= check_operator(computes, (bl_op)op, from, to,
                                  (uint64_t)rng_below(rng, 1 << 30));
            cases++;
        }
        if (cases > 0)
            tap_ok(all, "%s in registers gives its kernel's bits", bli_ops[op].name);
    }
}

/* ---- one operator after another, some of which are one instruction ---- */

static const bl_op arithmetic[] = {BL_OP_ADD, BL_OP_SUB, BL_OP_MUL, BL_OP_DIV};
enum { ARITHMETIC = sizeof arithmetic / sizeof arithmetic[0] };

/*
 * first(x, y), second of it and an operand, both twice more with other operands: y is
 * read again, or in the second turn another stream, z.
 */
static void chain_of(struct bli_segment *segment, bl_dtype dtype, const bl_op *op,
                     bool is_still, bool is_turned, bool has_z)
{
    const int32_t kind = is_still ? BLI_VALUE_STILL : BLI_VALUE_STREAM;
    int16_t v, y[3], last[3];

    segment_begin(segment, dtype);
    v = segment_operand(segment, BLI_VALUE_STREAM, dtype);
    y[0] = y[1] = y[2] = segment_operand(segment, BLI_VALUE_STREAM, dtype);
    if (has_z)
        y[1] = segment_operand(segment, BLI_VALUE_STREAM, dtype);
    for (int32_t k = 0; k < 3; k++)
        last[k] = segment_operand(segment, kind, dtype);
    for (int32_t k = 0; k < 6; k++) {
        const int16_t other = k % 2 == 0 ? y[k / 2] : last[k / 2];

        v = is_turned ? segment_op(segment, op[k % 2], dtype, other, v, -1, -1)
                      : segment_op(segment, op[k % 2], dtype, v, other, -1, -1);
    }
    segment_output(segment, v);
}

static bool check_chain(bl_dtype dtype, int32_t first, int32_t second)
{
    const bl_op op[] = {arithmetic[first], arithmetic[second]};
    bool all = true;

    for (int32_t how = 0; how < 32; how++) {
        struct bli_segment segment;
        const struct segment_run run = {.count = 3 * GROUP_MOST - 5 * how,
                                        .seed = (uint64_t)how,
                                        .at_end = how % 2 == 0};

        chain_of(&segment, dtype, op, (how & 4) != 0, (how & 8) != 0, (how & 16) != 0);
        fesetround(directions[how % 4]);
        all &= segment_check_all("a chain", &segment, run);
        fesetround(FE_TONEAREST);
    }
    return all;
}

static void test_chains(void)
{
    for (int32_t first = 0; first < ARITHMETIC; first++) {
        bool all = true;

        for (int32_t second = 0; second < ARITHMETIC; second++)
            all &= check_chain(BL_DTYPE_F32, first, second) &&
                   check_chain(BL_DTYPE_F64, first, second);
        tap_ok(all, "%s and an operator after it, three times, each rounded",
               bli_ops[arithmetic[first]].name);
    }
}

/* ---- random programs ---- */

static void test_random(struct rng *rng)
{
    int32_t made = 0, trees = 0, spilled = 0, all = 0;

    for (int32_t k = 0; k < RANDOM_PROGRAMS; k++) {
        struct bli_segment segment;
        struct bli_program program;
        struct segment_run run = {.count = rng_below(rng, 3 * GROUP_MOST),
                                  .seed = (uint64_t)rng_below(rng, 1 << 30),
                                  .at_end = rng_below(rng, 2) == 0,
                                  .in_place = rng_one_in(rng, 3),
                                  .streams = rng_one_in(rng, 3)};

        segment_random(rng, &segment, 1 + rng_below(rng, 24));
        segment.is_in_place = run.in_place && k % 2 == 0;
        if (!bli_program_make(&program, &segment))
            continue;
        made++;
        trees += program.banks == 3;
        spilled += program.slots > 0;
        fesetround(directions[k % 4]);
        all += segment_check_all("a random program", &segment, run);
        fesetround(FE_TONEAREST);
    }
    tap_ok(all == made, "%d random programs give the bits of kernels", (int)made);
    tap_ok(made > RANDOM_PROGRAMS * 9 / 10 && trees > made / 10 && spilled > 20,
           "%d of %d could be made, %d with three banks, %d with slots", (int)made,
           RANDOM_PROGRAMS, (int)trees, (int)spilled);
}

int main(void)
{
    struct rng rng = rng_new();

    tap_plan();
    if (!segment_open()) {
        tap_ok(false, "guarded memory");
        return tap_done();
    }
    test_operators(&rng);
    test_chains();
    test_random(&rng);
    segment_test_rows(&rng);
    segment_close();
    limits_one_thread();
    return tap_done();
}
