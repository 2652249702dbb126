/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dtypes of the reference: loading, storing, converting and printing one element.  Half
 * precision uses exact arithmetic in double instead of bit operations.
 */
#include "ref_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct ref_dtype {
    const char *name;
    enum ref_class class;
    int32_t bytes;
    int32_t fraction; /* bits after the point, of floating-point types */
    int32_t lowest;   /* exponent of the smallest normal number */
    bool wide;        /* computed in double precision */
};

static const struct ref_dtype ref_bool = {"bool", REF_TRUTH, 1, 0, 0, false};
static const struct ref_dtype ref_u8 = {"u8", REF_UNSIGNED, 1, 0, 0, false};
static const struct ref_dtype ref_i8 = {"i8", REF_SIGNED, 1, 0, 0, false};
static const struct ref_dtype ref_u16 = {"u16", REF_UNSIGNED, 2, 0, 0, false};
static const struct ref_dtype ref_i16 = {"i16", REF_SIGNED, 2, 0, 0, false};
static const struct ref_dtype ref_u32 = {"u32", REF_UNSIGNED, 4, 0, 0, false};
static const struct ref_dtype ref_i32 = {"i32", REF_SIGNED, 4, 0, 0, false};
static const struct ref_dtype ref_u64 = {"u64", REF_UNSIGNED, 8, 0, 0, false};
static const struct ref_dtype ref_i64 = {"i64", REF_SIGNED, 8, 0, 0, false};
static const struct ref_dtype ref_f16 = {"f16", REF_REAL, 2, 10, -14, false};
static const struct ref_dtype ref_bf16 = {"bf16", REF_REAL, 2, 7, -126, false};
static const struct ref_dtype ref_f32 = {"f32", REF_REAL, 4, 23, -126, false};
static const struct ref_dtype ref_f64 = {"f64", REF_REAL, 8, 52, -1022, true};
static const struct ref_dtype ref_c64 = {"c64", REF_COMPLEX, 8, 23, -126, false};
static const struct ref_dtype ref_c128 = {"c128", REF_COMPLEX, 16, 52, -1022, true};

/* A dtype of the library without a row here does not compile. */
#define BL_DTYPE(name, value, ...) [value] = &ref_##name,
static const struct ref_dtype *const dtypes[REF_DTYPES_END] = {
#include "core/tables/dtypes.def"
};
#undef BL_DTYPE

size_t ref_size(bl_dtype dtype)
{
    return (size_t)dtypes[dtype]->bytes;
}

const char *ref_dtype_name(bl_dtype dtype)
{
    return dtypes[dtype]->name;
}

enum ref_class ref_class(bl_dtype dtype)
{
    return dtypes[dtype]->class;
}

double ref_round(bl_dtype dtype, long double value)
{
    return dtypes[dtype]->wide ? (double)value : (double)(float)value;
}

long double ref_top(bl_dtype dtype)
{
    return ldexpl(1, 2 - dtypes[dtype]->lowest);
}

double ref_unit(bl_dtype dtype, double magnitude)
{
    const struct ref_dtype *type = dtypes[dtype];
    const int32_t highest = 1 - type->lowest;
    int32_t exponent = magnitude == 0 ? type->lowest : ilogb(magnitude);

    if (exponent < type->lowest)
        exponent = type->lowest;
    if (exponent > highest)
        exponent = highest;
    return ldexp(1, exponent - type->fraction);
}

static bool is_narrow(bl_dtype dtype)
{
    return dtypes[dtype]->class == REF_REAL && dtypes[dtype]->bytes < 4;
}

/* The exponent field of infinity: all ones. */
static int32_t narrow_top(const struct ref_dtype *type)
{
    return 3 - 2 * type->lowest;
}

static uint32_t sign_bit(const struct ref_dtype *type)
{
    return 1u << (8 * type->bytes - 1);
}

/* The value of a narrow floating-point number, from sign, exponent and fraction. */
static double narrow_value(const struct ref_dtype *type, uint32_t bits)
{
    const double sign = bits & sign_bit(type) ? -1.0 : 1.0;
    const uint32_t magnitude = bits & (sign_bit(type) - 1);
    const uint32_t unit = 1u << type->fraction;
    const int32_t exponent = (int32_t)(magnitude / unit);
    const double fraction = magnitude % unit;

    if (exponent == narrow_top(type))
        return copysign(fraction != 0 ? (double)NAN : (double)INFINITY, sign);
    if (exponent == 0)
        return sign * ldexp(fraction, type->lowest - type->fraction);
    return sign * ldexp(fraction + unit, exponent - 1 + type->lowest - type->fraction);
}

