/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type promotion: the dtypes of pairs, of operands with and without dimensions and
 * scalars, of operators' results, and the dtypes that a result may be stored as.
 * Expected dtypes are PyTorch's, and NumPy's where PyTorch has no such type.
 */
#include <string.h>

#include <broadloom.h>

#include "reference/ref.h"
#include "harness/tap.h"

static const int64_t one[1] = {1};
static const int64_t none[1] = {0};

/*
 * Parse an operand as "f32[1]", "f32[0]", "f32[]", or a scalar as "f64": its dtype,
 * rank and flags.
 */
static bl_array operand_of(const char *text)
{
    const size_t length = strcspn(text, "[");
    bl_array array = {NULL, BL_DTYPE_NONE, 0, NULL, NULL, 0};
    char name[8] = "";

    memcpy(name, text, length);
    array.dtype = bl_dtype_find(name);
    if (text[length] == '\0')
        array.flags = BL_ARRAY_SCALAR;
    else if (text[length + 1] != ']')
        array.rank = 1;
    if (array.rank == 1)
        array.extent = text[length + 1] == '1' ? one : none;
    return array;
}

/* ---- pairs ---- */

/* The promoted dtype of each pair, in the order of dtype numbers: upper triangle. */
static const char *const pairs[] = {
    "bool u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64 c64 c128",
    "u8 i16 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64 c64 c128",
    "i8 i32 i16 i64 i32 f64 i64 f16 bf16 f32 f64 c64 c128",
    "u16 i32 u32 i32 u64 i64 f16 bf16 f32 f64 c64 c128",
    "i16 i64 i32 f64 i64 f16 bf16 f32 f64 c64 c128",
    "u32 i64 u64 i64 f16 bf16 f32 f64 c64 c128",
    "i32 f64 i64 f16 bf16 f32 f64 c64 c128",
    "u64 f64 f16 bf16 f32 f64 c64 c128",
    "i64 f16 bf16 f32 f64 c64 c128",
    "f16 f32 f32 f64 c64 c128",
    "bf16 f32 f64 c64 c128",
    "f32 f64 c64 c128",
    "f64 c128 c128",
    "c64 c128",
    "c128",
};

enum { PAIRS_END = REF_DTYPES_BEGIN + sizeof pairs / sizeof pairs[0] };

static void check_pairs(void)
{
    bl_dtype result = BL_DTYPE_NONE;

    for (int32_t a = REF_DTYPES_BEGIN; a < PAIRS_END; a++) {
        const char *at = pairs[a - REF_DTYPES_BEGIN];
        bool pass = true;

        for (int32_t b = a; b < PAIRS_END; b++) {
            char name[8] = "";

            memcpy(name, at, strcspn(at, " "));
            at += strcspn(at, " ") + (b + 1 < PAIRS_END ? 1 : 0);
            for (int32_t turn = 0; turn < 2; turn++)
                pass = bl_promote_dtypes((bl_dtype)(turn ? b : a),
                                         (bl_dtype)(turn ? a : b), &result) == BL_OK &&
                       result == bl_dtype_find(name) && pass;
        }
        tap_ok(pass, "%s with each dtype, either way round",
               bl_dtype_name((bl_dtype)a));
    }
    tap_ok(bl_promote_dtypes(BL_DTYPE_F32, (bl_dtype)99, &result) == BL_ERR_ARGUMENT &&
               bl_promote_dtypes(BL_DTYPE_NONE, BL_DTYPE_F32, &result) ==
                   BL_ERR_ARGUMENT &&
               bl_promote_dtypes(BL_DTYPE_F32, BL_DTYPE_F32, NULL) == BL_ERR_ARGUMENT,
           "what is no dtype is not promoted");
}

