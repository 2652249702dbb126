/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies an operator to tensors of one type and resizes the result; for templates.
 */
#if defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_DOUBLE)
#define TH_IS_INEXACT 1
#else
#define TH_IS_INEXACT 0
#endif

/* r_ = op(t), or op(t, *number) where `number` is not NULL. */
static inline void THTensor_(applyOne)(bl_op op, THTensor *r_, THTensor *t,
                                       const bl_scalar *number)
{
    THTensor_(resizeAs)(r_, t);
    {
        const bl_array out = TH_ARRAY(r_), a = TH_ARRAY(t);
        const bl_array b = number ? bl_scalar_array(number) : a;
        const bl_array *const in[] = {r_ == t ? &out : &a, &b};

        th_apply(op, &out, number ? 2 : 1, in, NULL);
    }
}

/* r_ = op(t, src); an error where numel differs. */
static inline void THTensor_(applyTwo)(bl_op op, struct th_call call, THTensor *r_,
                                       THTensor *t, THTensor *src,
                                       const bl_scalar *alpha)
{
    const bl_array arrays[] = {TH_ARRAY(t), TH_ARRAY(src)};
    const bl_array *const both[] = {&arrays[0], &arrays[1]};

    if (!th_admit(call, "r_ t src", r_ == t, 2, both))
        return;
    THTensor_(resizeAs)(r_, t);
    {
        const bl_array out = TH_ARRAY(r_), a = TH_ARRAY(t), b = TH_ARRAY(src);
        const bl_array *const in[] = {r_ == t ? &out : &a, r_ == src ? &out : &b};

        th_apply(op, &out, 2, in, alpha);
    }
}
