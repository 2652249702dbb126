/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of one type that were computed beside the tensor that a call returns them in.
 */

/* Give r_ the shape and the elements of `result`, which is freed, unless it is r_. */
static inline void THTensor_(give)(THTensor *result, THTensor *r_)
{
    if (result == r_)
        return;
    THTensor_(resizeAs)(r_, result);
    THTensor_(freeCopyTo)(result, r_);
}
