/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries the rules of a call for the result's shape and the pairing of each input, and
 * reports what differs from a legacy result.  Scalars are not part of the query: they
 * are paired with every element.
 */
#include "call/call.h"
#include "shape/broadcast.h"

#include <broadloom/warnings.h>

#include <inttypes.h>

static inline bool is_number(const bl_array *array)
{
    return (array->flags & BL_ARRAY_SCALAR) != 0;
}

/* A call's query to the rules. */
struct question {
    bl_rules_query query;
    bl_rules_operand operand[BLI_MAX_OPERANDS];
    int32_t
        input[BLI_MAX_OPERANDS]; /* input that operand is; -1: the result of a copy */
    bl_shape result;
    bool is_plain; /* operand k is input k */
};

/* ---- query ---- */

/*
 * List the operands that the rules pair: the inputs that are arrays, and before them
 * the result of a copy, which takes part and keeps its shape as in PyTorch's copy_.
 */
static void list_operands(struct question *question, const struct bli_call *call)
{
    const uint32_t masks =
        bli_ops[call->op].inputs == BLI_INPUTS_SELECT ? 1 : call->masks;
    const bl_array *const out = call->out;
    int32_t count = 0;

    if (out && bli_ops[call->op].inputs == BLI_INPUTS_CONVERT) {
        question->input[count] = -1;
        question->operand[count++] = (bl_rules_operand){
            {out->rank, out->extent}, BL_ROLE_PAIRED, bli_call_result(call)};
    }
    for (int32_t k = 0; k < call->count; k++) {
        if (is_number(call->inputs[k]))
            continue;
        question->input[count] = k;
        question->operand[count++] =
            (bl_rules_operand){{call->inputs[k]->rank, call->inputs[k]->extent},
                               masks >> k & 1 ? BL_ROLE_MASK : BL_ROLE_PAIRED,
                               bli_input_name(call, k)};
    }
    question->query.count = count;
    question->is_plain = count == call->count && question->input[0] == 0;
}

const char *bli_call_function(const struct bli_call *call)
{
    if (call->function)
        return call->function;
    /* PyTorch's name if alpha, or one of the two values of where, is a scalar. */
    switch (call->op) {
    case BL_OP_ADD_SCALED:
        return is_number(call->inputs[2]) ? "add" : NULL;
    case BL_OP_SUB_SCALED:
        return is_number(call->inputs[2]) ? "sub" : NULL;
    case BL_OP_WHERE:
        return is_number(call->inputs[1]) != is_number(call->inputs[2]) ? "masked_fill"
                                                                        : NULL;
    default:
        return NULL;
    }
}

/* Put the result first if a mask fills it in place; it then keeps its shape. */
static void swap_self_first(struct question *question, const struct bli_call *call)
{
    bl_rules_query *const query = &question->query;
    bl_rules_operand *const operand = question->operand;

    if (call->op != BL_OP_WHERE || query->count != 2 || question->input[0] != 0 ||
        call->out != call->inputs[question->input[1]])
        return;

    const bl_rules_operand mask = operand[0];

    operand[0] = operand[1];
    operand[1] = mask;
    question->input[0] = question->input[1];
    question->input[1] = 0;
    query->mode = BL_MODE_IN_PLACE;
    query->result = NULL;
}

/*
 * Convert the caller's `fixed`, bits of inputs, to bits of operands.  BL_ERR_ARGUMENT
 * if it names a scalar.
 */
static bl_status fix_operands(struct question *question, const struct bli_call *call,
                              uint32_t given)
{
    bl_rules_query *const query = &question->query;

    query->fixed = 0;
    for (int32_t k = 0; k < call->count; k++)
        if ((given >> k & 1) && is_number(call->inputs[k]))
            return bli_error_argument("options",
                                      "options: fixed names %s, which is a scalar",
                                      bli_input_name(call, k));
    for (int32_t o = 0; o < query->count; o++)
        if (question->input[o] >= 0)
            query->fixed |= (given >> question->input[o] & 1) << o;
    return BL_OK;
}

static bl_status build_query(struct question *question, const bl_context *ctx,
                             const struct bli_call *call, const bl_options *options)
{
    const bl_array *const out = call->out;
    const bool is_copy = bli_ops[call->op].inputs == BLI_INPUTS_CONVERT;
    const bool is_in_place = out && (is_copy || out == call->inputs[0]);

    question->result = (bl_shape){out ? out->rank : 0, out ? out->extent : NULL};
    question->query = (bl_rules_query){
        .size = sizeof question->query,
        .op = call->op,
        .mode = !out          ? BL_MODE_NEW
                : is_in_place ? BL_MODE_IN_PLACE
                              : BL_MODE_OUT,
        .axis = options->axis,
        .fixed = options->fixed,
        .max_growth = options->max_growth != 0 ? options->max_growth : ctx->max_growth,
        .operand = question->operand,
        .result = out && !is_in_place ? &question->result : NULL,
        .function = call->function,
        .is_call = true};
    list_operands(question, call);
    if (question->is_plain)
        return BL_OK;
    question->query.function = bli_call_function(call);
    swap_self_first(question, call);
    return fix_operands(question, call, options->fixed);
}

/*
 * Let a query of a call that pairs as 1-D be of a new result: what broadcasting would
 * give has another shape than the existing one.
 */
static void forget_result(bl_rules_query *query)
{
    if (query->mode != BL_MODE_OUT)
        return;
    query->mode = BL_MODE_NEW;
    query->result = NULL;
}

