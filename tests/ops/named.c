/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The named forms of every operator, with a new result, into an existing one and in
 * place: each calls its operator with its inputs in order.  Also the queries about
 * operators.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"

/* One operator's forms; in_place is NULL if there is none. */
struct forms {
    bl_op op;
    bl_status (*fresh)(const bl_array *const *in, bl_tensor **out);
    bl_status (*to)(const bl_array *out, const bl_array *const *in);
    bl_status (*in_place)(const bl_array *const *in);
};

/* clang-format off */
#define ARGUMENTS_CONVERT in[0]
#define ARGUMENTS_UNARY in[0]
#define ARGUMENTS_BINARY in[0], in[1]
#define ARGUMENTS_TERNARY in[0], in[1], in[2]
#define ARGUMENTS_QUATERNARY in[0], in[1], in[2], in[3]
#define ARGUMENTS_SELECT in[0], in[1], in[2]

#define FORMS(name, arguments)                                                          \
    static bl_status new_##name(const bl_array *const *in, bl_tensor **out)             \
    {                                                                                   \
        return bl_##name(NULL, arguments, out);                                         \
    }                                                                                   \
    static bl_status to_##name(const bl_array *out, const bl_array *const *in)          \
    {                                                                                   \
        return bl_##name##_out(NULL, out, arguments);                                    \
    }
#define IN_PLACE(name, arguments)                                                       \
    static bl_status in_place_##name(const bl_array *const *in)                         \
    {                                                                                   \
        return bl_##name##_inplace(NULL, arguments);                                    \
    }

/* The form in place, for operators whose inputs and result permit it. */
#define IN_PLACE_CONVERT_SAME(name)
#define IN_PLACE_UNARY_SAME(name) IN_PLACE(name, ARGUMENTS_UNARY)
#define IN_PLACE_UNARY_REAL_PART(name)
#define IN_PLACE_UNARY_BOOL(name)
#define IN_PLACE_BINARY_SAME(name) IN_PLACE(name, ARGUMENTS_BINARY)
#define IN_PLACE_BINARY_BOOL(name) IN_PLACE(name, ARGUMENTS_BINARY)
#define IN_PLACE_TERNARY_SAME(name) IN_PLACE(name, ARGUMENTS_TERNARY)
#define IN_PLACE_QUATERNARY_SAME(name) IN_PLACE(name, ARGUMENTS_QUATERNARY)
#define IN_PLACE_QUATERNARY_BOOL(name)
#define IN_PLACE_SELECT_SAME(name)
#define PLACE_CONVERT_SAME(name) NULL
#define PLACE_UNARY_SAME(name) in_place_##name
#define PLACE_UNARY_REAL_PART(name) NULL
#define PLACE_UNARY_BOOL(name) NULL
#define PLACE_BINARY_SAME(name) in_place_##name
#define PLACE_BINARY_BOOL(name) in_place_##name
#define PLACE_TERNARY_SAME(name) in_place_##name
#define PLACE_QUATERNARY_SAME(name) in_place_##name
#define PLACE_QUATERNARY_BOOL(name) NULL
#define PLACE_SELECT_SAME(name) NULL

