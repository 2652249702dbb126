/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that the register machines run: whole groups, what is less, and the ends of rows
 * that are streamed.
 */
#ifndef BLI_REGISTER_ROWS_H
#define BLI_REGISTER_ROWS_H

#include "kernels/registers/groups.h"

/* The last group computes again at most one of so many elements of a streamed row. */
enum { AGAIN = 8 };

/* ---- less than a group ---- */

#if BLI_WIDE == 64 && BLI_HAVE_ISA_AVX2
/* Machines of 256 bits have smaller groups. */
#define BLI_RUN_REST(program, data, count) bli_run_row_avx2(program, data, count, 0)
void bli_run_row_avx2(const struct bli_program *program, char **data, int64_t count,
                      uint32_t streams);
#define BLI_RUN_EDGE bli_run_edge_avx2
bool bli_run_edge_avx2(const struct bli_program *program, char *const *data,
                       int64_t count, bool is_last);
bli_run_program bli_run_program_avx2;
#define BLI_RUN_LESS_APART bli_run_apart_avx2
bli_run_apart bli_run_apart_avx2;

/* Run rows of less than a group; false where that is not possible. */
static bool run_less(const struct bli_program *program, char *const *data,
                     int64_t count, const struct rows *rows)
{
    bli_run_program_avx2(program, data, count, rows ? rows->count : 1,
                         rows ? rows->step : NULL, 0);
    return true;
}
#else
#define BLI_RUN_REST       run_rest
#define BLI_RUN_EDGE       BLI_OF_ISA(bli_run_edge)

/* Elements of such a group. */
static int64_t few_of(const struct bli_program *program)
{
    return BLI_FEW_SPAN != 0 ? bli_program_elements(program, BLI_FEW_SPAN)
                             : bli_program_group(program, BLI_WIDE);
}

/* Run rows, of a group at least, by the machines for few elements. */
static void run_few(const struct bli_program *program, char *const *data, int64_t count,
                    const struct rows *rows)
{
    _Alignas(BLI_ALIGNMENT) char slots[BLI_PROGRAM_SLOTS * GROUP_BYTES];
    const int64_t few = few_of(program);
    struct run run = begin(program, count, few, 0, rows, slots);

    few_machine_of(program)(&run, data, NULL);
}

/* Run less than a group whose results overlap nothing, without stills to convert. */
static void run_less_apart(const struct bli_program *program, char *const *data,
                           int64_t count)
{
    if (count < few_of(program))
        BLI_OF_ISA(bli_run_program)(program, data, count, 1, NULL, 0);
    else
        run_few(program, data, count, NULL);
}
#define BLI_RUN_LESS_APART run_less_apart

/* Run rows of less than a group as they are; false where that is not possible. */
static bool run_less(const struct bli_program *program, char *const *data,
                     int64_t count, const struct rows *rows)
{
    if (program->wide_stills || !has_groups(program, data, count, few_of(program)))
        return false;
    run_few(program, data, count, rows);
    return true;
}

/* Fill a group at `to` with `count` elements from `from`, and copies of the last. */
static void pad(char *to, const char *from, int64_t size, int64_t count, int64_t group)
{
    const bli_wide last = splat(from + (count - 1) * size, size);

    for (int64_t at = 0; at < group * size; at += BLI_WIDE)
        memcpy(to + at, &last, sizeof last);
    memcpy(to, from, (size_t)(count * size));
}

/*
 * Run a program for less than a group, in a copy of it. The elements beyond the last
 * one are like it, so that they raise no exception that it does not raise.
 */
static void run_padded(const struct bli_program *program, char *const *data,
                       int64_t count, int64_t group)
{
    _Alignas(BLI_ALIGNMENT) char copy[BLI_PROGRAM_OPERANDS][GROUP_BYTES + BLI_WIDE];
    char *local[BLI_PROGRAM_OPERANDS];

    for (int32_t k = 0; k < program->operands; k++) {
        local[k] = (program->stills >> k & 1) != 0 ? data[k] : copy[k];
        if ((program->streams >> k & 1) != 0)
            pad(copy[k], data[k], bli_dtypes[program->dtype[k]].size, count, group);
    }
    run_few(program, local, group, NULL);
    for (int32_t k = 0; k < program->operands; k++)
        if ((program->outputs >> k & 1) != 0)
            memcpy(data[k], copy[k],
                   (size_t)(count * bli_dtypes[program->dtype[k]].size));
}

/* Run less than a group, by addresses that may be changed. */
static void run_rest(const struct bli_program *program, char **data, int64_t count)
{
    const int64_t few = few_of(program), rest = count % few;

    if (has_groups(program, data, count, few)) {
        run_few(program, data, count, NULL);
        return;
    }
    if (count > rest) {
        run_few(program, data, count - rest, NULL);
        advance(program, data, count - rest);
    }
    run_padded(program, data, rest, few);
}

/*
 * Run the first `count` elements of a row whose results overlap nothing, or with
 * `is_last` the last, of which `data` is the first: in a group of the row's, of whose
 * results only theirs are written.  False where they are more than a group.
 */
