/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the library's operators on tensors, in one context whose rules pair elements in
 * row-major order.
 */
#include <broadloom/compat.h>
#include <broadloom/warnings.h>

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
    __atomic_store_n(&THHasShadows_, bl_shadow_every() != 0, __ATOMIC_RELAXED);
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

/* A call of an operator, as `user` of a bl_shadow_function. */
struct operation {
    bl_op op;
    const bl_options *options;
};

static bl_status apply(void *user, const bl_array *out, int32_t count,
                       const bl_array *const *in)
{
    const struct operation *const operation = user;

    return bl_apply(th_context(), operation->op, out, count, in, operation->options);
}

/* Apply an operator in a shadow run; TH has reported the call. */
static bl_status apply_watched(struct operation *operation, const bl_array *out,
                               int count, const bl_array *const *in)
{
    bl_shadow *const shadow = th_begin_shadow(out, count, in, apply, operation);
    bl_status status;

    bl_warnings_suppress_begin();
    status = apply(operation, out, count, in);
    bl_warnings_suppress_end();
    bl_shadow_end(shadow, status == BL_OK ? out : NULL);
    return status;
}

void th_apply(bl_op op, const bl_array *out, int count, const bl_array *const *in,
              const bl_scalar *alpha)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    struct operation operation = {op, alpha ? &options : NULL};

    options.alpha = alpha;
    if (th_count(out) > 0)
        th_check(th_shadows() ? apply_watched(&operation, out, count, in)
                              : apply(&operation, out, count, in));
}
