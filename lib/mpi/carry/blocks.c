/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks: boxes of a tensor in this rank's memory, their parts, and copies of them.
 */
#include <float.h>
#include <string.h>

#include "mpi/carry/carry.h"

/* Bytes that take less time to copy than a call takes to plan. */
#define SMALL 4096

void bli_block_compact(struct bli_block *block, bl_dtype dtype, int32_t rank,
                       const struct bli_box *box, void *base)
{
    int64_t stride = 1;

    block->dtype = dtype;
    block->box = *box;
    block->base = base;
    block->layout.rank = rank;
    block->layout.element_bytes = 0;
    block->layout.offset = 0;
    for (int32_t d = rank - 1; d >= 0; d--) {
        block->layout.extent[d] = box->end[d] - box->begin[d];
        block->layout.stride[d] = stride;
        stride *= block->layout.extent[d];
    }
}

void bli_block_part(const struct bli_block *block, const struct bli_box *box,
                    struct bli_block *part)
{
    *part = *block;
    part->box = *box;
    for (int32_t d = 0; d < block->layout.rank; d++) {
        part->layout.extent[d] = box->end[d] - box->begin[d];
        part->layout.offset +=
            (box->begin[d] - block->box.begin[d]) * block->layout.stride[d];
    }
}

char *bli_block_data(const struct bli_block *block)
{
    const int64_t bytes =
        block->layout.element_bytes ? 1 : (int64_t)bl_dtype_size(block->dtype);

    return block->base ? (char *)block->base + block->layout.offset * bytes : NULL;
}

bool bli_block_span(const struct bli_block *block, char **first, int64_t *bytes)
{
    const bl_layout *const layout = &block->layout;
    const int64_t size = (int64_t)bl_dtype_size(block->dtype);
    const int64_t unit = layout->element_bytes ? 1 : size;
    int64_t lowest, highest;

    if (!block->base || !bl_layout_span(layout, &lowest, &highest))
        return false;
    *first = (char *)block->base + lowest * unit;
    *bytes = (highest - lowest) * unit + size;
    return true;
}

bool bli_blocks_overlap(const struct bli_block *a, const struct bli_block *b)
{
    int64_t bytes[2];
    char *first[2];

    if (!bli_block_span(a, &first[0], &bytes[0]) ||
        !bli_block_span(b, &first[1], &bytes[1]))
        return false;
    return (uintptr_t)first[0] < (uintptr_t)first[1] + (uintptr_t)bytes[1] &&
           (uintptr_t)first[1] < (uintptr_t)first[0] + (uintptr_t)bytes[0];
}

/* Copy what is below dimension d, element by element. */
static void copy_elements(const bl_layout *layout[2], char *data[2],
                          const int64_t bytes[2], size_t size, int32_t d)
{
    if (d == layout[0]->rank) {
        memcpy(data[0], data[1], size);
        return;
    }
    char *at[2] = {data[0], data[1]};

    for (int64_t i = 0; i < layout[0]->extent[d]; i++) {
        copy_elements(layout, at, bytes, size, d + 1);
        for (int k = 0; k < 2; k++)
            at[k] += layout[k]->stride[d] * bytes[k];
    }
}

bl_status bli_mpi_copy(bl_context *ctx, const bl_array *to, const bl_array *from)
{
    const bl_options options = {.size = sizeof options,
                                .rules = bl_rules_modern(),
                                .axis = BL_AXIS_LAST,
                                .max_growth = DBL_MAX};

    return bl_apply(ctx, BL_OP_COPY, to, 1, &from, &options);
}

void bli_block_copy(bl_context *ctx, const struct bli_block *to,
                    const struct bli_block *from)
{
    const bl_array out = bl_layout_array(&to->layout, to->dtype, to->base);
    const bl_array in = bl_layout_array(&from->layout, from->dtype, from->base);
    const size_t size = bl_dtype_size(to->dtype);
    const size_t bytes = (size_t)bl_layout_numel(&to->layout) * size;

    if (bytes > 0 && bytes <= SMALL && bl_layout_is_contiguous(&to->layout) &&
        bl_layout_is_contiguous(&from->layout)) {
        memcpy(bli_block_data(to), bli_block_data(from), bytes);
        return;
    }
    if (bytes == 0 || bli_mpi_copy(ctx, &out, &in) == BL_OK)
        return;
    /* There was no memory for a team's staging: this needs none. */
    copy_elements((const bl_layout *[]){&to->layout, &from->layout},
                  (char *[]){bli_block_data(to), bli_block_data(from)},
                  (const int64_t[]){to->layout.element_bytes ? 1 : (int64_t)size,
                                    from->layout.element_bytes ? 1 : (int64_t)size},
                  size, 0);
}
