/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which reductions are fused with the steps around them.  One over the last
 * axes may be anywhere in a fusion whose rows stay in a thread's cache (resident rows):
 * what is computed from its results, one for each row, is then part of the fusion, too.
 * Other reductions only come last.
 */
#include "expr/phases.h"

#include "context/context.h"

/* Most bytes of a row's elements that one buffer of a thread takes. */
#define ROW_BYTES (1 << 17)

/*
 * As many rows of fewer elements each are faster as calls; but not where they are
 * reduced last, have some elements of at least so many bytes, and registers are not of
 * 512 bits: sum(a * b, 1) of f32[20000,16] takes .77 to .88 of the time (Zen 3), of
 * rows of 10 1.0, of f16 1.1; with 512 bits .91 to 1.1, means of rows of 12 1.3 (Zen
 * 4).
 */
#define SHORT_ROW     24
#define SHORTEST_LAST 12
#define LAST_BYTES    4

/*
 * Fewest elements of rows that are put together where reduced axes are apart: rows of
 * 100 to 50176 take .17 to .8 of the time of calls beyond L1 (Emerald Rapids, AVX-512,
 * sums and largest over axes 0, 2 and 3 of f32 and f64).
 */
#define LEAST_JOINED 100

/* ---- levels ---- */

const struct bli_expr_value *bli_phases_domain(const bl_expr_plan *plan, int32_t s)
{
    const struct bli_expr_step *const step = &plan->step[s];

    return &plan->value[step->reduce ? step->operand[0] : step->value];
}

/* Elements of the last axes, as far as these are reduced. */
static int64_t last_reduced(const struct bli_expr_value *in, uint64_t axes)
{
    int64_t count = 1;

    for (int32_t d = in->rank - 1; d >= 0; d--) {
        if (in->extent[d] != 1 && !(axes >> d & 1))
            break;
        count *= in->extent[d];
    }
    return count;
}

static bool is_variance(const struct bli_reduce_call *call)
{
    return bli_reductions[call->op].result == BLI_REDUCED_REAL_PART;
}

/*
 * How often reduced and other axes alternate, from the last axis on that has more than
 * one element; `*is_reduced` of that one, and `*count` reduced elements.
 */
static int32_t alternations(const struct bli_expr_value *in, uint64_t axes,
                            bool *is_reduced, int64_t *count)
{
    int32_t turns = -1, last = -1;

    *count = 1;
    for (int32_t d = in->rank - 1; d >= 0; d--) {
        const int32_t own = axes >> d & 1;

        if (in->extent[d] == 1)
            continue;
        if (last < 0)
            *is_reduced = own;
        turns += own != last;
        last = own;
        *count *= own ? in->extent[d] : 1;
    }
    return turns;
}

/* Whether so many elements, of many short rows, may be reduced last in a fusion. */
static bool may_be_last(const struct bli_phases *phases,
                        const struct bli_expr_step *step, int64_t count)
{
    const bl_dtype dtype = phases->plan->value[step->operand[0]].dtype;

    return count >= SHORTEST_LAST && bli_dtypes[dtype].size >= LAST_BYTES &&
           !is_variance(step->reduce) &&
           !bli_isa_has_512_bits(bli_isa_pick(phases->making->ctx->isa));
}

static void find_level(const struct bli_phases *phases, struct bli_expr_step *step,
                       int32_t *level)
{
    const bl_expr_plan *const plan = phases->plan;
    const struct bli_expr_value *const in = &plan->value[step->operand[0]];
    bool is_reduced = false;
    int64_t count, all;

    *level = BLI_FOLD_APART;
    if (!bli_shape_numel(in->rank, in->extent, &all) || all == 0)
        return;

    const int32_t turns = alternations(in, step->reduce->axes, &is_reduced, &count);

    if (count == 1)
        return;
    if (turns > (is_reduced ? 1 : 2)) {
        if (last_reduced(in, step->reduce->axes) >= LEAST_JOINED &&
            !is_variance(step->reduce))
            *level = BLI_FOLD_LAST;
        step->why = "its axes are not neighbours";
    } else if (is_reduced && count < SHORT_ROW && all / count >= SHORT_ROW) {
        *level = may_be_last(phases, step, count) ? BLI_FOLD_LAST : BLI_FOLD_APART;
        step->why = "its rows are short";
    } else if (is_reduced && count <= ROW_BYTES / bli_dtypes[in->dtype].size) {
        *level = BLI_FOLD_RESIDENT;
    } else if (is_variance(step->reduce)) {
        step->why = "its elements are read twice";
    } else {
        *level = BLI_FOLD_LAST;
        step->why = is_reduced ? "its rows are long" : "its rows are apart in memory";
    }
}

