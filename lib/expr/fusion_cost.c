/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates of how long a fusion takes on one core.  Like those of its steps as calls
 * they only decide between the two, and between ways to fuse: bits are the same.
 */
#include "expr/fusion_boxes.h"
#include "expr/fusion_cost.h"

int64_t bli_fusion_box(const struct bli_fusion_draft *draft)
{
    int64_t elements = draft->made.length;

    for (int32_t i = 0; i < draft->made.level; i++)
        elements *= draft->frame.extent[i];
    return elements;
}

/* Whether an operand is at the same place in each box: its buffer is filled once. */
static bool is_repeated(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_fusion *const made = &draft->made;
    bool repeated = made->length == draft->frame.extent[made->level] ||
                    draft->frame.stride[made->level][k] == 0;

    for (int32_t i = made->level + 1; repeated && i < draft->frame.loops; i++)
        repeated = draft->frame.stride[i][k] == 0;
    return repeated && k >= made->results && !(made->pieced >> k & 1);
}

/* Instructions of a program, of which a maximum, and rounding to bf16, are several. */
static double count_instructions(const struct bli_fusion_draft *draft,
                                 const struct bli_fusion_operation *operation)
{
    const ptrdiff_t o = operation - draft->operations;
    const double more = bli_rates_of(draft->made.isa)->maximum;
    const double rounding =
        bli_rates_of(draft->made.isa)->rounding[!bli_machine_is_amd()];
    double count = operation->program->steps + rounding * operation->program->roundings;

    for (int32_t m = 0; m < draft->count[o]; m++) {
        const int32_t i = draft->member[draft->first[o] + m];
        const bl_op op = bli_fusion_step(draft, i)->plan->op;

        count += op == BL_OP_MAXIMUM || op == BL_OP_MINIMUM ? more : 0;
    }
    return count;
}

/* Of a program for a row of `count` elements, where it is run already. */
static double program_row_ns(const struct bli_fusion_draft *draft,
                             const struct bli_fusion_operation *operation,
                             const struct bli_program_rates *own, int64_t count)
{
    const struct bli_rates *const rates = bli_rates_of(draft->made.isa);
    const struct bli_program *const program = operation->program;
    const int64_t size = bli_dtypes[program->computes].size;
    const int64_t wide = draft->made.isa->register_bytes;
    const int64_t group = bli_program_group(program, wide), part = count % group;
    const int64_t few = wide > 16 ? FEW_BYTES / size : group;
    const double instruction =
        NS_PER_INSTRUCTION + own->register_byte * (double)(group * size);
    const bool is_whole = count >= group || few == group;
    const double rest = part == 0  ? 0
                        : is_whole ? instruction
                                   : rates->few * (double)((part + few - 1) / few);
    double ns = ((double)(count / group) * instruction + rest) *
                count_instructions(draft, operation);

    for (int32_t k = 0; k < operation->count && part > 0 && count < few; k++)
        if (draft->made.place[operation->place[k]].step)
            ns += draft->domain ? NS_PER_ROW_PART : NS_PER_PART;
    return ns;
}

/* Of a program for rows of `count` elements. */
static double program_ns(const struct bli_fusion_draft *draft,
                         const struct bli_fusion_operation *operation, int64_t count,
                         int64_t rows)
{
    const struct bli_rates *const rates = bli_rates_of(draft->made.isa);
    const struct bli_program_rates *const own =
        bli_rates_of_program(draft->made.isa, operation->program);
    const double row = program_row_ns(draft, operation, own, count);
    const double start = draft->made.is_small ? NS_PER_SMALL_PROGRAM : rates->program;

    return start + row + (double)(rows - 1) * (row + own->next_row);
}

/* Of the rows of a box, or with columns of one, that a kernel takes where they are. */
static double rows_ns(const struct bli_fusion_draft *draft,
                      const struct bli_fusion_operation *operation)
{
    const struct bli_fusion *const made = &draft->made;
    bool is_half = false;

    if (operation->is_dense || (!made->takes_rows && made->order != BLI_ORDER_COLUMNS))
        return 0;
    if (made->order == BLI_ORDER_COLUMNS)
        return bli_rates_of(made->isa)->row;
    for (int32_t k = 0; k < operation->count; k++) {
        const bl_dtype dtype = made->place[operation->place[k]].dtype;

        is_half = is_half || bli_dtype_widened(dtype) != dtype;
    }
    return (is_half ? NS_PER_HALF_ROW : bli_rates_of(made->isa)->row) *
           (double)made->length;
}

