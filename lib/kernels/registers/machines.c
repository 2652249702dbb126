/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register machines, and the rows that they run, for one instruction set.
 */

/* GCC would let instructions that end alike share a jump, which is then mispredicted.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-crossjumping")
#endif

#include "kernels/expand.h"
#include "kernels/copy/non_temporal.h"
#include "kernels/registers/bytes.h"
#include "kernels/registers/program.h"

#define BLI_T    f32
#define BLI_BITS 32
#include "kernels/registers/vectors.tmpl.h"
#define BLI_T    f64
#define BLI_BITS 64
#include "kernels/registers/vectors.tmpl.h"

#include "kernels/registers/half_lanes.h"
#include "kernels/registers/machine.h"

#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_8
#define BLI_MACHINE  chain_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_8
#define BLI_MACHINE  chain_f64
#include "kernels/registers/machine.tmpl.h"

/* Registers of a bank, of three. */
#if BLI_WIDE == 64
#define BLI_BANK_OF_TREE BLI_BANK_8
#else
#define BLI_BANK_OF_TREE BLI_BANK_4
#endif

#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_OF_TREE
#define BLI_MACHINE  tree_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    3
#define BLI_BANK     BLI_BANK_OF_TREE
#define BLI_MACHINE  tree_f64
#include "kernels/registers/machine.tmpl.h"

/* ---- rows ---- */

/* Most bytes of a group: of an operand, and of a value that waits in memory. */
enum { GROUP_BYTES = 8 * BLI_WIDE };

static void run_groups(const struct bli_program *program, char *const *data,
                       int64_t count, uint32_t streams)
{
    _Alignas(BLI_ALIGNMENT) char slots[BLI_PROGRAM_SLOTS * GROUP_BYTES];
    const struct bli_step *const step = program->step;
    const bool is_f32 = program->computes == BL_DTYPE_F32;

    if (program->banks == 1)
        (is_f32 ? chain_f32 : chain_f64)(step, data, count, streams, slots);
    else
        (is_f32 ? tree_f32 : tree_f64)(step, data, count, streams, slots);
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
    run_groups(program, local, group, 0);
    for (int32_t k = 0; k < program->operands; k++)
        if ((program->role[k] & BLI_ROLE_OUTPUT) != 0)
            memcpy(data[k], copy[k],
                   (size_t)(count * bli_dtypes[program->dtype[k]].size));
}

/* Advance streams and outputs by `count` elements. */
static void advance(const struct bli_program *program, char **data, int64_t count)
{
    for (int32_t k = 0; k < program->operands; k++)
        if ((program->role[k] & (BLI_ROLE_STREAM | BLI_ROLE_OUTPUT)) != 0)
            data[k] += count * bli_dtypes[program->dtype[k]].size;
}

/* Convert a still to the computed type, or to a lane that is true or not. */
static void widen_still(const struct bli_program *program, int32_t k, double *room,
                        char **data)
{
    const char *const from = data[k];
    const bool is_f32 = program->computes == BL_DTYPE_F32;

    data[k] = (char *)room;
    if (program->dtype[k] == BL_DTYPE_BOOL)
        memset(room, bli_load_bool(from) ? 0xff : 0, sizeof *room);
    else if (program->dtype[k] == BL_DTYPE_F16)
        *(float *)(void *)room = bli_load_f16(from);
    else if (program->dtype[k] == BL_DTYPE_BF16)
        *(float *)(void *)room = bli_load_bf16(from);
    else if (program->dtype[k] == BL_DTYPE_F32)
        *room = bli_load_f32(from);
    else if (is_f32)
        *(float *)(void *)room = program->dtype[k] == BL_DTYPE_U8
                                     ? (float)bli_load_u8(from)
                                     : (float)bli_load_i32(from);
    else
        *room = bli_load_i32(from);
}

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

    if (head >= count || head >= group) {
        *streams = 0;
        return 0;
    }
    if (head > 0) {
        run_padded(program, data, head, group);
        advance(program, data, head);
    }
    for (uint32_t left = *streams; left != 0; left &= left - 1)
        if (((uintptr_t)data[__builtin_ctz(left)] & 63) != 0)
            *streams &= ~(left & -left);
    return head;
}

/* Run a row by addresses that may be changed. */
static void run_row(const struct bli_program *program, char **data, int64_t count,
                    int64_t group, uint32_t streams)
{
    const int64_t left =
        count - (streams == 0 ? 0 : run_head(program, data, count, group, &streams));
    const int64_t rest = left % group;

    if (left > rest)
        run_groups(program, data, left - rest, streams);
    if (rest > 0) {
        advance(program, data, left - rest);
        run_padded(program, data, rest, group);
    }
}

bli_run_program BLI_OF_ISA(bli_run_program);
void BLI_OF_ISA(bli_run_program)(const struct bli_program *program, char *const *data,
                                 int64_t count, uint32_t streams)
{
    const int64_t group = bli_program_group(program, BLI_WIDE);
    char *local[BLI_PROGRAM_OPERANDS];
    double still[BLI_PROGRAM_OPERANDS];

    if (count <= 0)
        return;
    if (streams == 0 && !program->wide_stills && count % group == 0) {
        run_groups(program, data, count, 0);
        return;
    }
    for (int32_t k = 0; k < program->operands; k++) {
        local[k] = data[k];
        if (program->wide_stills && program->role[k] == BLI_ROLE_STILL &&
            program->dtype[k] != program->computes)
            widen_still(program, k, &still[k], local);
    }
    run_row(program, local, count, group, streams);
}
