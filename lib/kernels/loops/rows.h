/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two loop functions of which a kernel is made, and the functions that run them.
 */
#ifndef BLI_ROWS_H
#define BLI_ROWS_H

#include "kernels/kernel.h"
#include "kernels/simd_lanes.h"

#define BLI_PARAMETERS                                                                 \
    char *const *data, const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,        \
        int64_t outer, const void *params
#define BLI_ARGUMENTS data, stride, inner, outer, params

/* A kernel's arguments as rows: its two loops, fused or exchanged for longer rows. */
struct bli_rows {
    int64_t inner;
    int64_t outer;
    int64_t stride[2][BLI_MAX_OPERANDS];
    char *data[BLI_MAX_OPERANDS];
};

/* A loop over rows; `scalars` has bit k where input k has inner stride 0. */
#define BLI_LOOP_PARAMETERS                                                            \
    char *const *data, const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,        \
        int64_t outer, uint32_t scalars
#define BLI_LOOP_ARGUMENTS data, stride, inner, outer, scalars
typedef void bli_loop(BLI_LOOP_PARAMETERS);

/*
 * In place of a set of scalars: a row of contiguous operands whose result is whole
 * lines, which are written with non-temporal stores. The last of four inputs is a
 * factor: BLI_NT_SCALARS is the set.
 */
#define BLI_NT_LINES           16
#define BLI_NT_SCALARS(inputs) ((inputs) == 4 ? UINT32_C(8) : UINT32_C(0))

/* A kernel of loops. */
struct bli_loops {
    bli_kernel kernel;
    /*
     * Rows with a contiguous result. Each input is contiguous, or a scalar: it has
     * inner stride 0.
     */
    bli_loop *dense;
    bli_loop *const *single; /* any strides, an element at a time; it may be NULL */
    uint16_t least;          /* elements of a row that `dense` is meant for */
    uint16_t fewest;         /* of one row that it takes */
    uint32_t forms;          /* sets of scalars that `dense` takes: bit of each set */
    uint8_t size[5];         /* bytes of an element of the result, and of the inputs */
};

/* Room for a block on the stack. */
#define BLI_BLOCK_BYTES 512
struct bli_block {
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_BLOCK_BYTES];
};

/* A cache line of a result. */
struct bli_line {
    _Alignas(BLI_ALIGNMENT) char bytes[BLI_ALIGNMENT];
};

/* The most operands that such a kernel has, the result included. */
#define BLI_LOOP_OPERANDS 5

#define BLI_PASTE3_(a, b, c) a##b##c
#define BLI_PASTE3(a, b, c)  BLI_PASTE3_(a, b, c)

/* A kernel that is another one with other inputs. */
struct bli_derived {
    bli_kernel kernel;
    const struct bli_loops *loops;
    const void *constant;
};

/*
 * bli_run_<n>: the function of struct bli_loops with n operands. Those of struct
 * bli_derived are bli_run_swapped, which exchanges the two inputs, as a > b is b < a,
 * and bli_run_with, which has one input, and before it the constant, as ~a is -1 ^ a.
 * bli_move_<n> copies elements of n bytes. Each instruction set has its own.
 */
#define BLI_OF_ISA(name) BLI_PASTE3(name, _, BLI_ISA_NAME)
#define bli_run_2        BLI_OF_ISA(bli_run_2)
#define bli_run_3        BLI_OF_ISA(bli_run_3)
#define bli_run_4        BLI_OF_ISA(bli_run_4)
#define bli_run_5        BLI_OF_ISA(bli_run_5)
#define bli_run_swapped  BLI_OF_ISA(bli_run_swapped)
#define bli_run_with     BLI_OF_ISA(bli_run_with)
#define bli_move_1       BLI_OF_ISA(bli_move_1)
#define bli_move_2       BLI_OF_ISA(bli_move_2)
#define bli_move_4       BLI_OF_ISA(bli_move_4)
#define bli_move_8       BLI_OF_ISA(bli_move_8)
#define bli_move_16      BLI_OF_ISA(bli_move_16)

void bli_run_2(BLI_PARAMETERS, bli_kernel *kernel);
void bli_run_3(BLI_PARAMETERS, bli_kernel *kernel);
void bli_run_4(BLI_PARAMETERS, bli_kernel *kernel);
void bli_run_5(BLI_PARAMETERS, bli_kernel *kernel);
void bli_run_swapped(BLI_PARAMETERS, bli_kernel *kernel);
void bli_run_with(BLI_PARAMETERS, bli_kernel *kernel);
extern bli_kernel bli_move_1, bli_move_2, bli_move_4, bli_move_8, bli_move_16;

#endif
