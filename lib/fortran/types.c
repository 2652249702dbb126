/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's types: their dtypes and names.
 */
#include "fortran/glue.h"

#include <stdio.h>

/*
 * The standard has a code for each interoperable type.  GCC's header has classes and
 * kinds, too; where a compiler has none, logicals of other kinds than c_bool are what
 * it says, and types without a dtype have no name.
 */
#ifdef CFI_type_Logical
#define CLASS_OF(actual)    ((actual)->type & CFI_type_mask)
#define KIND_OF(actual)     ((actual)->type >> CFI_type_kind_shift)
#define CHARACTER           CFI_type_Character
#define WIDE_LOGICAL(bytes) (CFI_type_Logical + ((bytes) << CFI_type_kind_shift))
static const struct class
{
    int code;
    const char *word;
} classes[] = {{CFI_type_Integer, "integer"},
               {CFI_type_Logical, "logical"},
               {CFI_type_Real, "real"},
               {CFI_type_Complex, "complex"},
               {CFI_type_Character, "character"}};
#else
#define CLASS_OF(actual)    0
#define KIND_OF(actual)     0
#define CHARACTER           -1
#define WIDE_LOGICAL(bytes) ((bytes) << 20) /* no code */
static const struct class
{
    int code;
    const char *word;
} classes[] = {{CHARACTER, ""}};
#endif

/* Types that have a dtype, the most frequent first; logicals that are not bool last. */
static const struct type {
    int code;
    bl_dtype dtype;
    size_t bytes;
    const char *name;
} types[] = {
    {CFI_type_double, BL_DTYPE_F64, 8, "real(8)"},
    {CFI_type_float, BL_DTYPE_F32, 4, "real(4)"},
    {CFI_type_int32_t, BL_DTYPE_I32, 4, "integer(4)"},
    {CFI_type_Bool, BL_DTYPE_BOOL, 1, "logical(c_bool)"},
    {CFI_type_double_Complex, BL_DTYPE_C128, 16, "complex(8)"},
    {CFI_type_float_Complex, BL_DTYPE_C64, 8, "complex(4)"},
    {CFI_type_int64_t, BL_DTYPE_I64, 8, "integer(8)"},
    {CFI_type_int16_t, BL_DTYPE_I16, 2, "integer(2)"},
    {CFI_type_int8_t, BL_DTYPE_I8, 1, "integer(1)"},
    {WIDE_LOGICAL(4), BL_DTYPE_I32, 4, "logical(4)"},
    {WIDE_LOGICAL(2), BL_DTYPE_I16, 2, "logical(2)"},
    {WIDE_LOGICAL(8), BL_DTYPE_I64, 8, "logical(8)"},
};

enum { TYPES = sizeof types / sizeof types[0], INTEROPERABLE = TYPES - 3 };

/* The row of a type; TYPES: it has none. */
static int find(blf_actual actual)
{
    int i = 0;

    while (i < TYPES && types[i].code != actual->type)
        i++;
    return i < TYPES && types[i].bytes == actual->elem_len ? i : TYPES;
}

bl_dtype blf_dtype_of(blf_actual actual)
{
    const int i = find(actual);

    return i < TYPES ? types[i].dtype : BL_DTYPE_NONE;
}

bool blf_is_logical(blf_actual actual)
{
    return blf_is_wide_logical(actual) || blf_dtype_of(actual) == BL_DTYPE_BOOL;
}

bool blf_is_wide_logical(blf_actual actual)
{
    const int i = find(actual);

    return i >= INTEROPERABLE && i < TYPES;
}

const char *blf_dtype_name(bl_dtype dtype)
{
    for (int i = 0; i < INTEROPERABLE; i++)
        if (types[i].dtype == dtype)
            return types[i].name;
    return bl_dtype_name(dtype);
}

const char *blf_type_name(blf_actual actual, char *text, size_t size)
{
    const int type = find(actual);

    if (type < TYPES)
        return types[type].name;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].code == CLASS_OF(actual)) {
            snprintf(text, size, "%s(%zu)", classes[i].word,
                     CLASS_OF(actual) == CHARACTER ? actual->elem_len
                                                   : (size_t)KIND_OF(actual));
            return text;
        }
    return actual->type == CFI_type_struct ? "a derived type" : "of another type";
}