/* A result can be stored in its own category and higher ones. */
static void check_casts(void)
{
    static const int32_t category[] = {[REF_TRUTH] = 0,
                                       [REF_UNSIGNED] = 1,
                                       [REF_SIGNED] = 1,
                                       [REF_REAL] = 2,
                                       [REF_COMPLEX] = 3};
    bool pass = true;

    for (int32_t from = REF_DTYPES_BEGIN; from < REF_DTYPES_END; from++)
        for (int32_t to = REF_DTYPES_BEGIN; to < REF_DTYPES_END; to++)
            pass = pass && bl_can_cast((bl_dtype)from, (bl_dtype)to) ==
                               (category[ref_class((bl_dtype)from)] <=
                                category[ref_class((bl_dtype)to)]);
    tap_ok(pass, "results go into no lower category");
    tap_ok(!bl_can_cast((bl_dtype)99, BL_DTYPE_F32) &&
               !bl_can_cast(BL_DTYPE_BOOL, BL_DTYPE_NONE),
           "what is no dtype is not cast");
}

/* ---- operands of every rank ---- */

static const struct {
    const char *operand[3];
    const char *want;
} ranks[] = {
    {{"i32[1]", "f64[]"}, "f64"},
    {{"f16[1]", "f64[]"}, "f16"},
    {{"u8[1]", "i64[]"}, "u8"},
    {{"bool[1]", "u8[]"}, "u8"},
    {{"f32[1]", "c128[]"}, "c64"},
    {{"f64[1]", "c64[]"}, "c128"},
    {{"f16[1]", "c128[]"}, "c64"},
    {{"bf16[1]", "c64[]"}, "c64"},
    {{"i32[1]", "c128[]"}, "c128"},
    {{"i64[1]", "bf16[]"}, "bf16"},
    {{"u64[1]", "i64[]"}, "u64"},
    {{"f32[0]", "f64[]"}, "f32"},
    {{"f32[0]", "f64[1]"}, "f64"},
    {{"f32[]", "f64[]"}, "f64"},
    {{"u8[]", "i8[]"}, "i16"},
    {{"u8[1]", "i64"}, "u8"},
    {{"bool[1]", "i64"}, "i64"},
    {{"bool[1]", "bool"}, "bool"},
    {{"i32[1]", "f64"}, "f32"},
    {{"f16[1]", "f64"}, "f16"},
    {{"f64[1]", "f64"}, "f64"},
    {{"i32[1]", "c128"}, "c64"},
    {{"f16[1]", "c128"}, "c64"},
    {{"f32[1]", "c128"}, "c64"},
    {{"f64[1]", "c128"}, "c128"},
    {{"c64[1]", "c128"}, "c64"},
    {{"i8[]", "i64"}, "i8"},
    {{"i8[]", "f64"}, "f32"},
    {{"f64[]", "c128"}, "c128"},
    {{"i64", "f64"}, "f32"},
    {{"f64", "f64"}, "f32"},
    {{"bool", "bool"}, "bool"},
    {{"c128", "c128"}, "c64"},
    {{"f64"}, "f32"},
    {{"i8[1]", "f64[]", "c128"}, "c128"},
    {{"u8[1]", "i8[1]", "f16[]"}, "f16"},
    {{"i32[1]", "i64", "f64[]"}, "f64"},
};

static void check_ranks(void)
{
    bl_array array[3];
    const bl_array *const arrays[] = {&array[0], &array[1], &array[2]};
    const bl_array *const missing[] = {&array[0], NULL};
    bl_dtype result = BL_DTYPE_NONE;

    for (size_t row = 0; row < sizeof ranks / sizeof ranks[0]; row++) {
        int32_t count = 0;

        for (; count < 3 && ranks[row].operand[count]; count++)
            array[count] = operand_of(ranks[row].operand[count]);
        tap_ok(bl_result_dtype(count, arrays, &result) == BL_OK &&
                   result == bl_dtype_find(ranks[row].want),
               "%s %s %s: %s", ranks[row].operand[0],
               count > 1 ? ranks[row].operand[1] : "",
               count > 2 ? ranks[row].operand[2] : "", ranks[row].want);
    }
    array[0] = operand_of("f32[1]");
    tap_ok(bl_result_dtype(0, arrays, &result) == BL_ERR_ARGUMENT &&
               bl_result_dtype(1, NULL, &result) == BL_ERR_ARGUMENT &&
               bl_result_dtype(1, arrays, NULL) == BL_ERR_ARGUMENT &&
               bl_result_dtype(2, missing, &result) == BL_ERR_ARGUMENT,
           "nothing to promote, nowhere to answer");
}

