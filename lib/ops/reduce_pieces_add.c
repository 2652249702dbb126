/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported addition of a piece to a reduction: its elements become fragments, or
 * are accumulated in the lanes of a block that they continue.
 *
 * All that can fail, and takes memory, is done before the reduction changes.
 */
#include "ops/reduce_pieces.h"
#include "call/aligned.h"

#include <inttypes.h>
#include <string.h>

#include "exec/bind/bind.h"
#include "shape/broadcast.h"

/* Elements that justify one more thread for the tiles of lanes. */
#define GRAIN_ELEMENTS 30000

struct addition {
    bl_reduce_pieces *pieces;
    bl_context *ctx;
    const bl_array *piece; /* aligned */
    uint64_t axes;
    bl_range range; /* its elements */
    const struct bli_reducer *how;
    int64_t count, numel; /* elements of each result, and of all */
    struct bli_fragments made;
};

/* ---- arguments ---- */

/* Check that the axes that are not reduced are the results', and count the others. */
static bl_status check_shape(const bl_reduce_pieces *pieces, const bl_array *piece,
                             uint64_t axes, int64_t *count)
{
    char text[BLI_SHAPE_TEXT], wanted[BLI_SHAPE_TEXT];
    int64_t extent[BL_MAX_RANK];
    int32_t rank = 0;

    *count = 1;
    for (int32_t d = 0; d < piece->rank; d++)
        if ((axes >> d & 1) == 0)
            extent[rank++] = piece->extent[d];
        else if (!bli_mul_i64(*count, piece->extent[d], count))
            return bl_error_set(BL_ERR_OVERFLOW, "piece has too many elements");
    if (rank == pieces->call.rank &&
        memcmp(extent, pieces->call.extent, (size_t)rank * sizeof *extent) == 0)
        return BL_OK;
    return bli_fault_shape(
        bl_error_set(BL_ERR_SHAPE, "piece has results %s, the reduction %s",
                     bli_shape_text(text, rank, extent),
                     bli_shape_text(wanted, pieces->call.rank, pieces->call.extent)),
        "piece", (bl_shape){rank, extent},
        (bl_shape){pieces->call.rank, pieces->call.extent});
}

static bl_status check(const bl_reduce_pieces *pieces, int64_t first,
                       const bl_array *piece, int32_t axes_count, const int32_t *axes,
                       struct addition *addition)
{
    if (!pieces)
        return bli_error_null("pieces");
    BL_TRY(bli_array_check(piece, "piece", true));
    if (piece->dtype != pieces->element.dtype)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE,
                                             "piece is %s, the reduction of %s",
                                             bl_dtype_name(piece->dtype),
                                             bl_dtype_name(pieces->element.dtype)),
                                "piece", piece->dtype, pieces->element.dtype);
    BL_TRY(bli_reduce_axes(piece->rank, axes_count, axes, &addition->axes));
    BL_TRY(check_shape(pieces, piece, addition->axes, &addition->count));
    if (first < 0)
        return bli_error_argument("first", "first %" PRId64 " is negative", first);
    addition->range.begin = first;
    if (!bli_add_i64(first, addition->count, &addition->range.end))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "%" PRId64 " elements from %" PRId64 " on are too many",
                            addition->count, first);
    return bli_pieces_check_absent(pieces, addition->range);
}

/* ---- parts of blocks ---- */

/*
 * Take elements that are a part of a block: in lanes at `to`, or in rows there. With
 * BL_OK all is done, else nothing.
 */
BLI_OWN_FRAME static bl_status take_part(const struct addition *addition,
                                         bl_range range, char *to, bool keeps_rows)
{
    const bl_reduce_pieces *const pieces = addition->pieces;
    const bl_array *const piece = addition->piece;
    const bl_dtype from = piece->dtype;
    const struct bli_team *const team = &addition->ctx->team;
    const int64_t tiles = bli_lanes_tiles(pieces->results);
    const int64_t begin = addition->range.begin;
    int64_t stride[BL_MAX_RANK];
    const struct bli_reduction_shape folding = {piece->rank, addition->axes,
                                                piece->extent, stride, NULL};
    struct bli_lanes_job job = {
        .reducer = addition->how,
        .stage = bli_isa_pick(addition->ctx->isa)->convert[from][pieces->row],
        .size = bli_dtypes[pieces->row].size,
        .results = pieces->results,
        .in = piece->data,
        .part = {range.begin - begin, range.end - begin},
        .first = range.begin % BLI_REDUCE_BLOCK,
        .to = to,
        .keeps_rows = keeps_rows,
    };
    const int64_t work =
        (range.end - range.begin) * pieces->results / GRAIN_ELEMENTS + 1;
    const int32_t threads = bli_team_size_for(
        team, bli_clamp_threads(work < tiles ? work : tiles), bli_clamp_threads(work));
    bl_status status;

    bli_array_steps(piece, stride);
    bli_reduce_results_nest(&job.outer, &folding, bli_dtypes[from].size,
                            (int32_t)job.size);
    bli_reduce_reduced_nest(&job.reduced, &folding, bli_dtypes[from].size,
                            (int32_t)job.size, false);
    job.is_row = from == pieces->row && job.outer.extent[0] == pieces->results &&
                 (pieces->results == 1 || job.outer.stride[0][1] == job.size);
    if (!job.is_row && !keeps_rows)
        BL_TRY(bli_staging_make(&job.staging, threads, BLI_LANES_STAGING));
    status = bli_partition_evenly(&job.partition, team, threads, tiles,
                                  BLI_REDUCE_WIDTH * job.size, 1);
    if (status == BL_OK) {
        bli_exec_lanes(&job, team);
        bli_partition_free(&job.partition);
    }
    bli_staging_free(&job.staging);
    return status;
}

