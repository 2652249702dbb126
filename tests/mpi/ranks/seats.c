/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of the ranks of a node, for random masks and quotas: together no more than
 * the processors that there are, but one each, and none that a rank may not use.
 * One process, without MPI; linked with the file itself.
 */
#include "mpi/entry/entry.h"

#include <broadloom/topology.h>
#include <stdio.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/tap.h"

enum { RANKS = 12, PROCESSORS = 40 };

static int count_bits(const struct bli_seat *seat)
{
    int bits = 0;

    for (int w = 0; w < BLI_SEAT_WORDS; w++)
        bits += __builtin_popcountll(seat->mask[w]);
    return bits;
}

static bool is_shared(const struct bli_seat *seat, int32_t count)
{
    struct bli_seat all = {.quota = 0};
    int32_t own[RANKS], sum = 0, least = INT32_MAX, most = 0;
    bool is_right = true, is_alike = true;
    char text[80];

    for (int32_t r = 0; r < count; r++) {
        const int32_t threads =
            bli_seat_threads(count, seat, r, own, text, sizeof text);

        is_right = is_right && threads >= 1 && threads <= count_bits(&seat[r]);
        is_alike = is_alike && memcmp(seat[r].mask, seat[0].mask, sizeof all.mask) == 0;
        sum += threads;
        least = threads < least ? threads : least;
        most = threads > most ? threads : most;
        for (int w = 0; w < BLI_SEAT_WORDS; w++)
            all.mask[w] |= seat[r].mask[w];
    }
    const int there = count_bits(&all);
    const int quota =
        seat[0].quota > 0 && seat[0].quota < there ? seat[0].quota : there;

    is_right = is_right && (sum <= quota || most == 1);
    if (is_alike) /* all are used, and evenly */
        is_right = is_right && most - least <= 1 && (sum == quota || most == 1);
    if (!is_right)
        tap_note("%d ranks, %d processors, quota %d: %d threads, %d to %d, %s", count,
                 there, seat[0].quota, sum, least, most, text);
    return is_right;
}

/* Whether ranks of these masks, 4 bits each, have as many threads as processors; more
 * ranks than processors have one each. */
static bool is_exact(int32_t count, uint32_t masks)
{
    struct bli_seat seat[4];
    int32_t own[4], sum = 0;
    uint64_t all = 0;
    char text[80];

    memset(seat, 0, sizeof seat);
    for (int32_t r = 0; r < count; r++) {
        seat[r].mask[0] = masks >> 4 * r & 15;
        seat[r].team = __builtin_popcountll(seat[r].mask[0]);
        seat[r].limit = BL_TEAM_LIMIT_MASK;
        all |= seat[r].mask[0];
    }
    for (int32_t r = 0; r < count; r++) {
        const int32_t threads =
            bli_seat_threads(count, seat, r, own, text, sizeof text);

        if (threads < 1 || threads > seat[r].team)
            return false;
        sum += threads;
    }

    const int32_t processors = __builtin_popcountll(all);

    return sum == (count > processors ? count : processors);
}

/* All masks of up to 4 ranks on up to 4 processors. */
static bool are_all_exact(void)
{
    int wrong = 0;

    for (int32_t count = 1; count <= 4; count++)
        for (uint32_t masks = 0; masks < UINT32_C(1) << 4 * count; masks++) {
            bool is_empty = false;

            for (int32_t r = 0; r < count; r++)
                is_empty = is_empty || (masks >> 4 * r & 15) == 0;
            if (is_empty || is_exact(count, masks) || wrong++ > 3)
                continue;
            tap_note("%d ranks, masks %x, last rank first", (int)count,
                     (unsigned)masks);
        }
    return wrong == 0;
}

int main(void)
{
    struct rng rng = rng_new();
    int right = 0, cases = 2000;

    tap_plan();
    for (int i = 0; i < cases; i++) {
        struct bli_seat seat[RANKS];
        const int32_t count = 1 + (int32_t)rng_below(&rng, RANKS);
        const int kind = (int)rng_below(&rng, 3);
        const int32_t quota = kind == 1 ? 1 + (int32_t)rng_below(&rng, PROCESSORS) : 0;

        memset(seat, 0, sizeof seat);
        for (int32_t r = 0; r < count; r++) {
            if (kind < 2 && r > 0)
                seat[r] = seat[0];
            else
                for (int p = 0; p < 8; p++)
                    seat[r].mask[0] |= UINT64_C(1) << rng_below(&rng, PROCESSORS);
            seat[r].quota = quota;
            seat[r].team = count_bits(&seat[r]);
            if (quota > 0 && quota < seat[r].team)
                seat[r].team = quota;
            seat[r].limit = BL_TEAM_LIMIT_MASK;
        }
        right += is_shared(seat, count);
    }
    tap_ok(right == cases && are_all_exact(),
           "ranks of a node share its processors and its quota");
    return tap_done();
}
