/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays and tensors, the two kinds of operands.  A bl_array is a view of memory that
 * the caller owns; a bl_tensor is a reference-counted handle on memory that the library
 * (or a deleter) owns, and has a bl_array.  Every operation takes arrays.
 */
#ifndef BROADLOOM_TENSOR_H
#define BROADLOOM_TENSOR_H

#include <broadloom/context.h>

#define BL_ARRAY_READ_ONLY    1u /* must not be a result */
#define BL_ARRAY_SCALAR       2u /* a scalar rather than a tensor: see scalar.h */
#define BL_ARRAY_BYTE_STRIDES 4u /* strides count bytes, not elements */

/*
 * A non-owning view of elements in memory, usually on the caller's stack;
 * <broadloom/describe.h> makes one of a plain C array.  `data` is the address of
 * element (0, ..., 0), aligned to the element's type (of complex ones, to their
 * part's); it may be NULL where there are no elements.  `extent` and `stride` are
 * borrowed and must outlive the array.  Strides count elements, have any sign, and are
 * 0 for a repeated dimension; NULL strides mean compact row-major.
 *
 * With BL_ARRAY_BYTE_STRIDES strides count bytes, for one component of an array of
 * structs, and elements need not be aligned, as in packed structs.  Calls copy operands
 * that are not aligned first, and such a result last, byte by byte: align what is used
 * often.  A plan refuses them with BL_ERR_ARGUMENT, a result that repeats elements too,
 * and sequential execution (BL_OVERLAP_SEQUENTIAL) with BL_ERR_UNSUPPORTED where the
 * result may overlap an input.
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

/* Frees memory that bl_tensor_wrap() took; may be called on any thread. */
typedef void (*bl_deleter)(void *user, void *data);

BL_BEGIN_DECLS

/*
 * The array of the elements of `layout` over memory at `base`: element (0, ..., 0) is
 * at base + offset, and the array's strides count what the layout's do.  Its data is
 * NULL where `base` is, and where the offset gives no address.  The array borrows
 * `layout`.  For NULL, and for a layout that counts bytes of elements of another size
 * than the dtype's, it is one that every call refuses.
 */
BL_API bl_array bl_layout_array(const bl_layout *layout, bl_dtype dtype, void *base);

/*
 * Check an array's extents, strides and byte span, and write its layout, which counts
 * bytes where the array's strides do.  Every operation that takes the array has the
 * same errors.
 */
BL_API BL_MUST_CHECK bl_status bl_array_layout(const bl_array *array, bl_layout *out);

/*
 * ---- create ----
 *
 * Each function writes a new reference to `*out`, on success only; give it back with
 * bl_tensor_release().  A tensor may outlive `ctx`.  BL_ERR_MEMORY, and errors of
 * shapes and dtypes.  Thread-safe.
 */

/* A tensor with uninitialised elements, compact row-major, aligned to 64 bytes. */
BL_API BL_MUST_CHECK bl_status bl_tensor_empty(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);
/* A tensor as of bl_tensor_empty(), with a placement other than the context's. */
BL_API BL_MUST_CHECK bl_status bl_tensor_empty_placed(bl_context *ctx, bl_dtype dtype,
                                                      int32_t rank,
                                                      const int64_t *extent,
                                                      bl_placement placement,
                                                      bl_tensor **out);
/* A tensor of zeros. */
BL_API BL_MUST_CHECK bl_status bl_tensor_zeros(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               bl_tensor **out);
/* A tensor of ones. */
BL_API BL_MUST_CHECK bl_status bl_tensor_ones(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              bl_tensor **out);
/* A tensor with every element `*value`, one element of `dtype`. */
BL_API BL_MUST_CHECK bl_status bl_tensor_full(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              const void *value, bl_tensor **out);
/*
 * A 1-D tensor of numbers from `start` in steps of `step`, up to but not including
 * `stop`: ceil((stop - start) / step) elements, each start + i * step computed in
 * double and converted.  Not for complex or bool.  BL_ERR_ARGUMENT for a step of 0 or
 * of the wrong sign, and for values that are not finite.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_arange(bl_context *ctx, bl_dtype dtype,
                                                double start, double stop, double step,
                                                bl_tensor **out);
/*
 * A tensor of random numbers, uniform in [0, 1) (rand) or standard normal (randn), of a
 * floating-point or complex dtype.  Element i is a function of (seed, i) alone,
 * Philox4x32-10 (Salmon et al., SC'11): the same numbers for every number of threads.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_rand(bl_context *ctx, bl_dtype dtype,
                                              int32_t rank, const int64_t *extent,
                                              uint64_t seed, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_randn(bl_context *ctx, bl_dtype dtype,
                                               int32_t rank, const int64_t *extent,
                                               uint64_t seed, bl_tensor **out);
/*
 * The elements of bl_tensor_rand() and bl_tensor_randn() for `extent` with indices
 * begin[d] to end[d] - 1 of each dimension, as a tensor of these: what one process or
 * one part of a file has of numbers that are the same for all cuts.  Only the box is
 * made.  BL_ERR_ARGUMENT for indices that `extent` does not have.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_rand_box(bl_context *ctx, bl_dtype dtype,
                                                  int32_t rank, const int64_t *extent,
                                                  const int64_t *begin,
                                                  const int64_t *end, uint64_t seed,
                                                  bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_randn_box(bl_context *ctx, bl_dtype dtype,
                                                   int32_t rank, const int64_t *extent,
                                                   const int64_t *begin,
                                                   const int64_t *end, uint64_t seed,
                                                   bl_tensor **out);
/*
 * A tensor over the caller's memory, described by `array` (flags included).  The tensor
 * takes the memory on success: `deleter`, if not NULL, is called with (user,
 * array->data) once nothing refers to it.  On failure the caller keeps the memory.
 */
