/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels: the inner two loops of an operation, compiled once per instruction set.
 * Knows nothing of shapes, plans or threads.
 */
#ifndef BLI_KERNEL_H
#define BLI_KERNEL_H

#include "core/core.h"

/*
 * result[i, j] = op(inputs[i, j]) for i < outer, j < inner.
 *
 * data[0] is the result and data[1], ... the inputs, at element (0, 0); stride[0][k]
 * are the bytes from one j to the next of operand k, stride[1][k] from one i to the
 * next. Any sign, 0 repeats.  An input may be exactly the result (same address, same
 * strides); otherwise operands do not overlap.  `params` is BLI_NT_STORES where the
 * result had better go past the caches, with isa->stream_fence after the last call;
 * else NULL, or what belongs to a function of the caller's.  Reads and writes no byte
 * outside the elements; raises no floating-point exception that the scalar operation
 * would not.  What bli_op_wants_nearest() is true of must be called under that.
 */
extern const char bli_nt_stores;
#define BLI_NT_STORES ((const void *)&bli_nt_stores)

typedef void bli_kernel(char *const *data, const int64_t (*stride)[BLI_MAX_OPERANDS],
                        int64_t inner, int64_t outer, const void *params);

/*
 * A kernel's operand `k`, read by itself.  Two in one register would wait for what the
 * caller has just stored one after the other, and that for all stores before it: adding
 * a row of 3 past the caches took 1.2 times as long.
 */
static inline char *bli_address(char *const *data, int32_t k)
{
    return *(char *const volatile *)&data[k];
}

/* One compilation of the kernels. */
struct bli_isa {
    const char *name;                          /* "base", "avx2", ... */
    bool (*available)(void);                   /* on this machine */
    bli_kernel *const (*integers)[BLI_DTYPES]; /* [op][dtype of a]; NULL: not taken */
    bli_kernel *const (*inexact)[BLI_DTYPES];  /* the same of the other dtypes */
    bli_kernel *const (*convert)[BLI_DTYPES];  /* [from][to], for BL_OP_COPY */
    bli_kernel *const *move; /* [log2 of the size]: elements of that many bytes */
    /*
     * Copy `bytes` past the caches, for the memory of a result that is too large for
     * them, and make such writes visible to other threads.
     */
    void (*stream)(char *to, const char *from, int64_t bytes);
    void (*stream_fence)(void);
    /* Whether one of `count` dense elements of `size` bytes, at most 8, is 0. */
    bool (*has_zero)(const char *data, int64_t size, int64_t count);
};

/*
 * The best instruction set of this machine that is not above `cap` (NULL: no cap).
 * Never NULL: "base" is always there.  Decided once; thread-safe.
 */
const struct bli_isa *bli_isa_pick(const struct bli_isa *cap);

/*
 * The compiled instruction set of that name, available or not; NULL if there is none.
 */
const struct bli_isa *bli_isa_find(const char *name);

/* All compiled ones from the least capable up, NULL at the end. */
extern const struct bli_isa *const bli_isa_all[];

/*
 * The kernel of an operator for inputs of dtype `from` (for SELECT: of a and b) and a
 * result of `to`; NULL where there is none: the operator does not take the dtype, or
 * computes it in another (f16 and bf16 in f32, where it is a function of blocks).
 */
bli_kernel *bli_isa_kernel(const struct bli_isa *isa, bl_op op, bl_dtype from,
                           bl_dtype to);

/*
 * How a kernel will walk operands with these inner strides: "contiguous", "scalar",
 * "strided": for people.  size[k] are the bytes of operand k's elements.
 */
const char *bli_kernel_access(int32_t operands, const int64_t *stride,
                              const int64_t *size);

#endif
