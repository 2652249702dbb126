/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack use of calls: operators, dtypes, layouts, instruction sets; mixed dtypes,
 * reductions, masks, user functions, files, errors; the first call of a thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/problem.h"
#include "reference/ref.h"
#include "stack.h"

bl_context *stack_ctx;

int64_t stack_rows, stack_columns;

/* ---- one call of an operator ---- */

static struct layout_operand result, operand[4];
static const bl_array *input[4];
static bl_op op;
static int32_t inputs;

static bl_status apply(void)
{
    return bl_apply(stack_ctx, op, &result.array, inputs, input, NULL);
}

static bl_status apply_new(void)
{
    bl_tensor *made = NULL;
    const bl_status status = bl_apply_new(stack_ctx, op, inputs, input, NULL, &made);

    bl_tensor_release(made);
    return status;
}

/* Fill with odd bytes: no integer is 0, and numbers have every exponent. */
static void fill(struct layout_operand *o)
{
    static uint32_t random = 1;

    for (size_t i = 0; i < o->bytes; i++) {
        random = random * 1664525u + 1013904223u;
        o->memory[i] = o->array.dtype == BL_DTYPE_BOOL ? (char)(random >> 31)
                                                       : (char)(random >> 24 | 1);
    }
}

void stack_make(struct layout_operand *o, bl_dtype dtype, enum layout layout)
{
    layout_make(o, dtype, layout, stack_rows, stack_columns);
    fill(o);
}

static void drop(void)
{
    free(result.memory);
    for (int32_t k = 0; k < inputs; k++)
        free(operand[k].memory);
}

static void try_operator(bl_dtype dtype, enum layout to, enum layout first,
                         enum layout others, const char *isa)
{
    inputs = ref_inputs(op);
    stack_make(&result, ref_result_dtype(op, dtype), to);
    for (int32_t k = 0; k < inputs; k++) {
        stack_make(&operand[k], ref_input_dtype(op, dtype, k), k == 0 ? first : others);
        input[k] = &operand[k].array;
    }
    /* Some values are refused: a refused call is measured, too. */
    (void)painted_call(apply, "%s of %s, %s: %s and %s into %s", ref_name(op),
                       ref_dtype_name(dtype), isa, layout_names[first],
                       layout_names[others], layout_names[to]);
    if (to == ROWS)
        (void)painted_call(apply_new, "%s of %s, %s: %s and %s into a tensor",
                           ref_name(op), ref_dtype_name(dtype), isa,
                           layout_names[first], layout_names[others]);
    drop();
}

/* Measure every operator in some layouts, and representative ones in more. */
static void try_layouts(bl_dtype dtype, const char *isa)
{
    static const enum layout layouts[][3] = {
        {ROWS, COLUMNS, ROWS},        {EVERY_THIRD, EVERY_THIRD, EVERY_THIRD},
        {ROWS, ROWS, ROWS},           {ROWS, ONE_ROW, ONE_COLUMN},
        {COLUMNS, ROWS, ONE},         {EVERY_THIRD, BACKWARDS, COLUMNS},
        {ROWS, EVERY_THIRD, COLUMNS}, {COLUMNS, EVERY_THIRD, ONE_COLUMN}};
    const size_t count = test_is_thorough(op, dtype) ? 8 : 2;

    for (size_t i = 0; i < count; i++)
        try_operator(dtype, layouts[i][0], layouts[i][1], layouts[i][2], isa);
}

static void each_operator(const char *name, const char *isa)
{
    painted_begin(name);
    for (int32_t i = REF_OPS_BEGIN; i < ref_ops_end(); i++)
        for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++) {
            op = (bl_op)i;
            if (ref_takes(op, (bl_dtype)dtype))
                try_layouts((bl_dtype)dtype, isa);
        }
    painted_end();
}

static void operators(void)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    static const char *const few[] = {"few elements, base", "few elements, avx2",
                                      "few elements, avx512"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (bl_context_set_isa(stack_ctx, names[i]) != BL_OK)
            continue;
        stack_rows = 40, stack_columns = 60;
        each_operator(names[i], names[i]);
        stack_rows = 7, stack_columns = 11;
        each_operator(few[i], names[i]);
    }
    stack_rows = 40, stack_columns = 60;
    if (bl_context_set_isa(stack_ctx, NULL) != BL_OK)
        abort();
}

/* ---- operands of two dtypes ---- */

static void try_mixed(bl_dtype a, bl_dtype b, enum layout first, enum layout second)
{
    inputs = 2;
    stack_make(&operand[0], a, first);
    stack_make(&operand[1], b, second);
    stack_make(&result, BL_DTYPE_C128, ROWS);
    for (int32_t k = 0; k < 2; k++)
        input[k] = &operand[k].array;
    for (size_t i = 0; i < (op == BL_OP_ADD ? 2 : 1); i++) {
        const char *const text = i == 0 ? "into c128" : "into a tensor";

        (void)painted_call(i == 0 ? apply : apply_new, "%s of %s and %s: %s, %s %s",
                           ref_name(op), ref_dtype_name(a), ref_dtype_name(b),
                           layout_names[first], layout_names[second], text);
    }
    drop();
}

static void mixed(void)
{
    static const bl_op some[] = {BL_OP_ADD, BL_OP_FLOOR_DIVIDE, BL_OP_POW, BL_OP_LT};
    static const enum layout layouts[][2] = {{ROWS, ROWS},
                                             {EVERY_THIRD, EVERY_THIRD},
                                             {COLUMNS, ROWS},
                                             {BACKWARDS, ONE_COLUMN}};

    painted_begin("mixed dtypes");
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        for (int32_t a = 1; a < REF_DTYPES_END; a++)
            for (int32_t b = 1; b < REF_DTYPES_END; b++)
                for (size_t l = 0; l < sizeof layouts / sizeof layouts[0]; l++) {
                    op = some[i];
                    try_mixed((bl_dtype)a, (bl_dtype)b, layouts[l][0], layouts[l][1]);
                }
    painted_end();
}

/* ---- all groups ---- */

bool stack_is_tried(int32_t dtype)
{
    return bl_context_threads(stack_ctx) == 1 || dtype == BL_DTYPE_I16 ||
           dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_F64 || dtype == BL_DTYPE_C128;
}

static bl_status first(void)
{
    return bl_context_create(&stack_ctx);
}

static bl_status machine(void)
{
    bl_topology_info info = {.size = sizeof info};

    return bl_topology_query(stack_ctx, &info);
}

static void on_one_thread(void)
{
    if (bl_context_set_threads(stack_ctx, 1) != BL_OK)
        abort();
    operators();
    mixed();
    stack_other_calls();
}

/* Measure teams, on operands large enough for several threads. */
static void in_teams(void)
{
    if (bl_context_set_threads(stack_ctx, painted_team()) != BL_OK)
        abort();
    stack_rows = 250, stack_columns = 300;
    stack_other_calls();
}

static void groups(void)
{
    painted_begin("the first call, and the machine");
    if (painted_call(first, "a context") != BL_OK ||
        painted_call(machine, "the machine") != BL_OK)
        abort();
    painted_end();
    if (!painted_teams_only())
        on_one_thread();
    in_teams();
    bl_context_destroy(stack_ctx);
}

int main(int argc, char **argv)
{
    return painted_main(argc, argv, groups);
}
