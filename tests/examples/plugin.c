/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plug-in that computes with the library.  The program that opens it, host.c, neither
 * knows the library nor is linked with it.
 *
 *     cc -O2 -fPIC -shared -o plugin.so plugin.c \
 *         $(pkg-config --cflags --libs broadloom)
 */
#include <broadloom.h>
#include <broadloom/describe.h>

const char *center(double *x, long rows, long columns, double *mean, long means);

/*
 * Subtract the mean of each column, which is written to `mean`.  Return NULL, or a
 * message: then x is as it was.
 */
const char *center(double *x, long rows, long columns, double *mean, long means)
{
    const bl_array *const matrix = BL_VIEW(x, rows, columns);
    const bl_array *const row = BL_VIEW(mean, means);

    if (bl_mean_out(NULL, row, matrix, 1, (const int32_t[]){0}, false) != BL_OK ||
        bl_sub_inplace(NULL, matrix, row) != BL_OK)
        return bl_error_message();
    return NULL;
}
