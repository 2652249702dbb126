/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Test problems in memory: contents, expected result, text and check.  Random ones are
 * made in problem_random.c.
 */
#include "problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"
#include "tap.h"

/* A byte pattern that is no result: neither 0, 1 nor a value of the contents. */
enum { POISON = 0xa5 };

/* Allocate memory or end the program: tests do not handle running out of memory. */
static void *room_for(int64_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, 64, (size_t)bytes + 64) != 0)
        abort();
    return memory;
}

void problem_describe(struct problem_operand *operand, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const struct problem_layout *layout)
{
    const int64_t size = (int64_t)ref_size(dtype);
    const int64_t align = ref_class(dtype) == REF_COMPLEX ? size / 2 : size;
    int64_t stride = layout->step;

    memset(operand, 0, sizeof *operand);
    operand->slot = size + layout->gap * align + layout->is_packed;
    operand->lead = layout->is_packed;
    operand->rank = rank;
    operand->offset = layout->lead;
    for (int32_t i = rank - 1; i >= 0; i--) {
        const int32_t d = layout->order[i];
        const uint32_t bit = 1u << d;

        operand->extent[d] = extent[d];
        if (layout->repeated & bit)
            continue;
        operand->stride[d] = (layout->reversed & bit ? -stride : stride) *
                             (layout->gap > 0 ? operand->slot : 1);
        if (layout->reversed & bit && extent[d] > 0)
            operand->offset += stride * (extent[d] - 1);
        stride *= extent[d];
    }
    operand->room = layout->lead + stride;
    operand->array = (bl_array){.dtype = dtype,
                                .rank = rank,
                                .extent = operand->extent,
                                .stride = operand->stride,
                                .flags = layout->gap > 0 ? BL_ARRAY_BYTE_STRIDES : 0};
}

static void open_operand(struct problem_operand *operand)
{
    const int64_t bytes = operand->room * operand->slot;

    operand->memory = room_for(bytes);
    operand->saved = room_for(bytes);
    memset(operand->memory, POISON, (size_t)bytes);
    operand->array.data =
        operand->memory + operand->offset * operand->slot + operand->lead;
}

