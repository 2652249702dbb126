/* SPDX-License-Identifier: BSD-3-Clause */
/* What a register machine runs, and where its steps have their operands. */
#ifndef BLI_REGISTER_RUN_H
#define BLI_REGISTER_RUN_H

#include "kernels/registers/program.h"

/* Rows: how many, and bytes from row to row of each operand, if there are several. */
struct rows {
    int64_t count;
    const int64_t *step;
};

/*
 * What a machine runs: a program for rows, one after the other.  In memory, so that
 * what each instruction needs is in registers whose names are short: with two more
 * arguments instructions were a fifth longer, and programs took 1.06 to 1.16 times as
 * long (Zen 3).
 */
struct run {
    const struct bli_program *program;
    char *slots;
    int64_t count;    /* elements of a row */
    int64_t second;   /* at which the second group of a row begins */
    uint32_t streams; /* of bli_run_program() */
    bool is_directed; /* rounding is not to nearest, or subnormal numbers are flushed */
    struct rows rows;
};

/* F(k, ...) for each register k of a bank. */
#define BLI_BANK_2(F, ...) F(0, __VA_ARGS__) F(1, __VA_ARGS__)
#define BLI_BANK_4(F, ...)                                                             \
    BLI_BANK_2(F, __VA_ARGS__) F(2, __VA_ARGS__) F(3, __VA_ARGS__)
#define BLI_BANK_8(F, ...)                                                             \
    BLI_BANK_4(F, __VA_ARGS__)                                                         \
    F(4, __VA_ARGS__) F(5, __VA_ARGS__) F(6, __VA_ARGS__) F(7, __VA_ARGS__)

/*
 * Where a run's steps have their operands: an instruction loads the address of its own,
 * not first its operand's number. Programs in the caches take .9 to .99 of the time,
 * polynomials .85 (Zen 3).
 *
 * Eight are placed at a time: the end of a loop of few iterations is mispredicted,
 * which took 12 ns of the 47 of a program for 16 elements. So steps after the last are
 * placed, too: their operands are 0, or what a program with one bank had there that
 * could not be made, and so some operand.
 */
struct places {
    char *memory[BLI_PROGRAM_STEPS];    /* of the operand or slot, in the current row */
    int64_t advance[BLI_PROGRAM_STEPS]; /* bytes to the next one, if there is one */
};

#define BLI_PLACE(k, s)   places->memory[(s) + k] = data[step[(s) + k].operand];
#define BLI_STRIDE(k, s)  places->advance[(s) + k] = rows->step[step[(s) + k].operand];
#define BLI_ADVANCE(k, s) places->memory[(s) + k] += places->advance[(s) + k];

static inline void advance_steps(struct places *places, int32_t steps)
{
    for (int32_t s = 0; s < steps; s += 8) {
        BLI_BANK_8(BLI_ADVANCE, s)
    }
}

/* With slots, of `slot_bytes` each. */
static void place_slots(struct places *places, const struct run *run, char *const *data,
                        int64_t slot_bytes)
{
    for (int32_t s = 0; s < run->program->steps; s++) {
        const int32_t k = run->program->step[s].operand;
        const int32_t slot = k - BLI_PROGRAM_OPERANDS;

        places->memory[s] = slot < 0 ? data[k] : run->slots + slot * slot_bytes;
        places->advance[s] = slot < 0 && run->rows.step ? run->rows.step[k] : 0;
    }
}

static inline void place_steps(struct places *places, const struct run *run,
                               char *const *data, int64_t slot_bytes)
{
    const struct bli_step *const step = run->program->step;
    const struct rows *const rows = &run->rows;

    if (run->program->slots != 0) {
        place_slots(places, run, data, slot_bytes);
        return;
    }
    for (int32_t s = 0; s < run->program->steps; s += 8) {
        BLI_BANK_8(BLI_PLACE, s)
    }
    for (int32_t s = 0; rows->step && s < run->program->steps; s += 8) {
        BLI_BANK_8(BLI_STRIDE, s)
    }
}

/* Give steps the addresses of their instructions: of number i at end + offset[i]. */
__attribute__((noinline, unused)) static void label_steps(struct bli_program *program,
                                                          enum bli_group_size group,
                                                          const char *end,
                                                          const int32_t *offset)
{
    for (int32_t s = 0; s <= program->steps; s++)
        program->label[group][s] = end + offset[program->step[s].number];
}

#endif
