/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands in two kinds.  A bl_array describes memory that the caller owns; a bl_tensor
 * is a reference-counted handle on memory the library (or a deleter) owns, and yields
 * its bl_array.  Every operation works on arrays.
 */
#ifndef BROADLOOM_TENSOR_H
#define BROADLOOM_TENSOR_H

#include <broadloom/context.h>

#define BL_ARRAY_READ_ONLY 1u /* must not be a result */
#define BL_ARRAY_SCALAR    2u /* a number rather than a tensor: see scalar.h */

/*
 * Elements in memory, on the caller's stack.  `data` is the address of the element
 * (0, ..., 0).  `extent` and `stride` are borrowed and must outlive the array; strides
 * count elements, any sign, 0 for a repeated dimension; NULL strides mean compact
 * row-major.  `data` must be aligned to the element's real type; it may be NULL where
 * there are no elements.
 */
typedef struct bl_array {
    void *data;
    bl_dtype dtype;
    int32_t rank;
    const int64_t *extent;
    const int64_t *stride;
    uint32_t flags;
} bl_array;

typedef struct bl_tensor bl_tensor;

/* Frees or gives back memory wrapped by bl_tensor_wrap; may be called on any thread. */
typedef void (*bl_deleter)(void *user, void *data);

BL_BEGIN_DECLS

/*
 * An array of the elements of `layout` over memory at `base`: element (0, ..., 0) is at
 * base + offset elements.  Its data is NULL where `base` is, and where that offset is
 * no address.  The array borrows `layout`; of NULL it is one that every call refuses.
 */
BL_API bl_array bl_layout_array(const bl_layout *layout, bl_dtype dtype, void *base);

/*
 * The layout of an array, checked: extents, strides and the byte span.  Errors as every
 * operation that takes the array has them.
 */
BL_API BL_MUST_CHECK bl_status bl_array_layout(const bl_array *array, bl_layout *out);

/* ---- create: a new reference in *out, to be given to bl_tensor_release ---- */

/* Uninitialised, compact row-major, aligned to 64 bytes. */
BL_API BL_MUST_CHECK bl_status bl_tensor_empty(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);
/* The same with a placement of its own. */
BL_API BL_MUST_CHECK bl_status bl_tensor_empty_placed(bl_context *ctx, bl_dtype dtype,
                                                      int32_t rank,
                                                      const int64_t *extent,
                                                      bl_placement placement,
                                                      bl_tensor **out);
/* All elements zero. */
BL_API BL_MUST_CHECK bl_status bl_tensor_zeros(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);
/* All elements one. */
BL_API BL_MUST_CHECK bl_status bl_tensor_ones(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              bl_tensor **out);
/* All elements `*value`, one element of `dtype`. */
BL_API BL_MUST_CHECK bl_status bl_tensor_full(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              const void *value, bl_tensor **out);
/*
 * 1-D: start, start + step, ... up to but not including stop, ceil((stop - start) /
 * step) elements, each start + i * step computed in double and converted.  Not for
 * complex or bool.  BL_ERR_ARGUMENT for a step of 0, of the wrong sign, or values not
 * finite.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_arange(bl_context *ctx, bl_dtype dtype,
                                                double start, double stop, double step,
                                                bl_tensor **out);
/*
 * Uniform in [0, 1) (rand) or standard normal (randn), floating-point and complex
 * dtypes. Element i is a function of (seed, i) alone, Philox4x32-10 (Salmon et al.,
 * SC'11): the same numbers whatever the number of threads.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_rand(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              uint64_t seed, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_randn(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               uint64_t seed, bl_tensor **out);
/*
 * A tensor over the caller's memory, described as a bl_array (flags included).  The
 * tensor takes the memory on success: `deleter`, if not NULL, is called with (user,
 * array->data) once nothing refers to it.  On failure the caller keeps it.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_wrap(bl_context *ctx, const bl_array *array,
                                              bl_deleter deleter, void *user,
                                              bl_tensor **out);

/* A compact row-major copy of an array. */
BL_API BL_MUST_CHECK bl_status bl_tensor_clone(bl_context *ctx, const bl_array *from,
                                               bl_tensor **out);

