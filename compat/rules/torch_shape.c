/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands as Torch's C library took them: only their numel matters.
 */
#include "torch_shape.h"

#include "text.h"

#include <broadloom/error.h>

#include <inttypes.h>

/* Size of a shape in an error text; a longer one is cut. */
#define SHAPE_TEXT 256

bool bli_same_shape(const bl_shape *a, const bl_shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int32_t d = 0; d < a->rank; d++)
        if (a->extent[d] != b->extent[d])
            return false;
    return true;
}

/* Number of elements of a shape, 0 for rank 0; false where it exceeds 64 bits. */
static bool count_elements(const bl_shape *shape, int64_t *count)
{
    int64_t total = shape->rank > 0; /* rank 0 is Torch's empty tensor */

    for (int32_t d = 0; d < shape->rank; d++)
        if (shape->extent[d] == 0)
            total = 0;
    for (int32_t d = 0; total > 0 && d < shape->rank; d++) {
        if (total > INT64_MAX / shape->extent[d])
            return false;
        total *= shape->extent[d];
    }
    *count = total;
    return true;
}

bl_status bli_torch_read(struct bli_torch *torch, const bl_rules *rules,
                         const bl_rules_query *query)
{
    torch->query = query;
    torch->self = 0;
    torch->others = 0;
    if (query->mode != BL_MODE_IN_PLACE)
        while (query->operand[torch->self].role != BL_ROLE_PAIRED &&
               torch->self < query->count - 1)
            torch->self++;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *const shape = &query->operand[k].shape;

        if (rules && shape->rank == 0 && query->is_call)
            return bl_error_set_extents(
                bl_error_set(BL_ERR_RULES,
                             "%s rules: %s has no dimensions, and Torch's tensors "
                             "have at least one",
                             rules->name, bli_torch_name(query, k)),
                -1, query->operand[k].name, -1, NULL, -1);
        if (!count_elements(shape, &torch->count[k]))
            return rules ? bl_shape_numel(shape->rank, shape->extent, &torch->count[k])
                         : BL_ERR_OVERFLOW;
        if (k != torch->self && query->operand[k].role != BL_ROLE_SOURCE)
            torch->other[torch->others++] = k;
    }
    return BL_OK;
}

bool bli_torch_same_counts(const struct bli_torch *torch)
{
    for (int32_t i = 0; i < torch->others; i++)
        if (torch->count[torch->other[i]] != torch->count[torch->self])
            return false;
    return true;
}

bool bli_torch_same_shapes(const struct bli_torch *torch)
{
    const bl_rules_operand *const operand = torch->query->operand;

    for (int32_t i = 0; i < torch->others; i++)
        if (!bli_same_shape(&operand[torch->other[i]].shape,
                            &operand[torch->self].shape))
            return false;
    return true;
}

void bli_torch_open(const struct bli_torch *torch, bl_rules_answer *answer)
{
    answer->events = 0;
    for (int32_t k = 0; k < torch->query->count; k++)
        answer->pairing[k] = (bl_pairing){BL_PAIRING_NONE, 0};
    answer->pairing[torch->self].kind = BL_PAIRING_BROADCAST;
}

/* Whether two shapes are the same apart from leading dimensions of extent 1. */
static bool same_but_leading_ones(const bl_shape *a, const bl_shape *b)
{
    const bl_shape *const longer = a->rank > b->rank ? a : b;
    const bl_shape *const shorter = a->rank > b->rank ? b : a;
    const int32_t shift = longer->rank - shorter->rank;

    for (int32_t d = 0; d < longer->rank; d++)
        if (longer->extent[d] != (d < shift ? 1 : shorter->extent[d - shift]))
            return false;
    return true;
}

void bli_torch_pair_flat(const struct bli_torch *torch, bl_rules_answer *answer)
{
    const bl_rules_operand *const operand = torch->query->operand;
    const bl_shape *self = &operand[torch->self].shape;

    /* A self of rank 0 takes the shape of another: the library counts 1 for (). */
    for (int32_t i = 0; self->rank == 0 && i < torch->others; i++)
        self = &operand[torch->other[i]].shape;
    bli_torch_open(torch, answer);
    answer->rank = self->rank;
    for (int32_t d = 0; d < self->rank; d++)
        answer->extent[d] = self->extent[d];
    for (int32_t i = 0; i < torch->others; i++) {
        const int32_t k = torch->other[i];
        const bl_shape *const shape = &operand[k].shape;

        if (shape->rank == 0 || same_but_leading_ones(shape, self))
            answer->pairing[k] =
                (bl_pairing){BL_PAIRING_BROADCAST, self->rank - shape->rank};
        else
            answer->pairing[k].kind = BL_PAIRING_LINEAR;
    }
}

/* ---- refusals ---- */

