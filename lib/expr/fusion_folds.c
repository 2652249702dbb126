/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what the reductions of a fusion are of, and what each does with elements. */
#include "expr/fusion_boxes.h"

#include "context/context.h"
#include "plan/reduce.h"

#include <string.h>

/* Fewest f32 of a row that programs add to lanes; fewest f64 of no whole groups. */
#define LEAST_F32     768
#define LEAST_PARTIAL 192

/* ---- what is reduced ---- */

/* Whether a step of the fusion uses the value of step `j`. */
static bool is_used_inside(const struct bli_fusion_draft *draft, int32_t j)
{
    bool is_used = false;

    for (int32_t i = j + 1; i < draft->phase->count; i++)
        for (int32_t k = 0; k < bli_fusion_step(draft, i)->count; k++)
            is_used = is_used || bli_fusion_step(draft, i)->operand[k] ==
                                     bli_fusion_step(draft, j)->value;
    return is_used;
}

static bool is_variance(const struct bli_reduce_call *call)
{
    return bli_reductions[call->op].result == BLI_REDUCED_REAL_PART;
}

bool bli_fusion_find_domain(struct bli_fusion_draft *draft)
{
    const bl_expr_plan *const plan = draft->plan;
    const struct bli_expr_value *whole = NULL;

    draft->domain = NULL;
    draft->axes = 0;
    draft->is_resident = false;
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        if (!step->reduce)
            continue;
        draft->domain = &plan->value[step->operand[0]];
        draft->axes = step->reduce->axes;
        draft->is_resident = draft->is_resident || is_variance(step->reduce);
    }
    whole =
        draft->domain ? draft->domain : &plan->value[bli_fusion_step(draft, 0)->value];
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        draft->is_folded[i] = false;
        draft->is_row[i] = !bli_expr_same_shape(whole, &plan->value[step->value]);
        if (draft->is_row[i] && !draft->domain)
            return false;
        draft->is_resident =
            draft->is_resident || (draft->is_row[i] && is_used_inside(draft, i));
    }
    return true;
}

/* ---- reductions ---- */

/* Decide one pass over the elements. */
static bool make_pass(struct bli_fusion_pass *pass, struct bli_fusion_fold *fold,
                      const struct bli_fusion_draft *draft,
                      const struct bli_reduce_problem *problem)
{
    struct bli_reduce_choice choice;

    if (bli_reduce_choose(&choice, problem) != BL_OK)
        return false;
    *pass = (struct bli_fusion_pass){
        .reducer =
            draft->made.order == BLI_ORDER_COLUMNS ? choice.reducer : choice.near_rows,
        .is_sum = choice.is_sum,
        .staged_size = bli_dtypes[choice.reduced].size,
        .finalize = choice.finalize,
        .number = problem->is_centred                ? problem->divisor
                  : problem->op == BL_REDUCTION_MEAN ? (double)draft->made.reduced
                                                     : 1.0,
        .is_root = problem->is_centred && problem->op == BL_REDUCTION_STD,
        .parts = choice.reducer->partial == BL_DTYPE_C128 ? 2 : 1};
    if (problem->is_centred)
        pass->centre =
            bli_isa_reducers(problem->isa)->centre[choice.reduced == BL_DTYPE_C128];
    if (problem->is_centred || choice.reduced != problem->from)
        pass->stage = problem->isa->convert[problem->from][choice.reduced];
    /*
     * With masks rows are as fast.  With AVX2 any(a * 2 > b, 1) of f32[8333,24] takes
     * .33 of the time so, of f64[166,48] .72 (Emerald Rapids).
     */
    if (bli_fusion_has_short_rows(draft, pass) && !bli_isa_has_512_bits(problem->isa) &&
        draft->made.reduced * pass->reducer->size <= BLI_FUSION_TURNED)
        pass->turn = problem->isa->convert[choice.reduced][choice.reduced];
    fold->store = problem->isa->convert[choice.stored][problem->to];
    return true;
}

