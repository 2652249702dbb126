/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels with non-temporal stores, by rows that are shorter and longer than the pieces
 * in which results are stored, adjacent and apart, at any address: the bits are those
 * of ordinary stores, and the memory around the rows is untouched.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/limits.h"
#include "harness/tap.h"
#include "kernels/kernel.h"

/* Rows; of short ones so many that they fill pieces more than once. */
enum { ROWS = 7, SHORT_ROWS = 41, SHORT = 200, LONGEST = 1300, GAP = 9, EDGE = 256 };
enum { ELEMENTS = EDGE + ROWS * (LONGEST + GAP) + EDGE, BYTES = ELEMENTS * 16 };
_Static_assert(SHORT_ROWS *(SHORT + GAP) <= ROWS * (LONGEST + GAP), "rows have room");

/* Operators of 1 to 4 inputs, results as wide as inputs, narrower and wider. */
static const struct subject {
    bl_op op;
    bl_dtype from, to;
    bl_dtype dtype[BLI_MAX_OPERANDS];
} subjects[] = {
    {BL_OP_ADD, BL_DTYPE_U8, BL_DTYPE_U8, {BL_DTYPE_U8, BL_DTYPE_U8, BL_DTYPE_U8}},
    {BL_OP_ADD, BL_DTYPE_I16, BL_DTYPE_I16, {BL_DTYPE_I16, BL_DTYPE_I16, BL_DTYPE_I16}},
    {BL_OP_ADD, BL_DTYPE_F16, BL_DTYPE_F16, {BL_DTYPE_F16, BL_DTYPE_F16, BL_DTYPE_F16}},
    {BL_OP_MUL,
     BL_DTYPE_BF16,
     BL_DTYPE_BF16,
     {BL_DTYPE_BF16, BL_DTYPE_BF16, BL_DTYPE_BF16}},
    {BL_OP_NEG, BL_DTYPE_F16, BL_DTYPE_F16, {BL_DTYPE_F16, BL_DTYPE_F16}},
    {BL_OP_ADD, BL_DTYPE_F32, BL_DTYPE_F32, {BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_MUL, BL_DTYPE_F64, BL_DTYPE_F64, {BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64}},
    {BL_OP_ADD,
     BL_DTYPE_C128,
     BL_DTYPE_C128,
     {BL_DTYPE_C128, BL_DTYPE_C128, BL_DTYPE_C128}},
    {BL_OP_NEG, BL_DTYPE_F32, BL_DTYPE_F32, {BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_LT,
     BL_DTYPE_F64,
     BL_DTYPE_BOOL,
     {BL_DTYPE_BOOL, BL_DTYPE_F64, BL_DTYPE_F64}},
    {BL_OP_COPY, BL_DTYPE_I8, BL_DTYPE_F64, {BL_DTYPE_F64, BL_DTYPE_I8}},
    {BL_OP_WHERE,
     BL_DTYPE_F32,
     BL_DTYPE_F32,
     {BL_DTYPE_F32, BL_DTYPE_BOOL, BL_DTYPE_F32, BL_DTYPE_F32}},
    {BL_OP_ADDCMUL,
     BL_DTYPE_F64,
     BL_DTYPE_F64,
     {BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64}},
    {BL_OP_ADDCDIV,
     BL_DTYPE_F32,
     BL_DTYPE_F32,
     {BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32}},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/*
 * How the last input is read: as the others are, the same for rows, for columns or for
 * both, or from where the result is, if that has the same dtype.
 */
enum form { FORM_ALIKE, FORM_ROW, FORM_COLUMN, FORM_NUMBER, FORM_IN_PLACE, FORMS };
static const char *const forms[] = {"rows alike", "a row", "a column", "a number",
                                    "in place"};

static const int64_t lengths[] = {1,   2,   3,   5,    8,    15,  16,  17,  31,
                                  33,  63,  64,  65,   96,   100, 127, 128, 129,
                                  143, 144, 145, 159,  200,  255, 256, 257, 300,
                                  511, 512, 513, 1000, 1024, 1300};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static _Alignas(64) char input[BLI_MAX_OPERANDS][BYTES];
static _Alignas(64) char want[BYTES], got[BYTES];

/* Numbers of every dtype, none of them NaN; a result begins as its last input. */
static void fill(char *bytes, bl_dtype dtype)
{
    uint64_t state = 88172645463325252;

    for (int64_t i = 0; i < BYTES; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        bytes[i] =
            dtype == BL_DTYPE_BOOL ? (char)(state >> 63) : (char)(state >> 40 & 63);
    }
}

/* Compute rows, the result `skip` elements and bytes after its usual address. */
static void compute(const struct bli_isa *isa, const struct subject *s, char *result,
                    enum form form, int64_t length, int64_t gap, int64_t skip,
                    bool streams)
{
    const int32_t inputs = bli_ops[s->op].count;
    int64_t stride[2][BLI_MAX_OPERANDS] = {{0}};
    char *data[BLI_MAX_OPERANDS] = {0};

    for (int32_t k = 0; k <= inputs; k++) {
        const int64_t size = bli_dtypes[s->dtype[k]].size;
        const bool is_last = k == inputs && k > 1;
        const bool is_number = is_last && form == FORM_NUMBER;
        const bool is_column = is_last && form == FORM_COLUMN;
        const bool is_row = is_last && form == FORM_ROW;

        stride[0][k] = is_column || is_number ? 0 : size;
        stride[1][k] = is_row || is_number ? 0 : (length + gap) * size;
        data[k] = (k == 0 ? result : input[k]) + (EDGE + (k == 0 ? skip : k)) * size;
        if (k == inputs && form == FORM_IN_PLACE && s->dtype[k] == s->dtype[0])
            data[k] = data[0];
    }
    bli_kernel_run(bli_isa_kernel(isa, s->op, s->from, s->to), data,
                   (const int64_t(*)[BLI_MAX_OPERANDS])stride, length,
                   length <= SHORT ? SHORT_ROWS : ROWS, streams ? BLI_NT_STORES : NULL);
    isa->stream_fence();
}

static bool streams_alike(const struct bli_isa *isa, const struct subject *s,
                          enum form form, int64_t length)
{
    static const int64_t gaps[] = {0, 1, GAP}, skips[] = {0, 1, 5, 16};

    for (int32_t g = 0; g < 3; g++)
        for (int32_t k = 0; k < 4; k++) {
            memcpy(want, input[bli_ops[s->op].count], sizeof want);
            memcpy(got, want, sizeof got);
            compute(isa, s, want, form, length, gaps[g], skips[k], false);
            compute(isa, s, got, form, length, gaps[g], skips[k], true);
            if (memcmp(want, got, sizeof got) == 0)
                continue;
            tap_note("%s: %s, %" PRId64 " elements, %" PRId64 " between rows, %" PRId64
                     " skipped",
                     isa->name, forms[form], length, gaps[g], skips[k]);
            return false;
        }
    return true;
}

int main(void)
{
    tap_plan();
    for (int32_t i = 0; i < SUBJECTS; i++) {
        const struct subject *const s = &subjects[i];

        for (int32_t k = 1; k <= bli_ops[s->op].count; k++)
            fill(input[k], s->dtype[k]);
        for (int32_t f = 0; f < FORMS; f++) {
            bool pass = true;

            for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
                for (int32_t n = 0; n < LENGTHS && bli_isa_all[k]->available(); n++)
                    pass &= streams_alike(bli_isa_all[k], s, (enum form)f, lengths[n]);
            tap_ok(pass, "%s of %s to %s, %s", bli_ops[s->op].name,
                   bli_dtypes[s->from].name, bli_dtypes[s->to].name, forms[f]);
        }
    }
    limits_one_thread();
    return tap_done();
}
