/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how an operation is executed: loop nest, kernel, tiling, number of threads.
 * A plan is plain data, immutable once made; it holds no pointer to data, no team and
 * no placement.
 */
#ifndef BLI_PLAN_H
#define BLI_PLAN_H

#include <broadloom/plan.h>

#include "kernels/kernel.h"
#include "plan/caches.h"
#include "shape/shape.h"

/* The kernel of a user's function, which belongs to no operator. */
struct bli_user_kernel {
    bli_kernel *kernel;
    bl_dtype computed[BLI_MAX_OPERANDS]; /* dtypes of the result, then of each input */
    double element_ns;                   /* nanoseconds per element on one core */
};

/* An operation whose operands are validated and whose rules are resolved. */
struct bli_problem {
    bl_op op;
    const struct bli_user_kernel
        *user_kernel; /* the kernel if `op` is BL_OP_NONE, else ignored */
    int32_t inputs;
    const struct bli_isa *isa;
    struct bli_caches caches; /* asked only where operands are large */
    bool reproducible;  /* vector math functions give the same bits on every machine */
    bool is_sequential; /* if operands overlap, elements are computed in sequential
                           order */
    bl_dtype dtype[BLI_MAX_OPERANDS]; /* in memory: of the result, then of each input */
    /*
     * The dtype that inputs are converted to before the operator is applied (the mask
     * of where stays bool).  The operator's result for this dtype is then converted to
     * the dtype of the result.  Ignored for copy.
     */
    bl_dtype common;
    uint32_t scalars; /* bit k set: input k is a scalar, not a tensor */
    int32_t rank;     /* of the result */
    const int64_t *extent;
    struct bli_strided operand[BLI_MAX_OPERANDS]; /* the result, then each input */
};

/* Maximum bytes of a staging buffer, and maximum number of loops that a tile spans. */
#define BLI_STAGING_BYTES 16384
#define BLI_TILE_LOOPS    6

/* How the iterations of a plan are run. */
enum bli_method {
    BLI_METHOD_NEST,      /* the kernel is called for the nest itself */
    BLI_METHOD_TILES,     /* tile by tile */
    BLI_METHOD_SMALL,     /* all at once, by the small-problem fast path */
    BLI_METHOD_SEQUENTIAL /* element by element, where operands overlap */
};

/*
 * How operands that are staged lie in their buffers, by the loops of a tile.  Along the
 * loops in `repeated` an input's buffer has stride 0 and the kernel repeats it; along
 * the others the buffer is compact.  Copying an operand between memory and its buffer
 * takes loop `second` of the tile as second one; 0: the loops keep their order.
 */
struct bli_tile_layout {
    uint8_t repeated[BLI_MAX_OPERANDS]; /* bit d: loop d of the tile */
    int8_t second[BLI_MAX_OPERANDS];
};

/* Of tiles of adjacent loops, and of multi-loop tiles. */
struct bli_staging_layout {
    struct bli_tile_layout adjacent;
    struct bli_tile_layout permuted;
};

/* Bytes of an element between two conversions: only f16 and bf16 occur there. */
#define BLI_INTERMEDIATE_SIZE 2

/*
 * How operands reach the kernel.  Most are used in place.  Staged operands have a
 * staging buffer of some KiB in L1: an input is moved or converted into it, a result is
 * moved or converted out of it.
 *
 * Work is cut into tiles of the iteration space: all iterations of the loops below
 * `split_loop` and at most `split_length` iterations of that loop.  Where staged
 * operands are contiguous in memory along loops other than the innermost, tiles span
 * `dims` loops instead: tile_extent[d] iterations of loop loop[d], in rising order from
 * loop 0.
 */
