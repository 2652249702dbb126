/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways of a reduction over ranks: how many blocks are cut, and what each way moves.
 */
#include "mpi/spread/ways.h"

#include "mpi/spread/move.h"

/* Elements of a block of the tree, and bytes of its lanes: <broadloom/reduce.h>. */
enum { BLOCK = 1024, LANE_BYTES = 64 };

/* A product that stays within 64 bits: costs are compared, and these are never least.
 */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;

    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static bool is_reduced(const struct bli_ways_query *query, int32_t d)
{
    return query->reduced >> d & 1;
}

/* ---- the linear order of a result's elements ---- */

/*
 * The reduced dimensions as rows: `cut` is the last one that is on several ranks,
 * `rows` the product of those before it, `inner` of those after it.  A rank's part of a
 * row is a run.
 */
struct order {
    int32_t cut; /* -1: each result's elements are on one rank */
    int64_t rows;
    int64_t inner;
    int64_t results; /* product of the other dimensions */
};

/* Whether several ranks have elements along a dimension. */
static bool is_cut(const struct bli_spread *from, int32_t d)
{
    const int32_t a = from->axis[d];

    return a != BLI_WHOLE && from->cut[a].filled[from->cut[a].parts] > 1;
}

static struct order order_of(const struct bli_ways_query *query)
{
    const struct bli_spread *const from = query->from;
    struct order order = {-1, 1, 1, 1};

    for (int32_t d = 0; d < from->rank; d++) {
        if (from->extent[d] == 0)
            return (struct order){-1, 0, 0, 0};
        if (is_reduced(query, d) && is_cut(from, d))
            order.cut = d;
    }
    for (int32_t d = 0; d < from->rank; d++) {
        if (!is_reduced(query, d))
            order.results *= from->extent[d];
        else if (d < order.cut)
            order.rows *= from->extent[d];
        else if (d > order.cut)
            order.inner *= from->extent[d];
    }
    return order;
}

/* How many of first, first + step, ..., `count` of them, are inside a block. */
static int64_t count_inside(int64_t first, int64_t step, int64_t count)
{
    int64_t period = 1, aligned = -1;

    first %= BLOCK;
    step %= BLOCK;
    while (period * step % BLOCK != 0)
        period *= 2;
    for (int64_t q = 0; q < period && q < count && aligned < 0; q++)
        if ((first + q * step) % BLOCK == 0)
            aligned = q;
    return aligned < 0 ? count : count - ((count - 1 - aligned) / period + 1);
}

/* Count cut blocks, and find the shortest run. */
static void find_cuts(const struct bli_spread *from, const struct order *order,
                      struct bli_ways *ways)
{
    const struct bli_borders *const cut = &from->cut[from->axis[order->cut]];
    const int64_t row = from->extent[order->cut] * order->inner;
    int64_t before = -1;

    ways->cuts = count_inside(row, row, order->rows - 1);
    ways->least_run = INT64_MAX;
    for (int32_t p = 0; p < cut->parts; p++) {
        const int64_t run = (cut->border[p + 1] - cut->border[p]) * order->inner;

        if (run == 0)
            continue;
        if (before >= 0)
            ways->cuts += count_inside(cut->border[p] * order->inner, row, order->rows);
        if (run < ways->least_run)
            ways->least_run = run;
        before = p;
    }
}

/* ---- costs ---- */

/* Nodes that some blocks in a row are, at most, wherever they begin. */
static int64_t nodes_of(int64_t blocks)
{
    int64_t nodes = 1;

    for (int64_t b = blocks; b > 1; b /= 2)
        nodes += 2;
    return blocks < nodes ? blocks : nodes;
}

/* Ranks that share a result's elements, and the dimensions that they divide. */
static int64_t group_of(const struct bli_ways_query *query, int64_t *dims)
{
    int64_t group = 1;

    *dims = 0;
    for (int32_t d = 0; d < query->from->rank; d++)
        if (is_reduced(query, d) && query->from->axis[d] != BLI_WHOLE) {
            ++*dims;
            group *= query->from->cut[query->from->axis[d]].parts;
        }
    return group;
}

/* What sending nodes to the ranks that finish results costs. */
static struct bli_way_cost cost_of_nodes(const struct bli_ways_query *query,
                                         const struct order *order, int64_t cuts)
{
    const struct bli_spread *const from = query->from;
    int64_t dims;
    const int64_t group = group_of(query, &dims);
    struct bli_way_cost cost = {.is_possible = true};

    for (int32_t r = 0; r < from->grid.ranks; r++) {
        int64_t results = 1, runs = 1, run, nodes;
        struct bli_box box;

        if (bli_spread_box(from, r, &box) == 0)
            continue;
        for (int32_t d = 0; d < from->rank; d++) {
            if (!is_reduced(query, d))
                results *= box.end[d] - box.begin[d];
            else if (d < order->cut)
                runs *= box.end[d] - box.begin[d];
        }
        run = (box.end[order->cut] - box.begin[order->cut]) * order->inner;
        nodes = nodes_of(cuts > 0 ? run / BLOCK + 2 : (run + BLOCK - 1) / BLOCK);
        if (query->is_free)
            runs = nodes = 1;
        cost.messages += results < group ? results : group - 1;
        cost.bytes = plus(
            cost.bytes, times(times(results, runs), times(nodes, query->partial_size)));
    }
    return cost;
}

