/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: element functions and kernels of one dtype, for every operator and for
 * conversion to every dtype.
 *
 *   BLI_T   the dtype's name; undefined at the end
 */

/* What expressions see of the computed type: truth values as bytes, which become better
   vector code than bool with its conversions. */
typedef __typeof__(_Generic((PASTE(computed_, BLI_T))0, _Bool
                            : (uint8_t)0, default
                            : (PASTE(computed_, BLI_T))0)) PASTE(operand_, BLI_T);

/* The types that an operator has here.  A domain without this dtype computes in int:
   its functions are never called, but must be C. */
#define BLI_COMPUTED  PASTE(computed_, BLI_T)
#define BLI_STORED    PASTE(stored_, BLI_T)
#define BLI_OPERAND   PASTE(operand_, BLI_T)
#define BLI_DOMAIN(d) PASTE3(d, _, BLI_T)
#define BLI_TAKEN(d)                                                                   \
    __typeof__(_Generic((char(*)[1 + BLI_TAKES(d, BLI_T)])0, char(*)[2]                \
                        : (BLI_OPERAND)0, default : 0))
typedef BLI_TAKEN(ALL) BLI_DOMAIN(ALL);
typedef BLI_TAKEN(REAL) BLI_DOMAIN(REAL);
typedef BLI_TAKEN(NUMBER) BLI_DOMAIN(NUMBER);
typedef BLI_TAKEN(INEXACT) BLI_DOMAIN(INEXACT);

/* Reading, storing each kind of result, and that result's size. */
#define BLI_STAGED                   PASTE(bli_staged_, BLI_T)
#define BLI_READ                     PASTE(read_, BLI_T)
#define BLI_STORE_SAME               PASTE(store_, BLI_T)
#define BLI_STORE_BOOL(r, x, staged) bli_store_bool(r, x)
#define BLI_STORE_MAGNITUDE          PASTE(store_magnitude_, BLI_T)
#define BLI_SIZE_SAME                sizeof(BLI_STORED)
#define BLI_SIZE_BOOL                1
#define BLI_SIZE_MAGNITUDE           sizeof(PASTE(magnitude_, BLI_T))

typedef __typeof__(_Generic((BLI_COMPUTED)0, float _Complex : 0.0f,
                            double _Complex : 0.0, default
                            : (BLI_STORED)0)) PASTE(magnitude_, BLI_T);

static inline BLI_COMPUTED BLI_READ(const char *at, bool staged)
{
    return staged && BLI_STAGED ? *(const BLI_COMPUTED *)at
                                : PASTE(bli_load_, BLI_T)(at);
}

static inline void BLI_STORE_SAME(char *r, BLI_OPERAND x, bool staged)
{
    if (staged && BLI_STAGED)
        *(BLI_COMPUTED *)r = x;
    else
        PASTE(bli_store_, BLI_T)(r, x);
}

static inline void BLI_STORE_MAGNITUDE(char *r, BLI_OPERAND x, bool staged)
{
    if (BLI_TAKES(COMPLEX, BLI_T))
        *(PASTE(magnitude_, BLI_T) *)r = (PASTE(magnitude_, BLI_T))x;
    else
        BLI_STORE_SAME(r, x, staged);
}

/* ---- operators ---- */

#define BLI_NAME(name) PASTE3(name, _, BLI_T)
#define BLI_ONE(name)  PASTE3(name, _one_, BLI_T)
#define BLI_PARAMETERS                                                                 \
    char *const *data, const int64_t(*stride)[BLI_MAX_OPERANDS], int64_t inner,        \
        int64_t outer, const void *params

#define BLI_KERNEL_UNARY(name, domain, result, expression)                             \
    static inline void BLI_ONE(name)(char *r, const char *pa, bool staged)             \
    {                                                                                  \
        const BLI_DOMAIN(domain) a = (BLI_DOMAIN(domain))BLI_READ(pa, staged);         \
        BLI_STORE_##result(r, expression, staged);                                     \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        (void)params;                                                                  \
        unary(BLI_ONE(name), data, stride, inner, outer, BLI_SIZE_##result,            \
              sizeof(BLI_STORED), BLI_STAGED, BLI_STAGED);                             \
    }

