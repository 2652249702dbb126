/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The objects behind <broadloom/mpi.h>, and what its functions share.
 *
 * A collective call has three parts: what this rank does alone, which may fail; the
 * vote on it; and what all ranks do then, which fails by MPI alone.
 */
#ifndef BLI_ENTRY_H
#define BLI_ENTRY_H

#include <broadloom/mpi.h>
#include <broadloom/plan.h>
#include <broadloom/tensor.h>

#include "mpi/carry/carry.h"

enum { BLI_REMEMBERED = 32 };

/*
 * Plans of the last calls, the latest first, without references to the grid
 * (remember.c); NULL: none.
 */
struct bli_remembered {
    struct bl_mpi_plan *plan[BLI_REMEMBERED];
    struct bli_reducing *reducing[BLI_REMEMBERED];
};

/* Memory that is reserved, and the context that allocates of it (arena.c). */
struct bli_arena {
    bl_context *ctx;
    char *begin, *next, *end;
};

struct bl_mpi_grid {
    atomic_int references;
    struct bli_grid shape;
    struct bli_link *link;  /* NULL: only described */
    bl_context *ctx;        /* its own */
    struct bli_arena arena; /* of the call that is being made; no context: described */
    int64_t number;         /* among the grids of its link: equal on all ranks */
    int64_t plans;          /* so far: equal on all ranks */
    bl_mpi_grid_info info;
    struct bli_remembered remembered;
    char threads_text[80];
};

void bli_reducing_free(struct bli_reducing *reducing); /* NULL: nothing */

/* Free what a grid remembers, before its context. */
void bli_mpi_forget(struct bli_remembered *remembered);

struct bl_mpi_tensor {
    atomic_int references;
    bl_mpi_grid *grid;
    struct bli_spread *spread;
    bl_dtype dtype;
    bl_tensor *block; /* this rank's; NULL: the grid is only described */
};

/* ---- calls (agree.c) ---- */

/*
 * Begin a collective call on a grid: checks that there is one and that MPI can be
 * called, and begins the ballot.  After a failure there is no vote.
 */
bl_status bli_mpi_begin(const bl_mpi_grid *grid, struct bli_ballot *ballot,
                        const char *function);

/* Vote on a call, see bli_mpi_vote(); `status` itself where the grid is only described.
 */
bl_status bli_mpi_agree(const bl_mpi_grid *grid, const struct bli_ballot *ballot,
                        bl_status status);

/* The context of a call: NULL is the grid's. */
bl_context *bli_mpi_context(bl_context *ctx, const bl_mpi_grid *grid);

/* The program's dims of a tensor of so many dimensions; NULL ones are not read. */
bl_status bli_mpi_dims(int32_t rank, const bl_mpi_dim *dims,
                       struct bli_dim dim[BL_MAX_RANK]);

/* Refuse a path that is null, and add it to the ballot. */
bl_status bli_mpi_path(const char *path, struct bli_ballot *ballot);

/* Refuse a null argument. */
bl_status bli_mpi_null(const char *name);

/*
 * Read a sized struct of the program's into the library's, `bytes` long, of which
 * members beyond its size are 0.  NULL: all are.
 */
bl_status bli_mpi_read_options(const char *name, const void *given, void *known,
                               size_t bytes);

/*
 * Read the options of a call, which errors call `name`, and add its limits to a ballot
 * unless that is NULL (plan.c).
 */
bl_status bli_mpi_read_limits(const char *name, const bl_mpi_options *given,
                              bl_mpi_options *known, struct bli_ballot *ballot);
enum bli_may_move bli_mpi_may_move(int32_t move);

/* Write an info of the library's to the program's; its size is its first member. */
bl_status bli_mpi_write_info(void *info, const void *known, size_t bytes);

/* ---- memory that is reserved (arena.c) ---- */

/*
 * Give an arena its context, which allocates from what bli_arena_use() named last, and
 * releases nothing.  BL_ERR_MEMORY.
 */
bl_status bli_arena_open(struct bli_arena *arena);
void bli_arena_use(struct bli_arena *arena, void *memory, size_t bytes);

/* ---- threads of the ranks of a node (threads.c) ---- */

enum { BLI_SEAT_WORDS = 32 };

/* What one rank may use of its node. */
struct bli_seat {
    uint64_t mask[BLI_SEAT_WORDS]; /* processors, bit by bit */
    int32_t quota;                 /* processors that a control group allows; 0: none */
    int32_t team;                  /* threads that it would use if it were alone */
    int32_t limit;                 /* a bl_team_limit: why */
    int32_t is_base; /* whether its instruction set has no FMA, by which f64 differs */
};

/* Describe this rank's, with the settings of `ctx`. */
bl_status bli_seat_query(bl_context *ctx, struct bli_seat *seat);

/*
 * The threads of rank `self` of the `count` ranks of a node, so that all together have
 * no more than the node's processors, but each has one.  `text` says why; `own` has
 * room for `count` numbers.  Pure.
 */
int32_t bli_seat_threads(int32_t count, const struct bli_seat *seat, int32_t self,
                         int32_t *own, char *text, size_t size);

/* ---- tensors (tensor.c) ---- */

/*
 * A tensor of a spread; takes `spread` and `block` in any case, also NULL ones after a
 * failure of what makes them.  BL_ERR_MEMORY.
 */
bl_status bli_mpi_tensor_make(bl_mpi_grid *grid, struct bli_spread *spread,
                              bl_dtype dtype, bl_tensor *block, bl_mpi_tensor **out);

/* A tensor with memory that is not initialised; takes `spread` in any case. */
bl_status bli_mpi_tensor_new(bl_mpi_grid *grid, bl_context *ctx,
                             struct bli_spread *spread, bl_dtype dtype,
                             bl_mpi_tensor **out);

/* The block of an array that has a rank's box of a spread. */
bl_status bli_mpi_array_block(const bl_array *array, const struct bli_spread *spread,
                              int32_t of_rank, struct bli_block *block);

/* Vote on a tensor that was made, or could not be, and hand it over or release it. */
bl_status bli_mpi_finish(const bl_mpi_grid *grid, const struct bli_ballot *ballot,
                         bl_status status, bl_mpi_tensor *made, bl_mpi_tensor **out);

#endif
