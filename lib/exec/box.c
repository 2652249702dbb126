/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does one box: inputs to tiles, the kernel, the result from its tile.
 */
#include "exec/box.h"
#include "exec/walk.h"

/*
 * A staged operand that repeats along a loop is repeated in its tile until rows have so
 * many elements; from there on the kernel repeats it.
 */
#define LONG_ROW 64

static bool is_staged(const struct bli_box *box, int32_t k)
{
    return (box->staged >> k & 1) != 0;
}

static int64_t tile_size(const struct bl_plan *plan, int32_t k)
{
    return bli_dtypes[plan->computed[k]].size;
}

/* Strides of operand k's tile along the dims of a box, compact but where it repeats. */
static void lay_tile(const struct bli_box *box, int32_t k, int64_t *stride)
{
    int64_t step = tile_size(box->plan, k);
    int64_t below = 1;
    bool repeats = k > 0;

    for (int32_t d = 0; d < box->dims; d++)
        repeats &= box->nest->stride[box->loop[d]][k] == 0 || box->extent[d] == 1;
    for (int32_t d = 0; d < box->dims; d++) {
        const bool is_still = k > 0 && box->nest->stride[box->loop[d]][k] == 0;
        const bool is_long =
            below >= LONG_ROW || (d == 0 && box->extent[d] >= LONG_ROW);

        stride[d] = repeats || (is_still && is_long) ? 0 : step;
        if (stride[d] != 0)
            step *= box->extent[d];
        below *= box->extent[d];
    }
}

/* One more loop of `operands` operands, or a longer last one. */
static void add_loop(struct bli_box_nest *nest, int32_t operands, int64_t extent,
                     const int64_t *stride)
{
    const int32_t last = nest->loops - 1;
    bool is_one = last >= 0;

    if (extent == 1)
        return;
    for (int32_t k = 0; is_one && k < operands; k++)
        is_one = stride[k] == nest->stride[last][k] * nest->extent[last];
    if (is_one) {
        nest->extent[last] *= extent;
    } else {
        nest->extent[nest->loops] = extent;
        for (int32_t k = 0; k < operands; k++)
            nest->stride[nest->loops][k] = stride[k];
        nest->loops++;
    }
}

/* Kernels take two loops: one of one iteration where there is none. */
static void pad_loops(struct bli_box_nest *nest, int32_t operands)
{
    for (int32_t i = nest->loops; i < 2; i++) {
        nest->extent[i] = 1;
        for (int32_t k = 0; k < operands; k++)
            nest->stride[i][k] = 0;
    }
}

/*
 * The nest that moves operand k between memory and its tile, whose strides are `tile`.
 * A loop along which it is contiguous in memory comes second, for kernels transpose.
 */
static void lay_stage(struct bli_box *box, int32_t k, const int64_t *tile)
{
    const struct bli_nest *const nest = box->nest;
    const int64_t size = box->plan->size[k];
    int32_t order[BLI_BOX_LOOPS], turned = 1;

    while (turned < box->dims && nest->stride[box->loop[turned]][k] != size &&
           nest->stride[box->loop[turned]][k] != -size)
        turned++;
    for (int32_t d = 0; d < box->dims; d++)
        order[d] = d;
    for (int32_t d = turned; turned < box->dims && d > 0; d--)
        order[d] = d > 1 ? d - 1 : turned;
    box->stage[k].loops = 0;
    for (int32_t i = 0; i < box->dims; i++) {
        const int32_t d = order[i];
        const int64_t memory = nest->stride[box->loop[d]][k];
        const int64_t pair[] = {k == 0 ? memory : tile[d], k == 0 ? tile[d] : memory};

        if (tile[d] != 0)
            add_loop(&box->stage[k], 2, box->extent[d], pair);
    }
    pad_loops(&box->stage[k], 2);
}

void bli_box_open(struct bli_box *box)
{
    const struct bli_nest *const nest = box->nest;
    const int32_t operands = nest->operands;
    int64_t tile[BLI_MAX_OPERANDS][BLI_BOX_LOOPS];

    for (int32_t k = 0; k < operands; k++) {
        box->seen[k] = NULL;
        if (is_staged(box, k)) {
            lay_tile(box, k, tile[k]);
            lay_stage(box, k, tile[k]);
        }
    }
    box->kernel.loops = 0;
    for (int32_t d = 0; d < box->dims; d++) {
        int64_t stride[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < operands; k++)
            stride[k] = is_staged(box, k) ? tile[k][d] : nest->stride[box->loop[d]][k];
        add_loop(&box->kernel, operands, box->extent[d], stride);
    }
    pad_loops(&box->kernel, operands);
}

static void run_nest(const struct bli_box_nest *nest, int32_t operands,
                     bli_kernel *kernel, const void *params, char *const *data)
{
    const int32_t loops = nest->loops < 2 ? 2 : nest->loops;

    bli_walk_loops(loops, nest->extent, nest->stride, operands, kernel, params, data);
}

/*
 * The same in pieces of `unit` iterations or more of loop `loop`, before each of which
 * its part of `lines` lines is asked for: the memory of the next box comes while this
 * one is computed.  All of them at once would keep the processor waiting: 0.92 of the
 * speed.
 */
