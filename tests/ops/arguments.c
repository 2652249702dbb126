/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that must be refused: each message names what is wrong, with the values, and
 * nothing is written.  One table of operations, run with bl_apply, bl_apply_new and
 * bl_plan_create.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

#include "harness/tap.h"

/* A valid call that each row makes invalid: f32[2,3] + f32[2,3] into f32[2,3]. */
struct call {
    bl_op op;
    int32_t count;
    bl_array in[3];
    bl_array out;
    const bl_array *input[3];
    const bl_array *const *inputs;
    const bl_array *result;
    bl_options options;
    int32_t rules;         /* nonsense[rules - 1], strict; 0: none */
    int32_t has_stride[4]; /* of the inputs, then of the result */
    int64_t extent[4][3];
    int64_t stride[4][3];
    double memory[4][8];
};

static void set_right(struct call *call)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;

    memset(call, 0, sizeof *call);
    call->op = BL_OP_ADD;
    call->count = 2;
    call->options = defaults;
    for (int32_t k = 0; k < 4; k++) {
        bl_array *array = k < 3 ? &call->in[k] : &call->out;

        call->extent[k][0] = 2;
        call->extent[k][1] = 3;
        *array = (bl_array){.data = call->memory[k],
                            .dtype = BL_DTYPE_F32,
                            .rank = 2,
                            .extent = call->extent[k]};
        if (k < 3)
            call->input[k] = array;
    }
    call->inputs = call->input;
    call->result = &call->out;
}

/* ---- rules and observers of a program ---- */

static bl_status answer_nonsense(const bl_rules *rules, const bl_rules_query *query,
                                 bl_rules_answer *answer)
{
    const int32_t *kind = rules->user;

    memset(answer, 0, sizeof *answer);
    answer->rank = 2;
    answer->extent[0] = 2;
    answer->extent[1] = 3;
    for (int32_t k = 0; k < query->count; k++)
        answer->pairing[k] = (bl_pairing){BL_PAIRING_BROADCAST, 0};
    switch (*kind) {
    case 0:
        answer->rank = BL_MAX_RANK + 1;
        break;
    case 1:
        answer->extent[1] = 4; /* reads past the operands */
        break;
    case 2:
        answer->extent[0] = -2;
        break;
    case 3:
        answer->pairing[1].shift = 1; /* drops a dim that is not 1 */
        break;
    case 4:
        answer->pairing[0].kind = 77;
        break;
    default:
        return bl_error_set(BL_ERR_RULES, "not on a Sunday");
    }
    return BL_OK;
}

static int32_t nonsense_kinds[] = {0, 1, 2, 3, 4, 5};
static const bl_rules nonsense[] = {
    {sizeof(bl_rules), "rank", answer_nonsense, &nonsense_kinds[0], false},
    {sizeof(bl_rules), "past the end", answer_nonsense, &nonsense_kinds[1], false},
    {sizeof(bl_rules), "negative", answer_nonsense, &nonsense_kinds[2], false},
    {sizeof(bl_rules), "shift", answer_nonsense, &nonsense_kinds[3], false},
    {sizeof(bl_rules), "kind", answer_nonsense, &nonsense_kinds[4], false},
    {sizeof(bl_rules), "sunday", answer_nonsense, &nonsense_kinds[5], false},
};

enum { STRICT = 7 };

/* ---- rows ---- */

/* A field of the call that gets another value. */
struct poke {
    size_t offset;
    size_t size;
    int64_t value;
};
#define POKE(field, value)                                                             \
    {                                                                                  \
        offsetof(struct call, field), sizeof(((struct call *)NULL)->field), value      \
    }

enum { NEW = 1, PLAN = 2 }; /* refused by bl_apply_new and by bl_plan_create too */

