/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saving, loading and mapping NPY files: every dtype in every layout round-trips
 * unchanged, with the header that NumPy would write.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

/*
 * Layouts over one block of memory; `order` is the expected value in the file's header.
 */
static const struct {
    const char *what;
    int32_t rank;
    int64_t extent[4];
    int64_t stride[4];
    int64_t offset;
    const char *order;
} layouts[] = {
    {"no dimensions", 0, {0}, {0}, 3, "False"},
    {"one dimension", 1, {7}, {1}, 0, "False"},
    {"one dimension backwards", 1, {7}, {-1}, 9, "False"},
    {"one dimension of every third", 1, {7}, {3}, 1, "False"},
    {"a repeated element", 1, {5}, {0}, 2, "False"},
    {"rows", 2, {3, 4}, {4, 1}, 0, "False"},
    {"columns", 2, {3, 4}, {1, 3}, 5, "True"},
    {"rows with gaps", 2, {3, 4}, {6, 1}, 0, "False"},
    {"columns with gaps", 2, {3, 4}, {1, 5}, 0, "False"},
    {"one row, any stride", 2, {1, 6}, {77, 1}, 0, "False"},
    {"one column, as columns", 2, {6, 1}, {1, 77}, 0, "False"},
    {"a row repeated", 2, {3, 4}, {0, 1}, 0, "False"},
    {"a box", 3, {2, 3, 4}, {12, 4, 1}, 0, "False"},
    {"a box of columns", 3, {2, 3, 4}, {1, 2, 6}, 0, "True"},
    {"a box of columns with a 1", 4, {2, 1, 3, 4}, {1, 50, 2, 6}, 0, "True"},
    {"a box with turned axes", 3, {2, 3, 4}, {3, 1, 6}, 0, "False"},
    {"nothing", 1, {0}, {1}, 0, "False"},
    {"nothing in columns", 2, {3, 0}, {1, 3}, 0, "False"},
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0], BLOCK = 64 * 32 };

/* Bytes in which adjacent elements of any size differ. */
static _Alignas(64) unsigned char block[BLOCK];

static bl_array array_of(int layout, bl_dtype dtype)
{
    const int64_t offset = layouts[layout].offset * (int64_t)bl_dtype_size(dtype);

    return (bl_array){block + offset,         dtype,
                      layouts[layout].rank,   layouts[layout].extent,
                      layouts[layout].stride, 0};
}

/* Load or map `path`, and compare it with `want`. */
static bool comes_back(bool mapping, const char *path, const bl_array *want)
{
    bl_tensor *got;
    const bl_status status =
        mapping ? bl_npy_map(NULL, path, &got) : bl_npy_load(NULL, path, &got);

    if (status != BL_OK) {
        tap_note("%s", bl_error_message());
        return false;
    }
    const bl_array *const array = bl_tensor_array(got);
    const bool is_right =
        arrays_equal(array, want) && mapping == (array->flags == BL_ARRAY_READ_ONLY);
    bl_tensor_release(got);
    return is_right;
}

