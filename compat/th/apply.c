/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators of the library on tensors: in one context, whose rules pair elements in
 * row-major order.
 */
#include "core.h"

#include <pthread.h>

enum { INPUTS_MAX = 4 };

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
    if (bl_context_set_overlap(the_context, BL_OVERLAP_REFUSE) != BL_OK)
        return;
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

/* A call, of which inputs may be replaced by copies. */
struct call {
    bl_op op;
    int count;
    const bl_array *out;
    const bl_array *in[INPUTS_MAX];
    const bl_scalar *alpha;
};

static bool is_number(const bl_array *array)
{
    return (array->flags & BL_ARRAY_SCALAR) != 0;
}

static bl_status run(const struct call *call)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.alpha = call->alpha;
    return bl_apply(th_context(), call->op, call->count, call->in, call->out,
                    call->alpha ? &options : NULL);
}

/* Whether all arrays have the result's shape. */
static bool has_one_shape(const struct call *call)
{
    for (int k = 0; k < call->count; k++) {
        const bl_array *const in = call->in[k];

        if (is_number(in))
            continue;
        if (in->rank != call->out->rank)
            return false;
        for (int32_t d = 0; d < in->rank; d++)
            if (in->extent[d] != call->out->extent[d])
                return false;
    }
    return true;
}

/* The address of an array's element, by its number in row-major order. */
static void *find_element(const bl_array *array, int64_t number)
{
    int64_t offset = 0;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        offset += number % array->extent[d] * array->stride[d];
        number /= array->extent[d];
    }
    return (char *)array->data + offset * (int64_t)bl_dtype_size(array->dtype);
}

/* One element after the other: what overlaps is read as it has been written. */
static bl_status run_in_order(const struct call *call)
{
    static const int64_t one = 1;
    const int64_t total = th_count(call->out);
    bl_array out = *call->out, in[INPUTS_MAX];
    struct call single = *call;
    bl_status status = BL_OK;

    out.rank = 1;
    out.extent = out.stride = &one;
    single.out = &out;
    for (int k = 0; k < call->count; k++) {
        if (is_number(call->in[k]))
            continue;
        in[k] = *call->in[k];
        in[k].rank = 1;
        in[k].extent = in[k].stride = &one;
        single.in[k] = call->in[k] == call->out ? &out : &in[k];
    }
    for (int64_t i = 0; i < total && status == BL_OK; i++) {
        out.data = find_element(call->out, i);
        for (int k = 0; k < call->count; k++)
            if (!is_number(call->in[k]))
                in[k].data = find_element(call->in[k], i);
        status = run(&single);
    }
    return status;
}

/*
 * Whether the order of the elements may matter.  Of arrays of one shape the library
 * says so itself.
 */
static bool needs_order(const struct call *call)
{
    const bl_array *const out = call->out;

    for (int32_t d = 0; d < out->rank; d++)
        if (out->stride[d] == 0 && out->extent[d] > 1)
            return true;
    for (int k = 0; k < call->count; k++)
        if (!is_number(call->in[k]) && !has_one_shape(call) &&
            th_may_overlap(out, call->in[k]) && !th_is_same(out, call->in[k]))
            return true;
    return false;
}

static bl_status run_any(const struct call *call)
{
    bl_status status;

    if (needs_order(call))
        return run_in_order(call);
    status = run(call);
    return status == BL_ERR_OVERLAP ? run_in_order(call) : status;
}

void th_apply(bl_op op, const bl_array *out, int count, const bl_array *const *in,
              const bl_scalar *alpha)
{
    struct call call = {op, count, out, {NULL}, alpha};

    memcpy(call.in, in, (size_t)count * sizeof *in);
    if (th_count(out) > 0)
        th_check(run_any(&call));
}
