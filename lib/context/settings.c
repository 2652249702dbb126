/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of a context that concern the machine: where memory is placed, how much of
 * it the pool keeps, where threads run, and the tracer.
 */
#include "context/context.h"

#include <inttypes.h>

/* `ctx`, or the default context if it is NULL, for functions that only read. */
static const bl_context *look(const bl_context *ctx)
{
    return ctx ? ctx : bli_context(NULL);
}

static bl_status set_placement(bl_context *ctx, bl_placement placement)
{
    BL_TRY(bli_placement_check(&placement));
    bli_context(ctx)->placement = placement;
    return BL_OK;
}

bl_status bl_context_set_placement(bl_context *ctx, bl_placement placement)
{
    BLI_RETURN_CALL(set_placement(ctx, placement), "placement %d, node %d",
                    placement.kind, placement.node);
}

bl_placement bl_context_placement(const bl_context *ctx)
{
    return look(ctx)->placement;
}

void bl_context_set_thread_binding(bl_context *ctx, bool bind)
{
    bli_context(ctx)->team.bind = bind;
}

bool bl_context_thread_binding(const bl_context *ctx)
{
    return look(ctx)->team.bind;
}

void bl_context_set_nested_parallelism(bl_context *ctx, bool nested)
{
    bli_context(ctx)->team.nested = nested;
}

bool bl_context_nested_parallelism(const bl_context *ctx)
{
    return look(ctx)->team.nested;
}

static bl_status set_region_ns(bl_context *ctx, int32_t ns)
{
    if (ns < 0)
        return bli_error_argument("ns", "a region takes %d ns", (int)ns);
    bli_context(ctx)->team.region_ns = ns;
    return BL_OK;
}

bl_status bl_context_set_region_ns(bl_context *ctx, int32_t ns)
{
    BLI_RETURN_CALL(set_region_ns(ctx, ns), "ns %d", ns);
}

int32_t bl_context_region_ns(const bl_context *ctx)
{
    return look(ctx)->team.region_ns;
}

static bl_status set_pool_limit(bl_context *ctx, int64_t bytes)
{
    bl_context *const context = bli_context(ctx);

    if (bytes < 0)
        return bli_error_argument("bytes", "pool is negative: %" PRId64 " bytes",
                                  bytes);
    /* A context without a pool, for want of memory, keeps no blocks. */
    if (context->pool)
        bli_pool_set_limit(context->pool, bytes);
    return BL_OK;
}

bl_status bl_context_set_pool_limit(bl_context *ctx, int64_t bytes)
{
    BLI_RETURN_CALL(set_pool_limit(ctx, bytes), "bytes %l", bytes);
}

int64_t bl_context_pool_limit(const bl_context *ctx)
{
    return bli_pool_limit(look(ctx)->pool);
}

int64_t bl_context_trim(bl_context *ctx)
{
    return bli_pool_trim(bli_context(ctx)->pool);
}

void bl_context_set_tracer(bl_context *ctx, bl_tracer tracer, void *user)
{
    bl_context *const context = bli_context(ctx);

    context->team.tracer = tracer;
    context->team.tracer_user = user;
}
