/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The register machines with one bank, and the rows that all of them run, for one
 * instruction set.
 */
#include "config.h"

#include "kernels/registers/machines.h"

#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_8
#define BLI_MACHINE  bli_chain_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_8
#define BLI_MACHINE  bli_chain_f64
#include "kernels/registers/machine.tmpl.h"

#if BLI_HAS_FEW
#define BLI_T        f32
#define BLI_COMPUTES 32
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_2
#define BLI_MACHINE  bli_few_chain_f32
#include "kernels/registers/machine.tmpl.h"
#define BLI_T        f64
#define BLI_COMPUTES 64
#define BLI_BANKS    1
#define BLI_BANK     BLI_BANK_2
#define BLI_MACHINE  bli_few_chain_f64
#include "kernels/registers/machine.tmpl.h"
#endif

/* ---- programs ---- */

/* The machine that runs a program's groups. */
static run_machine *machine_of(const struct bli_program *program)
{
    const bool is_f32 = program->computes == BL_DTYPE_F32;

    return program->banks == 1 ? is_f32 ? bli_chain_f32 : bli_chain_f64
           : is_f32            ? bli_tree_f32
                               : bli_tree_f64;
}

/*
 * What runs less than a group: machines of AVX2, or those for few elements, whose
 * groups have BLI_FEW_SPAN bytes; 0: there are none, and all groups are alike.
 */
#if BLI_WIDE == 64 && BLI_HAVE_ISA_AVX2
bli_prepare_program bli_prepare_program_avx2;
#define PREPARE_FEW(program) bli_prepare_program_avx2(program)
#elif BLI_HAS_FEW
#define BLI_FEW_SPAN         64
#define PREPARE_FEW(program) few_machine_of(program)(NULL, NULL, program)

static run_machine *few_machine_of(const struct bli_program *program)
{
    const bool is_f32 = program->computes == BL_DTYPE_F32;

    return program->banks == 1 ? is_f32 ? bli_few_chain_f32 : bli_few_chain_f64
           : is_f32            ? bli_few_tree_f32
                               : bli_few_tree_f64;
}
#else
#define BLI_FEW_SPAN         0
#define PREPARE_FEW(program) ((void)0)
#define few_machine_of       machine_of
#endif

bli_prepare_program BLI_OF_ISA(bli_prepare_program);
void BLI_OF_ISA(bli_prepare_program)(struct bli_program *program)
{
    PREPARE_FEW(program);
    machine_of(program)(NULL, NULL, program);
}

/* ---- rows ---- */

bli_run_program BLI_OF_ISA(bli_run_program);

/* Most bytes of a group: of an operand, and of a value that waits in memory. */
enum { GROUP_BYTES = 8 * BLI_WIDE };

#include "kernels/registers/rows.h"

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

static void run_one(const struct bli_program *program, char *const *data, int64_t count,
                    uint32_t streams)
{
    const int64_t group = bli_program_group(program, BLI_WIDE);
    char *local[BLI_PROGRAM_OPERANDS];
    double still[BLI_PROGRAM_OPERANDS];

    if (count < group && streams == 0 && run_less(program, data, count, NULL))
        return;
    if (streams == 0 && !program->wide_stills &&
        has_groups(program, data, count, group)) {
        run_groups(program, data, count, 0, NULL);
        return;
    }
    for (int32_t k = 0; k < program->operands; k++) {
        local[k] = data[k];
        if (program->wide_stills && (program->stills >> k & 1) != 0 &&
            program->dtype[k] != program->computes)
            widen_still(program, k, &still[k], local);
    }
    if ((streams & program->folds) != 0)
        run_groups(program, local, count,
                   count % group == 0 ? aligned_of(local, streams)
                                      : streams & program->folds,
                   NULL);
    else
        BLI_OF_ISA(bli_run_row)(program, local, count, streams);
}

/*
 * Run rows by one machine, which goes from row to row itself; false where that is not
 * possible.  An output that is exactly a stream is that in each row.  Zen 3, one
 * thread, (a - b) * c * d + e of f32[256,256], where b and c are columns: 37 us by a
 * call for each row, 20 so.
 */
static bool run_rows(const struct bli_program *program, char *const *data,
                     int64_t count, const struct rows *rows, uint32_t streams)
{
    const int64_t group = bli_program_group(program, BLI_WIDE);

    if (count < group)
        return run_less(program, data, count, rows);
    if (program->wide_stills || count >= LONG_GROUPS * group ||
        !has_groups(program, data, count, group))
        return false;
    run_groups(program, data, count, streams, rows);
    return true;
}

void BLI_OF_ISA(bli_run_program)(const struct bli_program *program, char *const *data,
                                 int64_t count, int64_t rows, const int64_t *step,
                                 uint32_t streams)
{
    char *local[BLI_PROGRAM_OPERANDS];
    const struct rows all = {rows, step};

    if (count <= 0)
        return;
    if (rows == 1) {
        run_one(program, data, count, streams);
        return;
    }
    if ((streams & ~program->folds) == 0 &&
        run_rows(program, data, count, &all, streams))
        return;
    memcpy(local, data, (size_t)program->operands * sizeof *data);
    for (int64_t r = 0; r < rows; r++) {
        run_one(program, local, count, streams);
        for (int32_t k = 0; k < program->operands; k++)
            local[k] += step[k];
    }
}

bli_run_apart BLI_OF_ISA(bli_run_apart);
void BLI_OF_ISA(bli_run_apart)(const struct bli_program *program, char *const *data,
                               int64_t count)
{
    if (program->wide_stills)
        BLI_OF_ISA(bli_run_program)(program, data, count, 1, NULL, 0);
    else if (count < bli_program_group(program, BLI_WIDE))
        BLI_RUN_LESS_APART(program, data, count);
    else
        run_groups(program, data, count, 0, NULL);
}
