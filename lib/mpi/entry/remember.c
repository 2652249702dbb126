/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators' plans that a grid remembers.
 */
#include "mpi/entry/remember.h"

#include <stdlib.h>
#include <string.h>

#include <broadloom/rules.h>
#include <broadloom/warnings.h>

/* ---- whether one can be kept ---- */

static bool is_plain(const bl_mpi_options *options)
{
    static const bl_mpi_options defaults = {.size = sizeof defaults};

    return !options || (options->size == sizeof defaults &&
                        memcmp(options, &defaults, sizeof defaults) == 0);
}

bool bli_may_remember(const bl_mpi_grid *grid, const bl_context *ctx)
{
    return grid->link && (!ctx || ctx == grid->ctx) &&
           !bl_backcompat_broadcast_warning_enabled();
}

/* Whether the rules of a context are the library's, without sequential results. */
static bool has_known_rules(const bl_context *ctx)
{
    const bl_rules *const rules = bl_context_rules(ctx);

    return rules && bl_rules_find(rules->name) == rules &&
           !(rules->flags & BL_RULES_SEQUENTIAL) &&
           bl_context_overlap(ctx) != BL_OVERLAP_SEQUENTIAL;
}

/* Whether arrays that all ranks have are numbers; they are without an address here. */
static bool has_numbers(const bl_mpi_plan *plan, const struct bli_plan_key *key)
{
    for (int32_t k = 0; k < key->count; k++)
        if (key->in[k].array &&
            (key->in[k].array->rank != 0 ||
             key->in[k].array->flags != plan->call.operand[k].array.flags))
            return false;
    return true;
}

/*
 * Whether the plan of a call can be kept: nothing moves, nothing is warned of, and what
 * the rules say stays.
 */
static bool can_be_kept(const bl_mpi_plan *plan, const struct bli_plan_key *key)
{
    if (!bli_may_remember(key->grid, key->ctx) || !is_plain(key->options) ||
        plan->workspace || plan->call.is_changed || !has_numbers(plan, key) ||
        !has_known_rules(key->grid->ctx))
        return false;
    for (int32_t k = 0; k < key->count; k++)
        if (plan->call.is_linear[k] || !plan->call.is_local[k])
            return false;
    return true;
}

/* ---- whether one is that of a call ---- */

bool bli_lies_as(const bl_array *array, const bl_layout *layout)
{
    const size_t bytes = (size_t)layout->rank * sizeof *layout->extent;
    bl_layout own;

    return array && array->rank == layout->rank &&
           bl_array_layout(array, &own) == BL_OK && own.offset == layout->offset &&
           own.element_bytes == layout->element_bytes &&
           memcmp(own.extent, layout->extent, bytes) == 0 &&
           memcmp(own.stride, layout->stride, bytes) == 0;
}

static bool is_result(const bl_mpi_plan *plan, const struct bli_plan_key *key)
{
    const bl_mpi_tensor *const out = key->out;

    if (!out || !plan->has_out)
        return !out && !plan->has_out;
    return out->dtype == plan->call.dtype &&
           plan->is_in_place == (key->in[0].tensor == out) &&
           bl_mpi_local(out)->flags == plan->out_flags &&
           bli_spread_is_equal(out->spread, plan->call.result) &&
           bli_lies_as(bl_mpi_local(out), &plan->result.layout);
}

static bool is_operand(const bl_mpi_plan *plan, const struct bli_plan_key *key,
                       int32_t k)
{
    const bl_mpi_operand *const in = &key->in[k];
    const bl_array *const array = &plan->call.operand[k].array;

    if (!in->tensor == !in->array || plan->is_tensor[k] != (in->tensor != NULL))
        return false;
    if (in->array)
        return in->array->rank == 0 && in->array->dtype == array->dtype &&
               in->array->flags == array->flags;
    return in->tensor->grid == key->grid && in->tensor->dtype == array->dtype &&
           bli_spread_is_equal(in->tensor->spread, plan->call.from[k]) &&
           bli_lies_as(bl_mpi_local(in->tensor), &plan->own[k].layout);
}

static bool is_of(const bl_mpi_plan *plan, const struct bli_plan_key *key)
{
    if (plan->function != key->function || plan->call.op != key->op ||
        plan->call.count != key->count)
        return false;
    for (int32_t k = 0; k < key->count; k++)
        if (!is_operand(plan, key, k))
            return false;
    return is_result(plan, key);
}

/* ---- those of a grid ---- */

bl_mpi_plan *bli_plan_recall(const struct bli_plan_key *key)
{
    struct bli_remembered *const remembered = &key->grid->remembered;

    if (!bli_may_remember(key->grid, key->ctx) || !key->in || !is_plain(key->options))
        return NULL;
    for (int i = 0; i < BLI_REMEMBERED; i++) {
        bl_mpi_plan *const plan = remembered->plan[i];

        if (plan && is_of(plan, key)) {
            remembered->plan[i] = NULL;
            plan->grid = bl_mpi_grid_retain(key->grid);
            return plan;
        }
    }
    return NULL;
}

/* Note what the plan of a call is of; returns whether it can be kept. */
static bool note(bl_mpi_plan *plan, const struct bli_plan_key *key,
                 const struct bli_ballot *ballot)
{
    if (plan->function)
        return true;
    if (!can_be_kept(plan, key))
        return false;
    plan->function = key->function;
    plan->has_out = key->out != NULL;
    plan->out_flags = key->out ? bl_mpi_local(key->out)->flags : 0;
    plan->ballot = *ballot;
    return true;
}

void bli_plan_remember(bl_mpi_plan *plan, const struct bli_plan_key *key,
                       const struct bli_ballot *ballot)
{
    bl_mpi_plan **const kept = key->grid->remembered.plan;

    if (!plan || !note(plan, key, ballot)) {
        bl_mpi_plan_destroy(plan);
        return;
    }
    /* Not the last reference: the call's tensors have some. */
    bl_mpi_grid_release(plan->grid);
    plan->grid = NULL;
    for (int i = 0; i < BLI_REMEMBERED && plan; i++) {
        bl_mpi_plan *const older = kept[i];

        kept[i] = plan;
        plan = older;
    }
    bl_mpi_plan_destroy(plan);
}

void bli_mpi_forget(struct bli_remembered *remembered)
{
    for (int i = 0; i < BLI_REMEMBERED; i++) {
        bl_mpi_plan_destroy(remembered->plan[i]);
        bli_reducing_free(remembered->reducing[i]);
    }
}