/* The tensor itself, retained, where it is contiguous; else a clone. */
BL_API BL_MUST_CHECK bl_status bl_tensor_contiguous(bl_context *ctx, bl_tensor *from,
                                                    bl_tensor **out);

/* ---- share ---- */

/* One more reference; returns `tensor`.  Thread-safe. */
BL_API bl_tensor *bl_tensor_retain(bl_tensor *tensor);

/* Give a reference back; the last one frees.  NULL does nothing.  Thread-safe. */
BL_API void bl_tensor_release(bl_tensor *tensor);

/* ---- look ---- */

/* The tensor's array, which lives as long; NULL for NULL, which calls refuse. */
BL_API const bl_array *bl_tensor_array(const bl_tensor *tensor);

/* Number of elements. */
BL_API int64_t bl_tensor_numel(const bl_tensor *tensor);

/* True where two tensors share one memory block, overlapping or not. */
BL_API bool bl_tensor_shares_storage(const bl_tensor *first, const bl_tensor *second);

/*
 * Read or write one element at `index` (rank numbers, negative ones count from the
 * end). `value` points to one element of the array's dtype.  BL_ERR_ARGUMENT out of
 * range, or on writing what is read-only.
 */
BL_API BL_MUST_CHECK bl_status bl_array_get(const bl_array *array, const int64_t *index,
                                            void *value);
BL_API BL_MUST_CHECK bl_status bl_array_set(const bl_array *array, const int64_t *index,
                                            const void *value);

/*
 * Write an array as text: nested brackets, one row a line, numbers that read back as
 * the same value, and "..." for the middle of dimensions longer than `edge` at both
 * ends together (0: all of it).  The result of `write` returning false is BL_ERR_IO.
 */
BL_API BL_MUST_CHECK bl_status bl_array_format(const bl_array *array, int64_t edge,
                                               bl_write_function write, void *user);

/* Write the array's notation: "f32[2,3]", with strides where it is not compact. */
BL_API BL_MUST_CHECK bl_status bl_array_describe(const bl_array *array,
                                                 bl_write_function write, void *user);

/* ---- views: new tensors over the same memory, as <broadloom/shape.h> has them ---- */

BL_API BL_MUST_CHECK bl_status bl_tensor_expand(bl_tensor *tensor, int32_t rank,
                                                const int64_t *extent, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_broadcast_to(bl_tensor *tensor, int32_t rank,
                                                      const int64_t *extent,
                                                      bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_unsqueeze(bl_tensor *tensor, int32_t dim,
                                                   bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_squeeze(bl_tensor *tensor, int32_t dim,
                                                 bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_squeeze_all(bl_tensor *tensor,
                                                     bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_permute(bl_tensor *tensor, const int32_t *dims,
                                                 bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_transpose(bl_tensor *tensor, int32_t first,
                                                   int32_t second, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_select(bl_tensor *tensor, int32_t dim,
                                                int64_t index, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_narrow(bl_tensor *tensor, int32_t dim,
                                                int64_t start, int64_t length,
                                                bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_slice(bl_tensor *tensor, int32_t dim,
                                               int64_t start, int64_t stop,
                                               int64_t step, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_flip(bl_tensor *tensor, int32_t dim,
                                              bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_view(bl_tensor *tensor, int32_t rank,
                                              const int64_t *extent, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_place_dims(bl_tensor *tensor, int32_t rank,
                                                    const int32_t *dims,
                                                    bl_tensor **out);
/* A view where the strides allow it, else a copy of that shape. */
BL_API BL_MUST_CHECK bl_status bl_tensor_reshape(bl_context *ctx, bl_tensor *tensor,
                                                 int32_t rank, const int64_t *extent,
                                                 bl_tensor **out);

BL_END_DECLS

#endif
