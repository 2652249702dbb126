/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes as pure functions: resolving rules, the loop nest, overlap.  Knows neither
 * kernels nor threads, and never looks at data.
 */
#ifndef BLI_SHAPE_H
#define BLI_SHAPE_H

#include <broadloom/rules.h>

#include "core/core.h"

/* ---- nest.c ---- */

/*
 * A loop nest over the result's index space.  Loop 0 is the innermost.  Operand 0 is
 * the result; strides are in bytes, of any sign, 0 where the operand repeats.
 */
struct bli_nest {
    int32_t loops; /* at least 2 once finished: the kernel takes two */
    int32_t operands;
    uint32_t needs_linear_copy; /* bit k: operand k is to be copied compactly first, see
                                   below */
    int64_t count;              /* iterations: the product of the extents */
    int64_t offset[BLI_MAX_OPERANDS]; /* bytes from an operand's address to where it
                                         starts */
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK][BLI_MAX_OPERANDS];
};

/* An operand as the nest sees it. */
struct bli_strided {
    int32_t rank;
    int32_t size; /* bytes of an element */
    const int64_t *extent;
    const int64_t *stride; /* in elements; NULL: compact */
    bl_pairing pairing;
};

/*
 * Nest of a result of `rank` dims and its inputs: dims of extent 1 dropped, loops
 * ordered by the result's strides, neighbours that step through memory evenly fused,
 * padded to two loops.  operand[0] is the result.  Never changes which elements meet.
 * Strides must have been checked to fit.  Cannot fail.
 *
 * An operand that is paired flat, its k-th element with the result's k-th, has strides
 * along the result's loops where it steps through memory evenly in its own order. Where
 * it does not it is `apart`: the strides are those of a compact copy in that order.
 */
void bli_nest_make(struct bli_nest *nest, int32_t operands,
                   const struct bli_strided *operand);

/* ---- overlap.c ---- */

enum bli_overlap {
    BLI_OVERLAP_NONE,    /* proven: no byte in common */
    BLI_OVERLAP_EXACT,   /* the same elements meet in the same places */
    BLI_OVERLAP_PARTIAL, /* proven: bytes in common otherwise */
    BLI_OVERLAP_UNKNOWN  /* the bounded search gave up */
};

/*
 * How operand `k` of the nest shares memory with the result (operand 0), for elements
 * of `size0` and `sizek` bytes at these addresses.
 */
enum bli_overlap bli_overlap_operands(const struct bli_nest *nest, int32_t k,
                                      const void *data0, int64_t size0,
                                      const void *datak, int64_t sizek);

/* First byte of operand k's elements and the one past their last, from its address. */
void bli_nest_span(const struct bli_nest *nest, int32_t k, int64_t size, int64_t *begin,
                   int64_t *end);

/* Whether operand k steps through memory as the result does. */
bool bli_nest_is_alike(const struct bli_nest *nest, int32_t k);

/* Whether two iterations of the nest write the same byte: NONE, PARTIAL or UNKNOWN. */
enum bli_overlap bli_overlap_self(const struct bli_nest *nest, int64_t size);

/* The built-in rules that bl_rules_modern() and bl_rules_strict() give. */
extern const bl_rules bli_rules_modern, bli_rules_strict;

#endif
