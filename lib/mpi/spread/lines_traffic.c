/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks send each other of a move by linear order: counted by going through it.
 */
#include <broadloom/base.h>

#include <stdlib.h>
#include <string.h>

#include "mpi/spread/lines.h"

void bli_lines_count(const struct bli_lines *lines, int32_t of_rank, int64_t *sent,
                     int64_t *received)
{
    int64_t *const count[2] = {sent, received};
    struct bli_pieces pieces;
    struct bli_piece piece;

    for (int side = 0; side < 2; side++) {
        const enum bli_direction direction = side == 0 ? BLI_SENT : BLI_RECEIVED;

        bli_pieces_begin(lines, of_rank, direction, &pieces);
        while (bli_pieces_next(&pieces, &piece))
            for (int32_t peer = -1;
                 bli_piece_peer(lines, direction, of_rank, &piece, &peer);)
                count[side][peer] += piece.count * lines->size;
    }
}

/* Add up what is sent to, or received from, each rank. */
static void add_up(const struct bli_grid *grid, int32_t of_rank, const int64_t *bytes,
                   int64_t *peers, int64_t *messages, int64_t *sum, int64_t *between,
                   int64_t *largest)
{
    for (int32_t r = 0; r < grid->ranks; r++) {
        const int64_t count = r == of_rank ? 0 : bytes[r];

        *peers += count > 0;
        *messages += (count + BLI_MESSAGE_BYTES - 1) / BLI_MESSAGE_BYTES;
        *sum += count;
        *between += r / grid->node == of_rank / grid->node ? 0 : count;
        if (count > *largest)
            *largest = count < BLI_MESSAGE_BYTES ? count : BLI_MESSAGE_BYTES;
    }
}

bl_status bli_lines_traffic(const struct bli_lines *lines, struct bli_traffic *traffic)
{
    const struct bli_grid *const grid = &lines->to->grid;
    const size_t size = 2 * (size_t)grid->ranks * sizeof(int64_t);
    int64_t *const sent = malloc(size), *const received = sent + grid->ranks;
    struct bli_box box;

    if (!sent)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %zu bytes of counts", size);
    for (int32_t r = 0; r < grid->ranks; r++) {
        struct bli_traffic *const one = &traffic[r];

        memset(sent, 0, size);
        bli_lines_count(lines, r, sent, received);
        *one = (struct bli_traffic){.kept = received[r],
                                    .assembled = bli_spread_box(lines->to, r, &box) *
                                                 lines->size};
        add_up(grid, r, sent, &one->sent_peers, &one->sent_messages, &one->sent,
               &one->node_sent, &one->largest);
        add_up(grid, r, received, &one->received_peers, &one->received_messages,
               &one->received, &one->node_received, &one->largest);
    }
    free(sent);
    return BL_OK;
}
