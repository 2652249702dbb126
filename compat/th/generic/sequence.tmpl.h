/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constant tensors of one type in a given shape, and sequences.
 */
ptrdiff_t THTensor_(numel)(THTensor *t)
{
    return THTensor_(nElement)(t);
}

void THTensor_(zeros)(THTensor *r_, THLongStorage *size)
{
    THTensor_(resize)(r_, size, NULL);
    THTensor_(zero)(r_);
}

void THTensor_(zerosLike)(THTensor *r_, THTensor *input)
{
    THTensor_(resizeAs)(r_, input);
    THTensor_(zero)(r_);
}

void THTensor_(ones)(THTensor *r_, THLongStorage *size)
{
    THTensor_(resize)(r_, size, NULL);
    THTensor_(fill)(r_, 1);
}

void THTensor_(onesLike)(THTensor *r_, THTensor *input)
{
    THTensor_(resizeAs)(r_, input);
    THTensor_(fill)(r_, 1);
}

void THTensor_(reshape)(THTensor *r_, THTensor *t, THLongStorage *size)
{
    THTensor_(resize)(r_, size, NULL);
    THTensor_(copy)(r_, t);
}

/* ---- sequences ---- */

/* r_[i] = start + i * step for `count` elements; resized to 1-D unless numel is equal.
 */
static void THTensor_(fillSteps)(THTensor *r_, ptrdiff_t count, accreal start,
                                 accreal step)
{
    ptrdiff_t i = 0;

    if (THTensor_(nElement)(r_) != count)
        THTensor_(resize1d)(r_, count);
    TH_TENSOR_APPLY(real, r_, *r__data = (real)(start + (accreal)i * step); i++;)
}

/* An error for a step of 0, or of the wrong sign. */
static void THTensor_(checkSteps)(accreal xmin, accreal xmax, accreal step)
{
    THArgCheck(step != 0, 3, "step must be a non-null number");
    THArgCheck((step > 0 && xmax >= xmin) || (step < 0 && xmax <= xmin), 2,
               "upper bound and larger bound incoherent with step sign");
}

void THTensor_(range)(THTensor *r_, accreal xmin, accreal xmax, accreal step)
{
    THTensor_(checkSteps)(xmin, xmax, step);
    THTensor_(fillSteps)(r_, (ptrdiff_t)((xmax - xmin) / step) + 1, xmin, step);
}

void THTensor_(arange)(THTensor *r_, accreal xmin, accreal xmax, accreal step)
{
    THTensor_(checkSteps)(xmin, xmax, step);
    THTensor_(fillSteps)(r_, (ptrdiff_t)ceil((double)(xmax - xmin) / (double)step),
                         xmin, step);
}

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
void THTensor_(linspace)(THTensor *r_, real a, real b, long n)
{
    THArgCheck(n > 1 || (n == 1 && a == b), 3, "invalid number of points");
    THTensor_(fillSteps)(r_, n, a, n > 1 ? ((accreal)b - a) / (accreal)(n - 1) : 0);
}

void THTensor_(logspace)(THTensor *r_, real a, real b, long n)
{
    const accreal step = n > 1 ? ((accreal)b - a) / (accreal)(n - 1) : 0;
    ptrdiff_t i = 0;

    THArgCheck(n > 1 || (n == 1 && a == b), 3, "invalid number of points");
    if (THTensor_(nElement)(r_) != n)
        THTensor_(resize1d)(r_, n);
    TH_TENSOR_APPLY(real, r_, *r__data = (real)pow(10, a + (accreal)i * step); i++;)
}
#endif
