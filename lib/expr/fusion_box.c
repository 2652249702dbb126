/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a range of a fusion, a box of elements after the other: buffers are filled from
 * memory, operations compute, results in buffers are written.
 */
#include "expr/fusion_box.h"

#include "core/float_control.h"
#include "exec/loops/loop_nest.h"
#include "exec/loops/odometer.h"

struct walk {
    const struct bli_fusion_binding *binding;
    const struct bli_fusion *fusion;
    char *at[BLI_FUSION_PLACES]; /* of places, in this box */
    char *data[BLI_FUSION_OPERANDS];
    int64_t index[BL_MAX_RANK];
    int64_t below[BLI_TILE_LOOPS]; /* iterations of the loops inside each loop */
    int64_t left;
    /* Where each input's buffer was filled from last, and how many elements. */
    const char *from[BLI_FUSION_OPERANDS];
    int64_t filled[BLI_FUSION_OPERANDS];
    int32_t level; /* of the box before */
};

/* ---- buffers ---- */

void bli_fusion_copy(const struct bli_fusion *fusion, int32_t k, int32_t level,
                     int64_t run, char *to, char *from)
{
    const struct bli_fusion_operand *const operand = &fusion->operand[k];
    const bool still = fusion->place[k].step == 0;
    char *const data[] = {to, from};
    int64_t extent[BLI_TILE_LOOPS] = {1, 1};

    for (int32_t i = 0; i < level && !still; i++)
        extent[i] = fusion->extent[i];
    if (!still)
        extent[level] = run;
    bli_walk_loops(still || level < 1 ? 2 : level + 1, extent,
                   (const int64_t(*)[BLI_MAX_OPERANDS])operand->stride, 2,
                   operand->convert, NULL, data);
}

/* Fill the buffers of inputs that have moved. */
static void fill(struct walk *walk, int32_t level, int64_t run)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t count = walk->below[level] * run;

    for (int32_t k = fusion->results; k < fusion->operands; k++) {
        if (!(fusion->staged >> k & 1) ||
            (walk->from[k] == walk->data[k] && walk->level == level &&
             (fusion->place[k].step == 0 || walk->filled[k] >= count)))
            continue;
        bli_fusion_copy(fusion, k, level, run, walk->at[k], walk->data[k]);
        walk->from[k] = walk->data[k];
        walk->filled[k] = count;
    }
    walk->level = level;
}

/* Write the results that are in buffers. */
static void empty(const struct walk *walk, int32_t level, int64_t run)
{
    const struct bli_fusion *const fusion = walk->fusion;

    for (int32_t k = 0; k < fusion->results; k++) {
        if (!(fusion->staged >> k & 1))
            continue;
        if (walk->binding->streams >> k & 1 && level == 0)
            fusion->isa->stream(walk->data[k], walk->at[k],
                                run * bli_fusion_size(fusion, k));
        else
            bli_fusion_copy(fusion, k, level, run, walk->data[k], walk->at[k]);
    }
}

/* ---- operations ---- */

static void run_kernel(const struct bli_fusion_binding *binding,
                       const struct bli_fusion_operation *operation, char *const *at,
                       int64_t count, int64_t rows)
{
    const struct bli_fusion *const fusion = binding->fusion;
    struct bli_float_control own;
    char *data[BLI_MAX_OPERANDS] = {NULL};
    const int32_t result = operation->place[0];
    const bool streams = operation->can_be_nt && result < fusion->results &&
                         !(fusion->staged >> result & 1) &&
                         binding->streams >> result & 1;
    const bool is_set = operation->wants_nearest && bli_float_enter_nearest(&own);

    for (int32_t k = 0; k < operation->count; k++)
        data[k] = at[operation->place[k]];
    bli_kernel_run(operation->kernel, data,
                   (const int64_t(*)[BLI_MAX_OPERANDS])operation->stride, count, rows,
                   streams ? BLI_NT_STORES : NULL);
    if (is_set)
        bli_float_control_set(own);
}

static void run_program(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_operation *operation, char *const *at,
                        int64_t count, int64_t rows)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_program *const program = bli_fusion_program(binding, operation);
    const uint32_t unbuffered = binding->streams & ~fusion->staged;
    char *data[BLI_PROGRAM_OPERANDS];
    int64_t step[BLI_PROGRAM_OPERANDS];
    uint32_t streams = bli_fusion_adds(fusion, count) ? program->folds : 0;

    if (operation->is_only && rows == 1) {
        fusion->isa->run_program(program, at, count, 1, NULL, unbuffered | streams);
        return;
    }
    for (int32_t k = 0; k < operation->count; k++) {
        const int32_t place = operation->place[k];

        data[k] = at[place];
        if (rows > 1)
            step[k] = fusion->row[place];
        if (place < fusion->results)
            streams |= (unbuffered >> place & 1) << k;
    }
    fusion->isa->run_program(program, data, count, rows, step, streams);
}

void bli_fusion_operate(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_operation *operation, char *const *at,
                        int64_t count, int64_t rows)
{
    if (operation->is_dense) {
        count *= rows;
        rows = 1;
    }
    if (operation->program)
        run_program(binding, operation, at, count, rows);
    else if (operation->is_row)
        run_kernel(binding, operation, at, rows, 1);
    else
        run_kernel(binding, operation, at, count, rows);
}

/* Elements that are computed, and prefetched of the next box, at a time. */
#define PIECE 1024

