/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank moves and needs in a call over ranks, by operands and in all.
 */
#include "mpi/spread/limits.h"

static void add(struct bli_traffic *sum, const struct bli_traffic *one)
{
    sum->sent_peers += one->sent_peers;
    sum->sent_messages += one->sent_messages;
    sum->sent += one->sent;
    sum->received_peers += one->received_peers;
    sum->received_messages += one->received_messages;
    sum->received += one->received;
    sum->kept += one->kept;
    sum->node_sent += one->node_sent;
    sum->node_received += one->node_received;
    sum->shared_sent_messages += one->shared_sent_messages;
    sum->shared_sent += one->shared_sent;
    sum->shared_received_messages += one->shared_received_messages;
    sum->shared_received += one->shared_received;
    sum->assembled += one->assembled;
    sum->largest = one->largest > sum->largest ? one->largest : sum->largest;
}

int32_t bli_call_moves(const struct bli_spread_call *plan, int32_t k,
                       const struct bli_move *moves[2])
{
    const struct bli_stage *const stage = plan->stage[k];

    moves[0] = stage ? &stage->enter : &plan->move[k];
    moves[1] = stage ? &stage->pass : NULL;
    return stage ? 2 : 1;
}

void bli_spread_call_traffic(const struct bli_spread_call *plan, int32_t k,
                             int32_t of_rank, struct bli_traffic *traffic)
{
    const struct bli_move *moves[2];
    struct bli_traffic pass;
    struct bli_box box;

    if (plan->is_linear[k]) {
        *traffic = plan->linear[k][of_rank];
        return;
    }
    const int32_t count = bli_call_moves(plan, k, moves);

    bli_traffic_count(moves[0], of_rank, traffic);
    if (count == 1)
        return;
    bli_traffic_count(moves[1], of_rank, &pass);
    add(traffic, &pass);
    traffic->kept = bli_move_kept(&plan->move[k], of_rank, &box) * plan->move[k].size;
}

/* Bytes that a rank packs and sorts of an operand that moves by linear order. */
static int64_t packed_bytes(const struct bli_spread_call *plan, int32_t k,
                            int32_t of_rank)
{
    const struct bli_traffic *const one = &plan->linear[k][of_rank];
    struct bli_box box;

    return one->sent + one->received +
           bli_spread_box(plan->from[k], of_rank, &box) * plan->lines[k].size +
           BLI_LINES_NUMBERS * (int64_t)sizeof(int64_t) * plan->result->grid.ranks;
}

/* Bytes of operand k that a rank lacks. */
static int64_t lacking(const struct bli_spread_call *plan, int32_t k, int32_t of_rank)
{
    struct bli_box box;

    if (plan->is_local[k])
        return 0;
    if (plan->is_linear[k])
        return plan->linear[k][of_rank].received;
    return (bli_move_need(&plan->move[k], of_rank, &box) -
            bli_move_kept(&plan->move[k], of_rank, &box)) *
           plan->move[k].size;
}

int64_t bli_call_received(const struct bli_spread_call *plan, int32_t k,
                          int32_t of_rank)
{
    struct bli_traffic traffic;

    if (!plan->stage[k])
        return lacking(plan, k, of_rank);
    bli_spread_call_traffic(plan, k, of_rank, &traffic);
    return traffic.received;
}

void bli_spread_call_totals(const struct bli_spread_call *plan, int32_t of_rank,
                            struct bli_spread_totals *totals)
{
    struct bli_traffic *const sum = &totals->traffic;
    struct bli_sections sections;
    struct bli_box box;

    *totals = (struct bli_spread_totals){0};
    bli_call_sections(plan, of_rank, &sections);
    totals->local_count = bli_spread_box(plan->result, of_rank, &box);
    for (int32_t k = 0; k < plan->count; k++) {
        struct bli_traffic one;

        bli_spread_call_traffic(plan, k, of_rank, &one);
        one.assembled = sections.bytes[k];
        add(sum, &one);
        if (plan->is_linear[k])
            totals->workspace += packed_bytes(plan, k, of_rank);
        if (plan->stage[k])
            totals->workspace += bli_stage_bytes(plan->stage[k], of_rank);
    }
    totals->workspace += sum->assembled + bli_traffic_buffers(sum, plan->window);
}

int64_t bli_spread_call_least(const struct bli_spread_call *plan)
{
    int64_t least = 0;

    for (int32_t k = 0; k < plan->count; k++)
        for (int32_t r = 0; !plan->is_local[k] && r < plan->result->grid.ranks; r++)
            least += lacking(plan, k, r);
    return least;
}
