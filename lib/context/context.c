/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts: the settings that calls run with.  The default context is made at its first
 * use, by whichever thread comes first.
 */
#include "context/context.h"
#include "core/lock.h"
#include "diag/diag.h"

#include <inttypes.h>

static bl_context default_context;

static void initialise(bl_context *ctx)
{
    *ctx = (bl_context){
        .allocator = bli_default_allocator,
        .rules = &bli_rules_modern,
        .overlap = BL_OVERLAP_RULES,
    };
    ctx->pool = bli_pool_create(bli_pool_default_limit());
    bli_environment_read(ctx);
    bli_warnings_start();
}

static void initialise_default(void)
{
    initialise(&default_context);
}

bl_context *bli_context(bl_context *ctx)
{
    if (ctx)
        return ctx;
    bli_once(BLI_ONCE_CONTEXT, initialise_default);
    return &default_context;
}

/* `ctx`, or the default context if it is NULL, for functions that only read. */
static const bl_context *look(const bl_context *ctx)
{
    return ctx ? ctx : bli_context(NULL);
}

static bl_status create(bl_context **out)
{
    if (!out)
        return bli_error_null("out");

    bl_context *const ctx = bli_allocate(&bli_default_allocator, sizeof *ctx);

    if (!ctx)
        return BL_ERR_MEMORY;
    initialise(ctx);
    *out = ctx;
    return BL_OK;
}

bl_status bl_context_create(bl_context **out)
{
    BLI_RETURN_CALL(create(out), "");
}

void bl_context_destroy(bl_context *ctx)
{
    if (ctx)
        bli_pool_release(ctx->pool);
    bli_release(&bli_default_allocator, ctx, sizeof *ctx);
}

static bl_status set_threads(bl_context *ctx, int32_t threads)
{
    if (threads < 0)
        return bli_error_argument("threads", "threads is negative: %" PRId32, threads);
    bli_context(ctx)->team.threads = threads;
    return BL_OK;
}

bl_status bl_context_set_threads(bl_context *ctx, int32_t threads)
{
    BLI_RETURN_CALL(set_threads(ctx, threads), "threads %d", threads);
}

int32_t bl_context_threads(const bl_context *ctx)
{
    return look(ctx)->team.threads;
}

static bl_status set_isa(bl_context *ctx, const char *name)
{
    const struct bli_isa *const isa = name ? bli_isa_find(name) : NULL;

    if (name && !isa)
        return bli_error_argument("name", "unknown instruction set: %s", name);
    bli_context(ctx)->isa = isa;
    return BL_OK;
}

bl_status bl_context_set_isa(bl_context *ctx, const char *name)
{
    BLI_RETURN_CALL(set_isa(ctx, name), "name %s", name);
}

const char *bl_context_isa(const bl_context *ctx)
{
    return bli_isa_pick(look(ctx)->isa)->name;
}

void bl_context_set_reproducible(bl_context *ctx, bool reproducible)
{
    bli_context(ctx)->reproducible = reproducible;
}

bool bl_context_reproducible(const bl_context *ctx)
{
    return look(ctx)->reproducible;
}

static bl_status set_rules(bl_context *ctx, const bl_rules *rules)
{
    if (rules)
        BL_TRY(bli_rules_check(rules));
    bli_context(ctx)->rules = rules ? rules : &bli_rules_modern;
    return BL_OK;
}

bl_status bl_context_set_rules(bl_context *ctx, const bl_rules *rules)
{
    BLI_RETURN_CALL(set_rules(ctx, rules), "");
}

const bl_rules *bl_context_rules(const bl_context *ctx)
{
    return look(ctx)->rules;
}

static bl_status set_max_growth(bl_context *ctx, double factor)
{
    if (!(factor >= 0.0))
        return bli_error_argument("factor", "max growth is not a number from 0 on: %g",
                                  factor);
    bli_context(ctx)->max_growth = factor;
    return BL_OK;
}

bl_status bl_context_set_max_growth(bl_context *ctx, double factor)
{
    BLI_RETURN_CALL(set_max_growth(ctx, factor), "factor %g", factor);
}

double bl_context_max_growth(const bl_context *ctx)
{
    return look(ctx)->max_growth;
}

static bl_status set_overlap(bl_context *ctx, bl_overlap policy)
{
    if (policy < BL_OVERLAP_RULES || policy > BL_OVERLAP_SEQUENTIAL)
        return bli_error_argument("policy", "unknown overlap policy: %d", (int)policy);
    bli_context(ctx)->overlap = policy;
    return BL_OK;
}

bl_status bl_context_set_overlap(bl_context *ctx, bl_overlap policy)
{
    BLI_RETURN_CALL(set_overlap(ctx, policy), "policy %d", (int)policy);
}

bl_overlap bl_context_overlap(const bl_context *ctx)
{
    return look(ctx)->overlap;
}

static bl_status set_allocator(bl_context *ctx, const bl_allocator *allocator)
{
    if (allocator && (!allocator->allocate || !allocator->release))
        return bli_error_argument("allocator", "allocator: %s is null",
                                  allocator->allocate ? "release" : "allocate");
    bli_context(ctx)->allocator = allocator ? *allocator : bli_default_allocator;
    return BL_OK;
}

bl_status bl_context_set_allocator(bl_context *ctx, const bl_allocator *allocator)
{
    BLI_RETURN_CALL(set_allocator(ctx, allocator), "");
}

void bl_context_set_parallel_for(bl_context *ctx, bl_parallel_for run, void *user)
{
    bl_context *const context = bli_context(ctx);

    context->team.run = run;
    context->team.user = user;
}

void bl_context_set_observer(bl_context *ctx, bl_observer observer, void *user)
{
    bl_context *const context = bli_context(ctx);

    context->observer = observer;
    context->observer_user = user;
}

bl_status bli_observe(const bl_context *ctx, const bl_event *event)
{
    const bl_context *const context = look(ctx);

    const uint32_t before = bli_error_count();
    const bl_status status =
        context->observer ? context->observer(context->observer_user, event) : BL_OK;

    return status == BL_OK ? BL_OK : bli_error_of_callback(status, before, "observer");
}
