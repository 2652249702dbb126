/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the addresses of an execution, and how outputs and inputs overlap. */
#include "expr/execute.h"
#include "expr/fusion.h"

#include <inttypes.h>
#include <stdio.h>

/* Check an address of elements that span bytes from `begin` to `end` around it. */
static bl_status check_address(const void *data, bl_dtype dtype, int64_t begin,
                               int64_t end, const char *name)
{
    if (begin == end)
        return BL_OK;
    if (!data)
        return bli_error_argument(name, "%s: null data", name);
    if ((uintptr_t)data % (uintptr_t)bli_dtypes[dtype].align != 0)
        return bli_error_argument(name, "%s: data is not aligned to %d bytes", name,
                                  (int)bli_dtypes[dtype].align);
    return BL_OK;
}

/* Refuse arrays: the error names them.  `other` may be NULL. */
static bl_status refuse(struct bli_expr_execution *run, bl_status status,
                        const char *name, const bl_array *array, const char *other_name,
                        const bl_array *other)
{
    run->is_named = true;
    return other ? bli_error_call(status, run->function, "%A%A", name, array,
                                  other_name, other)
                 : bli_error_call(status, run->function, "%A", name, array);
}

static bl_array out_array(const struct bli_expr_execution *run, int32_t k)
{
    bl_array array = run->plan->out[k].array;

    array.data = run->outs[k];
    return array;
}

static void name_output(char name[24], int32_t k)
{
    snprintf(name, 24, "output %" PRId32, k);
}

static bl_status check_addresses(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;
    bl_status status;
    char name[24];

    for (int32_t k = 0; k < plan->outputs; k++) {
        const struct bli_expr_out *const out = &plan->out[k];

        status = check_address(run->outs[k], out->array.dtype, out->begin, out->end,
                               "output");
        if (status != BL_OK) {
            name_output(name, k);
            (void)check_address(run->outs[k], out->array.dtype, out->begin, out->end,
                                name);
            return refuse(run, status, name, &out->array, NULL, NULL);
        }
    }
    for (int32_t i = 0; i < plan->reads; i++) {
        const bl_node n = plan->read[i];
        const struct bli_expr_value *const value = &plan->value[n];
        const int32_t slot = bli_expr_node(plan->expr, n)->what;
        const char *const input = plan->expr->input[slot];

        status = check_address(run->data[slot], value->dtype, value->begin, value->end,
                               input);
        if (status != BL_OK) {
            const bl_array array = bli_expr_value_array(plan, n, NULL);

            return refuse(run, status, input, &array, NULL, NULL);
        }
    }
    return BL_OK;
}

/* Whether two spans of bytes around addresses have bytes in common. */
static bool spans_meet(const void *a, int64_t a_begin, int64_t a_end, const void *b,
                       int64_t b_begin, int64_t b_end)
{
    return a_begin != a_end && b_begin != b_end &&
           (intptr_t)a + a_begin < (intptr_t)b + b_end &&
           (intptr_t)b + b_begin < (intptr_t)a + a_end;
}

static bl_status check_outputs(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;
    char name[2][24];

    for (int32_t k = 1; k < plan->outputs; k++)
        for (int32_t j = 0; j < k; j++) {
            const struct bli_expr_out *const a = &plan->out[j], *const b =
                                                                    &plan->out[k];

            if (!spans_meet(run->outs[j], a->begin, a->end, run->outs[k], b->begin,
                            b->end))
                continue;

            const bl_array first = out_array(run, j), second = out_array(run, k);

            if (bli_expr_overlap(&first, &second) != BLI_OVERLAP_NONE) {
                name_output(name[0], j);
                name_output(name[1], k);
                return refuse(run,
                              bl_error_set(BL_ERR_OVERLAP,
                                           "outputs %" PRId32 " and %" PRId32
                                           " share memory",
                                           j, k),
                              name[0], &first, name[1], &second);
            }
        }
    return BL_OK;
}

/*
 * Whether the phase that writes an output may read input `v` last, although they share
 * memory: calls see to sequential results themselves.
 */
