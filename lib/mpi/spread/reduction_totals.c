/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends, receives and needs in a reduction, without making it.
 */
#include "mpi/spread/reduction.h"

struct bli_move bli_round_move(const struct bli_round *round)
{
    return (struct bli_move){round->finished, round->result, 0,
                             (int64_t)bl_dtype_size(round->to)};
}

struct bli_move bli_reduction_move(const struct bli_reduction *plan)
{
    return (struct bli_move){plan->from, plan->input, 0,
                             (int64_t)bl_dtype_size(plan->dtype)};
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Add a move's messages; returns the bytes of its buffers. */
static int64_t add_traffic(struct bli_traffic *sum, const struct bli_move *move,
                           int32_t of_rank)
{
    struct bli_traffic one;

    bli_traffic_count(move, of_rank, &one);
    sum->sent_messages += one.sent_messages;
    sum->sent += one.sent;
    sum->received_messages += one.received_messages;
    sum->received += one.received;
    sum->node_sent += one.node_sent;
    sum->node_received += one.node_received;
    return (smaller(BLI_WINDOW, one.sent_messages) +
            smaller(BLI_WINDOW, one.received_messages)) *
           one.largest;
}

static void add_parcel(struct bli_traffic *sum, const struct bli_grid *grid,
                       int32_t of_rank, const struct bli_parcel *parcel)
{
    const bool leaves = of_rank / grid->node != parcel->peer / grid->node;
    const int64_t messages = (parcel->bytes - 1) / BLI_MESSAGE_BYTES + 1;

    *(parcel->is_sent ? &sum->sent_messages : &sum->received_messages) += messages;
    *(parcel->is_sent ? &sum->sent : &sum->received) += parcel->bytes;
    if (leaves)
        *(parcel->is_sent ? &sum->node_sent : &sum->node_received) += parcel->bytes;
}

/* Bytes of a rank's box of a spread. */
static int64_t box_bytes(const struct bli_spread *spread, int32_t of_rank,
                         bl_dtype dtype)
{
    struct bli_box box;

    return bli_spread_box(spread, of_rank, &box) * (int64_t)bl_dtype_size(dtype);
}

/* Add what a rank sends and receives in a round, and its memory. */
static bl_status add_round(const struct bli_reduction *plan, int32_t i, int32_t of_rank,
                           struct bli_spread_totals *totals)
{
    const struct bli_round *const round = &plan->round[i];
    const struct bli_move move = bli_round_move(round);
    const bool is_moved = !bli_spread_is_equal(round->finished, round->result);
    struct bli_schedule schedule = {0};
    int64_t buffers;

    BL_TRY(bli_schedule_make(plan, round, of_rank, &schedule));
    for (int64_t k = 0; k < schedule.count; k++)
        add_parcel(&totals->traffic, &plan->from->grid, of_rank, &schedule.parcel[k]);
    buffers = add_traffic(&totals->traffic, &move, of_rank);
    totals->workspace += buffers > schedule.bytes ? buffers : schedule.bytes;
    if (is_moved)
        totals->workspace += box_bytes(round->finished, of_rank, round->to);
    if (i + 1 < plan->rounds)
        totals->workspace += box_bytes(round->result, of_rank, round->to);
    bli_schedule_free(&schedule);
    return BL_OK;
}

bl_status bli_reduction_totals(const struct bli_reduction *plan, int32_t of_rank,
                               struct bli_spread_totals *totals)
{
    const struct bli_move moved = bli_reduction_move(plan);
    struct bli_box box;

    *totals = (struct bli_spread_totals){0};
    totals->local_count = bli_spread_box(plan->given, of_rank, &box);
    if (plan->input != plan->from)
        totals->workspace = add_traffic(&totals->traffic, &moved, of_rank) +
                            box_bytes(plan->input, of_rank, plan->dtype);
    for (int32_t i = 0; i < plan->rounds; i++)
        BL_TRY(add_round(plan, i, of_rank, totals));
    return BL_OK;
}