struct bli_tiling {
    bool is_used;
    bool prefetches;           /* multi-loop tiles ask for what the next one stages */
    bool non_temporal;         /* the result is written with non-temporal stores */
    bool stages_result_for_nt; /* the result is staged for them: the kernel has no
                                  non-temporal stores */
    uint32_t staged;           /* bit k: operand k has a staging buffer */
    int32_t split_loop;
    int64_t split_length;
    int32_t dims; /* 0: tiles follow `split_loop` */
    int32_t loop[BLI_TILE_LOOPS];
    int64_t tile_extent[BLI_TILE_LOOPS];
    /*
     * Multi-loop tiles are run where a range has at least so many iterations of their
     * outermost loop left, else tiles of adjacent loops.
     */
    int64_t min_iterations;
    struct bli_staging_layout layout;
    /*
     * Conversions between memory and the staging buffer: into it for inputs, out of it
     * for the result.  If `narrow` is not NULL, the conversion takes two steps by way
     * of f16 or bf16, and `narrow` is the second one.
     */
    bli_kernel *convert[BLI_MAX_OPERANDS];
    bli_kernel *narrow[BLI_MAX_OPERANDS];
    /*
     * Bytes of staging memory that each thread needs, the offset of each staged
     * operand's buffer in it, and the offset of the buffer between two conversions.
     */
    int32_t staging;
    int32_t buffer[BLI_MAX_OPERANDS];
    int32_t intermediate;
};

/*
 * The logical order of an operand, in which its elements are paired with the result's;
 * strides in bytes.  An operand that needs a linear copy is copied in this order
 * before the call.
 */
struct bli_logical_order {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];
};

/*
 * Maximum number of elements of a small problem, maximum bytes of a piece, and pieces
 * gathered at a time.
 */
#define BLI_SMALL_COUNT 128
#define BLI_SMALL_BYTES 16
#define BLI_SMALL_BATCH 4

/* Operands that may be gathered from pieces. */
#define BLI_SMALL_TABLES 3

/*
 * The small-problem fast path: each kernel is called once, with operands that are
 * contiguous or have stride 0.  Operands that are neither in memory are gathered piece
 * by piece: index tables hold the offset of each piece, in bytes from the first one.
 */
struct bli_small {
    bool is_used;
    bool needs_no_gather;           /* the kernel works on memory in place */
    int8_t table[BLI_MAX_OPERANDS]; /* index table of operand k; -1: none */
    int8_t piece[BLI_MAX_OPERANDS]; /* bytes of a piece */
    int16_t pieces[BLI_MAX_OPERANDS];
    int64_t stride[2][BLI_MAX_OPERANDS]; /* strides passed to the kernel */
    int32_t at[BLI_SMALL_TABLES][BLI_SMALL_COUNT];
};

struct bl_plan {
    bl_op op;
    int32_t inputs;
    const struct bli_isa *isa; /* of the kernel */
    bli_kernel *kernel;
    bl_dtype dtype[BLI_MAX_OPERANDS];    /* in memory */
    bl_dtype computed[BLI_MAX_OPERANDS]; /* dtypes of the kernel's operands */
    int64_t size[BLI_MAX_OPERANDS];      /* bytes of an element in memory */
    double user_ns;                      /* time per element of a user's kernel */
    int32_t threads;                     /* number of threads by the cost model */
    enum bli_method method;              /* of all iterations; small: on one thread */
    bool binds_late; /* stores, team or staging depend on addresses or the machine */
    struct bli_tiling tiling;
    struct bli_small small;
    uint32_t same_layout_as_result;  /* bit k: operand k has the result's layout */
    int64_t begin[BLI_MAX_OPERANDS]; /* first byte of each operand, relative to its
                                        address */
    int64_t end[BLI_MAX_OPERANDS];   /* one past the last byte */
    bl_dtype common;                 /* as in the problem */
    uint32_t scalars;                /* as in the problem */
    int32_t rank;                    /* of the result, with its extents in `extent` */
    bool is_sequential;       /* as in the problem; `logical_order` is then set for all
                                 operands */
    bool is_integer_division; /* integer division: a divisor of 0 is refused */
    bool is_checked;          /* an earlier call has looked for what it would refuse */
    bool wants_nearest;       /* kernels are called in round-to-nearest mode */
    bool self_overlaps;  /* elements of the result overlap, and are written in order */
    bool adds_to_result; /* sequential: the result takes operand 1 first, then the rest
                          */
    int64_t extent[BL_MAX_RANK];
    /* Last, as bli_plan_keep() keeps what of them is in use. */
    struct bli_nest nest;
    struct bli_logical_order
        logical_order[BLI_MAX_OPERANDS]; /* of operands that need a linear copy, or of
                                            all */
};

