/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets of HDF5 saved and loaded: dtypes, shapes, layouts, parts; files that exist;
 * progress.
 */
#include <broadloom.h>
#include <broadloom/hdf5.h>

#include <stdio.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/problem.h"
#include "harness/tap.h"

/* Save an array, load it again, and compare. */
static bool round_trip(const char *path, const char *dataset, const bl_array *array)
{
    bl_tensor *tensor = NULL;
    const bool same = bl_hdf5_save(NULL, path, dataset, array, NULL) == BL_OK &&
                      bl_hdf5_load(NULL, path, dataset, NULL, &tensor) == BL_OK &&
                      arrays_equal(bl_tensor_array(tensor), array);

    if (!same)
        tap_note("%s", bl_error_message());
    bl_tensor_release(tensor);
    return same;
}

/* ---- dtypes, shapes and layouts ---- */

static void check_dtypes(void)
{
    static const int64_t extent[] = {3, 5};
    unsigned char bytes[3 * 5 * 16];

    for (int32_t k = 0; k < (int32_t)sizeof bytes; k++)
        bytes[k] = (unsigned char)(37 * k);
    for (bl_dtype dtype = BL_DTYPE_BOOL; bl_dtype_size(dtype) > 0; dtype++) {
        const bl_array array = {bytes, dtype, 2, extent, NULL, 0};
        char name[32];

        for (int32_t k = 0; dtype == BL_DTYPE_BOOL && k < 15; k++)
            bytes[k] = k % 3 == 1;
        snprintf(name, sizeof name, "/dtypes/%s", bl_dtype_name(dtype));
        tap_ok(round_trip("dtypes.h5", name, &array), "%s, every bit",
               bl_dtype_name(dtype));
        for (int32_t k = 0; dtype == BL_DTYPE_BOOL && k < 15; k++)
            bytes[k] = (unsigned char)(37 * k);
    }
}

static void check_layouts(void)
{
    static float numbers[64];
    static const int64_t one[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    static const struct {
        const char *what;
        int32_t rank;
        int64_t extent[3], stride[3];
        int64_t offset;
    } cases[] = {
        {"a row", 1, {7}, {1}, 0},
        {"no elements", 2, {0, 3}, {3, 1}, 0},
        {"Fortran order", 2, {3, 4}, {1, 3}, 0},
        {"backwards", 2, {3, 4}, {-4, -1}, 11},
        {"every other element", 2, {3, 2}, {8, 2}, 1},
        {"repeated", 3, {2, 3, 4}, {0, 4, 1}, 0},
    };
    const bl_array scalar = {numbers + 3, BL_DTYPE_F32, 0, NULL, NULL, 0};
    const bl_array deep = {numbers, BL_DTYPE_F32, 32, one, NULL, 0};

    for (int32_t k = 0; k < 64; k++)
        numbers[k] = (float)k;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const bl_array array = {
            numbers + cases[k].offset, BL_DTYPE_F32,    cases[k].rank,
            cases[k].extent,           cases[k].stride, 0};
        tap_ok(round_trip("layouts.h5", cases[k].what, &array), "%s", cases[k].what);
    }
    tap_ok(round_trip("layouts.h5", "0-d", &scalar), "0-d");
    tap_ok(round_trip("layouts.h5", "deep", &deep), "32 dimensions");
}

/* ---- parts ---- */

enum { ROWS = 7, COLUMNS = 11, PLANES = 5 };
static int32_t cube[PLANES][ROWS][COLUMNS];
static const int64_t cube_extent[] = {PLANES, ROWS, COLUMNS};
static const bl_array whole = {cube, BL_DTYPE_I32, 3, cube_extent, NULL, 0};

static void fill_cube(void)
{
    for (int32_t k = 0; k < PLANES * ROWS * COLUMNS; k++)
        (&cube[0][0][0])[k] = k;
}

/* A random part of the cube, and the view of memory that it equals. */
struct part {
    int64_t offset[3], count[3], stride[3];
    int64_t view_stride[3];
    bl_array view;
};

