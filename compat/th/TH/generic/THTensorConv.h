/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions of one type in two and three dimensions.
 *
 * `vf` is "V", valid: the result covers where the kernel lies within the input, with
 * steps srow and scol between its elements; or "F", full: wherever the two meet, with
 * steps between the input's elements.  `xc` is "X", a cross-correlation, or "C", a
 * convolution, in which the kernel is turned.  Rev...: a valid cross-correlation with
 * steps between the kernel's elements.
 *
 * Extents of results: valid (in - kernel) / step + 1, full (in - 1) * step + kernel,
 * reversed in - (kernel - 1) * step.
 */

/* ---- plain, contiguous memory: r_ += alpha * t_ * k_ ----
 *
 * The input t_ has it planes of ir by ic elements, the kernel k_ has kt of kr by kc.
 * Nothing is done where the input is smaller than the kernel.
 */

#define TH_PLANES_(name)                                                               \
    TH_API void THTensor_(name)(real * r_, real alpha, real * t_, long ir, long ic,    \
                                real *k_, long kr, long kc, long sr, long sc);
#define TH_VOLUMES_(name)                                                              \
    TH_API void THTensor_(name)(real * r_, real alpha, real * t_, long it, long ir,    \
                                long ic, real *k_, long kt, long kr, long kc, long st, \
                                long sr, long sc);

TH_PLANES_(validXCorr2Dptr)
TH_PLANES_(validConv2Dptr)
TH_PLANES_(fullXCorr2Dptr)
TH_PLANES_(fullConv2Dptr)
TH_PLANES_(validXCorr2DRevptr)
TH_VOLUMES_(validXCorr3Dptr)
TH_VOLUMES_(validConv3Dptr)
TH_VOLUMES_(fullXCorr3Dptr)
TH_VOLUMES_(fullConv3Dptr)
TH_VOLUMES_(validXCorr3DRevptr)

/* ---- tensors: r_ = beta * r_ + alpha * t_ * k_ ----
 *
 * r_ counts as 0 where it has another number of elements or beta is 0.  Below, [...] is
 * a plane, or in three dimensions a volume.  Planes of a result are computed on the
 * threads of THSetNumThreads(), with the same results for any number of them.  Nothing
 * is written where shapes or steps are refused.
 *
 *   mul       r[...] = t[...] * k[...]
 *   cmul      r[i][...] = t[i][...] * k[i][...]
 *   ger       r[k][i][...] = t[i][...] * k[k][...]
 *   Revgerm   r[k][i][...] = the sum over b of t[b][i][...] * k[b][k][...]
 *   mv        r[k][...] = the sum over i of t[i][...] * k[k][i][...]
 *   mm        r[b][k][...] = the sum over i of t[b][i][...] * k[k][i][...]
 */

#define TH_CONV_(name, ...)                                                            \
    TH_API void THTensor_(name)(THTensor * r_, real beta, real alpha, THTensor * t_,   \
                                THTensor * k_, __VA_ARGS__);

TH_CONV_(conv2DRevger, long srow, long scol)
TH_CONV_(conv2DRevgerm, long srow, long scol)
TH_CONV_(conv2Dger, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv2Dmv, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv2Dmm, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv2Dmul, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv2Dcmul, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv3DRevger, long sdepth, long srow, long scol)
TH_CONV_(conv3Dger, long sdepth, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv3Dmv, long sdepth, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv3Dmul, long sdepth, long srow, long scol, const char *vf, const char *xc)
TH_CONV_(conv3Dcmul, long sdepth, long srow, long scol, const char *vf, const char *xc)

#undef TH_PLANES_
#undef TH_VOLUMES_
#undef TH_CONV_
