/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids of ranks: extents that are chosen, ranks and their coordinates.
 */
#include "mpi/spread/spread.h"

#include <broadloom/base.h>

#include <inttypes.h>
#include <string.h>

/* ---- extents ---- */

/* No number below 2^31 has more divisors. */
enum { MOST_DIVISORS = 1536 };

/* Write all divisors of a number, increasing, and return how many. */
static int32_t find_divisors(int64_t number, int64_t *divisor)
{
    int32_t low = 0, high = MOST_DIVISORS;

    for (int64_t f = 1; f * f <= number; f++)
        if (number % f == 0) {
            divisor[low++] = f;
            if (f * f != number)
                divisor[--high] = number / f;
        }
    while (high < MOST_DIVISORS)
        divisor[low++] = divisor[high++];
    return low;
}

/*
 * Write `number` as `count` factors, none above `most`, none above the one before it:
 * those whose first is least, then whose second is, and so on.
 */
static bool factor(int64_t number, int32_t count, int64_t most, const int64_t *divisor,
                   int64_t *factors)
{
    factors[0] = number;
    if (count == 1)
        return number <= most;
    for (int32_t i = 0; divisor[i] <= most && divisor[i] <= number; i++) {
        const int64_t f = divisor[i];
        int64_t power = 1;

        /* Of factors that are at most f, no product is larger than its power. */
        for (int32_t k = 0; k < count && power < number; k++)
            power *= f;
        factors[0] = f;
        if (power >= number && number % f == 0 &&
            factor(number / f, count - 1, f, divisor, factors + 1))
            return true;
    }
    return false;
}

/* Choose the extents that are 0. */
static bl_status choose(int64_t ranks, int32_t axes, int64_t *extent)
{
    int64_t given = 1, chosen[BLI_MAX_AXES], divisor[MOST_DIVISORS + 1];
    int32_t zeros = 0, next = 0;

    for (int32_t a = 0; a < axes; a++) {
        zeros += extent[a] == 0;
        if (extent[a] > 0)
            given *= extent[a];
        if (given > INT32_MAX)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "a grid of more than %d ranks is too large", INT32_MAX);
    }
    if (ranks == 0 && zeros > 0)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "extents of a grid can be chosen where the number of its "
                            "ranks is given");
    if (ranks > 0 && (ranks % given != 0 || (zeros == 0 && ranks != given)))
        return bl_error_set(BL_ERR_ARGUMENT,
                            "%" PRId64
                            " ranks are not a grid whose extents are %s%" PRId64,
                            ranks, zeros > 0 ? "a multiple of " : "together ", given);
    if (zeros == 0)
        return BL_OK;
    divisor[find_divisors(ranks / given, divisor)] = INT64_MAX;
    (void)factor(ranks / given, zeros, INT32_MAX, divisor, chosen);
    for (int32_t a = 0; a < axes; a++)
        if (extent[a] == 0)
            extent[a] = chosen[next++];
    return BL_OK;
}

bl_status bli_grid_make(int32_t ranks, int32_t axes, const int64_t *extent,
                        int32_t node, struct bli_grid *out)
{
    struct bli_grid grid = {.axes = axes, .ranks = 1, .node = node > 0 ? node : 1};
    int64_t chosen[BLI_MAX_AXES];

    if (axes < 1 || axes > BLI_MAX_AXES)
        return bl_error_set(BL_ERR_ARGUMENT, "a grid has 1 to %d axes, got %d",
                            BLI_MAX_AXES, (int)axes);
    if (ranks < 0 || node < 0)
        return bl_error_set(BL_ERR_ARGUMENT, "a grid of %d ranks, %d on a node",
                            (int)ranks, (int)node);
    for (int32_t a = 0; a < axes; a++) {
        chosen[a] = extent[a];
        if (extent[a] < 0 || extent[a] > INT32_MAX)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "axis %d of a grid has extent %" PRId64, (int)a,
                                extent[a]);
    }
    BL_TRY(choose(ranks, axes, chosen));
    for (int32_t a = 0; a < axes; a++) {
        grid.extent[a] = (int32_t)chosen[a];
        grid.ranks *= grid.extent[a];
    }
    *out = grid;
    return BL_OK;
}

/* ---- ranks ---- */

void bli_grid_place(const struct bli_grid *grid, int32_t of_rank,
                    int32_t place[BLI_MAX_AXES])
{
    for (int32_t a = grid->axes - 1; a >= 0; a--) {
        place[a] = of_rank % grid->extent[a];
        of_rank /= grid->extent[a];
    }
}

int32_t bli_grid_rank(const struct bli_grid *grid, const int32_t place[BLI_MAX_AXES])
{
    int32_t rank = 0;

    for (int32_t a = 0; a < grid->axes; a++)
        rank = rank * grid->extent[a] + place[a];
    return rank;
}

bool bli_grid_is_equal(const struct bli_grid *a, const struct bli_grid *b)
{
    return a->axes == b->axes &&
           memcmp(a->extent, b->extent, sizeof *a->extent * (size_t)a->axes) == 0;
}
