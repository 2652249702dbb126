/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random calls over random ranks, all in one process: messages that two ends agree on,
 * elements that arrive once, and the bits of the same call on one process.
 */
#include <broadloom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/simulate.h"
#include "mpi/random_call.h"

/* The call of one rank: its boxes, by the modern rules, against the whole result. */
static bool check_rank(const struct trial *trial, const struct bli_spread_call *plan,
                       int32_t rank, char *const *const *need)
{
    const bl_array *const whole = bl_tensor_array(trial->result);
    const bl_array *in[BL_MAX_INPUTS];
    bl_array block[BL_MAX_INPUTS];
    int64_t extent[BL_MAX_INPUTS + 1][MOST_RANK];
    struct bli_box box, all = {{0}, {0}};
    const int64_t size = (int64_t)bl_dtype_size(plan->dtype);
    const int64_t count = bli_spread_box(plan->result, rank, &box);
    bool pass;

    if (count == 0)
        return true;
    for (int32_t k = 0; k < plan->count; k++) {
        struct bli_box own;

        bli_move_need(&plan->move[k], rank, &own);
        block[k] = plan->operand[k].array;
        for (int32_t e = 0; e < whole->rank; e++)
            extent[k][e] = 1;
        for (int32_t d = 0; d < block[k].rank; d++)
            if (d + plan->move[k].shift >= 0 && d + plan->move[k].shift < whole->rank)
                extent[k][d + plan->move[k].shift] = own.end[d] - own.begin[d];
        /* A 0-d operand stays one: it counts less in promotion. */
        if (block[k].rank > 0)
            block[k].rank = whole->rank;
        block[k].extent = extent[k];
        block[k].data = need[k][rank];
        in[k] = &block[k];
    }
    for (int32_t d = 0; d < whole->rank; d++) {
        extent[BL_MAX_INPUTS][d] = box.end[d] - box.begin[d];
        all.end[d] = whole->extent[d];
    }

    char *const got = malloc((size_t)(count * size));
    char *const want = malloc((size_t)(count * size));
    const bl_array out = {got, plan->dtype, whole->rank, extent[BL_MAX_INPUTS], NULL,
                          0};

    copy_box(whole->rank, size, want, &box, whole->data, &all, &box);
    must(bl_apply(NULL, plan->op, &out, plan->count, in, NULL));
    pass = memcmp(got, want, (size_t)(count * size)) == 0;
    if (!pass)
        tap_note("rank %d computes other bits", (int)rank);
    free(got);
    free(want);
    return pass;
}

static bool is_staged(const struct bli_spread_call *plan)
{
    bool is = false;

    for (int32_t k = 0; k < plan->count; k++)
        is = is || plan->stage[k];
    return is;
}

/* Each rank's totals are sums of its operands', and all ranks' together the least; what
 * enters each node once moves on within it. */
static bool check_totals(const struct bli_spread_call *plan)
{
    struct bli_spread_totals totals;
    int64_t sent = 0, received = 0;
    const int64_t least = bli_spread_call_least(plan);

    for (int32_t r = 0; r < plan->result->grid.ranks; r++) {
        bli_spread_call_totals(plan, r, &totals);
        sent += totals.traffic.sent;
        received += totals.traffic.received;
    }
    if (sent == received && (sent == least || (sent > least && is_staged(plan))))
        return true;
    tap_note("sent %d, received %d, least %d", (int)sent, (int)received, (int)least);
    return false;
}

static struct simulated_nodes nodes;
static int64_t cut_parts; /* ranks' parts that were computed in several boxes */

static bool is_inside(int32_t rank, const struct bli_box *a, const struct bli_box *b)
{
    for (int32_t d = 0; d < rank; d++)
        if (a->begin[d] < b->begin[d] || a->end[d] > b->end[d])
            return false;
    return true;
}

/* Of operand k: what is not assembled is here, and what is, and arrives, has room. */
static bool check_assembled(const struct bli_spread_call *plan, int32_t k, int32_t self,
                            const struct bli_sections *sections)
{
    const struct bli_move *moves[2];
    const struct bli_move *const move = moves[bli_call_moves(plan, k, moves) - 1];
    const int32_t rank = move->from->rank;
    struct bli_messages list;
    struct bli_message message;
    struct bli_box kept, taken;
    bool pass = true;

    for (int32_t s = 0; s < sections->count; s++) {
        bli_move_taken(move, &sections->box[s], &taken);
        pass = pass && (sections->is_assembled[k][s]
                            ? (s > 0 || sections->count == 1) &&
                                  is_inside(rank, &taken, &sections->assembled[k])
                            : !plan->stage[k] && bli_move_kept(move, self, &kept) > 0 &&
                                  is_inside(rank, &taken, &kept));
    }
    bli_messages_begin(move, self, BLI_RECEIVED, &list);
    while (bli_messages_next(&list, &message))
        pass = pass && sections->bytes[k] > 0 &&
               is_inside(rank, &message.box, &sections->assembled[k]);
    return pass;
}

