/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies NPY files through the library, for npy_numpy.py.  Each line of standard input
 * is "HOW IN OUT"; the answer is "ok", or "error" and its text.  HOW is load, map, flip
 * (load, first dimension reversed) or turn (map, dimensions in reverse order).
 */
#include <stdio.h>
#include <string.h>

#include <broadloom.h>

static bl_status change(const char *how, bl_tensor *in, bl_tensor **out)
{
    const int32_t rank = bl_tensor_array(in)->rank;
    int32_t dims[BL_MAX_RANK];

    for (int32_t d = 0; d < rank; d++)
        dims[d] = rank - 1 - d;
    if (strcmp(how, "flip") == 0)
        return bl_tensor_flip(in, 0, out);
    if (strcmp(how, "turn") == 0)
        return bl_tensor_permute(in, dims, out);
    *out = bl_tensor_retain(in);
    return BL_OK;
}

static bl_status copy(const char *how, const char *from, const char *to)
{
    const bool mapping = strcmp(how, "map") == 0 || strcmp(how, "turn") == 0;
    bl_tensor *in = NULL;
    bl_tensor *out = NULL;
    bl_status status =
        mapping ? bl_npy_map(NULL, from, &in) : bl_npy_load(NULL, from, &in);

    if (status == BL_OK)
        status = change(how, in, &out);
    if (status == BL_OK)
        status = bl_npy_save(NULL, to, bl_tensor_array(out));
    bl_tensor_release(out);
    bl_tensor_release(in);
    return status;
}

int main(void)
{
    char how[16], from[1024], to[1024];

    while (scanf("%15s %1023s %1023s", how, from, to) == 3) {
        if (copy(how, from, to) == BL_OK)
            printf("ok\n");
        else
            printf("error %s\n", bl_error_message());
        fflush(stdout);
    }
    return 0;
}
