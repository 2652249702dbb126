/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of thousands of ranks: totals that agree, the time that all ranks' totals and
 * stages take, and messages that are too large for one.
 */
#define _POSIX_C_SOURCE 200809L

#include <broadloom.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/call.h"
#include "mpi/spread/stage.h"

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A move of f64[N,N] over a grid: from axes to axes of its two dimensions. */
static const struct {
    const char *what;
    int64_t grid[2];
    int32_t axes;
    int32_t node;
    int64_t extent[2];
    int32_t from[2], to[2];
    int64_t peers;    /* that rank 1 sends to */
    int64_t messages; /* that all ranks send */
    int64_t bytes;    /* that all ranks send */
} moves[] = {
    {"4096 ranks, rows to columns",
     {4096},
     1,
     1,
     {65536, 65536},
     {0, -1},
     {-1, 0},
     4095,
     INT64_C(4096) * 4095,
     INT64_C(34351349760)},
    {"4096 ranks, blocks to rows",
     {64, 64},
     2,
     1,
     {65536, 65536},
     {0, 1},
     {0, -1},
     63,
     INT64_C(4096) * 63,
     INT64_C(63) << 35},
    {"4096 ranks, blocks transposed",
     {64, 64},
     2,
     1,
     {65536, 65536},
     {0, 1},
     {1, 0},
     1,
     4096 - 64,
     (INT64_C(1) << 35) - (INT64_C(1) << 29)},
    {"4096 ranks on nodes of 64, blocks to rows",
     {64, 64},
     2,
     64,
     {65536, 65536},
     {0, 1},
     {0, -1},
     63,
     INT64_C(4096) * 63,
     INT64_C(63) << 35},
    {"4096 ranks, blocks to columns along both axes",
     {64, 64},
     2,
     1,
     {4096, 4096},
     {0, 1},
     {-1, BLI_AXES(3)},
     64,
     INT64_C(4096) * 64 - 64,
     (INT64_C(4096) * 64 - 64) * 512},
    {"4096 ranks on nodes of 64, rows to columns",
     {4096},
     1,
     64,
     {4096, 4096},
     {0, -1},
     {-1, 0},
     4095,
     INT64_C(4096) * 4095,
     INT64_C(8) * 4096 * 4095},
    {"65536 ranks on nodes of 64, rows to all",
     {65536},
     1,
     64,
     {65536, 16},
     {0, -1},
     {-1, -1},
     65535,
     INT64_C(65536) * 65535,
     INT64_C(128) * 65536 * 65535},
    {"65536 ranks, rows to columns",
     {65536},
     1,
     1,
     {65536, 65536},
     {0, -1},
     {-1, 0},
     65535,
     INT64_C(65536) * 65535,
     INT64_C(8) * 65536 * 65535},
    {"2 ranks, messages of 64 MiB",
     {2},
     1,
     1,
     {65536, 65536},
     {0, -1},
     {-1, 0},
     1,
     2 * 128,
     INT64_C(1) << 34},
    {"2 ranks, a row of 8 GiB",
     {2},
     1,
     1,
     {1, INT64_C(1) << 30},
     {-1, 0},
     {-1, -1},
     1,
     2 * 64,
     INT64_C(1) << 33},
};

static struct bli_spread *lie(const struct bli_grid *grid, const int64_t *extent,
                              const int32_t *axis)
{
    const struct bli_dim dims[] = {{axis[0], NULL}, {axis[1], NULL}};
    struct bli_spread *spread;

    must(bli_spread_make(grid, 2, extent, dims, BLI_EVERY_RANK, &spread));
    return spread;
}

/* Add up what all ranks send and receive; the seconds that it took. */
static double add_up(const struct bli_move *move, struct bli_traffic *sum)
{
    const double begin = seconds();

    *sum = (struct bli_traffic){0};
    for (int32_t r = 0; r < move->to->grid.ranks; r++) {
        struct bli_traffic rank;

        bli_traffic_count(move, r, &rank);
        sum->sent += rank.sent;
        sum->received += rank.received;
        sum->node_sent += rank.node_sent;
        sum->node_received += rank.node_received;
        sum->sent_messages += rank.sent_messages;
        sum->received_messages += rank.received_messages;
    }
    return seconds() - begin;
}

/* Stages of ranks of a node that need the same: what enters a node is all of it. */
static void test_stages(size_t row, const struct bli_move *move)
{
    const bool is_alike = moves[row].to[0] < 0 && moves[row].to[1] < 0;
    const double begin = seconds();
    struct bli_stage *stage;

    must(bli_stage_make(move, &stage));
    tap_note("%s: stages in %.2f ms", moves[row].what, 1e3 * (seconds() - begin));
    tap_ok((stage != NULL) == is_alike, "%s: it enters nodes %s", moves[row].what,
           stage ? "once" : "at once");
    bli_stage_free(stage);
}

