/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of a fusion: programs of register machines, and kernels. */
#include "expr/fusion_in_place.h"
#include "expr/fusion_memory.h"

#include <stddef.h>
#include <string.h>

/* ---- programs ---- */

/* The number of an operation's operand at a place; -1: there are too many. */
static int32_t operand_at(struct bli_fusion_operation *operation, int32_t place)
{
    for (int32_t k = 0; k < operation->count; k++)
        if (operation->place[k] == place)
            return k;
    if (operation->count == BLI_PROGRAM_OPERANDS)
        return -1;
    operation->place[operation->count] = (uint8_t)place;
    return operation->count++;
}

/* Add a value to a segment; -1: there are too many. */
static int32_t add_value(struct bli_segment *segment, struct bli_value value)
{
    if (segment->count == BLI_SEGMENT_VALUES)
        return -1;
    segment->value[segment->count] = value;
    return segment->count++;
}

/*
 * The segment's value that is read from a place; one of a dtype that is only converted
 * is another one for each use.
 */
static int32_t load(struct bli_fusion_draft *draft,
                    struct bli_fusion_operation *operation, int32_t place)
{
    struct bli_segment *const segment = &draft->segment;
    const struct bli_fusion_place *const from = &draft->made.place[place];
    const int32_t operand = operand_at(operation, place);
    const int32_t kind = from->step == 0 ? BLI_VALUE_STILL : BLI_VALUE_STREAM;
    const bool is_number = from->dtype == segment->computes ||
                           from->dtype == BL_DTYPE_BOOL ||
                           (segment->computes == BL_DTYPE_F32 &&
                            bli_dtype_widened(from->dtype) == BL_DTYPE_F32);

    if (operand < 0 || !bli_can_stream(segment->computes, from->dtype))
        return -1;
    for (int32_t v = 0; is_number && v < segment->count; v++)
        if (segment->value[v].kind == kind && segment->value[v].operand == operand)
            return v;
    return add_value(segment, (struct bli_value){.kind = (int16_t)kind,
                                                 .dtype = (int16_t)from->dtype,
                                                 .operand = (int16_t)operand,
                                                 .output = -1});
}

/* The segment's value that is operand `k` of a step, in the dtype that it takes. */
static int32_t input_of(struct bli_fusion_draft *draft,
                        struct bli_fusion_operation *operation, const int32_t *value_of,
                        int32_t i, int32_t k)
{
    const struct bli_expr_step *const step = bli_fusion_step(draft, i);
    const int32_t j = k < step->count ? bli_fusion_member(draft, step->operand[k]) : -1;
    const bl_dtype computed = step->plan->computed[1 + k];
    int32_t value;

    if (j >= 0 && draft->operation[j] == draft->operation[i])
        return value_of[j];
    value = load(draft, operation, draft->input[i][k]);
    if (value < 0 || draft->segment.value[value].dtype == (int16_t)computed)
        return value;
    return add_value(&draft->segment, (struct bli_value){.kind = BLI_VALUE_OPERATOR,
                                                         .dtype = (int16_t)computed,
                                                         .op = BL_OP_COPY,
                                                         .input = {(int16_t)value},
                                                         .output = -1});
}

/* Add the value of a step to the segment. */
static int32_t add_step(struct bli_fusion_draft *draft,
                        struct bli_fusion_operation *operation, const int32_t *value_of,
                        int32_t i)
{
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;
    const bool is_square = bli_fusion_is_square(draft, bli_fusion_step(draft, i));
    struct bli_value value = {.kind = is_square ? BLI_VALUE_SQUARE : BLI_VALUE_OPERATOR,
                              .dtype = (int16_t)call->computed[0],
                              .op = (int16_t)call->op,
                              .output = -1};

    for (int32_t k = 0; k < (is_square ? 1 : call->inputs); k++) {
        const int32_t input = input_of(draft, operation, value_of, i, k);

        if (input < 0)
            return -1;
        value.input[k] = (int16_t)input;
    }
    if (draft->result[i] != BLI_NO_PLACE) {
        value.output = (int16_t)operand_at(operation, draft->result[i]);
        value.folds = draft->is_folded[i];
        if (value.output < 0 ||
            !bli_can_store(draft->segment.computes, call->computed[0]))
            return -1;
    }
    return add_value(&draft->segment, value);
}

static bool is_same(const struct bli_segment *a, const struct bli_segment *b)
{
    return a->count == b->count && a->computes == b->computes &&
           a->operands == b->operands &&
           memcmp(a->value, b->value, (size_t)a->count * sizeof a->value[0]) == 0;
}

/* Make a program of the segment; the first one of two ways may be the same. */
static bool make_next(struct bli_fusion_draft *draft, struct bli_program *program)
{
    const struct bli_segment *const segment = &draft->segment;
    struct bli_segment *const first = &draft->first_segment;

    if (program != draft->program)
        return bli_program_make(program, segment);
    if (is_same(first, segment))
        return true;
    first->count = 0;
    if (!bli_program_make(program, segment))
        return false;
    memcpy(first, segment,
           offsetof(struct bli_segment, value) +
               (size_t)segment->count * sizeof segment->value[0]);
    return true;
}

/*
 * Make the programs of the segment: one that stores each result when it is made, and
 * one for results in place if that reads anything afterwards.
 */
