/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Malformed files, and valid headers at the limits of the format: each is loaded and
 * mapped, and the status and message are compared.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/npy_tools.h"
#include "harness/tap.h"

#define SHAPE(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }"
#define DESCR(descr) "{'descr': " descr ", 'fortran_order': False, 'shape': (2,), }"
#define BAD          BL_ERR_FORMAT
#define LACKS        BL_ERR_UNSUPPORTED

/*
 * Each text is followed by 64 bytes of elements; `says` must occur in the error
 * message.
 */
static const struct {
    const char *what;
    const char *text;
    bl_status want;
    const char *says;
} texts[] = {
    {"as NumPy writes it", SHAPE("(3, 4)"), BL_OK, ""},
    {"another order of keys", "{'shape': (2,), 'descr': '<f4', 'fortran_order': True}",
     BL_OK, ""},
    {"other quotes", "{\"descr\": \"<f4\", 'fortran_order':False,'shape':(1,)}", BL_OK,
     ""},
    {"white space anywhere",
     " {\t'descr' : '<f4' ,\n'fortran_order' :\r\nTrue, 'shape' : ( 2 , 3 ) } ", BL_OK,
     ""},
    {"a tuple without its last comma", SHAPE("(2,3)"), BL_OK, ""},
    {"a tuple with its last comma", SHAPE("(2,3,)"), BL_OK, ""},
    {"numbers of Python 2", SHAPE("(2L, 3L)"), BL_OK, ""},
    {"no dimensions", SHAPE("()"), BL_OK, ""},
    {"an empty dimension", SHAPE("(5, 0, 7)"), BL_OK, ""},
    {"no byte order", DESCR("'f4'"), BL_OK, ""},
    {"native byte order", DESCR("'=f4'"), BL_OK, ""},

    {"no text at all", "", BAD, "expected '{', found the end of the header"},
    {"not a dictionary", "(3, 4)", BAD, "byte 10: expected '{', found '('"},
    {"an empty dictionary", "{}", BAD, "the header has no 'descr'"},
    {"an open dictionary", "{'descr': '<f4', ", BAD,
     "expected a key as a string or '}'"},
    {"no order", "{'descr': '<f4', 'shape': (3,)}", BAD, "no 'fortran_order'"},
    {"no shape", "{'descr': '<f4', 'fortran_order': False}", BAD, "no 'shape'"},
    {"a key twice",
     "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", BAD,
     "byte 28: a second 'descr'"},
    {"a key more", "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}", BAD,
     "expected 'descr', 'fortran_order' or 'shape', found 'x'"},
    {"a key that starts like another", "{'desc': '<f4'}", BAD, "found 'desc'"},
    {"no colon", "{'descr' '<f4'}", BAD, "expected ':'"},
    {"no comma", "{'descr': '<f4' 'shape': ()}", BAD, "expected ',' or '}'"},
    {"two commas", "{'descr': '<f4',, 'shape': ()}", BAD, "expected a key"},
    {"text after the dictionary", SHAPE("()") " {}", BAD,
     "expected the end of the header, found '{'"},
    {"an open string", "{'descr': '<f4", BAD, "closing quote, found byte 0x0a"},
    {"a string of mixed quotes", "{'descr\": '<f4'}", BAD, "found 'descr\": '"},
    {"an escape", DESCR("'\\x3cf4'"), BAD, "a printable character"},
    {"letters beyond ASCII", DESCR("'\xc3\xa9'"), BAD, "found byte 0xc3"},
    {"a control character", "{\x01", BAD, "found byte 0x01"},

    {"the order as a number", "{'fortran_order': 0}", BAD, "True or False, found '0'"},
    {"the order in lower case", "{'fortran_order': true}", BAD, "True or False"},
    {"the order with more letters", "{'fortran_order': Falsey}", BAD, "found 'y'"},

    {"a number as shape", SHAPE("3"), BAD, "the shape as a tuple, found '3'"},
    {"a number in parentheses as shape", SHAPE("(3)"), BAD, "expected ',', found ')'"},
    {"a list as shape", SHAPE("[3]"), BAD, "the shape as a tuple, found '['"},
    {"only a comma", SHAPE("(,)"), BAD, "an extent, found ','"},
    {"two commas in the shape", SHAPE("(2,,3)"), BAD, "an extent, found ','"},
    {"no comma in the shape", SHAPE("(2, 3 4)"), BAD, "',' or ')', found '4'"},
    {"a negative extent", SHAPE("(-1,)"), BAD, "an extent, found '-'"},
    {"a signed extent", SHAPE("(+1,)"), BAD, "an extent, found '+'"},
    {"a fraction", SHAPE("(1.0,)"), BAD, "',', found '.'"},
    {"a hexadecimal extent", SHAPE("(0x10,)"), BAD, "found 'x'"},
    {"an octal extent", SHAPE("(010,)"), BAD, "leading 0"},
    {"two suffixes", SHAPE("(1LL,)"), BAD, "found 'L'"},
    {"parentheses in parentheses", SHAPE("((2,),)"), BAD, "an extent, found '('"},
    {"an extent past 64 bits", SHAPE("(9223372036854775808,)"), BAD, "64 bits"},
    {"an extent of many digits", SHAPE("(99999999999999999999999999,)"), BAD,
     "64 bits"},
    {"a product past 64 bits", SHAPE("(9223372036854775807, 9223372036854775807)"), BAD,
     "f32 elements of shape (9223372036854775807, 9223372036854775807) do not fit"},
    {"bytes past 64 bits", SHAPE("(2305843009213693952,)"), BAD, "do not fit"},
    {"a product past 64 bits next to 0",
     SHAPE("(0, 9223372036854775807, 9223372036854775807)"), BAD, "do not fit"},
    {"more elements than the file has", SHAPE("(17,)"), BAD,
     "the array needs 68 bytes from byte 128 on, the file has 64"},
    {"as many elements as 64 bits allow", SHAPE("(2305843009213693951,)"), BAD,
     "needs 9223372036854775804 bytes"},

    {"objects", DESCR("'|O'"), LACKS, "dtype '|O' is not supported"},
    {"strings", DESCR("'<U8'"), LACKS, "'<U8'"},
    {"bytes", DESCR("'|S3'"), LACKS, "'|S3'"},
    {"raw data", DESCR("'|V2'"), LACKS, "'|V2'"},
    {"dates", DESCR("'<M8[ns]'"), LACKS, "'<M8[ns]'"},
    {"durations", DESCR("'<m8[s]'"), LACKS, "'<m8[s]'"},
    {"long double", DESCR("'<f16'"), LACKS, "'<f16'"},
    {"complex long double", DESCR("'<c32'"), LACKS, "'<c32'"},
    {"integers of no size", DESCR("'<i3'"), LACKS, "'<i3'"},
    {"no dtype", DESCR("''"), LACKS, "''"},
    {"only a byte order", DESCR("'<'"), LACKS, "'<'"},
    {"two byte orders", DESCR("'<<f4'"), LACKS, "'<<f4'"},
    {"a long dtype", DESCR("'fffffffffffffffffffffffffffffffffffffffffffffffff'"),
     LACKS, "ffffffff...'"},
    {"records", DESCR("[('a', '<f4'), ('b', '<i8')]"), LACKS, "records"},
    {"sub-arrays", DESCR("('<f4', (2, 2))"), LACKS, "records and sub-arrays"},
    {"a number as dtype", DESCR("4"), BAD, "the dtype as a string, found '4'"},
    {"None as dtype", DESCR("None"), BAD, "the dtype as a string, found 'N'"},
};

