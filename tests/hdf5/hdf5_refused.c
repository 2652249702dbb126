/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets that are none of ours: types of elements without a dtype, a filter that HDF5
 * lacks, and names of other things.
 */
#define _DEFAULT_SOURCE

#include <broadloom.h>
#include <broadloom/hdf5.h>

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

/* A dataset of two elements of a type, of which nothing was written. */
static void make_empty(hid_t file, const char *name, hid_t type)
{
    const hsize_t two = 2;
    const hid_t space = H5Screate_simple(1, &two, NULL);

    H5Dclose(
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
}

/* A compound of two members. */
static hid_t compound(const char *first, const char *second, hid_t a, hid_t b)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 32);

    H5Tinsert(type, first, 0, a);
    H5Tinsert(type, second, 16, b);
    return type;
}

static hid_t enumeration(hid_t base, const char *first, const char *second)
{
    const hid_t type = H5Tenum_create(base);
    const long long values[] = {0, 0};
    long long one = 0;

    memset(&one, 1, 1);
    H5Tenum_insert(type, first, values);
    H5Tenum_insert(type, second, &one);
    return type;
}

static hid_t narrowed(hid_t type, size_t precision)
{
    const hid_t copy = H5Tcopy(type);

    H5Tset_precision(copy, precision);
    return copy;
}

