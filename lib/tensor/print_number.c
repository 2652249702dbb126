/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formatting elements as text that reads back as the same value, in the fewest
 * characters that %g gives, identical in every locale.
 */
#include "tensor/tensor.h"
#include "core/float_control.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest element of any dtype, in bytes. */
#define ELEMENT 16

/* Room for one real number: sign, 17 digits, point, exponent. */
#define REAL_TEXT 32

/* Convert one element with the copy kernel, as every cast is done. */
static void convert(bl_dtype from, const void *element, bl_dtype to, void *value)
{
    static const int64_t stride[2][BLI_MAX_OPERANDS];
    _Alignas(ELEMENT) char source[ELEMENT];
    _Alignas(ELEMENT) char result[ELEMENT];
    char *const data[BLI_MAX_OPERANDS] = {result, source};
    bli_kernel *const kernel = bli_isa_kernel(bli_isa_pick(NULL), BL_OP_COPY, from, to);

    assert(kernel);
    memcpy(source, element, (size_t)bli_dtypes[from].size);
    bli_kernel_run(kernel, data, stride, 1, 1, NULL);
    memcpy(value, result, (size_t)bli_dtypes[to].size);
}

/* Whether a text in the thread's locale reads back as the element. */
static bool reads_back(const char *text, bl_dtype dtype, const void *element)
{
    const double value = strtod(text, NULL);
    char again[ELEMENT];

    convert(BL_DTYPE_F64, &value, dtype, again);
    return memcmp(again, element, (size_t)bli_dtypes[dtype].size) == 0;
}

/*
 * Replace the locale's decimal point, one byte or several, by '.'; returns the length.
 */
static int neutralise(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (strchr("0123456789+-e", *from))
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
    return (int)(to - text);
}

/* Format a number with so many digits, of which no dtype needs more than 17. */
static void print_digits(char text[REAL_TEXT], int digits, double value)
{
    snprintf(text, REAL_TEXT, "%.*g", digits < 17 ? digits : 17, value);
}

/*
 * Format a finite number with the fewest digits that read back, as an integer if that
 * is no longer; returns the length.
 */
static int print_finite(char text[REAL_TEXT], bl_dtype dtype, const void *element,
                        double value)
{
    const struct bli_dtype *const real = &bli_dtypes[dtype];
    const int saved = errno; /* strtod reports subnormal numbers there */
    char plain[REAL_TEXT];
    /* So many digits any normal number has; one below the smallest may have fewer. */
    int digits = fabs(value) < ldexp(1, real->lowest) ? 1 : real->decimals - 3;

    print_digits(text, digits, value);
    while (digits < real->decimals && !reads_back(text, dtype, element))
        print_digits(text, ++digits, value);

    /* 1000 of f16, of which 3 digits are enough, would be 1e+03. */
    print_digits(plain, 17, value);
    if (strlen(plain) <= strlen(text))
        memcpy(text, plain, sizeof plain);
    errno = saved;
    return neutralise(text);
}

static int print_real(char text[REAL_TEXT], bl_dtype dtype, const void *element)
{
    double value;

    convert(dtype, element, BL_DTYPE_F64, &value);
    if (isnan(value))
        return snprintf(text, REAL_TEXT, "nan");
    if (isinf(value))
        return snprintf(text, REAL_TEXT, value < 0 ? "-inf" : "inf");
    return print_finite(text, dtype, element, value);
}

static int print_complex(char text[BLI_ELEMENT_TEXT], bl_dtype part,
                         const void *element)
{
    const char *const parts = element;
    char real[REAL_TEXT];
    char imaginary[REAL_TEXT];

    print_real(real, part, parts);
    print_real(imaginary, part, parts + bli_dtypes[part].size);
    return snprintf(text, BLI_ELEMENT_TEXT, "(%s%s%sj)", real,
                    imaginary[0] == '-' ? "" : "+", imaginary);
}

static int print_element(char text[BLI_ELEMENT_TEXT], bl_dtype dtype,
                         const void *element)
{
    int64_t value;
    uint64_t natural;

    switch (bli_dtypes[dtype].class) {
    case BLI_CLASS_FLOAT:
        return print_real(text, dtype, element);
    case BLI_CLASS_COMPLEX:
        return print_complex(text, bli_dtype_real(dtype), element);
    case BLI_CLASS_BOOL:
        return snprintf(text, BLI_ELEMENT_TEXT,
                        *(const unsigned char *)element ? "true" : "false");
    default:
        break;
    }
    if (bli_dtypes[dtype].is_signed) {
        convert(dtype, element, BL_DTYPE_I64, &value);
        return snprintf(text, BLI_ELEMENT_TEXT, "%" PRId64, value);
    }
    convert(dtype, element, BL_DTYPE_U64, &natural);
    return snprintf(text, BLI_ELEMENT_TEXT, "%" PRIu64, natural);
}

int bli_element_text(char text[BLI_ELEMENT_TEXT], bl_dtype dtype, const void *element)
{
    const uint32_t flags = bli_float_flags();
    struct bli_float_control own;
    const bool is_set = bli_float_enter_nearest(&own);
    const int length = print_element(text, dtype, element);

    if (is_set)
        bli_float_control_set(own);
    bli_float_flags_set(flags);
    return length;
}
