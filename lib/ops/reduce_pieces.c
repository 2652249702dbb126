/* SPDX-License-Identifier: BSD-3-Clause */
/* The exported reductions in pieces: creating and joining them. */
#include "ops/reduce_pieces.h"

#include <inttypes.h>
#include <string.h>

#include "exec/reduce/item.h"
#include "shape/broadcast.h"

/* ---- creating ---- */

/* Whether a reduction is one pass over its elements. */
static bool is_one_pass(bl_reduction op)
{
    switch (op) {
    case BL_REDUCTION_SUM:
    case BL_REDUCTION_PROD:
    case BL_REDUCTION_MEAN:
    case BL_REDUCTION_MAX:
    case BL_REDUCTION_MIN:
    case BL_REDUCTION_ANY:
    case BL_REDUCTION_ALL:
        return true;
    default:
        return false;
    }
}

static bl_status check_shape(int32_t rank, const int64_t *extent, int64_t *results)
{
    if (rank < 0 || rank > BL_MAX_RANK)
        return bli_error_argument("rank", "rank %" PRId32 " is not within 0 to %d",
                                  rank, BL_MAX_RANK);
    if (rank > 0 && !extent)
        return bli_error_null("extent");
    for (int32_t d = 0; d < rank; d++)
        if (extent[d] < 0)
            return bli_error_argument(
                "extent", "extent %" PRId64 " of dimension %" PRId32 " is negative",
                extent[d], d);
    return bli_result_count(rank, extent, results);
}

/* Decide dtypes: those of rows and partial results are the same for every machine. */
static bl_status choose(bl_reduce_pieces *pieces, const bl_context *ctx)
{
    struct bli_reduce_choice choice;
    int64_t bytes;

    BL_TRY(bli_pieces_choose(pieces, ctx, pieces->call.to, &choice));
    pieces->row = bli_dtype_widened(choice.reduced);
    pieces->partial = choice.reducer->partial;
    pieces->is_free = choice.reducer->is_free;
    /* A block of every result in rows. */
    if (!bli_mul_i64(pieces->results, BLI_REDUCE_BLOCK * BLI_MAX_PARTIAL, &bytes))
        return bl_error_set(BL_ERR_OVERFLOW, "%" PRId64 " results are too many",
                            pieces->results);
    return BL_OK;
}

bl_status bli_pieces_make(bl_context *ctx, bl_reduction op, bl_dtype dtype,
                          int32_t rank, const int64_t *extent,
                          const bl_reduce_options *options, bl_reduce_pieces **out)
{
    bl_reduce_pieces made = {.element = {.dtype = dtype}}, *pieces;

    if (!out)
        return bli_error_null("pieces");
    if (!bli_reduction_is_valid(op))
        return bli_error_argument("op", "op: %d is no reduction", (int)op);
    if (!is_one_pass(op))
        return bli_fault_argument(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "%s takes its elements twice: of pieces it cannot be computed",
                         bl_reduction_name(op)),
            "op");
    BL_TRY(bli_dtype_check("dtype", dtype));
    BL_TRY(check_shape(rank, extent, &made.results));
    made.call.op = op;
    made.call.in = &made.element;
    BL_TRY(bli_reduce_dtypes(&made.call, options));
    made.wanted = options ? options->dtype : BL_DTYPE_NONE;
    ctx = bli_context(ctx);
    BL_TRY(choose(&made, ctx));
    made.allocator = ctx->allocator;
    made.call.rank = rank;
    if (rank > 0)
        memcpy(made.call.extent, extent, (size_t)rank * sizeof *extent);
    pieces = bli_allocate(&ctx->allocator, sizeof *pieces);
    if (!pieces)
        return BL_ERR_MEMORY;
    *pieces = made;
    pieces->call.in = &pieces->element;
    *out = pieces;
    return BL_OK;
}

bl_status bl_reduce_pieces_create(bl_context *ctx, bl_reduction op, bl_dtype dtype,
                                  int32_t rank, const int64_t *extent,
                                  const bl_reduce_options *options,
                                  bl_reduce_pieces **pieces)
{
    BLI_RETURN_CALL(bli_pieces_make(ctx, op, dtype, rank, extent, options, pieces),
                    "%w, dtype %t, results %S", bl_reduction_name(op), dtype, rank,
                    extent);
}

