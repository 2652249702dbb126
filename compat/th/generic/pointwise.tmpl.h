/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element-wise operations of one type by the library's operators.
 */
#include "apply.tmpl.h"

void THTensor_(fill)(THTensor *r_, real value)
{
    const bl_scalar number = TH_NUMBER(value);
    const bl_array in = bl_scalar_array(&number);
    const bl_array *const inputs[] = {&in};
    int64_t extent[BL_MAX_RANK];
    bl_array out = TH_ARRAY(r_);

    /* Elements that a stride of 0 repeats are written once. */
    for (int32_t d = 0; d < out.rank; d++)
        extent[d] = out.stride[d] == 0 ? THMin(out.extent[d], 1) : out.extent[d];
    out.extent = extent;
    th_apply(BL_OP_COPY, &out, 1, inputs, NULL);
}

void THTensor_(zero)(THTensor *r_)
{
    THTensor_(fill)(r_, 0);
}

/* ---- of one tensor ---- */

#define TH_UNARY(name, op)                                                             \
    void THTensor_(name)(THTensor * r_, THTensor * t)                                  \
    {                                                                                  \
        THTensor_(applyOne)(op, r_, t, NULL);                                          \
    }

TH_UNARY(neg, BL_OP_NEG)
TH_UNARY(abs, BL_OP_ABS)

#if TH_IS_INEXACT
TH_UNARY(cinv, BL_OP_RECIPROCAL)
TH_UNARY(sigmoid, BL_OP_SIGMOID)
TH_UNARY(log, BL_OP_LOG)
TH_UNARY(log10, BL_OP_LOG10)
TH_UNARY(log1p, BL_OP_LOG1P)
TH_UNARY(log2, BL_OP_LOG2)
TH_UNARY(exp, BL_OP_EXP)
TH_UNARY(expm1, BL_OP_EXPM1)
TH_UNARY(cos, BL_OP_COS)
TH_UNARY(acos, BL_OP_ACOS)
TH_UNARY(cosh, BL_OP_COSH)
TH_UNARY(sin, BL_OP_SIN)
TH_UNARY(asin, BL_OP_ASIN)
TH_UNARY(sinh, BL_OP_SINH)
TH_UNARY(tan, BL_OP_TAN)
TH_UNARY(atan, BL_OP_ATAN)
TH_UNARY(tanh, BL_OP_TANH)
TH_UNARY(erf, BL_OP_ERF)
TH_UNARY(erfc, BL_OP_ERFC)
TH_UNARY(lgamma, BL_OP_LGAMMA)
TH_UNARY(sqrt, BL_OP_SQRT)
TH_UNARY(rsqrt, BL_OP_RSQRT)
TH_UNARY(ceil, BL_OP_CEIL)
TH_UNARY(floor, BL_OP_FLOOR)
TH_UNARY(trunc, BL_OP_TRUNC)
#else
TH_UNARY(sign, BL_OP_SIGN)
#endif

/* ---- of a tensor and a scalar ---- */

#define TH_SCALAR(name, op)                                                            \
    void THTensor_(name)(THTensor * r_, THTensor * t, real value)                      \
    {                                                                                  \
        const bl_scalar number = TH_NUMBER(value);                                     \
                                                                                       \
        THTensor_(applyOne)(op, r_, t, &number);                                       \
    }

TH_SCALAR(add, BL_OP_ADD)
TH_SCALAR(sub, BL_OP_SUB)
TH_SCALAR(mul, BL_OP_MUL)
TH_SCALAR(fmod, BL_OP_FMOD)

#if TH_IS_INEXACT
TH_SCALAR(div, BL_OP_DIV)
TH_SCALAR(pow, BL_OP_POW)
#else
TH_SCALAR(div, BL_OP_TRUNC_DIVIDE)
TH_SCALAR(remainder, BL_OP_REMAINDER)
TH_SCALAR(bitand, BL_OP_BITWISE_AND)
TH_SCALAR(bitor, BL_OP_BITWISE_OR)
TH_SCALAR(bitxor, BL_OP_BITWISE_XOR)
TH_SCALAR(lshift, BL_OP_LEFT_SHIFT)
TH_SCALAR(cmaxValue, BL_OP_MAXIMUM)
TH_SCALAR(cminValue, BL_OP_MINIMUM)
#endif

#if !TH_IS_INEXACT
/* The exponent is passed as an array: unlike a scalar, that may be negative. */
void THTensor_(pow)(THTensor *r_, THTensor *t, real value)
{
    static const int64_t repeated[BL_MAX_RANK];

    THTensor_(resizeAs)(r_, t);
    {
        const bl_array out = TH_ARRAY(r_), a = TH_ARRAY(t);
        const bl_array b = {&value, TH_DTYPE, out.rank, out.extent, repeated, 0};
        const bl_array *const in[] = {r_ == t ? &out : &a, &b};

        th_apply(BL_OP_POW, &out, 2, in, NULL);
    }
}
#endif