void bli_phases_find_levels(struct bli_phases *phases)
{
    bl_expr_plan *const plan = phases->plan;

    for (int32_t s = 0; s < plan->steps; s++)
        if (plan->step[s].reduce)
            find_level(phases, &plan->step[s], &phases->state[s].level);
}

bool bli_phases_lower(struct bli_phases *phases, const struct bli_expr_phase *phase)
{
    bool has_any = false;

    for (int32_t i = 0; i < phase->count; i++) {
        struct bli_expr_step *const step = &phases->plan->step[phase->step[i]];
        struct bli_phase_state *const state = &phases->state[phase->step[i]];

        if (!step->reduce)
            continue;
        has_any = true;
        if (state->level == BLI_FOLD_RESIDENT && !is_variance(step->reduce)) {
            state->level = BLI_FOLD_LAST;
            step->why = "resident rows would not be faster";
        } else {
            state->level = BLI_FOLD_APART;
            state->class = -1;
            step->why = "a fusion would not be faster";
        }
    }
    return has_any;
}

/* ---- fusions ---- */

/* The state of the step that computes operand `k`; NULL: there is none. */
static const struct bli_phase_state *state_of_operand(const struct bli_phases *phases,
                                                      const struct bli_expr_step *step,
                                                      int32_t k)
{
    const int32_t from = phases->plan->value[step->operand[k]].step;

    return from >= 0 ? &phases->state[from] : NULL;
}

/* The number, from 1, of the first reduction of the same class over the same axes. */
static int32_t find_kind(const struct bli_phases *phases, int32_t s)
{
    const bl_expr_plan *const plan = phases->plan;
    int32_t t = 0;

    while (t < s &&
           !(plan->step[t].reduce && phases->state[t].class == phases->state[s].class &&
             plan->step[t].reduce->axes == plan->step[s].reduce->axes))
        t++;
    return 1 + t;
}

int32_t bli_phases_classify(struct bli_phases *phases, int32_t s)
{
    const bl_expr_plan *const plan = phases->plan;
    const struct bli_expr_step *const step = &plan->step[s];
    struct bli_phase_state *const state = &phases->state[s];
    const struct bli_expr_value *const value = &plan->value[step->value];

    state->kind = 0;
    state->is_row = state->is_resident = false;
    if (state->class < 0)
        return -1;
    if (step->reduce) {
        state->is_row = true;
        state->is_resident = state->level == BLI_FOLD_RESIDENT;
        state->kind = find_kind(phases, s);
        return state->class;
    }
    for (int32_t k = 0; k < step->count; k++) {
        const struct bli_phase_state *const from = state_of_operand(phases, step, k);
        const struct bli_expr_value *const operand = &plan->value[step->operand[k]];

        if (!from || !from->is_resident || from->class < 0 ||
            bli_phases_domain(plan, from->class)->rank != value->rank ||
            !bli_expr_same_shape(operand, value))
            continue;
        state->is_row = state->is_resident = true;
        state->kind = from->kind;
        return phases->grouping.item[operand->step].class;
    }
    return state->class;
}

/* Whether a value that is one for each row is broadcast along its rows. */
static bool goes_along_rows(const struct bli_expr_value *row, int32_t shift,
                            const struct bli_expr_value *whole, uint64_t axes)
{
    bool goes = true;

    for (int32_t d = 0; d < whole->rank; d++) {
        const int32_t own = d - shift;
        const int64_t extent = own < 0 || own >= row->rank ? 1 : row->extent[own];

        goes = goes && extent == (axes >> d & 1 ? 1 : whole->extent[d]);
    }
    return goes;
}

bool bli_phases_may_join(const struct bli_phases *phases, int32_t s, int32_t k)
{
    const bl_expr_plan *const plan = phases->plan;
    const struct bli_expr_step *const step = &plan->step[s];
    const struct bli_phase_state *const state = &phases->state[s];
    const struct bli_expr_value *const operand = &plan->value[step->operand[k]];
    const struct bli_phase_state *const from = state_of_operand(phases, step, k);

    if (step->reduce)
        return !from->is_row;
    /* Values that may be refused are checked in memory. */
    if (step->refuses && step->operand[k] == step->operand[1])
        return false;
    if (!step->plan || step->plan->dtype[1 + k] != step->plan->computed[1 + k])
        return false;
    if (!from->is_row)
        return true;
    if (!from->is_resident)
        return false;
    return state->is_row
               ? bli_expr_same_shape(operand, &plan->value[step->value])
               : goes_along_rows(operand, step->shift[k], &plan->value[step->value],
                                 plan->step[from->kind - 1].reduce->axes);
}
