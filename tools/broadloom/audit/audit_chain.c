/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocates the memory of a chain of calls, and makes them.
 */
#include "audit_chain.h"

#include <string.h>

/* Whether the result of a call can become operand `k` of the next one. */
static bool fits(const struct audit_chain *chain, int32_t k)
{
    const struct operand *const operand = &chain->call->operand[k];
    const bl_plan_info *const info = &chain->info;

    return operand->dtype == info->dtype && operand->layout.rank == info->rank &&
           (info->rank == 0 || memcmp(operand->layout.extent, info->extent,
                                      (size_t)info->rank * sizeof(int64_t)) == 0) &&
           bl_layout_is_contiguous(&operand->layout);
}

static bl_status make_operand(struct audit_chain *chain, int32_t k, enum touch touch)
{
    const struct operand *const operand = &chain->call->operand[k];
    const int64_t size = (int64_t)bl_dtype_size(operand->dtype);
    int64_t bytes;

    layout_memory(&operand->layout, size, &bytes, &chain->first[1 + k]);
    return memory_make(chain->ctx, operand->dtype, (bytes + size - 1) / size, touch,
                       &chain->memory[k]);
}

static bl_status make_memory(struct audit_chain *chain, enum touch touch)
{
    for (int32_t k = 0; k < chain->call->count; k++)
        TRY(make_operand(chain, k, touch));
    if (chain->call->inplace) {
        chain->first[0] = chain->first[1];
        return BL_OK;
    }
    for (int32_t k = chain->call->count - 1; k >= 0; k--)
        chain->linked = fits(chain, k) ? k : chain->linked;
    for (int32_t i = 0; i < 2; i++)
        TRY(memory_make(chain->ctx, chain->info.dtype, chain->info.numel, touch,
                        &chain->result[i]));
    return BL_OK;
}

/*
 * Refuse a result in place with negative strides: a plan's nest begins at the result's
 * lowest address, and where an operand begins is known only if strides are positive.
 */
static bl_status check_inplace(const struct call *call)
{
    for (int32_t d = 0; call->inplace && d < call->operand[0].layout.rank; d++)
        if (call->operand[0].layout.stride[d] < 0)
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "a result in place must not have negative strides");
    return BL_OK;
}

bl_status audit_chain_open(struct audit_chain *chain, bl_context *ctx,
                           const struct call *call, enum touch touch)
{
    bl_status status;

    TRY(check_inplace(call));
    *chain = (struct audit_chain){.ctx = ctx, .call = call, .linked = -1};
    chain->info.size = sizeof chain->info;
    TRY(call_plan(call, ctx, NULL, &chain->plan));
    status = bl_plan_query(chain->plan, &chain->info);
    if (status == BL_OK)
        status = make_memory(chain, touch);
    if (status != BL_OK)
        audit_chain_close(chain);
    return status;
}

void audit_chain_close(struct audit_chain *chain)
{
    for (int32_t k = 0; k < BL_MAX_INPUTS; k++)
        memory_free(&chain->memory[k]);
    memory_free(&chain->result[0]);
    memory_free(&chain->result[1]);
    bl_plan_destroy(chain->plan);
    chain->plan = NULL;
}

bl_status audit_chain_next(struct audit_chain *chain)
{
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < chain->call->count; k++) {
        chain->now[1 + k] = k == chain->linked && chain->calls > 0
                                ? &chain->result[(chain->calls + 1) % 2]
                                : &chain->memory[k];
        data[k] = chain->now[1 + k]->data + chain->first[1 + k];
    }
    chain->now[0] =
        chain->call->inplace ? chain->now[1] : &chain->result[chain->calls % 2];
    TRY(bl_plan_execute(chain->ctx, chain->plan, chain->now[0]->data + chain->first[0],
                        data));
    chain->calls++;
    return BL_OK;
}

int64_t audit_chain_size(const struct audit_chain *chain, int32_t k)
{
    return (int64_t)bl_dtype_size(k == 0 ? chain->info.dtype
                                         : chain->call->operand[k - 1].dtype);
}
