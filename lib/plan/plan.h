/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how an operation is done: nest, kernel, split.  A plan is plain data,
 * immutable once made; it holds no pointer to data, no team and no placement.
 */
#ifndef BLI_PLAN_H
#define BLI_PLAN_H

#include <broadloom/plan.h>

#include "kernels/kernel.h"
#include "shape/shape.h"

/* A kernel that no operator has. */
struct bli_user_kernel {
    bli_kernel *kernel;
    bl_dtype computed[BLI_MAX_OPERANDS]; /* what it gives and takes */
    double element_ns;                   /* of one core, for an element */
};

/* An operation whose operands are validated and whose rules are resolved. */
struct bli_problem {
    bl_op op;
    const struct bli_user_kernel
        *given; /* where `op` is BL_OP_NONE, else not looked at */
    int32_t inputs;
    const struct bli_isa *isa;
    bool reproducible;  /* vector mathematics gives the same bits on every machine */
    bool is_sequential; /* where operands overlap, the order of elements is observed */
    bl_dtype dtype[BLI_MAX_OPERANDS]; /* in memory: of the result, then of each input */
    /*
     * What inputs are converted to before the operator is applied (where's mask stays
     * bool), and what its result is the operator's result of; that is converted to the
     * result's dtype.  Not looked at for copy.
     */
    bl_dtype common;
    uint32_t scalars; /* bit k set: input k is a number, not a tensor */
    int32_t rank;     /* of the result */
    const int64_t *extent;
    struct bli_strided operand[BLI_MAX_OPERANDS]; /* the result, then each input */
};

/* Bytes of a tile at most, and loops of a box. */
#define BLI_STAGING_BYTES 16384
#define BLI_TILE_LOOPS    6

/* Bytes of an element between two conversions, where only f16 and bf16 stand. */
#define BLI_INTERMEDIATE_SIZE 2

/*
 * How operands come to the kernel: most work on memory, others have a tile of some KiB
 * in the first cache, to which an input is moved or converted, and from which a result
 * is.
 *
 * Work is cut into boxes of the nest: whole turns of the loops below `split_loop` and
 * at most `split_length` iterations of that one.  Where staged operands run through
 * memory along other loops than the innermost, boxes are across `dims` loops,
 * tile_extent[d] iterations of loop loop[d], rising from loop 0 on.
 */
struct bli_tiling {
    bool is_used;
    bool exceeds_l2;           /* operands are too large for the first caches */
    bool non_temporal;         /* the result goes past the caches */
    bool stages_result_for_nt; /* for that it has a tile: the kernel cannot */
    uint32_t staged;           /* bit k: operand k has a tile */
    int32_t split_loop;
    int64_t split_length;
    int32_t dims; /* 0: none across loops */
    int32_t loop[BLI_TILE_LOOPS];
    int64_t tile_extent[BLI_TILE_LOOPS];
    /*
     * Between memory and the tile: of inputs to it, of the result from it.  Where
     * `narrow` is not NULL, the dtype in between is f16 or bf16, and it is the second
     * step.
     */
    bli_kernel *convert[BLI_MAX_OPERANDS];
    bli_kernel *narrow[BLI_MAX_OPERANDS];
    /*
     * Bytes of staging that a thread needs, where the tiles of staged operands are in
     * it, and what stands between two conversions.
     */
    int32_t staging;
    int32_t buffer[BLI_MAX_OPERANDS];
    int32_t intermediate;
};

/*
 * An operand's elements in the order in which they meet the result's, strides in
 * elements: what is copied before a call where the nest has it apart.
 */
struct bli_logical_order {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];
};

/* Elements of a plan of few; bytes of a piece of them, at most; pieces at a time. */
#define BLI_SMALL_COUNT 128
#define BLI_SMALL_BYTES 16
#define BLI_SMALL_BATCH 4

/* Operands that may be in pieces. */
#define BLI_SMALL_TABLES 3

/*
 * How few elements are done in one call of each kernel, for which all operands lie
 * densely or stand still.  Those that do not in memory are taken from there piece by
 * piece: tables say where each is, in bytes from the first one.
 */
