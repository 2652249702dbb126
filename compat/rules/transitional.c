/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of PyTorch 0.2 and 0.3: operands broadcast, all of them or none.  Where they do
 * not, and have the same numel, they are paired as 1-D, a fallback that was deprecated.
 *
 * In place, only the other operands expand, to the shape of self.  Where they do not,
 * they are paired as 1-D too, even if an out-of-place call would broadcast.
 */
#include "torch_shape.h"

/*
 * Broadcast another shape into `extent`, as 0.2 did: aligned at the last dimension,
 * extents equal or one of them 1.  False where they do not fit.  No shape is empty.
 */
static bool widen(int32_t *rank, int64_t *extent, const bl_shape *shape)
{
    const int32_t shift = shape->rank - *rank;

    for (int32_t d = *rank - 1; shift > 0 && d >= 0; d--)
        extent[d + shift] = extent[d];
    for (int32_t d = 0; d < shift; d++)
        extent[d] = 1;
    *rank += shift > 0 ? shift : 0;
    for (int32_t d = 0; d < shape->rank; d++) {
        int64_t *const at = &extent[*rank - shape->rank + d];

        if (*at == 1)
            *at = shape->extent[d];
        else if (shape->extent[d] != 1 && shape->extent[d] != *at)
            return false;
    }
    return true;
}

/* Whether `shape` can be expanded to `target`. */
static bool expands(const bl_shape *shape, const bl_shape *target)
{
    const int32_t shift = target->rank - shape->rank;

    if (shift < 0)
        return false;
    for (int32_t d = 0; d < shape->rank; d++)
        if (shape->extent[d] != 1 && shape->extent[d] != target->extent[d + shift])
            return false;
    return true;
}

/* Pair all operands, except sources, aligned at the last dimension of the result. */
static void align(const struct bli_torch *torch, bl_rules_answer *answer)
{
    const bl_rules_operand *const operand = torch->query->operand;

    for (int32_t k = 0; k < torch->query->count; k++)
        if (operand[k].role != BL_ROLE_SOURCE || k == torch->self)
            answer->pairing[k] = (bl_pairing){BL_PAIRING_BROADCAST,
                                              answer->rank - operand[k].shape.rank};
}

/* Answer that all operands broadcast; false where they do not. */
static bool broadcast(const struct bli_torch *torch, bl_rules_answer *answer)
{
    const bl_rules_operand *const operand = torch->query->operand;
    const bl_shape *const self = &operand[torch->self].shape;

    answer->rank = self->rank;
    for (int32_t d = 0; d < self->rank; d++)
        answer->extent[d] = self->extent[d];
    for (int32_t i = 0; i < torch->others; i++)
        if (!widen(&answer->rank, answer->extent, &operand[torch->other[i]].shape))
            return false;
    align(torch, answer);
    return true;
}

/*
 * Answer that the other operands expand to self; false where one does not, which is
 * then `*failed`.
 */
static bool broadcast_in_place(const struct bli_torch *torch, bl_rules_answer *answer,
                               int32_t *failed)
{
    const bl_rules_operand *const operand = torch->query->operand;
    const bl_shape *const self = &operand[torch->self].shape;

    for (int32_t i = 0; i < torch->others; i++) {
        *failed = torch->other[i];
        if (!expands(&operand[*failed].shape, self))
            return false;
    }
    answer->rank = self->rank;
    for (int32_t d = 0; d < self->rank; d++)
        answer->extent[d] = self->extent[d];
    align(torch, answer);
    return true;
}

/* Whether a paired operand has no elements. */
static bool has_empty(const struct bli_torch *torch)
{
    for (int32_t i = 0; i < torch->others; i++)
        if (torch->count[torch->other[i]] == 0)
            return true;
    return torch->count[torch->self] == 0;
}

static bl_status resolve_transitional(const bl_rules *rules,
                                      const bl_rules_query *query,
                                      bl_rules_answer *answer)
{
    const bool is_in_place = query->mode == BL_MODE_IN_PLACE;
    struct bli_torch torch;
    const bl_status status = bli_torch_read(&torch, rules, query);
    const bool counts_only = query->function && bli_never_broadcasts(query);
    int32_t failed = 0;

    if (status != BL_OK)
        return status;
    bli_torch_open(&torch, answer);
    if (torch.others == 0 || (!counts_only && !has_empty(&torch))) {
        if (is_in_place ? broadcast_in_place(&torch, answer, &failed)
                        : broadcast(&torch, answer))
            return BL_OK;
    }
    if (!bli_torch_same_counts(&torch))
        return bli_torch_refuse(&torch, true);
    bli_torch_pair_flat(&torch, answer);
    if (counts_only || torch.count[torch.self] == 0)
        return BL_OK;
    answer->events = 1;
    answer->event[0] =
        is_in_place ? (bl_rules_event){BL_CHANGE_FALLBACK, failed, torch.self}
                    : (bl_rules_event){BL_CHANGE_FALLBACK, torch.self, torch.other[0]};
    return BL_OK;
}

static const bl_rules rules_transitional = {.size = sizeof(bl_rules),
                                            .name = "transitional",
                                            .resolve = resolve_transitional,
                                            .flags = BL_RULES_SEQUENTIAL};

const bl_rules *bl_rules_transitional(void)
{
    return &rules_transitional;
}
