/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a context holds, and what the process does: settings, flags, the observer.
 * A context is read by calls and written by its setters alone.
 */
#ifndef BLI_CONTEXT_H
#define BLI_CONTEXT_H

#include <broadloom/plan.h>
#include <broadloom/warnings.h>

#include "exec/exec.h"
#include "machine/machine.h"

#include <stdatomic.h>

struct bl_context {
    struct bli_team team;
    bl_allocator allocator;
    const struct bli_isa *isa; /* cap; NULL: none */
    const bl_rules *rules;     /* never NULL */
    double max_growth;
    bl_overlap overlap;
    bool reproducible;
    bl_placement placement;
    struct bli_pool *pool; /* NULL where there was no memory for one */
    bl_observer observer;
    void *observer_user;
};

/* `ctx`, or the default context where it is NULL.  Thread-safe. */
bl_context *bli_context(bl_context *ctx);

/* Refine a context's settings by the environment's variables. */
void bli_environment_read(bl_context *ctx);

/* The process's warning flags; read with bli_backcompat(). */
enum {
    BLI_BACKCOMPAT_BROADCAST = 1,
    BLI_BACKCOMPAT_KEEPDIM = 2,
    BLI_BACKCOMPAT_PRECISE = 4
};
extern _Atomic uint32_t bli_backcompat_word;

/* Take the environment's word for them, the first time that it is called. */
void bli_backcompat_start(void);

static inline uint32_t bli_backcompat(void)
{
    return atomic_load_explicit(&bli_backcompat_word, memory_order_relaxed);
}

/* Whether a call's elements are observed to be done in order, by context and rules. */
static inline bool bli_is_sequential(const bl_context *ctx, const bl_options *options)
{
    const bl_rules *const rules =
        options && options->rules ? options->rules : ctx->rules;

    return ctx->overlap == BL_OVERLAP_SEQUENTIAL ||
           (ctx->overlap == BL_OVERLAP_RULES && rules->is_sequential);
}

/* Whether a placement is one of this machine; the check sets the error text. */
bool bli_placement_exists(const bl_placement *placement);
bl_status bli_placement_check(const bl_placement *placement);

/* Tell the context's observer, if it has one; its status. */
bl_status bli_observe(const bl_context *ctx, const bl_event *event);

#endif
