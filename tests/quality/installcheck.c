/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a user would write it, compiled against the installed library through
 * pkg-config by `make installcheck`.
 */
#include <broadloom.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    float matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    float row[3] = {10, 20, 30};
    const int64_t shape[] = {2, 3};
    const bl_array a = {matrix, BL_DTYPE_F32, 2, shape, NULL, 0};
    const bl_array b = {row, BL_DTYPE_F32, 1, shape + 1, NULL, 0};
    float sum[2][3];
    const bl_array out = {sum, BL_DTYPE_F32, 2, shape, NULL, 0};

    if (strcmp(bl_version(), BL_VERSION_STRING) != 0) {
        printf("the header is of %s, the library of %s\n", BL_VERSION_STRING,
               bl_version());
        return 1;
    }
    if (bl_add_out(NULL, &out, &a, &b) != BL_OK) {
        printf("%s: %s\n", bl_error_where(), bl_error_message());
        return 1;
    }
    if (sum[0][0] != 11 || sum[1][2] != 36) {
        printf("wrong sums: %g, %g\n", sum[0][0], sum[1][2]);
        return 1;
    }
    printf("broadloom %s\n", bl_version());
    return 0;
}
