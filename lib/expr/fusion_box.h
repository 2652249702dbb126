/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of a fusion at addresses, box after box. */
#ifndef BLI_FUSION_BOX_H
#define BLI_FUSION_BOX_H

#include "expr/fusion_plan.h"

/* A fusion's operands at addresses: of their first elements in the loops. */
struct bli_fusion_binding {
    const struct bli_fusion *fusion;
    uint32_t streams; /* results that are written by non-temporal stores */
    bool is_apart;    /* results overlap nothing that is read */
    bool is_in_place; /* they are over what programs read after their stores */
    char *data[BLI_FUSION_OPERANDS];
    char *partials; /* of reductions' blocks */
};

/*
 * Compute an operation that is no reduction, for `rows` rows of `count` elements, with
 * the places of the first one at these addresses.
 */
void bli_fusion_operate(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_operation *operation, char *const *at,
                        int64_t count, int64_t rows);

/*
 * Compute an operation for a box of rows piece by piece: before each piece the same one
 * of the box that follows is prefetched, of `operation->ahead`, which are at `data`.
 */
void bli_fusion_operate_ahead(const struct bli_fusion_binding *binding,
                              const struct bli_fusion_operation *operation,
                              char *const *at, char *const *data, int64_t count,
                              int64_t rows);

/* The program of an operation, if it is one. */
static inline const struct bli_program *
bli_fusion_program(const struct bli_fusion_binding *binding,
                   const struct bli_fusion_operation *operation)
{
    return binding->is_in_place && operation->in_place ? operation->in_place
                                                       : operation->program;
}

/* Copy operand `k` between memory and its buffer, `run` iterations of loop `level`. */
void bli_fusion_copy(const struct bli_fusion *fusion, int32_t k, int32_t level,
                     int64_t run, char *to, char *from);

/* Run all of a fusion that is one small box. */
void bli_fusion_run_small(const struct bli_fusion_binding *binding, char *staging);

/* Run a range on the calling thread, with staging memory of its own. */
void bli_fusion_walk(const struct bli_fusion_binding *binding, bl_range range,
                     char *staging);

/* ---- with reductions ---- */

/*
 * Whether a program adds rows of `count` elements of a box to the lanes of a reduction:
 * of blocks, not the shorter last one.
 */
static inline bool bli_fusion_adds(const struct bli_fusion *fusion, int64_t count)
{
    return fusion->order == BLI_ORDER_ROWS || count == BLI_REDUCE_BLOCK;
}

/*
 * Fill a buffer with `count` elements of a pieced operand, from element `at` of the
 * loops that are joined; `from` is their first one.
 */
void bli_fusion_fill_pieces(const struct bli_fusion *fusion, int32_t k, char *to,
                            char *from, int64_t at, int64_t count);

/* Run a range of a fusion's items on the calling thread. */
void bli_fusion_walk_rows(const struct bli_fusion_binding *binding, bl_range range,
                          char *staging);

/* What a reduction takes: rows of `count` elements. */
struct bli_reduced_rows {
    char *data;
    int64_t step; /* bytes from row to row */
    int64_t rows, count;
    char *scratch; /* for converted elements */
    char *lanes;   /* of each row, to which a program has added it; NULL: none has */
};

/* Reduce whole rows to results, `to_step` bytes apart. */
void bli_fusion_reduce_rows(const struct bli_fusion_fold *fold,
                            const struct bli_reduced_rows *in, char *to,
                            int64_t to_step);

/*
 * Before a box of rows is computed: set the lanes that programs add them to, or have
 * programs write what is less than a block to buffers.
 */
void bli_fusion_begin_lanes(const struct bli_fusion *fusion, char *staging, char **at,
                            int64_t rows, int64_t count);

/* Reduce rows that are blocks, or the lanes of those, to partial results. */
void bli_fusion_reduce_blocks(const struct bli_fusion_fold *fold,
                              const struct bli_reduced_rows *in, char *partial);

/*
 * Reduce rows that are a block of columns to partial results; false, with nothing done,
 * where they are to be accumulated in lanes.
 */
bool bli_fusion_reduce_whole_columns(const struct bli_fusion_fold *fold,
                                     const struct bli_reduced_rows *in, char *partial);

/*
 * Accumulate rows from element `first` of a block of columns on in lanes, of `turn`
 * rows.
 */
void bli_fusion_reduce_columns(const struct bli_fusion_fold *fold,
                               const struct bli_reduced_rows *in, char *lane,
                               int64_t first, int64_t turn);

/* Bytes of the largest partial result. */
#define BLI_FUSION_PARTIAL 16

/* Finalize `count` partial results, without gaps, and store them. */
void bli_fusion_store(const struct bli_fusion_fold *fold, char *partial, char *to,
                      int64_t to_step, int64_t count);

/* Store the partial results of a range of a reduction's results. */
void bli_fusion_store_results(const struct bli_fusion_binding *binding,
                              const struct bli_fusion_fold *fold, char *partial,
                              bl_range range);

/* Combine the blocks of a range of a reduction's results, and store them. */
void bli_fusion_combine(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_fold *fold, bl_range range);

#endif
