/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and frees plans of expressions. */
#include "expr/fusion.h"
#include "expr/half_steps.h"

#include "context/context.h"
#include "core/sized.h"

#include <string.h>

/* ---- memory ---- */

/* Take `count` elements of `size` bytes from a block, at `*at`. */
static void *carve(char *block, size_t *at, size_t count, size_t size)
{
    char *const memory = block ? block + *at : NULL;

    *at += (count * size + 7) / 8 * 8;
    return memory;
}

/*
 * Lay a plan out in `block`, or with NULL find its bytes.  The first `*zeros` are to be
 * 0; extents after them are set as far as there are axes.
 */
static size_t lay_out(bl_expr_plan *plan, const bl_expr *expr, size_t values,
                      char *block, size_t *zeros)
{
    const size_t nodes = (size_t)expr->nodes, outputs = (size_t)expr->outputs;
    size_t at = (sizeof *plan + 7) / 8 * 8;

    plan->value = carve(block, &at, values, sizeof *plan->value);
    plan->step = carve(block, &at, values, sizeof *plan->step);
    plan->phase = carve(block, &at, values, sizeof *plan->phase);
    plan->member = carve(block, &at, values, sizeof *plan->member);
    plan->out = carve(block, &at, outputs, sizeof *plan->out);
    plan->list =
        carve(block, &at, (size_t)expr->listed + values - nodes, sizeof *plan->list);
    plan->read = carve(block, &at, (size_t)expr->inputs, sizeof *plan->read);
    plan->is_needed = carve(block, &at, nodes, sizeof *plan->is_needed);
    *zeros = at;
    plan->extent = carve(block, &at, ((size_t)expr->inputs * 2 + outputs) * BL_MAX_RANK,
                         sizeof *plan->extent);
    return at;
}

/* Allocate a plan, all 0 except what is known of the expression. */
static bl_status allocate(const bl_allocator *allocator, bl_expr *expr, uint32_t flags,
                          bool splits, bool is_remembered, bl_expr_plan **plan)
{
    bl_expr_plan size;
    const int32_t values = expr->nodes * (splits                        ? 3
                                          : flags & BL_EXPR_WIDE_HALVES ? 2
                                                                        : 1) +
                           expr->outputs;
    size_t zeros;
    const size_t bytes = lay_out(&size, expr, (size_t)values, NULL, &zeros);
    bl_expr_plan *const made = bli_allocate_object(allocator, bytes);

    if (!made)
        return BL_ERR_MEMORY;
    memset(made, 0, zeros);
    (void)lay_out(made, expr, (size_t)values, (char *)made, &zeros);
    made->bytes = bytes;
    made->flags = flags;
    made->splits = splits;
    made->values = values;
    made->allocator = *allocator;
    made->is_remembered = is_remembered;
    made->nodes = expr->nodes;
    made->outputs = expr->outputs;
    made->expr = expr;
    if (!is_remembered)
        bli_expr_retain(expr);
    *plan = made;
    return BL_OK;
}

void bl_expr_plan_destroy(bl_expr_plan *plan)
{
    if (!plan)
        return;
    const bl_allocator allocator = plan->allocator;

    for (int32_t p = 0; p < plan->phases; p++) {
        if (plan->phase[p].direct != plan->phase[p].fusion)
            bli_fusion_free(plan->phase[p].direct, &allocator);
        bli_fusion_free(plan->phase[p].fusion, &allocator);
    }
    for (int32_t s = 0; s < plan->steps; s++) {
        struct bli_expr_step *const step = &plan->step[s];

        if (step->direct != step->plan)
            bli_plan_free(step->direct, &allocator);
        bli_plan_free(step->plan, &allocator);
        bli_release_object(&allocator, step->reduce, sizeof *step->reduce);
    }
    for (int32_t k = 0; k < plan->outputs; k++)
        bli_plan_free(plan->out[k].copy, &allocator);
    bli_release_object(&allocator, plan->kept_extent, (size_t)plan->kept);
    if (!plan->is_remembered)
        bl_expr_destroy(plan->expr);
    bli_release_object(&allocator, plan, plan->bytes);
}

/* ---- plans ---- */

#define FLAGS (BL_EXPR_UNFUSED | BL_EXPR_WIDE_HALVES | BL_EXPR_FUSED)