/* Copies of the operand, each of which is reduced. */
static int64_t replicas_of(const struct bli_spread *from)
{
    int64_t replicas = 1;

    for (int32_t a = 0; a < from->grid.axes; a++)
        if (from->dim[a] == BLI_WHOLE)
            replicas *= from->grid.extent[a];
    return replicas;
}

/*
 * Nodes, and before them `bytes` for each cut of each result.  The next element of a
 * rank's last one in a row is in the same row, or in another one, by which reduced
 * dimension goes on there: so many ranks may follow one.  More share a block of runs
 * that are shorter.
 */
static struct bli_way_cost cost_of_cuts(const struct bli_ways_query *query,
                                        const struct order *order,
                                        const struct bli_ways *ways, int64_t bytes,
                                        const struct bli_way_cost *nodes)
{
    const int64_t results = times(order->results, replicas_of(query->from));
    struct bli_way_cost cost = *nodes;
    int64_t dims;
    const int64_t others = group_of(query, &dims) - 1;

    cost.bytes = plus(cost.bytes, times(times(ways->cuts, bytes), results));
    cost.messages += (ways->least_run >= BLOCK && dims < others ? dims : others) *
                     query->from->grid.ranks;
    return cost;
}

/* ---- the operand, moved ---- */

/* Take the axes of reduced dimensions for others, the longest that are whole. */
static void lay_others(const struct bli_ways_query *query, struct bli_dim *dims)
{
    const struct bli_spread *const from = query->from;

    for (int32_t d = 0; d < from->rank; d++)
        dims[d] = is_reduced(query, d) ? (struct bli_dim){BLI_WHOLE, NULL}
                                       : bli_spread_dim(from, d);
    for (int32_t a = 0; a < from->grid.axes; a++) {
        int32_t longest = -1;

        if (from->dim[a] == BLI_WHOLE || !is_reduced(query, from->dim[a]))
            continue;
        for (int32_t d = 0; d < from->rank; d++)
            if (!is_reduced(query, d) && dims[d].axis == BLI_WHOLE &&
                from->extent[d] > 1 &&
                (longest < 0 || from->extent[d] > from->extent[longest]))
                longest = d;
        if (longest >= 0)
            dims[longest].axis = a;
    }
}

static bl_status find_move(const struct bli_ways_query *query, struct bli_ways *ways)
{
    struct bli_way_cost *const cost = &ways->cost[BLI_WAY_MOVE];
    struct bli_dim dims[BL_MAX_RANK];

    lay_others(query, dims);
    BL_TRY(bli_spread_make(&query->from->grid, query->from->rank, query->from->extent,
                           dims, BLI_EVERY_RANK, &ways->moved));

    const struct bli_move move = {query->from, ways->moved, 0, query->size, 0};

    cost->is_possible = true;
    for (int32_t r = 0; r < query->from->grid.ranks; r++) {
        struct bli_traffic traffic;

        bli_traffic_count(&move, r, &traffic);
        cost->bytes = plus(cost->bytes, traffic.sent);
        cost->messages += traffic.sent_messages;
    }
    return BL_OK;
}

bl_status bli_ways_find(const struct bli_ways_query *query, struct bli_ways *out)
{
    const struct order order = order_of(query);
    struct bli_ways ways = {
        .way = BLI_WAY_HERE, .cut = order.cut, .inner = order.inner};
    struct bli_way_cost *const cost = ways.cost;

    if (query->from->root != BLI_EVERY_RANK || order.cut < 0) {
        cost[BLI_WAY_HERE].is_possible = true;
        *out = ways;
        return BL_OK;
    }
    find_cuts(query->from, &order, &ways);
    BL_TRY(find_move(query, &ways));

    const struct bli_way_cost nodes = cost_of_nodes(query, &order, ways.cuts);

    cost[BLI_WAY_NODES] = nodes;
    cost[BLI_WAY_NODES].is_possible = query->is_free || ways.cuts == 0;
    cost[BLI_WAY_ELEMENTS] =
        cost_of_cuts(query, &order, &ways, (BLOCK - 1) * query->size, &nodes);
    cost[BLI_WAY_LANES] = cost_of_cuts(query, &order, &ways, LANE_BYTES, &nodes);
    /* A rank's lanes wait for those of one other rank at most. */
    cost[BLI_WAY_ELEMENTS].is_possible = !cost[BLI_WAY_NODES].is_possible;
    cost[BLI_WAY_LANES].is_possible =
        cost[BLI_WAY_ELEMENTS].is_possible && ways.least_run >= BLOCK;
    ways.way = cost[BLI_WAY_NODES].is_possible ? BLI_WAY_NODES : BLI_WAY_ELEMENTS;
    for (int w = 0; w < BLI_WAYS; w++)
        if (cost[w].is_possible && (cost[w].bytes < cost[ways.way].bytes ||
                                    (cost[w].bytes == cost[ways.way].bytes &&
                                     cost[w].messages < cost[ways.way].messages)))
            ways.way = (enum bli_reduction_way)w;
    *out = ways;
    return BL_OK;
}
