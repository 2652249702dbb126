/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids, borders and boxes: what is chosen, what is refused.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/expect_status.h"
#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/spread.h"

/* ---- grids ---- */

static const struct {
    const char *what;
    int32_t ranks, axes;
    int64_t extent[4], want[4];
    const char *refused;
} grids[] = {
    {"a line", 7, 1, {0}, {7}, NULL},
    {"a square", 4096, 2, {0, 0}, {64, 64}, NULL},
    {"the larger extent first", 12, 2, {0, 0}, {4, 3}, NULL},
    {"a prime", 13, 2, {0, 0}, {13, 1}, NULL},
    {"a cube", 64, 3, {0, 0, 0}, {4, 4, 4}, NULL},
    {"unlike factors", 24, 3, {0, 0, 0}, {4, 3, 2}, NULL},
    {"factors that a greedy choice misses", 72, 3, {0, 0, 0}, {6, 4, 3}, NULL},
    {"an extent that is given", 24, 3, {0, 3, 0}, {4, 3, 2}, NULL},
    {"extents without a number", 0, 2, {64, 64}, {64, 64}, NULL},
    {"one rank", 1, 4, {0, 0, 0, 0}, {1, 1, 1, 1}, NULL},
    {"the largest", INT32_MAX, 2, {0, 0}, {INT32_MAX, 1}, NULL},
    {"no axes", 4, 0, {0}, {0}, "1 to 8 axes, got 0"},
    {"nine axes", 4, 9, {0}, {0}, "1 to 8 axes, got 9"},
    {"a negative extent", 4, 2, {2, -2}, {0}, "axis 1 of a grid has extent -2"},
    {"a product that is no divisor", 10, 2, {3, 0}, {0}, "a multiple of 3"},
    {"another product", 10, 2, {3, 3}, {0}, "together 9"},
    {"nothing to choose by", 0, 2, {3, 0}, {0}, "number of its ranks"},
    {"too many", 0, 2, {INT32_MAX, 2}, {0}, "too large"},
    {"negative ranks", -4, 1, {0}, {0}, "-4 ranks"},
};

static void test_grids(void)
{
    for (size_t row = 0; row < sizeof grids / sizeof grids[0]; row++) {
        struct bli_grid grid;
        const bl_status status = bli_grid_make(grids[row].ranks, grids[row].axes,
                                               grids[row].extent, 0, &grid);
        bool pass = status == BL_OK;

        if (grids[row].refused) {
            tap_ok(expect_status(status, BL_ERR_ARGUMENT, grids[row].refused),
                   "a grid is refused: %s", grids[row].what);
            continue;
        }
        for (int32_t a = 0; pass && a < grid.axes; a++)
            pass = grid.extent[a] == grids[row].want[a];
        for (int32_t r = 0; pass && r < grid.ranks && r < 10000; r++) {
            int32_t place[BLI_MAX_AXES];

            bli_grid_place(&grid, r, place);
            pass = bli_grid_rank(&grid, place) == r;
        }
        tap_ok(pass, "a grid: %s", grids[row].what);
    }
}

/* Extents as close as they can be: none has a smaller largest one. */
static void test_balance(void)
{
    bool pass = true;

    for (int32_t ranks = 1; pass && ranks <= 2000; ranks++) {
        const int64_t chosen[2] = {0, 0};
        struct bli_grid grid;
        int32_t best = ranks;

        for (int32_t f = 1; f * f <= ranks; f++)
            if (ranks % f == 0)
                best = ranks / f;
        must(bli_grid_make(ranks, 2, chosen, 0, &grid));
        pass = grid.extent[0] == best && grid.extent[1] == ranks / best;
    }
    tap_ok(pass, "extents of two axes are as close as divisors are");
}

/* ---- borders ---- */

static const struct {
    int64_t extent;
    int32_t parts;
} cuts[] = {
    {0, 1},         {0, 5},         {1, 1},
    {1, 4},         {10, 3},        {4096, 64},
    {10000, 7},     {1000000, 3},   {1000000, 999},
    {INT64_MAX, 3}, {7, 7},         {6, 7},
    {65536, 1},     {10000019, 16}, {INT64_MAX, 2147483647 / 4096},
};

static void test_default_borders(void)
{
    bool is_even = true, is_round = true;

    for (size_t row = 0; row < sizeof cuts / sizeof cuts[0]; row++) {
        const int32_t parts = cuts[row].parts;
        int64_t *const border = malloc(sizeof *border * ((size_t)parts + 1));
        const double share = (double)cuts[row].extent / parts;

        bli_borders_default(cuts[row].extent, parts, border);
        is_even = is_even && border[0] == 0 && border[parts] == cuts[row].extent;
        for (int32_t p = 0; p < parts; p++) {
            const double width = (double)(border[p + 1] - border[p]);

            is_even = is_even && width >= 0 && width >= 0.99 * share - 1 &&
                      width <= 1.01 * share + 1;
            is_round = is_round && (share < 110000 || border[p] % 1024 == 0);
        }
        free(border);
    }
    tap_ok(is_even, "the library's parts are within 1 %% of even, or one element");
    tap_ok(is_round, "borders of long dimensions are multiples of 1024");
}

