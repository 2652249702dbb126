/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways of reductions over ranks: blocks that are cut, against walking all elements,
 * and the way that is taken.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/ways.h"

enum { BLOCK = 1024, LANES = 64 };

/* ---- against walking ---- */

/* What a walk over one result's elements, in logical order, finds. */
struct walk {
    int64_t cuts, least_run;
};

/* The rank, by reduced dimensions alone, that has element `at` of a result. */
static int32_t owner(const struct bli_spread *from, uint64_t reduced, int64_t at)
{
    int32_t place[BLI_MAX_AXES] = {0};

    for (int32_t d = from->rank - 1; d >= 0; d--) {
        const int32_t a = from->axis[d];
        int64_t index;

        if (!(reduced >> d & 1))
            continue;
        index = at % from->extent[d];
        at /= from->extent[d];
        for (int32_t p = 0; a >= 0 && p < from->grid.extent[a]; p++)
            if (index >= from->cut[a].border[p] && index < from->cut[a].border[p + 1])
                place[a] = p;
    }
    return bli_grid_rank(&from->grid, place);
}

static struct walk walk_result(const struct bli_spread *from, uint64_t reduced)
{
    struct walk walk = {0, INT64_MAX};
    int64_t count = 1, run = 1;
    int32_t before;

    for (int32_t d = 0; d < from->rank; d++)
        count *= reduced >> d & 1 ? from->extent[d] : 1;
    before = owner(from, reduced, 0);
    for (int64_t i = 1; i < count; i++) {
        const int32_t now = owner(from, reduced, i);

        run++;
        if (now == before)
            continue;
        walk.cuts += i % BLOCK != 0;
        walk.least_run = run - 1 < walk.least_run ? run - 1 : walk.least_run;
        run = 1;
        before = now;
    }
    walk.least_run = run < walk.least_run ? run : walk.least_run;
    return walk;
}

static bool test_random(struct rng *rng)
{
    static const int64_t lengths[] = {1, 2, 3, 64, 512, 1024, 1500, 2048, 4096};
    const int64_t grid_extent[] = {1 + rng_below(rng, 4), 1 + rng_below(rng, 3)};
    int64_t extent[3], numel = 1;
    struct bli_dim dims[3];
    struct bli_grid grid;
    struct bli_ways ways;
    struct bli_spread *from;
    struct walk walk;
    bool pass;

    for (int32_t d = 0; d < 3; d++) {
        extent[d] = lengths[rng_below(rng, 9)];
        if (numel * extent[d] > 40000)
            extent[d] = 1 + rng_below(rng, 4);
        numel *= extent[d];
        dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    }
    for (int32_t a = 0; a < 2; a++)
        dims[rng_below(rng, 3)].axis = a;
    must(bli_grid_make(0, 2, grid_extent, 0, &grid));
    must(bli_spread_make(&grid, 3, extent, dims, BLI_EVERY_RANK, &from));

    const struct bli_ways_query query = {from, (uint64_t)rng_below(rng, 8), 8, 8,
                                         false};

    must(bli_ways_find(&query, &ways));
    walk = walk_result(from, query.reduced);
    if (ways.way == BLI_WAY_HERE)
        pass = walk.cuts == 0 && ways.cuts == 0 && ways.cost[BLI_WAY_HERE].bytes == 0;
    else
        pass = ways.cuts == walk.cuts && ways.least_run == walk.least_run &&
               ways.cost[BLI_WAY_NODES].is_possible == (walk.cuts == 0) &&
               ways.cost[BLI_WAY_LANES].is_possible ==
                   (walk.cuts > 0 && walk.least_run >= BLOCK) &&
               ways.cost[ways.way].is_possible;
    if (!pass)
        tap_note("[%" PRId64 ",%" PRId64 ",%" PRId64 "], reduced %d: cuts %" PRId64
                 " walked %" PRId64 ", run %" PRId64 " walked %" PRId64,
                 extent[0], extent[1], extent[2], (int)query.reduced, ways.cuts,
                 walk.cuts, ways.least_run, walk.least_run);
    bli_spread_release(ways.moved);
    bli_spread_release(from);
    return pass;
}

/* ---- the way that is taken ---- */

static const int64_t odd[] = {0, 4000, 8000, 12000, 16384};