void THTensor_(tpow)(THTensor *r_, real value, THTensor *t)
{
    const bl_scalar number = TH_NUMBER(value);

    THTensor_(resizeAs)(r_, t);
    {
        const bl_array out = TH_ARRAY(r_), a = bl_scalar_array(&number),
                       b = TH_ARRAY(t);
        const bl_array *const in[] = {&a, r_ == t ? &out : &b};

        th_apply(BL_OP_POW, &out, 2, in, NULL);
    }
}

/* ---- of two tensors ---- */

#define TH_PAIRED(name, function, op)                                                  \
    void THTensor_(name)(THTensor * r_, THTensor * t, THTensor * src)                  \
    {                                                                                  \
        THTensor_(applyTwo)(op, TH_CALL(function), r_, t, src, NULL);                  \
    }

TH_PAIRED(cmul, "mul", BL_OP_MUL)
TH_PAIRED(cpow, "pow", BL_OP_POW)
TH_PAIRED(cfmod, "fmod", BL_OP_FMOD)

#if TH_IS_INEXACT
TH_PAIRED(cdiv, "div", BL_OP_DIV)
TH_PAIRED(atan2, "atan2", BL_OP_ATAN2)
#else
TH_PAIRED(cdiv, "div", BL_OP_TRUNC_DIVIDE)
TH_PAIRED(cremainder, "remainder", BL_OP_REMAINDER)
TH_PAIRED(cbitand, "__and__", BL_OP_BITWISE_AND)
TH_PAIRED(cbitor, "__or__", BL_OP_BITWISE_OR)
TH_PAIRED(cbitxor, "__xor__", BL_OP_BITWISE_XOR)
TH_PAIRED(clshift, "__lshift__", BL_OP_LEFT_SHIFT)
TH_PAIRED(cmax, "max", BL_OP_MAXIMUM)
TH_PAIRED(cmin, "min", BL_OP_MINIMUM)
#endif

void THTensor_(cadd)(THTensor *r_, THTensor *t, real value, THTensor *src)
{
    const bl_scalar alpha = TH_NUMBER(value);

    THTensor_(applyTwo)(BL_OP_ADD, TH_CALL("add"), r_, t, src,
                        value == 1 ? NULL : &alpha);
}

void THTensor_(csub)(THTensor *r_, THTensor *t, real value, THTensor *src)
{
    const bl_scalar alpha = TH_NUMBER(value);

    THTensor_(applyTwo)(BL_OP_SUB, TH_CALL("sub"), r_, t, src,
                        value == 1 ? NULL : &alpha);
}

/* ---- of three tensors ---- */

/* r_ = op(t, src1, src2, value); an error where numel differs. */
static void THTensor_(applyThree)(bl_op op, struct th_call call, THTensor *r_,
                                  THTensor *t, real value, THTensor *src1,
                                  THTensor *src2)
{
    const bl_scalar number = TH_NUMBER(value);
    const bl_array arrays[] = {TH_ARRAY(t), TH_ARRAY(src1), TH_ARRAY(src2)};
    const bl_array *const all[] = {&arrays[0], &arrays[1], &arrays[2]};

    if (!th_admit(call, "r_ src1 src2", r_ == t, 3, all))
        return;
    THTensor_(resizeAs)(r_, t);
    {
        const bl_array out = TH_ARRAY(r_), a = TH_ARRAY(t), b = TH_ARRAY(src1);
        const bl_array c = TH_ARRAY(src2), d = bl_scalar_array(&number);
        const bl_array *const in[] = {r_ == t ? &out : &a, r_ == src1 ? &out : &b,
                                      r_ == src2 ? &out : &c, &d};

        th_apply(op, &out, 4, in, NULL);
    }
}

void THTensor_(addcmul)(THTensor *r_, THTensor *t, real value, THTensor *src1,
                        THTensor *src2)
{
    THTensor_(applyThree)(BL_OP_ADDCMUL, TH_CALL("addcmul"), r_, t, value, src1, src2);
}

#if TH_IS_INEXACT
void THTensor_(addcdiv)(THTensor *r_, THTensor *t, real value, THTensor *src1,
                        THTensor *src2)
{
    THTensor_(applyThree)(BL_OP_ADDCDIV, TH_CALL("addcdiv"), r_, t, value, src1, src2);
}
#endif

#undef TH_UNARY
#undef TH_SCALAR
#undef TH_PAIRED
#undef TH_IS_INEXACT
