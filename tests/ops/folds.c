/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that add outputs to lanes: the lanes, the other outputs, and the exceptions
 * are those of the program that stores all outputs, and of the reducer that then adds
 * them, in every instruction set.
 */
#include <fenv.h>
#include <string.h>

#include "harness/limits.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "kernels/reduce/reduce.h"
#include "kernels_data.h"
#include "segments.h"

enum { PROGRAMS = 1500, MOST_ROWS = 3, LANES = BLI_REDUCE_LANES / 8 };

/* What is run: `rows` rows of `count` elements, of which the outputs in `folds` are
 * added. */
struct folding {
    struct bli_segment segment;
    struct bli_program program;
    int64_t count, rows;
    uint64_t seed;
    uint32_t outputs, folds;
    char *stored[BLI_PROGRAM_OPERANDS], *data[BLI_PROGRAM_OPERANDS];
    int64_t step[BLI_PROGRAM_OPERANDS];
    _Alignas(64) double lanes[BLI_PROGRAM_OPERANDS][MOST_ROWS][LANES];
};

/* Have some outputs of the computed type be added; false where there is none. */
static bool choose_folds(struct folding *folding, struct rng *rng)
{
    struct bli_segment *const segment = &folding->segment;

    folding->outputs = folding->folds = 0;
    for (int32_t v = 0; v < segment->count; v++) {
        struct bli_value *const value = &segment->value[v];

        if (value->output < 0)
            continue;
        folding->outputs |= UINT32_C(1) << value->output;
        value->folds = value->dtype == (int16_t)segment->computes &&
                       (folding->folds == 0 || rng_below(rng, 2) == 0);
        folding->folds |= (uint32_t)value->folds << value->output;
    }
    return folding->folds != 0;
}

/* Place operands, fill what is read, and begin lanes somewhere. */
static void prepare(struct folding *folding, struct rng *rng)
{
    const struct bli_segment *const segment = &folding->segment;
    const bool at_end = rng_below(rng, 2) == 0;
    /* With one more, nothing at the end of pages is aligned. */
    const int64_t all = folding->count * folding->rows + rng_below(rng, 2);

    for (int32_t k = 0; k < segment->operands; k++) {
        bool is_output;
        const bl_dtype dtype = segment_dtype(segment, k, &is_output);

        folding->stored[k] = folding->data[k] = segment_place(k, dtype, all, at_end);
        folding->step[k] = folding->count * bli_dtypes[dtype].size;
        if (!is_output)
            kernels_fill(dtype, folding->data[k], (size_t)all,
                         folding->seed + (uint64_t)k);
        else
            folding->data[k] =
                segment_place(BLI_PROGRAM_OPERANDS + k, dtype, all, at_end);
    }
    for (int32_t v = 0; v < segment->count; v++)
        if (segment->value[v].kind == BLI_VALUE_STILL)
            folding->step[segment->value[v].operand] = 0;
    for (int32_t k = 0; k < BLI_PROGRAM_OPERANDS; k++)
        for (int64_t i = 0; i < MOST_ROWS * LANES; i++)
            folding->lanes[k][i / LANES][i % LANES] = (double)rng_below(rng, 1000) / 7;
}

/* Store all outputs, and add those that are folded by the reducer. */
static int store_and_reduce(struct folding *folding, const struct bli_isa *isa,
                            double (*lanes)[MOST_ROWS][LANES])
{
    const bl_dtype computes = folding->segment.computes;
    const struct bli_reducer *const how =
        bli_reducer(bli_isa_reducers(isa), BLI_REDUCE_OP_SUM, computes);

    memcpy(lanes, folding->lanes, sizeof folding->lanes);
    feclearexcept(FE_ALL_EXCEPT);
    isa->run_program(&folding->program, folding->stored, folding->count, folding->rows,
                     folding->step, 0);
    for (uint32_t left = folding->folds; left != 0; left &= left - 1) {
        const int32_t k = __builtin_ctz(left);

        how->accumulate(how, lanes[k], folding->stored[k], folding->step[k],
                        folding->rows, 0, folding->count, false, true);
    }
    return fetestexcept(FE_ALL_EXCEPT);
}

