/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multinomial draws by weights of one floating-point type.
 */

/*
 * Write cumulative weights, scaled so that the last is 1; false for a negative weight,
 * a NaN or a sum of 0.
 */
static bool THTensor_(accumulate)(double *sums, const real *weight, long stride,
                                  long count)
{
    double sum = 0;

    for (long j = 0; j < count; j++) {
        if (!(weight[j * stride] >= 0))
            return false;
        sums[j] = sum += weight[j * stride];
    }
    for (long j = 0; j < count; j++)
        sums[j] /= sum;
    return sum > 0;
}

/* The first category whose cumulative weight reaches `level`. */
static long THTensor_(findCategory)(const double *sums, long count, double level)
{
    long low = 0, high = count - 1;

    while (low < high) {
        const long middle = low + (high - low) / 2;

        if (sums[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Remove a category and rescale the others' weights to a sum of 1. */
static void THTensor_(removeCategory)(double *sums, long count, long category)
{
    const double share = sums[category] - (category > 0 ? sums[category - 1] : 0);

    for (long j = 0; j < count; j++)
        sums[j] = (sums[j] - (j >= category ? share : 0)) / (1 - share);
}

void THTensor_(multinomial)(THLongTensor *self, THGenerator *generator,
                            THTensor *prob_dist, int n_sample, int with_replacement)
{
    const bool is_vector = prob_dist->nDimension == 1;
    const long rows = is_vector ? 1 : THTensor_(size)(prob_dist, 0);
    const long count = THTensor_(size)(prob_dist, is_vector ? 0 : 1);
    const long stride = prob_dist->stride[is_vector ? 0 : 1];
    double *sums;
    bool valid = true;

    THArgCheck(n_sample > 0, 2, "cannot sample n_sample < 0 samples");
    THArgCheck(
        with_replacement || n_sample <= count, 2,
        "cannot sample n_sample > prob_dist:size(1) samples without replacement");
    THLongTensor_resize2d(self, rows, n_sample);
    sums = THAlloc((ptrdiff_t)sizeof *sums * count);
    for (long i = 0; i < rows && valid; i++) {
        const real *const row =
            TH_DATA(prob_dist) + (is_vector ? 0 : i * prob_dist->stride[0]);

        valid = THTensor_(accumulate)(sums, row, stride, count);
        for (long j = 0; j < n_sample && valid; j++) {
            const long category =
                THTensor_(findCategory)(sums, count, THRandom_uniform(generator, 0, 1));

            THLongTensor_set2d(self, i, j, category);
            if (!with_replacement)
                THTensor_(removeCategory)(sums, count, category);
        }
    }
    THFree(sums);
    THArgCheck(valid, 2,
               "invalid multinomial distribution (sum of probabilities <= 0)");
    if (is_vector)
        THLongTensor_resize1d(self, n_sample);
}

/* ---- draws in constant time, by the method of aliases ----
 *
 * Category i is drawn with probability q[i] where number i comes up, else J[i] - 1.
 */

void THTensor_(multinomialAliasSetup)(THTensor *probs, THLongTensor *J, THTensor *q)
{
    const long count = (long)THTensor_(nElement)(probs);
    THTensor *const weights = THTensor_(newContiguous)(probs);
    long *const light = THAlloc((ptrdiff_t)sizeof(long) * 2 * count);
    long *const heavy = light + count; /* categories below and above an even share */
    long light_count = 0, heavy_count = 0;
    real *share, largest = 0, least = 1;

    THLongTensor_resize1d(J, count);
    THLongTensor_zero(J);
    THTensor_(resize1d)(q, count);
    share = TH_DATA(q);
    for (long i = 0; i < count; i++) {
        share[i] = (real)count * TH_DATA(weights)[i];
        if (share[i] < 1)
            light[light_count++] = i;
        else
            heavy[heavy_count++] = i;
    }
    THTensor_(free)(weights);
    while (light_count > 0 && heavy_count > 0) {
        const long small = light[light_count - 1], large = heavy[heavy_count - 1];

        THLongTensor_set1d(J, small, large + 1);
        share[large] -= 1 - share[small];
        if (share[large] < 1) {
            light[light_count - 1] = large;
            heavy_count--;
        } else {
            light_count--;
        }
    }
    THFree(light);
    for (long i = 0; i < count; i++) {
        largest = THMax(largest, share[i]);
        least = THMin(least, share[i]);
    }
    THArgCheck(least >= 0 && largest > 0, 2, "q_min is less than 0");
    for (long i = 0; i < count; i++) {
        if (THLongTensor_get1d(J, i) == 0)
            share[i] = 1; /* rounding left it without an alias */
        else if (largest > 1)
            share[i] /= largest;
    }
}

void THTensor_(multinomialAliasDraw)(THLongTensor *self, THGenerator *generator,
                                     THLongTensor *J, THTensor *q)
{
    const double count = (double)THLongTensor_nElement(J);

    THArgCheck(J->nDimension == 1 && q->nDimension == 1 && J->size[0] == q->size[0], 3,
               "J and q are not vectors of one extent");
    TH_TENSOR_APPLY(long, self, {
        const long number = (long)THRandom_uniform(generator, 0, count);
        const long drawn = THMin(number, J->size[0] - 1);

        *self_data = THRandom_bernoulli(generator, (double)THTensor_(get1d)(q, drawn))
                         ? drawn
                         : THLongTensor_get1d(J, drawn) - 1;
    })
}
