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
#include "mpi/spread/call.h"

enum { MOST_RANK = 4, MOST_EXTENT = 7 };

/* A call, its operands' elements, and how they lie. */
struct trial {
    struct bli_grid grid;
    bl_op op;
    int32_t count;
    bl_options options;
    int64_t extent[BL_MAX_INPUTS][MOST_RANK];
    bl_tensor *tensor[BL_MAX_INPUTS];
    struct bli_spread_operand operand[BL_MAX_INPUTS];
    struct bli_spread *spread[BL_MAX_INPUTS + 1]; /* the last: of the result */
    bl_tensor *result;                            /* of the call on one process */
};

/* ---- random grids, borders, shapes ---- */

static void random_grid(struct rng *rng, struct bli_grid *grid)
{
    int64_t extent[3];
    const int32_t axes = 1 + (int32_t)rng_below(rng, 3);

    for (int32_t a = 0; a < axes; a++)
        extent[a] = 1 + rng_below(rng, axes == 1 ? 12 : 4);
    must(bli_grid_make(0, axes, extent, (int32_t)rng_below(rng, 5), grid));
}

/* Borders by dice, so that parts are often empty or of one element. */
static void random_borders(struct rng *rng, int64_t extent, int32_t parts,
                           int64_t *border)
{
    border[0] = 0;
    for (int32_t p = 1; p < parts; p++)
        border[p] = rng_below(rng, extent + 1);
    border[parts] = extent;
    for (int32_t p = 1; p < parts; p++)
        for (int32_t q = p; q > 1 && border[q] < border[q - 1]; q--) {
            const int64_t swapped = border[q];

            border[q] = border[q - 1];
            border[q - 1] = swapped;
        }
}

/* A spread of a shape: axes by dice, borders by dice or the library's. */
static struct bli_spread *random_spread(struct rng *rng, const struct bli_grid *grid,
                                        int32_t rank, const int64_t *extent)
{
    struct bli_dim dims[MOST_RANK];
    int64_t border[3][16];
    struct bli_spread *spread;

    for (int32_t d = 0; d < rank; d++)
        dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    for (int32_t a = 0; a < grid->axes && rank > 0; a++) {
        const int32_t d = (int32_t)rng_below(rng, rank);

        if (rng_one_in(rng, 4) || dims[d].axis != BLI_WHOLE)
            continue;
        dims[d].axis = a;
        if (rng_one_in(rng, 3))
            continue;
        random_borders(rng, extent[d], grid->extent[a], border[a]);
        dims[d].border = border[a];
    }
    must(bli_spread_make(grid, rank, extent, dims, BLI_EVERY_RANK, &spread));
    return spread;
}

/* The shape of an operand that can be broadcast to another one. */
static int32_t random_operand(struct rng *rng, int32_t rank, const int64_t *whole,
                              int64_t *extent)
{
    const int32_t less = rng_one_in(rng, 2) ? 0 : (int32_t)rng_below(rng, rank + 1);

    for (int32_t d = less; d < rank; d++)
        extent[d - less] = rng_one_in(rng, 3) ? 1 : whole[d];
    return rank - less;
}

static const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F64, BL_DTYPE_F16,
                                  BL_DTYPE_I32, BL_DTYPE_I8,  BL_DTYPE_C128,
                                  BL_DTYPE_I64, BL_DTYPE_BOOL};

static bl_dtype random_dtype(struct rng *rng, const struct trial *trial, int32_t k)
{
    const int64_t kinds = sizeof dtypes / sizeof dtypes[0];

    if (k == 0 && trial->op == BL_OP_WHERE)
        return BL_DTYPE_BOOL;
    return rng_one_in(rng, 2) ? BL_DTYPE_F32 : dtypes[rng_below(rng, kinds)];
}

/* ---- a trial ---- */

/* Elements from 1 to 100, which no operator refuses. */
static void fill(struct trial *trial, int32_t k, bl_dtype dtype, int32_t rank)
{
    int64_t *number, numel;

    must(bl_shape_numel(rank, trial->extent[k], &numel));
    number = malloc(sizeof *number * (size_t)(numel + 1));
    for (int64_t i = 0; i < numel; i++)
        number[i] = 1 + (i + 3 * k) % 100;
    must(bl_tensor_empty(NULL, dtype, rank, trial->extent[k], &trial->tensor[k]));

    const bl_array from = {number, BL_DTYPE_I64, rank, trial->extent[k], NULL, 0};

    must(bl_apply(NULL, BL_OP_COPY, bl_tensor_array(trial->tensor[k]), 1,
                  (const bl_array *[]){&from}, NULL));
    free(number);
}