#define BLI_KERNEL_BINARY(name, domain, result, expression)                            \
    static inline void BLI_ONE(name)(char *r, const char *pa, const char *pb,          \
                                     bool staged)                                      \
    {                                                                                  \
        const BLI_DOMAIN(domain) a = (BLI_DOMAIN(domain))BLI_READ(pa, staged);         \
        const BLI_DOMAIN(domain) b = (BLI_DOMAIN(domain))BLI_READ(pb, staged);         \
        BLI_STORE_##result(r, expression, staged);                                     \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        (void)params;                                                                  \
        binary(BLI_ONE(name), data, stride, inner, outer, BLI_SIZE_##result,           \
               sizeof(BLI_STORED), BLI_STAGED);                                        \
    }

/* Elements are chosen, not computed with: as they are stored. */
#define BLI_KERNEL_SELECT(name, domain, result, expression)                            \
    static inline void BLI_ONE(name)(char *r, const char *pc, const char *pa,          \
                                     const char *pb)                                   \
    {                                                                                  \
        const _Bool c = bli_load_bool(pc);                                             \
        const BLI_STORED a = *(const BLI_STORED *)pa;                                  \
        const BLI_STORED b = *(const BLI_STORED *)pb;                                  \
        *(BLI_STORED *)r = expression;                                                 \
    }                                                                                  \
    static void BLI_NAME(name)(BLI_PARAMETERS)                                         \
    {                                                                                  \
        (void)params;                                                                  \
        select_(BLI_ONE(name), data, stride, inner, outer, sizeof(BLI_STORED));        \
    }

#define BLI_KERNEL_CONVERT(name, domain, result, expression)

#define BL_OP(name, value, inputs, domain, result, expression, doc)                    \
    BLI_KERNEL_##inputs(name, domain, result, expression)
#include "core/ops.def"
#undef BL_OP

/* ---- conversions ---- */

static inline void BLI_ONE(raw)(char *r, const char *a, bool staged)
{
    (void)staged;
    *(BLI_STORED *)r = *(const BLI_STORED *)a;
}

#define BL_DTYPE(name, value, class, stored, computed, npy, doc)                       \
    static inline void PASTE3(name, _from_, BLI_T)(char *r, const char *a,             \
                                                   bool staged)                        \
    {                                                                                  \
        const BLI_OPERAND x = BLI_READ(a, staged);                                     \
        if (staged && bli_staged_##name)                                               \
            *(computed *)r = BLI_CAST_##class(stored, computed, x);                    \
        else                                                                           \
            bli_store_##name(r, BLI_CAST_##class(stored, computed, x));                \
    }                                                                                  \
    static void PASTE3(convert_##name, _from_, BLI_T)(BLI_PARAMETERS)                  \
    {                                                                                  \
        (void)params;                                                                  \
        if (value == PASTE(value_, BLI_T))                                             \
            copy(BLI_ONE(raw), data, stride, inner, outer, sizeof(stored));            \
        else                                                                           \
            unary(PASTE3(name, _from_, BLI_T), data, stride, inner, outer,             \
                  sizeof(stored), sizeof(BLI_STORED), bli_staged_##name, BLI_STAGED);  \
    }
#undef BLI_DTYPE_TEMPLATE
#include "core/dtypes.def"
#undef BL_DTYPE
#define BLI_DTYPE_TEMPLATE "isa/loops.tmpl.h"

#undef BLI_COMPUTED
#undef BLI_STORED
#undef BLI_OPERAND
#undef BLI_DOMAIN
#undef BLI_TAKEN
#undef BLI_STAGED
#undef BLI_READ
#undef BLI_STORE_SAME
#undef BLI_STORE_BOOL
#undef BLI_STORE_MAGNITUDE
#undef BLI_SIZE_SAME
#undef BLI_SIZE_BOOL
#undef BLI_SIZE_MAGNITUDE
#undef BLI_NAME
#undef BLI_ONE
#undef BLI_PARAMETERS
#undef BLI_KERNEL_UNARY
#undef BLI_KERNEL_BINARY
#undef BLI_KERNEL_SELECT
#undef BLI_KERNEL_CONVERT
#undef BLI_T
