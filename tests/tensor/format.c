/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays as text: snapshots, numbers that round-trip in every floating-point state,
 * locales, writers that stop.
 */
#include <broadloom.h>

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"
#include "harness/floating.h"
#include "harness/tap.h"

#define DIMS (const int64_t[])

struct page {
    char text[4096];
    size_t length;
    int left; /* pieces until it is full */
};

static bool write_page(void *user, const char *text, size_t length)
{
    struct page *const page = user;

    if (page->left-- <= 0 || length >= sizeof page->text - page->length)
        return false;
    memcpy(page->text + page->length, text, length);
    page->length += length;
    page->text[page->length] = '\0';
    return true;
}

static int32_t counting[120]; /* 0, 1, 2, ... */
static double reals[] = {1, -2.5, 1e100, 0.1};
static float floats[] = {0.1f, 100000, 1e6f, 16777216, -0.0f, NAN, INFINITY, -INFINITY};
static uint16_t halves[] = {0x63d0, 0x7bff, 0x3555, 0x0001}; /* f16 */
static float complexes[] = {1, 2, -0.5f, -3, NAN, INFINITY};
static uint8_t truths[] = {0, 1, 2};
static uint64_t large[] = {UINT64_MAX, 0};

/* The text of an array, and its notation. */
static const struct {
    bl_array array;
    int64_t edge;
    const char *text;
    const char *notation;
} pages[] = {
    {{counting, BL_DTYPE_I32, 1, DIMS{3}, NULL, 0}, 0, "[0, 1, 2]", "i32[3]"},
    {{counting + 7, BL_DTYPE_I32, 0, NULL, NULL, 0}, 0, "7", "i32[]"},
    {{counting, BL_DTYPE_I32, 2, DIMS{2, 6}, NULL, 0},
     0,
     "[[ 0,  1,  2,  3,  4,  5],\n [ 6,  7,  8,  9, 10, 11]]",
     "i32[2,6]"},
    {{counting + 3, BL_DTYPE_I32, 2, DIMS{3, 2}, DIMS{-1, 4}, 0},
     0,
     "[[3, 7],\n [2, 6],\n [1, 5]]",
     "i32[3,2]{-1,4}"},
    {{counting, BL_DTYPE_I32, 2, DIMS{1, 3}, DIMS{99, 1}, 0},
     0,
     "[[0, 1, 2]]",
     "i32[1,3]"},
    {{counting, BL_DTYPE_I32, 3, DIMS{2, 2, 2}, NULL, 0},
     0,
     "[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]",
     "i32[2,2,2]"},
    {{counting, BL_DTYPE_I32, 1, DIMS{5}, NULL, 0}, 2, "[0, 1, ..., 3, 4]", "i32[5]"},
    {{counting, BL_DTYPE_I32, 1, DIMS{4}, NULL, 0}, 2, "[0, 1, 2, 3]", "i32[4]"},
    {{counting, BL_DTYPE_I32, 2, DIMS{10, 12}, NULL, 0},
     1,
     "[[  0, ...,  11],\n ...,\n [108, ..., 119]]",
     "i32[10,12]"},
    {{counting, BL_DTYPE_I32, 1, DIMS{INT64_MAX}, DIMS{0}, 0},
     1,
     "[0, ..., 0]",
     "i32[9223372036854775807]{0}"},
    {{NULL, BL_DTYPE_F32, 1, DIMS{0}, NULL, 0}, 0, "[]", "f32[0]"},
    {{NULL, BL_DTYPE_F32, 2, DIMS{3, 0}, NULL, 0}, 0, "[]", "f32[3,0]"},
    {{reals, BL_DTYPE_F64, 1, DIMS{4}, NULL, 0},
     0,
     "[     1,   -2.5, 1e+100,    0.1]",
     "f64[4]"},
    {{floats, BL_DTYPE_F32, 2, DIMS{2, 4}, NULL, 0},
     0,
     "[[     0.1,   100000,    1e+06, 16777216],\n"
     " [      -0,      nan,      inf,     -inf]]",
     "f32[2,4]"},
    {{halves, BL_DTYPE_F16, 1, DIMS{4}, NULL, 0},
     0,
     "[  1000,  65504, 0.3333,  6e-08]",
     "f16[4]"},
    {{complexes, BL_DTYPE_C64, 1, DIMS{3}, NULL, 0},
     0,
     "[    (1+2j),  (-0.5-3j), (nan+infj)]",
     "c64[3]"},
    {{truths, BL_DTYPE_BOOL, 1, DIMS{3}, NULL, 0},
     0,
     "[false,  true,  true]",
     "bool[3]"},
    {{large, BL_DTYPE_U64, 1, DIMS{1}, NULL, 0}, 0, "[18446744073709551615]", "u64[1]"},
    {{large, BL_DTYPE_I64, 1, DIMS{1}, NULL, 0}, 0, "[-1]", "i64[1]"},
};