static struct meter meter;
static bl_context *ctx;

/* Load (or map) the bytes as a file; whether status and message are as expected. */
static bool try_one(bool mapping, const void *bytes, size_t size, bl_status want,
                    const char *says)
{
    bl_tensor *const untouched = (bl_tensor *)(void *)&meter;
    bl_tensor *tensor = untouched;

    file_write("hostile.npy", bytes, size);
    meter.largest = 0;
    errno = EDOM;
    const bl_status got = mapping ? bl_npy_map(ctx, "hostile.npy", &tensor)
                                  : bl_npy_load(ctx, "hostile.npy", &tensor);
    const bool errno_unchanged = errno == EDOM;
    const bool right = got == want && (want == BL_OK) == (tensor != untouched);
    if (tensor != untouched)
        bl_tensor_release(tensor);
    const bool reported =
        want == BL_OK || (strncmp(bl_error_message(), "hostile.npy: ", 13) == 0 &&
                          strstr(bl_error_message(), says));
    /* A handle of 64 dimensions takes about 1200 bytes. */
    const bool modest = meter.largest <= size + 2048 && meter.held == 0;
    if (!right || !reported || !errno_unchanged || !modest)
        tap_note("%s: %s: \"%s\"; largest request %zu, held %ld, errno %s",
                 mapping ? "map" : "load", bl_status_string(got),
                 got == BL_OK ? "" : bl_error_message(), meter.largest, meter.held,
                 errno_unchanged ? "kept" : "changed");
    return right && reported && errno_unchanged && modest;
}

