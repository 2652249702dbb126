/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs.h"

#include "dataset.h"

#include <string.h>

bl_status outputs_read(const char *text, void *place)
{
    struct outputs *const outputs = place;

    for (int32_t k = 0; k < outputs->count; k++)
        if (strcmp(outputs->file[k], text) == 0)
            return bl_error_set(BL_ERR_ARGUMENT, "two results for %.200s", text);
    if (outputs->count == BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d results", BL_MAX_SLOTS);
    outputs->file[outputs->count++] = text;
    return BL_OK;
}

bl_status outputs_check(const struct outputs *outputs, int32_t results)
{
    if (outputs->count > 0 && outputs->count != results)
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "the expression has %d result%s, and there %s %d -o: give one for each, in "
            "order",
            (int)results, results == 1 ? "" : "s", outputs->count == 1 ? "is" : "are",
            (int)outputs->count);
    return BL_OK;
}

bl_status outputs_save(const struct outputs *outputs, bl_context *ctx,
                       bl_tensor *const *result, bool replace)
{
    for (int32_t k = 0; k < outputs->count; k++) {
        const bl_array *const array = bl_tensor_array(result[k]);

        if (dataset_is_named(outputs->file[k]))
            TRY(dataset_save(ctx, outputs->file[k], array, replace));
        else
            TRY(bl_npy_save(ctx, outputs->file[k], array));
    }
    return BL_OK;
}
