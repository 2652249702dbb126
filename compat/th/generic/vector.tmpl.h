/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations of one type on plain memory.
 */

/* z = op(x), op(x, y), or op(x, *number) where `number` is not NULL. */
static void THVector_(apply)(bl_op op, real *z, const real *x, const real *y,
                             const bl_scalar *number, const bl_scalar *alpha,
                             ptrdiff_t n)
{
    const int64_t extent = n, one = 1;
    const bl_array out = {z, TH_DTYPE, 1, &extent, &one, 0};
    const bl_array a = {(void *)(uintptr_t)x, TH_DTYPE, 1, &extent, &one, 0};
    const bl_array b =
        number ? bl_scalar_array(number)
               : (bl_array){(void *)(uintptr_t)y, TH_DTYPE, 1, &extent, &one, 0};
    const bl_array *const in[] = {&a, &b};

    th_apply(op, &out, op == BL_OP_NEG || op == BL_OP_COPY ? 1 : 2, in, alpha);
}

void THVector_(vectorDispatchInit)(void)
{
}

void THVector_(fill)(real *x, const real c, const ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        x[i] = c;
}

void THVector_(copy)(real *y, const real *x, const ptrdiff_t n)
{
    THVector_(apply)(BL_OP_COPY, y, x, x, NULL, NULL, n);
}

void THVector_(neg)(real *y, const real *x, const ptrdiff_t n)
{
    THVector_(apply)(BL_OP_NEG, y, x, x, NULL, NULL, n);
}

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_DIVIDE BL_OP_DIV
#else
#define TH_DIVIDE BL_OP_TRUNC_DIVIDE
#endif

/* Define y = op(x, c). */
#define TH_WITH_NUMBER(name, op)                                                       \
    void THVector_(name)(real * y, const real *x, const real c, const ptrdiff_t n)     \
    {                                                                                  \
        const bl_scalar number = TH_NUMBER(c);                                         \
                                                                                       \
        THVector_(apply)(op, y, x, NULL, &number, NULL, n);                            \
    }

TH_WITH_NUMBER(adds, BL_OP_ADD)
TH_WITH_NUMBER(muls, BL_OP_MUL)
TH_WITH_NUMBER(divs, TH_DIVIDE)

void THVector_(cadd)(real *z, const real *x, const real *y, const real c,
                     const ptrdiff_t n)
{
    const bl_scalar alpha = TH_NUMBER(c);

    THVector_(apply)(BL_OP_ADD, z, x, y, NULL, &alpha, n);
}

void THVector_(cmul)(real *z, const real *x, const real *y, const ptrdiff_t n)
{
    THVector_(apply)(BL_OP_MUL, z, x, y, NULL, NULL, n);
}

void THVector_(cdiv)(real *z, const real *x, const real *y, const ptrdiff_t n)
{
    THVector_(apply)(TH_DIVIDE, z, x, y, NULL, NULL, n);
}

#undef TH_DIVIDE
#undef TH_WITH_NUMBER
