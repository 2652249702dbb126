/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes plans: chooses the kernel, builds the loop nest, then calls the other
 * decisions.  Arguments are validated before; memory is bound later.
 */
#include "core/error.h"
#include "core/lend.h"
#include "plan/cost.h"
#include "plan/logical_order.h"

#include <string.h>

bl_status bli_plan_check_result(const struct bli_nest *nest, int64_t size)
{
    switch (bli_overlap_self(nest, size)) {
    case BLI_OVERLAP_NONE:
        return BL_OK;
    case BLI_OVERLAP_UNKNOWN:
        return bli_fault_operand(
            bl_error_set(BL_ERR_ARGUMENT,
                         "the result's strides are too involved to prove that no two "
                         "elements refer to a single memory location"),
            0);
    default:
        return bli_fault_operand(
            bl_error_set(BL_ERR_ARGUMENT,
                         "unsupported operation: more than one element of the "
                         "written-to tensor refers to a single memory location. Please "
                         "clone() the tensor before performing the operation."),
            0);
    }
}

/*
 * The dtype in which the kernel computes: the common dtype, or f32 for a narrower
 * one without a kernel.
 */
static bl_dtype computed_in(const struct bl_plan *plan)
{
    const bl_dtype common = plan->common;
    const bl_dtype result = bli_op_result(plan->op, common);
    const bl_dtype widened = bli_dtype_widened(common);

    return widened != common && !bli_isa_kernel(plan->isa, plan->op, common, result)
               ? widened
               : common;
}

static void use_user_kernel(struct bl_plan *plan, const struct bli_user_kernel *user)
{
    plan->kernel = user->kernel;
    plan->user_ns = user->element_ns;
    for (int32_t k = 0; k <= plan->inputs; k++)
        plan->computed[k] = user->computed[k];
}

/*
 * Choose the operator's kernel and the dtypes of its operands.  BL_ERR_DTYPE if there
 * is none.
 */
static bl_status choose_kernel(struct bl_plan *plan, bool reproducible)
{
    const bl_dtype computed = computed_in(plan);
    const struct bli_isa *isa;

    if (bli_ops[plan->op].inputs == BLI_INPUTS_CONVERT) {
        plan->computed[0] = plan->dtype[0];
        plan->computed[1] = plan->dtype[1];
    } else {
        plan->computed[0] = bli_op_result(plan->op, computed);
        for (int32_t k = 1; k <= plan->inputs; k++)
            plan->computed[k] = computed;
        if (bli_ops[plan->op].inputs == BLI_INPUTS_SELECT)
            plan->computed[1] = BL_DTYPE_BOOL;
    }
    /*
     * Vector math functions in f64 give the same bits on every machine only in the base
     * instruction set.
     */
    isa = reproducible && bli_ops[plan->op].impl >= BLI_IMPL_VECTOR &&
                  computed == BL_DTYPE_F64
              ? bli_isa_find("base")
              : plan->isa;
    plan->kernel =
        bli_isa_kernel(isa, plan->op, plan->computed[plan->inputs], plan->computed[0]);
    if (!plan->kernel)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s does not take %s",
                                             bli_ops[plan->op].name,
                                             bl_dtype_name(plan->common)),
                                NULL, plan->common, BL_DTYPE_NONE);
    return BL_OK;
}

/* Whether the operator divides integers. */
static bool divides_integers(const struct bl_plan *plan)
{
    switch (plan->op) {
    case BL_OP_FLOOR_DIVIDE:
    case BL_OP_TRUNC_DIVIDE:
    case BL_OP_REMAINDER:
    case BL_OP_FMOD:
        return bli_dtypes[plan->common].class == BLI_CLASS_INT;
    default:
        return false;
    }
}

void bli_plan_complete(struct bl_plan *plan)
{
    bli_plan_small(plan);
    plan->threads = bli_plan_thread_count(plan);
    plan->method = plan->small.is_used && plan->threads == 1
                       ? BLI_METHOD_SMALL
                       : bli_plan_range_method(plan);
    plan->binds_late = plan->threads > 1 || plan->tiling.non_temporal ||
                       plan->tiling.staging > BLI_STACK_BYTES;
}

void bli_plan_finish(struct bl_plan *plan)
{
    bli_plan_tile(plan, (struct bli_caches){0});
    bli_plan_complete(plan);
}

/*
 * Set the byte span of each operand, for a quick overlap test, and which have the
 * result's layout.
 */
