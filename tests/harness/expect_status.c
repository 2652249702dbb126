/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the outcome of a call with the expected one.
 */
#include "expect_status.h"

#include <string.h>

#include "tap.h"

static bool noted(bool pass, bl_status status)
{
    if (!pass)
        tap_note("status %d: %s", (int)status, bl_error_message());
    return pass;
}

bool expect_tensor(bl_status status, bl_tensor *const *tensor, bl_dtype dtype,
                   int64_t count, const void *want)
{
    const bl_array *array = status == BL_OK ? bl_tensor_array(*tensor) : NULL;
    const bool pass =
        array && array->dtype == dtype && array->rank == 1 &&
        array->extent[0] == count &&
        memcmp(array->data, want, (size_t)count * bl_dtype_size(dtype)) == 0;

    if (array)
        bl_tensor_release(*tensor);
    return noted(pass, status);
}

bool expect_status(bl_status status, bl_status want, const char *text)
{
    return noted(status == want && strstr(bl_error_message(), text) != NULL, status);
}
