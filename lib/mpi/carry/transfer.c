/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves one operand: packs, sends, receives and unpacks.  Sends and receives have a
 * window each, so that whatever the numbers of messages, the one of least distance of
 * all that are left is posted at both ends: there is no deadlock.  A window for both
 * would have some.
 */
#include "mpi/carry/carry.h"

enum { SEND, RECEIVE, TAG = 1 };

/* A message on the way. */
struct flight {
    struct bli_message message;
    char *buffer;   /* its own, for so many bytes as the largest message has */
    bool is_packed; /* the message is in the buffer, not in the block itself */
    bool is_used;
};

struct transfer {
    struct bli_link *link;
    bl_context *ctx;
    const struct bli_block *block[2]; /* that messages come from, and go to */
    struct bli_messages list[2];
    bool has_more[2];
    int32_t window;
    int32_t active;
    struct flight flight[2 * BLI_WINDOW]; /* the sends' slots, then the receives' */
    MPI_Request request[2 * BLI_WINDOW];
};

int64_t bli_mpi_transfer_bytes(const struct bli_traffic *traffic, int32_t window)
{
    const int64_t sends = traffic->sent_messages, receives = traffic->received_messages;

    return ((sends < window ? sends : window) +
            (receives < window ? receives : window)) *
           traffic->largest;
}

/* Post the message of a flight; returns MPI's code. */
static int post(struct transfer *transfer, int side, int32_t slot)
{
    struct flight *const flight = &transfer->flight[slot];
    const struct bli_message *const message = &flight->message;
    MPI_Request *const request = &transfer->request[slot];
    MPI_Comm comm = transfer->link->comm;
    struct bli_block part, packed;

    bli_block_part(transfer->block[side], &message->box, &part);
    flight->is_used = true;
    flight->is_packed = !bl_layout_is_contiguous(&part.layout);
    char *const data = flight->is_packed ? flight->buffer : bli_block_data(&part);

    transfer->active++;
    if (side == RECEIVE)
        return MPI_Irecv(data, (int)message->bytes, MPI_BYTE, message->peer, TAG, comm,
                         request);
    if (flight->is_packed) {
        bli_block_compact(&packed, part.dtype, part.layout.rank, &part.box, data);
        bli_block_copy(transfer->ctx, &packed, &part);
    }
    return MPI_Isend(data, (int)message->bytes, MPI_BYTE, message->peer, TAG, comm,
                     request);
}

/* Post messages of one side until its window is full. */
static int fill_window(struct transfer *transfer, int side)
{
    const int32_t first = side * BLI_WINDOW;

    for (int32_t slot = first; slot < first + transfer->window; slot++) {
        if (transfer->flight[slot].is_used)
            continue;
        transfer->has_more[side] =
            transfer->has_more[side] &&
            bli_messages_next(&transfer->list[side], &transfer->flight[slot].message);
        if (!transfer->has_more[side])
            break;
        const int code = post(transfer, side, slot);

        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

/* A message has arrived, or its memory may be used again. */
static void land(struct transfer *transfer, int side, int32_t slot)
{
    struct flight *const flight = &transfer->flight[slot];
    struct bli_block part, packed;

    flight->is_used = false;
    transfer->active--;
    if (side == SEND || !flight->is_packed)
        return;
    bli_block_part(transfer->block[RECEIVE], &flight->message.box, &part);
    bli_block_compact(&packed, part.dtype, part.layout.rank, &part.box, flight->buffer);
    bli_block_copy(transfer->ctx, &part, &packed);
}

/* All messages, from the first one to the last. */
static bl_status run(struct transfer *transfer)
{
    const char *what = "MPI_Waitany";
    int code = MPI_SUCCESS, done;

    while (transfer->active > 0) {
        code = MPI_Waitany(2 * BLI_WINDOW, transfer->request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            break;
        const int side = done / BLI_WINDOW;

        land(transfer, side, done);
        code = fill_window(transfer, side);
        if (code != MPI_SUCCESS) {
            what = side == SEND ? "MPI_Isend" : "MPI_Irecv";
            break;
        }
    }
    return code == MPI_SUCCESS ? BL_OK : bli_link_fail(transfer->link, what, code);
}

/* What this rank needs and has, copied while the first messages are on the way. */
static void copy_kept(struct transfer *transfer, const struct bli_move *move)
{
    struct bli_block from, to;
    struct bli_box kept;

    if (bli_move_kept(move, transfer->link->self, &kept) == 0)
        return;
    bli_block_part(transfer->block[SEND], &kept, &from);
    bli_block_part(transfer->block[RECEIVE], &kept, &to);
    bli_block_copy(transfer->ctx, &to, &from);
}

bl_status bli_mpi_transfer(struct bli_link *link, bl_context *ctx,
                           const struct bli_move *move, int32_t window,
                           const struct bli_block *from, const struct bli_block *to,
                           char *buffers)
{
    struct transfer transfer = {.link = link,
                                .ctx = ctx,
                                .block = {from, to},
                                .has_more = {true, true},
                                .window = window < BLI_WINDOW ? window : BLI_WINDOW};
    struct bli_traffic traffic;
    int code = MPI_SUCCESS;

    bli_traffic_count(move, link->self, &traffic);
    bli_messages_begin(move, link->self, BLI_SENT, &transfer.list[SEND]);
    bli_messages_begin(move, link->self, BLI_RECEIVED, &transfer.list[RECEIVE]);
    for (int32_t slot = 0; slot < 2 * BLI_WINDOW; slot++)
        transfer.request[slot] = MPI_REQUEST_NULL;
    const int64_t count[2] = {traffic.sent_messages, traffic.received_messages};

    for (int side = 0; side < 2; side++)
        for (int32_t slot = 0; slot < transfer.window && slot < count[side]; slot++) {
            transfer.flight[side * BLI_WINDOW + slot].buffer = buffers;
            buffers += traffic.largest;
        }
    for (int side = RECEIVE; side >= SEND && code == MPI_SUCCESS; side--)
        code = fill_window(&transfer, side);
    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Isend or MPI_Irecv", code);
    if (to->base)
        copy_kept(&transfer, move);
    return run(&transfer);
}
