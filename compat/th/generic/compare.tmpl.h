/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons of one type: 0 or 1, as bytes or as elements.
 */

/* Define r_ = op(t, value). */
#define TH_COMPARE_VALUE(name, op, Result, TResult)                                    \
    void THTensor_(name)(TResult * r_, THTensor * t, real value)                       \
    {                                                                                  \
        const bl_scalar number = TH_NUMBER(value);                                     \
                                                                                       \
        TH_CONCAT_3(TH, Result, Tensor_resizeNd)                                       \
        (r_, t->nDimension, t->size, NULL);                                            \
        {                                                                              \
            const bl_array out = TH_ARRAY_OF(Result, r_), a = TH_ARRAY(t);             \
            const bl_array b = bl_scalar_array(&number);                               \
            const bl_array *const in[] = {(void *)r_ == (void *)t ? &out : &a, &b};    \
                                                                                       \
            th_apply(op, &out, 2, in, NULL);                                           \
        }                                                                              \
    }

/* Define r_ = op(ta, tb). */
#define TH_COMPARE_TENSOR(name, function, op, Result, TResult)                         \
    void THTensor_(name)(TResult * r_, THTensor * ta, THTensor * tb)                   \
    {                                                                                  \
        const bl_array arrays[] = {TH_ARRAY(ta), TH_ARRAY(tb)};                        \
        const bl_array *const both[] = {&arrays[0], &arrays[1]};                       \
                                                                                       \
        if (!th_admit(TH_CALL(function), "r_ ta tb", (void *)r_ == (void *)ta, 2,      \
                      both))                                                           \
            return;                                                                    \
        TH_CONCAT_3(TH, Result, Tensor_resizeNd)                                       \
        (r_, ta->nDimension, ta->size, NULL);                                          \
        {                                                                              \
            const bl_array out = TH_ARRAY_OF(Result, r_);                              \
            const bl_array a = TH_ARRAY(ta), b = TH_ARRAY(tb);                         \
            const bl_array *const in[] = {(void *)r_ == (void *)ta ? &out : &a,        \
                                          (void *)r_ == (void *)tb ? &out : &b};       \
                                                                                       \
            th_apply(op, &out, 2, in, NULL);                                           \
        }                                                                              \
    }

#define TH_COMPARE(name, op)                                                           \
    TH_COMPARE_VALUE(name##Value, op, Byte, THByteTensor)                              \
    TH_COMPARE_VALUE(name##ValueT, op, Real, THTensor)                                 \
    TH_COMPARE_TENSOR(name##Tensor, #name, op, Byte, THByteTensor)                     \
    TH_COMPARE_TENSOR(name##TensorT, #name, op, Real, THTensor)

TH_COMPARE(lt, BL_OP_LT)
TH_COMPARE(le, BL_OP_LE)
TH_COMPARE(gt, BL_OP_GT)
TH_COMPARE(ge, BL_OP_GE)
TH_COMPARE(ne, BL_OP_NE)
TH_COMPARE(eq, BL_OP_EQ)

#undef TH_COMPARE
#undef TH_COMPARE_VALUE
#undef TH_COMPARE_TENSOR

/* Set at[2] where an element of at[0] differs from that of at[1]. */
static void THTensor_(differsKernel)(const void *user, int64_t count, char *const *at,
                                     const int64_t *step)
{
    bool *const differs = (bool *)at[2];

    (void)user;
    for (int64_t i = 0; i < count && !*differs; i++)
        *differs = *(const real *)(at[0] + i * step[0]) !=
                   *(const real *)(at[1] + i * step[1]);
}

int THTensor_(equal)(THTensor *ta, THTensor *tb)
{
    const bl_array a = TH_ARRAY(ta), b = TH_ARRAY(tb);
    const bl_array *const both[] = {&a, &b};
    const int64_t blocks = th_reduce_blocks(th_count(&a));
    bool differs = false;
    bool *partial;

    if (!THTensor_(isSameSizeAs)(ta, tb))
        return 0;
    partial = THAlloc((ptrdiff_t)(blocks + 1) * (ptrdiff_t)sizeof *partial);
    memset(partial, 0, (size_t)(blocks + 1) * sizeof *partial);
    th_reduce(2, both, THTensor_(differsKernel), NULL, partial, sizeof *partial);
    for (int64_t i = 0; i < blocks; i++)
        differs = differs || partial[i];
    THFree(partial);
    return !differs;
}
