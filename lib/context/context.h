/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts.  A context is read by calls and written only by its setters.
 */
#ifndef BLI_CONTEXT_H
#define BLI_CONTEXT_H

#include <broadloom/plan.h>

#include "core/error.h"
#include "exec/exec.h"
#include "machine/machine.h"

struct bl_context {
    struct bli_team team;
    bl_allocator allocator;
    const struct bli_isa *isa; /* the highest to use; NULL: no cap */
    const bl_rules *rules;     /* never NULL */
    double max_growth;
    bl_overlap overlap;
    bool reproducible;
    bl_placement placement;
    struct bli_pool *pool; /* NULL if there was no memory for one */
    bl_observer observer;
    void *observer_user;
};

/* `ctx`, or the default context if it is NULL.  Thread-safe. */
bl_context *bli_context(bl_context *ctx);

/* Apply the environment variables to a new context's settings. */
void bli_environment_read(bl_context *ctx);

/*
 * Whether context and rules require that a call has the result of processing its
 * elements in sequence.
 */
static inline bool bli_is_sequential(const bl_context *ctx, const bl_options *options)
{
    const bl_rules *const rules =
        options && options->rules ? options->rules : ctx->rules;

    return ctx->overlap == BL_OVERLAP_SEQUENTIAL ||
           (ctx->overlap == BL_OVERLAP_RULES && (rules->flags & BL_RULES_SEQUENTIAL));
}

/*
 * Whether a placement exists on this machine; bli_placement_check() returns
 * BL_ERR_ARGUMENT with an error text where it does not.
 */
bool bli_placement_exists(const bl_placement *placement);
bl_status bli_placement_check(const bl_placement *placement);

/* Pass an event to the context's observer and return its status; BL_OK without one. */
bl_status bli_observe(const bl_context *ctx, const bl_event *event);

#endif
