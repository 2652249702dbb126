/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For manual.t.sh: a line for each operator and reduction, with its name and the
 * classes of dtypes that the library lets it take: b (bool), i (i32), f (f64), c
 * (c128).
 */
#include <broadloom.h>

#include <stdio.h>

static const struct {
    char letter;
    bl_dtype dtype;
} classes[] = {{'b', BL_DTYPE_BOOL},
               {'i', BL_DTYPE_I32},
               {'f', BL_DTYPE_F64},
               {'c', BL_DTYPE_C128}};

int main(void)
{
    bl_op_info info = {.size = sizeof info};
    bl_dtype result;

    for (int op = 1; bl_op_query((bl_op)op, &info) == BL_OK; op++) {
        printf("%s ", info.name);
        for (int k = 0; k < 4; k++)
            if (bl_op_result_dtype((bl_op)op, classes[k].dtype, &result) == BL_OK)
                putchar(classes[k].letter);
        putchar('\n');
    }
    for (int op = 1; bl_reduction_name((bl_reduction)op); op++) {
        printf("%s ", bl_reduction_name((bl_reduction)op));
        for (int k = 0; k < 4; k++)
            if (bl_reduction_result_dtype((bl_reduction)op, classes[k].dtype,
                                          &result) == BL_OK)
                putchar(classes[k].letter);
        putchar('\n');
    }
    return 0;
}
