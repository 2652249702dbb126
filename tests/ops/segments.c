/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments for tests/ops/registers.c. */
#include "segments.h"

#include <fenv.h>
#include <inttypes.h>
#include <string.h>

#include "harness/floating.h"
#include "harness/guarded.h"
#include "harness/tap.h"
#include "kernels_data.h"

enum {
    ELEMENT = 8,
    BYTES = SEGMENT_MOST * ELEMENT,
    PLACES = 2 * BLI_PROGRAM_OPERANDS /* the second half for the expected outputs */
};

static struct guarded guarded[PLACES];
static char values[BLI_SEGMENT_VALUES][BYTES] __attribute__((aligned(64)));

void segment_begin(struct bli_segment *segment, bl_dtype computes)
{
    segment->computes = computes;
    segment->operands = segment->count = 0;
    segment->is_in_place = false;
}

static int16_t add(struct bli_segment *segment, struct bli_value value)
{
    value.output = -1;
    segment->value[segment->count] = value;
    return (int16_t)segment->count++;
}

int16_t segment_operand(struct bli_segment *segment, int32_t kind, bl_dtype dtype)
{
    return add(segment, (struct bli_value){.kind = (int16_t)kind,
                                           .dtype = (int16_t)dtype,
                                           .operand = (int16_t)segment->operands++});
}

int16_t segment_op(struct bli_segment *segment, bl_op op, bl_dtype dtype, int16_t a,
                   int16_t b, int16_t c, int16_t d)
{
    return add(segment, (struct bli_value){.kind = BLI_VALUE_OPERATOR,
                                           .dtype = (int16_t)dtype,
                                           .op = (int16_t)op,
                                           .input = {a, b, c, d}});
}

void segment_output(struct bli_segment *segment, int16_t value)
{
    segment->value[value].output = (int16_t)segment->operands++;
}

bl_dtype segment_dtype(const struct bli_segment *segment, int32_t k, bool *is_output)
{
    *is_output = false;
    for (int32_t v = 0; v < segment->count; v++) {
        const struct bli_value *const value = &segment->value[v];

        *is_output = value->output == k;
        if (*is_output || (value->kind != BLI_VALUE_OPERATOR && value->operand == k))
            return (bl_dtype)value->dtype;
    }
    return BL_DTYPE_NONE;
}

bool segment_open(void)
{
    for (int32_t k = 0; k < PLACES; k++)
        if (!guarded_open(&guarded[k], BYTES, false))
            return false;
    return true;
}

void segment_close(void)
{
    for (int32_t k = 0; k < PLACES; k++)
        guarded_close(&guarded[k]);
}

char *segment_place(int32_t k, bl_dtype dtype, int64_t count, bool at_end)
{
    const size_t bytes = (size_t)(count * bli_dtypes[dtype].size);

    return guarded[k].pages + guarded_place(&guarded[k], bytes, at_end);
}

/* ---- one kernel after the other ---- */

static int32_t inputs_of(const struct bli_value *value)
{
    return value->kind == BLI_VALUE_OPERATOR ? bli_ops[value->op].count : 0;
}

/* Find the values that outputs need. */
static void find_needed(const struct bli_segment *segment, bool *is_needed)
{
    for (int32_t v = segment->count - 1; v >= 0; v--) {
        const struct bli_value *const value = &segment->value[v];

        is_needed[v] |= value->output >= 0;
        for (int32_t k = 0; k < inputs_of(value); k++)
            is_needed[value->input[k]] |= is_needed[v];
    }
}

void segment_kernels(const struct bli_isa *isa, const struct bli_segment *segment,
                     char *const *data, int64_t count, int *raised)
{
    bool is_needed[BLI_SEGMENT_VALUES] = {false};

    find_needed(segment, is_needed);
    feclearexcept(FE_ALL_EXCEPT);
    for (int32_t v = 0; v < segment->count; v++) {
        const struct bli_value *const value = &segment->value[v];
        int64_t stride[2][BLI_MAX_OPERANDS] = {{bli_dtypes[value->dtype].size}};
        char *operand[BLI_MAX_OPERANDS] = {values[v]};
        bl_dtype from = BL_DTYPE_NONE;

        for (int32_t k = 0; k < inputs_of(value); k++) {
            const struct bli_value *const in = &segment->value[value->input[k]];
            const bool is_computed = in->kind == BLI_VALUE_OPERATOR;

            from = (bl_dtype)in->dtype;
            operand[1 + k] = is_computed ? values[value->input[k]] : data[in->operand];
            stride[0][1 + k] =
                in->kind == BLI_VALUE_STILL ? 0 : bli_dtypes[in->dtype].size;
        }
        if (value->kind == BLI_VALUE_OPERATOR && is_needed[v])
            kernels_call(bli_isa_kernel(isa, value->op, from, (bl_dtype)value->dtype),
                         bli_op_wants_nearest((bl_op)value->op, from), operand, stride,
                         count);
    }
    *raised = fetestexcept(FLOATING_COMPARED);
    /* Outputs are stored last: they may be streams. */
    for (int32_t v = 0; v < segment->count; v++) {
        const struct bli_value *const value = &segment->value[v];
        const int64_t size = bli_dtypes[value->dtype].size;
        const bool is_computed = value->kind == BLI_VALUE_OPERATOR;
        const char *const from = is_computed ? values[v] : data[value->operand];

        for (int64_t j = 0; value->output >= 0 && j < count; j++)
            memmove(data[value->output] + j * size,
                    from + (value->kind == BLI_VALUE_STILL ? 0 : j) * size,
                    (size_t)size);
    }
}