static void test_move(size_t row)
{
    struct bli_traffic rank, sum;
    struct bli_grid grid;
    double least = 1e9;

    must(bli_grid_make(0, moves[row].axes, moves[row].grid, moves[row].node, &grid));
    grid.is_shared = grid.node > 1;

    struct bli_spread *const from = lie(&grid, moves[row].extent, moves[row].from);
    struct bli_spread *const to = lie(&grid, moves[row].extent, moves[row].to);
    const struct bli_move move = {from, to, 0, 8, 0};

    for (int32_t t = 0; t < 5; t++) {
        const double time = add_up(&move, &sum);

        least = time < least ? time : least;
    }
    tap_note("%s: all totals in %.2f ms", moves[row].what, 1e3 * least);
    bli_traffic_count(&move, 1, &rank);
    tap_ok(sum.sent == moves[row].bytes && sum.received == sum.sent &&
               sum.sent_messages == moves[row].messages &&
               sum.received_messages == sum.sent_messages &&
               sum.node_sent == sum.node_received &&
               rank.sent_peers == moves[row].peers,
           "%s: %" PRId64 " messages, %" PRId64 " bytes", moves[row].what,
           sum.sent_messages, sum.sent);
    if (grid.is_shared)
        test_stages(row, &move);
    bli_spread_release(from);
    bli_spread_release(to);
}

/* Whether two boxes of a rank have an element in common. */
static bool share(int32_t rank, const struct bli_box *a, const struct bli_box *b)
{
    for (int32_t d = 0; d < rank; d++)
        if (a->begin[d] >= b->end[d] || b->begin[d] >= a->end[d])
            return false;
    return true;
}

/* What is too large for one message is cut into pieces that have each element once. */
static void test_pieces(void)
{
    static const struct bli_dim from[] = {{0, NULL}, {-1, NULL}, {-1, NULL}};
    static const struct bli_dim to[] = {{-1, NULL}, {-1, NULL}, {0, NULL}};
    static struct bli_message piece[1000];
    const int64_t extent[] = {6, 5, INT64_C(1) << 24}, two[] = {2};
    struct bli_move move = {.size = 8};
    struct bli_spread *spread[2];
    struct bli_messages list;
    struct bli_grid grid;
    int64_t bytes = 0;
    int32_t count = 0;
    bool pass = true;

    must(bli_grid_make(0, 1, two, 0, &grid));
    must(bli_spread_make(&grid, 3, extent, from, BLI_EVERY_RANK, &spread[0]));
    must(bli_spread_make(&grid, 3, extent, to, BLI_EVERY_RANK, &spread[1]));
    move.from = spread[0];
    move.to = spread[1];
    bli_messages_begin(&move, 0, BLI_SENT, &list);
    while (count < 1000 && bli_messages_next(&list, &piece[count])) {
        bytes += piece[count].bytes;
        for (int32_t k = 0; k < count; k++)
            pass = pass && !share(3, &piece[k].box, &piece[count].box);
        count++;
    }
    tap_ok(pass && count == 3 * 5 && bytes == INT64_C(15) << 26,
           "%d pieces of a large message have each element once", (int)count);
    bli_spread_release(spread[0]);
    bli_spread_release(spread[1]);
}

/* One set of totals of a row, or its stages, for the counts of plan_cost.t.sh. */
static __attribute__((noinline)) void measured(size_t row, bool of_stages)
{
    struct bli_stage *stage = NULL;
    struct bli_traffic sum;
    struct bli_grid grid;

    must(bli_grid_make(0, moves[row].axes, moves[row].grid, moves[row].node, &grid));
    grid.is_shared = of_stages;
    struct bli_spread *const from = lie(&grid, moves[row].extent, moves[row].from);
    struct bli_spread *const to = lie(&grid, moves[row].extent, moves[row].to);
    const struct bli_move move = {from, to, 0, 8, 0};

    if (of_stages)
        must(bli_stage_make(&move, &stage));
    else
        add_up(&move, &sum);
    bli_stage_free(stage);
    bli_spread_release(from);
    bli_spread_release(to);
}

/* Without arguments all tests; else the row whose totals or stages are counted. */
int main(int count, char **arguments)
{
    if (count > 1) {
        measured((size_t)atoi(arguments[1]), count > 2);
        return 0;
    }
    tap_plan();
    for (size_t row = 0; row < sizeof moves / sizeof moves[0]; row++)
        test_move(row);
    test_pieces();
    return tap_done();
}
