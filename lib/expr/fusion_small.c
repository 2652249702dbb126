/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fusions of few elements, which are one box: offsets of what is not contiguous are in
 * tables, so that an execution goes through no loops.
 */
#include "expr/fusion_box.h"

#include "exec/gather.h"
#include "plan/table.h"

/* Most elements of a small fusion whose operands are taken where they are. */
#define MOST_DENSE 1024

/* An element that is repeated in a row is spread over so many bytes. */
#define SPREAD_BYTES 16

/* ---- the plan ---- */

/* Whether rows of operand `k` are one element, and as long as several spread ones. */
static bool spreads(const struct bli_frame *frame, int32_t k, int64_t size)
{
    return frame->stride[0][k] == 0 && (size == 4 || size == 8) &&
           frame->extent[0] * size % SPREAD_BYTES == 0;
}

void bli_fusion_find_small(struct bli_fusion_draft *draft)
{
    struct bli_fusion *const made = &draft->made;
    const struct bli_frame *const frame = &draft->frame;

    made->is_small = frame->count <= (made->staged ? BLI_FUSION_SMALL : MOST_DENSE) &&
                     made->streams == 0 && made->staging <= BLI_STACK_BYTES &&
                     made->level == frame->loops - 1 &&
                     made->length == frame->extent[made->level];
    for (int32_t k = made->results; made->is_small && k < made->operands; k++) {
        struct bli_fusion_operand *const operand = &made->operand[k];
        const int64_t size = bli_dtypes[operand->dtype].size;
        const int64_t many =
            bli_table_piece(frame->extent[0], frame->stride[0][k], size);

        if (!(made->staged >> k & 1) || made->place[k].step == 0 ||
            operand->dtype != operand->computed)
            continue;
        operand->pieces = (int32_t)(frame->count / many);
        operand->piece = (int32_t)(many * size);
        operand->spreads = spreads(frame, k, size);
        if (operand->spreads)
            operand->pieces = (int32_t)(frame->count * size / SPREAD_BYTES);
    }
}

void bli_fusion_tabulate(struct bli_fusion_draft *draft)
{
    const struct bli_frame *const frame = &draft->frame;

    for (int32_t k = 0; draft->made.is_small && k < draft->made.operands; k++) {
        struct bli_fusion_operand *const operand = &draft->made.operand[k];

        if (operand->pieces > 0 &&
            bli_table_fill(draft->table[k], frame->loops, frame->extent,
                           &frame->stride[0][k], BLI_FUSION_OPERANDS,
                           frame->count / operand->pieces))
            operand->table = draft->table[k];
    }
}

/* Find where operand `k` is: false where that is no input of the expression. */
static bool find_source(struct bli_fusion_draft *draft, int32_t k)
{
    const bl_expr_plan *const plan = draft->plan;
    const struct bli_fusion_operand *const operand = &draft->made.operand[k];
    const struct bli_expr_out *const out = &plan->out[0];
    struct bli_fusion_source *const source = &draft->source[k];
    const struct bli_expr_node *node;

    *source = (struct bli_fusion_source){.slot = -1};
    if (operand->is_kept || operand->number)
        return true;
    source->below = (uint32_t)bli_dtypes[operand->dtype].align - 1;
    if (k == 0) {
        source->begin = out->begin;
        source->end = out->end;
        return operand->value == out->value;
    }
    if (operand->value >= plan->nodes)
        return false;
    node = bli_expr_node(plan->expr, operand->value);
    source->slot = node->what;
    source->begin = plan->value[operand->value].begin;
    source->end = plan->value[operand->value].end;
    return node->kind == BLI_NODE_INPUT;
}

void bli_fusion_find_sources(struct bli_fusion_draft *draft)
{
    bool found = draft->made.is_small && draft->made.results == 1;

    for (int32_t k = 0; found && k < draft->made.operands; k++)
        found = find_source(draft, k);
    draft->made.source = found ? draft->source : NULL;
}

bool bli_fusion_is_alone(const struct bli_fusion *fusion, const bl_expr_plan *plan)
{
    int32_t inputs = 0;

    for (int32_t k = 1; fusion->source && k < fusion->operands; k++)
        inputs += fusion->source[k].slot >= 0;
    return fusion->source && inputs == plan->reads;
}

/* ---- an execution ---- */

