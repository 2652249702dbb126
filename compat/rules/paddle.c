/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PaddlePaddle's elementwise rules as of v2.1: one of two operands is placed at `axis`
 * of the other.
 *
 * Where v2.1 reads out of bounds or infers an extent of -1, the answer is that of v0.12
 * to v1.5 if they defined one: the shape of the second operand, without its trailing
 * ones, must then be a contiguous part of the first's.  Everything else is refused.
 */
#include <broadloom/compat.h>
#include <broadloom/error.h>

#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Size of a shape in an error text; a longer one is cut. */
#define SHAPE_TEXT 448

/* Operands x and y, and where the one of lower rank (y if equal) is placed. */
struct placement {
    const bl_shape *x;
    const bl_shape *y;
    int32_t rank;        /* of the result: the higher one */
    int32_t axis;        /* resolved: 0 to rank - 1 */
    const char *name[2]; /* of x and y */
    bool is_x_placed;
};

static bool same_shape(const bl_shape *x, const bl_shape *y)
{
    return x->rank == y->rank &&
           (x->rank == 0 ||
            memcmp(x->extent, y->extent, (size_t)x->rank * sizeof *x->extent) == 0);
}

static int32_t rank_without_trailing_ones(const bl_shape *shape)
{
    int32_t rank = shape->rank;

    while (rank > 0 && shape->extent[rank - 1] == 1)
        rank--;
    return rank;
}

/* Extent of an operand along dimension d of the result: 1 where it has none. */
static int64_t extent_at(const bl_shape *shape, int32_t axis, int32_t d)
{
    return d >= axis && d - axis < shape->rank ? shape->extent[d - axis] : 1;
}

/* The error of an axis below 0 or beyond the result's rank, in PaddlePaddle's words. */
static bl_status refuse_axis(const struct placement *at)
{
    if (at->axis < 0)
        (void)bl_error_set(BL_ERR_SHAPE,
                           "Axis should be great than or equal to 0, but received axis "
                           "is %" PRId32 ".",
                           at->axis);
    else
        (void)bl_error_set(BL_ERR_SHAPE,
                           "Axis should be less than %" PRId32
                           ", but received axis is %" PRId32 ".",
                           at->rank, at->axis);
    return bl_error_set_extents(BL_ERR_SHAPE, at->axis, "axis", -1, NULL, -1);
}

/*
 * The error of extents x and y that do not match in dimension d of the result.  As
 * upstream's, it does not name the dimension where one of them is 0.
 */
static bl_status refuse_mismatch(const struct placement *at, int64_t x, int64_t y,
                                 int32_t d)
{
    char x_text[SHAPE_TEXT], y_text[SHAPE_TEXT], where[24] = "";

    if (x != 0 && y != 0)
        snprintf(where, sizeof where, " at i:%" PRId32, d);
    (void)bl_error_set(BL_ERR_SHAPE,
                       "Broadcast dimension mismatch. Operands could not be broadcast "
                       "together with the shape of X = %s and the shape of Y = %s. "
                       "Received [%" PRId64 "] in X is not equal to [%" PRId64
                       "] in Y%s.",
                       bli_shape_print(x_text, SHAPE_TEXT, ", ", at->x),
                       bli_shape_print(y_text, SHAPE_TEXT, ", ", at->y), x, y, where);
    return bl_error_set_extents(BL_ERR_SHAPE, d, at->name[1], y, at->name[0], x);
}

/* Set `at->axis` to the result's axis that a query's stands for.  BL_ERR_SHAPE. */
static bl_status resolve_axis(struct placement *at, int32_t axis)
{
    const int32_t difference = at->x->rank > at->y->rank ? at->x->rank - at->y->rank
                                                         : at->y->rank - at->x->rank;

    if (axis < -at->rank || axis >= at->rank)
        return bl_error_set_extents(bl_error_set(BL_ERR_SHAPE,
                                                 "The axis range must be [%" PRId32
                                                 ", %" PRId32 "), but axis is %" PRId32
                                                 ". Please set the axis again.",
                                                 -at->rank, at->rank, axis),
                                    axis, "axis", -1, NULL, -1);
    at->axis = axis < 0 ? difference + axis + 1 : axis;
    if (at->axis < 0 || at->axis >= at->rank)
        return refuse_axis(at);
    return BL_OK;
}

/*
 * Whether v0.12 to v1.5 define the result: the shape of y, without its trailing ones,
 * is the part of x's shape that begins at `at->axis`.
 */
static bool is_part(const struct placement *at)
{
    const int32_t rank = rank_without_trailing_ones(at->y);

    if (at->is_x_placed || (rank > 0 && at->axis + rank > at->rank))
        return false;
    for (int32_t d = 0; d < rank; d++)
        if (at->y->extent[d] != at->x->extent[at->axis + d])
            return false;
    return true;
}

/*
 * Set the result's extents as v1.7 to v2.1 do.  BL_ERR_SHAPE unless all dimensions of
 * the placed operand lie within the other's, and extents are equal or one of them is 1,
 * and none is 0.
 */