static void add_text(struct problem *problem, const char *format, ...)
{
    const size_t length = strlen(problem->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(problem->text + length, sizeof problem->text - length, format, arguments);
    va_end(arguments);
}

/*
 * Append an operand in the notation of `broadloom plan`, with explicit strides and
 * offset.
 */
static void add_operand(struct problem *problem, const struct problem_operand *operand)
{
    const bool counts_bytes = operand->array.flags & BL_ARRAY_BYTE_STRIDES;

    add_text(problem, "%s[", ref_dtype_name(operand->array.dtype));
    for (int32_t d = 0; d < operand->rank; d++)
        add_text(problem, "%s%" PRId64, d == 0 ? "" : ",", operand->extent[d]);
    add_text(problem, "]");
    for (int32_t d = 0; d < operand->rank; d++)
        add_text(problem, "%s%" PRId64, d == 0 ? "{" : ",", operand->stride[d]);
    if (operand->rank > 0)
        add_text(problem, counts_bytes ? "}B" : "}");
    if (operand->offset + operand->lead != 0)
        add_text(problem, "+%" PRId64,
                 operand->offset * (counts_bytes ? operand->slot : 1) + operand->lead);
}

void problem_open(struct problem *problem)
{
    const int64_t size = (int64_t)ref_size(problem->out.array.dtype);

    problem->text[0] = '\0';
    add_text(problem, "broadloom plan --op %s", ref_name(problem->op));
    for (int32_t k = 0; k < problem->inputs; k++) {
        struct problem_operand *operand = &problem->in[k];

        open_operand(operand);
        for (int64_t i = 0; i < operand->room; i++)
            problem_put(problem->op, operand->array.dtype, k, i,
                        operand->memory + i * operand->slot + operand->lead);
        problem->input[k] = &operand->array;
        add_text(problem, " '");
        add_operand(problem, operand);
        add_text(problem, "'");
    }
    open_operand(&problem->out);
    add_text(problem, "  # into ");
    add_operand(problem, &problem->out);
    problem->want = room_for(ref_count(&problem->out.array) * size);
    problem->slack =
        room_for(ref_count(&problem->out.array) * (int64_t)sizeof *problem->slack);
    problem_refresh(problem);
}

void problem_refresh(struct problem *problem)
{
    for (int32_t k = 0; k < problem->inputs; k++) {
        const struct problem_operand *in = &problem->in[k];

        memcpy(in->saved, in->memory, (size_t)(in->room * in->slot));
    }
    ref_apply(problem->op, problem->input, &problem->out.array, problem->want,
              problem->slack);
}

void problem_close(struct problem *problem)
{
    for (int32_t k = 0; k < problem->inputs; k++) {
        free(problem->in[k].memory);
        free(problem->in[k].saved);
    }
    free(problem->out.memory);
    free(problem->out.saved);
    free(problem->want);
    free(problem->slack);
}

void problem_poison(struct problem *problem)
{
    memset(problem->out.memory, POISON,
           (size_t)(problem->out.room * problem->out.slot));
}

static void note_wrong(const struct problem *problem, const char *where, int64_t i,
                       const void *got)
{
    const bl_dtype dtype = problem->out.array.dtype;
    char want_text[96];
    char got_text[96];

    ref_print(dtype, problem->want + i * (int64_t)ref_size(dtype), want_text,
              sizeof want_text);
    ref_print(dtype, got, got_text, sizeof got_text);
    tap_note("%s", problem->text);
    tap_note("%s: element %" PRId64 " is %s, not %s, of", where, i, got_text,
             want_text);
    for (int32_t k = 0; k < problem->inputs; k++) {
        const bl_array *in = &problem->in[k].array;

        ref_print(in->dtype, ref_meeting(in, &problem->out.array, i), got_text,
                  sizeof got_text);
        tap_note("    %s", got_text);
    }
}

bool problem_inputs_are_unchanged(const struct problem *problem, const char *where)
{
    for (int32_t k = 0; k < problem->inputs; k++) {
        const struct problem_operand *in = &problem->in[k];

        if (memcmp(in->saved, in->memory, (size_t)(in->room * in->slot)) != 0) {
            tap_note("%s", problem->text);
            tap_note("%s: input %" PRId32 " was written", where, k);
            return false;
        }
    }
    return true;
}

bool problem_is_right(const struct problem *problem, const char *where)
{
    const bl_array *out = &problem->out.array;
    const size_t size = ref_size(out->dtype);
    const size_t bytes = (size_t)(problem->out.room * problem->out.slot);
    const int64_t count = ref_count(out);

    memset(problem->out.saved, POISON, bytes);
    for (int64_t i = 0; i < count; i++) {
        const char *got = ref_at(out, i);
        const void *want = problem->want + i * (int64_t)size;

        if (!ref_same(out->dtype, want, got, problem->slack[i])) {
            note_wrong(problem, where, i, got);
            return false;
        }
        memcpy(problem->out.saved + (got - (const char *)problem->out.memory), got,
               size);
    }
    if (memcmp(problem->out.saved, problem->out.memory, bytes) != 0) {
        tap_note("%s", problem->text);
        tap_note("%s: bytes between the result's elements were written", where);
        return false;
    }
    return problem_inputs_are_unchanged(problem, where);
}

bool problem_call(struct problem *problem, bl_context *ctx, const char *where)
{
    problem_poison(problem);
    if (bl_apply(ctx, problem->op, &problem->out.array, problem->inputs, problem->input,
                 NULL) == BL_OK)
        return true;
    tap_note("%s", problem->text);
    tap_note("%s: refused: %s: %s", where, bl_error_where(), bl_error_message());
    return false;
}

bool problem_run(struct problem *problem, bl_context *ctx, const char *where)
{
    return problem_call(problem, ctx, where) && problem_is_right(problem, where);
}
