/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels: the inner two loops of an operation, compiled once per instruction set. They
 * know nothing of shapes, plans or threads.
 */
#ifndef BLI_KERNEL_H
#define BLI_KERNEL_H

#include "core/core.h"

/*
 * A kernel is a function and what follows it in memory, which the function is given
 * with the call: kernels of one shape share their functions.
 */
struct bli_kernel;
typedef const struct bli_kernel bli_kernel;
struct bli_kernel {
    void (*run)(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                int64_t inner, int64_t outer, const void *params, bli_kernel *kernel);
};

/*
 * result[i, j] = op(inputs[i, j]) for i < outer, j < inner.
 *
 * data[0] is the result and data[1], ... the inputs, at element (0, 0); stride[0][k] is
 * the distance in bytes from one j to the next of operand k, stride[1][k] from one i to
 * the next. Strides have any sign; 0 broadcasts. An input may be exactly the result
 * (same address, same strides); otherwise operands do not overlap. `params` is
 * BLI_NT_STORES where the result should be written with non-temporal stores, with
 * isa->stream_fence after the last call; else NULL, or the argument of a user's
 * function. A kernel reads and writes no byte outside the elements, and raises no
 * floating-point exception that the scalar operation would not. Operators for which
 * bli_op_wants_nearest() is true must be called under rounding to nearest.
 */
extern const char bli_nt_stores;
#define BLI_NT_STORES ((const void *)&bli_nt_stores)

static inline void bli_kernel_run(bli_kernel *kernel, char *const *data,
                                  const int64_t (*stride)[BLI_MAX_OPERANDS],
                                  int64_t inner, int64_t outer, const void *params)
{
    kernel->run(data, stride, inner, outer, params, kernel);
}

/*
 * The address of a kernel's operand `k`, read by itself. Two addresses in one register
 * would wait for the two stores that the caller has just made, and for all stores
 * before them: adding a row of 3 with non-temporal stores took 1.2 times as long.
 */
static inline char *bli_address(char *const *data, int32_t k)
{
    return *(char *const volatile *)&data[k];
}

/* Prepare a program of registers/program.h to be run, and run it for rows. */
struct bli_program;
typedef void bli_prepare_program(struct bli_program *program);
typedef void bli_run_program(const struct bli_program *program, char *const *data,
                             int64_t count, int64_t rows, const int64_t *step,
                             uint32_t streams);
typedef void bli_run_apart(const struct bli_program *program, char *const *data,
                           int64_t count);

/* One compilation of the kernels. */
struct bli_isa {
    const char *name;                          /* "base", "avx2", ... */
    bool (*available)(void);                   /* on this machine */
    bli_kernel *const (*integers)[BLI_DTYPES]; /* [op][dtype of a]; NULL: none */
    bli_kernel *const (*inexact)[BLI_DTYPES];  /* [op][dtype of a]; the other dtypes */
    bli_kernel *const (*convert)[BLI_DTYPES];  /* [from][to], for BL_OP_COPY */
    bli_kernel *const *move;                   /* [log2 of the element size]: copies */
    /*
     * Copy `bytes` with non-temporal stores, for a result that is too large for the
     * caches, and make such stores visible to other threads.
     */
    void (*stream)(char *to, const char *from, int64_t bytes);
    void (*stream_fence)(void);
    bli_prepare_program *prepare_program;
    bli_run_program *run_program;
    bli_run_apart *run_apart;
    int32_t register_bytes; /* of the machines that run programs */
    /* Whether any of `count` contiguous elements of `size` bytes, at most 8, is 0. */
    bool (*has_zero)(const char *data, int64_t size, int64_t count);
};

/*
 * Whether its registers are of 512 bits.  What was measured differs by that: it is the
 * processors that differ, in the caches and in the stores that they can have under way.
 */
static inline bool bli_isa_has_512_bits(const struct bli_isa *isa)
{
    return isa->register_bytes == 64;
}

/*
 * The best instruction set of this machine that is not above `cap` (NULL: no cap).
 * Never NULL: "base" is always available. Detected once; thread-safe.
 */
const struct bli_isa *bli_isa_pick(const struct bli_isa *cap);

/*
 * Whether this machine is AMD's, and computes 512 bits as two of 256 (Zen 4); by the
 * processor's own account, which takes microseconds.
 */
bool bli_cpu_is_amd(void);
bool bli_cpu_halves_512_bits(void);

/*
 * bli_cpu_is_amd(), remembered.  AMD's processors convert f32 to f64 where they add;
 * Intel's where they multiply, and their L2 is slower beside L1.  Thread-safe.
 */
bool bli_machine_is_amd(void);

/* The most capable instruction set of 256 bits, if `isa` has 512, else `isa`. */
const struct bli_isa *bli_isa_of_256_bits(const struct bli_isa *isa);

/*
 * The instruction set in place of `isa` for what waits for memory: on a machine that
 * halves 512 bits the one with 256, if it was compiled, else `isa`.  Zen 5, which does
 * not, takes up to 1.2 times as long with 256, but less for streams without more work,
 * and so do Intel's machines where results fit in the last-level cache, `is_cached`
 * (expr/fusion_memory.c).  Thread-safe.
 */
const struct bli_isa *bli_isa_for_memory(const struct bli_isa *isa);
const struct bli_isa *bli_isa_for_streams(const struct bli_isa *isa, bool is_cached);

/*
 * The compiled instruction set of this name, available or not; NULL if there is none.
 */
const struct bli_isa *bli_isa_find(const char *name);

/* All compiled instruction sets, the least capable first, NULL at the end. */
extern const struct bli_isa *const bli_isa_all[];

/*
 * The kernel of an operator for inputs of dtype `from` (for SELECT: of a and b) and a
 * result of `to`. NULL where there is none: the operator does not take the dtype, or
 * computes it in another one (f16 and bf16 in f32, for block functions).
 */
bli_kernel *bli_isa_kernel(const struct bli_isa *isa, bl_op op, bl_dtype from,
                           bl_dtype to);

/*
 * How a kernel will access operands with these inner strides, in words: "contiguous",
 * "scalar" (some inputs have stride 0) or "strided". size[k] is the element size of
 * operand k in bytes.
 */
const char *bli_kernel_access(int32_t operands, const int64_t *stride,
                              const int64_t *size);

#endif
