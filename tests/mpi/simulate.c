/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/simulate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

/* A message, with its other end. */
struct mail {
    int32_t from;
    struct bli_message message;
};

struct world {
    const struct bli_move *move;
    int32_t ranks;
    const char *whole;
    char **need;
    struct bli_box *need_box;
    int64_t *needed;
    unsigned char **arrived; /* how often, for each element needed */
    struct mail *mail;
    int64_t mails;
};

/* ---- elements ---- */

/* Where index `at` is in a compact block of a box. */
static int64_t element(int32_t rank, const struct bli_box *box, const int64_t *at)
{
    int64_t place = 0;

    for (int32_t d = 0; d < rank; d++)
        place = place * (box->end[d] - box->begin[d]) + at[d] - box->begin[d];
    return place;
}

/* Advance an index within a box; false at its end. */
static bool advance(int32_t rank, const struct bli_box *box, int64_t *at)
{
    for (int32_t d = rank - 1; d >= 0; d--) {
        if (++at[d] < box->end[d])
            return true;
        at[d] = box->begin[d];
    }
    return false;
}

void copy_box(int32_t rank, int64_t size, char *to, const struct bli_box *to_box,
              const char *from, const struct bli_box *from_box,
              const struct bli_box *what)
{
    int64_t at[BL_MAX_RANK] = {0};

    if (bli_box_count(rank, what) == 0)
        return;
    memcpy(at, what->begin, sizeof *at * (size_t)rank);
    do {
        memcpy(to + element(rank, to_box, at) * size,
               from + element(rank, from_box, at) * size, (size_t)size);
    } while (advance(rank, what, at));
}

/* ---- messages ---- */

/* What arrives at a rank: elements of `box` of the whole. */
static void arrive(struct world *world, int32_t rank, const struct bli_box *box)
{
    const struct bli_spread *const from = world->move->from;
    const int64_t size = world->move->size;
    struct bli_box all = {{0}, {0}};
    int64_t at[BL_MAX_RANK] = {0};

    memcpy(all.end, from->extent, sizeof all.end);
    copy_box(from->rank, size, world->need[rank], &world->need_box[rank], world->whole,
             &all, box);
    if (bli_box_count(from->rank, box) == 0)
        return;
    memcpy(at, box->begin, sizeof *at * (size_t)from->rank);
    do {
        world->arrived[rank][element(from->rank, &world->need_box[rank], at)]++;
    } while (advance(from->rank, box, at));
}

/* Whether a box is inside another one. */
static bool is_inside(int32_t rank, const struct bli_box *box,
                      const struct bli_box *outer)
{
    for (int32_t d = 0; d < rank; d++)
        if (box->begin[d] < outer->begin[d] || box->end[d] > outer->end[d])
            return false;
    return true;
}

/* Go through what a rank sends: it has all of it, and peers are further and further. */
static bool send_all(struct world *world, int32_t rank)
{
    const struct bli_spread *const from = world->move->from;
    struct bli_messages list;
    struct bli_message message;
    struct bli_box own;
    int32_t distance = 0;

    bli_spread_box(from, rank, &own);
    bli_messages_begin(world->move, rank, BLI_SENT, &list);
    while (bli_messages_next(&list, &message)) {
        const int32_t now = (message.peer - rank + world->ranks) % world->ranks;

        if (now == 0 || now < distance || !is_inside(from->rank, &message.box, &own) ||
            message.bytes <= 0 || message.bytes > BLI_MESSAGE_BYTES ||
            bli_box_count(from->rank, &message.box) * world->move->size !=
                message.bytes ||
            !is_inside(from->rank, &message.box, &world->need_box[message.peer]) ||
            world->needed[message.peer] == 0) {
            tap_note("rank %d sends a wrong message to %d", (int)rank,
                     (int)message.peer);
            return false;
        }
        distance = now;
        arrive(world, message.peer, &message.box);
        world->mail =
            realloc(world->mail, sizeof *world->mail * (size_t)(world->mails + 1));
        world->mail[world->mails++] = (struct mail){rank, message};
    }
    return true;
}

/* Go through what a rank receives, which is what was sent to it, in the same order. */
static bool receive_all(struct world *world, int32_t rank)
{
    const size_t used = sizeof(int64_t) * (size_t)world->move->from->rank;
    struct bli_messages list;
    struct bli_message message;
    int64_t expected = 0, found = 0, after = 0;
    int32_t distance = 0, peer = -1;

    for (int64_t m = 0; m < world->mails; m++)
        expected += world->mail[m].message.peer == rank;
    bli_messages_begin(world->move, rank, BLI_RECEIVED, &list);
    while (bli_messages_next(&list, &message)) {
        const int32_t now = (rank - message.peer + world->ranks) % world->ranks;
        int64_t m = message.peer == peer ? after : 0;

        while (m < world->mails && (world->mail[m].from != message.peer ||
                                    world->mail[m].message.peer != rank))
            m++;
        if (m == world->mails || now < distance ||
            world->mail[m].message.bytes != message.bytes ||
            memcmp(world->mail[m].message.box.begin, message.box.begin, used) != 0 ||
            memcmp(world->mail[m].message.box.end, message.box.end, used) != 0) {
            tap_note("rank %d waits for another message from %d", (int)rank,
                     (int)message.peer);
            return false;
        }
        distance = now;
        peer = message.peer;
        after = m + 1;
        found++;
    }
    if (found != expected)
        tap_note("rank %d waits for %" PRId64 " messages, %" PRId64 " come", (int)rank,
                 found, expected);
    return found == expected;
}