#define BL_OP(name, value, inputs, domain, result, impl, expression, text)               \
    FORMS(name, ARGUMENTS_##inputs)                                                     \
    IN_PLACE_##inputs##_##result(name)
#include "core/tables/ops.def"
#undef BL_OP

static const struct forms rows[] = {
#define BL_OP(name, value, inputs, domain, result, impl, expression, text)               \
    {(bl_op)value, new_##name, to_##name, PLACE_##inputs##_##result(name)},
#include "core/tables/ops.def"
#undef BL_OP
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Make a problem of [3,5] everywhere, of f32 where possible, with distinct values. */
static void open_problem(struct problem *problem, bl_op op)
{
    static const int64_t extent[2] = {3, 5};
    const struct problem_layout compact = problem_compact();
    const bl_dtype dtype = ref_takes(op, BL_DTYPE_F32) ? BL_DTYPE_F32 : BL_DTYPE_I32;

    *problem = (struct problem){.op = op, .dtype = dtype, .inputs = ref_inputs(op)};
    problem_describe(&problem->out, ref_result_dtype(op, dtype), 2, extent, &compact);
    for (int32_t k = 0; k < problem->inputs; k++)
        problem_describe(&problem->in[k], ref_input_dtype(op, dtype, k), 2, extent,
                         &compact);
    problem_open(problem);
    problem_poison(problem);
}

/* Whether 15 elements of `dtype` equal the expected ones. */
static bool are_right(const struct problem *problem, bl_dtype dtype, const void *data)
{
    const bl_dtype expected = problem->out.array.dtype;
    char want[REF_ELEMENT];
    bool pass = true;

    for (int64_t i = 0; i < 15; i++) {
        ref_convert(expected, problem->want + i * (int64_t)ref_size(expected), dtype,
                    want);
        pass = pass &&
               ref_same(dtype, want, (const char *)data + i * (int64_t)ref_size(dtype),
                        problem->slack[i]);
    }
    return pass;
}

static bool check_new(const struct forms *forms, struct problem *problem)
{
    bl_tensor *tensor = NULL;
    bool pass = forms->fresh(problem->input, &tensor) == BL_OK;

    if (pass) {
        const bl_array *array = bl_tensor_array(tensor);

        pass = array->dtype == problem->out.array.dtype && array->rank == 2 &&
               array->extent[0] == 3 && array->extent[1] == 5 &&
               array->stride[0] == 5 && array->stride[1] == 1 &&
               are_right(problem, array->dtype, array->data);
    }
    bl_tensor_release(tensor);
    return pass;
}

static bool check_in_place(const struct forms *forms, struct problem *problem)
{
    return forms->in_place(problem->input) == BL_OK &&
           are_right(problem, problem->in[0].array.dtype, problem->in[0].memory);
}

static void check_forms(const struct forms *forms)
{
    const char *name = ref_name(forms->op);
    struct problem problem;

    open_problem(&problem, forms->op);
    tap_ok(check_new(forms, &problem), "bl_%s", name);
    tap_ok(forms->to(&problem.out.array, problem.input) == BL_OK &&
               problem_is_right(&problem, "to"),
           "bl_%s_out", name);
    if (forms->in_place != NULL)
        tap_ok(check_in_place(forms, &problem), "bl_%s_inplace", name);
    problem_close(&problem);
}

/*
 * The expected dtype of the operator's result: for integers and booleans that it does
 * not take, that of f32, except for lerp; NONE: refused.
 */
static bl_dtype expected_result(bl_op op, bl_dtype dtype)
{
    const bool is_exact = (ref_class(dtype) & (REF_REAL | REF_COMPLEX)) == 0;

    if (ref_takes(op, dtype))
        return ref_result_dtype(op, dtype);
    return is_exact && !ref_takes(op, BL_DTYPE_I32) && op != BL_OP_LERP
               ? ref_result_dtype(op, BL_DTYPE_F32)
               : BL_DTYPE_NONE;
}

/* Whether the library's table of operators agrees with the reference's. */
static bool check_query(bl_op op)
{
    bl_op_info info = {.size = sizeof info};
    bool pass = bl_op_query(op, &info) == BL_OK &&
                strcmp(info.name, ref_name(op)) == 0 && info.inputs == ref_inputs(op) &&
                info.text[0] != '\0' && bl_op_find(ref_name(op)) == op;

    for (int32_t d = REF_DTYPES_BEGIN; d < REF_DTYPES_END; d++) {
        const bl_dtype dtype = (bl_dtype)d;
        bl_dtype result = BL_DTYPE_NONE;
        const bl_status status = bl_op_result_dtype(op, dtype, &result);

        pass = pass && result == expected_result(op, dtype) &&
               status == (result == BL_DTYPE_NONE ? BL_ERR_DTYPE : BL_OK);
        pass = pass && bl_dtype_size(dtype) == ref_size(dtype) &&
               strcmp(bl_dtype_name(dtype), ref_dtype_name(dtype)) == 0 &&
               bl_dtype_find(ref_dtype_name(dtype)) == dtype;
    }
    return pass;
}

int main(void)
{
    bl_op_info info = {.size = sizeof info};
    bl_dtype dtype = BL_DTYPE_NONE;

    tap_plan();
    for (size_t i = 0; i < ROWS; i++) {
        check_forms(&rows[i]);
        tap_ok(check_query(rows[i].op), "what is known of %s", ref_name(rows[i].op));
    }
    tap_ok(bl_op_find("subtract") == BL_OP_NONE && bl_op_find("") == BL_OP_NONE &&
               bl_op_find(NULL) == BL_OP_NONE,
           "names of no operator");
    tap_ok(bl_dtype_find("float") == BL_DTYPE_NONE &&
               bl_dtype_find(NULL) == BL_DTYPE_NONE &&
               bl_dtype_size((bl_dtype)99) == 0 && bl_dtype_name(BL_DTYPE_NONE) == NULL,
           "names and numbers of no dtype");
    tap_ok(bl_op_query((bl_op)999, &info) == BL_ERR_ARGUMENT &&
               bl_op_query(BL_OP_ADD, NULL) == BL_ERR_ARGUMENT,
           "no operator to ask about, nowhere to answer");
    tap_ok(bl_op_result_dtype(BL_OP_ADD, (bl_dtype)99, &dtype) != BL_OK &&
               bl_op_result_dtype((bl_op)-1, BL_DTYPE_F32, &dtype) != BL_OK &&
               bl_op_result_dtype(BL_OP_ADD, BL_DTYPE_F32, NULL) == BL_ERR_ARGUMENT,
           "no dtype of a result");
    return tap_done();
}
