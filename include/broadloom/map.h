/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's own function as an operation: applied element by element to arrays of any
 * layout, with broadcasting and on threads, as operators are.
 */
#ifndef BROADLOOM_MAP_H
#define BROADLOOM_MAP_H

#include <broadloom/ops.h>

/*
 * The function computes out[i] = f(in[0][i], in[1][i], ...) for i < count; count > 0.
 * `out` and each of `in` are contiguous rows of elements, aligned to their type.  The
 * library converts, repeats and gathers operands into such rows where necessary, so
 * that a plain loop is fast.  `out` may be exactly one of `in`; otherwise rows do not
 * overlap.
 *
 * It is not specified how elements are grouped into rows, in which order and on which
 * threads rows are computed, and how often a repeated element of an input is passed.
 * Where an element's result depends on its inputs alone, results are the same for every
 * number of threads.
 *
 * The function is called on several threads at once, each in the floating-point
 * environment of the thread that made the call; the program protects what `user` points
 * to.  The function must return: no longjmp, no C++ exception may leave it.  It may
 * call the library (which runs on that thread alone, unless the context allows
 * nesting), but not for memory that this call reads or writes.
 */
typedef void (*bl_map_function)(void *user, int64_t count, void *out,
                                const void *const *in);

/*
 * What a call may choose.  Start from BL_MAP_OPTIONS_DEFAULT; NULL options are the
 * defaults.  Borrowed for the call.
 */
typedef struct bl_map_options {
    size_t size;              /* set to sizeof(bl_map_options) */
    bl_dtype dtype;           /* of the rows that the function gets; BL_DTYPE_NONE: that
                                 of each array */
    double element_ns;        /* time of an element, for the cost model; 0 means 1 */
    const bl_rules *rules;    /* NULL: the context's */
    const char *const *names; /* of inputs, in messages; NULL, all or one: "a", "b" */
} bl_map_options;

#define BL_MAP_OPTIONS_DEFAULT                                                         \
    {                                                                                  \
        sizeof(bl_map_options), BL_DTYPE_NONE, 0.0, NULL, NULL                         \
    }

BL_BEGIN_DECLS

/*
 * Apply `function` to `count` inputs, 1 to BL_MAX_INPUTS, and write `out`, which must
 * have exactly the shape that the inputs broadcast to.  Where `out` is inputs[0], the
 * call is in place and `out` keeps its shape.
 *
 * Rows have the dtypes of the arrays.  Where `options` name a dtype, inputs are
 * converted to it and the result is converted from it to out's: BL_ERR_DTYPE unless
 * bl_can_cast(). A scalar (scalar.h) is an input of the dtype that it has.
 *
 * Shapes, overlap, threads and errors are those of bl_apply(): nothing is written, and
 * `function` is not called, unless BL_OK is returned.  Events and traces have
 * BL_OP_NONE.
 */
BL_API BL_MUST_CHECK bl_status bl_map(bl_context *ctx, bl_map_function function,
                                      void *user, const bl_array *out, int32_t count,
                                      const bl_array *const *inputs,
                                      const bl_map_options *options);

/*
 * Apply `function` as bl_map() does and write a new tensor of `dtype`, compact
 * row-major; release it with bl_tensor_release().  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_map_new(bl_context *ctx, bl_map_function function,
                                          void *user, int32_t count,
                                          const bl_array *const *inputs, bl_dtype dtype,
                                          const bl_map_options *options,
                                          bl_tensor **out);

/*
 * Functions of one element, where the cost of a call for each element does not matter.
 */
typedef double (*bl_map_unary_f64_function)(void *user, double a);
typedef double (*bl_map_binary_f64_function)(void *user, double a, double b);

/*
 * Apply a function of one element to one or two inputs and write `out`, as bl_map()
 * does.  It is computed in f64; inputs may have any dtype that is not complex, and
 * `out` a floating-point or complex one, else BL_ERR_DTYPE.
 */
BL_API BL_MUST_CHECK bl_status bl_map_unary_f64(bl_context *ctx,
                                                bl_map_unary_f64_function function,
                                                void *user, const bl_array *out,
                                                const bl_array *a);
BL_API BL_MUST_CHECK bl_status bl_map_binary_f64(bl_context *ctx,
                                                 bl_map_binary_f64_function function,
                                                 void *user, const bl_array *out,
                                                 const bl_array *a, const bl_array *b);

BL_END_DECLS

#endif