bool BLI_OF_ISA(bli_run_edge)(const struct bli_program *program, char *const *data,
                              int64_t count, bool is_last);
bool BLI_OF_ISA(bli_run_edge)(const struct bli_program *program, char *const *data,
                              int64_t count, bool is_last)
{
    _Alignas(BLI_ALIGNMENT) char copy[BLI_PROGRAM_OPERANDS][GROUP_BYTES];
    const int64_t few = few_of(program), before = is_last ? few - count : 0;
    char *local[BLI_PROGRAM_OPERANDS];

    if (count > few)
        return false;
    for (int32_t k = 0; k < program->operands; k++)
        local[k] = (program->outputs >> k & 1) != 0 ? copy[k]
                   : (program->streams >> k & 1) != 0
                       ? data[k] - before * bli_dtypes[program->dtype[k]].size
                       : data[k];
    run_few(program, local, few, NULL);
    for (int32_t k = 0; k < program->operands; k++) {
        const int64_t size = bli_dtypes[program->dtype[k]].size;

        if ((program->outputs >> k & 1) != 0)
            memcpy(data[k], copy[k] + before * size, (size_t)(count * size));
    }
    return true;
}
#endif

/* ---- rows ---- */

/* Elements before output `k` is aligned for non-temporal stores. */
static int64_t elements_before(const struct bli_program *program, char *const *data,
                               int32_t k)
{
    return (int64_t)(-(uintptr_t)data[k] & 63) / bli_dtypes[program->dtype[k]].size;
}

/* The operands of a set that are aligned for non-temporal stores. */
static uint32_t aligned_of(char *const *data, uint32_t streams)
{
    uint32_t aligned = streams;

    for (; streams != 0; streams &= streams - 1)
        if (((uintptr_t)data[__builtin_ctz(streams)] & 63) != 0)
            aligned &= ~(streams & -streams);
    return aligned;
}

/*
 * Run the elements before the first of `streams` is aligned, advance to those after
 * them, and leave in `streams` those that are aligned then. The number of elements.
 */
static int64_t run_head(const struct bli_program *program, char **data, int64_t count,
                        int64_t group, bool is_apart, uint32_t *streams)
{
    const int64_t head = elements_before(program, data, __builtin_ctz(*streams));
    char *local[BLI_PROGRAM_OPERANDS];

    if (head >= count || head >= group) {
        *streams = 0;
        return 0;
    }
    if (head > 0) {
        if (!is_apart || !BLI_RUN_EDGE(program, data, head, false)) {
            memcpy(local, data, (size_t)program->operands * sizeof *data);
            BLI_RUN_REST(program, local, head);
        }
        advance(program, data, head);
    }
    *streams = aligned_of(data, *streams);
    return head;
}

/*
 * Elements at the end of a row that are no whole lines of `streams`; or no whole
 * groups, where the last group would compute too much again.
 */
static int64_t rest_of(const struct bli_program *program, int64_t count, int64_t group,
                       bool is_apart, uint32_t streams)
{
    int64_t size = streams == 0 ? 64 : 8, body;

    for (; streams != 0; streams &= streams - 1) {
        const int64_t own = bli_dtypes[program->dtype[__builtin_ctz(streams)]].size;

        size = own < size ? own : size;
    }
    body = count - count % (64 / size);
    return is_apart && body >= group && (group - body % group) % group <= body / AGAIN
               ? count - body
               : count % group;
}

/* Prefetch the lines in which streamed rows end: they are written in two parts. */
static void prefetch_end(const struct bli_program *program, char *const *data,
                         int64_t count, uint32_t streams)
{
    for (; streams != 0; streams &= streams - 1) {
        const int32_t k = __builtin_ctz(streams);

        __builtin_prefetch(data[k] + count * bli_dtypes[program->dtype[k]].size - 1, 1);
    }
}

/* Run a row by addresses that may be changed, with stills of the computed type. */
void BLI_OF_ISA(bli_run_row)(const struct bli_program *program, char **data,
                             int64_t count, uint32_t streams);
void BLI_OF_ISA(bli_run_row)(const struct bli_program *program, char **data,
                             int64_t count, uint32_t streams)
{
    const int64_t group = bli_program_group(program, BLI_WIDE);
    const bool is_apart = count >= 2 * group && !is_in_place(program, data);
    int64_t left = count, rest;

    if (streams == 0 && has_groups(program, data, count, group)) {
        run_groups(program, data, count, 0, NULL);
        return;
    }
    if (streams != 0) {
        prefetch_end(program, data, count, streams);
        left -= run_head(program, data, count, group, is_apart, &streams);
    }
    rest = rest_of(program, left, group, is_apart, streams);
    if (left > rest) {
        run_groups(program, data, left - rest, streams, NULL);
        advance(program, data, left - rest);
    }
    if (rest > 0 && (!is_apart || !BLI_RUN_EDGE(program, data, rest, true)))
        BLI_RUN_REST(program, data, rest);
}

#endif
