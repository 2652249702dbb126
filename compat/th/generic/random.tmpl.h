/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random elements of tensors of one type, drawn sequentially in row-major order.
 */

/* The number of values that random() draws from. */
#if defined(TH_REAL_IS_FLOAT)
#define TH_RANDOM_MASK ((1UL << FLT_MANT_DIG) + 1)
#elif defined(TH_REAL_IS_DOUBLE)
#define TH_RANDOM_MASK ((1UL << DBL_MANT_DIG) + 1)
#else
#define TH_RANDOM_MASK ((unsigned long)THInf + 1)
#endif

/* Set each element of `self` to a draw. */
#define TH_DRAW(draw) TH_TENSOR_APPLY(real, self, *self_data = (real)(draw);)

void THTensor_(random)(THTensor *self, THGenerator *generator)
{
    TH_DRAW(THRandom_random(generator) % TH_RANDOM_MASK)
}

void THTensor_(clampedRandom)(THTensor *self, THGenerator *generator, long min,
                              long max)
{
    THArgCheck(max > min, 2, "max must be greater than min");
    TH_DRAW((long)(THRandom_random(generator) % (unsigned long)(max - min)) + min)
}

void THTensor_(cappedRandom)(THTensor *self, THGenerator *generator, long max)
{
    THArgCheck(max > 0, 1, "max must be positive");
    THTensor_(clampedRandom)(self, generator, 0, max);
}

void THTensor_(geometric)(THTensor *self, THGenerator *generator, double p)
{
    TH_DRAW(THRandom_geometric(generator, p))
}

void THTensor_(bernoulli)(THTensor *self, THGenerator *generator, double p)
{
    TH_DRAW(THRandom_bernoulli(generator, p))
}

void THTensor_(bernoulli_FloatTensor)(THTensor *self, THGenerator *generator,
                                      THFloatTensor *p)
{
    const bl_array arrays[] = {TH_ARRAY(self), TH_ARRAY_OF(Float, p)};
    const bl_array *const both[] = {&arrays[0], &arrays[1]};

    if (!th_admit(TH_CALL(NULL), "self p", true, 2, both))
        return;
    TH_TENSOR_APPLY2(real, self, float, p,
                     *self_data = (real)THRandom_bernoulli(generator, *p_data);)
}

void THTensor_(bernoulli_DoubleTensor)(THTensor *self, THGenerator *generator,
                                       THDoubleTensor *p)
{
    const bl_array arrays[] = {TH_ARRAY(self), TH_ARRAY_OF(Double, p)};
    const bl_array *const both[] = {&arrays[0], &arrays[1]};

    if (!th_admit(TH_CALL(NULL), "self p", true, 2, both))
        return;
    TH_TENSOR_APPLY2(real, self, double, p,
                     *self_data = (real)THRandom_bernoulli(generator, *p_data);)
}

void THTensor_(randperm)(THTensor *r_, THGenerator *generator, long n)
{
    THTensor *list;
    real *element;

    THArgCheck(n > 0, 1, "must be strictly positive");
    THTensor_(resize1d)(r_, n);
    list = THTensor_(newContiguous)(r_);
    element = TH_DATA(list);
    for (long i = 0; i < n; i++)
        element[i] = (real)i;
    for (long i = 0; i < n - 1; i++) {
        const long other =
            i + (long)(THRandom_random(generator) % (unsigned long)(n - i));
        const real kept = element[i];

        element[i] = element[other];
        element[other] = kept;
    }
    THTensor_(freeCopyTo)(list, r_);
}

#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
void THTensor_(uniform)(THTensor *self, THGenerator *generator, double a, double b)
{
    TH_DRAW(THRandom_uniform(generator, a, b))
}

void THTensor_(normal)(THTensor *self, THGenerator *generator, double mean, double stdv)
{
    TH_DRAW(THRandom_normal(generator, mean, stdv))
}

void THTensor_(normal_means)(THTensor *self, THGenerator *generator, THTensor *means,
                             double stddev)
{
    THTensor_(resizeAs)(self, means);
    TH_TENSOR_APPLY2(real, self, real, means,
                     *self_data =
                         (real)THRandom_normal(generator, 0, stddev) + *means_data;)
}

void THTensor_(normal_stddevs)(THTensor *self, THGenerator *generator, double mean,
                               THTensor *stddevs)
{
    THTensor_(resizeAs)(self, stddevs);
    TH_TENSOR_APPLY2(real, self, real, stddevs,
                     *self_data =
                         (real)THRandom_normal(generator, 0, 1) * *stddevs_data +
                         (real)mean;)
}

void THTensor_(normal_means_stddevs)(THTensor *self, THGenerator *generator,
                                     THTensor *means, THTensor *stddevs)
{
    const bl_array arrays[] = {TH_ARRAY(means), TH_ARRAY(stddevs)};
    const bl_array *const both[] = {&arrays[0], &arrays[1]};

    if (!th_admit(TH_CALL(NULL), "means stddevs", false, 2, both))
        return;
    THTensor_(resizeAs)(self, means);
    TH_TENSOR_APPLY3(real, self, real, means, real, stddevs,
                     *self_data =
                         (real)THRandom_normal(generator, 0, 1) * *stddevs_data +
                         *means_data;)
}

void THTensor_(exponential)(THTensor *self, THGenerator *generator, double lambda)
{
    TH_DRAW(THRandom_exponential(generator, lambda))
}

void THTensor_(cauchy)(THTensor *self, THGenerator *generator, double median,
                       double sigma)
{
    TH_DRAW(THRandom_cauchy(generator, median, sigma))
}

void THTensor_(logNormal)(THTensor *self, THGenerator *generator, double mean,
                          double stdv)
{
    TH_DRAW(THRandom_logNormal(generator, mean, stdv))
}

void THTensor_(rand)(THTensor *r_, THGenerator *generator, THLongStorage *size)
{
    THTensor_(resize)(r_, size, NULL);
    THTensor_(uniform)(r_, generator, 0, 1);
}

void THTensor_(randn)(THTensor *r_, THGenerator *generator, THLongStorage *size)
{
    THTensor_(resize)(r_, size, NULL);
    THTensor_(normal)(r_, generator, 0, 1);
}
#endif

#if defined(TH_REAL_IS_BYTE)
void THTensor_(getRNGState)(THGenerator *generator, THTensor *self)
{
    THTensor_(resize1d)(self, sizeof *generator);
    THArgCheck(THTensor_(isContiguous)(self), 1, "RNG state needs to be contiguous");
    memcpy(self->storage->data + self->storageOffset, generator, sizeof *generator);
}

void THTensor_(setRNGState)(THGenerator *generator, THTensor *self)
{
    THGenerator state;

    THArgCheck(THTensor_(nElement)(self) == (ptrdiff_t)sizeof state, 1,
               "RNG state is wrong size");
    THArgCheck(THTensor_(isContiguous)(self), 1, "RNG state needs to be contiguous");
    memcpy(&state, self->storage->data + self->storageOffset, sizeof state);
    THArgCheck(THGenerator_isValid(&state), 1, "Invalid RNG state");
    THGenerator_copy(generator, &state);
}
#endif

#undef TH_DRAW
#undef TH_RANDOM_MASK