static void run_pieces(struct bli_box *box, const struct bli_box_nest *nest,
                       int32_t operands, bli_kernel *kernel, const void *params,
                       char *const *data, int32_t loop, int64_t unit, int64_t lines)
{
    if (lines == 0) {
        run_nest(nest, operands, kernel, params, data);
        return;
    }

    /* Divisions and a copy: more than some boxes that ask for nothing cost. */
    const int64_t all = nest->extent[loop];
    const int64_t part = lines / (all > unit ? all / unit : 1) + 1;
    struct bli_box_nest piece = *nest;
    char *at[BLI_MAX_OPERANDS];

    for (int64_t i = 0; i < all; i += piece.extent[loop]) {
        for (int32_t k = 0; k < operands; k++)
            at[k] = data[k] + i * nest->stride[loop][k];
        piece.extent[loop] = all - i < 2 * unit ? all - i : unit;
        bli_ahead_ask(&box->ahead, part);
        run_nest(&piece, operands, kernel, params, at);
    }
}

/* The same loops with operand `k` compact as before, but of elements of another size.
 */
static struct bli_box_nest resized(const struct bli_box_nest *nest, int32_t k,
                                   int64_t from, int64_t to)
{
    struct bli_box_nest other = *nest;

    for (int32_t i = 0; i < nest->loops; i++)
        other.stride[i][k] = nest->stride[i][k] / from * to;
    return other;
}

/* Bytes of an element between two conversions: only f16 and bf16 stand there. */
static const int64_t between_size = 2;

/* Convert operand `k` between memory and its tile: the result from it, inputs to it;
   ask for `lines` lines meanwhile. */
static void convert(struct bli_box *box, struct bli_tiles *tiles, int32_t k,
                    char *memory, const void *params, int64_t lines)
{
    const struct bli_tiling *const tiling = &box->plan->tiling;
    const int32_t side = k == 0 ? 1 : 0; /* the tile's in the nest: where to is 0 */
    char *const to = k == 0 ? memory : tiles->tile[k];
    char *const from = k == 0 ? tiles->tile[k] : memory;

    if (!tiling->round[k]) {
        char *const data[] = {to, from};

        run_pieces(box, &box->stage[k], 2, tiling->convert[k], params, data, 0,
                   BLI_ALIGNMENT / box->plan->size[k], lines);
        return;
    }

    /* What stands between is laid out as the tile: once in the tile's place in the
       nest, and once in that of the memory. */
    const struct bli_box_nest outer =
        resized(&box->stage[k], side, tile_size(box->plan, k), between_size);
    struct bli_box_nest inner = box->stage[k];
    char *const first[] = {tiles->between, from};
    char *const second[] = {to, tiles->between};

    for (int32_t i = 0; i < inner.loops; i++)
        inner.stride[i][1 - side] = outer.stride[i][side];
    run_nest(k == 0 ? &inner : &outer, 2, tiling->convert[k], NULL, first);
    run_nest(k == 0 ? &outer : &inner, 2, tiling->round[k], params, second);
}

/* Rows of the result past the caches. */
static void stream_rows(const struct bli_box *box, const struct bli_box_nest *nest,
                        char *memory, const char *from)
{
    const struct bl_plan *const plan = box->plan;
    const int64_t bytes = nest->extent[0] * plan->size[0];

    if (nest->loops > 2 || nest->stride[0][0] != plan->size[0]) {
        char *const data[] = {memory, (char *)(uintptr_t)from};

        run_nest(nest, 2, plan->isa->convert[plan->dtype[0]][plan->dtype[0]], NULL,
                 data);
        return;
    }
    for (int64_t i = 0; i < nest->extent[1]; i++)
        plan->isa->stream(memory + i * nest->stride[1][0],
                          from + i * nest->stride[1][1], bytes);
}

static void store_result(struct bli_box *box, struct bli_tiles *tiles, char *memory)
{
    const struct bl_plan *const plan = box->plan;

    if (box->streams && !plan->tiling.round[0] && plan->dtype[0] == plan->computed[0])
        stream_rows(box, &box->stage[0], memory, tiles->tile[0]);
    else
        convert(box, tiles, 0, memory, box->streams ? BLI_STREAMED : NULL, 0);
}

void bli_box_run(struct bli_box *box, struct bli_tiles *tiles, char *const *data)
{
    const int32_t operands = box->nest->operands;
    const void *const params =
        box->streams && !is_staged(box, 0) ? BLI_STREAMED : box->params;
    int64_t lines = box->ahead.lines;
    char *at[BLI_MAX_OPERANDS];
    int32_t steps = 1;

    for (int32_t k = 0; k < operands; k++) {
        const bool is_made = k > 0 && is_staged(box, k) && box->seen[k] != data[k];

        at[k] = is_staged(box, k) ? tiles->tile[k] : data[k];
        steps += is_made ? 1 : 0;
    }
    lines /= steps;
    for (int32_t k = 1; k < operands; k++) {
        if (!is_staged(box, k) || box->seen[k] == data[k])
            continue;
        convert(box, tiles, k, data[k], NULL, lines);
        box->seen[k] = data[k];
    }
    run_pieces(box, &box->kernel, operands, box->plan->kernel, params, at, 1,
               (box->kernel.extent[1] + 3) / 4, lines);
    if (is_staged(box, 0))
        store_result(box, tiles, data[0]);
}
