/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that the register machines of machines.c run: whole groups, and what is less.
 */
#ifndef BLI_REGISTER_ROWS_H
#define BLI_REGISTER_ROWS_H

/* Advance streams and outputs by `count` elements. */
static void advance(const struct bli_program *program, char **data, int64_t count)
{
    for (int32_t k = 0; k < program->operands; k++)
        if ((program->role[k] & (BLI_ROLE_STREAM | BLI_ROLE_OUTPUT)) != 0)
            data[k] += count * bli_dtypes[program->dtype[k]].size;
}

/* Whether an output is exactly a stream. */
static bool is_in_place(const struct bli_program *program, char *const *data)
{
    bool is = false;

    for (int32_t r = 0; r < program->operands; r++)
        for (int32_t k = 0; program->role[r] & BLI_ROLE_OUTPUT && k < program->operands;
             k++)
            is |= (program->role[k] & BLI_ROLE_STREAM) != 0 && data[k] == data[r];
    return is;
}

/*
 * Whether a row can be run by a machine with such groups: what it would compute again
 * it must not have overwritten.
 */
static inline bool has_groups(const struct bli_program *program, char *const *data,
                              int64_t count, int64_t group)
{
    return count >= group && (count % group == 0 || !is_in_place(program, data));
}

/* ---- less than a group ---- */

#if BLI_WIDE == 64 && BLI_HAVE_ISA_AVX2
/* Machines of 256 bits have smaller groups. */
#define BLI_RUN_REST(program, data, count) bli_run_row_avx2(program, data, count, 0)
void bli_run_row_avx2(const struct bli_program *program, char **data, int64_t count,
                      uint32_t streams);
bli_run_program bli_run_program_avx2;

/* Run a row of less than a group; false where that is not possible. */
static bool run_less(const struct bli_program *program, char *const *data,
                     int64_t count)
{
    bli_run_program_avx2(program, data, count, 0);
    return true;
}
#else
#define BLI_RUN_REST run_rest

/* Run a row, of a group at least, by the machines for few elements. */
static void run_few(const struct bli_program *program, char *const *data, int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char slots[BLI_PROGRAM_SLOTS * GROUP_BYTES];
    const struct bli_step *const step = program->step;
    const bool is_f32 = program->computes == BL_DTYPE_F32;

    if (program->banks == 1)
        (is_f32 ? few_chain_f32 : few_chain_f64)(step, data, count, 0, slots);
    else
        (is_f32 ? few_tree_f32 : few_tree_f64)(step, data, count, 0, slots);
}

/* Elements of such a group. */
static int64_t few_of(const struct bli_program *program)
{
    return BLI_FEW_SPAN != 0 ? BLI_FEW_SPAN / bli_dtypes[program->computes].size
                             : bli_program_group(program, BLI_WIDE);
}

/* Run a row of less than a group as it is; false where that is not possible. */
static bool run_less(const struct bli_program *program, char *const *data,
                     int64_t count)
{
    if (program->wide_stills || !has_groups(program, data, count, few_of(program)))
        return false;
    run_few(program, data, count);
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
        local[k] = (program->role[k] & BLI_ROLE_STILL) != 0 ? data[k] : copy[k];
        if ((program->role[k] & BLI_ROLE_STREAM) != 0)
            pad(copy[k], data[k], bli_dtypes[program->dtype[k]].size, count, group);
    }
    run_few(program, local, group);
    for (int32_t k = 0; k < program->operands; k++)
        if ((program->role[k] & BLI_ROLE_OUTPUT) != 0)
            memcpy(data[k], copy[k],
                   (size_t)(count * bli_dtypes[program->dtype[k]].size));
}

/* Run less than a group, by addresses that may be changed. */
static void run_rest(const struct bli_program *program, char **data, int64_t count)
{
    const int64_t few = few_of(program), rest = count % few;

    if (has_groups(program, data, count, few)) {
        run_few(program, data, count);
        return;
    }
    if (count > rest) {
        run_few(program, data, count - rest);
        advance(program, data, count - rest);
    }
    run_padded(program, data, rest, few);
}
#endif

/* ---- rows ---- */

/* Elements before output `k` is aligned for non-temporal stores. */
static int64_t elements_before(const struct bli_program *program, char *const *data,
                               int32_t k)
{
    return (int64_t)(-(uintptr_t)data[k] & 63) / bli_dtypes[program->dtype[k]].size;
}

/*
 * Run the elements before the first of `streams` is aligned, advance to those after
 * them, and leave in `streams` those that are aligned then. The number of elements.
 */
static int64_t run_head(const struct bli_program *program, char **data, int64_t count,
                        int64_t group, uint32_t *streams)
{
    const int64_t head = elements_before(program, data, __builtin_ctz(*streams));
    char *local[BLI_PROGRAM_OPERANDS];

    if (head >= count || head >= group) {
        *streams = 0;
        return 0;
    }
    if (head > 0) {
        memcpy(local, data, (size_t)program->operands * sizeof *data);
        BLI_RUN_REST(program, local, head);
        advance(program, data, head);
    }
    for (uint32_t left = *streams; left != 0; left &= left - 1)
        if (((uintptr_t)data[__builtin_ctz(left)] & 63) != 0)
            *streams &= ~(left & -left);
    return head;
}

/* Run a row by addresses that may be changed, with stills of the computed type. */
void BLI_OF_ISA(bli_run_row)(const struct bli_program *program, char **data,
                             int64_t count, uint32_t streams);
void BLI_OF_ISA(bli_run_row)(const struct bli_program *program, char **data,
                             int64_t count, uint32_t streams)
{
    const int64_t group = bli_program_group(program, BLI_WIDE);
    int64_t left, rest;

    if (streams == 0 && has_groups(program, data, count, group)) {
        run_groups(program, data, count, 0);
        return;
    }
    left = count - (streams == 0 ? 0 : run_head(program, data, count, group, &streams));
    rest = left % group;
    if (left > rest) {
        run_groups(program, data, left - rest, streams);
        advance(program, data, left - rest);
    }
    if (rest > 0)
        BLI_RUN_REST(program, data, rest);
}

#endif
