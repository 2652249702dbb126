/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of plain C arrays, of which the extents alone change. */
#include "bl_show.h"

enum { ROWS = 2, COLUMNS = 3 };

static bl_status run(double *table, double *column, const float *weight, int64_t n)
{
    bl_tensor *out, *second;

    TRY(bl_atan2(NULL, BL_VIEW(column, n, 1), BL_VIEW(weight, n), &out));
    TRY(show_tensor("atan2", out));
    for (int64_t k = 0; k < n && bl_sub(NULL, BL_VIEW(column, n - k, 1),
                                        BL_VIEW(weight + k, n - k), &out) == BL_OK;
         k++)
        TRY(show_tensor("sub", out));
    if (n > 1 && bl_mul(NULL, BL_VIEW(table, ROWS, COLUMNS),
                        BL_VIEW(column, (ROWS * COLUMNS), 1, 1), &second) == BL_OK)
        TRY(show_tensor("mul", second));
    return bl_eq(NULL, BL_VIEW(table, 1, 4), BL_VIEW(column, 4), &out) == BL_OK
               ? show_tensor("eq", out)
               : BL_ERR_ARGUMENT;
}

int main(void)
{
    double table[ROWS * COLUMNS] = {1, 2, 3, 4, 5, 6};
    double column[ROWS * COLUMNS] = {6, 5, 4, 3, 2, 1};
    const float weight[] = {1, 3, 5, 7};

    if (run(table, column, weight, 4) != BL_OK)
        return fprintf(stderr, "%s\n", bl_error_message()), 1;
    return 0;
}
