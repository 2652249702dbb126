/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fragments of a reduction in pieces: what they hold, and how neighbours are
 * joined. The value of a fragment is a function of its elements alone, whatever pieces
 * they came in and whatever was joined first.
 */
#include "ops/reduce_pieces.h"

#include <inttypes.h>
#include <string.h>

/* ---- what a fragment holds ---- */

enum bli_holds bli_pieces_hold(const bl_reduce_pieces *pieces, bl_range range)
{
    if (pieces->is_free)
        return BLI_HOLDS_PARTIALS;
    if (range.begin % BLI_REDUCE_BLOCK != 0)
        return BLI_HOLDS_ROWS;
    return range.end - range.begin < BLI_REDUCE_BLOCK ? BLI_HOLDS_LANES
                                                      : BLI_HOLDS_PARTIALS;
}

size_t bli_pieces_bytes(const bl_reduce_pieces *pieces, bl_range range)
{
    const int64_t results = pieces->results;

    switch (bli_pieces_hold(pieces, range)) {
    case BLI_HOLDS_ROWS:
        return (size_t)((range.end - range.begin) * results *
                        bli_dtypes[pieces->row].size);
    case BLI_HOLDS_LANES:
        return (size_t)(results * BLI_REDUCE_LANES);
    default:
        return (size_t)(results * bli_dtypes[pieces->partial].size);
    }
}

int64_t bli_pieces_end(const bl_reduce_pieces *pieces, int64_t begin, int64_t end)
{
    const int64_t used = begin % BLI_REDUCE_BLOCK;
    const int64_t rest = end - begin, left = BLI_REDUCE_BLOCK - used;
    int64_t count = BLI_REDUCE_BLOCK;

    if (pieces->is_free)
        return end;
    if (used > 0 || rest < BLI_REDUCE_BLOCK)
        return begin + (rest < left ? rest : left);
    while (count <= rest / 2 && begin % (2 * count) == 0)
        count *= 2;
    return begin + count;
}

bl_status bli_pieces_choose(const bl_reduce_pieces *pieces, const bl_context *ctx,
                            bl_dtype to, struct bli_reduce_choice *choice)
{
    const struct bli_reduce_problem problem = {.op = pieces->call.op,
                                               .isa = bli_isa_pick(ctx->isa),
                                               .from = pieces->element.dtype,
                                               .as = pieces->call.as,
                                               .to = to};

    return bli_reduce_choose(choice, &problem);
}

const struct bli_reducer *bli_pieces_reducer(const bl_reduce_pieces *pieces,
                                             const bl_context *ctx)
{
    struct bli_reduce_choice choice;

    return bli_pieces_choose(pieces, ctx, pieces->call.to, &choice) == BL_OK
               ? choice.widened
               : NULL;
}

/* ---- the list ---- */