/* Spread `count` elements, over SPREAD_BYTES each. */
static void spread_4(char *to, const char *from, const int32_t *at, int32_t count)
{
    for (int32_t i = 0; i < count; i++, to += SPREAD_BYTES) {
        uint32_t element[SPREAD_BYTES / 4];

        memcpy(&element[0], from + at[i], sizeof element[0]);
        element[1] = element[2] = element[3] = element[0];
        memcpy(to, element, sizeof element);
    }
}

static void spread_8(char *to, const char *from, const int32_t *at, int32_t count)
{
    for (int32_t i = 0; i < count; i++, to += SPREAD_BYTES) {
        uint64_t element[SPREAD_BYTES / 8];

        memcpy(&element[0], from + at[i], sizeof element[0]);
        element[1] = element[0];
        memcpy(to, element, sizeof element);
    }
}

/* Fill input `k`'s buffer. */
static void fill(const struct bli_fusion *fusion, int32_t k, char *to, char *from)
{
    const struct bli_fusion_operand *const operand = &fusion->operand[k];

    if (!operand->table)
        bli_fusion_copy(fusion, k, fusion->level, fusion->length, to, from);
    else if (!operand->spreads)
        bli_gather(to, from, operand->table, operand->pieces, operand->piece);
    else if (operand->piece == 4)
        spread_4(to, from, operand->table, operand->pieces);
    else
        spread_8(to, from, operand->table, operand->pieces);
}

/* Compute all operations. */
static void operate(const struct bli_fusion_binding *binding, char *const *at)
{
    const struct bli_fusion *const fusion = binding->fusion;

    for (int32_t o = 0; o < fusion->operations; o++) {
        const struct bli_fusion_operation *const operation = &fusion->operation[o];

        if (operation->is_only && binding->is_apart)
            fusion->isa->run_apart(operation->program, at, fusion->count);
        else if (operation->is_only)
            fusion->isa->run_program(bli_fusion_program(binding, operation), at,
                                     fusion->count, 1, NULL, 0);
        else
            bli_fusion_operate(binding, operation, at, fusion->count, 1);
    }
}

void bli_fusion_run_small(const struct bli_fusion_binding *binding, char *staging)
{
    const struct bli_fusion *const fusion = binding->fusion;
    char *at[BLI_FUSION_PLACES];

    if (fusion->staging == 0) {
        operate(binding, binding->data);
        return;
    }
    for (int32_t k = 0; k < fusion->places; k++)
        at[k] = fusion->place[k].buffer >= 0 ? staging + fusion->place[k].buffer
                                             : binding->data[k];
    for (uint32_t left = fusion->staged >> fusion->results << fusion->results;
         left != 0; left &= left - 1) {
        const int32_t k = __builtin_ctz(left);

        fill(fusion, k, at[k], binding->data[k]);
    }
    operate(binding, at);
    for (int32_t k = 0; k < fusion->results; k++)
        if (fusion->staged >> k & 1)
            bli_fusion_copy(fusion, k, fusion->level, fusion->length, binding->data[k],
                            at[k]);
}

/* ---- an execution that is nothing else ---- */

/* Find all addresses: false where one is refused, or in the output's memory. */
static bool bind(struct bli_fusion_binding *binding, void *out, const void *const *data)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_fusion_source *const source = fusion->source;
    const intptr_t begin = (intptr_t)out + source->begin;
    const intptr_t end = (intptr_t)out + source->end;
    bool is_usual = out && ((uintptr_t)out & source->below) == 0;

    binding->data[0] = (char *)out + fusion->offset[0];
    for (int32_t k = 1; k < fusion->operands; k++) {
        const struct bli_fusion_operand *const operand = &fusion->operand[k];
        const bool is_input = source[k].slot >= 0;
        const void *const from = is_input           ? data[source[k].slot]
                                 : operand->is_kept ? &operand->kept
                                                    : operand->number;
        const intptr_t at = (intptr_t)from;

        is_usual &= from && ((uintptr_t)from & source[k].below) == 0 &&
                    (at + source[k].begin >= end || begin >= at + source[k].end);
        binding->data[k] = (char *)(uintptr_t)from + fusion->offset[k];
    }
    return is_usual;
}

bool bli_fusion_run_alone(const struct bli_fusion *fusion, void *out,
                          const void *const *data)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];
    struct bli_fusion_binding binding;

    binding.fusion = fusion;
    binding.streams = 0;
    binding.is_apart = true;
    binding.is_in_place = false;
    if (!bind(&binding, out, data))
        return false;
    bli_fusion_run_small(&binding, staging);
    return true;
}
