/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pure functions of shapes: resolving rules, the loop nest, overlap.  Knows neither
 * kernels nor threads, and never accesses data.
 */
#ifndef BLI_SHAPE_H
#define BLI_SHAPE_H

#include <broadloom/rules.h>

#include "core/core.h"

/* ---- nest.c ---- */

/*
 * A loop nest over the result's iteration space.  Loop 0 is the innermost.  Operand 0
 * is the result; strides are in bytes, of any sign, 0 where an operand is broadcast.
 */
struct bli_nest {
    int32_t loops; /* at least 2 once finished: the kernel takes two */
    int32_t operands;
    uint32_t needs_linear_copy; /* bit k: operand k must first be copied to compact
                                   order, see bli_nest_make */
    int64_t count;              /* iterations: the product of the extents */
    int64_t offset[BLI_MAX_OPERANDS]; /* bytes from an operand's address to its first
                                         element visited */
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK][BLI_MAX_OPERANDS];
};

/* An operand, input to making a nest. */
struct bli_strided {
    int32_t rank;
    int32_t size; /* bytes of an element */
    int32_t unit; /* bytes that a stride of 1 is: `size` or 1 */
    const int64_t *extent;
    const int64_t *stride; /* NULL: compact */
    bl_pairing pairing;
};

/*
 * Make the nest of a result (operand[0]) and its inputs: axes of extent 1 are dropped,
 * loops ordered by the result's strides, adjacent loops that step through memory evenly
 * fused, and the nest padded to two loops.  Never changes which elements are paired.
 * Strides must have been checked to fit.  Cannot fail.
 *
 * An operand that is paired linearly, its k-th element in logical order with the
 * result's k-th, gets strides along the result's loops if it steps through memory
 * evenly in that order.  Otherwise its bit in `needs_linear_copy` is set, and the
 * strides are those of a compact copy in that order.
 */
void bli_nest_make(struct bli_nest *nest, int32_t operands,
                   const struct bli_strided *operand);

/* ---- overlap.c ---- */

enum bli_overlap {
    BLI_OVERLAP_NONE,    /* proven: no shared bytes */
    BLI_OVERLAP_EXACT,   /* paired elements have the same address */
    BLI_OVERLAP_PARTIAL, /* proven: bytes are shared in another way */
    BLI_OVERLAP_UNKNOWN  /* the bounded search gave up */
};

/*
 * How operand `k` of the nest shares memory with the result (operand 0): their
 * addresses are `datak` and `data0`, their elements have `sizek` and `size0` bytes.
 */
enum bli_overlap bli_overlap_operands(const struct bli_nest *nest, int32_t k,
                                      const void *data0, int64_t size0,
                                      const void *datak, int64_t sizek);

/*
 * Range of bytes that operand k's elements occupy, relative to its address: the first,
 * and the one past the last.
 */
void bli_nest_span(const struct bli_nest *nest, int32_t k, int64_t size, int64_t *begin,
                   int64_t *end);

/* Whether operand k has the result's offset and strides. */
bool bli_nest_is_alike(const struct bli_nest *nest, int32_t k);

/* Whether two iterations of the nest write the same byte: NONE, PARTIAL or UNKNOWN. */
enum bli_overlap bli_overlap_self(const struct bli_nest *nest, int64_t size);

/* The built-in rules that bl_rules_modern() and bl_rules_strict() return. */
extern const bl_rules bli_rules_modern, bli_rules_strict;

/*
 * Check a program's rules.  BL_ERR_ARGUMENT where they have no function or unknown
 * flags, and errors as from bli_sized_read.  Rules of this library's size are not
 * copied: every call runs this.
 */
bl_status bli_rules_check(const bl_rules *rules);

#endif
