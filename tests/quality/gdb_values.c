/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For gdb.t.sh: values of every kind that GDB prints, sound, null and garbage.
 */
#include <broadloom.h>

#include <stdio.h>
#include <string.h>

static const int64_t extent[] = {512, 512}, padded[] = {514, 1}, compact[] = {512, 1};
static const int64_t bytes[] = {8, -4};
static double data[4];

/* Where the debugger stops; the tensor's members are those that it has here. */
void stop(bl_tensor *tensor)
{
    printf("%d\n", (int)bl_tensor_rank(tensor));
}

int main(void)
{
    bl_status status = BL_ERR_SHAPE, unknown = (bl_status)99;
    bl_array array = {data, BL_DTYPE_F64, 2, extent, padded, 0};
    bl_array dense = {data, BL_DTYPE_BF16, 2, extent, compact, BL_ARRAY_READ_ONLY};
    bl_array packed = {data, BL_DTYPE_F32, 2, extent, bytes, BL_ARRAY_BYTE_STRIDES};
    bl_array zeros, garbage;
    bl_array wild = {data, BL_DTYPE_U8, 2, (int64_t *)8, (int64_t *)16, 0};
    bl_array lost = {NULL, BL_DTYPE_U8, 1, NULL, NULL, 0};
    bl_scalar half = bl_scalar_f64(0.5), three = bl_scalar_i64(-3);
    bl_scalar yes = bl_scalar_bool(true), complex = bl_scalar_c128(1, -2), odd = half;
    bl_array number = bl_scalar_array(&half);
    bl_tensor *tensor = NULL, *none = NULL, *stray = (bl_tensor *)16;

    memset(&zeros, 0, sizeof zeros);
    memset(&garbage, 0xa5, sizeof garbage);
    odd.dtype = (bl_dtype)77;
    if (bl_tensor_zeros(NULL, BL_DTYPE_F64, 2, (const int64_t[]){2, 3}, &tensor) !=
        BL_OK)
        return 1;
    stop(tensor);
    bl_tensor_release(tensor);
    (void)status, (void)unknown, (void)array, (void)dense, (void)packed, (void)zeros;
    (void)garbage, (void)wild, (void)lost, (void)three, (void)yes, (void)complex;
    (void)odd, (void)number, (void)none, (void)stray;
    return 0;
}
