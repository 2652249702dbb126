/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a call into a problem that can be planned: checks the arguments, resolves
 * dtypes, and resolves shapes by the rules.
 */
#include "call/call.h"
#include "core/sized.h"
#include "exec/bind/bind.h"

#include <inttypes.h>

bl_status bli_check_call(const struct bli_call *call)
{
    if (!bli_op_is_valid(call->op))
        return bli_error_argument("op", "op: %d is no operator", (int)call->op);
    if (call->count != bli_ops[call->op].count)
        return bli_error_argument("count", "%s takes %" PRId32 " inputs, not %" PRId32,
                                  bli_ops[call->op].name, bli_ops[call->op].count,
                                  call->count);
    if (!call->inputs)
        return bli_error_null("inputs");
    return BL_OK;
}

bl_status bli_options_read(const bl_options **options, bl_options *known)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;

    *known = defaults;
    BL_TRY(BLI_SIZED_READ(known, alpha, *options, "options"));
    *options = known;
    return BL_OK;
}

bl_status bli_options_check(const bl_options *options, int32_t count)
{
    if (!(options->max_growth >= 0))
        return bli_error_argument("options", "options: max_growth %g is not a limit",
                                  options->max_growth);
    if (options->fixed >> count != 0)
        return bli_error_argument("options",
                                  "options: fixed 0x%" PRIx32
                                  " names more than %" PRId32 " operands",
                                  options->fixed, count);
    return BL_OK;
}

/* Check an array; one that is not aligned is refused. */
static bl_status check_aligned(const bl_array *array, const char *name, bool needs_data)
{
    BL_TRY(bli_array_check(array, name, needs_data));
    if (!bli_array_is_unaligned(array))
        return BL_OK;
    return bli_error_argument(
        name, "%s: a plan takes no elements that are not aligned to %" PRId32 " bytes",
        name, bli_dtypes[array->dtype].align);
}

bl_status bli_check_arrays(const struct bli_call *call, bool needs_data)
{
    for (int32_t k = 0; k < call->count; k++)
        BL_TRY(check_aligned(call->inputs[k], bli_input_name(call, k), needs_data));
    if (!call->out)
        return BL_OK;

    const char *const result = bli_call_result(call);

    BL_TRY(check_aligned(call->out, result, needs_data));
    if (call->out->flags & (BL_ARRAY_READ_ONLY | BL_ARRAY_SCALAR))
        return bli_error_argument(result, "%s is %s", result,
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
    problem->caches = bli_team_caches(&ctx->team);
    problem->reproducible = ctx->reproducible;
    problem->is_sequential = bli_is_sequential(ctx, call->options);
    problem->rank = answer->rank;
    problem->extent = answer->extent;
    problem->operand[0] = call->out
                              ? bli_array_operand(call->out, (bl_pairing){0, 0})
                              : (struct bli_strided){answer->rank,   size, size,
                                                     answer->extent, NULL, {0, 0}};
    for (int32_t k = 0; k < call->count; k++) {
        const bl_array *const in = call->inputs[k];

        problem->dtype[1 + k] = in->dtype;
        problem->scalars |= (in->flags & BL_ARRAY_SCALAR) != 0 ? UINT32_C(1) << k : 0;
        problem->operand[1 + k] = bli_array_operand(in, answer->pairing[k]);
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
    BL_TRY(bli_check_call(call));
    if (!call->is_checked)
        BL_TRY(bli_check_arrays(call, needs_data));
    BL_TRY(bli_resolve_dtypes(&resolved->problem, call));
    if (call->options)
        BL_TRY(bli_options_check(call->options, call->count));
    BL_TRY(bli_broadcast_call(&resolved->answer, ctx, call));
    return bli_build_problem(resolved, ctx, call);
}
