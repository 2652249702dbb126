/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what fusions read after they have stored results. */
#include "expr/fusion_in_place.h"

/* Whether a place is in memory where results of the fusion may be, too. */
static bool is_shared(const struct bli_fusion_draft *draft, int32_t place)
{
    return place >= draft->made.results && place < draft->made.operands &&
           draft->made.place[place].buffer < 0;
}

void bli_fusion_begin_reads(struct bli_fusion_draft *draft)
{
    for (int32_t r = 0; r < draft->made.results; r++)
        draft->made.operand[r].read_after = draft->made.operand[r].read_within = 0;
}

bool bli_fusion_find_reads_within(struct bli_fusion_draft *draft,
                                  const struct bli_fusion_operation *operation)
{
    const struct bli_program *const program = operation->program;
    uint32_t all = 0;

    for (int32_t n = 0; n < operation->count; n++) {
        const int32_t r = operation->place[n];

        if (r >= draft->made.results || (program->outputs >> n & 1) == 0)
            continue;
        for (int32_t k = 0; k < operation->count; k++)
            if (program->last_at[k] > program->last_at[n] &&
                is_shared(draft, operation->place[k]))
                draft->made.operand[r].read_within |= UINT32_C(1)
                                                      << operation->place[k];
        all |= draft->made.operand[r].read_within;
    }
    return all != 0;
}

void bli_fusion_find_later_reads(struct bli_fusion_draft *draft)
{
    for (int32_t r = 0; r < draft->made.results; r++) {
        struct bli_fusion_operand *const result = &draft->made.operand[r];
        const int32_t i = bli_fusion_member(draft, result->value);

        for (int32_t o = draft->operation[i] + 1; o < draft->made.operations; o++)
            for (int32_t k = 0; k < draft->operations[o].count; k++) {
                const int32_t place = draft->operations[o].place[k];

                if (is_shared(draft, place))
                    result->read_after |= UINT32_C(1) << place;
            }
    }
}
