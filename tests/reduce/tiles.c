/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tiles that columns are divided into as a pure function: as few as give each
 * thread about as much as the others, none narrower than what pays. They are as wide as
 * the cache allows.
 */
#include <inttypes.h>

#include "harness/tap.h"
#include "plan/reduce.h"

enum { LEAST = 64, EVEN = 128, LINE = 16 };

static const int64_t sides[] = {
    1,   3,   16,  63,   64,   65,   127,  128,  129,  200,    256,
    500, 512, 777, 1000, 1023, 1024, 1025, 4000, 5000, 100000, INT64_C(1) << 40};
static const int64_t others[] = {1, 2, 3, 5, 16, 97, 1000, INT64_C(1) << 50};
static const int64_t threads[] = {1, 2, 3, 4, 7, 16, 64, 1024};
static const int64_t mosts[] = {128, 256, 512, 1024};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

struct tiling {
    int64_t side, others, threads, most;
    int64_t width, tiles;
};

/* Items of the thread that has most of them, over the mean. */
static double excess(const struct tiling *t)
{
    const double items = (double)t->tiles * (double)t->others;
    const double threads = (double)t->threads, rows = items / threads;
    const double most =
        rows == (double)(int64_t)rows ? rows : (double)(int64_t)rows + 1;

    return most / rows;
}

static bool fits(const struct tiling *t)
{
    return t->width >= 1 && t->width <= t->most &&
           (t->width % LINE == 0 || t->width == t->most);
}

/*
 * Where threads would have nothing to do, or more than others, tiles are narrow, up to
 * what they are wider by to end where lines do.
 */
static bool is_shared(const struct tiling *t)
{
    const double narrow = t->tiles * t->others < t->threads ? LEAST : EVEN;
    const double rounded =
        t->width > LINE ? (double)t->width / (double)(t->width - LINE + 1) : 1;

    return excess(t) <= 1.125 * rounded ||
           (double)t->side / (double)(t->tiles + 1) < narrow * rounded;
}

/* One tile less would be too wide, or leave threads with less than others. */
static bool is_wide(const struct tiling *t)
{
    struct tiling fewer = *t;

    fewer.tiles--;
    return t->tiles == (t->side - 1) / t->most + 1 || t->side / t->tiles >= EVEN ||
           fewer.tiles * t->others < t->threads || excess(&fewer) > 1.125;
}

static bool check(bool (*holds)(const struct tiling *), const struct tiling *t)
{
    const bool pass = holds(t);

    if (!pass)
        tap_note("%" PRId64 " columns of %" PRId64 " blocks, %" PRId64
                 " threads, at most %" PRId64 ": %" PRId64 " tiles of %" PRId64,
                 t->side, t->others, t->threads, t->most, t->tiles, t->width);
    return pass;
}

static void check_all(bool (*holds)(const struct tiling *), const char *what)
{
    bool pass = true;

    for (size_t i = 0; i < COUNT(sides); i++)
        for (size_t j = 0; j < COUNT(others); j++)
            for (size_t k = 0; pass && k < COUNT(threads) * COUNT(mosts); k++) {
                struct tiling t = {.side = sides[i],
                                   .others = others[j],
                                   .threads = threads[k / COUNT(mosts)],
                                   .most = mosts[k % COUNT(mosts)]};

                if (t.side > INT64_MAX / 16 / t.others)
                    continue;
                t.width = bli_tile_columns(t.side, t.others, t.threads, t.most);
                t.tiles = (t.side - 1) / t.width + 1;
                pass = check(holds, &t);
            }
    tap_ok(pass, "%s", what);
}

/* ---- the cache ---- */

static int64_t unknown(void)
{
    return 0;
}

static int64_t small(void)
{
    return 256 << 10;
}

static int64_t usual(void)
{
    return 512 << 10;
}

static int64_t large(void)
{
    return 4 << 20;
}

/* Columns of a tile of one thread's sums of f32[rows,10000] by columns. */
static int64_t width_of(const struct bli_isa *isa, int64_t rows,
                        int64_t (*second)(void))
{
    const int64_t extent[] = {rows, 10000}, stride[] = {40000, 4}, out[] = {0, 4};
    const struct bli_reduce_problem problem = {.op = BL_REDUCTION_SUM,
                                               .isa = isa,
                                               .from = BL_DTYPE_F32,
                                               .as = BL_DTYPE_F32,
                                               .to = BL_DTYPE_F32,
                                               .is_compact = true,
                                               .folding = {2, 1, extent, stride, out},
                                               .caches = {.second = second}};
    struct bli_reduce_plan plan;

    if (bli_reduce_plan_make(&plan, &problem) != BL_OK || !plan.by_columns)
        return -1;
    return bli_reduce_width(&plan, 1);
}

/*
 * Whether tiles of an array in memory have more than half of `most` columns, and no
 * more.
 */
static bool has_columns(int64_t (*second)(void), int64_t most)
{
    const int64_t width = width_of(bli_isa_pick(NULL), 2000, second);

    return width > most / 2 && width <= most;
}

/* Lanes of a tile, 64 bytes a column, are in L2. */
static void check_caches(void)
{
    const struct bli_isa *const isa = bli_isa_pick(NULL);

    tap_ok(has_columns(NULL, 1024) && has_columns(unknown, 1024),
           "64 KiB of lanes where the cache is not known");
    tap_ok(has_columns(small, 2048), "half of a small cache");
    tap_ok(has_columns(usual, 4096), "half of a usual one");
    tap_ok(has_columns(large, 4096), "256 KiB of a large one");
    tap_ok(width_of(isa, 300, NULL) > 0 &&
               width_of(isa, 300, small) == width_of(isa, 300, NULL) &&
               width_of(isa, 300, large) == width_of(isa, 300, NULL),
           "of arrays in a cache it is not asked");
}

int main(void)
{
    tap_plan();
    check_all(fits, "tiles are no wider than they may be, and end where lines do");
    check_all(is_shared, "threads have tiles, as many as others, where these are wide");
    check_all(is_wide, "tiles are as wide as that allows");
    check_caches();
    return tap_done();
}
