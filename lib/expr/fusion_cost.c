/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates of how long a fusion takes on one core, and its steps as calls.  They only
 * decide between the two, and between ways to fuse: bits are the same.
 */
#include "expr/fusion_cost.h"
#include "exec/bind/bind.h"
#include "expr/fusion_plan.h"
#include "plan/non_temporal.h"

static double far_ns(double bytes)
{
    return bytes <= CACHE_BYTES    ? 0
           : bytes <= MEMORY_BYTES ? NS_PER_FAR_BYTE * bytes
                                   : NS_PER_MEMORY_BYTE * bytes;
}

/* Bytes of an operand's elements, each counted once. */
static double own_bytes(const struct bli_fusion_draft *draft, int32_t k)
{
    double bytes = (double)bli_fusion_size(&draft->made, k);

    for (int32_t i = 0; i < draft->frame.loops; i++)
        if (draft->frame.stride[i][k] != 0)
            bytes *= (double)draft->frame.extent[i];
    return bytes;
}

int64_t bli_fusion_box(const struct bli_fusion_draft *draft)
{
    int64_t elements = draft->made.length;

    for (int32_t i = 0; i < draft->made.level; i++)
        elements *= draft->frame.extent[i];
    return elements;
}

double bli_fusion_traffic(const struct bli_fusion_draft *draft)
{
    double bytes = 0;

    for (int32_t k = 0; k < draft->made.operands; k++)
        bytes += own_bytes(draft, k);
    return bytes;
}

bool bli_fusion_wants_nt(const struct bli_fusion_draft *draft, int32_t k, int64_t row,
                         double traffic)
{
    return row >= BLI_NT_ROW &&
           bli_plan_is_large(draft->made.isa,
                             bli_team_caches(&draft->making->ctx->team),
                             own_bytes(draft, k), traffic);
}

/* Bytes of an element that a step reduces. */
static double reduced_bytes(const struct bli_fusion_draft *draft, int32_t i)
{
    const int32_t v = bli_fusion_step(draft, i)->operand[0];

    return bli_dtypes[draft->plan->value[v].dtype].size;
}

/* Of the results of a reduction. */
static double results_ns(const struct bli_fusion_draft *draft)
{
    return draft->made.order == BLI_ORDER_COLUMNS
               ? 0
               : NS_PER_RESULT * (double)draft->made.outputs;
}

/*
 * Of operands that a call stages, for an element: so do kernels that take short rows
 * where they are.
 */
static double packed_ns(const struct bl_plan *call)
{
    double ns = 0;

    for (int32_t k = 0; k <= call->inputs; k++)
        if (call->tiling.staged >> k & 1)
            ns += NS_PER_COPY_BYTE * (double)call->size[k];
    return ns;
}

double bli_fusion_calls_ns(const struct bli_fusion_draft *draft)
{
    const double count = (double)draft->frame.count;
    double ns = 0, own = bli_fusion_traffic(draft), moved = 0;

    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;
        double bytes = 0;

        if (!call) {
            bytes = reduced_bytes(draft, i) * count;
            ns += NS_PER_REDUCTION + NS_PER_SUM_BYTE * bytes + results_ns(draft);
            moved += bytes;
            continue;
        }
        if (draft->is_row[i]) {
            ns += NS_PER_CALL;
            continue;
        }
        ns += NS_PER_CALL + bli_plan_function_ns(call) * count;
        for (int32_t k = 0; k <= call->inputs; k++)
            bytes += call->nest.stride[0][k] == 0 ? 0 : (double)call->size[k] * count;
        ns += packed_ns(call) * count;
        ns += NS_PER_BYTE * bytes;
        moved += bytes;
    }
    if (draft->domain && own > L1_BYTES && moved > own)
        ns += NS_PER_L2_BYTE * (moved - own);
    /* What one call has written the next one reads: there, where it is not far. */
    return ns + (moved > own ? far_ns(own) / own * moved : far_ns(own));
}

/* Whether an operand is at the same place in each box: its buffer is filled once. */
static bool is_repeated(const struct bli_fusion_draft *draft, int32_t k)
{
    const struct bli_fusion *const made = &draft->made;
    bool repeated = made->length == draft->frame.extent[made->level] ||
                    draft->frame.stride[made->level][k] == 0;

    for (int32_t i = made->level + 1; repeated && i < draft->frame.loops; i++)
        repeated = draft->frame.stride[i][k] == 0;
    return repeated && k >= made->results;
}