/*
 * Make a plan.  Fails with BL_ERR_ARGUMENT if elements of the result overlap and the
 * problem is not sequential, with BL_ERR_DTYPE if there is no kernel; sets the error
 * text.  Allocates nothing; the problem's cache() may.
 */
bl_status bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem);

/*
 * Make a plan in as many bytes of the allocator's as are in use; `*plan` is NULL after
 * errors, of bli_plan_make() and BL_ERR_MEMORY.  bli_plan_free(NULL) does nothing.
 */
bl_status bli_plan_keep(struct bl_plan **plan, const bl_allocator *allocator,
                        const struct bli_problem *problem);
void bli_plan_free(struct bl_plan *plan, const bl_allocator *allocator);

/*
 * Check that no two elements of the result, operand 0 of the nest with elements of
 * `size` bytes, overlap.  BL_ERR_ARGUMENT if they do or may.
 */
bl_status bli_plan_check_result(const struct bli_nest *nest, int64_t size);

/* Choose multi-loop tiles for a plan whose staged operands are known. */
void bli_plan_permuted(struct bl_plan *plan);

/* Choose the tiling of a plan whose nest, kernel and dtypes are set. */
void bli_plan_tile(struct bl_plan *plan, struct bli_caches caches);

/*
 * Choose the staging buffers of a plan whose tiles are set, and the conversions: of
 * instruction set `same` between elements of one size, else of `other`.
 */
void bli_plan_stage(struct bl_plan *plan, const struct bli_isa *same,
                    const struct bli_isa *other);

/*
 * Choose the layout of a plan's staging buffers for operands with the strides of
 * `nest`, which is the plan's or one in which operands are replaced by copies.
 */
void bli_plan_layout(struct bli_staging_layout *layout, const struct bl_plan *plan,
                     const struct bli_nest *nest);

/* Decide whether a plan whose tiling is set takes the small-problem fast path. */
void bli_plan_small(struct bl_plan *plan);

/*
 * Set what follows from a plan's nest and kernel: tiling, then what executions alone
 * need: small-problem fast path, method and number of threads.
 */
void bli_plan_finish(struct bl_plan *plan);
void bli_plan_complete(struct bl_plan *plan);

/* As bli_plan_keep(); to be completed before it is executed. */
bl_status bli_plan_keep_outline(struct bl_plan **plan, const bl_allocator *allocator,
                                const struct bli_problem *problem);

/* The method for a range of iterations, or in a team: not the fast path. */
static inline enum bli_method bli_plan_range_method(const struct bl_plan *plan)
{
    return plan->tiling.is_used ? BLI_METHOD_TILES : BLI_METHOD_NEST;
}

/* Nanoseconds per element of a function: a user's, or a vector function; else 0. */
double bli_plan_function_ns(const struct bl_plan *plan);

/* A number of threads that work pays for, within the range of the type; at least 1. */
static inline int32_t bli_clamp_threads(int64_t threads)
{
    return threads < 1 ? 1 : threads < INT32_MAX ? (int32_t)threads : INT32_MAX;
}

/*
 * Make a plan that copies operand `k` of a plan, each element once, into `*bytes` bytes
 * of compact memory.  `nest` is the plan's nest, or one in which other operands are
 * replaced by copies already; operand `k` in it is replaced by the copy.  The copy plan
 * writes to data[0] and reads the operand from data[1].
 */
void bli_plan_operand_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                           struct bli_nest *nest, int64_t *bytes);

/*
 * Make a plan that copies operand `k`, which needs a linear copy, into `*bytes` bytes
 * of compact memory in logical order.  The nest already has the strides of the copy.
 */
void bli_plan_apart_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                         int64_t *bytes);

/* Make the plan of a single element of a plan. */
void bli_plan_single(struct bl_plan *single, const struct bl_plan *plan);

/*
 * The range of iterations of the nest that part `part` of `parts` executes.  Ranges are
 * contiguous and together cover every iteration exactly once; split points lie on cache
 * lines of a dense result.  Pure.
 */
bl_range bli_plan_range(const struct bl_plan *plan, int32_t part, int32_t parts);

/* Iterations of a dense result per cache line: split points are multiples of this. */
int64_t bli_plan_line(const struct bl_plan *plan);

#endif