BL_API BL_MUST_CHECK bl_status bl_tensor_wrap(bl_context *ctx, const bl_array *array,
                                              bl_deleter deleter, void *user,
                                              bl_tensor **out);

/* A compact row-major copy of an array. */
BL_API BL_MUST_CHECK bl_status bl_tensor_clone(bl_context *ctx, const bl_array *from,
                                               bl_tensor **out);

/* `from` itself, retained, where it is contiguous; else a clone. */
BL_API BL_MUST_CHECK bl_status bl_tensor_contiguous(bl_context *ctx, bl_tensor *from,
                                                    bl_tensor **out);

/* ---- share ---- */

/* Add a reference; returns `tensor`.  Thread-safe. */
BL_API bl_tensor *bl_tensor_retain(bl_tensor *tensor);

/*
 * Give a reference back; the last one frees the tensor.  NULL does nothing.
 * Thread-safe.
 */
BL_API void bl_tensor_release(bl_tensor *tensor);

/* ---- inspect ---- */

/*
 * The tensor's array, valid as long as the tensor; NULL for NULL, which calls refuse.
 */
BL_API const bl_array *bl_tensor_array(const bl_tensor *tensor);

/*
 * What the array has, one by one; thread-safe.  For NULL: no dtype, rank 0, no elements
 * and no data.
 */
BL_API bl_dtype bl_tensor_dtype(const bl_tensor *tensor);
BL_API int32_t bl_tensor_rank(const bl_tensor *tensor);

/* Number of elements. */
BL_API int64_t bl_tensor_numel(const bl_tensor *tensor);

/*
 * Extent and stride (as in the array: in elements) of an axis, from -rank to rank - 1;
 * -1 counts from the end.  An axis that the tensor does not have has extent -1 and
 * stride 0; no message is set.
 */
BL_API int64_t bl_tensor_extent(const bl_tensor *tensor, int32_t axis);
BL_API int64_t bl_tensor_stride(const bl_tensor *tensor, int32_t axis);

/*
 * The address of element (0, ..., 0), to read or to write; it may be NULL where there
 * are no elements.  A read-only tensor has no mutable data: NULL.
 */
BL_API const void *bl_tensor_data(const bl_tensor *tensor);
BL_API void *bl_tensor_mutable_data(bl_tensor *tensor);

/* Whether two tensors share one memory block, overlapping or not. */
BL_API bool bl_tensor_shares_storage(const bl_tensor *first, const bl_tensor *second);

/*
 * Read or write the element at `index` (rank numbers; negative ones count from the
 * end). `value` points to one element of the array's dtype.  BL_ERR_ARGUMENT for an
 * index out of range, and for writing a read-only array.
 */
BL_API BL_MUST_CHECK bl_status bl_array_get(const bl_array *array, const int64_t *index,
                                            void *value);
BL_API BL_MUST_CHECK bl_status bl_array_set(const bl_array *array, const int64_t *index,
                                            const void *value);

/*
 * Write an array as text: nested brackets, one row a line, numbers that read back as
 * the same value.  Of a dimension longer than 2 * edge, `edge` elements at each end are
 * written and "..." between them; 0 means all.  BL_ERR_IO where `write` returns false.
 */
BL_API BL_MUST_CHECK bl_status bl_array_format(const bl_array *array, int64_t edge,
                                               bl_write_function write, void *user);

/*
 * Write the notation of an array, as "f32[2,3]", with strides where it is not compact:
 * "f32[2,3]{6,1}", or "f32[2,3]{48,16}B" where they count bytes.  BL_ERR_IO where
 * `write` returns false.
 */
BL_API BL_MUST_CHECK bl_status bl_array_describe(const bl_array *array,
                                                 bl_write_function write, void *user);

/*
 * ---- views ----
 *
 * Each function creates a tensor over the memory of `tensor`, which it retains, by the
 * function of layouts of that name in <broadloom/shape.h>.  A view is a new reference,
 * to be given back with bl_tensor_release().  Thread-safe.
 */

BL_API BL_MUST_CHECK bl_status bl_tensor_expand(bl_tensor *tensor, int32_t rank,
                                                const int64_t *extent, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_broadcast_to(bl_tensor *tensor, int32_t rank,
                                                      const int64_t *extent,
                                                      bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_unsqueeze(bl_tensor *tensor, int32_t axis,
                                                   bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_squeeze(bl_tensor *tensor, int32_t axis,
                                                 bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_squeeze_all(bl_tensor *tensor,
                                                     bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_permute(bl_tensor *tensor, const int32_t *axes,
                                                 bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_transpose(bl_tensor *tensor, int32_t first,
                                                   int32_t second, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_select(bl_tensor *tensor, int32_t axis,
                                                int64_t index, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_narrow(bl_tensor *tensor, int32_t axis,
                                                int64_t start, int64_t length,
                                                bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_slice(bl_tensor *tensor, int32_t axis,
                                               int64_t start, int64_t stop,
                                               int64_t step, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_flip(bl_tensor *tensor, int32_t axis,
                                              bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_view(bl_tensor *tensor, int32_t rank,
                                              const int64_t *extent, bl_tensor **out);
BL_API BL_MUST_CHECK bl_status bl_tensor_place_dims(bl_tensor *tensor, int32_t rank,
                                                    const int32_t *axes,
                                                    bl_tensor **out);
/* The view of bl_tensor_view() where strides allow it, else a copy of that shape. */
BL_API BL_MUST_CHECK bl_status bl_tensor_reshape(bl_context *ctx, bl_tensor *tensor,
                                                 int32_t rank, const int64_t *extent,
                                                 bl_tensor **out);

BL_END_DECLS

#endif
