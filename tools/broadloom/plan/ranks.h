/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call over ranks: parsed from the command line, planned without MPI, and what every
 * rank sends and receives.
 */
#ifndef RANKS_H
#define RANKS_H

#include "operand.h"
#include "parse_shape.h"

#include "mpi/spread/call.h"

/* Options of the command line; what is not given is 0 or NULL, `rank` is -1. */
struct ranks_request {
    const char *op;
    bl_dtype dtype;  /* of operands that name none */
    bl_options call; /* rules and axis */
    bool inplace;
    const char *ranks;  /* "64x64" */
    int64_t axes;       /* into which one number of ranks is divided */
    int64_t node;       /* ranks on a node */
    int64_t rank;       /* whose messages are listed */
    const char *result; /* how the result lies, after the @ */
    const char *over;   /* dimensions that a reduction is over; NULL: all */
    enum bli_may_move move;
    int64_t most_bytes;
    int64_t most_memory;
};

/* What all ranks move of one operand. */
struct ranks_moved {
    int64_t messages; /* of MPI */
    int64_t bytes;    /* in them, and through memory of a node */
    int64_t between_nodes;
    int64_t shared;        /* bytes through memory of a node */
    int64_t most_received; /* by one rank */
    int32_t receivers;     /* ranks that receive some */
};

enum { RANKS_TEXT = 2 * SHAPE_TEXT };

struct ranks {
    const struct ranks_request *request;
    struct bli_grid grid;
    struct bli_spread_operand operand[BL_MAX_INPUTS];
    struct operand parsed[BL_MAX_INPUTS];
    char text[BL_MAX_INPUTS][RANKS_TEXT]; /* operands as written, with their dtype */
    struct bli_spread_call plan;
    struct ranks_moved moved[BL_MAX_INPUTS];
    struct ranks_moved all;
    int64_t least;                  /* bytes that no plan can do without */
    struct bli_spread_totals *rank; /* of each rank */
    int32_t most_sent, most_received, most_workspace, most_computed; /* ranks */
};

/* Check the grid, and that it has the rank that is asked for. */
bl_status ranks_check(const struct ranks_request *request);

/*
 * Parse operands, plan the call, and count what each rank moves.  Free with
 * ranks_free(), also after a failure.
 */
bl_status ranks_plan(const struct ranks_request *request, int count, char *const *word,
                     struct ranks *ranks);
void ranks_free(struct ranks *ranks);

/* Parse the grid and operands of a request; for ranks_plan() and ranks_reduce(). */
bl_status ranks_parse(struct ranks *ranks, int count, char *const *word);

/* ---- ranks_reduce.c ---- */

/* Print the ways of a reduction, as text or as one line of JSON. */
bl_status ranks_reduce(const struct ranks_request *request, int count,
                       char *const *word, bool is_json);

/* Read "auto", "small" or "none" into an enum bli_may_move. */
bl_status ranks_read_move(const char *text, void *place);

/* ---- ranks_lie.c ---- */

/*
 * Parse how an array lies over ranks, the text after the @: an axis or - for each
 * dimension, with borders in parentheses, as in 0(0,10,10,64),-; or r3 for all of it on
 * rank 3.
 */
bl_status ranks_lie(const char *text, const struct bli_grid *grid, int32_t rank,
                    const int64_t *extent, struct bli_spread **out);

/* Write a spread in the same notation, "@0,-", cut to `size` bytes; returns `text`. */
const char *ranks_lie_text(const struct bli_spread *spread, char *text, size_t size);

/* ---- ranks_report.c, ranks_json.c, ranks_picture.c ---- */

/* Elements of the result. */
int64_t ranks_result_count(const struct ranks *ranks);

/* Whether two ranks move elements through memory of their node. */
bool ranks_is_shared(const struct ranks *ranks, int32_t r, int32_t peer);

/* Print the plan as text, or as one line of JSON; draw it to the file `path`. */
void ranks_report_words(const struct ranks *ranks);
void ranks_report_json(const struct ranks *ranks);
bl_status ranks_picture(const struct ranks *ranks, const char *path);

#endif