static void note_spans(struct bl_plan *plan)
{
    plan->same_layout_as_result = 0;
    for (int32_t k = 0; k <= plan->inputs; k++) {
        bli_nest_span(&plan->nest, k, plan->size[k], &plan->begin[k], &plan->end[k]);
        if (plan->size[k] == plan->size[0] && bli_nest_is_alike(&plan->nest, k) &&
            (k < 2 || !plan->adds_to_result))
            plan->same_layout_as_result |= UINT32_C(1) << k;
    }
}

/*
 * Whether Torch computed an operator into another result by a copy of self to it, and a
 * second loop that adds to it: src1 and src2 are read as the copy left them.
 */
static bool adds_to_result(const struct bli_problem *problem)
{
    return (problem->op == BL_OP_ADDCMUL || problem->op == BL_OP_ADDCDIV) &&
           problem->dtype[1] == problem->dtype[0];
}

/* Make a plan as far as bli_plan_complete(). */
static bl_status outline(struct bl_plan *plan, const struct bli_problem *problem)
{
    plan->op = problem->op;
    plan->inputs = problem->inputs;
    plan->isa = problem->isa;
    plan->common = problem->common;
    plan->scalars = problem->scalars;
    plan->is_sequential = problem->is_sequential;
    plan->self_overlaps = false;
    plan->adds_to_result = problem->is_sequential && adds_to_result(problem);
    plan->is_integer_division = divides_integers(plan);
    plan->is_checked = false;
    plan->wants_nearest = bli_op_wants_nearest(plan->op, plan->common);
    for (int32_t k = 0; k <= problem->inputs; k++) {
        plan->dtype[k] = problem->dtype[k];
        plan->size[k] = bli_dtypes[problem->dtype[k]].size;
    }
    if (problem->op == BL_OP_NONE)
        use_user_kernel(plan, problem->user_kernel);
    else
        BL_TRY(choose_kernel(plan, problem->reproducible));
    plan->rank = problem->rank;
    for (int32_t d = 0; d < problem->rank; d++)
        plan->extent[d] = problem->extent[d];
    bli_nest_make(&plan->nest, 1 + problem->inputs, problem->operand);
    bli_plan_note_order(plan, problem);
    note_spans(plan);
    bli_plan_tile(plan, problem->caches);
    if (!plan->is_sequential)
        return bli_plan_check_result(&plan->nest, plan->size[0]);
    plan->self_overlaps =
        bli_overlap_self(&plan->nest, plan->size[0]) != BLI_OVERLAP_NONE;
    return BL_OK;
}

bl_status bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem)
{
    BL_TRY(outline(plan, problem));
    bli_plan_complete(plan);
    return BL_OK;
}

/* ---- plans in memory of their own ---- */

/*
 * Bytes of a plan that are in use: all, or up to the last loop of the nest where no
 * operand is copied in logical order.  A copy of them is a plan to execute, or to make
 * others from.
 */
static size_t bytes_in_use(const struct bl_plan *plan)
{
    return plan->is_sequential || plan->nest.needs_linear_copy
               ? sizeof *plan
               : offsetof(struct bl_plan, nest.stride) +
                     (size_t)plan->nest.loops * sizeof plan->nest.stride[0];
}

/* Copy an outline of so many bytes; tables of few elements come with what completes. */
static void copy_outline(struct bl_plan *to, const struct bl_plan *from, size_t bytes)
{
    const size_t after = offsetof(struct bl_plan, small) + sizeof to->small;

    memcpy(to, from, offsetof(struct bl_plan, small));
    memcpy((char *)to + after, (const char *)from + after, bytes - after);
}

bl_status bli_plan_keep_outline(struct bl_plan **plan, const bl_allocator *allocator,
                                const struct bli_problem *problem)
{
    struct bl_plan *const made = bli_thread_lend(sizeof *made);
    bl_status status = made ? outline(made, problem) : BL_ERR_MEMORY;

    *plan = NULL;
    if (status == BL_OK) {
        const size_t bytes = bytes_in_use(made);

        *plan = bli_allocate_object(allocator, bytes);
        if (*plan)
            copy_outline(*plan, made, bytes);
        else
            status = BL_ERR_MEMORY;
    }
    bli_thread_return(made);
    return status;
}

bl_status bli_plan_keep(struct bl_plan **plan, const bl_allocator *allocator,
                        const struct bli_problem *problem)
{
    BL_TRY(bli_plan_keep_outline(plan, allocator, problem));
    bli_plan_complete(*plan);
    return BL_OK;
}

void bli_plan_free(struct bl_plan *plan, const bl_allocator *allocator)
{
    if (plan)
        bli_release_object(allocator, plan, bytes_in_use(plan));
}
