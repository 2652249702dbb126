/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Segments: parts of an expression that are computed in vector registers, a group of
 * elements at a time, without temporaries in memory.
 *
 * A segment says what is computed, as a list of values. bli_program_make() turns it
 * into a program, and isa->prepare_program() prepares it to be run by an instruction
 * set.  Then it may be copied, kept in a plan, and run by any number of threads at
 * once. isa->run_program() runs it for rows. The results are the bits that one kernel
 * after the other would give.
 */
#ifndef BLI_PROGRAM_H
#define BLI_PROGRAM_H

#include "kernels/kernel.h"

enum {
    BLI_SEGMENT_VALUES = 128,  /* most values of a segment */
    BLI_PROGRAM_OPERANDS = 32, /* most operands in memory: streams, stills, outputs */
    BLI_PROGRAM_STEPS = 64,    /* most instructions of a program */
    BLI_PROGRAM_SLOTS = 8      /* most values that wait in memory */
};

enum bli_value_kind {
    BLI_VALUE_STREAM, /* contiguous elements, one after the other */
    BLI_VALUE_STILL,  /* one element for the whole row: a number, or a broadcast operand
                       */
    BLI_VALUE_OPERATOR, /* computed from earlier values */
    BLI_VALUE_SQUARE    /* of a value of `computes`, input[0], rounded to nearest */
};

/*
 * One value.
 *
 * Numbers are of the segment's `computes`, or of f16 or bf16 where that is f32. Truths
 * are BL_DTYPE_BOOL: made by comparisons, selected by, combined by logical operators.
 * Streams and stills have any of these dtypes, or u8, i32, and f32 where `computes` is
 * f64; such a value has one use, to be converted by BL_OP_COPY. An operator's inputs
 * have the dtype that its kernel takes; bli_has_register_form() says which operators
 * there are. BL_OP_COPY converts; a value of a dtype that is neither `computes`, a
 * half, nor bool (u8, or f32 where `computes` is f64) is an output and nothing else.
 */
struct bli_value {
    int16_t kind;     /* an enum bli_value_kind */
    int16_t dtype;    /* bl_dtype of the value */
    int16_t op;       /* OPERATOR: bl_op */
    int16_t input[4]; /* OPERATOR: values with lower indices, in the order of ops.def */
    int16_t operand;  /* STREAM, STILL: index in `data`; OPERATOR: 0 */
    int16_t output;   /* index in `data` that it is stored at, -1 if it is no output */
    int16_t folds;    /* 1: an output of `computes` that can be added to lanes */
};

/* A segment. The order of values is free, but inputs come before their uses. */
struct bli_segment {
    bl_dtype computes; /* BL_DTYPE_F32 or BL_DTYPE_F64 */
    int32_t operands;  /* of `data` */
    int32_t count;     /* of values; those that no output needs are not computed */
    bool is_in_place;  /* each output may be exactly any stream's memory */
    struct bli_value value[BLI_SEGMENT_VALUES];
};

/* Machines that may run a program, by their groups: those with 512 bits have wide ones.
 */
enum bli_group_size { BLI_GROUP_FEW, BLI_GROUP_USUAL, BLI_GROUP_WIDE, BLI_GROUP_SIZES };

/* An instruction's number, and its operand, or BLI_PROGRAM_OPERANDS plus its slot. */
struct bli_step {
    uint16_t number;
    uint8_t operand;
};

/*
 * A program: see bli_program_make(). Only `steps`, `banks`, `slots`, `roundings` and
 * `last_at` are for others to read.
 */