static void random_part(struct rng *rng, struct part *part)
{
    static const int64_t step[] = {ROWS * COLUMNS, COLUMNS, 1};
    int32_t *at = &cube[0][0][0];

    for (int32_t d = 0; d < 3; d++) {
        part->offset[d] = rng_below(rng, cube_extent[d]);
        part->stride[d] = 1 + rng_below(rng, 4);
        const int64_t rest = cube_extent[d] - part->offset[d];
        const int64_t most = (rest + part->stride[d] - 1) / part->stride[d];

        part->count[d] = rng_one_in(rng, 10) ? 0 : 1 + rng_below(rng, most);
        at += part->offset[d] * step[d];
        part->view_stride[d] = part->stride[d] * step[d];
    }
    part->view = (bl_array){at, BL_DTYPE_I32, 3, part->count, part->view_stride, 0};
}

static void check_parts(void)
{
    struct rng rng = rng_new();
    bool same = true;

    fill_cube();
    tap_ok(round_trip("parts.h5", "cube", &whole), "a cube");
    for (int32_t k = 0; same && k < 200; k++) {
        struct part part;
        bl_tensor *tensor = NULL;

        random_part(&rng, &part);
        const bl_hdf5_options options = {.size = sizeof options,
                                         .rank = 3,
                                         .offset = part.offset,
                                         .count = part.count,
                                         .stride = part.stride};
        same = bl_hdf5_load(NULL, "parts.h5", "cube", &options, &tensor) == BL_OK &&
               arrays_equal(bl_tensor_array(tensor), &part.view);
        bl_tensor_release(tensor);
    }
    tap_ok(same, "200 random parts are views of the whole");

    /* Parts of the negated cube are written where views of memory are. */
    for (int32_t k = 0; same && k < 100; k++) {
        struct part part;
        bl_tensor *negative = NULL;

        random_part(&rng, &part);
        const bl_hdf5_options options = {.size = sizeof options,
                                         .rank = 3,
                                         .offset = part.offset,
                                         .count = part.count,
                                         .stride = part.stride};
        same = bl_neg_inplace(NULL, &part.view) == BL_OK &&
               bl_tensor_clone(NULL, &part.view, &negative) == BL_OK &&
               bl_hdf5_save(NULL, "parts.h5", "cube", bl_tensor_array(negative),
                            &options) == BL_OK;
        bl_tensor_release(negative);
    }
    bl_tensor *tensor = NULL;
    tap_ok(same && bl_hdf5_load(NULL, "parts.h5", "cube", NULL, &tensor) == BL_OK &&
               arrays_equal(bl_tensor_array(tensor), &whole),
           "100 random parts are written");
    bl_tensor_release(tensor);
    const int64_t from[] = {0, 2, 9};
    const bl_hdf5_options rest = {.size = sizeof rest, .rank = 3, .offset = from};
    tap_ok(bl_hdf5_load(NULL, "parts.h5", "cube", &rest, &tensor) == BL_OK &&
               bl_tensor_extent(tensor, 1) == ROWS - 2 &&
               bl_tensor_extent(tensor, 2) == COLUMNS - 9,
           "without counts a part is all that follows");
    bl_tensor_release(tensor);
}

/* ---- files that exist ---- */