/* ---- operators ---- */

#define CAST(from, to)                                                                 \
    "result type " from " can't be cast to the desired output type " to

/* clang-format off */
static const struct {
    const char *op;
    const char *operand[4];
    const char *out;  /* "": a new result; else in place (a dtype: into one of it) */
    const char *want; /* the result's dtype, or the error message */
} calls[] = {
    {"add", {"i32[1]", "f32[1]"}, "", "f32"},
    {"add", {"u8[1]", "i8[1]"}, "", "i16"},
    {"add", {"f16[1]", "bf16[1]"}, "", "f32"},
    {"add", {"bool[1]", "i64"}, "", "i64"},
    {"add", {"f64", "f64"}, "", "f32"},
    {"pow", {"i32[1]", "f64[]"}, "", "f64"},
    {"bitwise_and", {"bool[1]", "i16[1]"}, "", "i16"},
    {"bitwise_and", {"u64[1]", "i64[1]"}, "", "bitwise_and does not take f64"},
    {"bitwise_and", {"i32[1]", "f64"}, "", "bitwise_and does not take f32"},
    {"lt", {"i32[1]", "f64[1]"}, "", "bool"},
    {"lt", {"f32[1]", "c64[1]"}, "", "lt does not take c64"},
    {"eq", {"f32[1]", "c64[1]"}, "", "bool"},
    {"clamp", {"i32[1]", "i64", "f64"}, "", "f32"},
    {"addcmul", {"f32[1]", "i32[1]", "i32[1]", "i64"}, "", "f32"},
    /* Operators without integer forms compute integers in f32. */
    {"div", {"i32[1]", "i32[1]"}, "", "f32"},
    {"div", {"bool[1]", "bool[1]"}, "", "f32"},
    {"div", {"i64[1]", "f64[1]"}, "", "f64"},
    {"div", {"i64[1]", "f16[]"}, "", "f16"},
    {"exp", {"u8[1]"}, "", "f32"},
    {"atan2", {"i32[1]", "c64[1]"}, "", "atan2 does not take c64"},
    {"isclose", {"i32[1]", "i32[1]", "f64", "f64"}, "", "bool"},
    {"abs", {"c128[1]"}, "", "f64"},
    /* where's mask does not take part in promotion. */
    {"where", {"bool[1]", "i32[1]", "f32[1]"}, "", "f32"},
    {"where", {"bool[1]", "f64", "i32[1]"}, "", "f32"},
    {"where", {"u8[1]", "i32[1]", "f32[1]"}, "", "c is u8, expected bool"},
    /* Booleans cannot be subtracted. */
    {"sub", {"bool[1]", "bool[1]"}, "", "Subtraction, the `-` operator, with two bool tensors"},
    {"sub", {"i32[1]", "bool[1]"}, "", "Subtraction, the `-` operator, with a bool tensor"},
    {"sub", {"bool[1]", "f32[1]"}, "", "Subtraction, the `-` operator, with a bool tensor"},
    {"neg", {"bool[1]"}, "", "Negation, the `-` operator, on a bool tensor"},
    /* lerp promotes scalars only. */
    {"lerp", {"f32[1]", "f32[1]", "f64"}, "", "f32"},
    {"lerp", {"f16[1]", "f16[1]", "i64"}, "", "f16"},
    {"lerp", {"f32[1]", "f64[1]", "f64"}, "", "expected dtype float for `end` but got dtype double"},
    {"lerp", {"f32[1]", "f32[1]", "f64[1]"}, "", "expected dtype float for `weight` but got dtype double"},
    {"lerp", {"i32[1]", "i32[1]", "f64"}, "", "\"lerp_kernel_scalar\" not implemented for 'Int'"},
    {"lerp", {"i64[1]", "i64[1]", "i64[1]"}, "", "\"lerp_kernel_tensor\" not implemented for 'Long'"},
    {"lerp", {"f32[1]", "f32[1]", "c128"}, "", "no complex number"},
    /* In place: what the result is cast to. */
    {"add", {"i8[1]", "i64[1]"}, "a", "i8"},
    {"add", {"u8[1]", "i8[1]"}, "a", "u8"},
    {"add", {"f16[1]", "f64[1]"}, "a", "f16"},
    {"lt", {"f32[1]", "i32[1]"}, "a", "f32"},
    {"add", {"i32[1]", "f32[1]"}, "a", CAST("Float", "Int")},
    {"add", {"i32[1]", "f64"}, "a", CAST("Float", "Int")},
    {"add", {"bool[1]", "i8[1]"}, "a", CAST("Char", "Bool")},
    {"div", {"i64[1]", "i64[1]"}, "a", CAST("Float", "Long")},
    {"mul", {"f64[1]", "c128[1]"}, "a", CAST("ComplexDouble", "Double")},
    {"add", {"u64[1]", "i64[1]"}, "a", CAST("Double", "UInt64")},
    {"add", {"f32[1]", "f32[1]"}, "f64", "f64"},
    {"add", {"f32[1]", "f32[1]"}, "c64", "c64"},
    {"add", {"f32[1]", "f32[1]"}, "bf16", "bf16"},
    {"add", {"f32[1]", "f32[1]"}, "i64", CAST("Float", "Long")},
    {"lt", {"f32[1]", "f32[1]"}, "u8", "u8"},
    {"abs", {"c64[1]"}, "c64", "c64"},
    {"copy", {"c64[1]"}, "bool", "bool"},
    {"copy", {"f64"}, "u8", "u8"},
};
/* clang-format on */

