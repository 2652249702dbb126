/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves one operand: packs, sends, receives and unpacks.  Sends and receives have a
 * window each, so that whatever the numbers of messages, the one of least distance of
 * all that are left is posted at both ends: there is no deadlock.  A window for both
 * would have some.  Within a node that shares memory, messages go through that, and
 * have a place in the same windows.  Whoever would wait for messages does first what
 * there is to do beside them.
 */
#include "mpi/carry/carry.h"

#include <sched.h>

enum { SEND, RECEIVE, TAG = 1 };

/* Looks in vain at what is on the way, before other processes may run. */
enum { SPINS = 200 };

/* A message on the way. */
struct flight {
    struct bli_message message;
    char *buffer; /* that it is packed in; NULL: the message is in the block itself */
    bool is_shared;
    struct bli_passage passage; /* of one that is */
    bool is_used;
};

struct transfer {
    struct bli_link *link;
    bl_context *ctx;
    const struct bli_block *block[2]; /* that messages come from, and go to */
    const struct bli_beside *beside;  /* NULL: nothing */
    struct bli_messages list[2];
    bool has_more[2];
    bool is_large; /* what is assembled */
    int32_t window;
    int32_t active, shared;      /* on the way in all; and through shared memory */
    char *spare[2 * BLI_WINDOW]; /* buffers that are not in use */
    int32_t spares;
    struct flight flight[2 * BLI_WINDOW]; /* the sends' slots, then the receives' */
    MPI_Request request[2 * BLI_WINDOW];
};

/* Whether a message goes through memory of the node. */
static bool is_near(const struct transfer *transfer, int32_t peer)
{
    const struct bli_grid *const grid = &transfer->list[SEND].move->to->grid;

    return grid->is_shared && peer / grid->node == transfer->link->self / grid->node;
}

