/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends, receives and needs in a reduction, without making it.
 */
#include "mpi/spread/reduction.h"

struct bli_move bli_round_move(const struct bli_round *round)
{
    return (struct bli_move){round->finished, round->result, 0,
                             (int64_t)bl_dtype_size(round->to), 0};
}

struct bli_move bli_reduction_move(const struct bli_reduction *plan)
{
    return (struct bli_move){plan->from, plan->input, 0,
                             (int64_t)bl_dtype_size(plan->dtype), 0};
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
    sum->shared_sent_messages += one.shared_sent_messages;
    sum->shared_sent += one.shared_sent;
    sum->shared_received_messages += one.shared_received_messages;
    sum->shared_received += one.shared_received;
    return bli_traffic_buffers(&one, BLI_WINDOW);
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

/* At most so many bytes of memory for a state, of the bytes that it is saved in. */
static int64_t memory_of(int64_t saved)
{
    return 2 * saved + 1024;
}

/* Bytes of a state of a share of results that has a rank's own elements. */
static bl_status own_state_bytes(const struct bli_reduction *plan,
                                 const struct bli_round *round, int32_t of_rank,
                                 int32_t share, int64_t *bytes)
{
    const int32_t own = bli_reduction_place(plan, of_rank);
    struct bli_runs runs = {0};
    bl_reduce_pieces *pieces;
    struct bli_box box;
    bl_status status;

    *bytes = 0;
    if (bli_reduction_share(plan, round, of_rank, share, &box) == 0)
        return BL_OK;
    status = bli_reduction_combined(plan, round, of_rank, own, 1, &runs);
    if (status == BL_OK)
        status = bli_reduction_pieces(plan, round, &box, &pieces);
    if (status == BL_OK) {
        *bytes = (int64_t)bl_reduce_pieces_size_of(pieces, runs.count, runs.range);
        bl_reduce_pieces_destroy(pieces);
    }
    bli_runs_free(&runs);
    return status;
}

/*
 * Memory for a rank's states: of each share its own elements', what is joined to the
 * one that it keeps, and one more state twice while it is joined or sent.  States of
 * the shares of others are what it sends them.  Where all ranks learn of failures,
 * memory to join in is reserved.
 */
static bl_status add_states(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            const struct bli_schedule *schedule,
                            struct bli_spread_totals *totals)
{
    const int32_t shares = bli_reduction_shares(plan, round);
    const int32_t own = shares > 1 ? bli_reduction_place(plan, of_rank) : -1;
    int64_t bytes, passing = 0;

    if (bli_reduction_tells_all(plan)) {
        totals->workspace += memory_of(schedule->own) + bli_schedule_joining(schedule);
        return BL_OK;
    }
    BL_TRY(own_state_bytes(plan, round, of_rank, own, &bytes));
    totals->workspace += memory_of(bytes) + (shares - 1) * memory_of(0);
    for (int64_t k = 0; k < schedule->count; k++) {
        const struct bli_parcel *const parcel = &schedule->parcel[k];

        if (parcel->kind == BLI_PARCEL_RESULTS)
            continue;
        if (!parcel->is_sent)
            totals->workspace += memory_of(parcel->bytes);
        else if (shares > 1 && parcel->kind == BLI_PARCEL_STATE)
            totals->workspace += memory_of(parcel->bytes) - memory_of(0);
        passing = parcel->bytes > passing ? parcel->bytes : passing;
    }
    totals->workspace += 2 * memory_of(passing);
    return BL_OK;
}

/* Memory for squares of distances from means, and for their sums. */
static int64_t square_bytes(const struct bli_reduction *plan, int32_t of_rank)
{
    struct bli_box box;
    int64_t elements = bli_spread_box(plan->input, of_rank, &box);

    for (int32_t d = 0; elements > 0 && d < plan->input->rank; d++)
        if (plan->reduced >> d & 1) {
            elements /= box.end[d] - box.begin[d];
            break;
        }
    return (elements > BLI_SQUARES ? elements : BLI_SQUARES) * 16;
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
    bl_status status = BL_OK;

    if (round->finishing != BLI_FINISH_HERE)
        status = add_states(plan, round, of_rank, &schedule, totals);
    if (i == 1)
        totals->workspace += square_bytes(plan, of_rank) +
                             box_bytes(round->finished, of_rank, BL_DTYPE_F64);
    if (is_moved)
        totals->workspace += box_bytes(round->finished, of_rank, round->to);
    if (i + 1 < plan->rounds)
        totals->workspace += box_bytes(round->result, of_rank, round->to);
    bli_schedule_free(&schedule);
    return status;
}

/* Most bytes that blocks are gathered in. */
#define GATHERED_BYTES (INT64_C(4) << 20)

/*
 * What libbroadloom takes to reduce a rank's elements: two partial results of 8 or 16
 * bytes for each block of 1024, more for each result, staging, and blocks whose
 * elements lie apart, gathered.
 */
static int64_t kernel_bytes(const struct bli_reduction *plan, int32_t of_rank)
{
    struct bli_box box;
    const int64_t elements = bli_spread_box(plan->input, of_rank, &box);
    const int64_t gathered = (elements / 1024 + 1) * 1024 * 16;
    int64_t results = 1;

    for (int32_t d = 0; d < plan->input->rank; d++)
        if (!(plan->reduced >> d & 1))
            results *= box.end[d] - box.begin[d];
    return elements / 1024 * 32 + results * 64 + (64 << 10) +
           (gathered < GATHERED_BYTES ? gathered : GATHERED_BYTES);
}

bl_status bli_reduction_totals(const struct bli_reduction *plan, int32_t of_rank,
                               struct bli_spread_totals *totals)
{
    const struct bli_move moved = bli_reduction_move(plan);
    struct bli_box box;

    *totals = (struct bli_spread_totals){0};
    totals->local_count = bli_spread_box(plan->given, of_rank, &box);
    totals->workspace = kernel_bytes(plan, of_rank);
    if (plan->input != plan->from)
        totals->workspace += add_traffic(&totals->traffic, &moved, of_rank) +
                             box_bytes(plan->input, of_rank, plan->dtype);
    for (int32_t i = 0; i < plan->rounds; i++)
        BL_TRY(add_round(plan, i, of_rank, totals));
    return BL_OK;
}