/* clang-format off */
static const struct {
    const char *what;
    bl_status status;
    int also;
    const char *text; /* must occur in the message */
    struct poke poke[4];
} rows[] = {
    {"no operator", BL_ERR_ARGUMENT, NEW | PLAN, "0", {POKE(op, 0)}},
    {"an unknown operator", BL_ERR_ARGUMENT, NEW | PLAN, "999", {POKE(op, 999)}},
    {"a negative operator", BL_ERR_ARGUMENT, NEW | PLAN, "-1", {POKE(op, -1)}},
    {"too few inputs", BL_ERR_ARGUMENT, NEW | PLAN, "add", {POKE(count, 1)}},
    {"too many inputs", BL_ERR_ARGUMENT, NEW | PLAN, "3", {POKE(count, 3)}},
    {"no list of inputs", BL_ERR_ARGUMENT, NEW | PLAN, "inputs", {POKE(inputs, 0)}},
    {"an input that is null", BL_ERR_ARGUMENT, NEW | PLAN, "b", {POKE(input[1], 0)}},
    {"a result that is null", BL_ERR_ARGUMENT, 0, "out", {POKE(result, 0)}},
    {"an unknown dtype", BL_ERR_ARGUMENT, NEW | PLAN, "99", {POKE(in[1].dtype, 99)}},
    {"a dtype of the result that is none", BL_ERR_ARGUMENT, PLAN, "out", {POKE(out.dtype, 0)}},
    {"a negative rank", BL_ERR_ARGUMENT, NEW | PLAN, "-1", {POKE(in[0].rank, -1)}},
    {"a rank past the limit", BL_ERR_ARGUMENT, NEW | PLAN, "65", {POKE(in[1].rank, 65)}},
    {"extents that are null", BL_ERR_ARGUMENT, NEW | PLAN, "b", {POKE(in[1].extent, 0)}},
    {"a negative extent", BL_ERR_ARGUMENT, NEW | PLAN, "-3", {POKE(extent[1][1], -3)}},
    {"data that is null", BL_ERR_ARGUMENT, NEW, "b", {POKE(in[1].data, 0)}},
    {"data off its alignment", BL_ERR_ARGUMENT, NEW, "align", {POKE(in[1].data, 1)}},
    {"a result off its alignment", BL_ERR_ARGUMENT, 0, "out", {POKE(out.data, 2)}},
    {"a result of another extent", BL_ERR_SHAPE, PLAN, "[2, 1]", {POKE(extent[3][1], 1)}},
    {"a result that is too large", BL_ERR_SHAPE, PLAN, "[7, 3]", {POKE(extent[3][0], 7)}},
    {"a result of lower rank", BL_ERR_SHAPE, PLAN, "[2]", {POKE(out.rank, 1)}},
    {"a result that is read-only", BL_ERR_ARGUMENT, PLAN, "read-only", {POKE(out.flags, 1)}},
    {"a result that repeats an element", BL_ERR_ARGUMENT, PLAN,
     "more than one element of the written-to tensor refers to a single memory location",
     {POKE(has_stride[3], 1), POKE(stride[3][1], 1)}},
    {"a result that is a scalar", BL_ERR_ARGUMENT, PLAN, "out: a scalar",
     {POKE(out.flags, BL_ARRAY_SCALAR)}},
    {"a scalar with dimensions", BL_ERR_ARGUMENT, NEW | PLAN, "b: a scalar",
     {POKE(in[1].flags, BL_ARRAY_SCALAR)}},
    {"a result of a lower category", BL_ERR_DTYPE, PLAN,
     "result type Float can't be cast to the desired output type Int",
     {POKE(out.dtype, BL_DTYPE_I32)}},
    {"the difference of booleans", BL_ERR_DTYPE, NEW | PLAN, "bool",
     {POKE(op, BL_OP_SUB), POKE(in[0].dtype, BL_DTYPE_BOOL), POKE(in[1].dtype, BL_DTYPE_BOOL),
      POKE(out.dtype, BL_DTYPE_BOOL)}},
    {"the quotient of integers as an integer", BL_ERR_DTYPE, PLAN, "Int",
     {POKE(op, BL_OP_DIV), POKE(in[0].dtype, BL_DTYPE_I32), POKE(in[1].dtype, BL_DTYPE_I32),
      POKE(out.dtype, BL_DTYPE_I32)}},
    {"the bits of real numbers", BL_ERR_DTYPE, NEW | PLAN, "f32",
     {POKE(op, BL_OP_BITWISE_AND)}},
    {"the order of complex numbers", BL_ERR_DTYPE, NEW | PLAN, "c64",
     {POKE(op, BL_OP_LT), POKE(in[0].dtype, BL_DTYPE_C64), POKE(in[1].dtype, BL_DTYPE_C64),
      POKE(out.dtype, BL_DTYPE_BOOL)}},
    {"shapes that do not fit", BL_ERR_SHAPE, NEW | PLAN,
     "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1",
     {POKE(extent[1][1], 2)}},
    {"options of no size", BL_ERR_ARGUMENT, NEW | PLAN, "size", {POKE(options.size, 8)}},
    {"options of an unknown dtype", BL_ERR_ARGUMENT, NEW | PLAN, "99",
     {POKE(options.dtype, 99)}},
    {"options of another dtype than the result's", BL_ERR_DTYPE, PLAN, "i8",
     {POKE(options.dtype, BL_DTYPE_I8)}},
    {"options of a lower category", BL_ERR_DTYPE, NEW | PLAN, "Char",
     {POKE(options.dtype, BL_DTYPE_I8), POKE(out.dtype, BL_DTYPE_I8)}},
    {"a mask of numbers", BL_ERR_DTYPE, NEW | PLAN, "bool",
     {POKE(op, BL_OP_WHERE), POKE(count, 3)}},
    {"a fixed operand that would repeat", BL_ERR_RULES, NEW | PLAN, "b",
     {POKE(options.fixed, 2), POKE(extent[1][0], 1)}},
    {"a fixed operand that there is none of", BL_ERR_ARGUMENT, NEW | PLAN,
     "options: fixed 0x4 names more than 2 operands", {POKE(options.fixed, 4)}},
    {"growth by less than nothing", BL_ERR_ARGUMENT, NEW | PLAN,
     "options: max_growth -1 is not a limit", {POKE(options.max_growth, 0xbff0000000000000)}},
    {"growth past the limit", BL_ERR_RULES, NEW | PLAN, "",
     {POKE(options.max_growth, 0x3ff8000000000000), /* 1.5 */
      POKE(extent[0][0], 1), POKE(extent[1][1], 1)}},
    {"ranks that differ under strict rules", BL_ERR_RULES, NEW | PLAN, "",
     {POKE(rules, STRICT), POKE(extent[1][0], 3), POKE(in[1].rank, 1)}},
    {"rules that answer a rank past the limit", BL_ERR_ARGUMENT, NEW | PLAN, "",
     {POKE(rules, 1)}},
    {"rules that answer more than there is", BL_ERR_ARGUMENT, NEW | PLAN, "",
     {POKE(rules, 2), POKE(extent[3][1], 4)}},
    {"rules that answer a negative extent", BL_ERR_ARGUMENT, NEW | PLAN, "", {POKE(rules, 3)}},
    {"rules that drop a dimension", BL_ERR_ARGUMENT, NEW | PLAN, "", {POKE(rules, 4)}},
    {"rules that answer an unknown pairing", BL_ERR_ARGUMENT, NEW | PLAN, "",
     {POKE(rules, 5)}},
    {"rules that refuse", BL_ERR_RULES, NEW | PLAN, "not on a Sunday", {POKE(rules, 6)}},
    {"a count past 64 bits", BL_ERR_OVERFLOW, NEW | PLAN, "b",
     {POKE(extent[1][0], INT64_MAX / 2), POKE(extent[1][1], 3)}},
    {"bytes past 64 bits", BL_ERR_OVERFLOW, NEW | PLAN, "b",
     {POKE(extent[1][0], INT64_MAX / 8), POKE(extent[1][1], 3)}},
    {"strides past 64 bits", BL_ERR_OVERFLOW, NEW | PLAN, "b",
     {POKE(has_stride[1], 1), POKE(stride[1][0], INT64_MAX / 2), POKE(stride[1][1], 1)}},
    {"a negative stride past 64 bits", BL_ERR_OVERFLOW, NEW | PLAN, "b",
     {POKE(has_stride[1], 1), POKE(stride[1][0], INT64_MIN), POKE(stride[1][1], -1)}},
};
/* clang-format on */

