/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the rules of a call for the result's shape and for how each input meets it.
 * Numbers are none of the rules' business: they meet every element.
 */
#include "api/api.h"

#include <inttypes.h>

static const char *const difference_texts[] = {
    [BL_DIFFERENCE_NONE] = "same as the legacy result",
    [BL_DIFFERENCE_CHANGED] = "broadcast; was paired as 1-dimensional before",
    [BL_DIFFERENCE_FALLBACK] = "not broadcastable; paired as 1-dimensional",
};

static inline bool is_number(const bl_array *array)
{
    return (array->flags & BL_ARRAY_SCALAR) != 0;
}

/* Tell the observer of what the rules found. */
static bl_status report_events(const bl_context *ctx, const struct bli_call *call,
                               const bl_rules_answer *answer)
{
    for (int32_t i = 0; i < answer->events; i++) {
        const int32_t difference = answer->event[i].difference;
        const bl_event event = {sizeof event, BL_EVENT_DIFFERENCE,
                                call->op,     answer->event[i].first,
                                difference,   difference_texts[difference]};

        BL_TRY(bli_observe(ctx, &event));
    }
    return BL_OK;
}

/*
 * The operands that the rules pair: the inputs that are arrays, and before them the
 * result of a copy, which takes part and keeps its shape as in PyTorch's copy_.
 */
static int32_t list_operands(const struct bli_call *call, bl_rules_operand *operand)
{
    const bool has_mask = bli_ops[call->op].inputs == BLI_INPUTS_SELECT;
    const char *const *const names = bli_call_names(call);
    const bl_array *const out = call->out;
    int32_t count = 0;

    if (out && bli_ops[call->op].inputs == BLI_INPUTS_CONVERT)
        operand[count++] =
            (bl_rules_operand){{out->rank, out->extent}, BL_ROLE_PAIRED, "out"};
    for (int32_t k = 0; k < call->count; k++)
        if (!is_number(call->inputs[k]))
            operand[count++] =
                (bl_rules_operand){{call->inputs[k]->rank, call->inputs[k]->extent},
                                   k == 0 && has_mask ? BL_ROLE_MASK : BL_ROLE_PAIRED,
                                   names[k]};
    return count;
}

/* ---- calls with numbers ---- */

/* The caller's `fixed`, bits of inputs, as bits of the `count` operands of a query. */
static bl_status fix_operands(const struct bli_call *call, int32_t count,
                              uint32_t *fixed)
{
    const uint32_t given = *fixed;
    int32_t operand = 0;

    *fixed = given >> call->count << count; /* those that there are none of */
    for (int32_t k = 0; k < call->count; k++) {
        const uint32_t bit = given >> k & 1;

        if (bit && is_number(call->inputs[k]))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "options: fixed names %s, which is a number",
                                bli_call_names(call)[k]);
        if (!is_number(call->inputs[k]))
            *fixed |= bit << operand++;
    }
    return BL_OK;
}

/* Turn an answer about the arrays among the inputs into one about all of them. */
static void spread_answer(const struct bli_call *call, int32_t count,
                          bl_rules_answer *answer)
{
    int32_t input[BL_MAX_INPUTS] = {0}; /* of each operand */
    int32_t operand = 0;

    for (int32_t k = 0; k < call->count; k++)
        if (!is_number(call->inputs[k]))
            input[operand++] = k;
    for (int32_t i = 0; i < answer->events; i++) {
        answer->event[i].first = input[answer->event[i].first];
        answer->event[i].second = input[answer->event[i].second];
    }
    /* From the last on: operands stand before their inputs or in the same place. */
    operand = count;
    for (int32_t k = call->count - 1; k >= 0; k--)
        answer->pairing[k] = is_number(call->inputs[k])
                                 ? (bl_pairing){BL_PAIRING_BROADCAST, 0}
                                 : answer->pairing[--operand];
}

/* The same for a call with numbers; `query` is that of its arrays. */
static bl_status ask_with_numbers(const bl_rules *rules, const struct bli_call *call,
                                  bl_rules_query *query, bl_rules_answer *answer)
{
    static const bl_rules_operand number = {{0, NULL}, BL_ROLE_PAIRED, NULL};

    BL_TRY(fix_operands(call, query->count, &query->fixed));
    if (query->count == 0) {
        /* Nothing but numbers: without dimensions there is nothing to decide. */
        rules = &bl_rules_modern;
        query->axis = BL_AXIS_LAST;
        query->count = 1;
        query->operand = &number;
    }
    BL_TRY(bl_rules_resolve(rules, query, answer));
    spread_answer(call, query->count, answer);
    return BL_OK;
}

/* ---- any call ---- */

bl_status bli_pair(bl_rules_answer *answer, const bl_context *ctx,
                   const struct bli_call *call)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    const bl_options *const options = call->options ? call->options : &defaults;
    const bl_rules *const rules = options->rules ? options->rules : ctx->rules;
    const bl_array *const out = call->out;
    const bool is_copy = bli_ops[call->op].inputs == BLI_INPUTS_CONVERT;
    const int32_t first = is_copy && out ? 1 : 0; /* operand that is input 0 */
    const bl_shape result = {out ? out->rank : 0, out ? out->extent : NULL};
    const bool is_in_place = out && (first == 1 || out == call->inputs[0]);
    bl_rules_operand operand[BLI_MAX_OPERANDS];
    bl_rules_query query = {.size = sizeof query,
                            .op = call->op,
                            .mode = !out          ? BL_MODE_NEW
                                    : is_in_place ? BL_MODE_IN_PLACE
                                                  : BL_MODE_TO,
                            .axis = options->axis,
                            .count = list_operands(call, operand),
                            .fixed = options->fixed,
                            .max_growth = options->max_growth != 0 ? options->max_growth
                                                                   : ctx->max_growth,
                            .operand = operand,
                            .result = out && !is_in_place ? &result : NULL};

    if (query.count == first + call->count) {
        query.fixed <<= first;
        BL_TRY(bl_rules_resolve(rules, &query, answer));
        for (int32_t k = 0; first > 0 && k < call->count; k++)
            answer->pairing[k] = answer->pairing[first + k];
    } else {
        BL_TRY(ask_with_numbers(rules, call, &query, answer));
    }
    for (int32_t k = 0; k < call->count; k++)
        if (answer->pairing[k].kind == BL_PAIRING_NONE)
            return bl_error_set(BL_ERR_UNSUPPORTED, "%s rules: %s is not paired",
                                rules->name ? rules->name : "unnamed",
                                bli_call_names(call)[k]);
    return report_events(ctx, call, answer);
}
