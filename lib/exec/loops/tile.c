/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs one tile: stages inputs, calls the kernel, stores a staged result.
 */
#include "exec/loops/tile.h"
#include "exec/loops/loop_nest.h"

static bool is_staged(const struct bli_tile *tile, int32_t k)
{
    return (tile->staged >> k & 1) != 0;
}

/* Return operand k's staging buffer. */
static char *buffer_of(const struct bli_tile *tile, int32_t k)
{
    return tile->staging + tile->plan->tiling.buffer[k];
}

/* Return the bytes of an element in operand k's staging buffer. */
static int64_t element_size(const struct bl_plan *plan, int32_t k)
{
    return bli_dtypes[plan->computed[k]].size;
}

/* Compute the strides of operand k's staging buffer along the loops of a tile. */
static void set_buffer_strides(const struct bli_tile *tile, int32_t k, int64_t *stride)
{
    int64_t step = element_size(tile->plan, k);

    for (int32_t d = 0; d < tile->dims; d++) {
        stride[d] = tile->layout->repeated[k] >> d & 1 ? 0 : step;
        if (stride[d] != 0)
            step *= tile->extent[d];
    }
}

/*
 * Add a loop of `operands` operands, or extend the last one if the two are contiguous.
 */
static void add_loop(struct bli_tile_nest *nest, int32_t operands, int64_t extent,
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

/* Add loops of one iteration until there are two, which kernels expect. */
static void pad_loops(struct bli_tile_nest *nest, int32_t operands)
{
    for (int32_t i = nest->loops; i < 2; i++) {
        nest->extent[i] = 1;
        for (int32_t k = 0; k < operands; k++)
            nest->stride[i][k] = 0;
    }
}

/*
 * Make the nest that copies operand k between memory and its staging buffer, whose
 * strides are `buffer_stride`.
 */
static void make_copy_nest(struct bli_tile *tile, int32_t k,
                           const int64_t *buffer_stride)
{
    const int32_t second =
        tile->layout->second[k] < tile->dims ? tile->layout->second[k] : 0;

    tile->stage[k].loops = 0;
    for (int32_t i = 0; i < tile->dims; i++) {
        const int32_t d = i == 0 || i > second ? i : i == 1 ? second : i - 1;
        const int64_t memory = tile->nest->stride[tile->loop[d]][k];
        const int64_t pair[] = {k == 0 ? memory : buffer_stride[d],
                                k == 0 ? buffer_stride[d] : memory};

        if (buffer_stride[d] != 0)
            add_loop(&tile->stage[k], 2, tile->extent[d], pair);
    }
    pad_loops(&tile->stage[k], 2);
}

void bli_tile_open(struct bli_tile *tile)
{
    const struct bli_nest *const nest = tile->nest;
    const int32_t operands = nest->operands;
    int64_t buffer_stride[BLI_MAX_OPERANDS][BLI_TILE_LOOPS];

    for (int32_t k = 0; k < operands; k++) {
        tile->staged_from[k] = NULL;
        if (is_staged(tile, k)) {
            set_buffer_strides(tile, k, buffer_stride[k]);
            make_copy_nest(tile, k, buffer_stride[k]);
        }
    }
    tile->kernel.loops = 0;
    for (int32_t d = 0; d < tile->dims; d++) {
        int64_t stride[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < operands; k++)
            stride[k] = is_staged(tile, k) ? buffer_stride[k][d]
                                           : nest->stride[tile->loop[d]][k];
        add_loop(&tile->kernel, operands, tile->extent[d], stride);
    }
    pad_loops(&tile->kernel, operands);
}

/* Call a kernel for all iterations of a tile's nest. */
static void run_nest(const struct bli_tile_nest *nest, int32_t operands,
                     bli_kernel *kernel, const void *params, char *const *data)
{
    const int32_t loops = nest->loops < 2 ? 2 : nest->loops;

    bli_walk_loops(loops, nest->extent, nest->stride, operands, kernel, params, data);
}

/*
 * Run a nest in pieces of `unit` iterations or more of loop `loop`, and prefetch a part
 * of `lines` cache lines before each: the memory of the next tile arrives while this
 * one is computed.  Prefetching all of them at once would keep the processor waiting:
 * 0.92 of the speed.
 */
static void run_pieces(struct bli_tile *tile, const struct bli_tile_nest *nest,
                       int32_t operands, bli_kernel *kernel, const void *params,
                       char *const *data, int32_t loop, int64_t unit, int64_t lines)
{
    if (lines == 0) {
        run_nest(nest, operands, kernel, params, data);
        return;
    }

    /* Divisions and a copy: they cost more than some tiles that prefetch nothing. */
    const int64_t all = nest->extent[loop];
    const int64_t part = lines / (all > unit ? all / unit : 1) + 1;
    struct bli_tile_nest piece = *nest;
    char *at[BLI_MAX_OPERANDS];

    for (int64_t i = 0; i < all; i += piece.extent[loop]) {
        for (int32_t k = 0; k < operands; k++)
            at[k] = data[k] + i * nest->stride[loop][k];
        piece.extent[loop] = all - i < 2 * unit ? all - i : unit;
        bli_prefetch_issue(&tile->prefetch, part);
        run_nest(&piece, operands, kernel, params, at);
    }
}

/*
 * Return `nest` with the strides of operand `k` scaled from elements of `from` bytes to
 * elements of `to` bytes.
 */
static struct bli_tile_nest resized(const struct bli_tile_nest *nest, int32_t k,
                                    int64_t from, int64_t to)
{
    struct bli_tile_nest other = *nest;

    for (int32_t i = 0; i < nest->loops; i++)
        other.stride[i][k] = nest->stride[i][k] / from * to;
    return other;
}

/*
 * Convert operand `k` between memory and its staging buffer: inputs to the buffer, the
 * result from it.  Prefetch `lines` cache lines meanwhile.
 */
static void convert(struct bli_tile *tile, int32_t k, char *memory, const void *params,
                    int64_t lines)
{
    const struct bli_tiling *const tiling = &tile->plan->tiling;
    /* The buffer's operand in the nest; operand 0 is the destination. */
    const int32_t side = k == 0 ? 1 : 0;
    char *const intermediate = tile->staging + tiling->intermediate;
    char *const to = k == 0 ? memory : buffer_of(tile, k);
    char *const from = k == 0 ? buffer_of(tile, k) : memory;

    if (!tiling->narrow[k]) {
        char *const data[] = {to, from};

        run_pieces(tile, &tile->stage[k], 2, tiling->convert[k], params, data, 0,
                   BLI_ALIGNMENT / tile->plan->size[k], lines);
        return;
    }

    /*
     * The intermediate elements are laid out as the staging buffer: they take the
     * buffer's place in one nest, and the memory's place in the other.
     */
    const struct bli_tile_nest outer = resized(
        &tile->stage[k], side, element_size(tile->plan, k), BLI_INTERMEDIATE_SIZE);
    struct bli_tile_nest inner = tile->stage[k];
    char *const first[] = {intermediate, from};
    char *const second[] = {to, intermediate};

    for (int32_t i = 0; i < inner.loops; i++)
        inner.stride[i][1 - side] = outer.stride[i][side];
    run_nest(k == 0 ? &inner : &outer, 2, tiling->convert[k], NULL, first);
    run_nest(k == 0 ? &outer : &inner, 2, tiling->narrow[k], params, second);
}

/* Write rows of the result with non-temporal stores. */
static void store_rows_non_temporal(const struct bli_tile *tile,
                                    const struct bli_tile_nest *nest, char *memory,
                                    const char *from)
{
    const struct bl_plan *const plan = tile->plan;
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

/* Store a staged result: directly where it needs no conversion, else converting it. */
static void store_result(struct bli_tile *tile, char *memory)
{
    const struct bl_plan *const plan = tile->plan;

    if (tile->non_temporal && !plan->tiling.narrow[0] &&
        plan->dtype[0] == plan->computed[0])
        store_rows_non_temporal(tile, &tile->stage[0], memory, buffer_of(tile, 0));
    else
        convert(tile, 0, memory, tile->non_temporal ? BLI_NT_STORES : NULL, 0);
}

void bli_tile_run(struct bli_tile *tile, char *const *data)
{
    const int32_t operands = tile->nest->operands;
    int64_t lines = tile->prefetch.lines;
    char *at[BLI_MAX_OPERANDS];
    int32_t steps = 1;

    for (int32_t k = 0; k < operands; k++) {
        const bool is_made =
            k > 0 && is_staged(tile, k) && tile->staged_from[k] != data[k];

        at[k] = is_staged(tile, k) ? buffer_of(tile, k) : data[k];
        steps += is_made ? 1 : 0;
    }
    lines /= steps;
    for (int32_t k = 1; k < operands; k++) {
        if (!is_staged(tile, k) || tile->staged_from[k] == data[k])
            continue;
        convert(tile, k, data[k], NULL, lines);
        tile->staged_from[k] = data[k];
    }
    run_pieces(tile, &tile->kernel, operands, tile->plan->kernel, tile->params, at, 1,
               (tile->kernel.extent[1] + 3) / 4, lines);
    if (is_staged(tile, 0))
        store_result(tile, data[0]);
}