int32_t bli_pieces_find(const bl_reduce_pieces *pieces, int64_t at)
{
    int32_t low = 0, high = pieces->count;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;

        if (pieces->fragment[middle].range.end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bl_status bli_pieces_check_absent(const bl_reduce_pieces *pieces, bl_range range)
{
    const int32_t i = bli_pieces_find(pieces, range.begin);
    int64_t begin, end;

    if (range.begin >= range.end || i == pieces->count ||
        pieces->fragment[i].range.begin >= range.end)
        return BL_OK;
    begin = pieces->fragment[i].range.begin;
    end = pieces->fragment[i].range.end;
    return bli_error_argument("pieces",
                              "elements %" PRId64 " to %" PRId64 " are there already",
                              begin > range.begin ? begin : range.begin,
                              (end < range.end ? end : range.end) - 1);
}

bl_status bli_pieces_new(const bl_reduce_pieces *pieces, bl_range range,
                         struct bli_fragments *list)
{
    struct bli_fragment *const fragment = &list->fragment[list->count];

    fragment->range = range;
    fragment->bytes = bli_pieces_bytes(pieces, range);
    fragment->data = bli_allocate(&pieces->allocator, fragment->bytes);
    list->count += fragment->data != NULL;
    return fragment->data ? BL_OK : BL_ERR_MEMORY;
}

void bli_pieces_drop(const bl_reduce_pieces *pieces, struct bli_fragments *list)
{
    for (int32_t i = 0; i < list->count; i++)
        bli_release(&pieces->allocator, list->fragment[i].data,
                    list->fragment[i].bytes);
    list->count = 0;
}

bl_status bli_pieces_reserve(bl_reduce_pieces *pieces, int32_t more)
{
    const size_t size = sizeof *pieces->fragment;
    const int32_t least = pieces->count + more;
    const int32_t room = least > 2 * pieces->room ? least : 2 * pieces->room;
    struct bli_fragment *fragment;

    if (least <= pieces->room)
        return BL_OK;
    fragment = bli_allocate(&pieces->allocator, (size_t)room * size);
    if (!fragment)
        return BL_ERR_MEMORY;
    if (pieces->count > 0)
        memcpy(fragment, pieces->fragment, (size_t)pieces->count * size);
    bli_release(&pieces->allocator, pieces->fragment, (size_t)pieces->room * size);
    pieces->fragment = fragment;
    pieces->room = room;
    return BL_OK;
}

static void remove_fragment(bl_reduce_pieces *pieces, int32_t i)
{
    bli_release(&pieces->allocator, pieces->fragment[i].data,
                pieces->fragment[i].bytes);
    pieces->count--;
    memmove(pieces->fragment + i, pieces->fragment + i + 1,
            (size_t)(pieces->count - i) * sizeof *pieces->fragment);
}

/* ---- joining ---- */

void bli_pieces_close(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                      int32_t i)
{
    struct bli_fragment *const fragment = &pieces->fragment[i];
    struct bli_fragment lanes = *fragment;

    if (pieces->is_free ||
        fragment->range.end - fragment->range.begin != BLI_REDUCE_BLOCK)
        return;
    if (pieces->spare.data) {
        fragment->data = pieces->spare.data;
        fragment->bytes = pieces->spare.bytes;
        pieces->spare.data = NULL;
    }
    bli_lanes_close(how, fragment->data, lanes.data, BLI_REDUCE_BLOCK, pieces->results);
    if (fragment->data != lanes.data)
        bli_release(&pieces->allocator, lanes.data, lanes.bytes);
}

/* Join fragment `i` with the next one if they make a larger one; else return false. */
static bool join_next(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                      int32_t i)
{
    struct bli_fragment *const a = &pieces->fragment[i], *const b = a + 1;
    const int64_t size = a->range.end - a->range.begin, numbers = how->numbers;
    const enum bli_holds holds = bli_pieces_hold(pieces, a->range);

    if (a->range.end != b->range.begin)
        return false;
    if (holds == BLI_HOLDS_LANES) {
        bli_lanes_take_rows(how, a->data, b->data, bli_dtypes[pieces->row].size, size,
                            b->range.end - b->range.begin, pieces->results);
        a->range.end = b->range.end;
        remove_fragment(pieces, i + 1);
        bli_pieces_close(pieces, how, i);
        return true;
    }
    if (holds == BLI_HOLDS_ROWS ||
        (!pieces->is_free &&
         (b->range.end - b->range.begin != size || a->range.begin % (2 * size) != 0)))
        return false;
    how->merge(a->data, b->data, pieces->results * numbers);
    a->range.end = b->range.end;
    remove_fragment(pieces, i + 1);
    return true;
}

void bli_pieces_settle(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                       int32_t i)
{
    for (;;) {
        if (i + 1 < pieces->count && join_next(pieces, how, i))
            continue;
        if (i == 0 || !join_next(pieces, how, i - 1))
            return;
        i--;
    }
}

void bli_pieces_insert(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                       struct bli_fragment fragment)
{
    const int32_t i = bli_pieces_find(pieces, fragment.range.begin);

    memmove(pieces->fragment + i + 1, pieces->fragment + i,
            (size_t)(pieces->count - i) * sizeof *pieces->fragment);
    pieces->fragment[i] = fragment;
    pieces->count++;
    pieces->elements += fragment.range.end - fragment.range.begin;
    bli_pieces_settle(pieces, how, i);
}

void bli_pieces_merge(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                      int32_t count, const struct bli_fragment *fragment)
{
    const int32_t had = pieces->count;
    struct bli_fragment *const own = pieces->fragment + count;
    int32_t next = 0;

    if (count == 0)
        return;
    /* What there is goes to the end of the room, so that the list is made again. */
    memmove(own, pieces->fragment, (size_t)had * sizeof *own);
    pieces->count = 0;
    for (int32_t i = 0; i < count || next < had;) {
        const bool is_new = next == had || (i < count && fragment[i].range.begin <
                                                             own[next].range.begin);

        pieces->fragment[pieces->count++] = is_new ? fragment[i++] : own[next++];
        while (pieces->count > 1 && join_next(pieces, how, pieces->count - 2))
            ;
    }
    for (int32_t i = 0; i < count; i++)
        pieces->elements += fragment[i].range.end - fragment[i].range.begin;
}
