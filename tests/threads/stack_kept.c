/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of stack.c that create, print, save and load arrays, fail, and warn.
 */
#include <broadloom/warnings.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "reference/ref.h"
#include "stack.h"

static struct layout_operand a, b;
static bl_tensor *made;
static char path[64];

static bl_status gone(bl_status status)
{
    if (status == BL_OK)
        bl_tensor_release(made);
    return status;
}

static void drop(void)
{
    free(a.memory);
    free(b.memory);
}

static void make(bl_dtype dtype, enum layout layout)
{
    stack_make(&a, dtype, layout);
    stack_make(&b, dtype, ROWS);
}

static bl_dtype dtype_made;

static bl_status make_numbers(void)
{
    const int64_t extent[] = {stack_rows, stack_columns};

    if (gone(bl_tensor_arange(stack_ctx, dtype_made, 0, 100, 1, &made)) != BL_OK ||
        gone(bl_tensor_rand(stack_ctx, dtype_made, 2, extent, 1, &made)) != BL_OK)
        return BL_ERR_DTYPE;
    return gone(bl_tensor_randn(stack_ctx, dtype_made, 2, extent, 1, &made));
}

static bool drop_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return true;
}

static bl_status show(void)
{
    return bl_array_format(&a.array, 4, drop_text, NULL);
}

static bl_status keep(void)
{
    const bl_status status = bl_npy_save(stack_ctx, path, &a.array);

    if (status != BL_OK)
        return status;
    if (gone(bl_npy_load(stack_ctx, path, &made)) != BL_OK)
        return BL_ERR_IO;
    return gone(bl_npy_map(stack_ctx, path, &made));
}

static bl_status reshape(void)
{
    const int64_t extent[] = {stack_columns, stack_rows};
    bl_tensor *tensor;
    bl_status status = bl_tensor_wrap(stack_ctx, &a.array, NULL, NULL, &tensor);

    if (status != BL_OK)
        return status;
    status = gone(bl_tensor_reshape(stack_ctx, tensor, 2, extent, &made));
    bl_tensor_release(tensor);
    return status;
}

/* A call that is refused, with a full error message. */
static bl_status refuse(void)
{
    int64_t extent[BL_MAX_RANK];
    bl_array large = a.array;
    const bl_array *const in[] = {&large, &a.array};

    for (int32_t d = 0; d < BL_MAX_RANK; d++)
        extent[d] = 1;
    extent[BL_MAX_RANK - 1] = stack_columns + 1;
    large.extent = extent;
    large.rank = BL_MAX_RANK;
    large.stride = NULL;
    return bl_apply_new(stack_ctx, BL_OP_ADD, 2, in, NULL, &made);
}

static void hear(void *user, const bl_warning *warning)
{
    (void)user;
    bl_warning_print(NULL, warning);
}

/* A call that raises a warning from a line of this file, with its full text. */
static bl_status warn(void)
{
    const int64_t column[] = {stack_rows, 1}, row[] = {1, stack_rows};
    bl_array first = a.array, second = b.array;
    const bl_array *const in[] = {&first, &second};

    first.extent = column;
    second.extent = row;
    first.stride = second.stride = NULL;
    bl_call_site_enter(__FILE__, __LINE__);
    return gone(
        bl_call_site_leave(bl_apply_new(stack_ctx, BL_OP_ADD, 2, in, NULL, &made)));
}

static bl_status report(void)
{
    return bl_warnings_write(path);
}

void stack_kept_calls(void)
{
    static const struct {
        const char *what;
        bl_status (*call)(void);
    } each[] = {{"arange, rand, randn", make_numbers},
                {"format", show},
                {"save, load, map", keep},
                {"reshape", reshape},
                {"an error", refuse}};

    snprintf(path, sizeof path, "stack.%ld.tmp", (long)getpid());
    painted_begin("numbers, texts, files, errors, warnings");
    for (int32_t dtype = 1; dtype < REF_DTYPES_END; dtype++)
        for (int l = ROWS; l <= COLUMNS && stack_is_tried(dtype); l++) {
            make((bl_dtype)dtype, (enum layout)l);
            dtype_made = (bl_dtype)dtype;
            for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
                (void)painted_call(each[i].call, "%s of %s, %s", each[i].what,
                                   bl_dtype_name(dtype_made), layout_names[l]);
            drop();
        }
    make(BL_DTYPE_F32, ROWS);
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_set_handler(hear, NULL);
    (void)painted_call(warn, "a warning");
    (void)painted_call(report, "a report");
    bl_warnings_set_handler(NULL, NULL);
    bl_backcompat_broadcast_warning_set_enabled(false);
    drop();
    (void)unlink(path);
    painted_end();
}
