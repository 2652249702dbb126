/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of rows that are neighbours in memory, in groups of a few whose lanes
 * are in registers. Several groups take some elements of their rows in turn, so that
 * each cache line is read once.
 *
 * A row takes the blocks that begin in it. It goes on in the rows after it until the
 * last of them is complete; its elements before the first one are those of a row before
 * it. So a group begins with the first block of its rows, and ends with their last one,
 * or of those that begin in a range of places, where these are divided among threads.
 */
#include "exec/reduce/item.h"

/*
 * Elements of each row that the groups take in turn: more where the rows have fewer
 * bytes side by side. Zen 3: f32[200000,8], transposed, takes .91 of the time with 128
 * elements that it takes with 64, f64[50000,32] 1.25.
 */
#define TURN       64
#define TURN_BYTES (1 << 14)
#define LONG_TURN  256

/* Bytes after which lines are in the same place of L1, and how many of these it has. */
#define L1_PITCH 4096
#define L1_WAYS  8

/*
 * Groups prefetch what all of them read next, each a part of it, but fewer than this
 * whose rows are in one line: the hardware does. Zen 4: f32[2000000,16], two groups
 * with 512 bits, takes 1.2 to 1.4 of the time, with 256 bits, four groups, .66.
 */
#define AHEAD_GROUPS 4

#define BLOCK BLI_REDUCE_BLOCK
#define NEVER INT64_MAX

/* Places are counted from the first element of each row; `row` is the first one's. */
struct group {
    _Alignas(BLI_ALIGNMENT) double lane[BLI_REDUCE_BESIDE * BLI_REDUCE_LANES / 8];
    int64_t row;
    int64_t begin;                    /* where the first of its blocks begins */
    int64_t end;                      /* where the last one ends */
    int64_t next;                     /* the next place where one does */
    int64_t first[BLI_REDUCE_BESIDE]; /* of each row, where its first one begins */
    int64_t last[BLI_REDUCE_BESIDE];  /* where its last one ends */
    int64_t close[BLI_REDUCE_BESIDE]; /* where the next one does, or the first begins */
};

_Static_assert(sizeof(struct group) <= BLI_REDUCE_GROUP, "groups have memory");

struct side {
    const struct bli_reduce_plan *plan;
    char *in;
    double *partial; /* of block 0 */
    int64_t rows;    /* the row behind the last neighbour */
    int64_t after;   /* rows behind a row that its last block may need */
    int64_t abreast; /* rows of a group */
    bl_range blocks; /* that are reduced */
    bl_range places; /* of a row, in which these begin */
    int64_t groups;
    struct group *group;
};

/* Close the blocks that end where the next ones do, and begin those after them. */
static void close_blocks(const struct side *side, struct group *group)
{
    const struct bli_reducer *const how = side->plan->reducer;
    const int64_t at = group->next;
    double lost;

    group->next = NEVER;
    for (int64_t r = 0; r < side->abreast; r++) {
        if (group->close[r] == at) {
            const int64_t block = ((group->row + r) * side->plan->row + at) / BLOCK - 1;
            double *const to = at > group->first[r] ? side->partial + block : &lost;

            how->close_beside(how, to, group->lane, r);
            group->close[r] = at < group->last[r] ? at + BLOCK : NEVER;
        }
        group->next = bli_least(group->next, group->close[r]);
    }
}

/* Accumulate the elements from `at` to `end` - 1, the first row's `step` bytes apart.
 */
static void advance(const struct side *side, struct group *group, const char *x,
                    int64_t step, int64_t at, int64_t end)
{
    while (at < end) {
        const int64_t stop = bli_least(group->next, end);

        side->plan->reducer->beside(group->lane, x, step, at, stop - at);
        x += (stop - at) * step;
        at = stop;
        if (at == group->next)
            close_blocks(side, group);
    }
}

/* The first block that is reduced here and begins in a row or after it. */
static int64_t first_block(const struct side *side, int64_t row)
{
    const int64_t block = bli_reduce_first_block(side->plan->row, row);

    return bli_least(bli_most(block, side->blocks.begin), side->blocks.end);
}

/* The first place from `place` on that is whole blocks behind `first`, or `first`. */
static int64_t block_from(int64_t first, int64_t place)
{
    return place > first ? first + (place - first + BLOCK - 1) / BLOCK * BLOCK : first;
}

/*
 * Add a group of the rows from `row` on, with their blocks that end among the
 * neighbours of the last one. If there is a group `before`, of rows one further, only
 * with those that it has not, of its rows.
 */
static void add_group(struct side *side, int64_t row, const struct group *before)
{
    const int64_t all = (side->rows - (row + side->abreast - 1)) * side->plan->row;
    struct group *const group = &side->group[side->groups++];

    *group = (struct group){.row = row, .begin = NEVER};
    for (int64_t r = 0; r < side->abreast; r++) {
        const int64_t origin = (row + r) * side->plan->row;
        const int64_t behind = first_block(side, row + r + 1) * BLOCK - origin;
        const int64_t here = !before ? first_block(side, row + r) * BLOCK - origin
                             : r > 0 ? before->last[r - 1]
                                     : behind;
        const int64_t end = bli_least(behind, block_from(here, side->places.end));
        const int64_t first = bli_least(end, block_from(here, side->places.begin));
        const int64_t some = bli_most(all - first, 0) / BLOCK * BLOCK;

        group->first[r] = first;
        group->last[r] = end <= all ? end : first + some;
        group->close[r] = first < group->last[r] ? first : NEVER;
        group->begin = bli_least(group->begin, group->close[r]);
        if (first < group->last[r])
            group->end = bli_most(group->end, group->last[r]);
    }
    group->next = group->begin;
}

