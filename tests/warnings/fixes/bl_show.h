/* SPDX-License-Identifier: BSD-3-Clause */
/* For the samples of the C interface: arrays as text, and statuses that are passed on.
 */
#ifndef BL_SHOW_H
#define BL_SHOW_H

#include <broadloom.h>
#include <broadloom/describe.h>
#include <stdio.h>

#define TRY(call)                                                                      \
    do {                                                                               \
        const bl_status status_ = (call);                                              \
        if (status_ != BL_OK)                                                          \
            return status_;                                                            \
    } while (0)

static inline bool show_text(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) == length;
}

/* Print a name, the notation of an array and its elements. */
static inline bl_status show(const char *name, const bl_array *array)
{
    printf("%s ", name);
    TRY(bl_array_describe(array, show_text, stdout));
    printf(" ");
    TRY(bl_array_format(array, 0, show_text, stdout));
    printf("\n");
    return BL_OK;
}

/* Print a tensor, and release it. */
static inline bl_status show_tensor(const char *name, bl_tensor *tensor)
{
    const bl_status status = show(name, bl_tensor_array(tensor));

    bl_tensor_release(tensor);
    return status;
}

#endif
