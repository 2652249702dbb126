/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Histograms, and slices of bounded norm, of tensors of one type.
 */

/* Count the elements of a line between two bounds, in `nbins` equal parts. */
struct THTensor_(bins)
{
    long count;
    real low, high;
};

static void THTensor_(countKernel)(const void *user, int64_t count, char *const *at,
                                   const int64_t *step)
{
    const struct THTensor_(bins) *const bins = user;
    const double width = (double)bins->high - (double)bins->low;

    for (int64_t i = 0; i < count; i++) {
        const real value = *(const real *)(at[0] + i * step[0]);

        if (value >= bins->low && value <= bins->high) {
            const long bin = (long)(((double)value - (double)bins->low) / width *
                                    (double)bins->count);
            real *const counted =
                (real *)(at[1] + THMin(bin, bins->count - 1) * step[1]);

            *counted = (real)(*counted + 1);
        }
    }
}

/* hist = a histogram of each row of a matrix. */
static void THTensor_(countRows)(THTensor *hist, THTensor *rows, long nbins,
                                 real minvalue, real maxvalue)
{
    struct THTensor_(bins) bins = {nbins, minvalue, maxvalue};
    THTensor *const counts = THTensor_(newWithSize2d)(rows->size[0], nbins);

    if (bins.low == bins.high) {
        bins.low = THTensor_(minall)(rows);
        bins.high = THTensor_(maxall)(rows);
    }
    if (bins.low == bins.high) {
        bins.low = (real)(bins.low - 1);
        bins.high = (real)(bins.high + 1);
    }
    THTensor_(zero)(counts);
    {
        const bl_array in = TH_ARRAY(rows), out = TH_ARRAY(counts);
        const bl_array *const both[] = {&in, &out};

        th_lines(2, both, 1, THTensor_(countKernel), &bins);
        th_carry(&out, 1, both);
    }
    THTensor_(give)(counts, hist);
}

void THTensor_(histc)(THTensor *hist, THTensor *tensor, long nbins, real minvalue,
                      real maxvalue)
{
    THTensor *rows;

    THArgCheck(nbins > 0, 3, "bins must be > 0");
    THArgCheck(tensor->nDimension > 0, 2, "tensor must have one dimension");
    rows = THTensor_(newClone)(tensor);
    THTensor_(resize2d)(rows, 1, THTensor_(nElement)(tensor));
    THTensor_(countRows)(hist, rows, nbins, minvalue, maxvalue);
    THTensor_(resize1d)(hist, nbins);
    THTensor_(free)(rows);
}

void THTensor_(bhistc)(THTensor *hist, THTensor *tensor, long nbins, real minvalue,
                       real maxvalue)
{
    THTensor *rows;

    THArgCheck(nbins > 0, 3, "bins must be > 0");
    THArgCheck(tensor->nDimension == 1 || tensor->nDimension == 2, 2,
               "invalid dimension %d, the input must be a 2d tensor",
               tensor->nDimension);
    rows = THTensor_(newWithTensor)(tensor);
    if (rows->nDimension == 1)
        THTensor_(unsqueeze1d)(rows, rows, 0);
    THTensor_(countRows)(hist, rows, nbins, minvalue, maxvalue);
    THTensor_(free)(rows);
}

/* ---- slices of bounded norm ---- */

/* The p-norm of the elements. */
static double THTensor_(normOf)(THTensor *t, double p)
{
    double sum = 0;

    TH_TENSOR_APPLY(real, t,
                    sum += p == 1   ? fabs((double)*t_data)
                           : p == 2 ? (double)*t_data * (double)*t_data
                                    : pow(fabs((double)*t_data), p);)
    return p == 1 ? sum : p == 2 ? sqrt(sum) : pow(sum, 1 / p);
}

void THTensor_(renorm)(THTensor *r_, THTensor *t, real value, int dimension,
                       real maxnorm)
{
    THTensor *result, *slice;

    THArgCheck(dimension >= 0 && dimension < t->nDimension, 3, "invalid dimension %d",
               dimension + TH_INDEX_BASE);
    THArgCheck(value > 0, 2, "non-positive-norm not supported");
    THArgCheck(t->nDimension > 1, 1, "need at least 2 dimensions, got %d dimensions",
               t->nDimension);
    result = THTensor_(newClone)(t);
    slice = THTensor_(new)();
    for (long i = 0; i < t->size[dimension]; i++) {
        double norm;

        THTensor_(select)(slice, result, dimension, i);
        norm = THTensor_(normOf)(slice, (double)value);
        if (norm > (double)maxnorm) {
            const double factor = (double)maxnorm / (norm + 1e-7);

            TH_TENSOR_APPLY(real, slice,
                            *slice_data = (real)((double)*slice_data * factor);)
        }
    }
    THTensor_(free)(slice);
    THTensor_(give)(result, r_);
}
