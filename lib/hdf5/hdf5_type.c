/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5's types of elements, and dtypes.
 */
#include "hdf5/hdf5.h"

#include <string.h>

/* Formats of floating-point numbers: bits of exponent and mantissa, bias. */
static const struct format {
    bl_dtype dtype;
    size_t size, exponent, mantissa, bias;
} formats[] = {
    {BL_DTYPE_F16, 2, 5, 10, 15},
    {BL_DTYPE_BF16, 2, 8, 7, 127},
    {BL_DTYPE_F32, 4, 8, 23, 127},
    {BL_DTYPE_F64, 8, 11, 52, 1023},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Integers by their size, unsigned and signed. */
static const struct {
    size_t size;
    bl_dtype dtype[2];
} integers[] = {
    {1, {BL_DTYPE_U8, BL_DTYPE_I8}},
    {2, {BL_DTYPE_U16, BL_DTYPE_I16}},
    {4, {BL_DTYPE_U32, BL_DTYPE_I32}},
    {8, {BL_DTYPE_U64, BL_DTYPE_I64}},
};
enum { INTEGERS = sizeof integers / sizeof integers[0] };

/* Names that complex numbers' parts have; those written come first. */
static const char *const parts[][2] = {{"r", "i"}, {"re", "im"}, {"real", "imag"}};

/* ---- of a file ---- */

/* Whether all bits of a number count, in one of the two byte orders. */
static bool is_plain(hid_t type)
{
    const H5T_order_t order = H5Tget_order(type);

    return (order == H5T_ORDER_LE || order == H5T_ORDER_BE) &&
           H5Tget_precision(type) == 8 * H5Tget_size(type) && H5Tget_offset(type) == 0;
}

static bl_dtype of_integer(hid_t type)
{
    const H5T_sign_t sign = H5Tget_sign(type);

    for (size_t k = 0; k < INTEGERS && is_plain(type); k++)
        if (integers[k].size == H5Tget_size(type) && sign != H5T_SGN_ERROR)
            return integers[k].dtype[sign == H5T_SGN_2];
    return BL_DTYPE_NONE;
}

static bl_dtype of_float(hid_t type)
{
    size_t sign, exponent, exponent_size, mantissa, mantissa_size;

    if (!is_plain(type) || H5Tget_norm(type) != H5T_NORM_IMPLIED ||
        H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa,
                      &mantissa_size) < 0)
        return BL_DTYPE_NONE;
    for (size_t k = 0; k < FORMATS; k++)
        if (formats[k].size == H5Tget_size(type) && sign == 8 * formats[k].size - 1 &&
            exponent == formats[k].mantissa && exponent_size == formats[k].exponent &&
            mantissa == 0 && mantissa_size == formats[k].mantissa &&
            H5Tget_ebias(type) == formats[k].bias)
            return formats[k].dtype;
    return BL_DTYPE_NONE;
}

/* Whether member `k` of a compound or an enumeration has a name. */
static bool is_named(hid_t type, unsigned k, const char *name)
{
    char *const own = H5Tget_member_name(type, k);
    const bool same = own && strcmp(own, name) == 0;

    H5free_memory(own);
    return same;
}

/* Whether an enumeration has TRUE or FALSE, of this value and no other. */
static bool has_truth(hid_t type, const char *name, char value)
{
    const int k = H5Tget_member_index(type, name);
    char has;

    return k >= 0 && H5Tget_member_value(type, (unsigned)k, &has) >= 0 && has == value;
}

static bool is_bool(hid_t type)
{
    return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
           has_truth(type, "FALSE", 0) && has_truth(type, "TRUE", 1);
}

/* The names of a compound's two members as those of a complex number, or NULL. */
static const char *const *names_of(hid_t type)
{
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (H5Tget_nmembers(type) == 2 && is_named(type, 0, parts[k][0]) &&
            is_named(type, 1, parts[k][1]))
            return parts[k];
    return NULL;
}

static bl_dtype of_member(hid_t type, unsigned k)
{
    const hid_t member = H5Tget_member_type(type, k);
    const bl_dtype dtype = member < 0 ? BL_DTYPE_NONE : bli_hdf5_dtype(member);

    H5Tclose(member);
    return dtype;
}

