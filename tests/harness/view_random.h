/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random layouts, and random views of a model.
 */
#ifndef TESTS_VIEW_RANDOM_H
#define TESTS_VIEW_RANDOM_H

#include "problem.h"
#include "reference/view_model.h"

/* Make a random layout: small, with any strides and any offset. */
void view_roll_layout(struct rng *rng, bl_layout *layout);

/*
 * Make a random view of that kind with valid arguments; false if this attempt found
 * none.
 */
bool view_roll(struct rng *rng, enum view_kind kind, const struct model *from,
               struct view *view);

#endif
