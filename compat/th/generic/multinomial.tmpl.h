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
            THTensor_(data)(prob_dist) + (is_vector ? 0 : i * prob_dist->stride[0]);

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
