/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that HDF5 itself wrote: chunks, filters, byte orders; files that are damaged or
 * none.  Nothing is printed, and nothing leaks.
 */
#define _DEFAULT_SOURCE

#include <broadloom.h>
#include <broadloom/hdf5.h>

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

enum { ROWS = 40, COLUMNS = 30 };
static double numbers[ROWS][COLUMNS];
static const int64_t extent[] = {ROWS, COLUMNS};
static const bl_array table = {numbers, BL_DTYPE_F64, 2, extent, NULL, 0};

/* Write the table as a dataset of a type, in chunks and through filters if asked. */
static void write_table(hid_t file, const char *name, hid_t type, hsize_t chunk,
                        bool is_filtered)
{
    const hsize_t extents[] = {ROWS, COLUMNS}, chunks[] = {chunk, 7};
    const hid_t space = H5Screate_simple(2, extents, NULL);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);

    if (chunk > 0)
        H5Pset_chunk(plist, 2, chunks);
    if (is_filtered) {
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, 6);
        H5Pset_fletcher32(plist);
    }
    const hid_t dataset =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(dataset);
    H5Pclose(plist);
    H5Sclose(space);
}

/* ---- what is read ---- */

static const struct {
    const char *name;
    bl_dtype dtype;
} readable[] = {
    {"f64be", BL_DTYPE_F64},  {"f64le", BL_DTYPE_F64},   {"f32be", BL_DTYPE_F32},
    {"i16be", BL_DTYPE_I16},  {"u32be", BL_DTYPE_U32},   {"i64le", BL_DTYPE_I64},
    {"chunks", BL_DTYPE_F64}, {"deflate", BL_DTYPE_F64}, {"one chunk", BL_DTYPE_I32},
};