/*
 * Prefetch to L2 what some rows of the box at `data` have in memory.  GCC removes
 * functions that do no more than prefetch, unless they are part of another one.
 */
static inline __attribute__((always_inline)) void
prefetch_rows(const struct bli_fusion *fusion, uint32_t operands, char *const *data,
              bl_range rows, bl_range elements)
{
    for (int32_t k = fusion->results; operands >> k != 0; k++) {
        const int64_t step = fusion->place[k].step;

        for (int64_t i = rows.begin; i < rows.end && operands >> k & 1; i++)
            for (int64_t b = elements.begin * step; b < elements.end * step;
                 b += BLI_ALIGNMENT)
                __builtin_prefetch(data[k] + i * fusion->row[k] + b, 0, 2);
    }
}

void bli_fusion_operate_ahead(const struct bli_fusion_binding *binding,
                              const struct bli_fusion_operation *operation,
                              char *const *at, char *const *data, int64_t count,
                              int64_t rows)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const int64_t at_once = count < PIECE ? PIECE / count : 1;
    char *piece[BLI_FUSION_PLACES];

    for (int64_t i = 0; i < rows; i += at_once)
        for (int64_t j = 0; j < count; j += PIECE) {
            const int64_t many = rows - i < at_once ? rows - i : at_once;
            const int64_t run = count - j < PIECE ? count - j : PIECE;

            prefetch_rows(fusion, operation->ahead, data,
                          (bl_range){rows + i, rows + i + many},
                          (bl_range){j, j + run});
            for (int32_t k = 0, p; k < operation->count; k++) {
                p = operation->place[k];
                piece[p] = at[p] + i * fusion->row[p] + j * fusion->place[p].step;
            }
            bli_fusion_operate(binding, operation, piece, run, many);
        }
}

static void run_box(struct walk *walk, int32_t level, int64_t run)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const bool has_rows = fusion->takes_rows && level == 1;
    const int64_t rows = has_rows ? run : 1;
    const int64_t count = walk->below[level] * (has_rows ? 1 : run);

    for (int32_t k = 0; k < fusion->operands; k++)
        if (fusion->place[k].buffer < 0)
            walk->at[k] = walk->data[k];
    if (fusion->staged)
        fill(walk, level, run);
    for (int32_t o = 0; o < fusion->operations; o++)
        bli_fusion_operate(walk->binding, &fusion->operation[o], walk->at, count, rows);
    if (fusion->staged)
        empty(walk, level, run);
}

/* ---- ranges ---- */

static struct bli_loops loops_of(const struct bli_fusion *fusion)
{
    return (struct bli_loops){.count = fusion->loops,
                              .operands = fusion->operands,
                              .extent = fusion->extent,
                              .stride = fusion->stride,
                              .pitch = fusion->operands};
}

/*
 * The outermost loop, up to that of whole boxes, of which at least one whole iteration
 * can be run now.
 */
static int32_t find_level(const struct walk *walk)
{
    int32_t level = walk->fusion->level;
    bool is_aligned = true;

    for (int32_t i = 0; i < level; i++)
        is_aligned = is_aligned && walk->index[i] == 0;
    while (level > 0 && (!is_aligned || walk->left < walk->below[level])) {
        level--;
        is_aligned = true;
        for (int32_t i = 0; i < level; i++)
            is_aligned = is_aligned && walk->index[i] == 0;
    }
    return level;
}

/*
 * Most iterations of the next box. With non-temporal stores boxes begin at multiples of
 * their length, also in a range that does not.
 */
static int64_t most_iterations(const struct walk *walk)
{
    const int64_t length = walk->fusion->length;

    return walk->binding->streams ? length - walk->index[walk->fusion->level] % length
                                  : length;
}

static void open_walk(struct walk *walk, const struct bli_fusion_binding *binding,
                      bl_range range, char *staging)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_loops loops = loops_of(fusion);

    walk->binding = binding;
    walk->fusion = fusion;
    walk->left = range.end - range.begin;
    walk->level = -1;
    walk->below[0] = 1;
    for (int32_t i = 0; i < fusion->level; i++)
        walk->below[i + 1] = walk->below[i] * fusion->extent[i];
    for (int32_t k = 0; k < fusion->operands; k++) {
        walk->data[k] = binding->data[k];
        walk->from[k] = NULL;
    }
    for (int32_t k = 0; k < fusion->places; k++)
        if (fusion->place[k].buffer >= 0)
            walk->at[k] = staging + fusion->place[k].buffer;
    bli_loops_go_to(&loops, walk->index, walk->data, range.begin);
}

void bli_fusion_walk(const struct bli_fusion_binding *binding, bl_range range,
                     char *staging)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_loops loops = loops_of(fusion);
    struct walk walk;

    if (range.end <= range.begin)
        return;
    open_walk(&walk, binding, range, staging);
    while (walk.left > 0) {
        const int32_t level = find_level(&walk);
        int64_t run = fusion->extent[level] - walk.index[level];

        if (level == fusion->level && run > most_iterations(&walk))
            run = most_iterations(&walk);
        if (run > walk.left / walk.below[level])
            run = walk.left / walk.below[level];
        run_box(&walk, level, run);
        walk.left -= run * walk.below[level];
        (void)bli_loops_advance(&loops, walk.index, walk.data, level, run);
    }
    if (binding->streams)
        fusion->isa->stream_fence();
}