/* Add outputs to lanes where they are computed. */
static int fold(struct folding *folding, const struct bli_isa *isa, uint32_t streams,
                double (*lanes)[MOST_ROWS][LANES])
{
    char *data[BLI_PROGRAM_OPERANDS];
    int64_t step[BLI_PROGRAM_OPERANDS];
    int raised;

    memcpy(lanes, folding->lanes, sizeof folding->lanes);
    memcpy(data, folding->data, sizeof data);
    memcpy(step, folding->step, sizeof step);
    for (uint32_t left = folding->folds; left != 0; left &= left - 1) {
        const int32_t k = __builtin_ctz(left);

        data[k] = (char *)lanes[k];
        step[k] = BLI_REDUCE_LANES;
    }
    feclearexcept(FE_ALL_EXCEPT);
    isa->run_program(&folding->program, data, folding->count, folding->rows, step,
                     streams | folding->folds);
    raised = fetestexcept(FE_ALL_EXCEPT);
    isa->stream_fence();
    return raised;
}

static bool same(const struct folding *folding, double (*want)[MOST_ROWS][LANES],
                 double (*lanes)[MOST_ROWS][LANES])
{
    bool same = true;

    for (int32_t k = 0; k < folding->segment.operands; k++) {
        bool is_output;
        const bl_dtype dtype = segment_dtype(&folding->segment, k, &is_output);
        const int64_t size = bli_dtypes[dtype].size;

        for (int64_t i = 0; i < MOST_ROWS * LANES; i++)
            same &=
                kernels_same(BL_DTYPE_F64, (const char *)&want[k][i / LANES][i % LANES],
                             (const char *)&lanes[k][i / LANES][i % LANES]);
        for (int64_t i = 0; i < folding->count * folding->rows; i++)
            same &= !is_output || (folding->folds >> k & 1) != 0 ||
                    kernels_same(dtype, folding->stored[k] + i * size,
                                 folding->data[k] + i * size);
    }
    return same;
}

static bool check(struct folding *folding, const struct bli_isa *isa, uint32_t streams)
{
    _Alignas(64) static double want[BLI_PROGRAM_OPERANDS][MOST_ROWS][LANES];
    _Alignas(64) static double lanes[BLI_PROGRAM_OPERANDS][MOST_ROWS][LANES];
    int wanted, raised;

    isa->prepare_program(&folding->program);
    wanted = store_and_reduce(folding, isa, want);
    raised = fold(folding, isa, streams, lanes);
    if (raised == wanted && same(folding, want, lanes))
        return true;
    tap_note("%s, %s with %d banks, %d rows of %d: exceptions 0x%x, not 0x%x",
             isa->name, bli_dtypes[folding->segment.computes].name,
             (int)folding->program.banks, (int)folding->rows, (int)folding->count,
             (unsigned)raised, (unsigned)wanted);
    return false;
}

int main(void)
{
    /* Whole groups with every instruction set; and from the longest one on. */
    static const int64_t counts[] = {128, 256, 384, 1024};
    struct rng rng = rng_new();
    int32_t made = 0, trees = 0, several = 0;
    bool all = true;

    tap_plan();
    if (!segment_open()) {
        tap_ok(false, "guarded memory");
        return tap_done();
    }
    for (int32_t p = 0; p < PROGRAMS; p++) {
        static struct folding folding;

        folding.count = rng_below(&rng, 2) == 0 ? counts[rng_below(&rng, 4)]
                                                : 128 + (int64_t)rng_below(&rng, 300);
        folding.rows = 1 + rng_below(&rng, MOST_ROWS);
        folding.seed = (uint64_t)rng_below(&rng, 1 << 30);
        segment_random(&rng, &folding.segment, 1 + rng_below(&rng, 12));
        if (!choose_folds(&folding, &rng) ||
            !bli_program_make(&folding.program, &folding.segment))
            continue;
        made++;
        trees += folding.program.banks == 3;
        several += (folding.folds & (folding.folds - 1)) != 0;
        prepare(&folding, &rng);
        for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
            if (bli_isa_pick(bli_isa_all[k]) == bli_isa_all[k])
                all &= check(&folding, bli_isa_all[k], p % 2 ? folding.outputs : 0);
    }
    tap_ok(all, "%d programs add what they store, and the reducer adds", (int)made);
    tap_ok(made > PROGRAMS / 3 && trees > made / 10 && trees < made && several > 20,
           "%d with three banks, %d of several sums", (int)trees, (int)several);
    segment_close();
    limits_one_thread();
    return tap_done();
}