static bool make_fold(struct bli_fusion_draft *draft, int32_t i,
                      struct bli_fusion_fold *fold)
{
    const struct bli_expr_step *const step = bli_fusion_step(draft, i);
    const struct bli_reduce_call *const call = step->reduce;
    const bl_dtype from = draft->plan->value[step->operand[0]].dtype;
    struct bli_reduce_problem problem = {.op = call->op,
                                         .isa = draft->made.isa,
                                         .from = from,
                                         .as = call->as,
                                         .to = call->to};

    fold->size = bli_dtypes[from].size;
    fold->operand = draft->result[i] < draft->made.results ? draft->result[i] : -1;
    fold->passes = 0;
    if (is_variance(call)) {
        problem.op = BL_REDUCTION_MEAN;
        problem.to = bli_dtype_real(from) != from ? BL_DTYPE_C128 : BL_DTYPE_F64;
        if (!make_pass(&fold->pass[fold->passes++], fold, draft, &problem))
            return false;
        problem.op = call->op;
        problem.to = call->to;
        problem.is_centred = true;
        problem.divisor = (double)draft->made.reduced - call->correction;
        problem.divisor = problem.divisor > 0 ? problem.divisor : 0;
    }
    return make_pass(&fold->pass[fold->passes++], fold, draft, &problem);
}

bool bli_fusion_choose_folds(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;

    made->folds = 0;
    for (int32_t i = 0; i < draft->phase->count; i++) {
        if (!bli_fusion_step(draft, i)->reduce)
            continue;
        if (made->folds == BLI_FUSION_FOLDS ||
            !make_fold(draft, i, &draft->fold[made->folds]))
            return false;
        draft->fold_of[i] = made->folds++;
    }
    return true;
}

int64_t bli_fusion_converted(const struct bli_fusion_draft *draft)
{
    int64_t size = 0;

    for (int32_t f = 0; f < draft->made.folds; f++)
        for (int32_t p = 0; p < draft->fold[f].passes; p++) {
            const struct bli_fusion_pass *const pass = &draft->fold[f].pass[p];

            if (pass->stage && pass->staged_size > size)
                size = pass->staged_size;
        }
    return size;
}

/* Whether a step, `i` not counted, in an operation without step `j` reads a place. */
static bool is_read_elsewhere(const struct bli_fusion_draft *draft, int32_t i,
                              int32_t j, int32_t place)
{
    bool is_read = false;

    for (int32_t s = 0; s < draft->phase->count; s++)
        for (int32_t k = 0; k < bli_fusion_inputs(bli_fusion_step(draft, s)); k++)
            is_read =
                is_read || (s != i && draft->operation[s] != draft->operation[j] &&
                            draft->input[s][k] == place);
    return is_read;
}

/* Whether all results are of reductions. */
static bool has_reduced_only(const struct bli_fusion_draft *draft)
{
    int32_t results = 0;

    for (int32_t f = 0; f < draft->made.folds; f++)
        results += draft->fold[f].operand >= 0;
    return results == draft->made.results;
}

/*
 * Whether a program can add blocks, or rows of one, to lanes, and these have enough
 * elements: the additions of one row wait for each other, where reducers take several
 * rows at once.  Rows that are no whole groups end in a group that computes elements
 * again, which no result must overwrite.  Zen 3, AVX2, one thread, 1000 rows, sum((a -
 * b) ** 2, 1) and sum((a - b) * c, 1): f32 of 512 take 1.08 to 1.1 of the time, of 768
 * .85 to .93, of 900 and 1000 1.0 to 1.1; f64 of 64 .9 to 1.0, of 512 .76, of 90 1.15,
 * of 150 1.0, of 200 .88, of 999 .7 to .8. With 512 bits such rows were not measured.
 * From memory, where kernels wait in between, see fusion_operations.c; (a - b) * c of
 * rows of 128 f32 takes .54 of the time, of 1000 .43 (Zen 4).
 */
