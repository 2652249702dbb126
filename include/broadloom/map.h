/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's own function as an operation: element by element over arrays of any
 * layout, with broadcasting, on threads, as every operator is.
 */
#ifndef BROADLOOM_MAP_H
#define BROADLOOM_MAP_H

#include <broadloom/ops.h>

/*
 * The function: out[i] = f(in[0][i], in[1][i], ...) for i < count, count > 0.  `out`
 * and each of `in` are rows of elements one after the other, aligned to their type,
 * converted, repeated and gathered from the operands by the library where necessary; so
 * a plain loop is fast.  `out` may be one of `in` exactly, else rows do not overlap.
 *
 * How elements are grouped into rows, in which order rows come, on which threads, and
 * how often an element of an input that is repeated is handed over, are not specified.
 * An element's result must depend on its inputs alone, then results are the same
 * whatever the number of threads.
 *
 * The function runs on several threads at once, each in the floating-point environment
 * of the thread that made the call; what `user` points to is the program's to protect.
 * It must return: no longjmp, no C++ exception may leave it.  It may call the library
 * (on its own thread alone, unless the context allows nesting), but not for what this
 * call reads or writes.
 */
typedef void (*bl_map_function)(void *user, int64_t count, void *out,
                                const void *const *in);

/*
 * What a call may choose.  Start from BL_MAP_OPTIONS_DEFAULT; NULL options are the
 * defaults.  Borrowed for the call.
 */
typedef struct bl_map_options {
    size_t size;              /* sizeof(bl_map_options) */
    bl_dtype dtype;           /* that the function takes and gives; BL_DTYPE_NONE: each
                                 array's own */
    double element_ns;        /* what an element takes it, to decide on threads; 0: 1 */
    const bl_rules *rules;    /* NULL: the context's */
    const char *const *names; /* of the inputs, in messages; NULL: "a", "b", ... */
} bl_map_options;

#define BL_MAP_OPTIONS_DEFAULT                                                         \
    {                                                                                  \
        sizeof(bl_map_options), BL_DTYPE_NONE, 0.0, NULL, NULL                         \
    }

BL_BEGIN_DECLS

/*
 * Apply `function` to `count` inputs, 1 to BL_MAX_INPUTS, and write `out`, which must
 * have exactly the shape that the inputs broadcast to; where `out` is inputs[0], the
 * call is in place and it keeps its shape.
 *
 * Rows have the dtypes of the arrays.  Where `options` ask for one dtype, inputs are
 * converted to it and the result is converted to out's: BL_ERR_DTYPE unless
 * bl_can_cast().  A number (scalar.h) is an input of its own dtype.
 *
 * Shapes, overlap, threads and errors are as of bl_apply(): nothing is written, and
 * `function` is not called, unless BL_OK is returned.  Events and traces have
 * BL_OP_NONE.
 */
BL_API BL_MUST_CHECK bl_status bl_map(bl_context *ctx, bl_map_function function,
                                      void *user, const bl_array *out, int32_t count,
                                      const bl_array *const *inputs,
                                      const bl_map_options *options);

/*
 * The same into a new tensor of `dtype`, compact row-major; release it with
 * bl_tensor_release().  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_map_new(bl_context *ctx, bl_map_function function,
                                          void *user, int32_t count,
                                          const bl_array *const *inputs, bl_dtype dtype,
                                          const bl_map_options *options,
                                          bl_tensor **out);

/*
 * Functions of single numbers, for where the call of one for each element does not
 * matter: computed in f64, of inputs of any dtype but complex ones, into a result of a
 * floating-point or complex dtype.
 */
typedef double (*bl_map_unary_f64_function)(void *user, double a);
typedef double (*bl_map_binary_f64_function)(void *user, double a, double b);

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
