/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components of arrays of structs, whose strides count bytes: every kind of call gives
 * what it gives for a compact copy.
 */
#include <broadloom.h>

#include <stdio.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

enum { ROWS = 3, COLUMNS = 5 };

struct particle {
    double x;
    float y;
    float _Complex z; /* its distance is no whole number of its size */
    int16_t charge;
    bool is_bound;
    float v[3];
};

static struct particle particles[ROWS][COLUMNS];

/* Structs of 13 bytes: i8, f64, f32, without padding. */
enum { PACKED = 13 };
static _Alignas(16) unsigned char packed[ROWS * COLUMNS * PACKED];

static void fill(void)
{
    for (int32_t i = 0; i < ROWS * COLUMNS; i++) {
        struct particle *const p = &particles[i / COLUMNS][i % COLUMNS];

        p->x = i + 0.25;
        p->y = (float)i / 3 + 1;
        p->charge = (int16_t)(i - 4);
        p->is_bound = i % 3 == 1;
        ref_make(BL_DTYPE_C64, i, -7 * i, &p->z);
        packed[i * PACKED] = (unsigned char)i;
        ref_make(BL_DTYPE_F64, i * 3 + 0.5, 0, packed + i * PACKED + 1);
        ref_make(BL_DTYPE_F32, i * 5 + 0.5, 0, packed + i * PACKED + 9);
        for (int32_t d = 0; d < 3; d++)
            p->v[d] = (float)(10 * i + d);
    }
}

#define ROW    ((int64_t)sizeof particles[0])
#define PITCH  ((int64_t)sizeof particles[0][0])
#define LAST   particles[ROWS - 1][COLUMNS - 1]
#define VECTOR ((int64_t)sizeof(float))
#define DIMS   (const int64_t[])

enum { IS_BOUND = 4 };

/* clang-format off */
static const struct {
    const char *what;
    bl_array array;
} components[] = {
    {"x", {&particles[0][0].x, BL_DTYPE_F64, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4}},
    {"y", {&particles[0][0].y, BL_DTYPE_F32, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4}},
    {"z, complex", {&particles[0][0].z, BL_DTYPE_C64, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4}},
    {"charge", {&particles[0][0].charge, BL_DTYPE_I16, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4}},
    {"is_bound", {&particles[0][0].is_bound, BL_DTYPE_BOOL, 2, DIMS{ROWS, COLUMNS}, DIMS{ROW, PITCH}, 4}},
    {"v, of rank 3", {&particles[0][0].v[0], BL_DTYPE_F32, 3, DIMS{ROWS, COLUMNS, 3}, DIMS{ROW, PITCH, VECTOR}, 4}},
    {"y transposed, backwards", {&LAST.y, BL_DTYPE_F32, 2, DIMS{COLUMNS, ROWS}, DIMS{-PITCH, -ROW}, 4}},
    {"x of one column, repeated", {&particles[0][1].x, BL_DTYPE_F64, 2, DIMS{ROWS, 4}, DIMS{ROW, 0}, 4}},
    {"v of one particle, compact", {&particles[1][2].v[0], BL_DTYPE_F32, 1, DIMS{3}, DIMS{VECTOR}, 4}},
    {"one number, of rank 0", {&particles[1][1].x, BL_DTYPE_F64, 0, NULL, DIMS{0}, 4}},
    {"packed f64", {packed + 1, BL_DTYPE_F64, 2, DIMS{ROWS, COLUMNS}, DIMS{COLUMNS * PACKED, PACKED}, 4}},
    {"packed f32 transposed, backwards", {packed + sizeof packed - 4, BL_DTYPE_F32, 2, DIMS{COLUMNS, ROWS}, DIMS{-PACKED, -COLUMNS * PACKED}, 4}},
    {"packed f64 of one column, repeated", {packed + 1, BL_DTYPE_F64, 2, DIMS{ROWS, 4}, DIMS{COLUMNS * PACKED, 0}, 4}},
    {"f32 next to each other, not aligned", {packed + 1, BL_DTYPE_F32, 1, DIMS{7}, DIMS{4}, 4}},
    {"one number that is not aligned", {packed + 1, BL_DTYPE_F64, 0, NULL, DIMS{0}, 4}},
    {"no elements, not aligned", {packed + 1, BL_DTYPE_F32, 2, DIMS{COLUMNS, 0}, DIMS{13, 7}, 4}},
    {"no elements", {NULL, BL_DTYPE_F32, 2, DIMS{0, COLUMNS}, DIMS{ROW, 7}, 4}},
    {"a flag without strides", {&particles[1][2].v[0], BL_DTYPE_F32, 1, DIMS{3}, NULL, 4}},
};
/* clang-format on */

/* ---- calls that read: the array `a` and its compact copy `b` ---- */

static bool reduces(const bl_array *a, const bl_array *b)
{
    bool pass = true;

    for (int32_t axis = -1; axis < a->rank; axis++) {
        bl_tensor *one = NULL, *other = NULL;
        const bl_status status = bl_reduce_new(NULL, BL_REDUCTION_SUM, b, axis >= 0,
                                               &axis, false, NULL, &other);

        pass = bl_reduce_new(NULL, BL_REDUCTION_SUM, a, axis >= 0, &axis, false, NULL,
                             &one) == status &&
               pass;
        pass = (status != BL_OK || tensors_are_same(one, other)) && pass;
    }
    return pass;
}

