/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Special functions of one type, with an error of at most 1 ULP where the text says no
 * more.  Shapes are those of THTensorMath.h.
 */

/* The derivative of lgamma; +infinity at 0, -1, -2 ...  Below 0 the error is 1 ULP of
 * the larger of the result and pi / tan(pi * t). */
TH_API void THTensor_(digamma)(THTensor *r_, THTensor *t);
/* The second derivative */
TH_API void THTensor_(trigamma)(THTensor *r_, THTensor *t);
/* digamma for n = 0, trigamma for 1; any other n is an error. */
TH_API void THTensor_(polygamma)(THTensor *r_, int64_t n, THTensor *t);
/* x with erf(x) = t; NaN beyond -1 and 1 */
TH_API void THTensor_(erfinv)(THTensor *r_, THTensor *t);