static void check(const char *what, const void *bytes, size_t size, bl_status want,
                  const char *says)
{
    const bool loaded = try_one(false, bytes, size, want, says);
    const bool mapped = try_one(true, bytes, size, want, says);

    tap_ok(loaded && mapped, "%s", what);
}

static void check_texts(void)
{
    static unsigned char bytes[4096];

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const size_t size = npy_header_make(bytes, 1, texts[k].text);
        memset(bytes + size, 1, 64);
        check(texts[k].what, bytes, size + 64, texts[k].want, texts[k].says);
    }
}

/* The prefix of a valid file with one byte replaced. */
static void check_prefix(void)
{
    static const struct {
        const char *what;
        int at, byte;
        bl_status want;
        const char *says;
    } changes[] = {
        {"another magic", 0, 'P', BAD, "not an NPY file"},
        {"magic in lower case", 5, 'y', BAD, "not an NPY file"},
        {"version 0.0", 6, 0, LACKS, "version 0.0"},
        {"version 4.0", 6, 4, LACKS, "version 4.0"},
        {"version 255.0", 6, 255, LACKS, "version 255.0"},
        {"version 1.1", 7, 1, LACKS, "version 1.1"},
        {"a longer header than the file", 9, 0xff, BAD, "the header needs 65"},
        {"a shorter header than its text", 8, 16, BAD, "byte 26: expected"},
        {"a header of no bytes", 8, 0, BAD, "the end of the header"},
        {"a null byte in the text", 20, 0, BAD, "found byte 0x00"},
        {"a null byte at the end", 126, 0, BAD, "end of the header, found byte 0x00"},
    };
    unsigned char bytes[256];
    const size_t size = npy_header_make(bytes, 1, SHAPE("(2, 3)"));

    memset(bytes + size, 1, 24);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        const unsigned char saved = bytes[changes[k].at];
        bytes[changes[k].at] = (unsigned char)changes[k].byte;
        check(changes[k].what, bytes, size + 24, changes[k].want, changes[k].says);
        bytes[changes[k].at] = saved;
    }
    check("bytes after the elements", bytes, size + 64, BL_OK, "");
    bool refused = true;
    for (size_t cut = 0; cut < size + 24; cut++)
        refused = try_one(cut & 1, bytes, cut, BAD, "needs") && refused;
    tap_ok(refused, "a file that ends anywhere too early");
}

/* Long headers, in versions 2 and 3. */
static void check_long(void)
{
    static char text[(1 << 20) + 200];
    static unsigned char bytes[sizeof text + 200];
    const int tail = 64;

    for (int rank = 64; rank <= 65; rank++) {
        strcpy(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (");
        for (int d = 0; d < rank; d++)
            strcat(text, "1, ");
        strcat(text, ")}");
        const size_t size = npy_header_make(bytes, 3, text);
        check(rank == 64 ? "64 dimensions" : "65 dimensions", bytes, size + tail,
              rank == 64 ? BL_OK : LACKS, "more than 64 dimensions");
    }
    memset(text, '(', 100000);
    strcpy(text + 100000, "}");
    check("a hundred thousand parentheses", bytes,
          npy_header_make(bytes, 2, text) + tail, BAD, "expected '{'");
    strcpy(text, "{'descr': ");
    memset(text + 10, '[', 100000);
    strcpy(text + 100010, "}");
    check("a hundred thousand brackets", bytes, npy_header_make(bytes, 2, text) + tail,
          LACKS, "records");

    strcpy(text, SHAPE("(2, 3)"));
    const size_t used = strlen(text);
    memset(text + used, ' ', 70000);
    text[used + 70000] = '\0';
    check("a long header", bytes, npy_header_make(bytes, 2, text) + tail, BL_OK, "");
    memset(text + used, ' ', (1 << 20) + 100 - used);
    check("a header of more than 1 MiB", bytes, npy_header_make(bytes, 2, text) + tail,
          BAD, "more than 1048576");
    npy_header_make(bytes, 2, SHAPE("(2, 3)"));
    memset(bytes + 8, 0xff, 4);
    check("a header of 4 GiB", bytes, 256, BAD, "the header needs 4294967295 bytes");
}

int main(void)
{
    tap_plan();
    ctx = meter_context(&meter);
    folder_enter();
    check_texts();
    check_prefix();
    check_long();
    folder_leave();
    bl_context_destroy(ctx);
    return tap_done();
}
