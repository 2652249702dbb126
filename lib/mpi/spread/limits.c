/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call over ranks takes: totals of a rank, and limits on them.
 */
#include "mpi/spread/limits.h"

#include <broadloom/base.h>

#include <inttypes.h>
#include <stdio.h>

#define MIB (INT64_C(1) << 20)

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- totals ---- */

static void add(struct bli_traffic *sum, const struct bli_traffic *one)
{
    sum->sent_peers += one->sent_peers;
    sum->sent_messages += one->sent_messages;
    sum->sent += one->sent;
    sum->received_peers += one->received_peers;
    sum->received_messages += one->received_messages;
    sum->received += one->received;
    sum->kept += one->kept;
    sum->node_sent += one->node_sent;
    sum->node_received += one->node_received;
    sum->shared_sent_messages += one->shared_sent_messages;
    sum->shared_sent += one->shared_sent;
    sum->shared_received_messages += one->shared_received_messages;
    sum->shared_received += one->shared_received;
    sum->assembled += one->assembled;
    sum->largest = larger(sum->largest, one->largest);
}

void bli_spread_call_traffic(const struct bli_spread_call *plan, int32_t k,
                             int32_t of_rank, struct bli_traffic *traffic)
{
    if (plan->is_linear[k])
        *traffic = plan->linear[k][of_rank];
    else
        bli_traffic_count(&plan->move[k], of_rank, traffic);
}

/* Bytes that a rank packs and sorts of an operand that moves by linear order. */
static int64_t packed_bytes(const struct bli_spread_call *plan, int32_t k,
                            int32_t of_rank)
{
    const struct bli_traffic *const one = &plan->linear[k][of_rank];
    struct bli_box box;

    return one->sent + one->received +
           bli_spread_box(plan->from[k], of_rank, &box) * plan->lines[k].size +
           BLI_LINES_NUMBERS * (int64_t)sizeof(int64_t) * plan->result->grid.ranks;
}

/* Bytes of operand k that a rank lacks. */
static int64_t lacking(const struct bli_spread_call *plan, int32_t k, int32_t of_rank)
{
    struct bli_box box;

    if (plan->is_local[k])
        return 0;
    if (plan->is_linear[k])
        return plan->linear[k][of_rank].received;
    return (bli_move_need(&plan->move[k], of_rank, &box) -
            bli_move_kept(&plan->move[k], of_rank, &box)) *
           plan->move[k].size;
}

void bli_spread_call_totals(const struct bli_spread_call *plan, int32_t of_rank,
                            struct bli_spread_totals *totals)
{
    struct bli_traffic *const sum = &totals->traffic;
    struct bli_sections sections;
    struct bli_box box;

    *totals = (struct bli_spread_totals){0};
    bli_call_sections(plan, of_rank, &sections);
    totals->local_count = bli_spread_box(plan->result, of_rank, &box);
    for (int32_t k = 0; k < plan->count; k++) {
        struct bli_traffic one;

        bli_spread_call_traffic(plan, k, of_rank, &one);
        one.assembled = sections.bytes[k];
        add(sum, &one);
        if (plan->is_linear[k])
            totals->workspace += packed_bytes(plan, k, of_rank);
    }
    totals->workspace += sum->assembled + bli_traffic_buffers(sum, plan->window);
}

int64_t bli_spread_call_least(const struct bli_spread_call *plan)
{
    int64_t least = 0;

    for (int32_t k = 0; k < plan->count; k++)
        for (int32_t r = 0; !plan->is_local[k] && r < plan->result->grid.ranks; r++)
            least += lacking(plan, k, r);
    return least;
}

/* ---- names ---- */

const char *bli_call_name(const bl_options *call, bl_op op, int32_t k, char letter[2])
{
    if (call && call->names)
        return call->names[k];
    letter[0] = op == BL_OP_WHERE ? "cab"[k] : (char)('a' + k);
    letter[1] = '\0';
    return letter;
}

/* An operand in a refusal: "b f32[2,3]". */
struct words {
    char text[200];
};

static const char *describe(const struct bli_spread_call *plan, int32_t k,
                            const bl_options *call, struct words *words)
{
    const struct bli_spread *const from = plan->from[k];
    char letter[2];
    int used = snprintf(words->text, sizeof words->text, "%.60s %s[",
                        bli_call_name(call, plan->op, k, letter),
                        bl_dtype_name(plan->operand[k].array.dtype));

    for (int32_t d = 0; d < from->rank && used < (int)sizeof words->text - 24; d++)
        used += snprintf(words->text + used, sizeof words->text - (size_t)used,
                         "%s%" PRId64, d ? "," : "", from->extent[d]);
    snprintf(words->text + used, sizeof words->text - (size_t)used, "]");
    return words->text;
}

/* ---- limits ---- */