/* Error texts of Torch's C library, by the names of its arguments: r_, t and src. */
static const struct {
    const char *text;    /* a fixed text in place of the numels; NULL: none */
    const char *name[3]; /* two where only self and the other are compared */
} refusals[] = {
    [BLI_REFUSAL_NONE] = {NULL, {"r_", "t", "src"}},
    [BLI_REFUSAL_POINTWISE] = {NULL, {"r_", "t", "src"}},
    [BLI_REFUSAL_PRODUCT] = {NULL, {"r_", "src1", "src2"}},
    [BLI_REFUSAL_COMPARE] = {NULL, {"r_", "ta", "tb"}},
    [BLI_REFUSAL_EXTREME] = {NULL, {"r", "t", "src"}},
    [BLI_REFUSAL_ATAN2] = {NULL, {"r_", "tx", "ty"}},
    [BLI_REFUSAL_APPLY2] = {NULL, {"tensor", "src", NULL}},
    [BLI_REFUSAL_APPLY3] = {NULL, {"tensor", "src1", "src2"}},
    [BLI_REFUSAL_FILL] = {NULL, {"tensor", "mask", NULL}},
    [BLI_REFUSAL_SELECT] = {NULL, {"src", "mask", NULL}},
    [BLI_REFUSAL_SCATTER] = {"Number of elements of destination tensor != Number of "
                             "elements in mask",
                             {NULL}},
    [BLI_REFUSAL_LERP] = {"invalid argument 2: sizes do not match", {NULL}},
    [BLI_REFUSAL_CRITERION] = {NULL, {NULL}},
};

/* Write a shape as "[2 x 3]" to `buffer`, and return that. */
static const char *shape_text(char buffer[SHAPE_TEXT], const bl_shape *shape)
{
    return bli_shape_print(buffer, SHAPE_TEXT, " x ", shape);
}

/* The error of Torch's criteria, which names the first operand whose numel differs. */
static bl_status refuse_criterion(const struct bli_torch *torch)
{
    const bl_rules_query *const query = torch->query;
    char self_text[SHAPE_TEXT], other_text[SHAPE_TEXT];
    const int32_t self = torch->self;
    int32_t i = 0;

    while (torch->count[torch->other[i]] == torch->count[self])
        i++;

    const int32_t other = torch->other[i];
    const char *const self_name = bli_torch_name(query, self);
    const char *const other_name = bli_torch_name(query, other);

    return bl_error_set(BL_ERR_SHAPE,
                        "%s and %s have different number of elements: %s%s has %" PRId64
                        " elements, while %s%s has %" PRId64 " elements",
                        self_name, other_name, self_name,
                        shape_text(self_text, &query->operand[self].shape),
                        torch->count[self], other_name,
                        shape_text(other_text, &query->operand[other].shape),
                        torch->count[other]);
}

/* Set the message of a refusal.  Returns BL_ERR_SHAPE. */
static bl_status describe(const struct bli_torch *torch, bool names)
{
    const bl_rules_operand *const operand = torch->query->operand;
    const int32_t refusal = bli_function_of(torch->query)->refusal;
    const char *const *const name = refusals[refusal].name;
    const int32_t self = torch->self;
    const int32_t last = torch->other[torch->others > 1 ? 1 : 0];
    const int32_t middle = torch->others > 1 ? torch->other[0] : self;
    char a[SHAPE_TEXT], b[SHAPE_TEXT], c[SHAPE_TEXT];

    if (refusal == BLI_REFUSAL_CRITERION)
        return refuse_criterion(torch);
    if (refusals[refusal].text)
        return bl_error_set(BL_ERR_SHAPE, "%s", refusals[refusal].text);
    if (!names)
        return bl_error_set(BL_ERR_SHAPE, "inconsistent tensor size");
    if (!name[2])
        return bl_error_set(
            BL_ERR_SHAPE,
            "inconsistent tensor size, expected %s %s and %s %s to have the same "
            "number of elements, but got %" PRId64 " and %" PRId64
            " elements respectively",
            name[0], shape_text(a, &operand[self].shape), name[1],
            shape_text(b, &operand[last].shape), torch->count[self],
            torch->count[last]);
    return bl_error_set(
        BL_ERR_SHAPE,
        "inconsistent tensor size, expected %s %s, %s %s and %s %s to have the same "
        "number of elements, but got %" PRId64 ", %" PRId64 " and %" PRId64
        " elements respectively",
        name[0], shape_text(a, &operand[self].shape), name[1],
        shape_text(b, &operand[middle].shape), name[2],
        shape_text(c, &operand[last].shape), torch->count[self], torch->count[middle],
        torch->count[last]);
}

bl_status bli_torch_refuse(const struct bli_torch *torch, bool names)
{
    const bl_rules_operand *const operand = torch->query->operand;
    const bl_status status = describe(torch, names);
    int32_t i = 0;

    while (i < torch->others - 1 &&
           torch->count[torch->other[i]] == torch->count[torch->self])
        i++;
    return bl_error_set_extents(status, -1, operand[torch->other[i]].name, -1,
                                operand[torch->self].name, -1);
}
