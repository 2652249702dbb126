/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators of the library on tensors: in one context, whose rules pair elements in
 * row-major order.
 */
#include "core.h"

#include <pthread.h>

/* ---- the context ---- */

static bl_context *the_context;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile bool is_forked;

static void note_fork(void)
{
    is_forked = true;
}

static void make_context(void)
{
    if (pthread_atfork(NULL, NULL, note_fork) != 0)
        is_forked = true; /* as nobody would tell */
    if (bl_context_create(&the_context) != BL_OK)
        return; /* NULL is the process's */
    bl_context_set_rules(the_context, &bl_rules_legacy);
}

bl_context *th_context(void)
{
    pthread_once(&once, make_context);
    return the_context;
}

bool th_is_forked(void)
{
    pthread_once(&once, make_context);
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
        th_check(bl_apply(th_context(), op, count, in, out, alpha ? &options : NULL));
}
