/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fusion has been decided to be.  An operand is in memory: a result, then the
 * inputs, which may be numbers.  A place is where operations find values while a box is
 * computed: those of the operands, then the intermediate ones.
 */
#ifndef BLI_FUSION_PLAN_H
#define BLI_FUSION_PLAN_H

#include "expr/frame.h"
#include "expr/fusion.h"
#include "kernels/registers/program.h"

enum {
    BLI_FUSION_PLACES = 96,
    BLI_FUSION_STEPS = 48, /* most steps, and most operations */
    BLI_FUSION_SMALL = 128 /* elements up to which nothing but computing pays */
};

/* An operand in memory. */
struct bli_fusion_operand {
    int32_t value;      /* of the expression */
    int32_t shift;      /* of its axes */
    const void *number; /* alpha: not a value; else NULL */
    bl_dtype dtype;
    bl_dtype computed;   /* dtype that operations take */
    bli_kernel *convert; /* between memory and buffer: copies or converts */
    int64_t (*stride)[BLI_MAX_OPERANDS]; /* of that, by the loops of a box */
    uint32_t read_after; /* of a result: operands that are read after it is written */
};

/* Where an operation finds a value. */
struct bli_fusion_place {
    bl_dtype dtype;
    int32_t step;   /* bytes from element to element: those of one, or 0 */
    int32_t buffer; /* offset in a thread's staging memory; -1: in memory */
};

/* A kernel, or a program of a register machine, that computes a box. */
struct bli_fusion_operation {
    bli_kernel *kernel; /* NULL: a program */
    bool wants_nearest;
    bool can_be_nt; /* its result by non-temporal stores */
    int32_t count;  /* of places: the result first, of a kernel */
    uint8_t place[BLI_PROGRAM_OPERANDS];
    int64_t (*stride)[BLI_MAX_OPERANDS]; /* of a kernel */
    struct bli_program *program;
};

struct bli_fusion {
    size_t bytes; /* of it and all that it points to in its block */
    const struct bli_isa *isa;
    int32_t results, operands, places, operations;
    struct bli_fusion_operand operand[BLI_FUSION_OPERANDS];
    struct bli_fusion_place place[BLI_FUSION_PLACES];
    struct bli_fusion_operation *operation;
    struct bli_program *program;
    int32_t programs;
    /* The loops, innermost first. */
    int32_t loops;
    int64_t count;
    int64_t offset[BLI_FUSION_OPERANDS];
    int64_t *extent, *stride; /* of operand k in loop i: stride[i * operands + k] */
    /* A box has all iterations of the loops inside `level`, and `length` of that. */
    int32_t level;
    int64_t length;
    uint32_t staged;  /* operands that have a buffer, filled or emptied for each box */
    uint32_t streams; /* results that are written by non-temporal stores */
    uint32_t streamed_buffers; /* those of them that are copied from their buffers */
    int64_t staging;           /* bytes that a thread needs */
    int32_t threads;           /* the most that pay */
    int64_t line;              /* iterations that threads' shares are multiples of */
    struct bl_plan *lead; /* a copy with the first result's loops, for the partition;
                             NULL for one thread */
};

/* How steps are put together, before the block is allocated. */
struct bli_fusion_draft {
    const struct bli_expr_making *making;
    const bl_expr_plan *plan;
    const struct bli_expr_phase *phase;
    bool is_direct;
    int32_t most;  /* steps of a program */
    bool has_rows; /* boxes are parts of rows, not several of them */
    /* Of each step, by its place in the phase. */
    int32_t class[BLI_FUSION_STEPS];     /* dtype of a register machine; -1: a kernel */
    int32_t operation[BLI_FUSION_STEPS]; /* that it is of */
    uint8_t result[BLI_FUSION_STEPS];    /* place of its value; none in registers */
    uint8_t input[BLI_FUSION_STEPS][BL_MAX_INPUTS]; /* places of its operands */
    int32_t first[BLI_FUSION_STEPS], count[BLI_FUSION_STEPS]; /* of each operation */
    int32_t member[BLI_FUSION_STEPS]; /* steps of operations, one after the other */
    struct bli_frame frame;
    struct bli_segment segment; /* of one program at a time */
    struct bli_fusion made;
    struct bli_fusion_operation operations[BLI_FUSION_STEPS];
    struct bli_program program[BLI_FUSION_STEPS];
    int64_t kernel_stride[BLI_FUSION_STEPS][2][BLI_MAX_OPERANDS];
    int64_t stage_stride[BLI_FUSION_OPERANDS][BLI_TILE_LOOPS][BLI_MAX_OPERANDS];
};

enum { BLI_NO_PLACE = 255 };

/*
 * Parts of making one, in order; false where there is more than has room.  Operations:
 * which steps each has, in order.  Operands: places of all values.  Boxes: their size,
 * and which operands have buffers.  Programs: of the register machines.
 */
bool bli_fusion_operations(struct bli_fusion_draft *draft);
bool bli_fusion_operands(struct bli_fusion_draft *draft);
bool bli_fusion_boxes(struct bli_fusion_draft *draft);
bool bli_fusion_programs(struct bli_fusion_draft *draft);

/* Estimates, in nanoseconds on one core: of the fusion as decided; of its steps' calls.
 */
double bli_fusion_ns(const struct bli_fusion_draft *draft);
double bli_fusion_calls_ns(const struct bli_fusion_draft *draft);

/* Bytes of an operand, and of all operands, each element counted once. */
double bli_fusion_own_bytes(const struct bli_fusion_draft *draft, int32_t k);
double bli_fusion_traffic(const struct bli_fusion_draft *draft);

/* The index in its phase of the step that computes a value; -1: of another phase. */
int32_t bli_fusion_member(const struct bli_fusion_draft *draft, int32_t v);

/* The step of a phase by its index. */
static inline const struct bli_expr_step *
bli_fusion_step(const struct bli_fusion_draft *draft, int32_t i)
{
    return &draft->plan->step[draft->phase->step[i]];
}

/* The number of operands of a step, alpha being one. */
static inline int32_t bli_fusion_inputs(const struct bli_expr_step *step)
{
    return step->count + step->has_alpha;
}

#endif