/* ---- checks ---- */

/* What a rank's messages say of its traffic. */
static struct bli_traffic add_up(const struct world *world, int32_t rank)
{
    const int32_t node = world->move->to->grid.node;
    struct bli_traffic sum = {0};
    int32_t to = -1, from = -1;

    for (int64_t m = 0; m < world->mails; m++) {
        const struct mail *const mail = &world->mail[m];
        const int64_t bytes = mail->message.bytes;
        const bool is_near = mail->from / node == mail->message.peer / node;
        const bool is_shared = is_near && world->move->to->grid.is_shared;

        if (mail->from == rank) {
            sum.sent_messages++;
            sum.sent_peers += mail->message.peer != to;
            sum.sent += bytes;
            sum.node_sent += is_near ? 0 : bytes;
            sum.shared_sent_messages += is_shared;
            sum.shared_sent += is_shared ? bytes : 0;
            to = mail->message.peer;
        }
        if (mail->message.peer == rank) {
            sum.received_messages++;
            sum.received_peers += mail->from != from;
            sum.received += bytes;
            sum.node_received += is_near ? 0 : bytes;
            sum.shared_received_messages += is_shared;
            sum.shared_received += is_shared ? bytes : 0;
            from = mail->from;
        }
        if ((mail->from == rank || mail->message.peer == rank) && bytes > sum.largest)
            sum.largest = bytes;
    }
    return sum;
}

static bool check_traffic(const struct world *world, int32_t rank)
{
    const struct bli_traffic sum = add_up(world, rank);
    const int64_t size = world->move->size;
    struct bli_traffic counted;
    struct bli_box box;
    const int64_t kept = bli_move_kept(world->move, rank, &box);

    bli_traffic_count(world->move, rank, &counted);
    if (counted.sent_peers == sum.sent_peers &&
        counted.sent_messages == sum.sent_messages && counted.sent == sum.sent &&
        counted.received_peers == sum.received_peers &&
        counted.received_messages == sum.received_messages &&
        counted.received == sum.received && counted.node_sent == sum.node_sent &&
        counted.node_received == sum.node_received &&
        counted.shared_sent_messages == sum.shared_sent_messages &&
        counted.shared_sent == sum.shared_sent &&
        counted.shared_received_messages == sum.shared_received_messages &&
        counted.shared_received == sum.shared_received && counted.kept == kept * size &&
        sum.received == (world->needed[rank] - kept) * size &&
        counted.assembled == (sum.received > 0 ? world->needed[rank] * size : 0) &&
        counted.largest >= sum.largest)
        return true;
    tap_note("rank %d: sent %" PRId64 " counted %" PRId64 ", received %" PRId64
             " counted %" PRId64 " of %" PRId64 " missing",
             (int)rank, sum.sent, counted.sent, sum.received, counted.received,
             (world->needed[rank] - kept) * size);
    return false;
}

static bool check_arrivals(const struct world *world, int32_t rank)
{
    for (int64_t i = 0; i < world->needed[rank]; i++)
        if (world->arrived[rank][i] != 1) {
            tap_note("rank %d: element %" PRId64 " arrives %d times", (int)rank, i,
                     world->arrived[rank][i]);
            return false;
        }
    return true;
}

/* ---- all ranks ---- */

static bool run(struct world *world)
{
    for (int32_t r = 0; r < world->ranks; r++) {
        const int64_t count = bli_move_need(world->move, r, &world->need_box[r]);
        struct bli_box kept;

        world->needed[r] = count;
        if (count == 0)
            continue;
        world->need[r] = malloc((size_t)(count * world->move->size));
        world->arrived[r] = calloc((size_t)count, 1);
        if (bli_move_kept(world->move, r, &kept) > 0)
            arrive(world, r, &kept);
    }
    for (int32_t r = 0; r < world->ranks; r++)
        if (!send_all(world, r))
            return false;
    for (int32_t r = 0; r < world->ranks; r++)
        if (!receive_all(world, r) || !check_arrivals(world, r) ||
            !check_traffic(world, r))
            return false;
    if (bli_move_is_local(world->move) != (world->mails == 0)) {
        tap_note("%" PRId64 " messages of a move that is %slocal", world->mails,
                 world->mails ? "" : "not ");
        return false;
    }
    return true;
}

bool simulate_move(const struct bli_move *move, const char *whole, char **need)
{
    const size_t ranks = (size_t)move->to->grid.ranks;
    struct world world = {.move = move,
                          .ranks = move->to->grid.ranks,
                          .whole = whole,
                          .need = need,
                          .need_box = malloc(ranks * sizeof *world.need_box),
                          .needed = calloc(ranks, sizeof *world.needed),
                          .arrived = calloc(ranks, sizeof *world.arrived)};
    bool pass;

    memset(need, 0, ranks * sizeof *need);
    pass = run(&world);
    for (size_t r = 0; r < ranks; r++)
        free(world.arrived[r]);
    free(world.arrived);
    free(world.needed);
    free(world.need_box);
    free(world.mail);
    return pass;
}
