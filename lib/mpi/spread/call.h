/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of an element-wise call over ranks: which rank computes what, and what has
 * to move for it.
 *
 * The call of a rank is then an ordinary one of the boxes that bli_move_need() gives,
 * by the modern rules, into the box of the result: extents are equal or 1.  The box of
 * an operand gets dimensions of extent 1 where its shift wants them; one without
 * dimensions, which counts less in promotion, keeps none.
 *
 * An operand that the rules pair in linear order moves first, to a box of the result's
 * shape on each rank.
 */
#ifndef BLI_SPREAD_CALL_H
#define BLI_SPREAD_CALL_H

#include <broadloom/ops.h>

#include "mpi/spread/lines.h"
#include "mpi/spread/stage.h"

/* Messages that a rank has on the way in either direction, unless told otherwise. */
#define BLI_WINDOW 4

/* What may move. */
enum bli_may_move {
    BLI_MOVE_AUTO,  /* whatever is cheapest within most_bytes */
    BLI_MOVE_SMALL, /* operands of at most small_bytes; nothing else */
    BLI_MOVE_NONE   /* nothing */
};

/* An operand: spread, or an array that every rank has alike. */
struct bli_spread_operand {
    const struct bli_spread *spread; /* NULL: every rank has all of it */
    bl_array array;                  /* the whole, without data: dtype, shape, flags */
};

struct bli_spread_options {
    bl_context *ctx;        /* NULL: the default */
    const bl_options *call; /* rules, axis, dtype, ... of the whole; NULL: defaults */
    enum bli_may_move move;
    int64_t small_bytes; /* of BLI_MOVE_SMALL; 0: 1 MiB */
    int64_t most_bytes;  /* that any rank may receive; 0: 4 times its part of the
                            result, or 1 MiB if that is more */
    int64_t most_memory; /* workspace of any rank; 0: 256 MiB, or an eighth of its
                            part of the result if that is more */
    int32_t window;      /* 0: BLI_WINDOW */
    const struct bli_dim *dims;   /* of a new result; NULL: chosen */
    const struct bli_spread *out; /* of a result that exists; NULL: a new one */
    bl_dtype out_dtype;           /* of a result that exists */
    bool in_place;                /* the result is operand 0 */
    bool warns;                   /* of what broadcasting changes; one rank does */
    const void *address;          /* to which the program's call returns */
};

/* A plan; metadata alone, the same on every rank. */
struct bli_spread_call {
    bl_op op;
    int32_t count;
    bl_dtype dtype;            /* of the result */
    struct bli_spread *result; /* a reference of the plan's */
    int32_t follows;           /* operand that the result lies as; -1: told, or none */
    int32_t window;
    struct bli_spread_operand operand[BL_MAX_INPUTS]; /* compact, without data */
    struct bli_spread *from[BL_MAX_INPUTS]; /* where each lies: the operand's spread, or
                                               one that is whole on every rank */
    struct bli_move move[BL_MAX_INPUTS];
    bool is_linear[BL_MAX_INPUTS]; /* paired in linear order: moved by `lines`, after
                                      which it lies as the result, and `move` is of that
                                    */
    struct bli_lines lines[BL_MAX_INPUTS];
    struct bli_traffic *linear[BL_MAX_INPUTS]; /* what each rank moves of it */
    struct bli_stage *stage[BL_MAX_INPUTS];    /* in two stages; NULL: it moves as is */
    bool is_local[BL_MAX_INPUTS];              /* nothing of it moves, on any rank */
    bool is_direct;  /* a copy: what moves goes to the result's own memory */
    bool is_changed; /* the rules have something to warn of */
};

/* What one rank does, or all of them. */
struct bli_spread_totals {
    int64_t local_count;        /* elements of the result */
    struct bli_traffic traffic; /* of all operands */
    int64_t workspace;          /* bytes: assembled operands, and messages on the way */
};

/*
 * Plan `op` for operands over one grid.  Refused are what bl_apply() would refuse of
 * the whole, before data; BL_ERR_RULES, with operand and bytes, where the limits do not
 * allow what would move; BL_ERR_ARGUMENT for operands over unlike grids; BL_ERR_MEMORY.
 * Spreads are retained.  Free with bli_spread_call_free().
 */
bl_status bli_spread_call_make(bl_op op, int32_t count,
                               const struct bli_spread_operand *operands,
                               const struct bli_spread_options *options,
                               struct bli_spread_call *plan);
void bli_spread_call_free(struct bli_spread_call *plan);

/* Most boxes that a rank computes its part of a result in. */
#define BLI_SECTIONS 5

/*
 * The boxes that a rank computes one by one: where it has the elements of at least half
 * of its part itself, a first one of these alone, then strips.  Elements of an operand
 * that strips take from other ranks are assembled in a box of memory.
 */
struct bli_sections {
    int32_t count; /* 0: the rank has no part of the result */
    struct bli_box box[BLI_SECTIONS];
    bool is_assembled[BL_MAX_INPUTS][BLI_SECTIONS]; /* or all it takes is here */
    struct bli_box assembled[BL_MAX_INPUTS];        /* of the operand */
    int64_t bytes[BL_MAX_INPUTS];                   /* of that; 0: there is none */
};

void bli_call_sections(const struct bli_spread_call *plan, int32_t of_rank,
                       struct bli_sections *sections);

/* Most tiles that a rank's part of a result is cut in. */
#define BLI_TILES 16

/* Pieces of one dimension, from each border to the next one. */
struct bli_tile_cut {
    int32_t dim, pieces;
    int64_t border[BLI_TILES + 1];
};

/*
 * The tiles of a rank's first section, where enough arrives from other nodes for each:
 * cut at borders of the operands that arrive, along outer dimensions first, if it is
 * all of the part; else evenly.  With the other sections they are no more than
 * BLI_TILES.
 */
struct bli_tiling_cuts {
    int32_t count; /* 1: it is not cut */
    int32_t cuts;
    bool is_early; /* something arrives, beside which sections may be computed */
    struct bli_box whole;
    struct bli_tile_cut cut[4]; /* of two pieces or more: 2^4 tiles */
};

void bli_call_tiles(const struct bli_spread_call *plan, int32_t of_rank,
                    const struct bli_sections *sections, struct bli_tiling_cuts *tiles);
void bli_tile_box(const struct bli_tiling_cuts *tiles, int32_t tile,
                  struct bli_box *box);

/* The moves that operand k is made of, one after the other; returns how many. */
int32_t bli_call_moves(const struct bli_spread_call *plan, int32_t k,
                       const struct bli_move *moves[2]);

/* What a rank moves of operand k. */
void bli_spread_call_traffic(const struct bli_spread_call *plan, int32_t k,
                             int32_t of_rank, struct bli_traffic *traffic);

/* What a rank sends, receives and needs; and the same of one operand alone. */
void bli_spread_call_totals(const struct bli_spread_call *plan, int32_t of_rank,
                            struct bli_spread_totals *totals);

/*
 * The bytes that no plan for this result can do without: of each operand, what a rank
 * needs and does not have, summed over all ranks.
 */
int64_t bli_spread_call_least(const struct bli_spread_call *plan);

#endif
