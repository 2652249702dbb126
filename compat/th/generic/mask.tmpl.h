/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations with masks, for tensors of one type: bytes of 0 and 1, one per element.
 */

/* The mask as a boolean array; an error, and false, where an element is above 1. */
static bool THTensor_(takeMask)(THByteTensor *mask, bl_array *truth)
{
    *truth = TH_ARRAY_OF(Byte, mask);
    if (th_count(truth) > 0 && THByteTensor_maxall(mask) > 1) {
        THError("Mask tensor can take 0 and 1 values only");
        return false;
    }
    truth->dtype = BL_DTYPE_BOOL;
    return true;
}

/* Number of elements of a mask that are 1. */
static ptrdiff_t THTensor_(countOnes)(THByteTensor *mask)
{
    return (ptrdiff_t)THByteTensor_sumall(mask);
}

void THTensor_(maskedFill)(THTensor *tensor, THByteTensor *mask, real value)
{
    const bl_scalar number = TH_NUMBER(value);
    const bl_array out = TH_ARRAY(tensor), filler = bl_scalar_array(&number);
    bl_array truth;
    const bl_array *const in[] = {&truth, &filler, &out};
    const bl_array *const both[] = {&out, &truth};

    if (THTensor_(takeMask)(mask, &truth) &&
        th_admit(TH_CALL("masked_fill"), "tensor mask", true, 2, both))
        th_apply(BL_OP_WHERE, &out, 3, in, NULL);
}

void THTensor_(maskedCopy)(THTensor *tensor, THByteTensor *mask, THTensor *src)
{
    THTensor *source;
    const real *next;
    const bl_array array = TH_ARRAY(tensor);
    bl_array truth;
    const bl_array *const both[] = {&array, &truth};

    if (THTensor_(nElement)(tensor) != THByteTensor_nElement(mask)) {
        THError(
            "Number of elements of destination tensor != Number of elements in mask");
        return;
    }
    if (!THTensor_(takeMask)(mask, &truth))
        return;
    if (THTensor_(nElement)(src) < THTensor_(countOnes)(mask)) {
        THError("Number of elements of src < number of ones in mask");
        return;
    }
    if (!th_admit(TH_CALL("masked_scatter"), "tensor mask", true, 2, both))
        return;
    source = THTensor_(newContiguous)(src);
    next = TH_DATA(source);
    TH_TENSOR_APPLY2(
        real, tensor, unsigned char, mask, if (*mask_data) {
            *tensor_data = *next;
            next++;
        })
    {
        const bl_array from = TH_ARRAY(source);
        const bl_array *const in[] = {&array, &truth, &from};

        th_carry(&array, 3, in);
    }
    THTensor_(free)(source);
}

void THTensor_(maskedSelect)(THTensor *tensor, THTensor *src, THByteTensor *mask)
{
    const bl_array array = TH_ARRAY(src);
    bl_array truth;
    const bl_array *const both[] = {&array, &truth};
    THTensor *selected;
    real *next;

    if (!THTensor_(takeMask)(mask, &truth) ||
        !th_admit(TH_CALL("masked_select"), "src mask", false, 2, both))
        return;
    th_set_due(false);
    selected = THTensor_(newWithSize1d)(THTensor_(countOnes)(mask));
    next = TH_DATA(selected);
    TH_TENSOR_APPLY2(
        real, src, unsigned char, mask, if (*mask_data) {
            *next = *src_data;
            next++;
        })
    {
        const bl_array out = TH_ARRAY(selected);

        th_carry(&out, 2, both);
    }
    THTensor_(give)(selected, tensor);
}
