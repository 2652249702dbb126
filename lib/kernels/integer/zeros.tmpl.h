/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template: a function that says whether any of `count` contiguous elements is 0.
 *
 *   BLI_ZEROS_TYPE   the unsigned integer of their size; undefined at the end
 *   BLI_ZEROS_NAME   the function's name; undefined at the end
 */
static bool BLI_ZEROS_NAME(const BLI_ZEROS_TYPE *x, int64_t count)
{
    BLI_ZEROS_TYPE any = 0;

#pragma omp simd reduction(| : any)
    for (int64_t j = 0; j < count; j++)
        any |= (BLI_ZEROS_TYPE)(x[j] == 0);
    return any != 0;
}

#undef BLI_ZEROS_TYPE
#undef BLI_ZEROS_NAME
