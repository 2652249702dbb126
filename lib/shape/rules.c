/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules that follow no other library's history: modern and strict.  What
 * is asked of every rules: of their answers in resolve.c, of themselves here.
 */
#include "core/sized.h"
#include "shape/broadcast.h"

#include <inttypes.h>

bl_status bli_rules_check(const bl_rules *rules)
{
    bl_rules known = {0};

    if (rules->size != sizeof *rules) {
        BL_TRY(BLI_SIZED_READ(&known, flags, rules, "rules"));
        rules = &known;
    }
    if (!rules->resolve)
        return bli_error_argument("rules", "rules: resolve is null");
    if (rules->flags & ~BL_RULES_SEQUENTIAL)
        return bli_error_argument("rules", "rules: unknown flags 0x%" PRIx64,
                                  rules->flags & ~BL_RULES_SEQUENTIAL);
    return BL_OK;
}

static bl_status resolve_modern(const bl_rules *rules, const bl_rules_query *query,
                                bl_rules_answer *answer)
{
    if (query->axis != BL_AXIS_LAST)
        return bli_fault_axis(bl_error_set(BL_ERR_ARGUMENT,
                                           "axis %" PRId32
                                           ": %s rules align at the last dimension",
                                           query->axis, rules->name),
                              "axis", query->axis, -1);
    answer->rank = 0;
    answer->events = 0;
    for (int32_t k = 0; k < query->count; k++)
        if (query->operand[k].role != BL_ROLE_SOURCE &&
            bli_broadcast_with(&answer->rank, answer->extent,
                               &query->operand[k].shape) != BL_OK)
            return bli_broadcast_mismatch(query, k);
    for (int32_t k = 0; k < query->count; k++) {
        const bl_rules_operand *operand = &query->operand[k];
        const bool is_paired = operand->role != BL_ROLE_SOURCE;

        answer->pairing[k].kind = is_paired ? BL_PAIRING_BROADCAST : BL_PAIRING_NONE;
        answer->pairing[k].shift = is_paired ? answer->rank - operand->shape.rank : 0;
    }
    return BL_OK;
}

/* Refuse operands of lower rank than the result, except 0-d ones. */
static bl_status refuse_promotion(const bl_rules_query *query, int32_t rank)
{
    int32_t full = 0;

    while (query->operand[full].shape.rank != rank ||
           query->operand[full].role == BL_ROLE_SOURCE)
        full++;
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *shape = &query->operand[k].shape;
        const int32_t first = k < full ? k : full;
        const int32_t second = k < full ? full : k;
        const bl_shape *a = &query->operand[first].shape;
        const bl_shape *b = &query->operand[second].shape;
        char a_text[BLI_SHAPE_TEXT], b_text[BLI_SHAPE_TEXT];

        if (query->operand[k].role == BL_ROLE_SOURCE || shape->rank == rank ||
            shape->rank == 0)
            continue;
        (void)bl_error_set(
            BL_ERR_RULES, "operands differ in their number of dimensions: %s %s, %s %s",
            bli_operand_name(query, first), bli_shape_text(a_text, a->rank, a->extent),
            bli_operand_name(query, second),
            bli_shape_text(b_text, b->rank, b->extent));
        return bl_error_set_extents(BL_ERR_RULES, -1, bli_operand_name(query, k), -1,
                                    bli_operand_name(query, full), -1);
    }
    return BL_OK;
}

/* Refuse a result that has more elements than each operand. */
static bl_status refuse_growth(const bl_rules_query *query,
                               const bl_rules_answer *answer)
{
    char text[BLI_SHAPE_TEXT];
    int64_t count;
    int64_t largest = -1;

    BL_TRY(bli_result_count(answer->rank, answer->extent, &count));
    for (int32_t k = 0; k < query->count; k++) {
        const bl_shape *shape = &query->operand[k].shape;
        int64_t own;

        if (query->operand[k].role == BL_ROLE_SOURCE)
            continue;
        if (!bli_shape_numel(shape->rank, shape->extent, &own) || own >= count)
            return BL_OK;
        if (own > largest)
            largest = own;
    }
    if (largest < 0)
        return BL_OK;
    return bl_error_set(BL_ERR_RULES,
                        "result %s has %" PRId64 " elements, more than the largest "
                        "operand's %" PRId64,
                        bli_shape_text(text, answer->rank, answer->extent), count,
                        largest);
}

static bl_status resolve_strict(const bl_rules *rules, const bl_rules_query *query,
                                bl_rules_answer *answer)
{
    BL_TRY(resolve_modern(rules, query, answer));
    if (answer->rank > 0)
        BL_TRY(refuse_promotion(query, answer->rank));
    if (query->max_growth > 0)
        return BL_OK; /* bl_rules_resolve checks the limit */
    return refuse_growth(query, answer);
}

const bl_rules bli_rules_modern = {
    .size = sizeof(bl_rules), .name = "modern", .resolve = resolve_modern};

const bl_rules bli_rules_strict = {
    .size = sizeof(bl_rules), .name = "strict", .resolve = resolve_strict};

const bl_rules *bl_rules_modern(void)
{
    return &bli_rules_modern;
}

const bl_rules *bl_rules_strict(void)
{
    return &bli_rules_strict;
}
