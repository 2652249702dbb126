/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A user's function as an operation: the steps of bl_apply, with a kernel that calls
 * the function.
 */
#include <broadloom/map.h>

#include "call/aligned.h"
#include "call/shadow.h"
#include "core/sized.h"
#include "ops/ops.h"
#include "exec/user_function.h"

#include <inttypes.h>

/* Default cost of an element, in nanoseconds. */
#define ELEMENT_NS 1.0

/* One call of bl_map. */
struct map {
    struct bli_call call;
    bl_options options; /* of `call` */
    bl_map_options wanted;
    const char *names[BL_MAX_INPUTS];
    struct bli_user_kernel kernel;
    struct bli_function function; /* params of the kernel */
};

static const char *const default_names[BL_MAX_INPUTS] = {"a", "b", "c", "d",
                                                         "e", "f", "g"};

/* Check the call's function, number of inputs and options. */
static bl_status check_call(const struct map *map)
{
    const bl_map_options *const wanted = &map->wanted;

    if (!map->function.call)
        return bli_error_null("function");
    if (map->call.count < 1 || map->call.count > BL_MAX_INPUTS)
        return bli_error_argument("count", "map takes 1 to %d inputs, not %" PRId32,
                                  BL_MAX_INPUTS, map->call.count);
    if (!map->call.inputs)
        return bli_error_null("inputs");
    if (wanted->dtype != BL_DTYPE_NONE)
        BL_TRY(bli_dtype_check("options", wanted->dtype));
    if (!(wanted->element_ns >= 0))
        return bli_error_argument("options", "options: element_ns is %g",
                                  wanted->element_ns);
    return BL_OK;
}

static bl_status open_map(struct map *map, bl_map_function function, void *user,
                          int32_t count, const bl_array *const *inputs,
                          const bl_array *out, const bl_map_options *options,
                          const void *address)
{
    map->options = (bl_options)BL_OPTIONS_DEFAULT;
    map->options.names = default_names;
    map->call = (struct bli_call){.op = BL_OP_NONE,
                                  .count = count,
                                  .inputs = inputs,
                                  .out = out,
                                  .options = &map->options,
                                  .address = address};
    map->wanted = (bl_map_options)BL_MAP_OPTIONS_DEFAULT;
    if (options)
        BL_TRY(BLI_SIZED_READ(&map->wanted, names, options, "options"));
    map->options.rules = map->wanted.rules;
    map->options.names = map->names;
    for (int32_t k = 0; k < count && k < BL_MAX_INPUTS; k++)
        map->names[k] = map->wanted.names && map->wanted.names[k] ? map->wanted.names[k]
                                                                  : default_names[k];
    map->call.has_default_names = !map->wanted.names;
    map->function.call = function;
    map->function.user = user;
    map->function.inputs = count;
    return check_call(map);
}

/*
 * Resolve the dtypes that the function computes in.  BL_ERR_DTYPE if the arrays' cannot
 * be converted.
 */
static bl_status resolve_dtypes(struct map *map, const struct bli_problem *problem)
{
    const bl_dtype wanted = map->wanted.dtype;

    for (int32_t k = 0; k <= map->call.count; k++) {
        const bl_dtype own =
            k == 0 ? problem->dtype[0] : map->call.inputs[k - 1]->dtype;

        map->kernel.computed[k] = wanted != BL_DTYPE_NONE ? wanted : own;
        if (wanted == BL_DTYPE_NONE)
            continue;
        if (k == 0 && !bl_can_cast(wanted, own))
            return bli_fault_dtypes(
                bl_error_set(BL_ERR_DTYPE,
                             "the function's result, %s, can't be cast to %s",
                             bl_dtype_name(wanted), bl_dtype_name(own)),
                map->call.out ? "out" : "dtype", own, wanted);
        if (k > 0 && !bl_can_cast(own, wanted))
            return bli_fault_dtypes(
                bl_error_set(BL_ERR_DTYPE, "%s is %s, which can't be cast to %s",
                             map->options.names[k - 1], bl_dtype_name(own),
                             bl_dtype_name(wanted)),
                map->options.names[k - 1], own, wanted);
    }
    return BL_OK;
}

/* Make a plan for the call, whose result is of `dtype`, in `*plan`. */
static bl_status state_plan(struct bl_plan *plan, struct map *map, bl_context *ctx,
                            bl_dtype dtype)
{
    struct bli_resolved resolved;
    struct bli_problem *const problem = &resolved.problem;

    problem->dtype[0] = dtype;
    BL_TRY(resolve_dtypes(map, problem));
    BL_TRY(bli_broadcast_call(&resolved.answer, ctx, &map->call));
    BL_TRY(bli_build_problem(&resolved, ctx, &map->call));
    map->kernel.kernel = &bli_function_kernel;
    map->kernel.element_ns =
        map->wanted.element_ns > 0 ? map->wanted.element_ns : ELEMENT_NS;
    for (int32_t k = 0; k <= map->call.count; k++) {
        const bl_dtype taken = map->kernel.computed[k];

        map->function.size[k] = bli_dtypes[taken].size;
        map->function.move[k] = problem->isa->convert[taken][taken];
    }
    problem->common = map->kernel.computed[0];
    problem->user_kernel = &map->kernel;
    return bli_plan_make(plan, problem);
}

/* Make a plan in lent memory, to be returned with bli_thread_return on failure, too. */
static bl_status make_plan(struct bl_plan **plan, struct map *map, bl_context *ctx,
                           bl_dtype dtype)
{
    *plan = bli_thread_lend(sizeof **plan);
    return *plan ? state_plan(*plan, map, ctx, dtype) : BL_ERR_MEMORY;
}

