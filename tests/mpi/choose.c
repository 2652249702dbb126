/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a new result lies if operands have unlike borders.
 */
#include <broadloom.h>

#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/call.h"

enum { N = 4096, RANKS = 4 };

static struct bli_grid grid;

static struct bli_spread *along(const int64_t *extent, const int64_t *border)
{
    const struct bli_dim dim = {0, border};
    struct bli_spread *spread;

    must(bli_spread_make(&grid, 1, extent, &dim, BLI_EVERY_RANK, &spread));
    return spread;
}

/* The operand that the sum of two f32[N] follows, whose borders are given. */
static int32_t followed(const int64_t *a, const int64_t *b)
{
    static const int64_t extent[] = {N};
    const bl_array array = {.dtype = BL_DTYPE_F32, .rank = 1, .extent = extent};
    struct bli_spread *const first = along(extent, a), *const second = along(extent, b);
    const struct bli_spread_operand operand[] = {{first, array}, {second, array}};
    struct bli_spread_call plan;
    int32_t follows;

    must(bli_spread_call_make(BL_OP_ADD, 2, operand, NULL, &plan));
    follows = plan.follows;
    if (!bli_spread_is_equal(plan.result, plan.from[follows]))
        follows = -1;
    bli_spread_call_free(&plan);
    bli_spread_release(first);
    bli_spread_release(second);
    return follows;
}

/* Torch's pairing of unlike shapes with equal counts, of a 4 x 6 over the rows. */
static void test_linear(void)
{
    static const int64_t square[] = {4, 6}, flat[] = {24};
    static const int64_t shifted[] = {0, 5, 12, 18, 24};
    const struct bli_dim rows[] = {{0, NULL}, {BLI_WHOLE, NULL}}, cut = {0, shifted};
    struct bli_spread_operand operand[] = {
        {NULL, {.dtype = BL_DTYPE_F32, .rank = 2, .extent = square}},
        {NULL, {.dtype = BL_DTYPE_F32, .rank = 1, .extent = flat}}};
    struct bli_spread *spread[2];
    bl_options call = BL_OPTIONS_DEFAULT;
    struct bli_spread_options options = {.call = &call};
    struct bli_spread_call plan;
    struct bli_traffic traffic;

    call.rules = bl_rules_find("legacy");
    must(bli_spread_make(&grid, 2, square, rows, BLI_EVERY_RANK, &spread[0]));
    must(bli_spread_make(&grid, 1, flat, &cut, BLI_EVERY_RANK, &spread[1]));
    for (int k = 0; k < 2; k++)
        operand[k].spread = spread[k];
    must(bli_spread_call_make(BL_OP_ADD, 2, operand, &options, &plan));
    bli_spread_call_traffic(&plan, 1, 0, &traffic);
    tap_ok(plan.is_linear[1] && !plan.is_linear[0] && !plan.is_local[1] &&
               traffic.received == 4 && traffic.sent == 0 && traffic.kept == 20 &&
               bli_spread_call_least(&plan) == 4,
           "an operand in linear order moves where borders differ, and only there");
    bli_spread_call_free(&plan);
    options.move = BLI_MOVE_NONE;
    tap_ok(bli_spread_call_make(BL_OP_ADD, 2, operand, &options, &plan) ==
                   BL_ERR_RULES &&
               strstr(bl_error_message(), "b f32[24] would move, and nothing may"),
           "but not where nothing may move");
    for (int k = 0; k < 2; k++)
        bli_spread_release(spread[k]);
}

int main(void)
{
    static const int64_t extent[] = {RANKS};
    static const int64_t crowded[] = {0, N - 3, N - 2, N - 1, N};
    static const int64_t shifted[] = {0, 1000, 2000, 3000, N};

    tap_plan();
    must(bli_grid_make(0, 1, extent, 0, &grid));
    tap_ok(followed(crowded, NULL) == 1 && followed(NULL, crowded) == 0,
           "the same bytes move: the operand for which no rank receives most of them");
    tap_ok(followed(NULL, NULL) == 0 && followed(crowded, crowded) == 0,
           "nothing moves: the first operand");
    tap_ok(followed(shifted, NULL) == 0 && followed(NULL, shifted) == 0,
           "as much moves either way: the first operand");
    test_linear();
    return tap_done();
}