void bl_reduce_pieces_destroy(bl_reduce_pieces *pieces)
{
    if (!pieces)
        return;

    const bl_allocator allocator = pieces->allocator;

    for (int32_t i = 0; i < pieces->count; i++)
        bli_release(&allocator, pieces->fragment[i].data, pieces->fragment[i].bytes);
    bli_release(&allocator, pieces->spare.data, pieces->spare.bytes);
    bli_release(&allocator, pieces->fragment,
                (size_t)pieces->room * sizeof *pieces->fragment);
    bli_release(&allocator, pieces, sizeof *pieces);
}

int64_t bl_reduce_pieces_count(const bl_reduce_pieces *pieces)
{
    return pieces ? pieces->elements : 0;
}

/* ---- joining ---- */

static bl_status check_same(const bl_reduce_pieces *a, const bl_reduce_pieces *b)
{
    char has[BLI_SHAPE_TEXT], other[BLI_SHAPE_TEXT];

    if (a->call.op != b->call.op)
        return bli_error_argument("other", "other is of %s, pieces of %s",
                                  bl_reduction_name(b->call.op),
                                  bl_reduction_name(a->call.op));
    if (a->element.dtype != b->element.dtype || a->call.as != b->call.as ||
        a->call.to != b->call.to)
        return bli_error_argument(
            "other", "other is of %s to %s, pieces of %s to %s",
            bl_dtype_name(b->element.dtype), bl_dtype_name(b->call.to),
            bl_dtype_name(a->element.dtype), bl_dtype_name(a->call.to));
    if (a->call.rank != b->call.rank ||
        memcmp(a->call.extent, b->call.extent,
               (size_t)a->call.rank * sizeof *a->call.extent) != 0)
        return bli_error_argument("other", "other has results %s, pieces %s",
                                  bli_shape_text(other, b->call.rank, b->call.extent),
                                  bli_shape_text(has, a->call.rank, a->call.extent));
    for (int32_t i = 0; i < b->count; i++)
        BL_TRY(bli_pieces_check_absent(a, b->fragment[i].range));
    return BL_OK;
}

static bl_status join(bl_context *ctx, bl_reduce_pieces *pieces,
                      const bl_reduce_pieces *other)
{
    struct bli_fragment *copy;
    const size_t bytes = other ? (size_t)other->count * sizeof *copy : 0;
    int32_t made = 0;

    if (!pieces || !other)
        return bli_error_null(pieces ? "other" : "pieces");
    BL_TRY(check_same(pieces, other));
    BL_TRY(bli_pieces_reserve(pieces, other->count));
    copy = bli_allocate(&pieces->allocator, bytes);
    if (!copy)
        return BL_ERR_MEMORY;
    for (; made < other->count; made++) {
        copy[made].range = other->fragment[made].range;
        copy[made].bytes = bli_pieces_bytes(other, copy[made].range);
        copy[made].data = bli_allocate(&pieces->allocator, copy[made].bytes);
        if (!copy[made].data)
            break;
        memcpy(copy[made].data, other->fragment[made].data, copy[made].bytes);
    }

    const bool is_whole = made == other->count;
    const struct bli_reducer *const how = bli_pieces_reducer(pieces, bli_context(ctx));

    if (is_whole)
        bli_pieces_merge(pieces, how, made, copy);
    for (int32_t i = 0; !is_whole && i < made; i++)
        bli_release(&pieces->allocator, copy[i].data, copy[i].bytes);
    bli_release(&pieces->allocator, copy, bytes);
    return is_whole ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_reduce_pieces_join(bl_context *ctx, bl_reduce_pieces *pieces,
                                const bl_reduce_pieces *other)
{
    BLI_RETURN_CALL(join(ctx, pieces, other), "%w of %t",
                    pieces ? bl_reduction_name(pieces->call.op) : "null",
                    pieces ? pieces->element.dtype : BL_DTYPE_NONE);
}