/* Chunks that are not there take no space. */
static void make_huge(hid_t file)
{
    const hsize_t extent[] = {(hsize_t)1 << 40, (hsize_t)1 << 40}, chunk[] = {16, 16};
    const hid_t space = H5Screate_simple(2, extent, NULL);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_chunk(plist, 2, chunk);
    H5Dclose(H5Dcreate2(file, "huge", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist,
                        H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
}

static void make_refused(void)
{
    const hid_t file = H5Fcreate("refused.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t null = H5Screate(H5S_NULL);
    const hid_t text = H5Tcopy(H5T_C_S1);
    const hsize_t three = 3;

    H5Tset_size(text, H5T_VARIABLE);
    make_empty(file, "string", text);
    make_empty(file, "fixed string", H5Tcopy(H5T_C_S1));
    make_empty(file, "bits", H5Tcopy(H5T_STD_B8LE));
    make_empty(file, "opaque", H5Tcreate(H5T_OPAQUE, 3));
    make_empty(file, "reference", H5Tcopy(H5T_STD_REF_OBJ));
    make_empty(file, "sequence", H5Tvlen_create(H5T_NATIVE_INT));
    make_empty(file, "array", H5Tarray_create2(H5T_NATIVE_INT, 1, &three));
    make_empty(file, "long double", H5Tcopy(H5T_NATIVE_LDOUBLE));
    make_empty(file, "VAX", H5Tcopy(H5T_VAX_F32));
    make_empty(file, "12 bits", narrowed(H5T_STD_I16LE, 12));
    make_empty(file, "colours", enumeration(H5T_NATIVE_INT8, "RED", "BLUE"));
    make_empty(file, "long bool", enumeration(H5T_NATIVE_INT, "FALSE", "TRUE"));
    make_empty(file, "turned bool", enumeration(H5T_NATIVE_INT8, "TRUE", "FALSE"));
    make_empty(file, "point", compound("x", "y", H5T_IEEE_F64LE, H5T_IEEE_F64LE));
    make_empty(file, "mixed", compound("r", "i", H5T_IEEE_F64LE, H5T_IEEE_F32LE));
    make_empty(file, "c int", compound("r", "i", H5T_STD_I32LE, H5T_STD_I32LE));
    make_huge(file);
    H5Dclose(H5Dcreate2(file, "null", H5T_NATIVE_INT, null, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(null);
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t named = H5Tcopy(H5T_NATIVE_INT);
    H5Tcommit2(file, "type", named, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(named);
    H5Fclose(file);
}

static const struct {
    const char *name;
    bl_status status;
    const char *says;
} refused[] = {
    {"string", BL_ERR_UNSUPPORTED, "are strings"},
    {"fixed string", BL_ERR_UNSUPPORTED, "are strings"},
    {"bits", BL_ERR_UNSUPPORTED, "fields of bits"},
    {"opaque", BL_ERR_UNSUPPORTED, "of 3 bytes, are opaque"},
    {"reference", BL_ERR_UNSUPPORTED, "references"},
    {"sequence", BL_ERR_UNSUPPORTED, "sequences of variable length"},
    {"array", BL_ERR_UNSUPPORTED, "of 12 bytes, are arrays"},
    {"long double", BL_ERR_UNSUPPORTED, "of 16 bytes, are floating-point numbers"},
    {"VAX", BL_ERR_UNSUPPORTED, "floating-point numbers that have no dtype"},
    {"12 bits", BL_ERR_UNSUPPORTED, "integers that have no dtype"},
    {"colours", BL_ERR_UNSUPPORTED, "enumerators other than FALSE = 0, TRUE = 1"},
    {"long bool", BL_ERR_UNSUPPORTED, "enumerators"},
    {"turned bool", BL_ERR_UNSUPPORTED, "enumerators"},
    {"point", BL_ERR_UNSUPPORTED, "compounds other than complex numbers"},
    {"mixed", BL_ERR_UNSUPPORTED, "compounds"},
    {"c int", BL_ERR_UNSUPPORTED, "compounds"},
    {"huge", BL_ERR_OVERFLOW, "f32 in the shape (1099511627776,1099511627776) do not"},
    {"null", BL_ERR_UNSUPPORTED, "no dataspace"},
    {"group", BL_ERR_ARGUMENT, "this is a group, not a dataset"},
    {"type", BL_ERR_ARGUMENT, "this is a type, not a dataset"},
    {"dangling", BL_ERR_ARGUMENT, "there is no such dataset: "},
    {"none", BL_ERR_ARGUMENT, "there is no such dataset: object 'none' doesn't exist"},
    {"group/none", BL_ERR_ARGUMENT, "there is no such dataset: "},
    {"string/none", BL_ERR_ARGUMENT, "there is no such dataset: "},
    {"/", BL_ERR_ARGUMENT, "names no dataset"},
    {"", BL_ERR_ARGUMENT, "names no dataset"},
};

static void check_refused(void)
{
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        bl_tensor *tensor = NULL;
        char begins[64];

        snprintf(begins, sizeof begins, "refused.h5:%s: ", refused[k].name);
        errno = EDOM;
        const bl_status status =
            bl_hdf5_load(NULL, "refused.h5", refused[k].name, NULL, &tensor);
        tap_ok(status == refused[k].status && !tensor && errno == EDOM &&
                   strncmp(bl_error_message(), begins, strlen(begins)) == 0 &&
                   strstr(bl_error_message(), refused[k].says),
               "%s", bl_error_message());
    }
}

/* A filter that is known while a dataset is written, and no more when it is read. */
static size_t keep(unsigned flags, size_t count, const unsigned *values, size_t bytes,
                   size_t *room, void **memory)
{
    (void)flags, (void)count, (void)values, (void)room, (void)memory;
    return bytes;
}

static void check_filter(void)
{
    static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 300,  1,    1,
                                        "keep",           NULL, NULL, keep};
    const hsize_t two = 2;
    const int numbers[] = {1, 2};
    const hid_t file = H5Fcreate("filter.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &two, NULL);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    bl_tensor *tensor = NULL;

    H5Zregister(&filter);
    H5Pset_chunk(plist, 1, &two);
    H5Pset_filter(plist, 300, 0, 0, NULL);
    const hid_t dataset =
        H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(dataset);
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    H5Zunregister(300);
    tap_ok(bl_hdf5_load(NULL, "filter.h5", "x", NULL, &tensor) == BL_ERR_UNSUPPORTED &&
               strstr(bl_error_message(), "HDF5 lacks the dataset's filter 300, keep"),
           "%s", bl_error_message());
}

int main(void)
{
    tap_plan();
    folder_enter();
    make_refused();
    check_refused();
    check_filter();
    tap_ok(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0,
           "no object is left open");
    folder_leave();
    return tap_done();
}