static void spoil(struct call *call, size_t row)
{
    set_right(call);
    for (size_t i = 0; i < 4 && rows[row].poke[i].size != 0; i++)
        memcpy((char *)call + rows[row].poke[i].offset, &rows[row].poke[i].value,
               rows[row].poke[i].size);
    for (int32_t k = 0; k < 4; k++)
        if (call->has_stride[k])
            (k < 3 ? &call->in[k] : &call->out)->stride = call->stride[k];
    if (call->rules == STRICT)
        call->options.rules = bl_rules_strict();
    else if (call->rules > 0)
        call->options.rules = &nonsense[call->rules - 1];
}

static bool is_refused(size_t row, bl_status status)
{
    const bool pass = status == rows[row].status &&
                      strstr(bl_error_message(), rows[row].text) != NULL &&
                      bl_error_message()[0] != '\0';

    if (!pass)
        tap_note("status %d: %s", (int)status, bl_error_message());
    return pass;
}

static void check_row(size_t row)
{
    struct call call;
    double before[4][8];
    bl_tensor *tensor = NULL;
    bl_plan *plan = NULL;

    spoil(&call, row);
    memset(call.memory, 0xa5, sizeof call.memory);
    memcpy(before, call.memory, sizeof before);
    tap_ok(is_refused(row, bl_apply(NULL, call.op, call.result, call.count, call.inputs,
                                    &call.options)) &&
               memcmp(before, call.memory, sizeof before) == 0,
           "%s is refused, nothing written", rows[row].what);
    if (rows[row].also & NEW)
        tap_ok(is_refused(row, bl_apply_new(NULL, call.op, call.count, call.inputs,
                                            &call.options, &tensor)) &&
                   tensor == NULL,
               "%s is refused for a new result", rows[row].what);
    if (rows[row].also & PLAN)
        tap_ok(is_refused(row, bl_plan_create(NULL, call.op, call.result, call.count,
                                              call.inputs, &call.options, &plan)) &&
                   plan == NULL,
               "%s is refused for a plan", rows[row].what);
    bl_tensor_release(tensor);
    bl_plan_destroy(plan);
}