static bool round_trip(int layout, bl_dtype dtype)
{
    const bl_array array = array_of(layout, dtype);
    char want[64];
    char text[2048];

    if (bl_npy_save(NULL, "a.npy", &array) != BL_OK) {
        tap_note("%s", bl_error_message());
        return false;
    }
    const long size = file_read("a.npy", text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    snprintf(want, sizeof want, "'fortran_order': %s,", layouts[layout].order);
    return size > 10 && strstr(text + 10, want) && comes_back(false, "a.npy", &array) &&
           comes_back(true, "a.npy", &array);
}

static void check_round_trips(void)
{
    for (int layout = 0; layout < LAYOUTS; layout++) {
        for (int dtype = BL_DTYPE_BOOL; dtype <= BL_DTYPE_C128; dtype++) {
            if (dtype != BL_DTYPE_BF16)
                tap_ok(round_trip(layout, (bl_dtype)dtype), "%s of %s comes back",
                       layouts[layout].what, bl_dtype_name((bl_dtype)dtype));
        }
    }
}

/* Headers exactly as NumPy 1.24 writes them, without the trailing blanks. */
static const struct {
    bl_dtype dtype;
    int32_t rank;
    int64_t extent[14];
    int64_t stride[14];
    const char *text;
    int size; /* bytes of the file before the elements */
} headers[] = {
    {BL_DTYPE_F32,
     0,
     {0},
     {0},
     "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
     128},
    {BL_DTYPE_BOOL,
     1,
     {3},
     {1},
     "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
     128},
    {BL_DTYPE_U8,
     2,
     {2, 3},
     {3, 1},
     "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }",
     128},
    {BL_DTYPE_C128,
     2,
     {2, 3},
     {1, 2},
     "{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3), }",
     128},
    {BL_DTYPE_I64,
     3,
     {1000000007, 0, 1000000009},
     {0, 0, 1},
     "{'descr': '<i8', 'fortran_order': False, 'shape': (1000000007, 0, 1000000009), }",
     128},
    /* 128 bytes with NumPy's space for growth, for which it adds 64 more. */
    {BL_DTYPE_F32,
     14,
     {0, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     {0},
     "{'descr': '<f4', 'fortran_order': False, "
     "'shape': (0, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), }",
     192},
    /* As above, for the last extent. */
    {BL_DTYPE_U8,
     14,
     {1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
     {[0] = 1, [13] = 1000},
     "{'descr': '|u1', 'fortran_order': True, "
     "'shape': (1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2), }",
     192},
};

static void check_headers(void)
{
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++) {
        const bl_array array = {block,
                                headers[k].dtype,
                                headers[k].rank,
                                headers[k].extent,
                                headers[k].stride,
                                0};
        char text[2048];
        const size_t length = strlen(headers[k].text);
        const bool saved = bl_npy_save(NULL, "h.npy", &array) == BL_OK;
        const long size = file_read("h.npy", text, sizeof text);
        const size_t header = (size_t)headers[k].size;
        bool is_right = saved && size >= (long)header &&
                        memcmp(text, "\x93NUMPY\x01\x00", 8) == 0 &&
                        (unsigned char)text[8] == header - 10 && text[9] == 0 &&
                        memcmp(text + 10, headers[k].text, length) == 0 &&
                        text[header - 1] == '\n';
        for (size_t at = 10 + length; is_right && at < header - 1; at++)
            is_right = text[at] == ' ';
        tap_ok(is_right, "the header is %s", headers[k].text);
    }
}

/* Files of the other byte order are byte-swapped, complex numbers part by part. */
static void check_swapped(void)
{
    static const struct {
        bl_dtype dtype;
        const char *descr;
        int unit;
    } kinds[] = {
        {BL_DTYPE_I8, "i1", 1},  {BL_DTYPE_U16, "u2", 2}, {BL_DTYPE_F16, "f2", 2},
        {BL_DTYPE_I32, "i4", 4}, {BL_DTYPE_F32, "f4", 4}, {BL_DTYPE_U64, "u8", 8},
        {BL_DTYPE_F64, "f8", 8}, {BL_DTYPE_C64, "c8", 4}, {BL_DTYPE_C128, "c16", 8},
    };
    const uint16_t one = 1;
    const char other = *(const unsigned char *)&one ? '>' : '<';
    const int64_t extent[] = {2, 3};
    const int64_t stride[] = {1, 2};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const bl_array want = {block, kinds[k].dtype, 2, extent, stride, 0};
        const size_t bytes = 6 * bl_dtype_size(kinds[k].dtype);
        unsigned char file[512];
        char text[128];
        bl_tensor *tensor = NULL;
        snprintf(text, sizeof text,
                 "{'descr': '%c%s', 'fortran_order': True, 'shape': (2, 3)}", other,
                 kinds[k].descr);
        const size_t header = npy_header_make(file, 1, text);
        const size_t unit = (size_t)kinds[k].unit;
        for (size_t at = 0; at < bytes; at++)
            file[header + at] = block[at / unit * unit + unit - 1 - at % unit];
        file_write("s.npy", file, header + bytes);
        tap_ok(comes_back(false, "s.npy", &want), "'%c%s' is turned around", other,
               kinds[k].descr);
        const bl_status mapped = bl_npy_map(NULL, "s.npy", &tensor);
        tap_ok(mapped == (unit == 1 ? BL_OK : BL_ERR_UNSUPPORTED), "'%c%s' is %s",
               other, kinds[k].descr, unit == 1 ? "mapped" : "not mapped");
        bl_tensor_release(tensor);
    }
}

/*
 * A header whose size is not a multiple of the element size loads, and maps where
 * possible.
 */
static void check_unaligned(void)
{
    unsigned char file[512];
    const char *const text = "{'descr':'<f8','fortran_order':False,'shape':(2,)}";
    const size_t header = 10 + strlen(text);
    const int64_t extent[] = {2};
    const bl_array want = {block, BL_DTYPE_F64, 1, extent, NULL, 0};
    bl_tensor *tensor = NULL;

    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (unsigned char)strlen(text);
    file[9] = 0;
    memcpy(file + 10, text, strlen(text));
    memcpy(file + header, block, 16);
    file_write("u.npy", file, header + 16);
    tap_ok(header % 8 != 0 && comes_back(false, "u.npy", &want),
           "elements at an odd place are loaded");
    tap_ok(bl_npy_map(NULL, "u.npy", &tensor) == BL_ERR_UNSUPPORTED && !tensor,
           "elements at an odd place are not mapped");
}

int main(void)
{
    for (int k = 0; k < BLOCK; k++)
        block[k] = (unsigned char)(k * 7 + k / 256);
    tap_plan();
    folder_enter();
    check_round_trips();
    check_headers();
    check_swapped();
    check_unaligned();
    folder_leave();
    return tap_done();
}
