/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for elements, validation of arrays, and tensors on top of both.
 */
#ifndef BLI_TENSOR_H
#define BLI_TENSOR_H

#include "context/context.h"
#include "diag/shadow.h"
#include "shape/shape.h"

/* Memory for elements and what is needed to free it. */
struct bli_storage {
    void *data;
    size_t bytes;          /* 0: there is no memory */
    bool is_block;         /* a block of the pool, not from the allocator */
    struct bli_pool *pool; /* a block's: retained, or NULL */
    bl_placement placement;
};

/*
 * Allocate `bytes` for elements of `size` bytes each, uninitialised: if there are many
 * and the context's allocator is the library's own, a block placed as `placement` says.
 * BL_ERR_MEMORY on failure.
 */
bl_status bli_storage_make(struct bli_storage *storage, bl_context *ctx, int64_t bytes,
                           int64_t size, const bl_placement *placement);

/* Free storage; `allocator` is the one the context had when the storage was made. */
void bli_storage_free(struct bli_storage *storage, const bl_allocator *allocator);

/* The flags of arrays that the library knows. */
#define BLI_ARRAY_FLAGS (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR | BL_ARRAY_BYTE_STRIDES)

/*
 * Check an array: dtype, flags, rank, extents, strides and byte span, and with
 * `needs_data` that its data is present, and aligned unless strides count bytes.
 * `name` begins the error text.
 */
bl_status bli_array_check(const bl_array *array, const char *name, bool needs_data);

/* The bytes that a stride of 1 of an array is. */
static inline int32_t bli_array_unit(const bl_array *array)
{
    return array->flags & BL_ARRAY_BYTE_STRIDES ? 1 : bli_dtypes[array->dtype].size;
}

/* The element_bytes of an array's layout. */
static inline int32_t bli_array_element_bytes(const bl_array *array)
{
    return array->stride && array->flags & BL_ARRAY_BYTE_STRIDES
               ? bli_dtypes[array->dtype].size
               : 0;
}

/* A checked array as an operand of a nest. */
static inline struct bli_strided bli_array_operand(const bl_array *array,
                                                   bl_pairing pairing)
{
    return (struct bli_strided){array->rank,           bli_dtypes[array->dtype].size,
                                bli_array_unit(array), array->extent,
                                array->stride,         pairing};
}

/*
 * Whether an array, which need not be valid, says that its strides count bytes and is
 * not aligned: calls that access it take a copy (call/aligned.h).
 */
bool bli_has_unaligned_bytes(const bl_array *array);

static inline bool bli_array_is_unaligned(const bl_array *array)
{
    return array && array->flags & BL_ARRAY_BYTE_STRIDES &&
           bli_has_unaligned_bytes(array);
}

/*
 * Write a checked array's strides in bytes; where a product does not fit, the array has
 * no element that the stride leads to.
 */
void bli_array_steps(const bl_array *array, int64_t *step);

/* The bytes of a checked array from its first to its last; none of a scalar. */
struct bli_bytes bli_array_bytes(const bl_array *array);

/*
 * Count that elements of an array leave the library at an address, where they are
 * marked.
 */
void bli_array_read_marked(bl_shadow_how how, const bl_array *array,
                           const void *address);

static inline void bli_array_read(bl_shadow_how how, const bl_array *array,
                                  const void *address)
{
    if (bli_shadow_has_marks())
        bli_array_read_marked(how, array, address);
}

/*
 * Whether the spans of two checked arrays with elements, from the first byte to the
 * last, have bytes in common.  Their strides in bytes are given.
 */
bool bli_arrays_may_meet(const bl_array *a, const int64_t *a_step, const bl_array *b,
                         const int64_t *b_step);

/*
 * Make an uninitialised tensor of a checked shape; a NULL placement means the
 * context's.
 */
bl_status bli_tensor_new(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, const bl_placement *placement,
                         bl_tensor **out);

/*
 * Make a tensor over `tensor`'s memory; `layout` is relative to `tensor`'s first
 * element.
 */
bl_status bli_tensor_view(bl_tensor *tensor, const bl_layout *layout, bl_tensor **out);

/*
 * Format an element as text that reads back as the same value, with '.' in any locale
 * and whatever floating-point control the thread has; returns its length.
 */
#define BLI_ELEMENT_TEXT 80
int bli_element_text(char text[BLI_ELEMENT_TEXT], bl_dtype dtype, const void *element);

#endif
