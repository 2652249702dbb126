/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PaddlePaddle's elementwise functions by name, each row of compat/rules/paddle.def:
 * with a new result, into an existing one and in place, for every alignment of y along
 * x and of x along y, in f32 and i32, against one loop over the elements.
 */
#include <broadloom/paddle.h>

#include "harness/shapes.h"
#include "harness/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120 };

/* ---- the functions ---- */

struct function {
    const char *name;
    bl_status (*fresh)(const bl_array *x, const bl_array *y, int32_t axis,
                       bl_tensor **out);
    bl_status (*to)(const bl_array *out, const bl_array *x, const bl_array *y,
                    int32_t axis);
    bl_status (*in_place)(const bl_array *x, const bl_array *y, int32_t axis);
};

/* clang-format off */
#define BL_PADDLE(name, op, integers, text)                                             \
    static bl_status new_##name(const bl_array *x, const bl_array *y, int32_t axis,     \
                                bl_tensor **out)                                        \
    {                                                                                   \
        return bl_paddle_elementwise_##name(NULL, x, y, axis, out);                     \
    }                                                                                   \
    static bl_status to_##name(const bl_array *out, const bl_array *x,                  \
                               const bl_array *y, int32_t axis)                         \
    {                                                                                   \
        return bl_paddle_elementwise_##name##_out(NULL, out, x, y, axis);                \
    }                                                                                   \
    static bl_status in_place_##name(const bl_array *x, const bl_array *y, int32_t axis)\
    {                                                                                   \
        return bl_paddle_elementwise_##name##_inplace(NULL, x, y, axis);                \
    }
#include "../../compat/rules/paddle.def"
#undef BL_PADDLE

static const struct function functions[] = {
#define BL_PADDLE(name, op, integers, text) {#name, new_##name, to_##name, in_place_##name},
#include "../../compat/rules/paddle.def"
#undef BL_PADDLE
};
/* clang-format on */

/* What v2.1 returned for integers; every value fits in a double. */
static double of_integers(const char *name, int32_t x, int32_t y)
{
    if (strcmp(name, "div") == 0 || strcmp(name, "floordiv") == 0)
        return x / y;
    if (strcmp(name, "mod") == 0)
        return x % y != 0 && (x % y ^ y) < 0 ? x % y + y : x % y;
    if (strcmp(name, "pow") == 0)
        return (int32_t)pow(x, y);
    return NAN;
}

static double expected(const char *name, bl_dtype dtype, double x, double y)
{
    const double whole =
        dtype == BL_DTYPE_I32 ? of_integers(name, (int32_t)x, (int32_t)y) : NAN;
    const float quotient = (float)x / (float)y;

    if (!isnan(whole))
        return whole;
    switch (name[0]) {
    case 'a':
        return x + y;
    case 's':
        return x - y;
    case 'd':
        return quotient;
    case 'p':
        return (double)powf((float)x, (float)y);
    case 'f':
        return trunc((double)quotient);
    default:
        break;
    }
    if (strcmp(name, "mul") == 0)
        return x * y;
    if (strcmp(name, "mod") == 0)
        return fmod(x, y) != 0 && (fmod(x, y) < 0) != (y < 0) ? fmod(x, y) + y
                                                              : fmod(x, y);
    return strcmp(name, "max") == 0 ? fmax(x, y) : fmin(x, y);
}

/* ---- alignments ---- */

/*
 * The dimensions of the result that an operand is aligned with, as its strides there.
 */
static const struct row {
    const char *x;
    const char *y;
    int32_t axis;
    const char *result;
    int64_t x_stride[4];
    int64_t y_stride[4];
} rows[] = {
    {"(2,3,4,5)", "(2,3,4,5)", -1, "(2,3,4,5)", {60, 20, 5, 1}, {60, 20, 5, 1}},
    {"(2,3,4,5)", "(5)", -1, "(2,3,4,5)", {60, 20, 5, 1}, {0, 0, 0, 1}},
    {"(2,3,4,5)", "(4,5)", -1, "(2,3,4,5)", {60, 20, 5, 1}, {0, 0, 5, 1}},
    {"(2,3,4,5)", "(4,5)", 2, "(2,3,4,5)", {60, 20, 5, 1}, {0, 0, 5, 1}},
    {"(2,3,4,5)", "(3,4)", 1, "(2,3,4,5)", {60, 20, 5, 1}, {0, 4, 1, 0}},
    {"(2,3,4,5)", "(2)", 0, "(2,3,4,5)", {60, 20, 5, 1}, {1, 0, 0, 0}},
    {"(2,3,4,5)", "(2,1)", 0, "(2,3,4,5)", {60, 20, 5, 1}, {1, 0, 0, 0}},
    {"(2,3,4,5)", "()", 3, "(2,3,4,5)", {60, 20, 5, 1}, {0, 0, 0, 0}},
    {"(3,4)", "(2,3,4,5)", 1, "(2,3,4,5)", {0, 4, 1, 0}, {60, 20, 5, 1}},
    {"(3,1)", "(3,5)", -1, "(3,5)", {0, 0, 1, 0}, {0, 0, 5, 1}},
};

