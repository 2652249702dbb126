/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dimensions along several axes of the grid together.
 */
#include <broadloom.h>

#include <string.h>

#include "harness/expect_status.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/spread.h"

static const struct {
    const char *what;
    struct bli_dim dims[2]; /* of 8 x 8 over a 2 x 3 grid */
    const char *refused;
} refusals[] = {
    {"several axes, one of them not there",
     {{BLI_AXES(5), NULL}, {BLI_WHOLE, NULL}},
     "axis 261 of a grid of 2 axes"},
    {"no axis together", {{BLI_AXES(0), NULL}, {BLI_WHOLE, NULL}}, "axis 256"},
    {"an axis alone and together",
     {{1, NULL}, {BLI_AXES(3), NULL}},
     "dimensions 0 and 1 are both along axis 1"},
    {"borders of several axes that end early",
     {{BLI_AXES(3), (const int64_t[]){0, 1, 2, 3, 4, 5, 7}}, {BLI_WHOLE, NULL}},
     "from 0 to 7, not from 0 to 8"},
};

static void test_refusals(void)
{
    const int64_t grid_extent[] = {2, 3}, extent[] = {8, 8};
    struct bli_grid grid;

    must(bli_grid_make(0, 2, grid_extent, 0, &grid));
    for (size_t row = 0; row < sizeof refusals / sizeof refusals[0]; row++) {
        struct bli_spread *spread = NULL;
        const bl_status status = bli_spread_make(&grid, 2, extent, refusals[row].dims,
                                                 BLI_EVERY_RANK, &spread);

        tap_ok(expect_status(status, BL_ERR_ARGUMENT, refusals[row].refused) && !spread,
               "a spread is refused: %s", refusals[row].what);
    }
}

/* A dimension along several axes: parts by the grid's order, replicas along others. */
static void test_together(void)
{
    static const int64_t grid_extent[] = {2, 3, 2}, extent[] = {4, 40};
    static const int64_t border[] = {0, 10, 20, 30, 40};
    const struct bli_dim dims[] = {{BLI_WHOLE, NULL}, {BLI_AXES(5), border}};
    struct bli_spread *spread, *other;
    struct bli_grid grid;
    bool pass = true;

    must(bli_grid_make(0, 3, grid_extent, 0, &grid));
    must(bli_spread_make(&grid, 2, extent, dims, BLI_EVERY_RANK, &spread));
    for (int32_t r = 0; r < grid.ranks; r++) {
        struct bli_box box;
        int32_t place[BLI_MAX_AXES];

        bli_grid_place(&grid, r, place);
        bli_spread_box(spread, r, &box);
        pass =
            pass && box.end[0] == 4 && box.begin[1] == 10 * (2 * place[0] + place[2]);
    }
    tap_ok(pass, "a dimension along two axes together, and replicas along the third");

    const struct bli_dim again = bli_spread_dim(spread, 1);

    tap_ok(again.axis == BLI_AXES(5) &&
               memcmp(again.border, border, sizeof border) == 0,
           "how it lies is said as it was");
    must(bli_spread_make(
        &grid, 2, extent,
        (const struct bli_dim[]){{BLI_WHOLE, NULL}, {BLI_AXES(4), NULL}},
        BLI_EVERY_RANK, &other));
    tap_ok(bli_spread_dim(other, 1).axis == 2, "one axis together is that axis");
    tap_ok(!bli_spread_is_equal(spread, other), "other axes are another spread");
    bli_spread_release(other);
    bli_spread_release(spread);
}

int main(void)
{
    tap_plan();
    test_refusals();
    test_together();
    return tap_done();
}