static const struct {
    const char *what;
    int64_t grid[2];
    int64_t extent[2];
    struct bli_dim dims[2];
    uint64_t reduced;
    bool is_free;
    enum bli_reduction_way way;
} cases[] = {
    {"dimensions that are whole",
     {4, 4},
     {64, 4096},
     {{0, NULL}, {-1, NULL}},
     2,
     false,
     BLI_WAY_HERE},
    {"one part that has all",
     {4, 4},
     {1, 4096},
     {{0, NULL}, {-1, NULL}},
     3,
     false,
     BLI_WAY_HERE},
    {"borders between blocks",
     {4, 4},
     {4096, 16384},
     {{0, NULL}, {1, NULL}},
     2,
     false,
     BLI_WAY_NODES},
    {"rows of whole blocks",
     {4, 4},
     {4096, 1024},
     {{0, NULL}, {-1, NULL}},
     3,
     false,
     BLI_WAY_NODES},
    {"integers, any borders",
     {4, 4},
     {4096, 16384},
     {{0, NULL}, {1, odd}},
     2,
     true,
     BLI_WAY_NODES},
    {"borders inside blocks",
     {4, 4},
     {4096, 16384},
     {{0, NULL}, {1, odd}},
     2,
     false,
     BLI_WAY_LANES},
    {"short runs of a few results",
     {4, 4},
     {2, 2000},
     {{-1, NULL}, {1, NULL}},
     2,
     false,
     BLI_WAY_MOVE},
    {"short runs of one result",
     {4, 4},
     {1, 2000},
     {{-1, NULL}, {1, NULL}},
     2,
     false,
     BLI_WAY_ELEMENTS},
    {"columns, of many results",
     {4, 1},
     {64, 4096},
     {{0, NULL}, {-1, NULL}},
     1,
     false,
     BLI_WAY_MOVE},
};

static void test_cases(void)
{
    for (size_t row = 0; row < sizeof cases / sizeof cases[0]; row++) {
        struct bli_grid grid;
        struct bli_spread *from;
        struct bli_ways ways;

        must(bli_grid_make(0, 2, cases[row].grid, 0, &grid));
        must(bli_spread_make(&grid, 2, cases[row].extent, cases[row].dims,
                             BLI_EVERY_RANK, &from));

        const struct bli_ways_query query = {from, cases[row].reduced, 8, 8,
                                             cases[row].is_free};

        must(bli_ways_find(&query, &ways));
        if (!tap_ok(ways.way == cases[row].way, "a way: %s", cases[row].what))
            for (int w = 0; w < BLI_WAYS; w++)
                tap_note("way %d%s: %" PRId64 " messages, %" PRId64 " bytes", w,
                         ways.cost[w].is_possible ? "" : " is not possible",
                         ways.cost[w].messages, ways.cost[w].bytes);
        bli_spread_release(ways.moved);
        bli_spread_release(from);
    }
}

/* f64[4096,16384] of which a rank has 4000 columns: 64 bytes a border, 0.2 % of them.
 */
static void test_bytes(void)
{
    const int64_t extent[] = {4096, 16384}, line[] = {4};
    const struct bli_dim dims[] = {{-1, NULL}, {0, odd}};
    struct bli_grid grid;
    struct bli_spread *from;
    struct bli_ways ways;

    must(bli_grid_make(0, 1, line, 0, &grid));
    must(bli_spread_make(&grid, 2, extent, dims, BLI_EVERY_RANK, &from));

    const struct bli_ways_query query = {from, 2, 8, 8, false};

    must(bli_ways_find(&query, &ways));
    tap_ok(ways.cuts == 3 &&
               ways.cost[BLI_WAY_LANES].bytes - ways.cost[BLI_WAY_NODES].bytes ==
                   (int64_t)4096 * 3 * LANES &&
               ways.cost[BLI_WAY_MOVE].bytes == (int64_t)4096 * 16384 * 8 * 3 / 4,
           "bytes of lanes, and of moving the operand");
    bli_spread_release(ways.moved);
    bli_spread_release(from);
}

int main(void)
{
    struct rng rng;
    bool pass = true;

    tap_plan();
    rng = rng_new();
    for (int32_t t = 0; t < 3000 && pass; t++)
        pass = test_random(&rng);
    tap_ok(pass,
           "cut blocks and shortest runs, as a walk over all elements finds them");
    test_cases();
    test_bytes();
    return tap_done();
}
