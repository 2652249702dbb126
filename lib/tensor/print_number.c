/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formatting elements as text that reads back as the same value, in the fewest
 * characters that %g gives, identical in every locale.
 */
#include "tensor/tensor.h"

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

/* Decimal precision of a dtype. */
struct decimal {
    int kept;        /* digits that survive conversion to the dtype and back */
    int most;        /* digits that distinguish any two values */
    double smallest; /* smallest normal number: below it, fewer digits may suffice */
};

static const struct decimal decimals[BLI_DTYPES] = {
    [BL_DTYPE_F16] = {3, 5, 0x1p-14},
    [BL_DTYPE_BF16] = {2, 4, 0x1p-126},
    [BL_DTYPE_F32] = {6, 9, 0x1p-126},
    [BL_DTYPE_F64] = {15, 17, 0x1p-1022},
};

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
    kernel(data, stride, 1, 1, NULL);
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

/*
 * Format a finite number with the fewest digits that read back, as an integer if that
 * is no longer; returns the length.
 */
static int print_finite(char text[REAL_TEXT], bl_dtype dtype, const void *element,
                        double value)
{
    const struct decimal *const decimal = &decimals[dtype];
    const int saved = errno; /* strtod reports subnormal numbers there */
    char plain[REAL_TEXT];
    int digits = fabs(value) < decimal->smallest ? 1 : decimal->kept;

    snprintf(text, REAL_TEXT, "%.*g", digits, value);
    while (digits < decimal->most && !reads_back(text, dtype, element))
        snprintf(text, REAL_TEXT, "%.*g", ++digits, value);

    /* 1000 of f16, of which 3 digits are enough, would be 1e+03. */
    snprintf(plain, sizeof plain, "%.17g", value);
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

static int print_signed(char text[BLI_ELEMENT_TEXT], bl_dtype dtype,
                        const void *element)
{
    int64_t value;

    convert(dtype, element, BL_DTYPE_I64, &value);
    return snprintf(text, BLI_ELEMENT_TEXT, "%" PRId64, value);
}

int bli_element_text(char text[BLI_ELEMENT_TEXT], bl_dtype dtype, const void *element)
{
    uint64_t value;

    switch (dtype) {
    case BL_DTYPE_F16:
    case BL_DTYPE_BF16:
    case BL_DTYPE_F32:
    case BL_DTYPE_F64:
        return print_real(text, dtype, element);
    case BL_DTYPE_C64:
        return print_complex(text, BL_DTYPE_F32, element);
    case BL_DTYPE_C128:
        return print_complex(text, BL_DTYPE_F64, element);
    case BL_DTYPE_U64:
        memcpy(&value, element, sizeof value);
        return snprintf(text, BLI_ELEMENT_TEXT, "%" PRIu64, value);
    case BL_DTYPE_BOOL:
        return snprintf(text, BLI_ELEMENT_TEXT,
                        *(const unsigned char *)element ? "true" : "false");
    default:
        return print_signed(text, dtype, element);
    }
}
