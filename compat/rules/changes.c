/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What broadcasting changes of a result that pairing as 1-D gave, and PyTorch's texts
 * for it.
 *
 * Of operands with equal, non-zero numel that broadcast, one is expanded if and only if
 * the result has more elements than it.  If none is expanded, all shapes are the same
 * up to dimensions of extent 1, and no value changes.
 */
#include "core/sized.h"
#include "torch_shape.h"

#include <broadloom/ops.h>
#include <broadloom/warnings.h>

#include <stdio.h>

/* Whether the answer is this shape. */
static bool has_shape(const bl_rules_answer *answer, const bl_shape *shape)
{
    const bl_shape result = {answer->rank, answer->extent};

    return bli_same_shape(&result, shape);
}

/* Whether a query is of a loop of TH, which still pairs as 1-D. */
static bool is_loop(const bl_rules_query *query)
{
    return bli_function_of(query)->kind == BLI_KIND_LOOP;
}

/* Whether an operand is paired as 1-D, or the function never broadcasts. */
static bool is_flat(const struct bli_torch *torch, const bl_rules_answer *answer)
{
    for (int32_t i = 0; i < torch->others; i++)
        if (answer->pairing[torch->other[i]].kind == BL_PAIRING_LINEAR)
            return true;
    return bli_function_of(torch->query)->refusal == BLI_REFUSAL_CRITERION;
}

/*
 * Whether Torch paired all operands as 1-D: as many elements in each.  One of rank 0
 * stands for what was a number, as the value of addcmul or the weight of lerp.
 */
static bool has_flat_result(const struct bli_torch *torch)
{
    for (int32_t i = 0; i < torch->others; i++) {
        const int32_t other = torch->other[i];

        if (torch->query->operand[other].shape.rank > 0 &&
            torch->count[other] != torch->count[torch->self])
            return false;
    }
    return true;
}

/* What broadcasting changes of a call with these operands: a bl_change. */
static bl_change effect_of(const struct bli_torch *torch, const bl_rules_answer *answer)
{
    const bl_rules_query *const query = torch->query;
    const bl_shape *const self = &query->operand[torch->self].shape;
    const int32_t kind = bli_function_of(query)->kind;
    int64_t elements = 1;

    /* A numel that differs was refused: there is no result to differ from. */
    if (kind == BLI_KIND_LOOP || query->mode == BL_MODE_IN_PLACE ||
        torch->count[torch->self] == 0 || bli_torch_same_shapes(torch) ||
        !has_flat_result(torch))
        return BL_CHANGE_NONE;
    /* No overflow: the library has checked the product. */
    for (int32_t d = 0; d < answer->rank; d++)
        elements *= answer->extent[d];
    if (elements != torch->count[torch->self])
        return BL_CHANGE_VALUE;
    /* A scalar result, or a masked selection, does not show the operands' shapes. */
    if (kind == BLI_KIND_SCALAR || kind == BLI_KIND_MASK_FIRST ||
        has_shape(answer, self))
        return BL_CHANGE_NONE;
    return BL_CHANGE_SHAPE;
}

int32_t bl_change_find(const bl_rules_query *given, const bl_rules_answer *answer,
                       bl_predicate predicate, bl_rules_event event[2])
{
    bl_rules_query known, *const query = &known;
    struct bli_torch torch;
    int32_t change = BL_CHANGE_VALUE;
    int32_t found = 0;

    if (predicate != BL_PREDICATE_EXACT && predicate != BL_PREDICATE_PRECISE)
        return 0;
    if (bli_query_read(&known, given) != BL_OK ||
        bli_torch_read(&torch, NULL, query) != BL_OK ||
        (!is_loop(query) && is_flat(&torch, answer)))
        return 0;
    if (predicate == BL_PREDICATE_PRECISE) {
        change = effect_of(&torch, answer);
        if (change == BL_CHANGE_NONE)
            return 0;
    }
    for (int32_t i = 0; i < torch.others && found < 2; i++) {
        const int32_t other = torch.other[i];
        const bool is_in_place = query->mode == BL_MODE_IN_PLACE;

        if (torch.count[other] != torch.count[torch.self] || torch.count[other] == 0 ||
            bli_same_shape(&query->operand[other].shape,
                           &query->operand[torch.self].shape))
            continue;
        event[found++] = (bl_rules_event){change, is_in_place ? torch.self : other,
                                          is_in_place ? other : torch.self};
    }
    return found;
}

