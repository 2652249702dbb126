/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for elements of results and workspaces: from the context's allocator, or
 * blocks that are pooled, of which large ones are placed on nodes.
 */
#include "tensor/tensor.h"
#include "exec/bind/bind.h"

/* The pieces of a block that has a range on each node: the node ranges, in bytes. */
struct pieces {
    int32_t count;
    struct bli_piece piece[BLI_MAX_NODE_RANGES];
};

static void find_pieces(struct pieces *pieces, int64_t bytes, int64_t size)
{
    const struct bli_machine *const machine = bli_machine();
    struct bli_node_ranges ranges;

    bli_node_ranges_even(&ranges, bytes / size, size, bli_nodes(machine),
                         machine->weight);
    pieces->count = ranges.count;
    for (int32_t i = 0; i < ranges.count; i++)
        pieces->piece[i] = (struct bli_piece){ranges.node_range[i].range.begin * size,
                                              ranges.node_range[i].node};
}

/* Allocate a block that is divided into node ranges. */
static void *make_cut_block(struct bli_pool *pool, int64_t bytes, int64_t size,
                            struct bli_placing *placing)
{
    struct pieces pieces;

    find_pieces(&pieces, bytes, size);
    placing->pieces = pieces.count;
    placing->piece = pieces.piece;
    return bli_block_allocate(pool, (size_t)bytes, placing);
}

static bool is_cut(const bl_placement *placement)
{
    return placement->kind == BL_PLACEMENT_BIND_RANGE ||
           placement->kind == BL_PLACEMENT_FIRST_TOUCH;
}

static bl_status make_block(struct bli_storage *storage, bl_context *ctx, int64_t size,
                            const bl_placement *placement)
{
    struct bli_placing placing = {.placement = *placement};

    storage->data =
        is_cut(placement) && storage->bytes >= BLI_LARGE_BYTES &&
                bli_machine()->nodes > 1
            ? make_cut_block(ctx->pool, (int64_t)storage->bytes, size, &placing)
            : bli_block_allocate(ctx->pool, storage->bytes, &placing);
    if (!storage->data)
        return BL_ERR_MEMORY;
    storage->is_block = true;
    storage->pool = bli_pool_retain(ctx->pool);
    storage->placement = *placement;
    return BL_OK;
}

/* Whether memory is a block: a large one, or one that the context's pool will keep. */
static bool is_block(const bl_context *ctx, int64_t bytes)
{
    return bytes >= BLI_POOLED_BYTES &&
           ctx->allocator.allocate == bli_default_allocator.allocate &&
           (bytes >= BLI_LARGE_BYTES || bli_pool_limit(ctx->pool) > 0);
}

bl_status bli_storage_make(struct bli_storage *storage, bl_context *ctx, int64_t bytes,
                           int64_t size, const bl_placement *placement)
{
    const bl_placement nowhere = {.kind = BL_PLACEMENT_FIRST_TOUCH};

    storage->bytes = (size_t)bytes;
    if (is_block(ctx, bytes))
        return make_block(storage, ctx, size,
                          bytes >= BLI_LARGE_BYTES ? placement : &nowhere);
    storage->data = bli_allocate(&ctx->allocator, storage->bytes);
    storage->is_block = false;
    return storage->data ? BL_OK : BL_ERR_MEMORY;
}

void bli_storage_free(struct bli_storage *storage, const bl_allocator *allocator)
{
    if (storage->bytes == 0)
        return;
    bli_marks_forget(storage->data, storage->bytes);
    if (!storage->is_block) {
        bli_release(allocator, storage->data, storage->bytes);
        return;
    }
    bli_block_free(storage->pool, storage->data, storage->bytes, &storage->placement);
    bli_pool_release(storage->pool);
}
