/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of all elements of tensors of one type.
 */

/* The dtype of sums and products. */
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_SUM_DTYPE BL_DTYPE_F64
#else
#define TH_SUM_DTYPE BL_DTYPE_I64
#endif

/* Run a summing kernel in blocks, and return the sum of the partial results. */
static accreal THTensor_(foldSum)(int count, const bl_array *const *arrays,
                                  th_kernel kernel, const void *user)
{
    const int64_t blocks = th_reduce_blocks(th_count(arrays[0]));
    const size_t bytes = (size_t)(blocks + 1) * sizeof(accreal);
    accreal *const partial = memset(THAlloc((ptrdiff_t)bytes), 0, bytes);
    accreal sum = 0;

    th_reduce(count, arrays, kernel, user, partial, sizeof *partial);
    for (int64_t i = 0; i < blocks; i++)
        sum += partial[i];
    THFree(partial);
    return sum;
}

/* Add the products of elements to at[2]. */
static void THTensor_(dotKernel)(const void *user, int64_t count, char *const *at,
                                 const int64_t *step)
{
    accreal sum = 0;

    (void)user;
    for (int64_t i = 0; i < count; i++)
        sum += (accreal) * (const real *)(at[0] + i * step[0]) *
               *(const real *)(at[1] + i * step[1]);
    *(accreal *)at[2] += sum;
}

accreal THTensor_(dot)(THTensor *tensor, THTensor *src)
{
    const bl_array a = TH_ARRAY(tensor), b = TH_ARRAY(src);
    const bl_array *const both[] = {&a, &b};

    if (!th_admit(TH_CALL(NULL), "tensor src", false, 2, both))
        return 0;
    th_read_admitted(2, both);
    return THTensor_(foldSum)(2, both, THTensor_(dotKernel), NULL);
}

static accreal THTensor_(sumOf)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);
    accreal sum = 0;

    th_reduce_all(BL_REDUCTION_SUM, &array, TH_SUM_DTYPE, &sum);
    return sum;
}

accreal THTensor_(sumall)(THTensor *t)
{
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    return THTensor_(sumOf)(t);
}

accreal THTensor_(prodall)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);
    accreal product = 1;

    TH_READ(BL_SHADOW_ITEM, &array);
    th_reduce_all(BL_REDUCTION_PROD, &array, TH_SUM_DTYPE, &product);
    return product;
}

static accreal THTensor_(meanOf)(THTensor *t)
{
    THArgCheck(t->nDimension > 0, 1, "empty Tensor");
    return THTensor_(sumOf)(t) / THTensor_(nElement)(t);
}

accreal THTensor_(meanall)(THTensor *t)
{
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    return THTensor_(meanOf)(t);
}

real THTensor_(maxall)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);
    real largest = 0;

    THArgCheck(t->nDimension > 0, 1, "tensor must have one dimension");
    TH_READ(BL_SHADOW_ITEM, &array);
    th_reduce_all(BL_REDUCTION_MAX, &array, TH_DTYPE, &largest);
    return largest;
}

real THTensor_(minall)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);
    real smallest = 0;

    THArgCheck(t->nDimension > 0, 1, "tensor must have one dimension");
    TH_READ(BL_SHADOW_ITEM, &array);
    th_reduce_all(BL_REDUCTION_MIN, &array, TH_DTYPE, &smallest);
    return smallest;
}

#if defined(TH_REAL_IS_BYTE)
int THTensor_(logicalall)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);

    return !th_has_zero(&array);
}

int THTensor_(logicalany)(THTensor *t)
{
    const bl_array array = TH_ARRAY(t);
    bool any = false;

    th_reduce_all(BL_REDUCTION_ANY, &array, BL_DTYPE_BOOL, &any);
    return any;
}
#endif

#undef TH_SUM_DTYPE