static bool make_programs(struct bli_fusion_draft *draft,
                          struct bli_fusion_operation *operation)
{
    struct bli_segment *const segment = &draft->segment;

    segment->is_in_place = false;
    operation->program = &draft->program[draft->made.programs++];
    if (!make_next(draft, operation->program))
        return false;
    segment->is_in_place = bli_fusion_find_reads_within(draft, operation);
    if (!segment->is_in_place)
        return true;
    operation->in_place = &draft->program[draft->made.programs++];
    return make_next(draft, operation->in_place);
}

/* Have the operands of an only program be the places, which then need no copies. */
static void take_all_places(struct bli_fusion_draft *draft,
                            struct bli_fusion_operation *operation)
{
    operation->is_only =
        draft->made.operations == 1 && draft->made.places <= BLI_PROGRAM_OPERANDS;
    for (int32_t k = 0; operation->is_only && k < draft->made.places; k++)
        operation->place[operation->count++] = (uint8_t)k;
}

/* Make the program of operation `o`. */
static bool make_program(struct bli_fusion_draft *draft, int32_t o)
{
    struct bli_fusion_operation *const operation = &draft->operations[o];
    struct bli_segment *const segment = &draft->segment;
    int32_t value_of[BLI_FUSION_STEPS];

    segment->computes = (bl_dtype)draft->class[draft->member[draft->first[o]]];
    segment->count = 0;
    operation->can_be_nt = true;
    take_all_places(draft, operation);
    for (int32_t m = 0; m < draft->count[o]; m++) {
        const int32_t i = draft->member[draft->first[o] + m];

        value_of[i] = add_step(draft, operation, value_of, i);
        if (value_of[i] < 0)
            return false;
    }
    segment->operands = operation->count;
    return make_programs(draft, operation);
}

/* ---- kernels ---- */

/* A reduction: its result, then what it reduces. */
static void make_fold(struct bli_fusion_draft *draft, int32_t o, int32_t i)
{
    struct bli_fusion_operation *const operation = &draft->operations[o];

    operation->fold = &draft->fold[draft->fold_of[i]];
    operation->count = 2;
    operation->place[0] = draft->result[i];
    operation->place[1] = draft->input[i][0];
}

/*
 * Have a kernel square: powers of f32 and f64 with the exponent 2 are x * x, rounded to
 * nearest.
 */
static void use_square(struct bli_fusion_operation *operation,
                       const struct bl_plan *call)
{
    bli_kernel *const square =
        bli_isa_kernel(call->isa, BL_OP_SQUARE, call->computed[0], call->computed[0]);

    if (!square)
        return;
    operation->kernel = square;
    operation->count = 2;
}

static void make_kernel(struct bli_fusion_draft *draft, int32_t o)
{
    struct bli_fusion_operation *const operation = &draft->operations[o];
    const int32_t i = draft->member[draft->first[o]];
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;

    operation->is_row = draft->is_row[i];
    operation->kernel = bli_fusion_kernel(draft, i);
    operation->wants_nearest = call->wants_nearest;
    operation->can_be_nt =
        bli_ops[call->op].impl < BLI_IMPL_VECTOR && call->op != BL_OP_COPY;
    operation->count = 1 + call->inputs;
    if (bli_fusion_is_square(draft, bli_fusion_step(draft, i)))
        use_square(operation, call);
    operation->place[0] = draft->result[i];
    for (int32_t k = 1; k < operation->count; k++)
        operation->place[k] = draft->input[i][k - 1];
    operation->stride = draft->kernel_stride[o];
    for (int32_t k = 0; k < operation->count; k++) {
        const int32_t place = operation->place[k];
        const int64_t row =
            draft->domain || draft->made.takes_rows ? draft->row[place] : 0;

        operation->stride[0][k] =
            operation->is_row ? row : draft->made.place[place].step;
        operation->stride[1][k] = operation->is_row ? 0 : row;
    }
}

/* ---- rows ---- */

/* Whether the rows of a box, each of `count` elements, are one row of an operation. */
static bool is_dense(const struct bli_fusion_draft *draft, int32_t o)
{
    const struct bli_fusion_operation *const operation = &draft->operations[o];
    const struct bli_fusion *const made = &draft->made;
    const int64_t row = made->takes_rows ? draft->frame.extent[0] : made->length;
    bool dense = (draft->domain && (made->order != BLI_ORDER_COLUMNS ||
                                    row == draft->frame.extent[0])) ||
                 made->takes_rows;

    for (int32_t k = 0; dense && k < operation->count; k++)
        dense = draft->row[operation->place[k]] ==
                made->place[operation->place[k]].step * row;
    return dense;
}

bool bli_fusion_programs(struct bli_fusion_draft *draft)
{
    bool made = true;

    draft->made.programs = 0;
    bli_fusion_begin_reads(draft);
    for (int32_t o = 0; made && o < draft->made.operations; o++) {
        const int32_t i = draft->member[draft->first[o]];

        draft->operations[o] = (struct bli_fusion_operation){.kernel = NULL};
        if (draft->class[i] >= 0)
            made = make_program(draft, o);
        else if (bli_fusion_step(draft, i)->reduce)
            make_fold(draft, o, i);
        else
            make_kernel(draft, o);
        draft->operations[o].is_dense = is_dense(draft, o);
    }
    if (made)
        bli_fusion_find_later_reads(draft);
    return made;
}
