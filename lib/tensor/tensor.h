/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of elements, checks of arrays, and tensors over both.
 */
#ifndef BLI_TENSOR_H
#define BLI_TENSOR_H

#include "context/context.h"

/* Memory of elements and what it takes to give it back. */
struct bli_storage {
    void *data;
    size_t bytes;          /* 0: nothing */
    bool is_block;         /* a large block, not of the allocator */
    struct bli_pool *pool; /* of a block: retained, or NULL */
    bl_placement placement;
};

/*
 * Memory for `bytes` of elements of `size` each, uninitialised: a block placed as
 * `placement` says where they are many and the context's allocator is the library's
 * own.  BL_ERR_MEMORY.
 */
bl_status bli_storage_make(struct bli_storage *storage, bl_context *ctx, int64_t bytes,
                           int64_t size, const bl_placement *placement);

/* Give it back; `allocator` is the context's when it was made. */
void bli_storage_free(struct bli_storage *storage, const bl_allocator *allocator);

/* Check one array: rank, extents, strides and byte span.  `name` is for the text. */
bl_status bli_array_check(const bl_array *array, const char *name, bool needs_data);

/* A tensor of a checked shape, uninitialised; a NULL placement means the context's. */
bl_status bli_tensor_new(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, const bl_placement *placement,
                         bl_tensor **out);

/* A new tensor over `tensor`'s memory; `layout` is relative to its first element. */
bl_status bli_tensor_view(bl_tensor *tensor, const bl_layout *layout, bl_tensor **out);

/*
 * An element as text that reads back as the same value, with '.' in any locale; returns
 * its length.
 */
#define BLI_ELEMENT_TEXT 80
int bli_element_text(char text[BLI_ELEMENT_TEXT], bl_dtype dtype, const void *element);

#endif
