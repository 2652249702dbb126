/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a call into a problem that can be planned: checks the arguments, resolves
 * dtypes, and resolves shapes by the rules.
 */
#include "call/call.h"
#include "core/sized.h"

#include <inttypes.h>

/* Check the call itself: operator, number of inputs, their address. */
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
    return BL_OK;
}

bl_status bli_options_read(const bl_options **options, bl_options *known)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;

    *known = defaults;
    BL_TRY(bli_sized_read(known, sizeof *known, sizeof *known, *options, "options"));
    *options = known;
    return BL_OK;
}

bl_status bli_check_arrays(const struct bli_call *call, bool needs_data)
{
    for (int32_t k = 0; k < call->count; k++)
        BL_TRY(bli_array_check(call->inputs[k], bli_call_names(call)[k], needs_data));
    if (!call->out)
        return BL_OK;
    BL_TRY(bli_array_check(call->out, "out", needs_data));
    if (call->out->flags & (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR))
        return bl_error_set(BL_ERR_ARGUMENT, "out is %s",
                            call->out->flags & BL_ARRAY_SCALAR ? "a scalar"
                                                               : "read-only");
    return BL_OK;
}

bl_status bli_build_problem(struct bli_resolved *resolved, const bl_context *ctx,
                            const struct bli_call *call)
{
    struct bli_problem *const problem = &resolved->problem;
    const bl_rules_answer *const answer = &resolved->answer;
    const int32_t size = bli_dtypes[problem->dtype[0]].size;
    int64_t count, bytes;

    problem->op = call->op;
    problem->inputs = call->count;
    problem->scalars = 0;
    problem->isa = bli_isa_pick(ctx->isa);
    problem->reproducible = ctx->reproducible;
    problem->is_sequential = bli_is_sequential(ctx, call->options);
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
        problem->scalars |= (in->flags & BL_ARRAY_SCALAR) != 0 ? UINT32_C(1) << k : 0;
        problem->operand[1 + k] =
            (struct bli_strided){in->rank, bli_dtypes[in->dtype].size, in->extent,
                                 in->stride, answer->pairing[k]};
    }
    if (call->out)
        return BL_OK;
    if (!bli_shape_numel(answer->rank, answer->extent, &count) ||
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
    status = bli_check_arrays(call, needs_data);
    if (status != BL_OK)
        return status;
    status = bli_resolve_dtypes(&resolved->problem, call);
    if (status == BL_OK)
        status = bli_broadcast_call(&resolved->answer, ctx, call);
    if (status == BL_OK)
        status = bli_build_problem(resolved, ctx, call);
    return status == BL_OK ? BL_OK : bli_fail_in_call(status, call);
}

bl_status bli_fail_in_call(bl_status status, const struct bli_call *call)
{
    struct bli_text text;

    bli_error_where_open(&text);
    bli_text_add(&text, "%s:", call->op == BL_OP_NONE ? "map" : bli_ops[call->op].name);
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
