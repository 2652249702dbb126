/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers one query about shapes with the library.
 */
#include <broadloom/compat.h>
#include <broadloom/warnings.h>

#include "shape_query.h"

#include <stdio.h>
#include <string.h>

/*
 * Check that the operator takes this number of shapes, and allows the form (in place,
 * axis).
 */
static bl_status check_call(const struct shape_query *query, int count)
{
    const struct shape_op *op = &query->op;

    if (!query->has_op)
        return BL_OK;
    if (count < op->least || count > op->most)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "the operator takes %s%d operand%s, got %d",
                            op->least == op->most ? "" : "up to ", (int)op->most,
                            op->most == 1 ? "" : "s", count);
    if (query->inplace && op->kind != SHAPE_PAIRED && op->kind != SHAPE_MASKED)
        return bl_error_set(BL_ERR_ARGUMENT, "the operator has no form in place");
    return BL_OK;
}

static bl_status expand(const struct shape *from, const struct shape *to,
                        struct shape *out)
{
    bl_layout layout;

    TRY(bl_layout_compact(from->rank, from->extent, &layout));
    TRY(bl_layout_expand(&layout, to->rank, to->extent, &layout));
    out->rank = layout.rank;
    memcpy(out->extent, layout.extent, sizeof out->extent);
    return BL_OK;
}

static bl_status sum_to(const struct shape *from, const struct shape *to,
                        struct shape *out)
{
    const bl_shape all = {from->rank, from->extent}, part = {to->rank, to->extent};

    TRY(bl_sum_to_shape_check(all, part));
    *out = *to;
    return BL_OK;
}

/*
 * Resolve the shapes with the rules; `shape` is in the order of the function's
 * arguments.
 */
static bl_status resolve(const struct shape_query *query, int count,
                         const struct shape *shape, struct shape_reply *reply)
{
    const bool mask_first = query->has_op && query->op.kind == SHAPE_MASK_FIRST;
    const bool masked = query->has_op && query->op.kind == SHAPE_MASKED;
    bl_rules_operand operand[BL_MAX_INPUTS];
    bl_rules_query ask = {.size = sizeof ask,
                          .op = query->has_op ? query->op.op : BL_OP_NONE,
                          .mode = query->inplace ? BL_MODE_IN_PLACE : BL_MODE_NEW,
                          .axis = (int32_t)query->axis,
                          .count = count,
                          .max_growth = bl_context_max_growth(NULL),
                          .operand = operand,
                          .function = query->has_op ? query->op.function : NULL};
    bl_rules_answer answer;
    const bl_rules *rules;

    for (int k = 0; k < count; k++) {
        const int from = mask_first ? count - 1 - k : k;
        const bool mask = masked || mask_first;

        operand[k].shape = (bl_shape){shape[from].rank, shape[from].extent};
        operand[k].role = !mask || from == 0 ? BL_ROLE_PAIRED
                          : from == 1        ? BL_ROLE_MASK
                                             : BL_ROLE_SOURCE;
        operand[k].name = query->has_op && from < 3 ? query->op.operand[from] : NULL;
    }
    TRY(choose_rules(query->rules, query->axis, &rules));
    TRY(bl_rules_resolve(rules, &ask, &answer));
    if (query->warns && answer.events == 0 && rules != bl_rules_legacy() &&
        rules != bl_rules_paddle())
        answer.events = bl_change_find(&ask, &answer, query->predicate, answer.event);
    if (query->file)
        return bl_warnings_raise_pointwise(&ask, query->file, query->line, NULL);
    reply->warnings = answer.events;
    for (int32_t i = 0; i < answer.events; i++)
        reply->warning[i] = bl_change_id(&ask, &answer.event[i]);
    reply->shape.rank = answer.rank;
    memcpy(reply->shape.extent, answer.extent, sizeof answer.extent);
    if (!query->has_op || query->op.kind != SHAPE_SCALAR)
        return BL_OK;
    reply->shape.rank = 0;
    reply->is_number = rules == bl_rules_legacy() || rules == bl_rules_transitional();
    return BL_OK;
}

bl_status shape_query_answer(const struct shape_query *query, int count,
                             char *const *word, struct shape_reply *reply)
{
    const enum shape_kind kind = query->has_op ? query->op.kind : SHAPE_PAIRED;
    struct shape shape[BL_MAX_INPUTS];
    struct shape_reply found = {.warnings = 0};

    if (count == 0)
        return bl_error_set(BL_ERR_ARGUMENT, "no shapes given");
    if (count > BL_MAX_INPUTS)
        return bl_error_set(BL_ERR_ARGUMENT, "at most %d shapes, got %d", BL_MAX_INPUTS,
                            count);
    /* A malformed shape is reported before a missing one. */
    for (int k = 0; k < count; k++)
        TRY(shape_parse(word[k], kind == SHAPE_EXPAND && k == 1, &shape[k]));
    TRY(check_call(query, count));
    if (kind == SHAPE_EXPAND)
        TRY(expand(&shape[0], &shape[1], &found.shape));
    else if (kind == SHAPE_SUM_TO)
        TRY(sum_to(&shape[0], &shape[1], &found.shape));
    else
        TRY(resolve(query, count, shape, &found));
    *reply = found;
    return BL_OK;
}

void shape_reply_print(const struct shape_reply *reply)
{
    char text[SHAPE_TEXT];

    fputs(reply->is_number ? "scalar" : shape_text(&reply->shape, text, sizeof text),
          stdout);
    for (int i = 0; i < reply->warnings; i++)
        printf("\t%s", reply->warning[i]);
    putchar('\n');
}
