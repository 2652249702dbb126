/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of whole groups, which the register machines run. */
#ifndef BLI_REGISTER_GROUPS_H
#define BLI_REGISTER_GROUPS_H

/* Rows of fewer groups take as long if they are aligned. */
enum { LONG_GROUPS = BLI_WIDE == 64 ? 12 : 32 };

/* Advance streams and outputs by `count` elements. */
static void advance(const struct bli_program *program, char **data, int64_t count)
{
    uint32_t left = program->streams | program->outputs;

    for (; left != 0; left &= left - 1) {
        const int32_t k = __builtin_ctz(left);

        data[k] += count * bli_dtypes[program->dtype[k]].size;
    }
}

/* Whether an output is exactly a stream. */
static bool is_in_place(const struct bli_program *program, char *const *data)
{
    bool is = false;

    for (uint32_t outputs = program->outputs; outputs != 0; outputs &= outputs - 1)
        for (uint32_t streams = program->streams; streams != 0; streams &= streams - 1)
            is |= data[__builtin_ctz(streams)] == data[__builtin_ctz(outputs)];
    return is;
}

/*
 * Whether a row can be run by a machine with such groups, which are powers of two: what
 * it would compute again it must not have overwritten.
 */
static inline bool has_groups(const struct bli_program *program, char *const *data,
                              int64_t count, int64_t group)
{
    return count >= group &&
           ((count & (group - 1)) == 0 || !is_in_place(program, data));
}

/*
 * Elements from the first group of a row to the second, so that the operand that is
 * read most lies on registers' boundaries from there on: loads of two lines take twice
 * as long, and large blocks of malloc() begin 16 bytes after a line. Elements between
 * are computed again, which a row that is written over an operand does not allow.
 */
static int64_t first_of(const struct bli_program *program, char *const *data,
                        int64_t count, int64_t group)
{
    const int64_t off = (int64_t)((uintptr_t)data[program->aligned] % BLI_WIDE);

    if (off == 0 || count < LONG_GROUPS * group ||
        program->dtype[program->aligned] != program->computes ||
        is_in_place(program, data))
        return group;
    return group - bli_program_elements(program, off);
}

/* What a machine runs, with the second group of a row at element `second`. */
static inline struct run begin(const struct bli_program *program, int64_t count,
                               int64_t second, uint32_t streams,
                               const struct rows *rows, char *slots)
{
    struct run run;

    run.program = program;
    run.slots = slots;
    run.count = count;
    run.second = second;
    run.streams = streams;
    run.is_directed =
        program->has_nearest && (BLI_READ_CONTROL() & BLI_NOT_NEAREST) != 0;
    run.rows = rows ? *rows : (struct rows){.count = 1};
    return run;
}

/*
 * Run rows, of a group at least; one without `rows`. Several are not long, and their
 * second group is the next.
 */
static void run_groups(const struct bli_program *program, char *const *data,
                       int64_t count, uint32_t streams, const struct rows *rows)
{
    _Alignas(BLI_ALIGNMENT) char slots[BLI_PROGRAM_SLOTS * GROUP_BYTES];
    const int64_t group = bli_program_group(program, BLI_WIDE);
    const int64_t second = streams == 0 ? first_of(program, data, count, group) : group;
    struct run run = begin(program, count, second, streams, rows, slots);

    machine_of(program)(&run, data, NULL);
}

#endif
