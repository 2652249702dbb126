/* SPDX-License-Identifier: BSD-3-Clause */
/* The operands of a fusion, their loops, and the places of all of its values. */
#include "expr/fusion_memory.h"
#include "expr/literals.h"

/* ---- arrays ---- */

/* The array of a result: its output's, or compact memory. */
static bl_array result_array(const struct bli_fusion_draft *draft, int32_t v)
{
    const struct bli_expr_value *const value = &draft->plan->value[v];

    if (draft->is_direct && value->output >= 0)
        return draft->plan->out[value->output].array;
    return (bl_array){NULL, value->dtype, value->rank, value->extent, NULL, 0};
}

/*
 * Give the array of a reduction's result, number `n` of those that lack reduced axes,
 * these with an extent of 1.  False: there are too many.
 */
static bool spread(struct bli_fusion_draft *draft, int32_t n, bl_array *array)
{
    const struct bli_expr_value *const domain = draft->domain;
    int32_t own = array->rank;

    if (n == BLI_FUSION_FOLDS)
        return false;
    for (int32_t d = domain->rank - 1; d >= 0; d--) {
        const bool is_there = (draft->axes >> d & 1) == 0;

        own -= is_there;
        draft->spread[n][0][d] = is_there ? array->extent[own] : 1;
        draft->spread[n][1][d] = is_there && array->stride ? array->stride[own] : 0;
    }
    array->rank = domain->rank;
    array->extent = draft->spread[n][0];
    if (array->stride)
        array->stride = draft->spread[n][1];
    return true;
}

static bool add_operand(struct bli_fusion_draft *draft, struct bli_strided *strided,
                        const bl_array *array, struct bli_fusion_operand operand)
{
    const int32_t k = draft->made.operands;

    if (k == BLI_FUSION_OPERANDS)
        return false;
    operand.dtype = array->dtype;
    strided[k] =
        bli_array_operand(array, (bl_pairing){BL_PAIRING_BROADCAST, operand.shift});
    draft->made.operand[k] = operand;
    draft->made.operands++;
    return true;
}

/* ---- results ---- */

/* Add the results that are outputs, or those that are not. */
static bool add_results(struct bli_fusion_draft *draft, struct bli_strided *strided,
                        bool are_outputs)
{
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const int32_t v = bli_fusion_step(draft, i)->value;
        const struct bli_expr_value *const value = &draft->plan->value[v];
        bl_array array = result_array(draft, v);

        if (value->is_internal || (value->output >= 0) != are_outputs)
            continue;
        if (draft->is_row[i] && array.rank != draft->domain->rank &&
            !spread(draft, draft->made.folds++, &array))
            return false;
        draft->result[i] = (uint8_t)draft->made.operands;
        if (!add_operand(
                draft, strided, &array,
                (struct bli_fusion_operand){.value = v, .computed = value->dtype}))
            return false;
    }
    draft->made.results = draft->made.operands;
    return true;
}

/* ---- inputs ---- */

/* The dtype that operations take operand `k` of a step as. */
static bl_dtype taken_as(const struct bli_fusion_draft *draft, int32_t i, int32_t k)
{
    const struct bli_expr_step *const step = bli_fusion_step(draft, i);
    const struct bl_plan *const call = step->plan;
    const int32_t machine = draft->class[i];

    if (step->reduce)
        return draft->plan->value[step->operand[0]].dtype;
    return machine >= 0 && bli_can_stream((bl_dtype)machine, call->dtype[1 + k]) &&
                   (call->dtype[1 + k] == call->computed[1 + k] ||
                    bli_has_register_form(BL_OP_COPY, (bl_dtype)machine,
                                          call->dtype[1 + k], call->computed[1 + k]))
               ? call->dtype[1 + k]
               : call->computed[1 + k];
}

/*
 * Keep a number as operations take it, where it is that exactly: it is then the same in
 * each rounding mode.
 */