/* Reduce whole blocks that are a node of the tree, or a part whose order is free. */
static bl_status take_node(const struct addition *addition, bl_range range, char *to)
{
    const bl_reduce_pieces *const pieces = addition->pieces;
    const int64_t begin = addition->range.begin;
    const bl_range part = {range.begin - begin, range.end - begin};
    struct bli_reduce_call call = pieces->call;
    const bl_array out = {
        .data = to, .dtype = pieces->partial, .rank = call.rank, .extent = call.extent};

    call.in = addition->piece;
    call.axes = addition->axes;
    call.part = &part;
    call.is_first = pieces->elements == 0;
    return bli_reduce_run(&call, addition->ctx, &out);
}

/* ---- the piece ---- */

/* Make fragments of the elements in a range. */
static bl_status make_fragments(struct addition *addition, bl_range range)
{
    const bl_reduce_pieces *const pieces = addition->pieces;

    while (range.begin < range.end) {
        const bl_range one = {range.begin,
                              bli_pieces_end(pieces, range.begin, range.end)};
        char *to;

        BL_TRY(bli_pieces_new(pieces, one, &addition->made));
        to = addition->made.fragment[addition->made.count - 1].data;
        switch (bli_pieces_hold(pieces, one)) {
        case BLI_HOLDS_LANES:
            bli_lanes_fill(addition->how, to, pieces->results);
            BL_TRY(take_part(addition, one, to, false));
            break;
        case BLI_HOLDS_ROWS:
            BL_TRY(take_part(addition, one, to, true));
            break;
        default:
            BL_TRY(take_node(addition, one, to));
        }
        range.begin = one.end;
    }
    return BL_OK;
}

/* The fragment whose lanes the piece continues, or NULL. */
static struct bli_fragment *find_lanes(const struct addition *addition)
{
    const bl_reduce_pieces *const pieces = addition->pieces;
    const int32_t i = bli_pieces_find(pieces, addition->range.begin) - 1;
    struct bli_fragment *const fragment = i >= 0 ? pieces->fragment + i : NULL;

    return fragment && fragment->range.end == addition->range.begin &&
                   bli_pieces_hold(pieces, fragment->range) == BLI_HOLDS_LANES
               ? fragment
               : NULL;
}

/* Memory for the partial results of a block that this piece completes. */
static bl_status make_spare(bl_reduce_pieces *pieces)
{
    const size_t bytes = (size_t)(pieces->results * bli_dtypes[pieces->partial].size);

    if (pieces->spare.data)
        return BL_OK;
    pieces->spare.bytes = bytes;
    pieces->spare.data = bli_allocate(&pieces->allocator, bytes);
    return pieces->spare.data ? BL_OK : BL_ERR_MEMORY;
}

/* Make everything of the piece, and then change the reduction. */
static bl_status take_piece(struct addition *addition)
{
    bl_reduce_pieces *const pieces = addition->pieces;
    const struct bli_fragment *lanes = find_lanes(addition);
    const int64_t end = addition->range.end;
    bl_range head = {addition->range.begin, addition->range.begin};

    if (lanes)
        head.end = bli_pieces_end(pieces, head.begin, end);
    if (head.end > head.begin && head.end % BLI_REDUCE_BLOCK == 0)
        BL_TRY(make_spare(pieces));
    BL_TRY(make_fragments(addition, (bl_range){head.end, end}));
    BL_TRY(bli_pieces_reserve(pieces, addition->made.count));
    if (lanes) {
        const int32_t i = bli_pieces_find(pieces, head.begin) - 1;

        BL_TRY(take_part(addition, head, pieces->fragment[i].data, false));
        pieces->fragment[i].range.end = head.end;
        pieces->elements += head.end - head.begin;
        bli_pieces_close(pieces, addition->how, i);
        bli_pieces_settle(pieces, addition->how, i);
    }
    for (int32_t i = 0; i < addition->made.count; i++)
        bli_pieces_insert(pieces, addition->how, addition->made.fragment[i]);
    addition->made.count = 0;
    return BL_OK;
}

BLI_OWN_FRAME static bl_status add(bl_context *ctx, bl_reduce_pieces *pieces,
                                   int64_t first, const bl_array *piece,
                                   int32_t axes_count, const int32_t *axes)
{
    static const char *const names[] = {"piece"};
    struct bli_aligned aligned;
    struct addition addition;
    bl_status status;

    BL_TRY(check(pieces, first, piece, axes_count, axes, &addition));
    if (addition.count == 0)
        return BL_OK;
    ctx = bli_context(ctx);
    BL_TRY(bli_aligned_open(&aligned, ctx, names, NULL, NULL, 1, &piece, false));
    addition.pieces = pieces;
    addition.ctx = ctx;
    addition.piece = aligned.inputs[0];
    addition.how = bli_pieces_reducer(pieces, ctx);
    addition.made.count = 0;
    status = take_piece(&addition);
    bli_pieces_drop(pieces, &addition.made);
    return bli_aligned_close(&aligned, status);
}

bl_status bl_reduce_pieces_add(bl_context *ctx, bl_reduce_pieces *pieces, int64_t first,
                               const bl_array *piece, int32_t axes_count,
                               const int32_t *axes)
{
    BLI_RETURN_CALL(add(ctx, pieces, first, piece, axes_count, axes),
                    "%w, first %l%A, axes %X",
                    pieces ? bl_reduction_name(pieces->call.op) : "null", first,
                    "piece", piece, axes_count, axes);
}