/* ---- texts ---- */

/* How many operands are paired: the text of a fallback names 2 or 3. */
static int32_t paired(const bl_rules_query *query)
{
    int32_t count = 0;

    for (int32_t k = 0; k < query->count; k++)
        count += query->operand[k].role != BL_ROLE_SOURCE;
    return count;
}

const char *bl_change_id(const bl_rules_query *given, const bl_rules_event *event)
{
    bl_rules_query known, *const query = &known;

    if (bli_query_read(&known, given) != BL_OK)
        return "NONE";
    switch (event->change) {
    case BL_CHANGE_VALUE:
        return is_loop(query) ? "W_LOOP" : "W_CHANGED";
    case BL_CHANGE_SHAPE:
        return "W_CHANGED_SHAPE";
    case BL_CHANGE_FALLBACK:
        if (query->mode == BL_MODE_IN_PLACE)
            return "W_FALLBACK_INPLACE";
        return paired(query) > 2 ? "W_FALLBACK_OUT3" : "W_FALLBACK_OUT2";
    case BL_CHANGE_KEEPDIM:
        return "W_KEEPDIM";
    default:
        return "NONE";
    }
}

/* Write the text of a fallback. */
static int fallback_text(const bl_rules_query *query, const bl_rules_event *event,
                         char *buffer, size_t size)
{
    const char *const first = bli_torch_name(query, event->first);
    const char *const second = bli_torch_name(query, event->second);
    const int32_t third = event->second + (event->second + 1 < query->count);

    if (query->mode == BL_MODE_IN_PLACE)
        return snprintf(buffer, size,
                        "%s is not broadcastable to %s, but they have the same number "
                        "of elements.  Falling back to deprecated pointwise behavior.",
                        first, second);
    if (paired(query) > 2)
        return snprintf(buffer, size,
                        "%s, %s, and %s not broadcastable, but have the same number "
                        "of elements.  Falling back to deprecated pointwise behavior.",
                        first, second, bli_torch_name(query, third));
    return snprintf(buffer, size,
                    "%s and %s not broadcastable, but have the same number of "
                    "elements.  Falling back to deprecated pointwise behavior.",
                    first, second);
}

size_t bl_change_text(const bl_rules_query *given, const bl_rules_event *event,
                      char *buffer, size_t size)
{
    bl_rules_query known, *const query = &known;
    int length = 0;

    if (size > 0)
        buffer[0] = '\0';
    if (bli_query_read(&known, given) != BL_OK || !bli_event_is_of(event, query))
        return 0;
    if (event->change == BL_CHANGE_KEEPDIM)
        length = snprintf(
            buffer, size,
            "backwards compatibility: call to \"%s\" uses default value for keepdim "
            "which has changed default to False.  Consider passing as kwarg.",
            bl_change_function(query));
    else if (event->change == BL_CHANGE_FALLBACK)
        length = fallback_text(query, event, buffer, size);
    else if (event->change == BL_CHANGE_VALUE || event->change == BL_CHANGE_SHAPE)
        length = snprintf(
            buffer, size, "%s and %s do not have the same shape, but %s",
            bli_torch_name(query, event->first), bli_torch_name(query, event->second),
            is_loop(query)
                ? "have the same number of elements.  The loop views them as "
                  "1-dimensional; what broadcasts does not."
                : "are broadcastable, and have the same number of elements.  Changing "
                  "behavior in a backwards incompatible manner to broadcasting rather "
                  "than viewing as 1-dimensional.");
    return length > 0 ? (size_t)length : 0;
}

const char *bl_change_function(const bl_rules_query *given)
{
    bl_rules_query known, *const query = &known;

    if (bli_query_read(&known, given) != BL_OK)
        return "broadcast";

    const char *const name =
        query->function ? query->function : bli_function_of(query)->name;
    bl_op_info info = {.size = sizeof info};

    if (name)
        return name;
    return bl_op_query(query->op, &info) == BL_OK ? info.name : "broadcast";
}