static bool has_groups(const struct bli_fusion_draft *draft, int32_t place)
{
    const struct bli_fusion *const made = &draft->made;
    const bool is_f64 = made->place[place].dtype == BL_DTYPE_F64;
    const int64_t group = bli_bank_registers(1, made->isa->register_bytes) *
                          made->isa->register_bytes / (is_f64 ? 8 : 4);
    const bool is_whole = made->reduced % group == 0;
    const bool is_far = draft->domain->bytes > BLI_FUSION_CACHE;
    const int64_t whole = is_f64 ? BLI_FUSION_ADDED : LEAST_F32;
    const int64_t far = is_f64 && is_whole ? BLI_FUSION_ADDED : BLI_FUSION_ADDED_FAR;
    const int64_t least = is_far ? far : is_whole ? whole : LEAST_PARTIAL;
    const bool can_repeat = (is_f64 || is_far) && has_reduced_only(draft);

    if (made->order != BLI_ORDER_ROWS || draft->is_resident)
        return made->order == BLI_ORDER_BLOCKS;
    return (is_whole || can_repeat) && made->reduced >= least;
}

/*
 * Whether the program that computes what step `i` reduces can add rows to lanes, and
 * nothing else reads them.
 */
static bool is_added(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bli_fusion *const made = &draft->made;
    const struct bli_fusion_fold *const fold = &draft->fold[draft->fold_of[i]];
    const struct bli_fusion_pass *const pass = &fold->pass[0];
    const int32_t j = bli_fusion_member(draft, bli_fusion_step(draft, i)->operand[0]);
    const int32_t place = draft->input[i][0];

    return has_groups(draft, place) && j >= 0 &&
           draft->class[j] == (int32_t)made->place[place].dtype &&
           place >= made->operands && fold->passes == 1 && !pass->stage &&
           pass->is_sum && !is_read_elsewhere(draft, i, j, place);
}

bool bli_fusion_adds_all(const struct bli_fusion_draft *draft)
{
    bool adds = true;

    for (int32_t i = 0; i < draft->phase->count; i++)
        if (bli_fusion_step(draft, i)->reduce)
            adds = adds && is_added(draft, i);
    return adds;
}

/* Have a program add the rows that step `i` reduces to lanes. */
static void fold_in_program(struct bli_fusion_draft *draft, int32_t i)
{
    struct bli_fusion *const made = &draft->made;
    struct bli_fusion_fold *const fold = &draft->fold[draft->fold_of[i]];
    const int32_t j = bli_fusion_member(draft, bli_fusion_step(draft, i)->operand[0]);

    draft->is_folded[j] = true;
    draft->row[draft->input[i][0]] = BLI_REDUCE_LANES;
    fold->program_place = draft->input[i][0];
    fold->lanes = bli_fusion_reserve(made, made->rows * BLI_REDUCE_LANES);
}

/* Bytes of the lanes of columns that have elements. */
static int64_t lanes_bytes(const struct bli_fusion *made, const struct bli_reducer *how)
{
    const int64_t lanes = made->reduced < how->lanes ? made->reduced : how->lanes;

    return made->length * lanes * how->partial_size;
}

void bli_fusion_place_folds(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const bool is_columns = made->order == BLI_ORDER_COLUMNS;
    const int64_t scratch = bli_fusion_converted(draft);

    made->partials = 0;
    for (int32_t f = 0; f < made->folds; f++) {
        struct bli_fusion_fold *const fold = &draft->fold[f];
        const struct bli_fusion_pass *const pass = &fold->pass[fold->passes - 1];

        if (is_columns)
            fold->lanes = bli_fusion_reserve(made, lanes_bytes(made, pass->reducer));
        fold->program_place = -1;
        fold->partials = made->partials;
        made->partials +=
            bli_align_up(made->outputs * made->blocks * pass->reducer->partial_size);
    }
    /* Results of one block each are stored where they are computed. */
    if (made->order == BLI_ORDER_ROWS || (is_columns && made->blocks == 1))
        made->partials = 0;
    memset(draft->is_folded, 0, sizeof draft->is_folded);
    for (int32_t i = 0; i < draft->phase->count; i++)
        if (bli_fusion_step(draft, i)->reduce && is_added(draft, i))
            fold_in_program(draft, i);
    made->scratch = 0;
    if (scratch > 0)
        made->scratch =
            bli_fusion_reserve(made, scratch * (is_columns ? made->rows * made->length
                                                           : BLI_REDUCE_BLOCK));
}
