/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of calls over ranks, a part of <broadloom/mpi.h>.  A plan has no operands'
 * addresses, but workspace, and a reference to its grid.
 */
#ifndef BROADLOOM_MPI_PLAN_H
#define BROADLOOM_MPI_PLAN_H

#include <broadloom/mpi.h>

/* A call that is decided once and made many times. */
typedef struct bl_mpi_plan bl_mpi_plan;

/* What one rank does in a planned call, and all of them together. */
typedef struct bl_mpi_plan_info {
    size_t size;         /* set by the caller to sizeof(bl_mpi_plan_info); see base.h */
    int64_t local_count; /* elements of its part of the result */
    int64_t messages, bytes;                   /* that it sends by MPI_Isend() */
    int64_t received_messages, received_bytes; /* that it receives so */
    int64_t node_bytes;  /* of those sent and received, with ranks of other nodes */
    int64_t workspace;   /* bytes of memory beside operands and result, at most */
    int64_t total_bytes; /* that all ranks send, or share; more than the least where an
                            operand enters nodes once and moves on within them */
    int64_t least_bytes; /* that no plan for this result can do without */
    int64_t shared_bytes, shared_received_bytes; /* that it gives to and gets from ranks
                            of its node without messages, through memory they share */
} bl_mpi_plan_info;

BL_BEGIN_DECLS

/*
 * Plan bl_mpi_apply(), or bl_mpi_apply_new() where `out` is NULL.  Collective, except
 * over a described grid.  BL_ERR_ARGUMENT for elements that are not aligned and do not
 * move.  Free it with bl_mpi_plan_destroy().
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_plan_create(
    bl_context *ctx, bl_op op, const bl_mpi_tensor *out, int32_t count,
    const bl_mpi_operand *in, const bl_mpi_options *options, bl_mpi_plan **plan);

/*
 * Execute a plan.  Collective.  `out` and `data` are the addresses of element
 * (0, ..., 0) of this rank's blocks of the result and of the tensors, and of the
 * arrays; blocks have the strides that the plan was made for, those of the result of a
 * plan without `out` are compact.  It begins with a vote.
 */
BL_API BL_MUST_CHECK bl_status bl_mpi_plan_execute(bl_context *ctx,
                                                   const bl_mpi_plan *plan, void *out,
                                                   const void *const *data);

/* What a rank does.  Local: every rank can ask about every rank. */
BL_API BL_MUST_CHECK bl_status bl_mpi_plan_query(const bl_mpi_plan *plan,
                                                 int32_t of_rank,
                                                 bl_mpi_plan_info *info);

/* Write how operands and result lie and what moves, as lines of text.  Local. */
BL_API BL_MUST_CHECK bl_status bl_mpi_plan_explain(const bl_mpi_plan *plan,
                                                   bl_write_function write, void *user);

/* Free a plan; NULL: nothing.  Local. */
BL_API void bl_mpi_plan_destroy(bl_mpi_plan *plan);

BL_END_DECLS

#endif
