/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a call as it came in to a problem that can be planned: arguments checked, rules
 * asked, dtypes settled.
 */
#include "api/api.h"

#include <inttypes.h>

/* What inputs are called where the caller gives no names, by bli_inputs. */
static const char *const default_names[][BL_MAX_INPUTS] = {
    [BLI_INPUTS_UNARY] = {"a"},
    [BLI_INPUTS_BINARY] = {"a", "b"},
    [BLI_INPUTS_SELECT] = {"c", "a", "b"},
    [BLI_INPUTS_CONVERT] = {"a"},
};

static const char *const *names_of(const struct bli_call *call)
{
    return call->options && call->options->names
               ? call->options->names
               : default_names[bli_ops[call->op].inputs];
}

/* The call itself: operator, number of inputs, options. */
static bl_status check_call(const struct bli_call *call)
{
    if (!bli_op_is_valid(call->op))
        return bl_error_set(BL_ERR_ARGUMENT, "op: %d is no operator", (int)call->op);
    if (call->count != bli_ops[call->op].count)
        return bl_error_set(
            BL_ERR_ARGUMENT, "%s takes %" PRId32 " inputs, not %" PRId32,
            bli_ops[call->op].name, bli_ops[call->op].count, call->count);
    if (!call->inputs)
        return bl_error_set(BL_ERR_ARGUMENT, "inputs is null");
    if (call->options && call->options->size < sizeof(bl_options))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "options: size is %zu, start from BL_OPTIONS_DEFAULT",
                            call->options->size);
    return BL_OK;
}

static bl_status check_arrays(const struct bli_call *call, bool needs_data)
{
    for (int32_t k = 0; k < call->count; k++)
        BL_TRY(bli_array_check(call->inputs[k], names_of(call)[k], needs_data));
    if (!call->out)
        return BL_OK;
    BL_TRY(bli_array_check(call->out, "out", needs_data));
    if (call->out->flags & BL_ARRAY_READ_ONLY)
        return bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    return BL_OK;
}

/* The dtype that the result of these inputs has. */
static bl_status infer_dtype(const struct bli_call *call, bl_dtype *dtype)
{
    const struct bli_op *const op = &bli_ops[call->op];
    const bl_array *const *const in = call->inputs;
    const bl_dtype last = in[call->count - 1]->dtype;

    if (op->inputs == BLI_INPUTS_SELECT && in[0]->dtype != BL_DTYPE_BOOL)
        return bl_error_set(BL_ERR_DTYPE, "%s is %s, expected bool", names_of(call)[0],
                            bl_dtype_name(in[0]->dtype));
    if (call->count > 1 && in[call->count - 2]->dtype != last)
        return bl_error_set(
            BL_ERR_DTYPE, "%s is %s and %s is %s: cast one to the other's dtype",
            names_of(call)[call->count - 2], bl_dtype_name(in[call->count - 2]->dtype),
            names_of(call)[call->count - 1], bl_dtype_name(last));
    BL_TRY(bl_op_result_dtype(call->op, last, dtype));
    return BL_OK;
}

/*
 * The dtype that the result gets: the inferred one, or any where elements are
 * converted.
 */
static bl_status settle_dtype(const struct bli_call *call, bl_dtype *dtype)
{
    bl_dtype wanted = call->options ? call->options->dtype : BL_DTYPE_NONE;

    BL_TRY(infer_dtype(call, dtype));
    if (wanted != BL_DTYPE_NONE && !bli_dtype_is_valid(wanted))
        return bl_error_set(BL_ERR_ARGUMENT, "options: %d is no dtype", (int)wanted);
    if (call->out && wanted != BL_DTYPE_NONE && wanted != call->out->dtype)
        return bl_error_set(BL_ERR_DTYPE, "out is %s, but options ask for %s",
                            bl_dtype_name(call->out->dtype), bl_dtype_name(wanted));
    if (call->out)
        wanted = call->out->dtype;
    if (wanted == BL_DTYPE_NONE || wanted == *dtype)
        return BL_OK;
    if (bli_ops[call->op].inputs != BLI_INPUTS_CONVERT)
        return bl_error_set(BL_ERR_DTYPE, "%s of %s gives %s, the result is %s",
                            bli_ops[call->op].name,
                            bl_dtype_name(call->inputs[call->count - 1]->dtype),
                            bl_dtype_name(*dtype), bl_dtype_name(wanted));
    *dtype = wanted;
    return BL_OK;
}

static const char *const difference_texts[] = {
    [BL_DIFFERENCE_NONE] = "same as the legacy result",
    [BL_DIFFERENCE_CHANGED] = "broadcast; was paired as 1-dimensional before",
    [BL_DIFFERENCE_FALLBACK] = "not broadcastable; paired as 1-dimensional",
};

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
 * The operands that the rules pair: the inputs, and before them the result of a copy,
 * which takes part and keeps its shape as in PyTorch's copy_.
 */