/*
 * Round to the nearest narrow number, ties to even: the value in units of its last
 * place.
 */
static uint32_t narrow_bits(const struct ref_dtype *type, long double value)
{
    const uint32_t sign = signbit(value) ? sign_bit(type) : 0;
    const uint32_t unit = 1u << type->fraction;
    const uint32_t infinity = (uint32_t)narrow_top(type) * unit;

    if (isnan(value))
        return sign | infinity | unit / 2;
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    int32_t exponent = ilogbl(value);
    if (exponent < type->lowest)
        exponent = type->lowest;
    const long double places = rintl(ldexpl(fabsl(value), type->fraction - exponent));
    const long double bits = (long double)(exponent - type->lowest) * unit + places;
    return sign | (bits >= infinity ? infinity : (uint32_t)bits);
}

static uint64_t load_integer(bl_dtype dtype, const void *memory)
{
    uint64_t bits = 0;
    const int32_t width = 8 * dtypes[dtype]->bytes;

    memcpy(&bits, memory,
           ref_size(dtype)); /* the suite runs on little-endian machines */
    if (ref_class(dtype) == REF_SIGNED && width < 64 && bits >> (width - 1))
        bits |= UINT64_MAX << width;
    return bits;
}

struct ref_value ref_load(bl_dtype dtype, const void *memory)
{
    struct ref_value value = {0};
    float single[2];
    double wide[2];

    switch (ref_class(dtype)) {
    case REF_TRUTH:
        value.truth = *(const unsigned char *)memory != 0;
        return value;
    case REF_UNSIGNED:
    case REF_SIGNED:
        value.integer = load_integer(dtype, memory);
        return value;
    case REF_REAL:
    case REF_COMPLEX:
        break;
    }
    if (is_narrow(dtype)) {
        value.real = narrow_value(dtypes[dtype], (uint32_t)load_integer(dtype, memory));
    } else if (dtypes[dtype]->wide) {
        memcpy(wide, memory, ref_size(dtype));
        value.real = wide[0];
        value.imaginary = ref_class(dtype) == REF_COMPLEX ? wide[1] : 0;
    } else {
        memcpy(single, memory, ref_size(dtype));
        value.real = (double)single[0];
        value.imaginary = ref_class(dtype) == REF_COMPLEX ? (double)single[1] : 0;
    }
    return value;
}

void ref_store_real(bl_dtype dtype, long double real, long double imaginary,
                    void *memory)
{
    if (is_narrow(dtype)) {
        const uint32_t bits = narrow_bits(dtypes[dtype], real);

        memcpy(memory, &bits, ref_size(dtype));
    } else if (dtypes[dtype]->wide) {
        const double wide[2] = {(double)real, (double)imaginary};

        memcpy(memory, wide, ref_size(dtype));
    } else {
        const float single[2] = {(float)real, (float)imaginary};

        memcpy(memory, single, ref_size(dtype));
    }
}

void ref_store(bl_dtype dtype, struct ref_value value, void *memory)
{
    switch (ref_class(dtype)) {
    case REF_TRUTH:
        *(unsigned char *)memory = value.truth ? 1 : 0;
        break;
    case REF_UNSIGNED:
    case REF_SIGNED:
        memcpy(memory, &value.integer, ref_size(dtype));
        break;
    case REF_REAL:
    case REF_COMPLEX:
        ref_store_real(dtype, value.real, value.imaginary, memory);
        break;
    }
}

void ref_make(bl_dtype dtype, double real, double imaginary, void *memory)
{
    struct ref_value value = {real != 0, 0, real, imaginary};

    if (real >= 9223372036854775808.0)
        value.integer = (uint64_t)real;
    else
        value.integer = (uint64_t)(int64_t)real;
    ref_store(dtype, value, memory);
}

void ref_print(bl_dtype dtype, const void *memory, char *text, size_t size)
{
    const struct ref_value value = ref_load(dtype, memory);

    switch (ref_class(dtype)) {
    case REF_TRUTH:
        snprintf(text, size, "%s", value.truth ? "true" : "false");
        break;
    case REF_UNSIGNED:
        snprintf(text, size, "%" PRIu64, value.integer);
        break;
    case REF_SIGNED:
        snprintf(text, size, "%" PRId64, (int64_t)value.integer);
        break;
    case REF_REAL:
        snprintf(text, size, "%.17g (%a)", value.real, value.real);
        break;
    case REF_COMPLEX:
        snprintf(text, size, "%.17g%+.17gi", value.real, value.imaginary);
        break;
    }
}