static void keep_number(struct bli_fusion_operand *operand, bl_array *array)
{
    const int64_t most = (int64_t)1 << (operand->computed == BL_DTYPE_F32 ? 24 : 53);
    const bool is_f32 = operand->computed == BL_DTYPE_F32;
    double number = 0;

    if (!array->data || (!is_f32 && operand->computed != BL_DTYPE_F64))
        return;
    if (array->dtype == BL_DTYPE_F64) {
        number = *(const double *)array->data;
        operand->is_kept = !is_f32 || bli_literal_fits(number, 23, 127);
    } else if (array->dtype == BL_DTYPE_I64 || array->dtype == BL_DTYPE_U64) {
        const int64_t whole = *(const int64_t *)array->data;
        const int64_t least = array->dtype == BL_DTYPE_I64 ? -most : 0;

        number = (double)(whole > most || whole < least ? 0 : whole);
        operand->is_kept = (int64_t)number == whole;
    }
    if (!operand->is_kept)
        return;
    if (is_f32)
        operand->kept.f32 = (float)number;
    else
        operand->kept.f64 = number;
    array->dtype = operand->computed;
}

/* Add operand `k` of a step unless it is there already. */
static bool add_input(struct bli_fusion_draft *draft, struct bli_strided *strided,
                      int32_t i, int32_t k)
{
    const struct bli_expr_step *const step = bli_fusion_step(draft, i);
    const bool is_alpha = k == step->count;
    bl_array array = is_alpha
                         ? bl_scalar_array(&step->alpha)
                         : bli_expr_value_array(draft->plan, step->operand[k], NULL);
    struct bli_fusion_operand operand = {.value = is_alpha ? -1 : step->operand[k],
                                         .shift = array.rank == 0 ? 0 : step->shift[k],
                                         .number = is_alpha ? &step->alpha.value : NULL,
                                         .computed = taken_as(draft, i, k)};

    for (int32_t j = draft->made.results; j < draft->made.operands; j++) {
        const struct bli_fusion_operand *const other = &draft->made.operand[j];

        if (other->value == operand.value && other->shift == operand.shift &&
            other->number == operand.number && other->computed == operand.computed) {
            draft->input[i][k] = (uint8_t)j;
            return true;
        }
    }
    draft->input[i][k] = (uint8_t)draft->made.operands;
    keep_number(&operand, &array);
    return add_operand(draft, strided, &array, operand);
}

static bool add_inputs(struct bli_fusion_draft *draft, struct bli_strided *strided)
{
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t k = 0; k < bli_fusion_inputs(step); k++)
            if ((k == step->count || bli_fusion_member(draft, step->operand[k]) < 0) &&
                !add_input(draft, strided, i, k))
                return false;
    }
    return true;
}

/* ---- places ---- */

static bool add_place(struct bli_fusion_draft *draft, bl_dtype dtype)
{
    if (draft->made.places == BLI_FUSION_PLACES)
        return false;
    draft->made.place[draft->made.places++].dtype = dtype;
    return true;
}

/* Give a place to each value that one operation makes and another one uses. */
static bool add_intermediates(struct bli_fusion_draft *draft)
{
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t k = 0; k < step->count; k++) {
            const int32_t j = bli_fusion_member(draft, step->operand[k]);

            if (j < 0)
                continue;
            if (draft->result[j] == BLI_NO_PLACE &&
                draft->operation[j] != draft->operation[i]) {
                draft->result[j] = (uint8_t)draft->made.places;
                if (!add_place(draft, draft->plan->value[step->operand[k]].dtype))
                    return false;
            }
        }
    }
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t k = 0; k < step->count; k++) {
            const int32_t j = bli_fusion_member(draft, step->operand[k]);

            if (j >= 0)
                draft->input[i][k] = draft->result[j];
        }
    }
    return true;
}

bool bli_fusion_operands(struct bli_fusion_draft *draft)
{
    struct bli_strided strided[BLI_FUSION_OPERANDS];

    draft->made.operands = draft->made.places = draft->made.folds = 0;
    for (int32_t i = 0; i < draft->phase->count; i++)
        draft->result[i] = BLI_NO_PLACE;
    if (!add_results(draft, strided, true) || !add_results(draft, strided, false) ||
        !add_inputs(draft, strided))
        return false;
    for (int32_t k = 0; k < draft->made.operands; k++)
        if (!add_place(draft, draft->made.operand[k].computed))
            return false;
    if (!add_intermediates(draft))
        return false;
    if (draft->domain) {
        const struct bli_reduction_shape shape = {draft->domain->rank, draft->axes,
                                                  draft->domain->extent, NULL, NULL};

        bli_frame_make_reduced(&draft->frame, draft->made.operands, strided, &shape);
    } else {
        bli_frame_make(&draft->frame, draft->made.operands, strided);
    }
    bli_fusion_find_traffic(draft);
    return true;
}
