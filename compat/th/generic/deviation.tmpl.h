/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Norms, distances and variances of one floating-point type, computed in accreal.
 */

/* |value|^p, the term of a p-norm's sum; for p = 0, whether the value is not 0. */
static inline accreal THTensor_(power)(accreal value, accreal p)
{
    const accreal magnitude = fabs(value);

    return p == 0   ? magnitude != 0
           : p == 1 ? magnitude
           : p == 2 ? magnitude * magnitude
                    : pow(magnitude, p);
}

/* The p-norm whose sum of terms is `sum`. */
static inline accreal THTensor_(root)(accreal sum, accreal p)
{
    return p == 0 || p == 1 ? sum : p == 2 ? sqrt(sum) : pow(sum, 1 / p);
}

/* Add the terms of the p-norm of elements to at[1]; `user` is p. */
static void THTensor_(normKernel)(const void *user, int64_t count, char *const *at,
                                  const int64_t *step)
{
    const accreal p = *(const accreal *)user;
    accreal sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum += THTensor_(power)(*(const real *)(at[0] + i * step[0]), p);
    *(accreal *)at[1] += sum;
}

/* Add the terms of the p-norm of differences to at[2]; `user` is p. */
static void THTensor_(distKernel)(const void *user, int64_t count, char *const *at,
                                  const int64_t *step)
{
    const accreal p = *(const accreal *)user;
    accreal sum = 0;

    for (int64_t i = 0; i < count; i++) {
        const real difference =
            *(const real *)(at[0] + i * step[0]) - *(const real *)(at[1] + i * step[1]);

        sum += THTensor_(power)(difference, p);
    }
    *(accreal *)at[2] += sum;
}

/* Add the squares of deviations from the mean to at[1]; `user` is the mean. */
static void THTensor_(squaresKernel)(const void *user, int64_t count, char *const *at,
                                     const int64_t *step)
{
    const accreal mean = *(const accreal *)user;
    accreal sum = 0;

    for (int64_t i = 0; i < count; i++) {
        const accreal rest = *(const real *)(at[0] + i * step[0]) - mean;

        sum += rest * rest;
    }
    *(accreal *)at[1] += sum;
}

accreal THTensor_(normall)(THTensor *t, real value)
{
    const accreal p = value;
    const bl_array array = TH_ARRAY(t);
    const bl_array *const one[] = {&array};

    TH_READ(BL_SHADOW_ITEM, &array);
    return THTensor_(root)(THTensor_(foldSum)(1, one, THTensor_(normKernel), &p), p);
}

/* The distance of tensors of one shape; `user` is p. */
static bl_status THTensor_(distOf)(void *user, const bl_array *out, int32_t count,
                                   const bl_array *const *in)
{
    const accreal p = *(const accreal *)user;

    *(accreal *)out->data =
        THTensor_(root)(THTensor_(foldSum)(count, in, THTensor_(distKernel), &p), p);
    return BL_OK;
}

accreal THTensor_(dist)(THTensor *tensor, THTensor *src, real value)
{
    accreal p = value, distance;
    const bl_array a = TH_ARRAY(tensor), b = TH_ARRAY(src);
    const bl_array number = {&distance, BL_DTYPE_F64, 0, NULL, NULL, 0};
    const bl_array *const both[] = {&a, &b}, *const one[] = {&number};

    if (!th_admit(TH_CALL("dist"), "tensor src", false, 2, both))
        return 0;

    bl_shadow *const shadow = th_begin_shadow(&number, 2, both, THTensor_(distOf), &p);

    th_read_admitted(2, both);
    THTensor_(distOf)(&p, &number, 2, both);
    bl_shadow_end(shadow, &number);
    th_read_admitted(1, one);
    th_forget(&distance, sizeof distance);
    return distance;
}

static accreal THTensor_(varOf)(THTensor *t, int biased)
{
    const accreal mean = THTensor_(meanOf)(t);
    const bl_array array = TH_ARRAY(t);
    const bl_array *const one[] = {&array};

    return THTensor_(foldSum)(1, one, THTensor_(squaresKernel), &mean) /
           (accreal)(THTensor_(nElement)(t) - (biased ? 0 : 1));
}

accreal THTensor_(varAll)(THTensor *t, int biased)
{
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    return THTensor_(varOf)(t, biased);
}

accreal THTensor_(stdAll)(THTensor *t, int biased)
{
    TH_READ_TENSOR(BL_SHADOW_ITEM, t);
    return sqrt(THTensor_(varOf)(t, biased));
}

/* ---- along a dimension ---- */

/* The variance of a line; of one element NaN, unless biased.  One pass (Welford). */
static accreal THTensor_(lineVariance)(const int *biased, int64_t count,
                                       char *const *at, const int64_t *step)
{
    accreal mean = 0, squares = 0;

    for (int64_t i = 0; i < count; i++) {
        const accreal value = *(const real *)(at[0] + i * step[0]);
        const accreal rest = value - mean;

        mean += rest / (accreal)(i + 1);
        squares += rest * (value - mean);
    }
    return squares / (accreal)(count - (*biased ? 0 : 1));
}

/* at[1] = the variance of the line at[0]; `user` is whether it is biased. */
static void THTensor_(varKernel)(const void *user, int64_t count, char *const *at,
                                 const int64_t *step)
{
    *(real *)at[1] = (real)THTensor_(lineVariance)(user, count, at, step);
}

/* at[1] = the standard deviation of the line at[0]. */
static void THTensor_(stdKernel)(const void *user, int64_t count, char *const *at,
                                 const int64_t *step)
{
    *(real *)at[1] = (real)sqrt(THTensor_(lineVariance)(user, count, at, step));
}

/* at[1] = the p-norm of the line at[0]; `user` is p. */
static void THTensor_(normLineKernel)(const void *user, int64_t count, char *const *at,
                                      const int64_t *step)
{
    accreal sum = 0;
    char *const to[] = {at[0], (char *)&sum};

    THTensor_(normKernel)(user, count, to, step);
    *(real *)at[1] = (real)THTensor_(root)(sum, *(const accreal *)user);
}

/* r_ = the kernel's result for each line of t along a dimension; r_ may be t. */
static void THTensor_(linesAlong)(THTensor *r_, THTensor *t, int dim, int keepdim,
                                  th_kernel kernel, const void *user)
{
    THTensor *found;

    THArgCheck(dim >= 0 && dim < t->nDimension, 3, "invalid dimension %d",
               dim + TH_INDEX_BASE);
    found = THTensor_(new)();
    THTensor_(resizeReduced)(found, t, dim);
    {
        const bl_array in = TH_ARRAY(t), out = TH_ARRAY(found);
        const bl_array *const both[] = {&in, &out};

        th_lines(2, both, dim, kernel, user);
        th_carry(&out, 1, both);
    }
    THTensor_(give)(found, r_);
    if (!keepdim)
        THTensor_(squeeze1d)(r_, r_, dim);
}

void THTensor_(varAlong)(THTensor *r_, THTensor *t, int dim, int biased, int keepdim)
{
    THTensor_(linesAlong)(r_, t, dim, keepdim, THTensor_(varKernel), &biased);
}

void THTensor_(stdAlong)(THTensor *r_, THTensor *t, int dim, int biased, int keepdim)
{
    THTensor_(linesAlong)(r_, t, dim, keepdim, THTensor_(stdKernel), &biased);
}

void THTensor_(normAlong)(THTensor *r_, THTensor *t, real value, int dim, int keepdim)
{
    const accreal p = value;

    THTensor_(linesAlong)(r_, t, dim, keepdim, THTensor_(normLineKernel), &p);
}