static bool may_share(const bl_expr_plan *plan, const struct bli_expr_out *out,
                      int32_t v, enum bli_overlap overlap)
{
    const struct bli_expr_value *const value = &plan->value[out->value];
    const struct bli_expr_phase *const phase = &plan->phase[value->phase];
    const struct bl_plan *const call = plan->step[value->step].plan;

    if (phase->fusion)
        return overlap == BLI_OVERLAP_EXACT && bli_expr_is_whole(plan, value) &&
               bli_fusion_may_overwrite(phase->direct, out->value, v);
    return call && (overlap == BLI_OVERLAP_EXACT || call->is_sequential);
}

/* Decide what an output's overlap with an input, value `v`, means. */
static bl_status check_input(struct bli_expr_execution *run, int32_t k, int32_t v)
{
    const bl_expr_plan *const plan = run->plan;
    const struct bli_expr_value *const value = &plan->value[v];
    const struct bli_expr_out *const output = &plan->out[k];
    const int32_t phase = plan->value[output->value].phase;
    const int32_t first = output->first;
    void *const data = (void *)(uintptr_t)run->data[bli_expr_node(plan->expr, v)->what];
    const bl_array out = out_array(run, k);
    const bl_array in = bli_expr_value_array(plan, v, data);
    enum bli_overlap overlap;
    char name[24];

    if (value->last < first)
        return BL_OK;
    overlap = bli_expr_overlap(&out, &in);
    if (overlap == BLI_OVERLAP_NONE)
        return BL_OK;
    /* Values may lodge in an input's memory from the phase on that reads it last. */
    if (first < phase && (overlap != BLI_OVERLAP_EXACT || value->last > first))
        run->layout = 0;
    if (value->last < phase)
        return BL_OK;
    if (overlap == BLI_OVERLAP_PARTIAL && run->ctx->overlap == BL_OVERLAP_REFUSE) {
        name_output(name, k);
        return refuse(run, bl_error_set(BL_ERR_OVERLAP, "%s", bli_overlap_text), name,
                      &out, plan->expr->input[bli_expr_node(plan->expr, v)->what], &in);
    }
    if (value->last > phase || !may_share(plan, output, v, overlap)) {
        run->late |= UINT64_C(1) << k;
        run->layout = 0;
    }
    return BL_OK;
}

/* Make all outputs of a fusion late of which one is: it writes all in one manner. */
static void share_lateness(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;

    for (int32_t k = 0; run->late && k < plan->outputs; k++)
        for (int32_t j = 0; j < plan->outputs; j++)
            if (run->late >> j & 1 && plan->value[plan->out[k].value].phase ==
                                          plan->value[plan->out[j].value].phase)
                run->late |= UINT64_C(1) << k;
}

bl_status bli_expr_bind(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;

    BL_TRY(check_addresses(run));
    BL_TRY(check_outputs(run));
    run->layout = 1;
    for (int32_t k = 0; k < plan->outputs; k++) {
        const struct bli_expr_out *const out = &plan->out[k];

        if (!out->is_direct)
            run->late |= UINT64_C(1) << k;
        for (int32_t i = 0; i < plan->reads; i++) {
            const bl_node n = plan->read[i];
            const struct bli_expr_value *const value = &plan->value[n];

            if (spans_meet(run->outs[k], out->begin, out->end,
                           run->data[bli_expr_node(plan->expr, n)->what], value->begin,
                           value->end))
                BL_TRY(check_input(run, k, n));
        }
    }
    share_lateness(run);
    return BL_OK;
}

void *bli_expr_address(const struct bli_expr_execution *run, int32_t v)
{
    const bl_expr_plan *const plan = run->plan;
    const struct bli_expr_value *const value = &plan->value[v];

    if (value->output >= 0)
        return run->late >> value->output & 1
                   ? run->memory + plan->out[value->output].at[run->layout]
                   : run->outs[value->output];
    if (value->lodges >= 0 && run->layout == 1)
        return run->outs[value->lodges];
    if (value->step >= 0)
        return run->memory + value->at[run->layout];

    const struct bli_expr_node *const node = bli_expr_node(plan->expr, v);

    /* Operands are only read, but share the arrays' type of address. */
    return (void *)(uintptr_t)(node->kind == BLI_NODE_NUMBER ? &node->number.value
                                                             : run->data[node->what]);
}