static void random_operands(struct rng *rng, struct trial *trial)
{
    const int32_t rank = (int32_t)rng_below(rng, MOST_RANK + 1);
    int64_t whole[MOST_RANK];

    for (int32_t d = 0; d < rank; d++)
        whole[d] = rng_one_in(rng, 25) ? 0 : 1 + rng_below(rng, MOST_EXTENT);
    for (int32_t k = 0; k < trial->count; k++) {
        const int32_t own = random_operand(rng, rank, whole, trial->extent[k]);
        struct bli_spread_operand *const operand = &trial->operand[k];

        fill(trial, k, random_dtype(rng, trial, k), own);
        operand->array = *bl_tensor_array(trial->tensor[k]);
        operand->array.extent = trial->extent[k];
        if (own == 0 && k > 0 && rng_one_in(rng, 2))
            operand->array.flags |= BL_ARRAY_SCALAR;
        if (k == 0 || !rng_one_in(rng, 6))
            trial->spread[k] = random_spread(rng, &trial->grid, own, trial->extent[k]);
        operand->spread = trial->spread[k];
    }
}

static void random_trial(struct rng *rng, struct trial *trial)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    bl_op_info info = {.size = sizeof info};

    *trial = (struct trial){.options = defaults};
    random_grid(rng, &trial->grid);
    do {
        trial->op = (bl_op)(1 + rng_below(rng, 60));
    } while (bl_op_query(trial->op, &info) != BL_OK || info.inputs > 3 ||
             trial->op == BL_OP_COPY);
    if (rng_one_in(rng, 6))
        trial->op = BL_OP_COPY;
    BL_IGNORE(bl_op_query(trial->op, &info));
    trial->count = info.inputs;
    random_operands(rng, trial);
}

/* Set where the result is: a new one, one that exists, in place, or on one rank. */
static void random_result(struct rng *rng, struct trial *trial,
                          struct bli_spread_options *options, struct bli_dim *dims)
{
    const bl_array *const whole = bl_tensor_array(trial->result);
    struct bli_spread **const out = &trial->spread[BL_MAX_INPUTS];

    options->out_dtype = whole->dtype;
    if (rng_one_in(rng, 3))
        return;
    if (rng_one_in(rng, 6)) {
        must(bli_spread_make(&trial->grid, whole->rank, whole->extent, NULL,
                             (int32_t)rng_below(rng, trial->grid.ranks), out));
        options->out = *out;
        return;
    }
    *out = random_spread(rng, &trial->grid, whole->rank, whole->extent);
    if (rng_one_in(rng, 2)) {
        options->out = *out;
        return;
    }
    for (int32_t d = 0; d < whole->rank; d++) {
        const int32_t axis = (*out)->axis[d];

        dims[d] = (struct bli_dim){axis, axis < 0 ? NULL : (*out)->cut[axis].border};
    }
    options->dims = dims;
}

/* ---- check ---- */

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

/* Each rank's totals are sums of its operands', and all ranks' together the least. */
static bool check_totals(const struct bli_spread_call *plan)
{
    struct bli_spread_totals totals;
    int64_t sent = 0, received = 0, computed = 0;
    const int64_t least = bli_spread_call_least(plan);

    for (int32_t r = 0; r < plan->result->grid.ranks; r++) {
        bli_spread_call_totals(plan, r, &totals);
        sent += totals.traffic.sent;
        received += totals.traffic.received;
        computed += totals.local_count;
    }
    if (sent == least && received == least)
        return true;
    tap_note("sent %d, received %d, least %d", (int)sent, (int)received, (int)least);
    return false;
}

static bool check_plan(const struct trial *trial, const struct bli_spread_call *plan)
{
    const size_t ranks = (size_t)trial->grid.ranks;
    char **need[BL_MAX_INPUTS] = {NULL};
    bool pass = check_totals(plan);

    for (int32_t k = 0; k < plan->count; k++) {
        need[k] = calloc(ranks, sizeof **need);
        pass = simulate_move(&plan->move[k], bl_tensor_array(trial->tensor[k])->data,
                             need[k]) &&
               plan->is_local[k] == bli_move_is_local(&plan->move[k]) && pass;
    }
    for (int32_t r = 0; pass && r < trial->grid.ranks; r++)
        pass = check_rank(trial, plan, r, (char *const *const *)need);
    for (int32_t k = 0; k < plan->count; k++) {
        for (size_t r = 0; r < ranks; r++)
            free(need[k][r]);
        free(need[k]);
    }
    return pass;
}

static void close_trial(struct trial *trial)
{
    for (int32_t k = 0; k < BL_MAX_INPUTS + 1; k++)
        bli_spread_release(trial->spread[k]);
    for (int32_t k = 0; k < trial->count; k++)
        bl_tensor_release(trial->tensor[k]);
    bl_tensor_release(trial->result);
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

    random_trial(rng, &trial);
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
        random_result(rng, &trial, &options, dims);

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
    close_trial(&trial);
    return pass;
}

int main(void)
{
    const int32_t trials = test_is_long() ? 200000 : 20000;
    struct rng rng;
    int32_t failed = 0;

    tap_plan();
    rng = rng_new();
    for (int32_t t = 0; t < trials && failed < 3; t++)
        failed += !run_trial(&rng);
    tap_ok(failed == 0, "%d random calls over ranks: every message, every bit",
           (int)trials);
    return tap_done();
}