static bl_dtype of_compound(hid_t type)
{
    const bl_dtype part = names_of(type) ? of_member(type, 0) : BL_DTYPE_NONE;

    if (part == BL_DTYPE_NONE || of_member(type, 1) != part)
        return BL_DTYPE_NONE;
    return part == BL_DTYPE_F32   ? BL_DTYPE_C64
           : part == BL_DTYPE_F64 ? BL_DTYPE_C128
                                  : BL_DTYPE_NONE;
}

bl_dtype bli_hdf5_dtype(hid_t type)
{
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return of_integer(type);
    case H5T_FLOAT:
        return of_float(type);
    case H5T_ENUM:
        return is_bool(type) ? BL_DTYPE_BOOL : BL_DTYPE_NONE;
    case H5T_COMPOUND:
        return of_compound(type);
    default:
        return BL_DTYPE_NONE;
    }
}

const char *bli_hdf5_type_name(hid_t type)
{
    static const char *const names[] = {
        [H5T_INTEGER] = "integers that have no dtype",
        [H5T_FLOAT] = "floating-point numbers that have no dtype",
        [H5T_TIME] = "times",
        [H5T_STRING] = "strings",
        [H5T_BITFIELD] = "fields of bits",
        [H5T_OPAQUE] = "opaque elements",
        [H5T_COMPOUND] = "compounds other than complex numbers",
        [H5T_REFERENCE] = "references",
        [H5T_ENUM] = "enumerators other than FALSE = 0, TRUE = 1 of one byte",
        [H5T_VLEN] = "sequences of variable length",
        [H5T_ARRAY] = "arrays",
    };
    const H5T_class_t class = H5Tget_class(type);

    return class >= 0 && (size_t) class < sizeof names / sizeof names[0] && names[class]
               ? names[class]
               : "elements of an unknown type";
}

/* ---- of memory ---- */

static hid_t make_integer(bl_dtype dtype)
{
    const hid_t types[INTEGERS][2] = {{H5T_NATIVE_UINT8, H5T_NATIVE_INT8},
                                      {H5T_NATIVE_UINT16, H5T_NATIVE_INT16},
                                      {H5T_NATIVE_UINT32, H5T_NATIVE_INT32},
                                      {H5T_NATIVE_UINT64, H5T_NATIVE_INT64}};

    for (size_t k = 0; k < INTEGERS; k++)
        for (size_t sign = 0; sign < 2; sign++)
            if (integers[k].dtype[sign] == dtype)
                return H5Tcopy(types[k][sign]);
    return -1;
}

static hid_t make_float(bl_dtype dtype)
{
    for (size_t k = 0; k < FORMATS; k++) {
        const struct format *const to = &formats[k];

        if (to->dtype != dtype)
            continue;
        const hid_t type =
            H5Tcopy(to->size == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT);
        if (type >= 0 && to->size == 2 &&
            (H5Tset_fields(type, 15, to->mantissa, to->exponent, 0, to->mantissa) < 0 ||
             H5Tset_size(type, 2) < 0 || H5Tset_ebias(type, to->bias) < 0)) {
            H5Tclose(type);
            return -1;
        }
        return type;
    }
    return -1;
}

static hid_t make_bool(void)
{
    const signed char values[] = {0, 1};
    const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);

    if (type >= 0 && (H5Tenum_insert(type, "FALSE", &values[0]) < 0 ||
                      H5Tenum_insert(type, "TRUE", &values[1]) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static hid_t make_complex(hid_t part, const char *const *names)
{
    const size_t size = H5Tget_size(part);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);

    if (type >= 0 && (H5Tinsert(type, names[0], 0, part) < 0 ||
                      H5Tinsert(type, names[1], size, part) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

hid_t bli_hdf5_memory_type(bl_dtype dtype, hid_t like)
{
    const char *const *const names = like < 0 ? NULL : names_of(like);

    switch (dtype) {
    case BL_DTYPE_BOOL:
        return make_bool();
    case BL_DTYPE_C64:
        return make_complex(H5T_NATIVE_FLOAT, names ? names : parts[0]);
    case BL_DTYPE_C128:
        return make_complex(H5T_NATIVE_DOUBLE, names ? names : parts[0]);
    case BL_DTYPE_F16:
    case BL_DTYPE_BF16:
    case BL_DTYPE_F32:
    case BL_DTYPE_F64:
        return make_float(dtype);
    default:
        return make_integer(dtype);
    }
}