static bl_status run(const struct bl_plan *plan, const struct map *map, bl_context *ctx,
                     void *out)
{
    struct bli_bound bound;
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < plan->inputs; k++)
        data[k] = map->call.inputs[k]->data;
    BL_TRY(bli_bind(&bound, plan, ctx, out, data));
    bound.binding.params = &map->function;
    bli_exec_run(plan, &bound.binding, &ctx->team);
    bli_unbind(&bound);
    if (bli_shadow_has_marks())
        bli_shadow_carry_plan(plan, out, data);
    return BL_OK;
}

/* Run a call whose operands are aligned; into a new tensor if it has no result. */
static bl_status run_aligned(struct map *map, bl_context *ctx, bl_dtype dtype,
                             bl_tensor **out)
{
    const bl_array *const to = map->call.out;
    struct bl_plan *plan;
    bl_tensor *result = NULL;
    bl_status status;

    BL_TRY(bli_check_arrays(&map->call, true));
    status = make_plan(&plan, map, ctx, dtype);
    if (status == BL_OK && !to)
        status = bli_tensor_new(ctx, dtype, plan->rank, plan->extent, NULL, &result);
    if (status == BL_OK)
        status = run(plan, map, ctx, to ? to->data : bl_tensor_array(result)->data);
    bli_thread_return(plan);
    if (status != BL_OK)
        bl_tensor_release(result);
    else if (!to)
        *out = result;
    return status;
}

/* The steps of bl_map() and bl_map_new() from the options on. */
static bl_status run_map(const struct map *map, bl_context *ctx, bl_dtype dtype,
                         bl_tensor **out)
{
    const struct bli_call *const call = &map->call;
    struct map inner = *map;
    struct bli_aligned aligned;

    BL_TRY(bli_aligned_open(&aligned, ctx, map->options.names, bli_call_result(call),
                            call->out, call->count, call->inputs,
                            bli_is_sequential(ctx, &map->options)));
    inner.call.out = aligned.out;
    inner.call.inputs = aligned.inputs;
    return bli_aligned_close(&aligned, run_aligned(&inner, ctx, dtype, out));
}

/* bl_map for a call of `caller`, a public function, that returns to `address`. */
static bl_status map_from(const char *caller, const void *address, bl_context *ctx,
                          bl_map_function function, void *user, const bl_array *out,
                          int32_t count, const bl_array *const *inputs,
                          const bl_map_options *options)
{
    struct map map;
    bl_status status =
        open_map(&map, function, user, count, inputs, out, options, address);

    map.call.lacks_out = !out;
    if (status == BL_OK)
        status = out ? run_map(&map, bli_context(ctx), out->dtype, NULL)
                     : bli_error_null("out");
    return status == BL_OK ? BL_OK : bli_refuse_call(status, &map.call, caller);
}

bl_status bl_map(bl_context *ctx, bl_map_function function, void *user,
                 const bl_array *out, int32_t count, const bl_array *const *inputs,
                 const bl_map_options *options)
{
    return map_from(__func__, BLI_RETURN_ADDRESS, ctx, function, user, out, count,
                    inputs, options);
}

bl_status bl_map_new(bl_context *ctx, bl_map_function function, void *user,
                     int32_t count, const bl_array *const *inputs, bl_dtype dtype,
                     const bl_map_options *options, bl_tensor **out)
{
    struct map map;
    bl_status status = open_map(&map, function, user, count, inputs, NULL, options,
                                BLI_RETURN_ADDRESS);

    if (status == BL_OK)
        status = out ? bli_dtype_check("dtype", dtype) : bli_error_null("out");
    if (status == BL_OK)
        status = run_map(&map, bli_context(ctx), dtype, out);
    return status == BL_OK ? BL_OK : bli_refuse_call(status, &map.call, __func__);
}

/* ---- functions of scalars ---- */

struct single {
    bl_map_unary_f64_function one;
    bl_map_binary_f64_function two;
    void *user;
};

static void call_one(void *user, int64_t count, void *out, const void *const *in)
{
    const struct single *const single = user;
    const double *const a = in[0];
    double *const r = out;

    for (int64_t i = 0; i < count; i++)
        r[i] = single->one(single->user, a[i]);
}

static void call_two(void *user, int64_t count, void *out, const void *const *in)
{
    const struct single *const single = user;
    const double *const a = in[0], *const b = in[1];
    double *const r = out;

    for (int64_t i = 0; i < count; i++)
        r[i] = single->two(single->user, a[i], b[i]);
}

static bl_status map_single(const char *caller, const void *address, bl_context *ctx,
                            bl_map_function function, struct single *single,
                            int32_t count, const bl_array *const *inputs,
                            const bl_array *out)
{
    bl_map_options options = BL_MAP_OPTIONS_DEFAULT;

    options.dtype = BL_DTYPE_F64;
    return map_from(caller, address, ctx, function, single, out, count, inputs,
                    &options);
}

bl_status bl_map_unary_f64(bl_context *ctx, bl_map_unary_f64_function function,
                           void *user, const bl_array *out, const bl_array *a)
{
    struct single single = {function, NULL, user};
    const bl_array *const in[] = {a};

    return map_single(__func__, BLI_RETURN_ADDRESS, ctx, function ? call_one : NULL,
                      &single, 1, in, out);
}

bl_status bl_map_binary_f64(bl_context *ctx, bl_map_binary_f64_function function,
                            void *user, const bl_array *out, const bl_array *a,
                            const bl_array *b)
{
    struct single single = {NULL, function, user};
    const bl_array *const in[] = {a, b};

    return map_single(__func__, BLI_RETURN_ADDRESS, ctx, function ? call_two : NULL,
                      &single, 2, in, out);
}