struct bli_program {
    uint8_t computes;                    /* bl_dtype */
    uint8_t banks;                       /* 1 or 3 */
    uint8_t steps;                       /* without the last, which ends a group */
    uint8_t operands;                    /* of `data` */
    uint8_t slots;                       /* values that wait in memory */
    uint8_t wide_stills;                 /* stills that are converted once a row */
    uint8_t aligned;                     /* operand that groups should be aligned for */
    uint8_t roundings;                   /* to bf16, of steps or by stores */
    bool has_nearest;                    /* it needs rounding to nearest somewhere */
    uint32_t streams, stills, outputs;   /* sets of operands; one may be in two */
    uint32_t folds;                      /* outputs that can be added to lanes */
    uint8_t dtype[BLI_PROGRAM_OPERANDS]; /* bl_dtype of the elements in memory */
    /* The instruction, from 1, that reads an operand last, or stores it; 0: none. */
    uint8_t last_at[BLI_PROGRAM_OPERANDS];
    uint64_t prefetches; /* steps that prefetch the stream they read */
    struct bli_step step[BLI_PROGRAM_STEPS + 1];
    const void *label[BLI_GROUP_SIZES][BLI_PROGRAM_STEPS + 1]; /* in each machine */
};

/*
 * Whether operator `op` can be a value of a segment that computes in `computes`, with
 * inputs of dtype `from` (of WHERE: of a and b) and a result of dtype `to`. For
 * BL_OP_COPY also whether elements of `from` can be loaded, or those of `to` stored.
 */
bool bli_has_register_form(bl_op op, bl_dtype computes, bl_dtype from, bl_dtype to);

/* Whether elements of `dtype` can be a stream or a still; an output. */
bool bli_can_stream(bl_dtype computes, bl_dtype dtype);
bool bli_can_store(bl_dtype computes, bl_dtype dtype);

/*
 * Make the program of a segment: choose the order, registers, and instructions. False,
 * and `*program` undefined, if it needs more than BLI_PROGRAM_STEPS instructions or
 * BLI_PROGRAM_SLOTS slots: the caller takes a smaller segment. A pure function.
 */
bool bli_program_make(struct bli_program *program, const struct bli_segment *segment);

/*
 * Have a program prefetch no streams but those of a set of operands. A new one does all
 * of them, where its instruction set's machine prefetches anything.
 */
void bli_program_prefetch(struct bli_program *program, uint32_t operands);

/*
 * isa->prepare_program(program) finds the addresses of a program's instructions.
 *
 * isa->run_program(program, data, count, rows, step, streams) runs a program, which
 * that has prepared, for `rows` rows, at least 1, of `count` elements, at least 0.
 * data[k] is operand k's address: of its first element of the first row, or of its only
 * one. step[k] is bytes from row to row; `step` may be NULL for one row. Bit k of
 * `streams` asks for non-temporal stores to output k, with isa->stream_fence() after
 * the last row.
 *
 * Of an output that can be added to lanes, bit k of `streams` asks for that: data[k] is
 * BLI_REDUCE_LANES bytes of f64, to which the elements of a row are added as a reducer
 * of sums does. Then `count` is at least a group, and no output is exactly a stream if
 * it is not a multiple of it.
 *
 * An output may be exactly an operand that no instruction after its store reads, or any
 * stream if the segment says so; otherwise outputs overlap nothing. Addresses are
 * aligned for their elements. Nothing outside the elements is read or written, and no
 * floating-point exception is raised that the kernels would not raise. Rows of the same
 * program only differ in `data`: nothing is prepared between them.
 */

/*
 * isa->run_apart(program, data, count) runs one row, at least one element, of a program
 * whose results overlap nothing that it reads: what few elements need, without asking
 * for rows, non-temporal stores and results in place. An execution for 60 elements
 * takes .87 of the time, for 16 .67 (Zen 3).
 */

/*
 * Registers of a bank, of a machine with `banks` and registers of `register_bytes`:
 * what was measured to be fastest.
 */
static inline int32_t bli_bank_registers(int32_t banks, int64_t register_bytes)
{
    return banks == 1 || register_bytes == 64 ? 8 : 4;
}

/* Elements in so many bytes of registers: a shift, since each run asks. */
static inline int64_t bli_program_elements(const struct bli_program *program,
                                           int64_t bytes)
{
    return program->computes == BL_DTYPE_F32 ? bytes / 4 : bytes / 8;
}

/* Elements of a group: rows of a multiple of them, from whole groups, are fastest. */
static inline int64_t bli_program_group(const struct bli_program *program,
                                        int64_t register_bytes)
{
    return bli_program_elements(
        program, bli_bank_registers(program->banks, register_bytes) * register_bytes);
}

#endif
