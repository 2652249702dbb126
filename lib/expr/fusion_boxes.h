/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of a fusion: how long they are, and what operands are in them. */
#ifndef BLI_FUSION_BOXES_H
#define BLI_FUSION_BOXES_H

#include "expr/fusion_plan.h"

/* Choose the loops of a box. */
void bli_fusion_cut(struct bli_fusion_draft *draft);

/* Whether an operand is one element for a whole box; whether they are contiguous. */
bool bli_fusion_is_still(const struct bli_fusion_draft *draft, int32_t k);
bool bli_fusion_is_dense(const struct bli_fusion_draft *draft, int32_t k);

/* Whether rows of an operand are of so few halves that they are staged. */
bool bli_fusion_has_short_halves(const struct bli_fusion_draft *draft, int32_t k);

/* Whether an operand has another dtype in memory. */
static inline bool bli_fusion_is_converted(const struct bli_fusion *made, int32_t k)
{
    return made->operand[k].dtype != made->operand[k].computed;
}

/* ---- with reductions ---- */

/*
 * Join the loops that are reduced, where the innermost is one of several, to one inside
 * all others: operands are then read in logical order.  False where reductions are
 * used in the fusion, or a result has all elements in another order.
 */
bool bli_fusion_join(struct bli_fusion_draft *draft);

/* Columns of an item, as many as give each thread some. */
int64_t bli_fusion_columns(const struct bli_fusion_draft *draft);

/*
 * Rows of a box of columns, each of so many bytes in buffers, of which there are
 * `most`.
 */
int64_t bli_fusion_columns_rows(const struct bli_fusion_draft *draft, int64_t bytes,
                                int64_t most);

/*
 * Decide the reductions of a fusion, once its order is known: false where there are
 * more than have room; then the memory that they need, once its boxes are.
 */
bool bli_fusion_choose_folds(struct bli_fusion_draft *draft);
void bli_fusion_place_folds(struct bli_fusion_draft *draft);

/* Whether programs add to lanes all that is reduced: rows are in no buffers. */
bool bli_fusion_adds_all(const struct bli_fusion_draft *draft);

/* Whether a pass is over rows so short, in any order, that calls reduce columns. */
static inline bool bli_fusion_has_short_rows(const struct bli_fusion_draft *draft,
                                             const struct bli_fusion_pass *pass)
{
    return draft->made.order == BLI_ORDER_ROWS && !pass->stage &&
           pass->reducer->is_free && draft->made.reduced < pass->reducer->short_row;
}

/* Bytes of the largest element that the reductions convert elements to; 0: none do. */
int64_t bli_fusion_converted(const struct bli_fusion_draft *draft);

#endif