/* ---- both ---- */

/* Fill the operands that are read, and set outputs to the same bytes. */
static void prepare(const struct bli_segment *segment,
                    const struct bli_program *program, const struct segment_run *run,
                    char **data, char **want)
{
    bool is_first = run->in_place;

    for (int32_t k = 0; k < segment->operands; k++) {
        bool is_output;
        const bl_dtype dtype = segment_dtype(segment, k, &is_output);
        const size_t bytes = (size_t)(run->count * bli_dtypes[dtype].size);

        data[k] = segment_place(k, dtype, run->count, run->at_end);
        want[k] = data[k];
        if (!is_output) {
            const bool is_one = run->count == 0;

            kernels_fill(dtype, is_one ? values[0] : data[k],
                         (size_t)(is_one ? 1 : run->count), run->seed + (uint64_t)k);
            continue;
        }
        want[k] =
            segment_place(BLI_PROGRAM_OPERANDS + k, dtype, run->count, run->at_end);
        memset(data[k], 0x5a, bytes);
        memset(want[k], 0x5a, bytes);
        for (int32_t j = 0; is_first && j < k; j++) {
            bool is_other;

            if (segment_dtype(segment, j, &is_other) == dtype && !is_other &&
                segment->value[j].kind == BLI_VALUE_STREAM &&
                (segment->is_in_place || program->last_at[j] < program->last_at[k])) {
                data[k] = data[j];
                is_first = false;
            }
        }
    }
}

static bool same_outputs(const char *what, const struct bli_segment *segment,
                         const struct segment_run *run, char *const *data,
                         char *const *want)
{
    for (int32_t k = 0; k < segment->operands; k++) {
        bool is_output;
        const bl_dtype dtype = segment_dtype(segment, k, &is_output);
        const int64_t size = bli_dtypes[dtype].size;

        for (int64_t j = 0; is_output && j < run->count; j++)
            if (!kernels_same(dtype, data[k] + j * size, want[k] + j * size)) {
                uint64_t a = 0, b = 0;

                memcpy(&a, data[k] + j * size, (size_t)size);
                memcpy(&b, want[k] + j * size, (size_t)size);
                tap_note("%s, %s, %" PRId64 " elements, seed %" PRIu64
                         ": output %d, a %s, element %" PRId64 " is %" PRIx64
                         ", not %" PRIx64,
                         what, run->isa->name, run->count, run->seed, (int)k,
                         bli_dtypes[dtype].name, j, a, b);
                return false;
            }
    }
    return true;
}

bool segment_check(const char *what, const struct bli_segment *segment,
                   const struct bli_program *program, const struct segment_run *run)
{
    char *data[BLI_PROGRAM_OPERANDS], *want[BLI_PROGRAM_OPERANDS];
    int64_t step[BLI_PROGRAM_OPERANDS], rows = 1 + (int64_t)(run->seed % 5);
    uint32_t streams = 0;
    bool is_exact = true;
    int raised, wanted;

    prepare(segment, program, run, data, want);
    segment_kernels(run->isa, segment, want, run->count, &wanted);
    while (run->count % rows != 0)
        rows--;
    for (int32_t k = 0; k < segment->operands; k++) {
        bool is_output;
        const bl_dtype dtype = segment_dtype(segment, k, &is_output);

        step[k] = run->count / rows * bli_dtypes[dtype].size;
        streams |= (uint32_t)(run->streams && is_output) << k;
    }
    for (int32_t v = 0; v < segment->count; v++) {
        /* Kernels of few f16 convert without instructions, which raise nothing. */
        is_exact &= segment->value[v].dtype != BL_DTYPE_F16 || run->count >= 1000;
        if (segment->value[v].kind == BLI_VALUE_STILL)
            step[segment->value[v].operand] = 0;
    }
    feclearexcept(FE_ALL_EXCEPT);
    if (rows == 1 && run->count > 0 && run->seed % 2 != 0 && !run->in_place &&
        !run->streams)
        run->isa->run_apart(program, data, run->count);
    else
        run->isa->run_program(program, data, run->count / rows, rows,
                              rows > 1 ? step : NULL, streams);
    raised = fetestexcept(FLOATING_COMPARED);
    run->isa->stream_fence();
    if (raised != wanted && is_exact) {
        tap_note("%s, %s, %" PRId64 " elements, seed %" PRIu64
                 ": exceptions 0x%x, not 0x%x",
                 what, run->isa->name, run->count, run->seed, (unsigned)raised,
                 (unsigned)wanted);
        return false;
    }
    return same_outputs(what, segment, run, data, want);
}

bool segment_check_all(const char *what, const struct bli_segment *segment,
                       struct segment_run run)
{
    struct bli_program program;
    bool all = bli_program_make(&program, segment);

    if (!all)
        tap_note("%s: no program", what);
    else
        bli_program_prefetch(&program, (uint32_t)run.seed);
    for (int32_t k = 0; all && bli_isa_all[k] != NULL; k++) {
        run.isa = bli_isa_all[k];
        if (bli_isa_pick(run.isa) != run.isa)
            continue;
        run.isa->prepare_program(&program);
        all = segment_check(what, segment, &program, &run);
    }
    return all;
}
