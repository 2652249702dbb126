/* SPDX-License-Identifier: BSD-3-Clause */
/* The exported end of a reduction in pieces: its fragments become results. */
#include "ops/reduce_pieces.h"
#include "call/aligned.h"

#include <inttypes.h>
#include <string.h>

#include "exec/loops/loop_nest.h"
#include "exec/reduce/item.h"

/* Results that are finished at once; a tile of lanes is a multiple. */
#define FINISHED 128

/* Check that there are exactly the elements 0 to `count` - 1. */
static bl_status check_complete(const bl_reduce_pieces *pieces, int64_t count)
{
    const bl_reduction op = pieces->call.op;
    int64_t end = 0;
    int32_t i = 0;

    if (count < 0)
        return bli_error_argument("count", "count %" PRId64 " is negative", count);
    for (; i < pieces->count && pieces->fragment[i].range.begin == end; i++)
        end = pieces->fragment[i].range.end;
    if (end < count) {
        const int64_t next =
            i < pieces->count ? pieces->fragment[i].range.begin : count;

        return bli_error_argument("pieces",
                                  "elements %" PRId64 " to %" PRId64 " are missing",
                                  end, (next < count ? next : count) - 1);
    }
    if (pieces->elements != count)
        return bli_error_argument("count",
                                  "there are %" PRId64 " elements, count is %" PRId64,
                                  pieces->elements, count);
    if (count == 0 && (op == BL_REDUCTION_MAX || op == BL_REDUCTION_MIN))
        return bli_error_argument("count", "%s of no elements", bl_reduction_name(op));
    return BL_OK;
}

/*
 * Combine the fragments of results from `first` on, `width` of them, which are all of
 * their elements: the tree's nodes that are left over, from the last one on.
 */
static void combine(const bl_reduce_pieces *pieces, const struct bli_reducer *how,
                    char *partial, int64_t first, int64_t width)
{
    _Alignas(BLI_ALIGNMENT) char left[FINISHED * BLI_MAX_PARTIAL];
    const int64_t size = how->partial_size;
    const struct bli_fragment *last;

    if (pieces->count == 0) {
        bli_reducer_fill(how, partial, width);
        return;
    }
    last = pieces->fragment + pieces->count - 1;
    if (bli_pieces_hold(pieces, last->range) == BLI_HOLDS_LANES)
        bli_lanes_reduce(how, partial, last->data, first, width,
                         last->range.end - last->range.begin, pieces->results);
    else
        memcpy(partial, last->data + first * size, (size_t)(width * size));
    for (int32_t i = pieces->count - 2; i >= 0; i--) {
        memcpy(left, pieces->fragment[i].data + first * size, (size_t)(width * size));
        how->merge(left, partial, width * how->numbers);
        memcpy(partial, left, (size_t)(width * size));
    }
}

/* The nest of results: operand 0 is `out`, 1 is compact, in whose order it runs. */
static void make_nest(struct bli_nest *nest, const bl_array *out, int32_t partial_size)
{
    const struct bli_strided compact = {out->rank,   partial_size, 1,
                                        out->extent, NULL,         {0, 0}};
    const struct bli_strided operand[] = {compact,
                                          bli_array_operand(out, (bl_pairing){0, 0})};

    bli_nest_make(nest, 2, operand);
    for (int32_t i = 0; i < nest->loops; i++) {
        const int64_t step = nest->stride[i][0];

        nest->stride[i][0] = nest->stride[i][1];
        nest->stride[i][1] = step;
    }
}

static bl_status write_results(const bl_reduce_pieces *pieces, const bl_context *ctx,
                               const bl_array *out, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char partial[FINISHED * BLI_MAX_PARTIAL];
    const struct bli_isa *const isa = bli_isa_pick(ctx->isa);
    const struct bli_reducer *const how = bli_pieces_reducer(pieces, ctx);
    const double number = pieces->call.op == BL_REDUCTION_MEAN ? (double)count : 1.0;
    struct bli_reduce_choice choice;
    struct bli_nest nest;

    BL_TRY(bli_pieces_choose(pieces, ctx, out->dtype, &choice));
    make_nest(&nest, out, how->partial_size);
    for (int64_t at = 0; at < pieces->results; at += FINISHED) {
        const int64_t rest = pieces->results - at;
        const int64_t width = rest < FINISHED ? rest : FINISHED;
        /* The address that result 0 would have. */
        const uintptr_t origin =
            (uintptr_t)partial - (uintptr_t)(at * how->partial_size);
        char *const data[] = {out->data, (char *)origin};

        combine(pieces, how, partial, at, width);
        if (choice.finalize)
            choice.finalize((double *)(void *)partial, width * how->partial_size / 8,
                            number, false);
        bli_walk(&nest, isa->convert[choice.stored][out->dtype], NULL, data,
                 (bl_range){at, at + width});
    }
    return BL_OK;
}

/* Refuse a result whose elements overlap. */
static bl_status check_out(const bl_reduce_pieces *pieces, const bl_array *out)
{
    struct bli_nest nest;
    struct bli_strided operand;

    BL_TRY(bli_reduce_check_result(&pieces->call, out));
    operand = bli_array_operand(out, (bl_pairing){0, 0});
    bli_nest_make(&nest, 1, &operand);
    return out->stride ? bli_plan_check_result(&nest, bli_dtypes[out->dtype].size)
                       : BL_OK;
}

BLI_OWN_FRAME static bl_status finish(bl_context *ctx, const bl_array *out,
                                      const bl_reduce_pieces *pieces, int64_t count)
{
    static const char *const names[] = {""};
    struct bli_aligned aligned;

    if (!pieces)
        return bli_error_null("pieces");
    BL_TRY(check_out(pieces, out));
    BL_TRY(check_complete(pieces, count));
    ctx = bli_context(ctx);
    BL_TRY(bli_aligned_open(&aligned, ctx, names, "out", out, 0, NULL, false));
    return bli_aligned_close(&aligned, write_results(pieces, ctx, aligned.out, count));
}

bl_status bl_reduce_pieces_finish(bl_context *ctx, const bl_array *out,
                                  const bl_reduce_pieces *pieces, int64_t count)
{
    BLI_RETURN_CALL(finish(ctx, out, pieces, count), "%O, %w, count %l", "out", out,
                    pieces ? bl_reduction_name(pieces->call.op) : "null", count);
}