/* The address of the element at `at` of row 0, if it were a neighbour of all rows. */
static const char *address_at(const struct side *side, int64_t row, int64_t at)
{
    const struct bli_nest *const nest = &side->plan->reduced;

    return bli_nest_address(nest, side->in, 1,
                            row * side->plan->row + at % side->plan->row) +
           at / side->plan->row * nest->stride[side->plan->strips][1];
}

/* Elements of each of `rows` rows that the groups take in turn. */
static int64_t turn_of(const struct bli_reduce_plan *plan, int64_t rows)
{
    const int64_t step = plan->reduced.stride[0][1] | L1_PITCH;
    const int64_t places = L1_WAYS * (L1_PITCH / (step & -step));
    const int64_t turn = TURN_BYTES / (rows * plan->size);

    return bli_least(places, turn < TURN ? TURN : bli_least(turn, LONG_TURN));
}

/* Prefetch the elements from `at` to `end` - 1 of `rows` rows from `row` on. */
BLI_PREFETCHES void prefetch_rows(const struct side *side, int64_t row, int64_t rows,
                                  int64_t at, int64_t end)
{
    if (at < end)
        bli_reduce_prefetch(side->plan, address_at(side, row, at), end - at, rows);
}

/* Reduce the blocks of the groups, of `rows` rows from `row` on. */
static void reduce_groups(struct side *side, int64_t row, int64_t rows)
{
    const struct bli_reduce_plan *const plan = side->plan;
    const int64_t step = plan->reduced.stride[0][1], run = plan->reduced.extent[0];
    const int64_t beside = plan->reduced.stride[plan->strips][1];
    const int64_t turn = turn_of(plan, rows);
    const bool is_ahead = plan->is_ahead && (side->groups >= AHEAD_GROUPS ||
                                             rows * plan->size > BLI_ALIGNMENT);
    int64_t begin = NEVER, end = 0;

    for (int64_t g = 0; g < side->groups; g++) {
        begin = bli_least(begin, side->group[g].begin);
        end = bli_most(end, side->group[g].end);
    }
    for (int64_t at = begin, to, next; at < end; at = to) {
        const char *const x = address_at(side, row, at);

        to = bli_least(bli_least(at + turn, end), at + run - at % run);
        next = bli_least(bli_least(to + turn, end), to + run - to % run) - to;
        for (int64_t g = 0; g < side->groups; g++) {
            struct group *const group = &side->group[g];
            const int64_t from = bli_most(at, group->begin);
            const int64_t stop = bli_least(to, group->end);

            if (is_ahead)
                prefetch_rows(side, row, rows, to + next * g / side->groups,
                              to + next * (g + 1) / side->groups);
            if (from < stop)
                advance(side, group,
                        x + (from - at) * step + (group->row - row) * beside, step,
                        from, stop);
        }
    }
}

/* Find the rows in which blocks begin, from the first that has enough neighbours. */
static bl_range find_rows(struct side *side)
{
    const int64_t beside = side->plan->reduced.extent[side->plan->strips];
    const int64_t stop = (side->blocks.end - 1) * BLOCK / side->plan->row + 1;
    int64_t row = side->blocks.begin * BLOCK / side->plan->row;

    if (beside - row % beside < side->abreast + side->after)
        row += beside - row % beside;
    side->rows = row - row % beside + beside;
    return (bl_range){row, bli_least(stop, side->rows)};
}

/* A side of all places, without rows. */
static struct side side_of(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks)
{
    return (struct side){.plan = plan,
                         .in = in,
                         .partial = (double *)(void *)partial - blocks.begin,
                         .after = bli_reduce_rows_behind(plan->row),
                         .abreast = plan->reducer->abreast,
                         .blocks = blocks,
                         .places = {0, plan->row + BLOCK},
                         .group = (struct group *)(void *)memory};
}

/*
 * Reduce the blocks of the side that begin in a range of rows. Whole groups end with
 * the last row, so that all but one have rows after them.
 */
static void reduce_rows(struct side *side, bl_range rows)
{
    const int64_t width = side->plan->strip;

    for (int64_t at = rows.begin, next; at < rows.end; at = next) {
        next = at + (rows.end - at - 1) % width + 1;
        side->groups = 0;
        for (int64_t r = at; r < next; r += (next - r - 1) % side->abreast + 1)
            add_group(side, bli_least(r, rows.end - side->abreast), NULL);
        for (int64_t r = 1; next == rows.end && r <= side->after; r++)
            add_group(side, rows.end - side->abreast - r,
                      &side->group[side->groups - 1]);
        reduce_groups(side, at, next - at);
    }
}

bl_range bli_reduce_beside(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks)
{
    struct side side = side_of(plan, in, partial, memory, blocks);
    const bl_range rows = find_rows(&side);

    if (rows.end - rows.begin < side.abreast + side.after)
        return (bl_range){blocks.end, blocks.end};
    reduce_rows(&side, rows);
    return (bl_range){
        first_block(&side, rows.begin),
        bli_least(first_block(&side, rows.end), side.rows * plan->row / BLOCK)};
}

bl_range bli_reduce_places(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range places)
{
    const bl_range all = {0, plan->blocks};
    struct side side = side_of(plan, in, partial, memory, all);

    side.rows = plan->reduced.extent[plan->strips];
    side.places = (bl_range){places.begin * BLOCK, places.end * BLOCK};
    reduce_rows(&side, (bl_range){0, side.rows});
    /* What is no whole block goes with the last places. */
    return (bl_range){
        places.end < plan->places ? all.end : side.rows * plan->row / BLOCK, all.end};
}