static int32_t list_operands(const struct bli_call *call, bl_rules_operand *operand)
{
    const bl_array *const out = call->out;
    int32_t count = 0;

    if (out && bli_ops[call->op].inputs == BLI_INPUTS_CONVERT)
        operand[count++] =
            (bl_rules_operand){{out->rank, out->extent}, BL_ROLE_PAIRED, "out"};
    for (int32_t k = 0; k < call->count; k++)
        operand[count++] =
            (bl_rules_operand){{call->inputs[k]->rank, call->inputs[k]->extent},
                               BL_ROLE_PAIRED,
                               names_of(call)[k]};
    if (bli_ops[call->op].inputs == BLI_INPUTS_SELECT)
        operand[0].role = BL_ROLE_MASK;
    return count;
}

/* Ask the rules for the result's shape and the pairing of each input. */
static bl_status ask_rules(struct bli_resolved *resolved, const bl_context *ctx,
                           const struct bli_call *call)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    const bl_options *const options = call->options ? call->options : &defaults;
    const bl_rules *const rules = options->rules ? options->rules : ctx->rules;
    const bl_array *const out = call->out;
    bl_rules_answer *const answer = &resolved->answer;
    bl_rules_operand operand[BLI_MAX_OPERANDS];
    const int32_t count = list_operands(call, operand);
    const int32_t first = count - call->count; /* operand that is input 0 */
    const bl_shape result = {out ? out->rank : 0, out ? out->extent : NULL};
    const bool is_in_place = out && (first == 1 || out == call->inputs[0]);
    const bl_rules_query query = {
        .size = sizeof query,
        .op = call->op,
        .mode = !out          ? BL_MODE_NEW
                : is_in_place ? BL_MODE_IN_PLACE
                              : BL_MODE_TO,
        .axis = options->axis,
        .count = count,
        .fixed = options->fixed << first,
        .max_growth = options->max_growth != 0 ? options->max_growth : ctx->max_growth,
        .operand = operand,
        .result = out && !is_in_place ? &result : NULL};

    BL_TRY(bl_rules_resolve(rules, &query, answer));
    for (int32_t k = 0; k < call->count; k++) {
        answer->pairing[k] = answer->pairing[first + k];
        if (answer->pairing[k].kind != BL_PAIRING_BROADCAST)
            return bl_error_set(
                BL_ERR_UNSUPPORTED, "%s rules: %s is not paired by broadcasting",
                rules->name ? rules->name : "unnamed", names_of(call)[k]);
    }
    return report_events(ctx, call, answer);
}

/* What the planner needs of the arrays and the answer. */
static bl_status state_problem(struct bli_resolved *resolved, const bl_context *ctx,
                               const struct bli_call *call)
{
    struct bli_problem *const problem = &resolved->problem;
    const bl_rules_answer *const answer = &resolved->answer;
    const int32_t size = bli_dtypes[problem->dtype[0]].size;
    int64_t count, bytes;

    problem->op = call->op;
    problem->inputs = call->count;
    problem->isa = bli_isa_pick(ctx->isa);
    problem->rank = answer->rank;
    problem->extent = answer->extent;
    problem->operand[0] = (struct bli_strided){answer->rank,
                                               size,
                                               answer->extent,
                                               call->out ? call->out->stride : NULL,
                                               {0, 0}};
    for (int32_t k = 0; k < call->count; k++) {
        const bl_array *const in = call->inputs[k];

        problem->dtype[1 + k] = in->dtype;
        problem->operand[1 + k] =
            (struct bli_strided){in->rank, bli_dtypes[in->dtype].size, in->extent,
                                 in->stride, answer->pairing[k]};
    }
    if (call->out)
        return BL_OK;
    if (!bli_shape_count(answer->rank, answer->extent, &count) ||
        !bli_mul_i64(count, size, &bytes))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "the result's bytes do not fit in 64 bits: %s, %" PRId64
                            " elements",
                            bl_dtype_name(problem->dtype[0]), count);
    return BL_OK;
}

bl_status bli_resolve(struct bli_resolved *resolved, bl_context *ctx,
                      const struct bli_call *call, bool needs_data)
{
    bl_status status = check_call(call);

    if (status != BL_OK)
        return status;
    status = check_arrays(call, needs_data);
    if (status != BL_OK)
        return status;
    status = settle_dtype(call, &resolved->problem.dtype[0]);
    if (status == BL_OK)
        status = ask_rules(resolved, ctx, call);
    if (status == BL_OK)
        status = state_problem(resolved, ctx, call);
    return status == BL_OK ? BL_OK : bli_fail_in_call(status, call);
}

bl_status bli_fail_in_call(bl_status status, const struct bli_call *call)
{
    struct bli_text text;

    bli_text_open(&text, bli_error_where_buffer(), BLI_WHERE_SIZE);
    bli_text_add(&text, "%s:", bli_ops[call->op].name);
    for (int32_t k = 0; k < call->count; k++) {
        bli_text_add(&text, " %s", bl_dtype_name(call->inputs[k]->dtype));
        bli_text_extents(&text, "[", ",", "]", call->inputs[k]->rank,
                         call->inputs[k]->extent);
    }
    if (call->out && call->out != call->inputs[0]) {
        bli_text_add(&text, " into %s", bl_dtype_name(call->out->dtype));
        bli_text_extents(&text, "[", ",", "]", call->out->rank, call->out->extent);
    }
    return status;
}
