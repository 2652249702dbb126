/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks send each other so that element k of one tensor, in row-major order, comes
 * to the place of element k of another one, whose shape may differ: a tensor as a range
 * of a file, and operands that rules pair in linear order.
 *
 * Between two ranks elements are in the order of k, so that both ends know without a
 * message which they are.
 */
#ifndef BLI_LINES_H
#define BLI_LINES_H

#include "mpi/spread/move.h"

/* Numbers for each rank that a transfer keeps: bytes and places, of both directions. */
#define BLI_LINES_NUMBERS 5

/*
 * A move by linear order.  Spreads are borrowed, have equally many elements and ranks,
 * though their grids may differ, and no root.  A rank that has replicas receives from
 * the one whose places along the axes of replicas are its own.
 */
struct bli_lines {
    const struct bli_spread *from;
    const struct bli_spread *to;
    int64_t size; /* bytes of an element */
    /*
     * Of a `to` of one dimension, a part alone: elements first to first + limit - 1 of
     * each rank's range.
     */
    int64_t first, limit;
};

/* The move of all elements. */
struct bli_lines bli_lines_make(const struct bli_spread *from,
                                const struct bli_spread *to, int64_t size);

/* Elements that follow each other in the linear order and in both ranks' boxes. */
struct bli_piece {
    int64_t index; /* k of the first */
    int64_t at;    /* place of the first in this rank's box, in row-major order; in the
                      part of it that is moved */
    int64_t count; /* elements */
    int32_t place[BLI_MAX_AXES]; /* of the other end, along axes that cut its tensor */
};

/* Where a list of pieces is; only lines.c looks inside. */
struct bli_pieces {
    const struct bli_lines *lines;
    enum bli_direction direction;
    int64_t run, runs, length; /* of this rank's box, and the elements of each */
    int64_t at;                /* next in the run */
    struct bli_box box;
    int32_t dims;  /* that count runs */
    int64_t index; /* linear, of the run's first element */
};

/*
 * Go through the pieces of a rank, in the order of k: those that it may have to send,
 * or receive.  What it keeps is among them.
 */
void bli_pieces_begin(const struct bli_lines *lines, int32_t of_rank,
                      enum bli_direction direction, struct bli_pieces *pieces);
bool bli_pieces_next(struct bli_pieces *pieces, struct bli_piece *piece);

/*
 * The next rank after `*peer`, -1 at first, that the piece of a rank goes to, or comes
 * from: itself, where it is kept.
 */
bool bli_piece_peer(const struct bli_lines *lines, enum bli_direction direction,
                    int32_t of_rank, const struct bli_piece *piece, int32_t *peer);

/*
 * Count what a rank sends to, and receives from, each rank, itself included: bytes are
 * added to `sent` and `received`, of so many numbers as there are ranks.
 */
void bli_lines_count(const struct bli_lines *lines, int32_t of_rank, int64_t *sent,
                     int64_t *received);

/*
 * Count what every rank moves, as bli_traffic_count() does of one: `traffic` has one of
 * them for each rank.  Takes as long as to go through all pieces of all ranks.
 * BL_ERR_MEMORY.
 */
bl_status bli_lines_traffic(const struct bli_lines *lines, struct bli_traffic *traffic);

/*
 * The fewest elements of a rank's box that follow each other in the linear order, and
 * the largest number of such runs.
 */
void bli_lines_runs(const struct bli_spread *spread, int64_t *fewest, int64_t *most);

#endif