/* The parts that a range meets, against looking at each of them. */
static void test_meet(struct rng *rng)
{
    bool pass = true;

    for (int32_t t = 0; t < 20000 && pass; t++) {
        int64_t border[9] = {0};
        struct bli_borders cut = {.parts = 1 + (int32_t)rng_below(rng, 8),
                                  .border = border};
        int32_t first, last, want_first = 0, want_last = 0;

        for (int32_t p = 0; p < cut.parts; p++)
            border[p + 1] = border[p] + rng_below(rng, 4);

        const int64_t begin = rng_below(rng, border[cut.parts] + 1);
        const int64_t end = begin + rng_below(rng, border[cut.parts] - begin + 1);

        for (int32_t p = cut.parts - 1; p >= 0; p--)
            if (border[p] < end && border[p + 1] > begin && border[p] < border[p + 1] &&
                begin < end) {
                want_first = p;
                want_last = want_last == 0 ? p + 1 : want_last;
            }
        bli_borders_meet(&cut, begin, end, &first, &last);
        pass = first == want_first && last == want_last;
    }
    tap_ok(pass, "the parts that a range meets, empty ones among them");
}

/* ---- spreads ---- */

static const struct {
    const char *what;
    int32_t rank;
    int64_t extent[2];
    struct bli_dim dims[2];
    bool is_whole; /* dims are NULL */
    int32_t root;
    bl_status status;
    const char *refused;
} spreads[] = {
    {"an axis that is not there",
     1,
     {8},
     {{2, NULL}},
     false,
     -1,
     BL_ERR_ARGUMENT,
     "axis 2 of a grid of 2 axes"},
    {"a negative axis", 1, {8}, {{-2, NULL}}, false, -1, BL_ERR_ARGUMENT, "axis -2"},
    {"an axis named twice",
     2,
     {8, 8},
     {{0, NULL}, {0, NULL}},
     false,
     -1,
     BL_ERR_ARGUMENT,
     "dimensions 0 and 1 are both along axis 0"},
    {"borders that begin late",
     1,
     {8},
     {{0, (int64_t[]){1, 4, 8}}},
     false,
     -1,
     BL_ERR_ARGUMENT,
     "from 1 to 8, not from 0 to 8"},
    {"borders that end early",
     1,
     {8},
     {{0, (int64_t[]){0, 4, 7}}},
     false,
     -1,
     BL_ERR_ARGUMENT,
     "from 0 to 7, not from 0 to 8"},
    {"borders that fall",
     1,
     {8},
     {{0, (int64_t[]){0, 9, 8}}},
     false,
     -1,
     BL_ERR_ARGUMENT,
     "fall from 9 to 8 at part 1"},
    {"a root that is not there",
     1,
     {8},
     {{0}},
     true,
     6,
     BL_ERR_ARGUMENT,
     "root 6 is none of 6 ranks"},
    {"a root and axes",
     1,
     {8},
     {{0, NULL}},
     false,
     1,
     BL_ERR_ARGUMENT,
     "on rank 1 alone"},
    {"a negative extent", 1, {-8}, {{0, NULL}}, false, -1, BL_ERR_ARGUMENT, ""},
    {"too many elements", 2, {INT64_MAX, 2}, {{0}}, true, -1, BL_ERR_OVERFLOW, ""},
};

static void test_refusals(void)
{
    const int64_t extent[] = {2, 3};
    struct bli_grid grid;

    must(bli_grid_make(0, 2, extent, 0, &grid));
    for (size_t row = 0; row < sizeof spreads / sizeof spreads[0]; row++) {
        struct bli_spread *spread = NULL;
        const bl_status status =
            bli_spread_make(&grid, spreads[row].rank, spreads[row].extent,
                            spreads[row].is_whole ? NULL : spreads[row].dims,
                            spreads[row].root, &spread);

        tap_ok(expect_status(status, spreads[row].status, spreads[row].refused) &&
                   !spread,
               "a spread is refused: %s", spreads[row].what);
    }
}

/* Boxes of all ranks: each element once, on each replica. */
static void test_boxes(void)
{
    static const int64_t grid_extent[] = {2, 3, 2}, extent[] = {5, 7};
    static const int64_t border[] = {0, 0, 6, 7};
    const struct bli_dim dims[] = {{2, NULL}, {1, border}};
    struct bli_spread *spread, *other;
    struct bli_grid grid;
    int32_t seen[5][7] = {{0}};
    int64_t count = 0;
    bool pass = true;

    must(bli_grid_make(0, 3, grid_extent, 0, &grid));
    must(bli_spread_make(&grid, 2, extent, dims, BLI_EVERY_RANK, &spread));
    for (int32_t r = 0; r < grid.ranks; r++) {
        struct bli_box box;

        count += bli_spread_box(spread, r, &box);
        for (int64_t i = box.begin[0]; i < box.end[0]; i++)
            for (int64_t j = box.begin[1]; j < box.end[1]; j++)
                seen[i][j]++;
    }
    for (int32_t i = 0; i < 35; i++)
        pass = pass && seen[i / 7][i % 7] == 2;
    tap_ok(pass && count == 70, "boxes have each element once on each replica");
    must(bli_spread_make(&grid, 2, extent, dims, BLI_EVERY_RANK, &other));
    tap_ok(bli_spread_is_equal(spread, other), "spreads with equal borders are equal");
    bli_spread_release(other);
    must(bli_spread_make(&grid, 2, extent,
                         (const struct bli_dim[]){{2, NULL}, {1, NULL}}, BLI_EVERY_RANK,
                         &other));
    tap_ok(!bli_spread_is_equal(spread, other), "those with other borders are not");
    bli_spread_release(other);
    bli_spread_release(bli_spread_retain(spread));
    bli_spread_release(spread);
}

int main(void)
{
    struct rng rng;

    tap_plan();
    rng = rng_new();
    test_grids();
    test_balance();
    test_default_borders();
    test_meet(&rng);
    test_refusals();
    test_boxes();
    return tap_done();
}
