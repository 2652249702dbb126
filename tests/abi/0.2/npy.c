/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NPY files: saved, loaded, mapped.
 */
#include "kept.h"

int main(void)
{
    static double a[] = {1, 2, 3, 4, 5, 6};
    bl_tensor *tensor = NULL;

    if (OK(bl_npy_save(NULL, "kept.npy", BL_VIEW(a, 2, 3)))) {
        if (OK(bl_npy_load(NULL, "kept.npy", &tensor)))
            HAS(tensor, 1, 2, 3, 4, 5, 6);
        if (OK(bl_npy_map(NULL, "kept.npy", &tensor)))
            HAS(tensor, 1, 2, 3, 4, 5, 6);
        CHECK(remove("kept.npy") == 0);
    }
    CHECK(bl_npy_load(NULL, "kept.npy", &tensor) == BL_ERR_IO);
    return failures;
}