uint64_t bli_call_kind(const bl_context *ctx, const struct bli_call *call,
                       int32_t change)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    const bl_options *const options = call->options ? call->options : &defaults;
    struct question question;

    BL_IGNORE(build_query(&question, ctx, call, options));
    if (change == BL_CHANGE_NONE)
        forget_result(&question.query);
    return bli_warning_kind(&question.query, change);
}

/* ---- answer ---- */

/* Convert an answer about the operands to one about the inputs. */
static void map_to_inputs(const struct question *question, int32_t count,
                          bl_rules_answer *answer)
{
    bl_pairing pairing[BL_MAX_INPUTS];

    for (int32_t k = 0; k < count; k++)
        pairing[k] = (bl_pairing){BL_PAIRING_BROADCAST, 0};
    for (int32_t o = 0; o < question->query.count; o++)
        if (question->input[o] >= 0)
            pairing[question->input[o]] = answer->pairing[o];
    for (int32_t k = 0; k < count; k++)
        answer->pairing[k] = pairing[k];
}

/* Report differences from a legacy result to the observer and as warnings. */
static bl_status report_events(const struct question *question, const bl_context *ctx,
                               const struct bli_call *call,
                               const bl_rules_answer *answer)
{
    enum { TEXT_SIZE = 512 };
    bl_rules_query query = question->query;
    bl_rules_operand operand[BLI_MAX_OPERANDS];
    char text[TEXT_SIZE];

    query.operand = operand;
    if (answer->event[0].change == BL_CHANGE_NONE)
        forget_result(&query);
    for (int32_t o = 0; o < query.count; o++) {
        operand[o] = question->operand[o];
        if (!call->options || !call->options->names || call->has_default_names)
            operand[o].name = NULL; /* PyTorch's name */
    }
    for (int32_t i = 0; i < answer->events; i++) {
        const bl_rules_event *const found = &answer->event[i];
        const bl_event event = {sizeof event,  BL_EVENT_CHANGE,
                                call->op,      question->input[found->first],
                                found->change, text};

        if (ctx->observer) {
            bl_change_text(&query, found, text, sizeof text);
            BL_TRY(bli_observe(ctx, &event));
        }
        BL_TRY(found->change == BL_CHANGE_NONE
                   ? bli_warnings_raise_flat(&query, call->address)
                   : bli_warnings_raise(&query, answer, found, call->address));
    }
    if (!call->can_compare)
        (void)bli_shadow_take(false);
    return BL_OK;
}

/*
 * In a shadow run, add an event without a change to the answer for a call that pairs as
 * 1-D where broadcasting would change its result.
 */
static void find_other(const struct question *question, const bl_rules *rules,
                       const struct bli_call *call, bl_rules_answer *answer)
{
    bl_rules_query query = question->query;
    bl_rules_answer other;

    if (rules != bl_rules_legacy() || !call->can_compare || call->is_quiet)
        return;
    forget_result(&query);
    if (bli_rules_resolve(bl_rules_transitional(), &query, &other) != BL_OK ||
        bl_change_find(&query, &other, BL_PREDICATE_PRECISE, other.event) == 0)
        return;
    answer->events = 1;
    answer->event[0] =
        (bl_rules_event){BL_CHANGE_NONE, other.event[0].first, other.event[0].second};
}

/* Whether the broadcast warning applies to calls under these rules. */
static bool warns_of(const bl_rules *rules)
{
    return rules == &bli_rules_modern || rules == &bli_rules_strict ||
           rules == bl_rules_transitional();
}

bl_status bli_broadcast_call(bl_rules_answer *answer, const bl_context *ctx,
                             const struct bli_call *call)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    static const bl_rules_operand number = {{0, NULL}, BL_ROLE_PAIRED, NULL};
    const bl_options *const options = call->options ? call->options : &defaults;
    const bl_rules *rules = options->rules ? options->rules : ctx->rules;
    const uint64_t flags = bli_warnings_generation();
    struct question question;

    BL_TRY(build_query(&question, ctx, call, options));
    if (question.query.count == 0) {
        /* All inputs are scalars: without dimensions there is nothing to decide. */
        rules = &bli_rules_modern;
        question.query.axis = BL_AXIS_LAST;
        question.query.count = 1;
        question.operand[0] = number;
        question.input[0] = -1;
    }
    BL_TRY(bli_rules_resolve(rules, &question.query, answer));
    if ((flags & BLI_WARN_BROADCAST) && answer->events == 0 && warns_of(rules))
        answer->events = bl_change_find(&question.query, answer,
                                        flags & BLI_WARN_PRECISE ? BL_PREDICATE_PRECISE
                                                                 : BL_PREDICATE_EXACT,
                                        answer->event);
    if ((flags & BLI_WARN_SHADOW) && answer->events == 0)
        find_other(&question, rules, call, answer);
    if (answer->events > 0 && !call->is_quiet)
        BL_TRY(report_events(&question, ctx, call, answer));
    if (!question.is_plain)
        map_to_inputs(&question, call->count, answer);
    for (int32_t k = 0; k < call->count; k++)
        if (answer->pairing[k].kind == BL_PAIRING_NONE)
            return bli_fault_operand(bl_error_set(BL_ERR_UNSUPPORTED,
                                                  "%s rules: %s is not paired",
                                                  rules->name ? rules->name : "unnamed",
                                                  bli_input_name(call, k)),
                                     1 + k);
    return BL_OK;
}
