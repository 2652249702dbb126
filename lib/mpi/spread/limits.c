/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits on what a call over ranks takes.
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

/* ---- names ---- */

const char *bli_call_name(const bl_options *call, bl_op op, int32_t k, char letter[2])
{
    if (call && call->names && call->names[k])
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
        int64_t bytes = 0;

        for (int32_t o = 0; o < plan->count; o++)
            if (k < 0 || k == o)
                bytes += bli_call_received(plan, o, r);
        if (bytes > worst) {
            worst = bytes;
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
        bytes *= bli_spread_widest(result, d);
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

static bl_status check_limits(const struct bli_spread_call *plan,
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

bl_status bli_call_check_limits(struct bli_spread_call *plan,
                                const struct bli_spread_options *options)
{
    bl_status status = check_limits(plan, options);
    bool has_stages = false;

    for (int32_t k = 0; k < plan->count && status == BL_ERR_RULES; k++) {
        has_stages = has_stages || plan->stage[k];
        bli_stage_free(plan->stage[k]);
        plan->stage[k] = NULL;
    }
    return has_stages ? check_limits(plan, options) : status;
}
