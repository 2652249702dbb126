/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions of planes of tensors of one type.
 */

/*
 * The result to add to: r_ with the extents, times `beta`, or 0 where it had another
 * number of elements; a copy where r_ shares memory with an operand or is not
 * contiguous.
 */
static THTensor *THTensor_(beginConvolution)(THTensor *r_, real beta, THTensor *t,
                                             THTensor *k, int rank, long *size)
{
    const bl_array array_r = TH_ARRAY(r_), array_t = TH_ARRAY(t), array_k = TH_ARRAY(k);
    ptrdiff_t count = 1;
    THTensor *result = r_;
    bool is_kept;

    for (int d = 0; d < rank; d++)
        count *= size[d];
    is_kept = THTensor_(nElement)(r_) == count && beta != 0;
    if (!THTensor_(isContiguous)(r_) || th_may_overlap(&array_r, &array_t) ||
        th_may_overlap(&array_r, &array_k) ||
        (r_->storage && (r_->storage == t->storage || r_->storage == k->storage))) {
        result = THTensor_(new)();
        if (is_kept) {
            THTensor_(resizeAs)(result, r_);
            THTensor_(copy)(result, r_);
        }
    }
    THTensor_(resizeNd)(result, rank, size, NULL);
    if (!is_kept)
        THTensor_(zero)(result);
    else if (beta != 1)
        THTensor_(mul)(result, result, beta);
    return result;
}

/* r_ = beta * r_ + alpha * the convolutions of planes that `pairing` names. */
static void THTensor_(convolution)(const char *name, enum pairing pairing, int dims,
                                   struct convolution c, THTensor *r_, real beta,
                                   real alpha, THTensor *t_, THTensor *k_)
{
    const int lead_t = leading_dims[pairing][0], lead_k = leading_dims[pairing][1];
    const int lead_r = leading_dims[pairing][2], skipped = 3 - dims;
    struct pairs pairs;
    long size[5];
    THTensor *t, *k, *result;
    long planes;

    THArgCheck(t_->nDimension == lead_t + dims, 3, "input: %dD Tensor expected",
               lead_t + dims);
    THArgCheck(k_->nDimension == lead_k + dims, 4, "kernel: %dD Tensor expected",
               lead_k + dims);
    for (int d = 0; d < 3; d++) {
        THArgCheck(c.step[d] >= 1, 5, "Stride should be a positive integer");
        c.in[d] = d < skipped ? 1 : t_->size[lead_t + d - skipped];
        c.kernel[d] = d < skipped ? 1 : k_->size[lead_k + d - skipped];
    }
    THArgCheck(pair_planes(pairing, t_->size, k_->size, &pairs), 2,
               "%s: invalid number of input or kernel planes, %s and %s", name,
               THTensor_(sizeDesc)(t_).str, THTensor_(sizeDesc)(k_).str);
    THArgCheck(measure(&c), 2, "%s : Input image is smaller than kernel", name);

    for (int d = 0; d < lead_r; d++)
        size[d] = pairs.planes[d];
    for (int d = 0; d < dims; d++)
        size[lead_r + d] = c.out[d + skipped];
    t = THTensor_(newContiguous)(t_);
    k = THTensor_(newContiguous)(k_);
    result = THTensor_(beginConvolution)(r_, beta, t_, k_, lead_r + dims, size);
    planes = pairs.planes[0] * pairs.planes[1];
    {
        real *const to = TH_DATA(result);
        real *const from = TH_DATA(t), *const by = TH_DATA(k);
        const int team = team_of(planes * pairs.terms, &c);

#pragma omp parallel for num_threads(team) if (team > 1)
        for (long n = 0; n < planes; n++) {
            const long i = n / pairs.planes[1], j = n % pairs.planes[1];

            for (long s = 0; s < pairs.terms; s++)
                THTensor_(convolve)(
                    &c, to + n * volume(c.out), alpha,
                    from + (i * pairs.t[0] + j * pairs.t[1] + s * pairs.t[2]) *
                               volume(c.in),
                    by + (i * pairs.k[0] + j * pairs.k[1] + s * pairs.k[2]) *
                             volume(c.kernel));
        }
    }
    THTensor_(carry)(result, beta == 0 ? 2 : 3, (THTensor *[]){t_, k_, r_});
    THTensor_(free)(t);
    THTensor_(free)(k);
    THTensor_(give)(result, r_);
}

/* What 'V' or 'F', 'X' or 'C' say; a full cross-correlation turns the kernel. */
static struct convolution THTensor_(kind)(const char *vf, const char *xc, long sdepth,
                                          long srow, long scol)
{
    struct convolution c = {.step = {sdepth, srow, scol}};

    THArgCheck(*vf == 'V' || *vf == 'F', 7, "type of convolution can 'V' or 'F'");
    THArgCheck(*xc == 'C' || *xc == 'X', 7, "type of convolution can 'X' or 'C'");
    c.cover = *vf == 'F' ? FULL : VALID;
    c.is_flipped = (*vf == 'F') == (*xc == 'X');
    return c;
}

#define TH_PLANES(name, pairing)                                                       \
    void THTensor_(name)(THTensor * r_, real beta, real alpha, THTensor * t_,          \
                         THTensor * k_, long srow, long scol, const char *vf,          \
                         const char *xc)                                               \
    {                                                                                  \
        THTensor_(convolution)(#name, pairing, 2,                                      \
                               THTensor_(kind)(vf, xc, 1, srow, scol), r_, beta,       \
                               alpha, t_, k_);                                         \
    }
#define TH_VOLUMES(name, pairing)                                                      \
    void THTensor_(name)(THTensor * r_, real beta, real alpha, THTensor * t_,          \
                         THTensor * k_, long sdepth, long srow, long scol,             \
                         const char *vf, const char *xc)                               \
    {                                                                                  \
        THTensor_(convolution)(#name, pairing, 3,                                      \
                               THTensor_(kind)(vf, xc, sdepth, srow, scol), r_, beta,  \
                               alpha, t_, k_);                                         \
    }
#define TH_REVERSED(name, pairing)                                                     \
    void THTensor_(name)(THTensor * r_, real beta, real alpha, THTensor * t_,          \
                         THTensor * k_, long srow, long scol)                          \
    {                                                                                  \
        const struct convolution c = {.cover = REVERSED, .step = {1, srow, scol}};     \
                                                                                       \
        THTensor_(convolution)(#name, pairing, 2, c, r_, beta, alpha, t_, k_);         \
    }

TH_PLANES(conv2Dger, GER)
TH_PLANES(conv2Dmv, MV)
TH_PLANES(conv2Dmm, MM)
TH_PLANES(conv2Dmul, MUL)
TH_PLANES(conv2Dcmul, CMUL)
TH_REVERSED(conv2DRevger, GER)
TH_REVERSED(conv2DRevgerm, REVGERM)
TH_VOLUMES(conv3Dger, GER)
TH_VOLUMES(conv3Dmv, MV)
TH_VOLUMES(conv3Dmul, MUL)
TH_VOLUMES(conv3Dcmul, CMUL)

void THTensor_(conv3DRevger)(THTensor *r_, real beta, real alpha, THTensor *t_,
                             THTensor *k_, long sdepth, long srow, long scol)
{
    const struct convolution c = {.cover = REVERSED, .step = {sdepth, srow, scol}};

    THTensor_(convolution)("conv3DRevger", GER, 3, c, r_, beta, alpha, t_, k_);
}

#undef TH_PLANES
#undef TH_VOLUMES
#undef TH_REVERSED
