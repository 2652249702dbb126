/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of calls over ranks.
 */
#ifndef BLI_MPI_PLAN_H
#define BLI_MPI_PLAN_H

#include "mpi/entry/entry.h"

/* A box of this rank's result, which is computed by a call of its own. */
struct bli_section {
    struct bli_box box;
    bl_plan *plan;  /* borrowed, of an earlier section of the same extents, */
    bool owns_plan; /* or its own */
    int64_t out;    /* bytes from the result's address to its first element; */
    int64_t in[BL_MAX_INPUTS]; /* and from an operand's, or what is assembled of it */
    bool is_assembled[BL_MAX_INPUTS];
};

struct bl_mpi_plan {
    bl_mpi_grid *grid; /* a reference */
    struct bli_spread_call call;
    int32_t sections; /* of this rank's part; 0 where it has no elements */
    struct bli_section *section;
    int32_t order[BL_MAX_INPUTS]; /* in which operands move, on all ranks */
    bool is_in_place;             /* the result is operand 0 */
    bool is_early;   /* sections are computed when their elements are there */
    bool has_values; /* some divisors may be refused when they have arrived */
    bl_tensor *workspace;
    char *buffers; /* in it, for messages */
    bool is_tensor[BL_MAX_INPUTS];
    struct bli_block own[BL_MAX_INPUTS];       /* what this rank has, without a base */
    struct bli_block assembled[BL_MAX_INPUTS]; /* base NULL: nothing is */
    struct bli_block way[BL_MAX_INPUTS]; /* between two stages; base NULL: nothing */
    struct bli_block result;             /* this rank's, without a base */
    struct bli_lines_memory lines[BL_MAX_INPUTS]; /* of those in linear order */
    bl_tensor
        *ordered[BL_MAX_INPUTS]; /* their own part in row-major order; NULL: it is */
    int64_t number;              /* among the grid's plans: equal on all ranks */

    /* Of a remembered plan, see remember.h. */
    const char *function; /* that it is a call of; NULL: it was not remembered */
    bool has_out;
    uint32_t out_flags;
    struct bli_ballot ballot;
};

/*
 * Make a plan, without a vote; of a new result where `out` is NULL.  Adds to the ballot
 * what all ranks must have alike.  Rank 0 raises the warnings of the call, which
 * returns to `address`.
 */
bl_status bli_mpi_plan_build(const void *address, bl_mpi_grid *grid, bl_context *ctx,
                             bl_op op, const bl_mpi_tensor *out, int32_t count,
                             const bl_mpi_operand *in, const bl_mpi_options *options,
                             struct bli_ballot *ballot, bl_mpi_plan **plan);

/* Whether a call by a context, with these options or NULL, has sequential results. */
bool bli_mpi_is_sequential(const bl_context *ctx, const bl_options *call);

/*
 * Vote on a call whose part on this rank has `status` so far, and execute the plan, to
 * `out` from `data`: addresses as of bl_mpi_plan_execute().
 */
bl_status bli_mpi_plan_run(const bl_mpi_plan *plan, bl_context *ctx,
                           const struct bli_ballot *ballot, bl_status status, void *out,
                           const void *const *data);

/* A call while it is planned. */
struct bli_draft {
    bl_mpi_plan *plan;
    bl_context *ctx;
    const bl_mpi_tensor *out; /* NULL: a new one */
    const bl_mpi_operand *in;
    struct bli_spread_operand operand[BL_MAX_INPUTS];
    struct bli_spread_options options;
    const void *address; /* to which the program's call returns */
};

/* ---- executions (execute.c, arrive.c) ---- */

/* A plan that is executed. */
struct bli_execution {
    const bl_mpi_plan *plan;
    bl_context *ctx;
    char *out;
    const char *data[BL_MAX_INPUTS];
    bl_tensor *copy[BL_MAX_INPUTS]; /* of those that overlap the result, or NULL */
    bl_plan_begun *begun[BLI_TILES];
    bool is_early;              /* whether they are computed before all has moved */
    int64_t missing[BLI_TILES]; /* elements of all operands, of sections; */
    int32_t moving;             /* the operand that moves */
    struct bli_beside beside;   /* what is done while it does */
};

/*
 * Compute sections early: from now on, before anything has moved.  They have begun, so
 * that nothing can fail, and none writes what another one reads or a message sends.
 */
void bli_arrive_begin(struct bli_execution *run);

/* All of operand k is there, of which messages told nothing. */
void bli_arrive_whole(struct bli_execution *run, int32_t k);

/* Plan this rank's part of a call that is planned as a whole (part.c). */
bl_status bli_mpi_plan_part(struct bli_draft *draft);

/*
 * Plan the calls that make it (sections.c); what broadcasting changes is a matter of
 * the whole.
 */
bl_status bli_mpi_plan_sections(struct bli_draft *draft,
                                const struct bli_sections *sections);

#endif