static void check_existing(void)
{
    static double numbers[] = {1, 2, 3, 4};
    static const int64_t two = 2, four = 4;
    const bl_array first = {numbers, BL_DTYPE_F64, 1, &two, NULL, 0};
    const bl_array second = {numbers, BL_DTYPE_F64, 1, &four, NULL, 0};
    const bl_hdf5_options replace = {.size = sizeof replace, .flags = BL_HDF5_REPLACE};
    bl_hdf5_info info = {.size = sizeof info};

    tap_ok(round_trip("old.h5", "a/b/c", &first) &&
               round_trip("old.h5", "a/d", &second),
           "groups are made, and a dataset is added to a file");
    tap_ok(bl_hdf5_save(NULL, "old.h5", "/a/b/c", &second, NULL) == BL_ERR_ARGUMENT &&
               strcmp(bl_error_message(),
                      "old.h5:/a/b/c: the dataset exists already") == 0 &&
               bl_hdf5_query("old.h5", "a/b/c", &info) == BL_OK && info.extent[0] == 2,
           "a dataset that exists is refused, and stays");
    tap_ok(bl_hdf5_save(NULL, "old.h5", "/a/b/c", &second, &replace) == BL_OK &&
               bl_hdf5_query("old.h5", "a/b/c", &info) == BL_OK && info.extent[0] == 4,
           "or replaced");
    tap_ok(bl_hdf5_save(NULL, "old.h5", "new", &first, &replace) == BL_OK,
           "there need not be one to replace");
    tap_ok(info.dtype == BL_DTYPE_F64 && info.rank == 1 && info.chunk[0] == 0 &&
               info.filters == 0 && info.bytes == 32 && info.reserved == 0,
           "a dataset is described");
    tap_ok(folder_count() == 4, "no other file is left");
}

/* ---- progress ---- */

struct reports {
    int64_t count, last, numel;
    int64_t stop_at; /* the report that stops */
    bool is_even;    /* it never went back */
};

static bool note(void *user, int64_t done, int64_t numel)
{
    struct reports *const reports = user;

    reports->is_even = reports->is_even && done > reports->last && done <= numel;
    reports->last = done;
    reports->numel = numel;
    return ++reports->count != reports->stop_at;
}

static void check_progress(void)
{
    static const int64_t extent[] = {6, 1 << 20}; /* 48 MiB of f64 */
    struct reports reports = {.is_even = true};
    bl_hdf5_options options = {
        .size = sizeof options, .progress = note, .user = &reports};
    bl_tensor *tensor = NULL, *back = NULL;

    if (!tap_ok(bl_tensor_randn(NULL, BL_DTYPE_F64, 2, extent, 1, &tensor) == BL_OK,
                "a larger tensor"))
        return;
    const bl_array *const array = bl_tensor_array(tensor);
    tap_ok(bl_hdf5_save(NULL, "large.h5", "x", array, &options) == BL_OK &&
               reports.is_even && reports.count == 3 && reports.last == reports.numel &&
               reports.numel == 6 << 20,
           "saving reports its progress");
    reports = (struct reports){.is_even = true};
    tap_ok(bl_hdf5_load(NULL, "large.h5", "x", &options, &back) == BL_OK &&
               reports.is_even && reports.count == 3 && reports.last == reports.numel &&
               memcmp(bl_tensor_data(back), array->data, 48 << 20) == 0,
           "loading reports its progress");
    bl_tensor_release(back);

    back = NULL;
    reports = (struct reports){.is_even = true, .stop_at = 2};
    tap_ok(bl_hdf5_load(NULL, "large.h5", "x", &options, &back) == BL_ERR_IO && !back &&
               reports.count == 2 &&
               strstr(bl_error_message(), "stopped after 4194304"),
           "loading is stopped: %s", bl_error_message());
    reports = (struct reports){.is_even = true, .stop_at = 2};
    bl_hdf5_info info = {.size = sizeof info};
    tap_ok(bl_hdf5_save(NULL, "large.h5", "g/y", array, &options) == BL_ERR_IO &&
               bl_hdf5_query("large.h5", "g/y", &info) == BL_ERR_ARGUMENT &&
               bl_hdf5_query("large.h5", "g", &info) == BL_ERR_ARGUMENT &&
               strstr(bl_error_message(), "no such dataset"),
           "saving is stopped, and leaves no dataset and no group");
    const int files = folder_count();
    reports = (struct reports){.is_even = true, .stop_at = 1};
    tap_ok(bl_hdf5_save(NULL, "other.h5", "y", array, &options) == BL_ERR_IO &&
               folder_count() == files,
           "nor a new file");
    bl_tensor_release(tensor);
}

int main(void)
{
    tap_plan();
    folder_enter();
    check_dtypes();
    check_layouts();
    check_parts();
    check_existing();
    check_progress();
    folder_leave();
    return tap_done();
}
