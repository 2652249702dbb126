/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors whose strides count bytes, against those of a compact copy, and the
 * notation of such arrays.
 */
#include <broadloom.h>

#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

#define DIMS (const int64_t[])

enum { ROWS = 3, COLUMNS = 5 };

struct particle {
    double x;
    float y;
    float _Complex z;
};

static struct particle particles[ROWS][COLUMNS];

#define ROW   ((int64_t)sizeof particles[0])
#define PITCH ((int64_t)sizeof particles[0][0])

static const bl_array components[] = {
    {&particles[0][0].x, BL_DTYPE_F64, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4},
    {&particles[0][0].y, BL_DTYPE_F32, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4},
    {&particles[0][0].z, BL_DTYPE_C64, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4},
    {&particles[0][COLUMNS - 1].y, BL_DTYPE_F32, 2, DIMS{ROWS, COLUMNS},
     DIMS{ROW, -PITCH}, 4},
};

static void fill(void)
{
    for (int32_t i = 0; i < ROWS * COLUMNS; i++) {
        struct particle *const p = &particles[i / COLUMNS][i % COLUMNS];

        p->x = i + 0.25;
        p->y = (float)i / 3 + 1;
        ref_make(BL_DTYPE_C64, i, -7 * i, &p->z);
    }
}

/* ---- views of tensors ---- */

static bl_status expand(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_expand(t, 3, DIMS{2, -1, -1}, out);
}

static bl_status unsqueeze(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_unsqueeze(t, -1, out);
}

static bl_status permute(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_permute(t, (const int32_t[]){1, 0}, out);
}

static bl_status choose(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_select(t, 1, -2, out);
}

static bl_status narrow(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_narrow(t, 0, 1, 2, out);
}

static bl_status slice(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_slice(t, 1, BL_SLICE_END, BL_SLICE_END, -2, out);
}

static bl_status flip(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_flip(t, 0, out);
}

static bl_status view(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_view(t, 3, DIMS{ROWS, 1, -1}, out);
}

static bl_status place_dims(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_place_dims(t, 4, (const int32_t[]){1, 2}, out);
}

static bl_status reshape(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_reshape(NULL, t, 1, DIMS{-1}, out);
}

static bl_status contiguous(bl_tensor *t, bl_tensor **out)
{
    return bl_tensor_contiguous(NULL, t, out);
}

static const struct {
    const char *what;
    bl_status (*make)(bl_tensor *t, bl_tensor **out);
} views[] = {{"expand", expand},
             {"unsqueeze", unsqueeze},
             {"permute", permute},
             {"select", choose},
             {"narrow", narrow},
             {"slice", slice},
             {"flip", flip},
             {"view", view},
             {"reshape", reshape},
             {"place_dims", place_dims},
             {"contiguous", contiguous}};

static void check_views(void)
{
    for (size_t i = 0; i < sizeof components / sizeof components[0]; i++) {
        bl_tensor *tensor, *copy;

        must(bl_tensor_wrap(NULL, &components[i], NULL, NULL, &tensor));
        must(bl_tensor_clone(NULL, &components[i], &copy));
        for (size_t v = 0; v < sizeof views / sizeof views[0]; v++) {
            bl_tensor *one, *again, *other, *twice;

            must(views[v].make(tensor, &one));
            must(bl_tensor_unsqueeze(one, 0, &again));
            must(views[v].make(copy, &other));
            must(bl_tensor_unsqueeze(other, 0, &twice));
            tap_ok(tensors_are_same(one, other) && tensors_are_same(again, twice),
                   "%s of component %zu", views[v].what, i);
        }
        bl_tensor_release(tensor);
        bl_tensor_release(copy);
    }
}

/* ---- notation ---- */

struct text {
    char at[2000];
    size_t length;
};

static bool append(void *user, const char *piece, size_t length)
{
    struct text *const text = user;

    memcpy(text->at + text->length, piece, length);
    text->length += length;
    return true;
}

static const struct {
    bl_array array;
    const char *text;
} rows[] = {
    {{&particles[0][0].y, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{48, 16}, 4},
     "f32[2,3]{48,16}B"},
    {{&particles[0][0].y, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{12, 4}, 4}, "f32[2,3]"},
    {{&particles[0][0].y, BL_DTYPE_F32, 2, DIMS{2, 3}, DIMS{48, 16}, 0},
     "f32[2,3]{48,16}"},
    {{&particles[0][0].z, BL_DTYPE_C64, 1, DIMS{2}, DIMS{-12}, 4}, "c64[2]{-12}B"},
};

static void check_notation(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text text = {.length = 0};

        must(bl_array_describe(&rows[i].array, append, &text));
        tap_ok(text.length == strlen(rows[i].text) &&
                   memcmp(text.at, rows[i].text, text.length) == 0,
               "%s", rows[i].text);
    }
}

int main(void)
{
    tap_plan();
    fill();
    check_views();
    check_notation();
    return tap_done();
}