int main(void)
{
    struct call call;
    bl_tensor *tensor = NULL;
    double before[8];

    tap_plan();
    set_right(&call);
    tap_ok(bl_apply(NULL, call.op, call.result, call.count, call.inputs,
                    &call.options) == BL_OK,
           "the call that rows spoil is right");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        check_row(row);
    set_right(&call);
    call.extent[1][0] = 4;
    memcpy(before, call.memory[0], sizeof before);
    tap_ok(bl_add_inplace(NULL, &call.in[0], &call.in[1]) == BL_ERR_SHAPE &&
               memcmp(before, call.memory[0], sizeof before) == 0,
           "an operand in place keeps its shape");
    set_right(&call);
    call.extent[0][0] = 1;
    tap_ok(bl_add_inplace(NULL, &call.in[0], &call.in[1]) == BL_ERR_SHAPE &&
               strstr(bl_error_message(), "[1, 3]") != NULL,
           "an operand in place does not grow");
    tap_ok(strcmp(bl_error_where(), "bl_add_inplace(a f32[1,3], b f32[2,3])") == 0,
           "the call is named with its operands in the tool's notation");
    tap_ok(bl_apply_new(NULL, BL_OP_ADD, 2, call.inputs, NULL, NULL) == BL_ERR_ARGUMENT,
           "a new result has nowhere to go");
    tap_ok(bl_plan_create(NULL, BL_OP_ADD, NULL, 2, call.inputs, NULL, NULL) ==
               BL_ERR_ARGUMENT,
           "a plan has nowhere to go");
    tap_ok(bl_cast(NULL, &call.in[0], (bl_dtype)77, &tensor) == BL_ERR_ARGUMENT &&
               tensor == NULL,
           "a cast to an unknown dtype is refused");
    return tap_done();
}
