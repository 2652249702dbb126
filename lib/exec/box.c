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
                     const int64_t *stride, bool is_outermost, bool fuse)
{
    const int32_t last = nest->loops - 1;
    bool is_one = fuse && last >= 0;

    for (int32_t k = 0; is_one && k < operands; k++)
        is_one = stride[k] == nest->stride[last][k] * nest->extent[last];
    if (is_one) {
        nest->unit = nest->extent[last];
        nest->extent[last] *= extent;
    } else {
        nest->unit = 1;
        nest->extent[nest->loops] = extent;
        for (int32_t k = 0; k < operands; k++)
            nest->stride[nest->loops][k] = stride[k];
        nest->loops++;
    }
    nest->scales = is_outermost;
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

void bli_box_open(struct bli_box *box)
{
    const struct bli_nest *const nest = box->nest;
    const int32_t operands = nest->operands;
    int64_t tile[BLI_MAX_OPERANDS][BLI_BOX_LOOPS];

    box->kernel.loops = 0;
    for (int32_t k = 0; k < operands; k++) {
        box->stage[k].loops = 0;
        box->stage[k].scales = false;
        box->seen[k] = NULL;
        if (is_staged(box, k))
            lay_tile(box, k, tile[k]);
    }
    for (int32_t d = 0; d < box->dims; d++) {
        const bool is_outermost = d == box->dims - 1;
        const int64_t *const memory = nest->stride[box->loop[d]];
        int64_t stride[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < operands; k++) {
            const bool is_still = is_staged(box, k) && tile[k][d] == 0;
            const int64_t pair[] = {k == 0 ? memory[0] : tile[k][d],
                                    k == 0 ? tile[0][d] : memory[k]};

            stride[k] = is_staged(box, k) ? tile[k][d] : memory[k];
            if (is_staged(box, k) && !(is_still && box->is_fused))
                add_loop(&box->stage[k], 2, is_still ? 1 : box->extent[d], pair,
                         is_outermost, box->is_fused);
        }
        add_loop(&box->kernel, operands, box->extent[d], stride, is_outermost,
                 box->is_fused);
    }
    pad_loops(&box->kernel, operands);
    for (int32_t k = 0; k < operands; k++)
        pad_loops(&box->stage[k], 2);
}

static void resize_nest(const struct bli_box *box, struct bli_box_nest *nest,
                        const int64_t *extent)
{
    if (box->is_fused && nest->scales)
        nest->extent[nest->loops - 1] = nest->unit * extent[0];
    for (int32_t d = 0; d < 2 && !box->is_fused; d++)
        nest->extent[d] = extent[d];
}

void bli_box_resize(struct bli_box *box, const int64_t *extent)
{
    const int32_t operands = box->nest->operands;

    resize_nest(box, &box->kernel, extent);
    for (int32_t k = 0; k < operands; k++) {
        struct bli_box_nest *const stage = &box->stage[k];

        if (!is_staged(box, k))
            continue;
        resize_nest(box, stage, extent);
        for (int32_t d = 0; d < 2 && !box->is_fused; d++)
            if (k > 0 && stage->stride[d][0] == 0)
                stage->extent[d] = 1;
        /* A tile of fewer elements is not one of more. */
        box->seen[k] = NULL;
    }
}

static void run_nest(const struct bli_box_nest *nest, int32_t operands,
                     bli_kernel *kernel, const void *params, char *const *data)
{
    const int32_t loops = nest->loops < 2 ? 2 : nest->loops;

    bli_walk_loops(loops, nest->extent, nest->stride, operands, kernel, params, data);
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

/* Convert operand `k` between memory and its tile: the result from it, inputs to it. */
static void convert(const struct bli_box *box, struct bli_tiles *tiles, int32_t k,
                    char *memory, const void *params)
{
    const struct bli_tiling *const tiling = &box->plan->tiling;
    const int32_t side = k == 0 ? 1 : 0; /* the tile's in the nest: where to is 0 */
    char *const to = k == 0 ? memory : tiles->tile[k];
    char *const from = k == 0 ? tiles->tile[k] : memory;

    if (!tiling->round[k]) {
        char *const data[] = {to, from};

        run_nest(&box->stage[k], 2, tiling->convert[k], params, data);
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

static void store_result(const struct bli_box *box, struct bli_tiles *tiles,
                         char *memory)
{
    const struct bl_plan *const plan = box->plan;

    if (box->streams && !plan->tiling.round[0] && plan->dtype[0] == plan->computed[0])
        stream_rows(box, &box->stage[0], memory, tiles->tile[0]);
    else
        convert(box, tiles, 0, memory, box->streams ? BLI_STREAMED : NULL);
}

void bli_box_run(struct bli_box *box, struct bli_tiles *tiles, char *const *data)
{
    const int32_t operands = box->nest->operands;
    char *at[BLI_MAX_OPERANDS];

    for (int32_t k = 0; k < operands; k++)
        at[k] = is_staged(box, k) ? tiles->tile[k] : data[k];
    for (int32_t k = 1; k < operands; k++) {
        if (!is_staged(box, k) || box->seen[k] == data[k])
            continue;
        convert(box, tiles, k, data[k], NULL);
        box->seen[k] = data[k];
    }
    run_nest(&box->kernel, operands, box->plan->kernel,
             box->streams && !is_staged(box, 0) ? BLI_STREAMED : box->params, at);
    if (is_staged(box, 0))
        store_result(box, tiles, data[0]);
}
