/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the library's operators on tensors, in one context whose rules pair elements in
 * row-major order.
 */
#include <broadloom/compat.h>

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- the context ---- */

static _Atomic(bl_context *) the_context;
static volatile bool is_forked;

static void note_fork(void)
{
    is_forked = true;
}

/*
 * Make the context.  Threads that need it at the same time each make one, and the first
 * to be published is used by all: none waits for another, which a fork may have left
 * behind.  Returns NULL, the process's context, without memory.
 */
static bl_context *make_context(void)
{
    bl_context *made, *first = NULL;

    if (pthread_atfork(NULL, NULL, note_fork) != 0)
        is_forked = true; /* as a fork would not be noticed */
    if (bl_context_create(&made) != BL_OK)
        return NULL;
    BL_IGNORE(bl_context_set_rules(made, bl_rules_legacy()));
    if (atomic_compare_exchange_strong(&the_context, &first, made))
        return made;
    bl_context_destroy(made);
    return first;
}

bl_context *th_context(void)
{
    bl_context *const known = atomic_load_explicit(&the_context, memory_order_acquire);

    return known ? known : make_context();
}

bool th_is_forked(void)
{
    (void)th_context();
    return is_forked;
}

bool th_check(bl_status status)
{
    if (status != BL_OK)
        THError("%s", bl_error_message());
    return status == BL_OK;
}

/* ---- operators ---- */

void th_apply(bl_op op, const bl_array *out, int count, const bl_array *const *in,
              const bl_scalar *alpha)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.alpha = alpha;
    if (th_count(out) > 0)
        th_check(bl_apply(th_context(), op, out, count, in, alpha ? &options : NULL));
}
