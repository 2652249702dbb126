/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reduction over ranks may do, and what it can do no better.
 */
#include <broadloom/base.h>

#include <inttypes.h>
#include <stdio.h>

#include "mpi/spread/reduction.h"

#define MIB (INT64_C(1) << 20)

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_reduced(const struct bli_reduction *plan, int32_t d)
{
    return plan->reduced >> d & 1;
}

/* ---- limits ---- */

/* Bytes of a rank's parts of operand and result. */
static int64_t part_bytes(const struct bli_reduction *plan, int32_t of_rank)
{
    struct bli_box box;

    return bli_spread_box(plan->from, of_rank, &box) *
               (int64_t)bl_dtype_size(plan->dtype) +
           bli_spread_box(plan->given, of_rank, &box) *
               (int64_t)bl_dtype_size(plan->to);
}

/* The operand in a refusal: "in f32[2,3]"; its bytes are returned. */
static int64_t describe(const struct bli_reduction *plan, char *text, size_t size)
{
    const struct bli_spread *const from = plan->from;
    int64_t bytes = (int64_t)bl_dtype_size(plan->dtype);
    int used = snprintf(text, size, "in %s[", bl_dtype_name(plan->dtype));

    for (int32_t d = 0; d < from->rank; d++) {
        bytes *= from->extent[d];
        if (used < (int)size - 24)
            used += snprintf(text + used, size - (size_t)used, "%s%" PRId64,
                             d ? "," : "", from->extent[d]);
    }
    snprintf(text + used, size - (size_t)used, "]");
    return bytes;
}

bl_status bli_reduction_check(const struct bli_reduction *plan,
                              const struct bli_reduction_limits *limits,
                              int32_t of_rank, struct bli_spread_totals *totals)
{
    const int64_t parts = part_bytes(plan, of_rank);
    const int64_t small = limits->small_bytes > 0 ? limits->small_bytes : MIB;
    const int64_t most =
        limits->most_bytes > 0 ? limits->most_bytes : larger(4 * parts, MIB);
    const int64_t memory =
        limits->most_memory > 0 ? limits->most_memory : larger(4 * parts, 256 * MIB);
    char text[160];
    const int64_t all = describe(plan, text, sizeof text);

    BL_TRY(bli_reduction_totals(plan, of_rank, totals));
    const int64_t sent = totals->traffic.sent, received = totals->traffic.received;

    if (limits->move == BLI_MOVE_NONE && sent + received > 0)
        return bl_error_set(BL_ERR_RULES,
                            "%s is reduced over ranks, and nothing may move: rank %d "
                            "would send %" PRId64 " bytes and receive %" PRId64,
                            text, (int)of_rank, sent, received);
    if (limits->move == BLI_MOVE_SMALL && all > small && received > small)
        return bl_error_set(BL_ERR_RULES,
                            "%s is reduced over ranks: rank %d would receive %" PRId64
                            " bytes, and small_bytes is %" PRId64,
                            text, (int)of_rank, received, small);
    if (received > most)
        return bl_error_set(BL_ERR_RULES,
                            "%s is reduced over ranks: rank %d would receive %" PRId64
                            " bytes, and most_bytes is %" PRId64,
                            text, (int)of_rank, received, most);
    if (totals->workspace > memory)
        return bl_error_set(BL_ERR_RULES,
                            "%s is reduced over ranks: rank %d would need %" PRId64
                            " bytes of workspace, and most_memory is %" PRId64,
                            text, (int)of_rank, totals->workspace, memory);
    return BL_OK;
}

/* ---- what is least ---- */

/* Ranks that have some of a result's elements, and the fewest that one has. */
static int64_t owners(const struct bli_reduction *plan, int64_t *fewest)
{
    const struct bli_spread *const from = plan->from;
    int64_t count = 1;

    *fewest = 1;
    for (int32_t d = 0; d < from->rank; d++) {
        int64_t least = from->extent[d];

        if (!is_reduced(plan, d))
            continue;
        if (from->axis[d] != BLI_WHOLE) {
            const struct bli_borders *const cut = &from->cut[from->axis[d]];

            count *= cut->filled[cut->parts];
            for (int32_t p = 0; p < cut->parts; p++) {
                const int64_t part = cut->border[p + 1] - cut->border[p];

                if (part > 0 && part < least)
                    least = part;
            }
        }
        *fewest *= least;
    }
    return count;
}

/* Bytes that results lack where they are wanted, of all ranks. */
static int64_t lacking(const struct bli_round *round)
{
    const struct bli_move move = bli_round_move(round);
    struct bli_box box;
    int64_t count = 0;

    for (int32_t r = 0; r < round->result->grid.ranks; r++)
        count += bli_move_need(&move, r, &box) - bli_move_kept(&move, r, &box);
    return count * move.size;
}

int64_t bli_reduction_least(const struct bli_reduction *plan)
{
    int64_t fewest, results = 1, bytes = 0;
    const int64_t ranks = owners(plan, &fewest);

    if (plan->ways.way == BLI_WAY_HERE)
        return lacking(&plan->round[0]);
    for (int32_t d = 0; d < plan->from->rank; d++)
        results *= is_reduced(plan, d) ? 1 : plan->from->extent[d];
    for (int32_t i = 0; i < plan->rounds && ranks > 0; i++) {
        const struct bli_round *const round = &plan->round[i];
        const int64_t own = fewest * (int64_t)bl_dtype_size(plan->dtype);
        const int64_t sent = own < round->partial_size ? own : round->partial_size;
        const int64_t size = (int64_t)bl_dtype_size(round->to);
        int64_t wanted = 0;
        struct bli_box box;

        for (int32_t r = 0; r < round->result->grid.ranks; r++)
            wanted += bli_spread_box(round->result, r, &box);
        bytes += results * (ranks - 1) * sent;
        if (wanted > results && ranks > 1)
            bytes += (wanted - results) * (own < size ? own : size);
    }
    return bytes;
}