/* The mask is the bool component, or the first of its elements, where that has no
 * shape. */
static bl_array mask_of(const bl_array *a)
{
    bl_array mask = components[IS_BOUND].array;

    if (a->rank != 2 || a->extent[0] != ROWS || a->extent[1] != COLUMNS)
        mask.rank = 0;
    return mask;
}

static bool selects(const bl_array *a, const bl_array *b)
{
    const bl_array mask = mask_of(a);
    bl_tensor *one, *other;

    must(bl_masked_select(NULL, a, &mask, &one));
    must(bl_masked_select(NULL, b, &mask, &other));
    return tensors_are_same(one, other);
}

static bool scatters(const bl_array *a, const bl_array *b)
{
    const bl_array mask = mask_of(a);
    bl_tensor *one, *other;

    must(bl_masked_scatter(NULL, a, &mask, a, &one));
    must(bl_masked_scatter(NULL, b, &mask, b, &other));
    return tensors_are_same(one, other);
}

static bool measures(const bl_array *a, const bl_array *b)
{
    bl_tensor *one = NULL, *other = NULL;
    const bl_status status = bl_dist(NULL, b, b, 2, &other);

    return bl_dist(NULL, a, b, 2, &one) == status &&
           (status != BL_OK || tensors_are_same(one, other));
}

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

static bool prints(const bl_array *a, const bl_array *b)
{
    struct text one = {.length = 0}, other = {.length = 0};

    must(bl_array_format(a, 0, append, &one));
    must(bl_array_format(b, 0, append, &other));
    return one.length == other.length && memcmp(one.at, other.at, one.length) == 0;
}

static bool saves(const bl_array *a, const bl_array *b)
{
    const char *const path = "byte_strides.t.npy";
    bl_tensor *loaded;

    must(bl_npy_save(NULL, path, a));
    must(bl_npy_load(NULL, path, &loaded));

    const bool same = arrays_are_same(bl_tensor_array(loaded), b);

    bl_tensor_release(loaded);
    remove(path);
    return same;
}

static bool has_items(const bl_array *a, const bl_array *b)
{
    const int64_t last[] = {-1, -1, -1};
    unsigned char one[REF_ELEMENT], other[REF_ELEMENT];

    if (ref_count(a) == 0)
        return bl_array_get(a, last, one) == BL_ERR_ARGUMENT;
    must(bl_array_get(a, last, one));
    must(bl_array_get(b, last, other));
    must(bl_array_set(a, last, other));
    return memcmp(one, other, ref_size(a->dtype)) == 0;
}

/* An array is that of its layout. */
static bool has_layout(const bl_array *a, const bl_array *b)
{
    bl_layout layout;

    (void)b;
    must(bl_array_layout(a, &layout));

    const bl_array back = bl_layout_array(&layout, a->dtype, a->data);
    const bl_array wrong = bl_layout_array(&layout, BL_DTYPE_C128, a->data);

    return arrays_are_same(a, &back) &&
           (wrong.dtype == BL_DTYPE_NONE) == (a->stride != NULL);
}

static bool is_copied(const bl_array *a, const bl_array *b)
{
    struct particle saved[ROWS][COLUMNS];
    unsigned char saved_bytes[sizeof packed];
    bool pass;

    if (a->stride && a->rank == 2 && a->stride[1] == 0)
        return true; /* a result must not repeat elements */
    memcpy(saved, particles, sizeof saved);
    memcpy(saved_bytes, packed, sizeof packed);
    must(bl_copy_out(NULL, a, b));
    pass = memcmp(saved, particles, sizeof saved) == 0;
    if (a->dtype != BL_DTYPE_BOOL) {
        must(bl_neg_inplace(NULL, a));
        must(bl_neg_inplace(NULL, b));
        pass = arrays_are_same(a, b) && pass;
        must(bl_copy_out(NULL, a, b));
        must(bl_neg_inplace(NULL, a));
    }
    return pass && memcmp(saved, particles, sizeof saved) == 0 &&
           memcmp(saved_bytes, packed, sizeof packed) == 0;
}

static void check_calls(void)
{
    static const struct {
        const char *what;
        bool (*check)(const bl_array *a, const bl_array *b);
    } calls[] = {{"sums along each axis", reduces},
                 {"masked_select", selects},
                 {"masked_scatter", scatters},
                 {"dist", measures},
                 {"text", prints},
                 {"NPY", saves},
                 {"elements", has_items},
                 {"its layout's array", has_layout},
                 {"written by copy and in place", is_copied}};

    for (size_t i = 0; i < sizeof components / sizeof components[0]; i++)
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
            const bl_array *const a = &components[i].array;
            bl_tensor *copy;

            must(bl_tensor_clone(NULL, a, &copy));
            tap_ok(calls[c].check(a, bl_tensor_array(copy)), "%s: %s",
                   components[i].what, calls[c].what);
            bl_tensor_release(copy);
        }
}

int main(void)
{
    tap_plan();
    fill();
    folder_enter();
    check_calls();
    folder_leave();
    return tap_done();
}
