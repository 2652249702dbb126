/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges parcels of bytes.  Sends and receives have a window each, in the order of
 * the list, which is that of distance, as in transfer.c.
 */
#include "mpi/carry/carry.h"

enum { WINDOW = 8, TAG = 2 };

/* Where one direction is in the list. */
struct side {
    bool is_sent;
    int64_t next;
    int64_t done; /* bytes of parcel `next` that are on the way */
};

struct exchange {
    struct bli_link *link;
    int64_t count;
    const struct bli_parcel *parcel;
    char *buffers;
    struct side side[2];
    MPI_Request request[2 * WINDOW]; /* of the sends, then of the receives */
    int32_t active;
};

/* Post the next message of one side to a slot; returns whether there was one. */
static bool post(struct exchange *exchange, struct side *side, MPI_Request *request,
                 int *code)
{
    MPI_Comm comm = exchange->link->comm;

    while (side->next < exchange->count &&
           exchange->parcel[side->next].is_sent != side->is_sent)
        side->next++;
    if (side->next == exchange->count)
        return false;

    const struct bli_parcel *const parcel = &exchange->parcel[side->next];
    char *const data = exchange->buffers + parcel->at + side->done;
    const int64_t rest = parcel->bytes - side->done;
    const int bytes = (int)(rest < BLI_MESSAGE_BYTES ? rest : BLI_MESSAGE_BYTES);

    side->done += bytes;
    if (side->done == parcel->bytes) {
        side->next++;
        side->done = 0;
    }
    exchange->active++;
    *code = side->is_sent
                ? MPI_Isend(data, bytes, MPI_BYTE, parcel->peer, TAG, comm, request)
                : MPI_Irecv(data, bytes, MPI_BYTE, parcel->peer, TAG, comm, request);
    return true;
}

bl_status bli_mpi_exchange(struct bli_link *link, int64_t count,
                           const struct bli_parcel *parcel, char *buffers)
{
    struct exchange exchange = {
        link, count, parcel, buffers, {{true, 0, 0}, {false, 0, 0}}, {0}, 0};
    int code = MPI_SUCCESS, done;

    for (int slot = 0; slot < 2 * WINDOW; slot++)
        exchange.request[slot] = MPI_REQUEST_NULL;
    for (int slot = 2 * WINDOW - 1; slot >= 0 && code == MPI_SUCCESS; slot--)
        post(&exchange, &exchange.side[slot / WINDOW], &exchange.request[slot], &code);
    while (exchange.active > 0 && code == MPI_SUCCESS) {
        code = MPI_Waitany(2 * WINDOW, exchange.request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            break;
        exchange.active--;
        post(&exchange, &exchange.side[done / WINDOW], &exchange.request[done], &code);
    }
    return code == MPI_SUCCESS ? BL_OK
                               : bli_link_fail(link, "MPI_Isend or MPI_Irecv", code);
}
