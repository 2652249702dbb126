/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many threads a rank has: launchers that bind no ranks give all of them all
 * processors, and each would use them all.
 */
#include <broadloom/topology.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mpi/entry/entry.h"

enum { PROCESSORS = BLI_SEAT_WORDS * 64 };

bl_status bli_seat_query(bl_context *ctx, struct bli_seat *seat)
{
    bl_topology_info info = {.size = sizeof info};

    memset(seat, 0, sizeof *seat);
    BL_TRY(bl_topology_query(ctx, &info));
    for (int32_t p = 0; p < PROCESSORS; p++)
        if (bl_processor_is_usable(p))
            seat->mask[p / 64] |= UINT64_C(1) << p % 64;
    seat->quota = info.quota;
    seat->team = info.team;
    seat->limit = info.limit;
    seat->is_base = strcmp(bl_context_isa(ctx), "base") == 0;
    return BL_OK;
}

static bool may_use(const struct bli_seat *seat, int32_t processor)
{
    return seat->mask[processor / 64] >> processor % 64 & 1;
}

/* A rank without a processor of its own has a thread all the same: the rank that has
 * most gives one up for it. */
static void pay_for_others(int32_t count, int32_t *own)
{
    for (int32_t r = 0; r < count; r++) {
        int32_t richest = 0;

        if (own[r] > 0)
            continue;
        own[r] = 1;
        for (int32_t other = 1; other < count; other++)
            if (own[other] > own[richest])
                richest = other;
        own[richest] -= own[richest] > 1;
    }
}

/*
 * Give each processor to one of the ranks that may use it: those that fewest may use
 * first, each to the rank that has the fewest so far.  Returns how many there are.
 */
static int32_t share_processors(int32_t count, const struct bli_seat *seat,
                                int32_t *own)
{
    int32_t users[PROCESSORS] = {0}, processors = 0, end = 0;

    for (int32_t w = 0; w < BLI_SEAT_WORDS; w++)
        for (int32_t r = 0; r < count; r++)
            if (seat[r].mask[w] != 0)
                end = 64 * (w + 1);
    for (int32_t r = 0; r < count; r++) {
        own[r] = 0;
        for (int32_t p = 0; p < end; p++)
            users[p] += may_use(&seat[r], p);
    }
    for (int32_t p = 0; p < end; p++)
        processors += users[p] > 0;
    for (int32_t wanted = 1; wanted <= count; wanted++)
        for (int32_t p = 0; p < end; p++) {
            int32_t least = -1;

            if (users[p] != wanted)
                continue;
            for (int32_t r = 0; r < count; r++)
                if (may_use(&seat[r], p) && (least < 0 || own[r] < own[least]))
                    least = r;
            own[least]++;
        }
    pay_for_others(count, own);
    return processors;
}

/* Processors that some rank may use, and the ranks that share some with `self`. */
static int32_t count_shared(int32_t count, const struct bli_seat *seat, int32_t self,
                            int32_t *ranks)
{
    uint64_t group[BLI_SEAT_WORDS];
    int32_t processors = 0;

    memcpy(group, seat[self].mask, sizeof group);
    *ranks = 0;
    for (int32_t r = 0; r < count; r++) {
        uint64_t common = 0;

        for (int32_t w = 0; w < BLI_SEAT_WORDS; w++)
            common |= seat[r].mask[w] & seat[self].mask[w];
        *ranks += common != 0;
        for (int32_t w = 0; common != 0 && w < BLI_SEAT_WORDS; w++)
            group[w] |= seat[r].mask[w];
    }
    for (int32_t p = 0; p < PROCESSORS; p++)
        processors += group[p / 64] >> p % 64 & 1;
    return processors;
}

int32_t bli_seat_threads(int32_t count, const struct bli_seat *seat, int32_t self,
                         int32_t *own, char *text, size_t size)
{
    const struct bli_seat *const mine = &seat[self];
    int32_t ranks, threads;

    snprintf(text, size, "%s",
             mine->limit == BL_TEAM_LIMIT_CONTEXT ? "BROADLOOM_NUM_THREADS"
             : mine->limit == BL_TEAM_LIMIT_MASK  ? "processors of its own"
                                                  : "OpenMP's settings");
    if (mine->limit == BL_TEAM_LIMIT_CONTEXT)
        return mine->team;
    const int32_t all = share_processors(count, seat, own);

    threads = own[self];
    const int32_t processors = count_shared(count, seat, self, &ranks);

    if (ranks > 1 && threads <= mine->team)
        snprintf(text, size, "%" PRId32 " ranks share %" PRId32 " processors", ranks,
                 processors);
    else if (ranks == 1 && threads < processors && threads < mine->team)
        snprintf(text, size,
                 "%" PRId32 " ranks of the node share %" PRId32 " processors", count,
                 all);
    if (mine->quota > 0) {
        /* The control group is taken to be that of all ranks of the node. */
        const int32_t share = mine->quota / count + (self < mine->quota % count);
        const int32_t most = share > 0 ? share : 1;

        if (most <= threads && most <= mine->team) {
            threads = most;
            snprintf(text, size,
                     "%" PRId32 " ranks share a quota of %" PRId32 " processors", count,
                     mine->quota);
        }
    }
    return threads < mine->team ? threads : mine->team;
}