static void test_pages(const char *when)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        struct page page = {"", 0, INT32_MAX};
        struct page notation = {"", 0, INT32_MAX};
        const bl_array *const array = &pages[i].array;

        if (!tap_ok(bl_array_format(array, pages[i].edge, write_page, &page) == BL_OK &&
                        strcmp(page.text, pages[i].text) == 0,
                    "%s%s of %s", when, pages[i].edge ? "edges" : "all",
                    pages[i].notation))
            tap_note("%s", page.text);
        tap_ok(bl_array_describe(array, write_page, &notation) == BL_OK &&
                   strcmp(notation.text, pages[i].notation) == 0,
               "%swritten as %s", when, notation.text);
    }
}

/*
 * Format in the next floating-point state; false where it fails, or leaves another
 * state or raises exceptions.
 */
static bool format_in_state(const bl_array *array, struct page *page)
{
    static int32_t state;
    const struct floating own = floating_set(state++ % FLOATING_STATES);
    const struct floating set = floating_now();

    feclearexcept(FE_ALL_EXCEPT);

    const bl_status status = bl_array_format(array, 0, write_page, page);
    /* Flags are put back where the harness knows the control word. */
    const bool is_left_alone =
        floating_is(set) && (FLOATING_RESULTS == 0 || fetestexcept(FE_ALL_EXCEPT) == 0);

    floating_restore(own);
    if (!is_left_alone)
        tap_note("state %d is not as before", (int)(state - 1) % FLOATING_STATES);
    return status == BL_OK && is_left_alone;
}

/*
 * Whether a value's text, parsed by the C library as double, gives the value in its
 * dtype.
 */
static bool reads_back(bl_dtype dtype, void *value)
{
    const bl_array array = {value, dtype, 0, NULL, NULL, 0};
    struct page page = {"", 0, INT32_MAX};
    unsigned char again[REF_ELEMENT];
    double read;

    if (!format_in_state(&array, &page))
        return false;
    read = strtod(page.text, NULL);
    ref_convert(BL_DTYPE_F64, &read, dtype, again);
    if (isnan(read) || memcmp(again, value, ref_size(dtype)) == 0)
        return true;
    tap_note("%s of %s", page.text, ref_dtype_name(dtype));
    return false;
}

static void test_reading_back(void)
{
    static double edges[] = {DBL_MAX, DBL_MIN, DBL_TRUE_MIN,       0.1, 1.0 / 3.0, 1e23,
                             5e-310,  0x1p53,  123456789.123456789};
    uint64_t state = 1;
    bool f16 = true, bf16 = true, f32 = true, f64 = true;

    for (int i = 0; i < 65536; i += 7) {
        uint16_t bits = (uint16_t)i;

        f16 = f16 && reads_back(BL_DTYPE_F16, &bits);
        bf16 = bf16 && reads_back(BL_DTYPE_BF16, &bits);
    }
    for (int i = 0; i < 5000; i++) {
        /* Knuth's MMIX generator: any bits, so any exponent. */
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);

        uint32_t upper = (uint32_t)(state >> 32);

        f32 = f32 && reads_back(BL_DTYPE_F32, &upper);
        f64 = f64 && reads_back(BL_DTYPE_F64, &state);
    }
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        f64 = f64 && reads_back(BL_DTYPE_F64, &edges[i]);
    tap_ok(f16, "f16 reads back");
    tap_ok(bf16, "bf16 reads back");
    tap_ok(f32, "f32 reads back");
    tap_ok(f64, "f64 reads back");
}

static void test_writers(void)
{
    int refused = 0;
    bool pass = true;

    for (int left = 0; left < 1000; left++) {
        struct page page = {"", 0, left};
        const bl_status status = bl_array_format(&pages[8].array, 1, write_page, &page);

        if (status == BL_OK)
            break;
        pass = pass && status == BL_ERR_IO && page.left == -1;
        refused++;
    }
    tap_ok(pass && refused > 10, "a writer that stops is not called again, %d times",
           refused);

    struct page full = {"", 0, 0};

    tap_ok(bl_array_describe(&pages[0].array, write_page, &full) == BL_ERR_IO, "%s",
           bl_error_message());
    tap_ok(bl_array_format(&pages[0].array, -1, write_page, &full) == BL_ERR_ARGUMENT,
           "%s", bl_error_message());
    tap_ok(bl_array_format(&pages[0].array, 0, NULL, NULL) == BL_ERR_ARGUMENT &&
               bl_array_describe(&pages[0].array, NULL, NULL) == BL_ERR_ARGUMENT,
           "%s", bl_error_message());
}

int main(void)
{
    tap_plan();
    for (int i = 0; i < 120; i++)
        counting[i] = i;
    errno = 1234;
    test_pages("");
    tap_ok(errno == 1234, "errno is left alone");
    test_reading_back();
    test_writers();
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8"))
        test_pages("where ',' is the decimal point: ");
    else
        tap_skip("neither de_DE.UTF-8 nor fr_FR.UTF-8 is installed",
                 "the same where ',' is the decimal point");
    return tap_done();
}