struct bli_small {
    bool is_used;
    bool needs_no_gather;           /* memory is what the kernel works on */
    int8_t table[BLI_MAX_OPERANDS]; /* of operand k; -1: none */
    int8_t piece[BLI_MAX_OPERANDS]; /* bytes */
    int16_t pieces[BLI_MAX_OPERANDS];
    int64_t stride[2][BLI_MAX_OPERANDS]; /* for the kernel */
    int32_t at[BLI_SMALL_TABLES][BLI_SMALL_COUNT];
};

struct bl_plan {
    bl_op op;
    int32_t inputs;
    const struct bli_isa *isa;
    bli_kernel *kernel;
    bl_dtype dtype[BLI_MAX_OPERANDS];    /* in memory */
    bl_dtype computed[BLI_MAX_OPERANDS]; /* what the kernel takes and gives */
    int64_t size[BLI_MAX_OPERANDS];      /* bytes of an element in memory */
    double user_ns;                      /* a given kernel's time of an element */
    int32_t threads;                     /* that the work is worth */
    bool reserves; /* staging that is not on the stack of one thread */
    struct bli_tiling tiling;
    struct bli_small small;
    uint32_t same_layout_as_result;  /* bit k: operand k lies in memory as the result */
    int64_t begin[BLI_MAX_OPERANDS]; /* first byte of each, from its address */
    int64_t end[BLI_MAX_OPERANDS];   /* and the one past the last */
    bl_dtype common;                 /* as in the problem */
    uint32_t scalars;                /* as in the problem */
    int32_t rank;                    /* of the result, with its extents in `extent` */
    bool is_sequential;              /* as in the problem: `own` is there of all */
    bool is_integer_division;        /* integers: by no 0 */
    bool wants_nearest;              /* kernels are called with rounding to nearest */
    bool self_overlaps;              /* the result repeats elements, in their order */
    struct bli_nest nest;
    int64_t extent[BL_MAX_RANK];
    struct bli_logical_order
        logical_order[BLI_MAX_OPERANDS]; /* of those that are apart, or of all */
};

/*
 * Decide.  Fails with BL_ERR_ARGUMENT where the result repeats an element and the
 * problem is not sequential, BL_ERR_DTYPE where there is no kernel; sets the error
 * text.  Does not allocate.
 */
bl_status bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem);

/*
 * Whether the result, operand 0 of a nest and of elements of `size` bytes, is free of
 * repeated elements; else BL_ERR_ARGUMENT.
 */
bl_status bli_plan_check_result(const struct bli_nest *nest, int64_t size);

/* Decide the boxes across loops of a plan whose staged operands are known. */
void bli_plan_permuted(struct bl_plan *plan);

/* Decide the tiling of a plan whose nest, kernel and dtypes are there. */
void bli_plan_tile(struct bl_plan *plan);

/* Decide the conversions and the staging of a plan whose boxes are decided. */
void bli_plan_stage(struct bl_plan *plan);

/* Decide whether a plan that is tiled is one of few elements. */
void bli_plan_small(struct bl_plan *plan);

/* Threads that a plan's nest and kernel are worth, at least 1.  Pure. */
int32_t bli_plan_thread_count(const struct bl_plan *plan);

/*
 * Plan of copying operand `k` of a plan, each of its elements once, into `*bytes` bytes
 * of compact memory; `nest`, the plan's nest or one with other copies, becomes the one
 * with that copy in the operand's place.  The copy's result goes to data[0], the
 * operand is data[1].
 */
void bli_plan_operand_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                           struct bli_nest *nest, int64_t *bytes);

/* The same of operand `k` that the nest has apart, whose strides there are the copy's.
 */
void bli_plan_apart_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                         int64_t *bytes);

/*
 * The iterations of the nest that part `part` of `parts` does: contiguous, together all
 * of them exactly once, borders on cache lines of a dense result.  Pure.
 */
bl_range bli_plan_range(const struct bl_plan *plan, int32_t part, int32_t parts);

/*
 * Iterations of a dense result that share a cache line: what borders are multiples of.
 */
int64_t bli_plan_line(const struct bl_plan *plan);

#endif