/* Of a result of a reduction of rows. */
static double result_ns(const struct bli_fusion_draft *draft,
                        const struct bli_fusion_fold *fold)
{
    return fold->pass[0].turn                                 ? NS_PER_TURNED
           : bli_fusion_has_short_rows(draft, &fold->pass[0]) ? NS_PER_MASKED
                                                              : NS_PER_RESULT;
}

/* Of what a reduction does with a row of a box. */
static double fold_ns(const struct bli_fusion_draft *draft,
                      const struct bli_fusion_fold *fold, double count)
{
    const struct bli_rates *const rates = bli_rates_of(draft->made.isa);
    const bool is_columns = draft->made.order == BLI_ORDER_COLUMNS;
    const int64_t lane = fold->size < LEAST_LANE ? LEAST_LANE : fold->size;
    double ns =
        is_columns
            ? NS_PER_ROW_OF_COLUMNS + rates->lane_byte * (double)lane * count
            : result_ns(draft, fold) + rates->sum_byte * (double)fold->size * count;

    if (fold->passes == 2)
        ns += NS_PER_CENTRED_ROW + NS_PER_CENTRED * count;
    if (draft->made.order == BLI_ORDER_ROWS)
        ns += NS_PER_BOX / (double)draft->made.rows;
    return ns;
}

/* Of one operation for `count` elements. */
static double operation_ns(const struct bli_fusion_draft *draft, int32_t o,
                           double count)
{
    const struct bli_rates *const rates = bli_rates_of(draft->made.isa);
    const struct bli_fusion_operation *const operation = &draft->operations[o];
    const double rows = draft->domain ? (double)draft->made.rows : 1;
    double ns = 0;

    if (operation->fold && operation->fold->program_place >= 0)
        return NS_PER_RESULT +
               ADDED * rates->sum_byte * (double)operation->fold->size * count;
    if (operation->fold)
        return fold_ns(draft, operation->fold, count) + NS_PER_KERNEL / rows;
    if (operation->is_row)
        return 1 + NS_PER_KERNEL / rows;
    if (operation->kernel) {
        const int32_t i = draft->member[draft->first[o]];

        for (int32_t k = 0; k < operation->count; k++)
            ns += rates->byte * draft->made.place[operation->place[k]].step;
        /* Not of a power that is a square. */
        if (operation->count == 1 + bli_fusion_step(draft, i)->plan->inputs)
            ns += bli_plan_function_ns(bli_fusion_step(draft, i)->plan);
        if (draft->domain)
            ns += bli_fusion_packed_ns(bli_fusion_step(draft, i)->plan);
        return (draft->made.is_small ? NS_PER_SMALL_KERNEL : NS_PER_KERNEL) / rows +
               rows_ns(draft, operation) + ns * count;
    }
    if (operation->is_dense && draft->domain)
        return program_ns(draft, operation, (int64_t)(count * rows), 1) / rows;
    if (!operation->is_dense && draft->made.takes_rows)
        return program_ns(draft, operation, draft->frame.extent[0], draft->made.length);
    return program_ns(draft, operation, (int64_t)count, (int64_t)rows) / rows;
}

double bli_fusion_excess_ns(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const double count = (double)draft->frame.count;
    double ns = 0;

    for (int32_t o = 0; o < made->operations; o++) {
        const struct bli_fusion_operation *const operation = &draft->operations[o];
        int32_t others;

        if (!operation->program)
            continue;
        others = operation->program->steps;
        for (int32_t k = 0; k < operation->count; k++)
            others -= made->place[operation->place[k]].step != 0;
        if (others > 0)
            ns += bli_rates_of_program(made->isa, operation->program)->saved_byte *
                  others * count *
                  (double)bli_dtypes[operation->program->computes].size;
    }
    return ns;
}

