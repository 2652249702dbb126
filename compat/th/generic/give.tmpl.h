/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of one type: what they were computed from, for shadow runs; and those that
 * were computed beside the tensor that a call returns them in.
 */

/* `result` was computed from at most three tensors; it may be one of them. */
static inline void THTensor_(carry)(THTensor *result, int count, THTensor *const *from)
{
    const bl_array out = TH_ARRAY(result);
    const bl_array *in[3];
    bl_array array[3];

    for (int k = 0; k < count; k++) {
        array[k] = TH_ARRAY(from[k]);
        in[k] = &array[k];
    }
    th_carry(&out, count, in);
}

/* Give r_ the shape and the elements of `result`, which is freed, unless it is r_. */
static inline void THTensor_(give)(THTensor *result, THTensor *r_)
{
    if (result == r_)
        return;
    THTensor_(resizeAs)(r_, result);
    THTensor_(freeCopyTo)(result, r_);
}
