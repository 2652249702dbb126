/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank computes of a call at once: its part of the result, or most of it from
 * memory that it has, and the rest in strips, for which elements arrive.
 */
#include "mpi/spread/call.h"

/* The part of `box` whose elements of all operands a rank has; false: too little. */
static bool find_inner(const struct bli_spread_call *plan, int32_t of_rank,
                       const struct bli_box *box, int64_t count, struct bli_box *inner)
{
    *inner = *box;
    for (int32_t k = 0; k < plan->count; k++)
        if (plan->is_linear[k] || plan->stage[k] ||
            (!plan->is_local[k] && !bli_move_narrow(&plan->move[k], of_rank, inner)))
            return false;
    for (int32_t d = 0; d < plan->result->rank; d++)
        if (inner->begin[d] >= inner->end[d])
            return false;
    return 2 * bli_box_count(plan->result->rank, inner) >= count;
}

/* Add what is left of `rest` before or behind `inner` along dimension d. */
static bool cut(struct bli_sections *sections, struct bli_box *rest,
                const struct bli_box *inner, int32_t d)
{
    for (int side = 0; side < 2; side++) {
        struct bli_box strip = *rest;

        if (side == 0)
            strip.end[d] = rest->begin[d] = inner->begin[d];
        else
            strip.begin[d] = rest->end[d] = inner->end[d];
        if (strip.begin[d] == strip.end[d])
            continue;
        if (sections->count == BLI_SECTIONS)
            return false;
        sections->box[sections->count++] = strip;
    }
    return true;
}

/* Widen the box of what is assembled of an operand to what a section takes. */
static void widen(struct bli_box *box, const struct bli_box *taken, int32_t rank,
                  bool is_first)
{
    for (int32_t d = 0; d < rank; d++) {
        if (is_first || taken->begin[d] < box->begin[d])
            box->begin[d] = taken->begin[d];
        if (is_first || taken->end[d] > box->end[d])
            box->end[d] = taken->end[d];
    }
}

/* Which sections take what arrives of operand k, and how much. */
static void find_assembled(const struct bli_spread_call *plan, int32_t k,
                           int32_t of_rank, struct bli_sections *sections)
{
    const struct bli_move *const move = &plan->move[k];
    const int32_t rank = move->from->rank;
    struct bli_box kept, taken;
    const int64_t has = plan->stage[k] ? 0 : bli_move_kept(move, of_rank, &kept);

    sections->bytes[k] = 0;
    for (int32_t s = 0; s < sections->count; s++) {
        bool is_here = has > 0;

        bli_move_taken(move, &sections->box[s], &taken);
        for (int32_t d = 0; is_here && d < rank; d++)
            is_here = taken.begin[d] >= kept.begin[d] && taken.end[d] <= kept.end[d];
        sections->is_assembled[k][s] = !is_here;
        if (is_here)
            continue;
        widen(&sections->assembled[k], &taken, rank, sections->bytes[k] == 0);
        sections->bytes[k] = bli_box_count(rank, &sections->assembled[k]) * move->size;
    }
}

void bli_call_sections(const struct bli_spread_call *plan, int32_t of_rank,
                       struct bli_sections *sections)
{
    struct bli_box *const first = &sections->box[0];
    const int64_t count = bli_spread_box(plan->result, of_rank, first);
    const struct bli_box whole = *first;
    bool fits = true;

    sections->count = count > 0;
    if (count > 0 && !plan->is_direct &&
        find_inner(plan, of_rank, &whole, count, first)) {
        struct bli_box rest = whole;

        for (int32_t d = 0; fits && d < plan->result->rank; d++)
            fits = cut(sections, &rest, first, d);
    } else
        fits = false;
    if (!fits) {
        *first = whole;
        sections->count = count > 0;
    }
    for (int32_t k = 0; k < plan->count; k++) {
        sections->bytes[k] = 0;
        sections->is_assembled[k][0] = plan->is_linear[k];
        if (plan->is_linear[k])
            sections->bytes[k] =
                bli_spread_box(plan->lines[k].to, of_rank, &sections->assembled[k]) *
                plan->lines[k].size;
        else if (!plan->is_local[k] && !plan->is_direct)
            find_assembled(plan, k, of_rank, sections);
        else
            for (int32_t s = 0; s < sections->count; s++)
                sections->is_assembled[k][s] = false;
    }
}
