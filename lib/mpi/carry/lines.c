/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves elements by linear order: all that goes to a rank is packed behind each other,
 * then exchanged rank by rank.  Every rank goes through the others by distance, sends
 * to rank + 1 while it receives from rank - 1 and so on: of all messages that are left,
 * the one of least distance is posted at both ends.
 */
#include <string.h>

#include "mpi/carry/carry.h"

enum { TAG = 2 };

bl_status bli_lines_reserve(const struct bli_link *link, bl_context *ctx,
                            const struct bli_lines *lines,
                            struct bli_lines_memory *memory)
{
    const int64_t numbers = BLI_LINES_NUMBERS * (int64_t)link->ranks;
    int64_t *number, bytes[2] = {0, 0}, all;
    bl_tensor *counts;

    *memory = (struct bli_lines_memory){.block = NULL};
    BL_TRY(bl_tensor_empty(ctx, BL_DTYPE_I64, 1, &numbers, &counts));
    number = bl_tensor_mutable_data(counts);
    memset(number, 0, (size_t)numbers * sizeof *number);
    bli_lines_count(lines, link->self, number, number + link->ranks);
    for (int side = 0; side < 2; side++)
        for (int32_t r = 0; r < link->ranks; r++) {
            number[(2 + side) * link->ranks + r] = bytes[side];
            bytes[side] += r == link->self ? 0 : number[side * link->ranks + r];
        }
    all = numbers * (int64_t)sizeof *number + bytes[0] + bytes[1];

    const bl_status status = bl_tensor_empty(ctx, BL_DTYPE_U8, 1, &all, &memory->block);

    if (status == BL_OK) {
        int64_t *const block = bl_tensor_mutable_data(memory->block);

        memcpy(block, number, (size_t)numbers * sizeof *number);
        for (int side = 0; side < 2; side++) {
            memory->bytes[side] = block + side * link->ranks;
            memory->begin[side] = block + (2 + side) * link->ranks;
            memory->buffer[side] =
                (char *)(block + numbers) + (side == 0 ? 0 : bytes[0]);
        }
        memory->place = block + 4 * link->ranks;
    }
    bl_tensor_release(counts);
    return status;
}

void bli_lines_free(struct bli_lines_memory *memory)
{
    bl_tensor_release(memory->block);
    memory->block = NULL;
}

/* Go through this rank's pieces, between the box and the buffer of `direction`. */
static void copy_pieces(const struct bli_link *link, const struct bli_lines *lines,
                        enum bli_direction direction, char *box,
                        const struct bli_lines_memory *memory)
{
    struct bli_pieces pieces;
    struct bli_piece piece;

    memcpy(memory->place, memory->begin[direction],
           (size_t)link->ranks * sizeof *memory->place);
    bli_pieces_begin(lines, link->self, direction, &pieces);
    while (bli_pieces_next(&pieces, &piece))
        for (int32_t peer = -1;
             bli_piece_peer(lines, direction, link->self, &piece, &peer);) {
            const int64_t bytes = piece.count * lines->size;
            char *const at = box + piece.at * lines->size;
            char *const packed = memory->buffer[direction] + memory->place[peer];

            if (peer == link->self)
                continue;
            memcpy(direction == BLI_SENT ? packed : at,
                   direction == BLI_SENT ? at : packed, (size_t)bytes);
            memory->place[peer] += bytes;
        }
}

/* The next piece that a rank keeps, and how much of it is left. */
static bool next_kept(const struct bli_link *link, const struct bli_lines *lines,
                      enum bli_direction direction, struct bli_pieces *pieces,
                      struct bli_piece *piece)
{
    while (bli_pieces_next(pieces, piece))
        for (int32_t peer = -1;
             bli_piece_peer(lines, direction, link->self, piece, &peer);)
            if (peer == link->self)
                return true;
    return false;
}

/* What this rank has and needs, which both of its lists have in one order. */
static void copy_kept(const struct bli_link *link, const struct bli_lines *lines,
                      const char *from, char *to)
{
    struct bli_pieces pieces[2];
    struct bli_piece piece[2] = {{.count = 0}, {.count = 0}};

    bli_pieces_begin(lines, link->self, BLI_SENT, &pieces[0]);
    bli_pieces_begin(lines, link->self, BLI_RECEIVED, &pieces[1]);
    for (;;) {
        if ((piece[0].count == 0 &&
             !next_kept(link, lines, BLI_SENT, &pieces[0], &piece[0])) ||
            (piece[1].count == 0 &&
             !next_kept(link, lines, BLI_RECEIVED, &pieces[1], &piece[1])))
            return;
        const int64_t count =
            piece[0].count < piece[1].count ? piece[0].count : piece[1].count;

        memcpy(to + piece[1].at * lines->size, from + piece[0].at * lines->size,
               (size_t)(count * lines->size));
        for (int side = 0; side < 2; side++) {
            piece[side].at += count;
            piece[side].count -= count;
        }
    }
}

static int64_t message(int64_t rest)
{
    return rest < BLI_MESSAGE_BYTES ? rest : BLI_MESSAGE_BYTES;
}

/* Send to one rank and receive from another. */
static int exchange(MPI_Comm comm, int32_t to, const char *out, int64_t sent,
                    int32_t from, char *in, int64_t received)
{
    int code = MPI_SUCCESS, done;

    while (code == MPI_SUCCESS && (sent > 0 || received > 0)) {
        MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        const int64_t least[2] = {message(received), message(sent)};

        if (received > 0)
            code = MPI_Irecv(in, (int)least[0], MPI_BYTE, from, TAG, comm, &request[0]);
        if (code == MPI_SUCCESS && sent > 0)
            code = MPI_Isend(out, (int)least[1], MPI_BYTE, to, TAG, comm, &request[1]);
        for (int side = 0; side < 2; side++)
            if (code == MPI_SUCCESS && least[side] > 0)
                code = MPI_Waitany(2, request, &done, MPI_STATUS_IGNORE);
        in += least[0];
        received -= least[0];
        out += least[1];
        sent -= least[1];
    }
    return code;
}

bl_status bli_mpi_lines(struct bli_link *link, const struct bli_lines *lines,
                        const char *from, char *to,
                        const struct bli_lines_memory *memory)
{
    int code = MPI_SUCCESS;

    copy_pieces(link, lines, BLI_SENT, (char *)(uintptr_t)from, memory);
    copy_kept(link, lines, from, to);
    for (int32_t step = 1; step < link->ranks && code == MPI_SUCCESS; step++) {
        const int32_t next = (link->self + step) % link->ranks;
        const int32_t last = (link->self + link->ranks - step) % link->ranks;

        code = exchange(
            link->comm, next, memory->buffer[BLI_SENT] + memory->begin[BLI_SENT][next],
            memory->bytes[BLI_SENT][next], last,
            memory->buffer[BLI_RECEIVED] + memory->begin[BLI_RECEIVED][last],
            memory->bytes[BLI_RECEIVED][last]);
    }
    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Isend or MPI_Irecv", code);
    copy_pieces(link, lines, BLI_RECEIVED, to, memory);
    return BL_OK;
}