/*
 * Fill with values that are exact in both dtypes, and small enough for every function.
 */
static void fill(void *memory, bl_dtype dtype, int64_t count, int32_t first)
{
    for (int64_t i = 0; i < count; i++) {
        const int32_t number = (int32_t)((i * 5 + first) % 6) + 1;
        const int32_t whole = i % 3 == 2 && first > 0 ? -number : number;

        if (dtype == BL_DTYPE_I32)
            ((int32_t *)memory)[i] = whole;
        else
            ((float *)memory)[i] = (float)whole;
    }
}

static double at(const void *memory, bl_dtype dtype, int64_t i)
{
    return dtype == BL_DTYPE_I32 ? ((const int32_t *)memory)[i]
                                 : (double)((const float *)memory)[i];
}

/* An operand or a result: a shape, and memory for its elements. */
struct operand {
    struct shape shape;
    int64_t count;
    union {
        float real[MOST];
        int32_t whole[MOST];
    } element;
    bl_array array;
};

static void open_operand(struct operand *o, const char *shape, bl_dtype dtype,
                         int first)
{
    o->shape = shape_read(shape, NULL);
    o->count = 1;
    for (int32_t d = 0; d < o->shape.rank; d++)
        o->count *= o->shape.extent[d];
    fill(&o->element, dtype, o->count, first);
    o->array = (bl_array){.data = &o->element,
                          .dtype = dtype,
                          .rank = o->shape.rank,
                          .extent = o->shape.extent};
}

/* Whether `memory` holds the function's result, bit for bit except for pow. */
static bool is_right(const struct function *function, const struct row *row,
                     bl_dtype dtype, const struct operand *x, const struct operand *y,
                     const void *memory)
{
    const struct shape result = shape_read(row->result, NULL);
    int64_t count = 1;

    for (int32_t d = 0; d < result.rank; d++)
        count *= result.extent[d];
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i, in_x = 0, in_y = 0;

        for (int32_t d = result.rank - 1, k = 3; d >= 0; d--, k--) {
            in_x += rest % result.extent[d] * row->x_stride[k];
            in_y += rest % result.extent[d] * row->y_stride[k];
            rest /= result.extent[d];
        }

        const double want =
            expected(function->name, dtype, at(&x->element, dtype, in_x),
                     at(&y->element, dtype, in_y));
        const double got = at(memory, dtype, i);

        if (!(fabs(got - want) <= fabs(want) * 1e-6)) {
            tap_note("element %d: %g, not %g", (int)i, got, want);
            return false;
        }
    }
    return true;
}

static bool check(const struct function *function, const struct row *row,
                  bl_dtype dtype)
{
    static struct operand x, y, out;
    bl_tensor *tensor = NULL;
    bool pass;

    open_operand(&x, row->x, dtype, 0);
    open_operand(&y, row->y, dtype, strcmp(function->name, "pow") == 0 ? 0 : 3);
    open_operand(&out, row->result, dtype, 0);
    pass = function->fresh(&x.array, &y.array, row->axis, &tensor) == BL_OK &&
           bl_tensor_array(tensor)->dtype == dtype &&
           shape_equal(&out.shape, bl_tensor_array(tensor)->rank,
                       bl_tensor_array(tensor)->extent) &&
           is_right(function, row, dtype, &x, &y, bl_tensor_array(tensor)->data);
    bl_tensor_release(tensor);
    pass = pass && function->to(&out.array, &x.array, &y.array, row->axis) == BL_OK &&
           is_right(function, row, dtype, &x, &y, &out.element);
    memcpy(&out.element, &x.element, sizeof x.element);
    if (strcmp(row->x, row->result) != 0)
        return pass &&
               function->in_place(&x.array, &y.array, row->axis) == BL_ERR_SHAPE &&
               memcmp(&out.element, &x.element, sizeof x.element) == 0;

    /* The result replaces x, so the check uses a copy of x. */
    struct operand *const copy = malloc(sizeof *copy);

    *copy = x;
    pass = pass && function->in_place(&x.array, &y.array, row->axis) == BL_OK &&
           is_right(function, row, dtype, copy, &y, &x.element);
    free(copy);
    return pass;
}

int main(void)
{
    const size_t names = sizeof functions / sizeof functions[0];
    bl_tensor *out = NULL;

    tap_plan();
    for (size_t k = 0; k < names; k++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const bool real = check(&functions[k], &rows[i], BL_DTYPE_F32);

            tap_ok(check(&functions[k], &rows[i], BL_DTYPE_I32) && real,
                   "elementwise_%s, axis %d: %s %s", functions[k].name,
                   (int)rows[i].axis, rows[i].x, rows[i].y);
        }
    tap_ok(functions[0].fresh(NULL, NULL, -1, &out) == BL_ERR_ARGUMENT &&
               new_div(NULL, NULL, -1, &out) == BL_ERR_ARGUMENT && !out,
           "no operands");
    return tap_done();
}