static void make_tables(void)
{
    const hid_t file = H5Fcreate("tables.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

    for (int32_t r = 0; r < ROWS; r++)
        for (int32_t c = 0; c < COLUMNS; c++)
            numbers[r][c] = 100 * r + c;
    write_table(file, "f64be", H5T_IEEE_F64BE, 0, false);
    write_table(file, "f64le", H5T_IEEE_F64LE, 0, false);
    write_table(file, "f32be", H5T_IEEE_F32BE, 5, true);
    write_table(file, "i16be", H5T_STD_I16BE, 3, true);
    write_table(file, "u32be", H5T_STD_U32BE, 0, false);
    write_table(file, "i64le", H5T_STD_I64LE, 0, false);
    write_table(file, "chunks", H5T_IEEE_F64LE, 9, false);
    write_table(file, "deflate", H5T_IEEE_F64LE, 9, true);
    write_table(file, "one chunk", H5T_STD_I32LE, ROWS, true);
    H5Fclose(file);
}

static void check_tables(void)
{
    for (size_t k = 0; k < sizeof readable / sizeof readable[0]; k++) {
        bl_tensor *tensor = NULL, *wide = NULL;
        const bool same =
            bl_hdf5_load(NULL, "tables.h5", readable[k].name, NULL, &tensor) == BL_OK &&
            bl_tensor_dtype(tensor) == readable[k].dtype &&
            bl_cast(NULL, bl_tensor_array(tensor), BL_DTYPE_F64, &wide) == BL_OK &&
            arrays_equal(bl_tensor_array(wide), &table);

        tap_ok(same, "%s is read as %s", readable[k].name,
               bl_dtype_name(readable[k].dtype));
        bl_tensor_release(tensor);
        bl_tensor_release(wide);
    }

    bl_hdf5_info info = {.size = sizeof info};
    tap_ok(bl_hdf5_query("tables.h5", "deflate", &info) == BL_OK && info.filters == 3 &&
               info.chunk[0] == 9 && info.chunk[1] == 7 && info.bytes > 0 &&
               info.bytes < (int64_t)sizeof numbers,
           "chunks and filters are described");

    /* A part across chunks, with strides, is written through the filters. */
    static const int64_t offset[] = {3, 1}, stride[] = {4, 5}, count[] = {9, 6};
    const int64_t steps[] = {4 * COLUMNS, 5};
    const bl_array part = {&numbers[3][1], BL_DTYPE_F64, 2, count, steps, 0};
    const bl_hdf5_options options = {.size = sizeof options,
                                     .rank = 2,
                                     .offset = offset,
                                     .count = count,
                                     .stride = stride};
    bl_tensor *tensor = NULL;
    tap_ok(bl_neg_inplace(NULL, &part) == BL_OK &&
               bl_hdf5_save(NULL, "tables.h5", "deflate", &part, &options) == BL_OK &&
               bl_hdf5_load(NULL, "tables.h5", "deflate", NULL, &tensor) == BL_OK &&
               arrays_equal(bl_tensor_array(tensor), &table),
           "a part across chunks is written");
    bl_tensor_release(tensor);
}

/* ---- blocks ---- */

static bool note_first(void *user, int64_t done, int64_t numel)
{
    int64_t *const first = user;

    (void)numel;
    if (*first == 0)
        *first = done;
    return true;
}

/*
 * Blocks of 16 MiB, two rows of 1 MiB elements, end where chunks of four rows do.  The
 * file has no elements: they are 0.
 */
static void check_blocks(void)
{
    const hsize_t extents[] = {10, 1 << 20}, chunks[] = {4, 1 << 18};
    const int64_t offset[] = {1, 0}, stride[] = {2, 1};
    const hid_t file = H5Fcreate("blocks.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, extents, NULL);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    int64_t first = 0;
    bl_hdf5_options options = {.size = sizeof options,
                               .rank = 2,
                               .offset = offset,
                               .progress = note_first,
                               .user = &first};
    bl_tensor *tensor = NULL;

    H5Pset_chunk(plist, 2, chunks);
    H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist,
                        H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    tap_ok(bl_hdf5_load(NULL, "blocks.h5", "x", &options, &tensor) == BL_OK &&
               first == 3 << 20,
           "a block ends where a chunk does");
    bl_tensor_release(tensor);
    options.stride = stride;
    first = 0;
    tap_ok(bl_hdf5_load(NULL, "blocks.h5", "x", &options, &tensor) == BL_OK &&
               first == 4 << 20 && bl_tensor_extent(tensor, 0) == 5,
           "and with a stride");
    bl_tensor_release(tensor);
}

/* ---- damage ---- */

static unsigned char whole[1 << 18], bytes[1 << 18];

/* Change one byte of a chunk of a dataset in the file's bytes. */
static bool change_chunk(const char *name)
{
    const hid_t file = H5Fopen("tables.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    hsize_t offset[2], size = 0;
    haddr_t address = 0;
    unsigned mask;

    const herr_t found =
        H5Dget_chunk_info(dataset, space, 3, offset, &mask, &address, &size);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    if (found < 0 || size == 0 || address + size > sizeof bytes)
        return false;
    bytes[address + size / 2] ^= 0x10;
    return true;
}

/* A file that was cut, one with a chunk of other bytes, and none. */
static void check_damage(void)
{
    const long size = file_read("tables.h5", whole, sizeof whole);
    bl_tensor *tensor = NULL;
    int refusals = 0;

    for (long length = 0; length < size; length += size / 50) {
        file_write("damaged.h5", whole, (size_t)length);
        refusals +=
            bl_hdf5_load(NULL, "damaged.h5", "f64be", NULL, &tensor) == BL_ERR_FORMAT &&
            !tensor && strncmp(bl_error_message(), "damaged.h5:f64be: ", 18) == 0;
    }
    tap_ok(size < (long)sizeof whole && refusals >= 50, "%d cut files are refused",
           refusals);
    memcpy(bytes, whole, sizeof bytes);
    tap_ok(change_chunk("deflate"), "a chunk is damaged");
    file_write("damaged.h5", bytes, (size_t)size);
    tap_ok(bl_hdf5_load(NULL, "damaged.h5", "deflate", NULL, &tensor) ==
                   BL_ERR_FORMAT &&
               !tensor,
           "a damaged chunk: %s", bl_error_message());
    tap_ok(bl_hdf5_load(NULL, "damaged.h5", "chunks", NULL, &tensor) == BL_OK,
           "another dataset of that file");
    bl_tensor_release(tensor);
    tensor = NULL;
    file_write("damaged.h5", whole, (size_t)size / 2);
    tap_ok(bl_hdf5_load(NULL, "damaged.h5", "chunks", NULL, &tensor) == BL_ERR_FORMAT &&
               strstr(bl_error_message(), "truncated"),
           "half a file: %s", bl_error_message());
    file_write("damaged.h5", "not HDF5", 8);
    tap_ok(bl_hdf5_load(NULL, "damaged.h5", "x", NULL, &tensor) == BL_ERR_FORMAT &&
               bl_hdf5_save(NULL, "damaged.h5", "x", &table, NULL) == BL_ERR_FORMAT &&
               file_read("damaged.h5", bytes, sizeof bytes) == 8,
           "no HDF5 file: %s", bl_error_message());
    tap_ok(bl_hdf5_load(NULL, "none.h5", "x", NULL, &tensor) == BL_ERR_IO && !tensor &&
               strstr(bl_error_message(), "No such file"),
           "no file: %s", bl_error_message());
}

/* Standard error goes to a file, where nothing must be at the end. */
int main(void)
{
    tap_plan();
    folder_enter();
    const int messages = dup(2);
    const int printed = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(printed, 2);

    make_tables();
    check_tables();
    check_blocks();
    check_damage();
    tap_ok(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0,
           "no object is left open");
    dup2(messages, 2);
    tap_ok(lseek(printed, 0, SEEK_END) == 0, "nothing is printed");
    close(printed);
    folder_leave();
    return tap_done();
}