/* The boxes of a rank's result are apart, and have all of its elements. */
static bool check_sections(const struct bli_spread_call *plan, int32_t self)
{
    const int32_t rank = plan->result->rank;
    struct bli_sections sections;
    struct bli_box whole;
    int64_t left = bli_spread_box(plan->result, self, &whole);
    bool pass = true;

    bli_call_sections(plan, self, &sections);
    cut_parts += sections.count > 1;
    for (int32_t s = 0; s < sections.count; s++) {
        left -= bli_box_count(rank, &sections.box[s]);
        pass = pass && is_inside(rank, &sections.box[s], &whole);
        for (int32_t t = 0; t < s; t++) {
            bool is_apart = false;

            for (int32_t d = 0; d < rank; d++)
                is_apart = is_apart ||
                           sections.box[s].begin[d] >= sections.box[t].end[d] ||
                           sections.box[t].begin[d] >= sections.box[s].end[d];
            pass = pass && is_apart;
        }
    }
    for (int32_t k = 0; k < plan->count; k++)
        pass = pass && (plan->is_linear[k] || plan->is_direct ||
                        check_assembled(plan, k, self, &sections));
    if (!pass || left != 0)
        tap_note("the sections of rank %d are wrong", (int)self);
    return pass && left == 0;
}

/* Simulate the moves of an operand, of which the last one writes what ranks need. */
static bool simulate_operand(const struct bli_spread_call *plan, int32_t k,
                             const char *whole, char **need)
{
    const struct bli_move *moves[2];
    const int32_t count = bli_call_moves(plan, k, moves);
    bool pass = true;

    if (count == 2) {
        pass = simulate_move(moves[0], whole, need);
        for (int32_t r = 0; r < plan->result->grid.ranks; r++) {
            free(need[r]);
            need[r] = NULL;
        }
    }
    pass = simulate_move(moves[count - 1], whole, need) && pass;
    return simulate_nodes(&plan->move[k], moves, count, &nodes) && pass;
}

static bool check_plan(const struct trial *trial, const struct bli_spread_call *plan)
{
    const size_t ranks = (size_t)trial->grid.ranks;
    char **need[BL_MAX_INPUTS] = {NULL};
    bool pass = check_totals(plan);

    for (int32_t k = 0; k < plan->count; k++) {
        need[k] = calloc(ranks, sizeof **need);
        pass = simulate_operand(plan, k, bl_tensor_array(trial->tensor[k])->data,
                                need[k]) &&
               plan->is_local[k] == bli_move_is_local(&plan->move[k]) && pass;
    }
    for (int32_t r = 0; pass && r < trial->grid.ranks; r++)
        pass = check_rank(trial, plan, r, (char *const *const *)need) &&
               check_sections(plan, r);
    for (int32_t k = 0; k < plan->count; k++) {
        for (size_t r = 0; r < ranks; r++)
            free(need[k][r]);
        free(need[k]);
    }
    return pass;
}

static bool run_trial(struct rng *rng)
{
    const bl_array *in[BL_MAX_INPUTS];
    struct bli_spread_options options = {.most_bytes = INT64_MAX,
                                         .most_memory = INT64_MAX};
    struct bli_dim dims[MOST_RANK];
    struct bli_spread_call plan;
    struct trial trial;
    bl_status status;
    bool pass;

    trial_open(rng, &trial);
    for (int32_t k = 0; k < trial.count; k++)
        in[k] = &trial.operand[k].array;
    if (rng_one_in(rng, 8) && trial.count == 2) {
        trial.options.rules = bl_rules_find("paddle");
        trial.options.axis = (int32_t)rng_below(rng, 3) - 1;
    }
    options.call = &trial.options;
    status =
        bl_apply_new(NULL, trial.op, trial.count, in, &trial.options, &trial.result);
    if (status == BL_OK)
        trial_result(rng, &trial, &options, dims);

    const bl_status planned =
        bli_spread_call_make(trial.op, trial.count, trial.operand, &options, &plan);

    pass = planned == status;
    if (!pass)
        tap_note("planned with status %d, applied with %d: %s", (int)planned,
                 (int)status, bl_error_message());
    if (planned == BL_OK) {
        pass = pass && check_plan(&trial, &plan);
        bli_spread_call_free(&plan);
    }
    if (!pass)
        tap_note("operator %d on %d ranks in %d axes", (int)trial.op,
                 (int)trial.grid.ranks, (int)trial.grid.axes);
    trial_close(&trial);
    return pass;
}

int main(void)
{
    const int32_t trials = test_times(20000, 60000);
    struct rng rng;
    int32_t failed = 0;

    tap_plan();
    rng = rng_new();
    for (int32_t t = 0; t < trials && failed < 3; t++)
        failed += !run_trial(&rng);
    tap_ok(failed == 0, "%d random calls over ranks: every message, every bit",
           (int)trials);
    tap_ok(cut_parts >= trials / 100, "%d parts are computed in several boxes",
           (int)cut_parts);
    tap_ok(nodes.staged >= trials / 100 && nodes.least > 0,
           "%d operands enter each node once", (int)nodes.staged);
    /* Ranks without a result are among them. */
    tap_ok(4 * nodes.entered <= 5 * nodes.least,
           "%d bytes enter nodes, %d do at least, %d would without stages",
           (int)nodes.entered, (int)nodes.least, (int)nodes.direct);
    return tap_done();
}
