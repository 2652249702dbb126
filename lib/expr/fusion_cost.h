/* SPDX-License-Identifier: BSD-3-Clause */
/* What fusions and calls cost, as it was measured. */
#ifndef BLI_FUSION_COST_H
#define BLI_FUSION_COST_H

#include "expr/fusion_plan.h"

/*
 * Nanoseconds of a program where it is run already: with one bank, halves or 128 bits,
 * or with three banks.  Zen 3, AVX2: when those of three were those of one, rows of 64
 * to 600 f32 in (a - b) * (c + b), where b is a column, took 1.2 to 1.6 times as long,
 * by calls, which were chosen; bf16 of three takes 1.8 times as long as calls.  With
 * SSE2 both estimates gave the same times.
 */
struct bli_program_rates {
    double next_row;      /* to which it goes itself */
    double register_byte; /* of each register that an instruction takes */
    double saved_byte; /* of that, what one with operands in registers does not take */
};

/* Nanoseconds that follow the registers. */
struct bli_rates {
    double call;         /* of few elements */
    double program;      /* that is called for a box or a row */
    double byte;         /* that a kernel reads or writes in the caches */
    double copied_byte;  /* to or from a buffer */
    double row;          /* that a kernel of a fusion takes where it is */
    double spread;       /* row of copies of one element, in a buffer */
    double far_row_byte; /* for each operation that leaves memory idle */
    struct bli_program_rates chain, tree;
    double maximum;     /* instructions that one is more, because of NaN */
    double rounding[2]; /* the same of one to bf16, on AMD's machines and others */
    double few;         /* for an instruction of a program for few elements */
    double sum_byte;    /* that is reduced */
    double lane_byte;   /* of columns, whose lanes are there */
    double columns;     /* of a fusion of few elements that reduces columns */
};

/*
 * The others, measured on an AMD EPYC (Zen 5) with AVX-512: of a fusion of few
 * elements; of a kernel that is called for a box; of a copy to or from a buffer, of a
 * row of halves that a kernel takes where it is, and of a number.
 */
#define NS_PER_FUSION   28.0
#define NS_PER_KERNEL   14.0
#define NS_PER_COPY     25.0
#define NS_PER_HALF_ROW 1.5
#define NS_PER_NUMBER   5.0

/*
 * Of each row of a buffer that is filled piece by piece, where loops are joined.
 * Emerald Rapids, AVX-512, one thread: with 5, and twice as much for each byte, of 414
 * sums of all elements of f32 and f64 with rows and columns 92 take 1.15 to 3.3 of the
 * time of the better of fusion and calls; with this 30, up to 2.
 */
#define NS_PER_PIECED_ROW 1.0

/*
 * Of few elements, which are one box: of the fusion, of a kernel, of a program, of a
 * gathered buffer and each of its pieces.
 */
#define NS_PER_SMALL         12.0
#define NS_PER_SMALL_KERNEL  8.0
#define NS_PER_SMALL_PROGRAM 5.0
#define NS_PER_TABLE         3.0
#define NS_PER_PIECE         0.25

/*
 * Of a reduction's call, of its results where these are of rows, of such as are reduced
 * as columns, and of those that fusions with masks reduce as rows; of a part of a group
 * in each row.  Rows of 24 to 48 bytes (Emerald Rapids).
 */
#define NS_PER_REDUCTION 250.0
#define NS_PER_RESULT    5.0
#define NS_PER_TURNED    1.2
#define NS_PER_MASKED    1.5
#define L1_BYTES         (32 << 10)
#define NS_PER_ROW_PART  22.0

/*
 * Where a program adds elements to lanes, of what a reducer takes for them.  Zen 3,
 * AVX2: with it programs are chosen for rows of 64 to 256 f64, which take .7 to .95 of
 * the time of kernels.
 */
#define ADDED 0.3

/*
 * Of a reduction of columns, for a row of a box; of the lanes of a column.  Zen 3:
 * sum(a * b, 0) of f64[20000,16], which is faster fused, by 1.5, and sum(a * b, 1) of
 * f32[500,3,30], which is faster by calls.
 */
#define NS_PER_ROW_OF_COLUMNS 1.0
#define NS_PER_LANES          2.0

/*
 * In a fusion, of a box of rows for each reduction beside its operations, which are
 * started again in each; of the second pass of var and std for a row, and for an
 * element, more than calls take.  Fewest bytes of an element whose lanes are counted:
 * sum(a > b, 0) of f32[1000,1000] takes .05 ns an element.
 */
#define NS_PER_BOX         30.0
#define NS_PER_CENTRED_ROW 3.0
#define NS_PER_CENTRED     0.016
#define LEAST_LANE         4

/*
 * A group of a program takes one instruction after the other, each of so many bytes of
 * registers; a part of a group is several small ones, and less than one of these is
 * copied, an operand after the other.
 */
#define NS_PER_INSTRUCTION 0.5
#define NS_PER_PART        8.0
#define FEW_BYTES          64

/*
 * Operands of more bytes are beyond the caches.  Kernels that take rows where they are
 * read memory in the first operation of a box and write it in the last: others leave it
 * idle.  Zen 3, a cache of 32 MiB that is shared, a million f64 with two columns, one
 * thread: rows of 24 in (a - b) / c * d + e took 1.4 ms by kernels and .99 by a program
 * and copies of columns, in (a - b) * d .7 and .8.  Of f32, 8 MB, they take what they
 * take in the caches.
 */
#define FAR_ROWS (12 << 20)

/* A row of copies of so many bytes takes a quarter of others: 1 ns instead of 2.5. */
#define SPREAD_ROW 64

/*
 * Of each byte beyond L1 and L2, and of each beyond the last-level cache; and what is
 * beyond.
 */
#define NS_PER_FAR_BYTE    0.010
#define NS_PER_MEMORY_BYTE 0.030
#define CACHE_BYTES        (1 << 20)
#define MEMORY_BYTES       (48 << 20)

/*
 * Estimates, in nanoseconds on one core: of a fusion as decided; of its steps' calls;
 * the least of it where each step is a kernel, when it was decided in another way; by
 * how much the first is more than programs take, where kernels may be better.
 */
double bli_fusion_ns(const struct bli_fusion_draft *draft);
double bli_fusion_calls_ns(const struct bli_fusion_draft *draft);
double bli_fusion_least_kernels_ns(const struct bli_fusion_draft *draft);
double bli_fusion_excess_ns(const struct bli_fusion_draft *draft);

/*
 * What both estimates leave out, because it is the same in calls: of halves, which are
 * widened and rounded, of quotients and roots.  The number of threads follows all.
 */
double bli_fusion_common_ns(const struct bli_fusion_draft *draft);

const struct bli_rates *bli_rates_of(const struct bli_isa *isa);
const struct bli_program_rates *bli_rates_of_program(const struct bli_isa *isa,
                                                     const struct bli_program *program);

/*
 * Whether programs round to bf16, which is slow with AVX2 on Intel's machines: 46
 * expressions of bf16 take .89 of the time of calls by the better of both on Emerald
 * Rapids, .95 by programs, mean((a - b) ** 2) of [1000,1000] 1.0 and 1.5.
 */
bool bli_fusion_rounds_slowly(const struct bli_fusion_draft *draft);

/* Of bytes that are moved once, beyond L2. */
double bli_fusion_far_ns(double bytes);

/* Bytes that a call reads and writes for so many elements, one after the other. */
double bli_fusion_moved(const struct bl_plan *call, double count);

/*
 * Of operands that a call stages, for an element: so do kernels that take short rows
 * where they are.
 */
double bli_fusion_packed_ns(const struct bl_plan *call);

#endif