/* Of lanes of columns, which are set and combined for each block of several boxes. */
static double lanes_ns(const struct bli_fusion *made)
{
    return made->order != BLI_ORDER_COLUMNS || made->reduced <= made->rows
               ? 0
               : NS_PER_LANES * (double)(made->folds * made->outputs * made->blocks);
}

/* Of rows of a buffer that are copies of one element each. */
static double spread_ns(const struct bli_fusion_draft *draft, int32_t k,
                        double elements)
{
    const int64_t row = draft->frame.extent[0];
    const double ns = bli_rates_of(draft->made.isa)->spread * elements / (double)row;

    return draft->frame.stride[0][k] != 0                  ? 0
           : row * draft->made.place[k].step == SPREAD_ROW ? ns / 4
                                                           : ns;
}

/* Of a buffer that is filled for a box, or emptied. */
static double copy_ns(const struct bli_fusion_draft *draft, int32_t k, double elements)
{
    const struct bli_fusion *const made = &draft->made;
    const double bytes = elements * made->place[k].step;
    const double ns = NS_PER_COPY + bli_rates_of(made->isa)->copied_byte * bytes;

    if (made->operand[k].pieces > 0)
        return NS_PER_TABLE + NS_PER_PIECE * made->operand[k].pieces;
    if (bytes == 0)
        return NS_PER_NUMBER;
    if (made->pieced >> k & 1)
        return ns + NS_PER_PIECED_ROW * elements / (double)draft->apart.extent[0];
    return ns + spread_ns(draft, k, elements);
}

/* Of rows that kernels take where they are, in operands beyond the caches. */
static double far_rows_ns(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;

    return made->takes_rows && made->operations > 2 && made->programs == 0 &&
                   draft->traffic > FAR_ROWS
               ? bli_rates_of(made->isa)->far_row_byte * draft->traffic *
                     (made->operations - 2)
               : 0;
}

/* Of a fusion of few elements. */
static double start_ns(const struct bli_fusion *made)
{
    return made->order == BLI_ORDER_COLUMNS  ? bli_rates_of(made->isa)->columns
           : made->order == BLI_ORDER_BLOCKS ? 2 * NS_PER_FUSION
           : made->is_small                  ? NS_PER_SMALL
                                             : NS_PER_FUSION;
}

double bli_fusion_ns(const struct bli_fusion_draft *draft)
{
    const struct bli_fusion *const made = &draft->made;
    const double elements = (double)bli_fusion_box(draft);
    double ns = 0, once = 0, boxes;

    boxes = (double)draft->frame.count / elements;
    for (int32_t o = 0; o < made->operations; o++)
        ns += operation_ns(draft, o, elements);
    for (int32_t k = 0; k < made->operands; k++) {
        if (made->staged >> k & 1)
            *(is_repeated(draft, k) ? &once : &ns) += copy_ns(draft, k, elements);
    }
    return start_ns(made) + once + ns * boxes + lanes_ns(made) +
           bli_fusion_far_ns(draft->traffic) + far_rows_ns(draft);
}

/*
 * Of a step that is a kernel, for a row of `count` elements of a box of so many.  A
 * power may be a square.
 */
static double least_kernel_ns(const struct bli_fusion_draft *draft, int32_t i,
                              double count, double rows)
{
    const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;

    if (!call)
        return fold_ns(draft, &draft->fold[draft->fold_of[i]], count);
    if (draft->is_row[i])
        return 1 + NS_PER_KERNEL / rows;
    return NS_PER_SMALL_KERNEL / rows +
           bli_rates_of(draft->made.isa)->byte * bli_fusion_moved(call, count) +
           (call->op == BL_OP_POW ? 0 : bli_plan_function_ns(call) * count);
}

double bli_fusion_least_kernels_ns(const struct bli_fusion_draft *draft)
{
    const double all = (double)draft->frame.count;
    const double count = draft->domain ? (double)draft->made.length : all;
    const double rows = draft->domain ? (double)draft->made.rows : 1;
    double ns = 0;

    for (int32_t i = 0; i < draft->phase->count; i++)
        ns += least_kernel_ns(draft, i, count, rows);
    return NS_PER_SMALL + ns * (all / count) + bli_fusion_far_ns(draft->traffic);
}