static bl_status read_options(const bl_expr_options *options, bl_expr_options *known)
{
    static const bl_expr_options defaults = BL_EXPR_OPTIONS_DEFAULT;

    *known = defaults;
    if (options)
        BL_TRY(BLI_SIZED_READ(known, flags, options, "options"));
    if (known->flags & ~FLAGS)
        return bli_error_argument("options", "options: unknown flags 0x%x",
                                  (unsigned)(known->flags & ~FLAGS));
    if (known->flags & BL_EXPR_FUSED && known->flags & BL_EXPR_UNFUSED)
        return bli_error_argument(
            "options", "options: flags BL_EXPR_FUSED and BL_EXPR_UNFUSED, not both");
    return BL_OK;
}

/* Check an expression, and close it. */
static bl_status check_expr(bl_expr *expr)
{
    if (!expr)
        return bli_error_null("expr");
    BL_TRY(bl_expr_status(expr, NULL));
    if (expr->outputs == 0)
        return bli_error_argument("expr", "expr has no outputs");
    atomic_store_explicit(&expr->is_closed, true, memory_order_release);
    return BL_OK;
}

/*
 * The fusion that is all of the plan's executions, where these raise no warnings of
 * their own, refuse no values and need no workspace.  NULL: there is more to do.
 */
static const struct bli_fusion *find_alone(const bl_expr_plan *plan)
{
    const struct bli_fusion *const direct =
        plan->phases == 1 ? plan->phase[0].direct : NULL;
    const bool is_plain = plan->outputs == 1 && plan->out[0].is_direct &&
                          !plan->raises && !plan->refuses && plan->workspace[1] == 0;

    return direct && is_plain && bli_fusion_is_alone(direct, plan) ? direct : NULL;
}

static bl_status make(struct bli_expr_making *making)
{
    BL_TRY(bli_expr_plan_nodes(making));
    BL_TRY(bli_expr_plan_outputs(making));
    BL_TRY(bli_expr_plan_phases(making));
    BL_TRY(bli_expr_plan_memory(making->plan));
    BL_TRY(bli_expr_plan_copies(making));
    making->plan->part_phases = bli_expr_part_phases(making->plan);
    making->plan->alone = find_alone(making->plan);
    return BL_OK;
}

/* Plans that are made again so many times have no function of halves split. */
#define MOST_SPLITS 3

/* Allocate a plan and make it: NULL where that fails. */
static bl_status make_from(struct bli_expr_making *making, bl_expr *expr,
                           const bl_expr_options *options, bool is_remembered)
{
    bl_status status;

    BL_TRY(allocate(is_remembered ? &bli_default_allocator : &making->ctx->allocator,
                    expr, options->flags, making->is_whole != NULL, is_remembered,
                    &making->plan));
    making->plan->rules = options->rules ? options->rules : making->ctx->rules;
    making->plan->axis = options->axis;
    status = make(making);
    if (status == BL_OK)
        return BL_OK;
    bl_expr_plan_destroy(making->plan);
    making->plan = NULL;
    return status;
}

bl_status bli_expr_plan_make(bl_context *ctx, bl_expr *expr,
                             const bl_array *const *outs, const bl_array *const *inputs,
                             const bl_expr_options *options, bool is_remembered,
                             const char *function, bool *is_named, bl_expr_plan **plan)
{
    struct bli_expr_making making = {
        .ctx = bli_context(ctx), .inputs = inputs, .outs = outs, .function = function};
    bl_expr_options known;
    bl_status status;

    *is_named = false;
    BL_TRY(read_options(options, &known));
    BL_TRY(check_expr(expr));
    if (bli_expr_may_split(expr, inputs, known.flags)) {
        making.is_whole = bli_thread_lend((size_t)expr->nodes);
        if (!making.is_whole)
            return BL_ERR_MEMORY;
        memset(making.is_whole, 0, (size_t)expr->nodes);
    }
    status = make_from(&making, expr, &known, is_remembered);
    for (int32_t pass = 1;
         status == BL_OK && bli_expr_find_whole(&making, pass >= MOST_SPLITS); pass++) {
        bl_expr_plan_destroy(making.plan);
        making.plan = NULL;
        status = make_from(&making, expr, &known, is_remembered);
    }
    if (making.is_whole)
        bli_thread_return(making.is_whole);
    *is_named = making.is_named;
    if (status == BL_OK)
        *plan = making.plan;
    return status;
}

bl_status bl_expr_plan_create(bl_context *ctx, bl_expr *expr,
                              const bl_array *const *outs,
                              const bl_array *const *inputs,
                              const bl_expr_options *options, bl_expr_plan **plan)
{
    bool is_named = false;
    const bl_status status = plan ? bli_expr_plan_make(ctx, expr, outs, inputs, options,
                                                       false, __func__, &is_named, plan)
                                  : bli_error_null("plan");

    return status == BL_OK || is_named ? status : bli_error_call(status, __func__, "");
}