/* Post the message of a flight; returns MPI's code. */
static int post(struct transfer *transfer, int side, int32_t slot)
{
    struct flight *const flight = &transfer->flight[slot];
    const struct bli_message *const message = &flight->message;
    const struct bli_link *const link = transfer->link;
    MPI_Request *const request = &transfer->request[slot];
    struct bli_block part, packed;

    bli_block_part(transfer->block[side], &message->box, &part);
    flight->is_used = true;
    flight->buffer = NULL;
    transfer->active++;
    flight->is_shared = is_near(transfer, message->peer);
    if (flight->is_shared) {
        transfer->shared++;
        flight->passage.block = part;
        flight->passage.is_sent = side == SEND;
        flight->passage.is_streamed = transfer->is_large;
        bli_passage_begin(&link->shared, link->self, message->peer,
                          (int32_t)transfer->list[side].piece, slot, &flight->passage);
        return MPI_SUCCESS;
    }
    if (!bl_layout_is_contiguous(&part.layout))
        flight->buffer = transfer->spare[--transfer->spares];
    char *const data = flight->buffer ? flight->buffer : bli_block_data(&part);

    if (side == RECEIVE)
        return MPI_Irecv(data, (int)message->bytes, MPI_BYTE, message->peer, TAG,
                         link->comm, request);
    if (flight->buffer) {
        bli_block_compact(&packed, part.dtype, part.layout.rank, &part.box, data);
        bli_block_copy(transfer->ctx, &packed, &part);
    }
    return MPI_Isend(data, (int)message->bytes, MPI_BYTE, message->peer, TAG,
                     link->comm, request);
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

/* Tell what is there of what this rank needs. */
static void tell(const struct transfer *transfer, const struct bli_box *box)
{
    if (transfer->beside)
        transfer->beside->land(transfer->beside->user, box);
}

/* Do something else while messages are on the way; false: there is nothing to do. */
static bool work(const struct transfer *transfer)
{
    return transfer->beside && transfer->beside->work(transfer->beside->user);
}

/* A message has arrived, or its memory may be used again. */
static void land(struct transfer *transfer, int side, int32_t slot)
{
    struct flight *const flight = &transfer->flight[slot];
    struct bli_block part, packed;

    flight->is_used = false;
    transfer->active--;
    transfer->shared -= flight->is_shared;
    if (side == RECEIVE && flight->buffer) {
        bli_block_part(transfer->block[RECEIVE], &flight->message.box, &part);
        bli_block_compact(&packed, part.dtype, part.layout.rank, &part.box,
                          flight->buffer);
        bli_block_copy(transfer->ctx, &part, &packed);
    }
    if (side == RECEIVE)
        tell(transfer, &flight->message.box);
    if (flight->buffer)
        transfer->spare[transfer->spares++] = flight->buffer;
}

/* Copy a piece of each message in shared memory; `done` is one that has ended, or -1.
 */
static bool step(struct transfer *transfer, int *done)
{
    bool has_moved = false;

    *done = -1;
    for (int32_t slot = 0; slot < 2 * BLI_WINDOW && *done < 0; slot++) {
        struct flight *const flight = &transfer->flight[slot];

        if (!flight->is_used || !flight->is_shared)
            continue;
        if (bli_passage_step(&transfer->link->shared, transfer->ctx, &flight->passage))
            has_moved = true;
        if (bli_passage_ends(&flight->passage))
            *done = slot;
    }
    return has_moved || *done >= 0;
}

/* Wait until a message has arrived or left, and say which; returns MPI's code. */
static int wait(struct transfer *transfer, int *done)
{
    int is_done, code;

    for (int spins = 0; transfer->shared > 0;) {
        if (step(transfer, done)) {
            if (*done >= 0)
                return MPI_SUCCESS;
            spins = 0;
        } else if (work(transfer))
            spins = 0;
        else if (++spins > SPINS)
            sched_yield();
        if (transfer->active == transfer->shared)
            continue;
        code = MPI_Testany(2 * BLI_WINDOW, transfer->request, done, &is_done,
                           MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || is_done)
            return code;
    }
    while (transfer->beside) {
        code = MPI_Testany(2 * BLI_WINDOW, transfer->request, done, &is_done,
                           MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || is_done)
            return code;
        if (!work(transfer))
            break;
    }
    return MPI_Waitany(2 * BLI_WINDOW, transfer->request, done, MPI_STATUS_IGNORE);
}

/* All messages, from the first one to the last. */
static bl_status run(struct transfer *transfer)
{
    const char *what = "MPI_Waitany";
    int code = MPI_SUCCESS, done;

    while (transfer->active > 0) {
        code = wait(transfer, &done);
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

/* Narrow a box to another one; false: nothing is in both. */
static bool meet(struct bli_box *box, const struct bli_box *other, int32_t rank)
{
    for (int32_t d = 0; d < rank; d++) {
        if (box->begin[d] < other->begin[d])
            box->begin[d] = other->begin[d];
        if (box->end[d] > other->end[d])
            box->end[d] = other->end[d];
        if (box->begin[d] >= box->end[d])
            return false;
    }
    return true;
}

/* What this rank needs and has, copied while the first messages are on the way. */
static void copy_kept(struct transfer *transfer, const struct bli_move *move)
{
    struct bli_block from, to;
    struct bli_box kept;

    if (bli_move_kept(move, transfer->link->self, &kept) == 0 ||
        !meet(&kept, &transfer->block[RECEIVE]->box, move->from->rank))
        return;
    bli_block_part(transfer->block[SEND], &kept, &from);
    bli_block_part(transfer->block[RECEIVE], &kept, &to);
    if (transfer->is_large && bl_context_threads(transfer->ctx) == 1)
        bli_block_stream(transfer->ctx, &to, &from);
    else
        bli_block_copy(transfer->ctx, &to, &from);
    tell(transfer, &kept);
}

/* A transfer of which nothing is on the way. */
static void begin(struct transfer *transfer, struct bli_link *link, bl_context *ctx,
                  int32_t window, const struct bli_block *from,
                  const struct bli_block *to)
{
    transfer->link = link;
    transfer->ctx = ctx;
    transfer->block[SEND] = from;
    transfer->block[RECEIVE] = to;
    transfer->has_more[SEND] = transfer->has_more[RECEIVE] = true;
    transfer->is_large = to->base && bli_block_is_large(to);
    transfer->window = window < BLI_WINDOW ? window : BLI_WINDOW;
    transfer->active = transfer->shared = transfer->spares = 0;
    for (int32_t slot = 0; slot < 2 * BLI_WINDOW; slot++) {
        transfer->flight[slot].is_used = false;
        transfer->request[slot] = MPI_REQUEST_NULL;
    }
}

bl_status bli_mpi_transfer_beside(struct bli_link *link, bl_context *ctx,
                                  const struct bli_move *move, int32_t window,
                                  const struct bli_block *from,
                                  const struct bli_block *to, char *buffers,
                                  const struct bli_beside *beside)
{
    struct transfer transfer; /* 24 KB, which are not cleared in vain */
    struct bli_traffic traffic;
    int code = MPI_SUCCESS;

    begin(&transfer, link, ctx, window, from, to);
    transfer.beside = beside;
    bli_traffic_count(move, link->self, &traffic);
    bli_messages_begin(move, link->self, BLI_SENT, &transfer.list[SEND]);
    bli_messages_begin(move, link->self, BLI_RECEIVED, &transfer.list[RECEIVE]);
    for (int64_t left = bli_traffic_buffers(&traffic, transfer.window); left > 0;
         left -= traffic.largest) {
        transfer.spare[transfer.spares++] = buffers;
        buffers += traffic.largest;
    }
    link->shared.transfers++;
    for (int side = RECEIVE; side >= SEND && code == MPI_SUCCESS; side--)
        code = fill_window(&transfer, side);
    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Isend or MPI_Irecv", code);
    if (to->base)
        copy_kept(&transfer, move);
    return run(&transfer);
}