static bl_status pair_extents(const struct placement *at, int64_t *extent)
{
    const bl_shape *placed = at->is_x_placed ? at->x : at->y;

    if (at->axis + placed->rank > at->rank)
        return bl_error_set_extents(bl_error_set(BL_ERR_SHAPE,
                                                 "Axis %" PRId32
                                                 " leaves no place for %" PRId32
                                                 " dimensions among %" PRId32 ".",
                                                 at->axis, placed->rank, at->rank),
                                    at->axis, "axis", -1, NULL, -1);
    for (int32_t d = 0; d < at->rank; d++) {
        const int64_t x = extent_at(at->x, at->is_x_placed ? at->axis : 0, d);
        const int64_t y = extent_at(at->y, at->is_x_placed ? 0 : at->axis, d);

        if (x == 0 && y == 0)
            return bl_error_set_extents(
                bl_error_set(BL_ERR_SHAPE,
                             "Broadcasting beside an extent of 0 is not defined, but "
                             "received [0] at i:%" PRId32 ".",
                             d),
                d, at->name[1], 0, at->name[0], 0);
        if (x == 0 || y == 0 || (x != y && x != 1 && y != 1))
            return refuse_mismatch(at, x, y, d);
        extent[d] = x == 1 ? y : x;
    }
    return BL_OK;
}

/* Set the result's extents, and the placement, of operands whose shapes differ. */
static bl_status place(struct placement *at, int32_t axis, int64_t *extent)
{
    bl_status status = resolve_axis(at, axis);

    if (status != BL_OK)
        return status;
    if (is_part(at))
        memcpy(extent, at->x->extent, (size_t)at->rank * sizeof *extent);
    else
        status = pair_extents(at, extent);
    if (status == BL_OK && axis < BL_AXIS_LAST) {
        /* As upstream: errors of shapes come before that of a negative axis. */
        at->axis = axis;
        return refuse_axis(at);
    }
    return status;
}

/* BL_ERR_SHAPE where an in-place call would change the shape of operand 0. */
static bl_status check_in_place(const bl_rules_query *query,
                                const bl_rules_answer *answer)
{
    const bl_shape *own = &query->operand[0].shape;
    const bl_shape result = {.rank = answer->rank, .extent = answer->extent};
    char own_text[SHAPE_TEXT], result_text[SHAPE_TEXT];

    if (query->mode != BL_MODE_IN_PLACE || same_shape(own, &result))
        return BL_OK;
    return bl_error_set_extents(
        bl_error_set(BL_ERR_SHAPE,
                     "The shape of broadcast output %s is different from that of "
                     "inplace tensor %s in the Inplace operation.",
                     bli_shape_print(result_text, SHAPE_TEXT, ", ", &result),
                     bli_shape_print(own_text, SHAPE_TEXT, ", ", own)),
        -1, query->operand[0].name, -1, NULL, -1);
}

static bl_status resolve_paddle(const bl_rules *rules, const bl_rules_query *query,
                                bl_rules_answer *answer)
{
    static const bl_shape scalar = {.rank = 0, .extent = NULL};
    const bl_shape *shape[2] = {&scalar, NULL};
    int32_t index[2] = {-1, -1};
    int32_t paired = 0;

    (void)rules;
    for (int32_t k = 0; k < query->count; k++) {
        answer->pairing[k] = (bl_pairing){.kind = BL_PAIRING_NONE, .shift = 0};
        if (query->operand[k].role == BL_ROLE_SOURCE)
            continue;
        if (paired == 2)
            return bl_error_set(BL_ERR_RULES,
                                "paddle rules pair at most two operands, not %" PRId32,
                                query->count);
        answer->pairing[k].kind = BL_PAIRING_BROADCAST;
        index[paired] = k;
        shape[paired++] = &query->operand[k].shape;
    }
    answer->events = 0;
    answer->rank = shape[0]->rank;
    if (paired < 2 || same_shape(shape[0], shape[1])) {
        if (answer->rank > 0)
            memcpy(answer->extent, shape[0]->extent,
                   (size_t)answer->rank * sizeof *answer->extent);
        return check_in_place(query, answer);
    }

    struct placement at = {
        .x = shape[0],
        .y = shape[1],
        .name = {query->operand[index[0]].name, query->operand[index[1]].name}};

    at.is_x_placed = at.x->rank < at.y->rank;
    at.rank = at.is_x_placed ? at.y->rank : at.x->rank;
    answer->rank = at.rank;

    const bl_status status = place(&at, query->axis, answer->extent);

    if (status != BL_OK)
        return status;
    answer->pairing[index[at.is_x_placed ? 0 : 1]].shift = at.axis;
    return check_in_place(query, answer);
}

static const bl_rules rules_paddle = {
    .size = sizeof(bl_rules), .name = "paddle", .resolve = resolve_paddle};

const bl_rules *bl_rules_paddle(void)
{
    return &rules_paddle;
}
