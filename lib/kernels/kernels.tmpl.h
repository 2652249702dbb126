/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: element functions and kernels of one dtype, for every operator.
 *
 *   BLI_T, BLI_KIND   the dtype's name and kind (dtypes.def); undefined at the end
 */

/*
 * The operand type in expressions: the computed type, except that booleans are bytes,
 * which give better vector code than bool with its conversions.
 */
typedef __typeof__(_Generic((PASTE(computed_, BLI_T))0, _Bool
                            : (uint8_t)0, default
                            : (PASTE(computed_, BLI_T))0)) PASTE(operand_, BLI_T);

typedef BLI_TAKEN(ALL) BLI_DOMAIN(ALL);
typedef BLI_TAKEN(REAL) BLI_DOMAIN(REAL);
typedef BLI_TAKEN(ORDERED) BLI_DOMAIN(ORDERED);
typedef BLI_TAKEN(NUMBER) BLI_DOMAIN(NUMBER);
typedef BLI_TAKEN(INEXACT) BLI_DOMAIN(INEXACT);
typedef BLI_TAKEN(FLOAT) BLI_DOMAIN(FLOAT);
typedef BLI_TAKEN(BITS) BLI_DOMAIN(BITS);
typedef BLI_TAKEN(INT) BLI_DOMAIN(INT);

typedef __typeof__(_Generic((BLI_COMPUTED)0, float _Complex : 0.0f,
                            double _Complex : 0.0, default
                            : (BLI_STORED)0)) PASTE(real_part_, BLI_T);

/* Store a result of kind SAME: an element of the dtype. */
static inline void BLI_STORE_SAME(char *r, BLI_OPERAND x)
{
    PASTE(bli_store_, BLI_T)(r, x);
}

/* Store a result of kind REAL_PART: for complex dtypes a real element. */
static inline void BLI_STORE_REAL_PART(char *r, BLI_OPERAND x)
{
    if (BLI_TAKES(COMPLEX, BLI_T))
        *(PASTE(real_part_, BLI_T) *)r = (PASTE(real_part_, BLI_T))x;
    else
        BLI_STORE_SAME(r, x);
}

#define BL_OP(name, value, inputs, domain, result, impl, expression, doc)              \
    BLI_OPERATOR(impl, BLI_KIND)(name, inputs, domain, result, expression)
#include "core/tables/ops.def"
#undef BL_OP

BLI_SWAPPED(gt, lt)
BLI_SWAPPED(ge, le)
BLI_WITH_CONSTANT(complement, bitwise_xor, -1)
BLI_WITH_CONSTANT(positive, maximum, 0)
BLI_WITH_CONSTANT(is_zero, eq, 0)

#undef BLI_T
#undef BLI_KIND
