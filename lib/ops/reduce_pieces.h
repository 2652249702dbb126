/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of a reduction whose elements come in pieces: fragments, each of some
 * neighbouring elements of every result.  What a fragment holds follows from its
 * elements:
 *
 *   where any order gives the same bits   partial results
 *   whole blocks, a node of the tree      partial results: 1024 << l elements, and
 *                                         those before them a multiple of that
 *   the first elements of a block         lanes, as reduce_lanes.h has them
 *   others, within one block              rows of elements: their lanes have to take
 *                                         the elements before them first
 *
 * Fragments are sorted and do not overlap.  Neighbours that make a larger one are
 * joined: nodes that are siblings, and lanes with the rows behind them.
 */
#ifndef BLI_REDUCE_PIECES_H
#define BLI_REDUCE_PIECES_H

#include <broadloom/reduce_pieces.h>

#include "exec/reduce/reduce_lanes.h"
#include "ops/reduce_run.h"

struct bli_fragment {
    bl_range range;
    char *data;
    size_t bytes; /* of the memory, not of what the fragment holds */
};

struct bl_reduce_pieces {
    bl_allocator allocator;
    /* The operation, dtypes and the results' shape; call.in is `element`. */
    struct bli_reduce_call call;
    bl_array element;
    bl_dtype wanted; /* of the options */
    bl_dtype row;    /* dtype of elements in rows */
    bl_dtype partial;
    bool is_free; /* any order gives the same bits */
    int64_t results;
    int64_t elements;          /* of each result, that there are */
    struct bli_fragment spare; /* memory for a node, or no data */
    int32_t count, room;
    struct bli_fragment *fragment;
};

enum bli_holds { BLI_HOLDS_PARTIALS, BLI_HOLDS_LANES, BLI_HOLDS_ROWS };

/* What a fragment of these elements holds, and its bytes. */
enum bli_holds bli_pieces_hold(const bl_reduce_pieces *pieces, bl_range range);
size_t bli_pieces_bytes(const bl_reduce_pieces *pieces, bl_range range);

/* The end of the longest fragment that begins at `begin` and does not go past `end`. */
int64_t bli_pieces_end(const bl_reduce_pieces *pieces, int64_t begin, int64_t end);

/* What combines elements, by a context's instruction set, for results of dtype `to`. */
bl_status bli_pieces_choose(const bl_reduce_pieces *pieces, const bl_context *ctx,
                            bl_dtype to, struct bli_reduce_choice *choice);

/* The reducer of rows. */
const struct bli_reducer *bli_pieces_reducer(const bl_reduce_pieces *pieces,
                                             const bl_context *ctx);

/* The index of the first fragment that ends after `at`. */
int32_t bli_pieces_find(const bl_reduce_pieces *pieces, int64_t at);

/* Check that no element in the range is there. */
bl_status bli_pieces_check_absent(const bl_reduce_pieces *pieces, bl_range range);

/*
 * Fragments that are not part of a reduction yet: those of a piece are at most two
 * nodes of each level of the tree, rows and lanes.  bli_pieces_new() appends one, with
 * memory for what it holds; BL_ERR_MEMORY.
 */
struct bli_fragments {
    int32_t count;
    struct bli_fragment fragment[2 * 54 + 2];
};

bl_status bli_pieces_new(const bl_reduce_pieces *pieces, bl_range range,
                         struct bli_fragments *list);
void bli_pieces_drop(const bl_reduce_pieces *pieces, struct bli_fragments *list);

/*
 * Make room for `more` fragments; insert one, whose memory passes to `pieces`, and join
 * it with its neighbours, for which there is room: it cannot fail.
 */
bl_status bli_pieces_reserve(bl_reduce_pieces *pieces, int32_t more);
void bli_pieces_insert(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                       struct bli_fragment fragment);

/*
 * Insert many, which are sorted and do not overlap what there is, in one pass over all:
 * for each of many the list would be moved.
 */
void bli_pieces_merge(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                      int32_t count, const struct bli_fragment *fragment);

/* Close the lanes of fragment `i` where its block is complete. */
void bli_pieces_close(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                      int32_t i);

/* Join fragment `i` with its neighbours as far as they go together. */
void bli_pieces_settle(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                       int32_t i);

/* bl_reduce_pieces_create(), whose arguments are checked here. */
bl_status bli_pieces_make(bl_context *ctx, bl_reduction op, bl_dtype dtype,
                          int32_t rank, const int64_t *extent,
                          const bl_reduce_options *options, bl_reduce_pieces **out);

#endif