static void check_call(size_t row)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan_info info = {.size = sizeof info};
    bl_array array[4];
    const bl_array *arrays[4];
    const bl_array *out = NULL;
    bl_plan *plan = NULL;
    int32_t count = 0;

    for (; count < 4 && calls[row].operand[count]; count++) {
        array[count] = operand_of(calls[row].operand[count]);
        arrays[count] = &array[count];
    }
    if (strcmp(calls[row].out, "a") == 0)
        out = &array[0];
    else
        options.dtype = bl_dtype_find(calls[row].out);

    const bl_status status = bl_plan_create(NULL, bl_op_find(calls[row].op), out, count,
                                            arrays, &options, &plan);
    const bl_dtype want = bl_dtype_find(calls[row].want);
    const bool pass =
        want != BL_DTYPE_NONE
            ? status == BL_OK && bl_plan_query(plan, &info) == BL_OK &&
                  info.dtype == want
            : status == BL_ERR_DTYPE && strstr(bl_error_message(), calls[row].want);

    if (!tap_ok(pass, "%s of %s %s%s%s: %.40s", calls[row].op, calls[row].operand[0],
                count > 1 ? calls[row].operand[1] : "",
                calls[row].out[0] ? " into " : "", calls[row].out, calls[row].want))
        tap_note("status %d: %s", (int)status, bl_error_message());
    bl_plan_destroy(plan);
}

int main(void)
{
    tap_plan();
    check_pairs();
    check_casts();
    check_ranks();
    for (size_t row = 0; row < sizeof calls / sizeof calls[0]; row++)
        check_call(row);
    return tap_done();
}
