/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the C interface gives, for the program that every.awk makes: an operator or a
 * reduction by its number, of vectors of four elements.
 */
#include <broadloom.h>

int c_apply(int op, int count, const int *dtypes, void *const *data, int out_dtype,
            void *out);
int c_reduce(int op, int dtype, void *in, int out_dtype, void *out);

static const int64_t four = 4;

static bl_array vector(void *data, int dtype)
{
    return (bl_array){data, (bl_dtype)dtype, 1, &four, NULL, 0};
}

/* Without an out_dtype the result is the first input. */
int c_apply(int op, int count, const int *dtypes, void *const *data, int out_dtype,
            void *out)
{
    const bl_array result = vector(out, out_dtype);
    bl_array in[4];
    const bl_array *inputs[4];

    for (int k = 0; k < count; k++) {
        in[k] = vector(data[k], dtypes[k]);
        inputs[k] = &in[k];
    }
    return bl_apply(NULL, (bl_op)op, out_dtype ? &result : inputs[0], count, inputs,
                    NULL);
}

int c_reduce(int op, int dtype, void *in, int out_dtype, void *out)
{
    const bl_array from = vector(in, dtype);
    const bl_array to = {out, (bl_dtype)out_dtype, 0, NULL, NULL, 0};

    return bl_reduce(NULL, (bl_reduction)op, &to, &from, 0, NULL, false, NULL);
}
