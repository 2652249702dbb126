/* SPDX-License-Identifier: BSD-3-Clause */
/* Results in place, which modern rules refuse. */
#include "bl_show.h"

static bl_status accumulate(const bl_array *sum, const bl_array *next)
{
    return bl_add_inplace(NULL, sum, next);
}

int main(void)
{
    double sum[] = {1, 2, 3, 4}, next[] = {5, 6, 7, 8};
    bl_tensor *owner = NULL;
    int lost = bl_copy(NULL, BL_VIEW(next, 4), &owner) != BL_OK;

    lost += accumulate(BL_VIEW(sum, 4, 1), BL_VIEW(next, 4)) != BL_OK;
    lost += accumulate(BL_VIEW(sum, 4), BL_VIEW(next, 4)) != BL_OK;
    lost += accumulate(BL_VIEW(sum, 2, 2), BL_VIEW(next, 1, 4)) != BL_OK;
    lost += bl_mul_inplace(NULL, BL_VIEW(sum, 2, 2), BL_VIEW(next, 4)) != BL_OK;
    if (bl_sub_inplace(NULL, BL_VIEW(sum, 2, 2), bl_tensor_array(owner)) != BL_OK)
        lost++;
    if (lost == 0)
        lost += show("sum", BL_VIEW(sum, 4)) != BL_OK;
    bl_tensor_release(owner);
    return lost > 0;
}