/* Of a program for a row of `count` elements. */
static double program_ns(const struct bli_fusion_draft *draft,
                         const struct bli_fusion_operation *operation, int64_t count)
{
    const struct bli_program *const program = operation->program;
    const int64_t size = bli_dtypes[program->computes].size;
    const int64_t wide = draft->made.isa->register_bytes;
    const int64_t group = bli_program_group(program, wide), part = count % group;
    const int64_t few = wide > 16 ? FEW_BYTES / size : group;
    const double instruction =
        NS_PER_INSTRUCTION + NS_PER_REGISTER_BYTE * (double)(group * size);
    double ns = (double)(count / group) * instruction, rest = 0;

    if (part > 0)
        rest =
            few == group ? instruction : NS_PER_FEW * (double)((part + few - 1) / few);
    ns = (draft->made.is_small ? NS_PER_SMALL_PROGRAM : NS_PER_PROGRAM) +
         (ns + (rest < instruction || count < group ? rest : instruction)) *
             program->steps;
    for (int32_t k = 0; k < operation->count && part > 0 && count < few; k++)
        if (draft->made.place[operation->place[k]].step)
            ns += draft->domain ? NS_PER_ROW_PART : NS_PER_PART;
    return ns;
}

/* Of the rows of a box that a kernel takes where they are. */
static double rows_ns(const struct bli_fusion_draft *draft,
                      const struct bli_fusion_operation *operation)
{
    const struct bli_fusion *const made = &draft->made;
    bool is_even = true, is_half = false;

    if (!made->takes_rows)
        return 0;
    for (int32_t k = 0; k < operation->count; k++) {
        const struct bli_fusion_place *const place = &made->place[operation->place[k]];

        is_even = is_even && draft->row[operation->place[k]] ==
                                 place->step * draft->frame.extent[0];
        is_half = is_half || bli_dtype_widened(place->dtype) != place->dtype;
    }
    return is_even ? 0
                   : (is_half ? NS_PER_HALF_ROW : NS_PER_ROW) * (double)made->length;
}

/* Of what a reduction does with a row of a box. */
static double fold_ns(const struct bli_fusion_draft *draft,
                      const struct bli_fusion_fold *fold, double count)
{
    const struct bli_reducer *const how = fold->pass[0].reducer;
    const bool is_columns = draft->made.order == BLI_ORDER_COLUMNS;
    const int64_t lane = fold->size < LEAST_LANE ? LEAST_LANE : fold->size;
    double ns = NS_PER_RESULT + (is_columns ? NS_PER_LANE_BYTE * (double)lane
                                            : NS_PER_SUM_BYTE * (double)fold->size) *
                                    count;

    if (fold->passes == 2)
        ns += NS_PER_CENTRED_ROW + NS_PER_CENTRED * count;
    if (draft->made.order == BLI_ORDER_ROWS)
        ns += NS_PER_BOX / (double)draft->made.rows;
    if (!is_columns && how->size == 1 && how->short_row > how->lanes &&
        count < (double)how->lanes)
        ns += NS_PER_BYTES_ROW;
    return ns;
}

/* Of one operation for `count` elements. */
static double operation_ns(const struct bli_fusion_draft *draft, int32_t o,
                           double count)
{
    const struct bli_fusion_operation *const operation = &draft->operations[o];
    const double rows = draft->domain ? (double)draft->made.rows : 1;
    double ns = 0;

    if (operation->fold)
        return fold_ns(draft, operation->fold, count) + NS_PER_KERNEL / rows;
    if (operation->is_row)
        return 1 + NS_PER_KERNEL / rows;
    if (operation->kernel) {
        const int32_t i = draft->member[draft->first[o]];

        for (int32_t k = 0; k < operation->count; k++)
            ns += NS_PER_BYTE * draft->made.place[operation->place[k]].step;
        ns += bli_plan_function_ns(bli_fusion_step(draft, i)->plan);
        if (draft->domain)
            ns += packed_ns(bli_fusion_step(draft, i)->plan);
        return (draft->made.is_small ? NS_PER_SMALL_KERNEL : NS_PER_KERNEL) / rows +
               rows_ns(draft, operation) + ns * count;
    }
    if (operation->is_dense && draft->domain)
        return program_ns(draft, operation, (int64_t)(count * rows)) / rows;
    return program_ns(draft, operation, (int64_t)count);
}

/* Instructions whose operands are in registers take NS_PER_INSTRUCTION, no more. */
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
            ns += NS_PER_REGISTER_BYTE * others * count *
                  (double)bli_dtypes[operation->program->computes].size;
    }
    return ns;
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
        const double copy =
            made->operand[k].pieces > 0
                ? NS_PER_TABLE + NS_PER_PIECE * made->operand[k].pieces
            : made->place[k].step == 0
                ? NS_PER_NUMBER
                : NS_PER_COPY + NS_PER_COPY_BYTE * made->place[k].step * elements;

        if (made->staged >> k & 1)
            *(is_repeated(draft, k) ? &once : &ns) += copy;
    }
    return (made->is_small ? NS_PER_SMALL : NS_PER_FUSION) *
               (made->order == BLI_ORDER_COLUMNS  ? 10
                : made->order == BLI_ORDER_BLOCKS ? 2
                                                  : 1) +
           once + ns * boxes + far_ns(bli_fusion_traffic(draft));
}