/* The rank that receives most of operand k, or of all where k is -1, and its bytes. */
static int64_t worst_rank(const struct bli_spread_call *plan, int32_t k, int32_t *rank)
{
    int64_t worst = 0;

    *rank = 0;
    for (int32_t r = 0; r < plan->result->grid.ranks; r++) {
        int64_t received = 0;

        for (int32_t o = 0; o < plan->count; o++)
            if (k < 0 || k == o)
                received += lacking(plan, o, r);
        if (received > worst) {
            worst = received;
            *rank = r;
        }
    }
    return worst;
}

/* The operand of which a rank receives most, of equal ones the one that it sends. */
static int32_t worst_operand(const struct bli_spread_call *plan, int32_t rank)
{
    struct bli_traffic worst, one;
    int32_t found = 0;

    bli_spread_call_traffic(plan, 0, rank, &worst);
    for (int32_t k = 1; k < plan->count; k++) {
        bli_spread_call_traffic(plan, k, rank, &one);
        if (one.received > worst.received ||
            (one.received == worst.received && one.sent > worst.sent)) {
            worst = one;
            found = k;
        }
    }
    return found;
}

/* Bytes of the largest part of the result. */
static int64_t largest_part(const struct bli_spread_call *plan)
{
    const struct bli_spread *const result = plan->result;
    int64_t bytes = (int64_t)bl_dtype_size(plan->dtype);

    for (int32_t d = 0; d < result->rank; d++)
        if (result->extent[d] == 0)
            return 0;
    for (int32_t d = 0; d < result->rank; d++)
        bytes *= result->axis[d] == BLI_WHOLE ? result->extent[d]
                                              : result->cut[result->axis[d]].widest;
    return bytes;
}

/* Refuse an operand that moves although it must not. */
static bl_status check_may_move(const struct bli_spread_call *plan, int32_t k,
                                const struct bli_spread_options *options)
{
    const int64_t small = options->small_bytes > 0 ? options->small_bytes : MIB;
    int64_t bytes = plan->move[k].size, worst;
    struct words words;
    int32_t rank;

    if (options->move == BLI_MOVE_AUTO || plan->is_local[k])
        return BL_OK;
    for (int32_t d = 0; d < plan->from[k]->rank; d++)
        bytes *= plan->from[k]->extent[d];
    if (options->move == BLI_MOVE_SMALL && bytes <= small)
        return BL_OK;
    worst = worst_rank(plan, k, &rank);
    describe(plan, k, options->call, &words);
    if (options->move == BLI_MOVE_SMALL)
        return bl_error_set(BL_ERR_RULES,
                            "%s would move: it has %" PRId64 " bytes, and small_bytes "
                            "is %" PRId64 "; rank %d would receive %" PRId64,
                            words.text, bytes, small, (int)rank, worst);
    return bl_error_set(BL_ERR_RULES,
                        "%s would move, and nothing may: rank %d would receive %" PRId64
                        " bytes",
                        words.text, (int)rank, worst);
}

static bl_status check_most_bytes(const struct bli_spread_call *plan,
                                  const struct bli_spread_options *options)
{
    const int64_t most = options->most_bytes > 0 ? options->most_bytes
                                                 : larger(4 * largest_part(plan), MIB);
    struct words words;
    int32_t rank;
    const int64_t worst = worst_rank(plan, -1, &rank);

    if (worst <= most)
        return BL_OK;
    describe(plan, worst_operand(plan, rank), options->call, &words);
    return bl_error_set(BL_ERR_RULES,
                        "rank %d would receive %" PRId64 " bytes, above all of %s: "
                        "most_bytes is %" PRId64,
                        (int)rank, worst, words.text, most);
}

static bl_status check_most_memory(const struct bli_spread_call *plan,
                                   const struct bli_spread_options *options)
{
    const int64_t most = options->most_memory > 0
                             ? options->most_memory
                             : larger(largest_part(plan) / 8, 256 * MIB);
    struct bli_spread_totals totals;
    struct words words;

    for (int32_t r = 0; r < plan->result->grid.ranks; r++) {
        bli_spread_call_totals(plan, r, &totals);
        if (totals.workspace <= most)
            continue;
        describe(plan, worst_operand(plan, r), options->call, &words);
        return bl_error_set(BL_ERR_RULES,
                            "rank %d would need %" PRId64 " bytes of workspace, above "
                            "all for %s: most_memory is %" PRId64,
                            (int)r, totals.workspace, words.text, most);
    }
    return BL_OK;
}

bl_status bli_call_check_limits(const struct bli_spread_call *plan,
                                const struct bli_spread_options *options)
{
    bool is_local = true;

    for (int32_t k = 0; k < plan->count; k++) {
        BL_TRY(check_may_move(plan, k, options));
        is_local = is_local && plan->is_local[k];
    }
    if (is_local)
        return BL_OK;
    BL_TRY(check_most_bytes(plan, options));
    return check_most_memory(plan, options);
}
