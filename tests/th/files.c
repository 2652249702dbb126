/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files on disk and in memory: elements of each type there and back, their bytes, their
 * text, and text that others wrote.
 */
#include "files.h"

#include <math.h>

/* ---- there and back ---- */

/* The same bits in each run. */
static uint64_t draw_bits(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 32;
}

/* How a file is made and used. */
static const struct manner {
    const char *name;
    int is_memory, is_binary, is_big, long_size, is_unbuffered;
} manners[] = {
    {"as text on disk", 0, 0, 0, 0, 0},
    {"as text on disk, unbuffered", 0, 0, 0, 0, 1},
    {"in binary on disk", 0, 1, 0, 0, 0},
    {"in binary on disk, longs of 4", 0, 1, 0, 4, 0},
    {"in binary on disk, longs of 8", 0, 1, 0, 8, 0},
    {"in binary on disk, big endian", 0, 1, 1, 0, 0},
    {"in binary on disk, big endian, longs of 4", 0, 1, 1, 4, 0},
    {"in binary on disk, big endian, longs of 8", 0, 1, 1, 8, 0},
    {"as text in memory", 1, 0, 0, 0, 0},
    {"in binary in memory", 1, 1, 0, 0, 0},
    {"in binary in memory, longs of 4", 1, 1, 0, 4, 0},
    {"in binary in memory, longs of 8", 1, 1, 0, 8, 0},
};
enum { MANNERS = sizeof manners / sizeof manners[0] };

/* A new file, which begins with "head:". */
static THFile *open_as(const struct manner *manner)
{
    THFile *file;

    unlink(path);
    file = manner->is_memory ? THMemoryFile_new("rw") : THDiskFile_new(path, "rw", 0);
    if (manner->is_memory)
        THMemoryFile_longSize(file, manner->long_size);
    else
        THDiskFile_longSize(file, manner->long_size);
    if (manner->is_big)
        THDiskFile_bigEndianEncoding(file);
    else if (!manner->is_memory)
        THDiskFile_littleEndianEncoding(file);
    if (manner->is_unbuffered)
        THDiskFile_noBuffer(file);
    if (manner->is_binary)
        THFile_binary(file);
    THFile_writeStringRaw(file, "head:", 5);
    return file;
}

/* Longs that 4 bytes hold. */
static void narrow(void *longs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((long *)longs)[i] = (int32_t)((long *)longs)[i];
}

#define TH_GENERIC_FILE "th/files.tmpl.h"
#include "THGenerateAllTypes.h"

#define TH_GENERIC_FILE "th/files.tmpl.h"
#include "THGenerateHalfType.h"

/* ---- what is in a file ---- */

static void write_samples(THFile *file)
{
    THFile_writeByteRaw(file, (unsigned char[]){'a', ' ', 'b'}, 3);
    THFile_writeCharScalar(file, 'c');
    THFile_writeShortRaw(file, (short[]){-32768, 7}, 2);
    THFile_writeIntScalar(file, -2000000000);
    THFile_writeLongRaw(file, (long[]){LONG_MIN, LONG_MAX, 0}, 3);
    THFile_writeFloatRaw(file, (float[]){0.1F, 1, 1e10F, INFINITY}, 4);
    THFile_writeDoubleRaw(file, (double[]){0.1, -1e-300, 123456789}, 3);
    THFile_writeHalfScalar(file, TH_float2half(0.1F));
    THFile_writeFloatRaw(file, (float[]){1}, 0);
}

static void check_text(void)
{
    static const char spaced[] = "a b\nc\n-32768 7\n-2000000000\n"
                                 "-9223372036854775808 9223372036854775807 0\n"
                                 "0.100000001 1 1e+10 inf\n"
                                 "0.10000000000000001 -1e-300 123456789\n"
                                 "0.0999755859\n";
    static const char glued[] = "a bc-327687-2000000000"
                                "-922337203685477580892233720368547758070"
                                "0.10000000111e+10inf"
                                "0.10000000000000001-1e-300123456789"
                                "0.0999755859";

    for (int is_memory = 0; is_memory < 2; is_memory++)
        for (int is_spaced = 0; is_spaced < 2; is_spaced++) {
            THFile *const file =
                is_memory ? THMemoryFile_new("rw") : THDiskFile_new(path, "w", 0);
            THFile *in = file;

            if (!is_spaced)
                THFile_noAutoSpacing(file);
            write_samples(file);
            if (is_memory) {
                THFile_seek(file, 0);
            } else {
                THFile_close(file);
                in = THDiskFile_new(path, "r", 0);
            }
            tap_ok(rest_is(in, is_spaced ? spaced : glued), "text of every type, %s%s",
                   is_memory ? "in memory" : "on disk",
                   is_spaced ? "" : ", no spacing");
            if (in != file)
                THFile_free(in);
            THFile_free(file);
        }
}

static int bytes_are(const char *want, size_t size)
{
    char bytes[64] = {0};
    FILE *const stream = fopen(path, "rb");
    const size_t got = fread(bytes, 1, sizeof bytes, stream);

    fclose(stream);
    return got == size && memcmp(bytes, want, size) == 0;
}

static void check_bytes(void)
{
    THFile *file = THDiskFile_new(path, "w", 0);

    tap_ok(THDiskFile_isLittleEndianCPU() != THDiskFile_isBigEndianCPU(), "an order");
    THFile_binary(file);
    THDiskFile_littleEndianEncoding(file);
    THFile_writeShortScalar(file, 0x0102);
    THDiskFile_bigEndianEncoding(file);
    THFile_writeShortScalar(file, 0x0102);
    THFile_writeIntScalar(file, 0x01020304);
    THFile_writeLongScalar(file, -2);
    THDiskFile_longSize(file, 4);
    THFile_writeLongScalar(file, 0x7766554433221100);
    THDiskFile_littleEndianEncoding(file);
    THFile_writeLongScalar(file, -2);
    THFile_writeFloatScalar(file, 1);
    THFile_close(file);
    tap_ok(!THFile_isOpened(file), "closed");
    THFile_free(file);
    tap_ok(bytes_are("\2\1\1\2\1\2\3\4\377\377\377\377\377\377\377\376\x33\x22\x11\0"
                     "\376\377\377\377\0\0\x80\x3f",
                     28),
           "bytes in both orders, longs of 4 and 8");
    file = THDiskFile_new(path, "r", 0);
    THFile_binary(file);
    THFile_seek(file, 16);
    THDiskFile_longSize(file, 4);
    THDiskFile_bigEndianEncoding(file);
    tap_ok(THFile_readLongScalar(file) == 0x33221100 && THFile_position(file) == 20,
           "a long of 4 bytes");
    THDiskFile_nativeEndianEncoding(file);
    tap_ok(THDiskFile_isBigEndianCPU() || THFile_readLongScalar(file) == -2,
           "with its sign");
    THFile_free(file);
}

/* What numbers and lines are read from text that others wrote. */
static void check_foreign_text(void)
{
    static const char text[] = "  1\t2,\nx 0x10 nan 1e400\n\nline one\n\nlast";
    THCharStorage *const storage = THCharStorage_newWithSize(sizeof text);
    FILE *const stream = fopen(path, "wb");

    memcpy(storage->data, text, sizeof text);
    fputs(text, stream);
    fclose(stream);
    for (int is_memory = 0; is_memory < 2; is_memory++) {
        THFile *const file = is_memory ? THMemoryFile_newWithStorage(storage, "r")
                                       : THDiskFile_new(path, "r", 1);
        long numbers[3] = {0, 0, 0};
        char *line;

        THFile_quiet(file);
        tap_ok(THFile_readLongRaw(file, numbers, 3) == 2 && numbers[0] == 1 &&
                   numbers[1] == 2 && THFile_hasError(file),
               "a text that is no number ends a list");
        THFile_clearError(file);
        tap_ok(THFile_readByteScalar(file) == ',' && THFile_position(file) == 7,
               "and comes next, and the end of its line is skipped");
        tap_ok(THFile_readCharScalar(file) == 'x' &&
                   THFile_readFloatScalar(file) == 16 &&
                   isnan(THFile_readDoubleScalar(file)) &&
                   isinf(THFile_readDoubleScalar(file)) && !THFile_hasError(file),
               "hexadecimal, nan, beyond the largest");
        tap_ok(THFile_readStringRaw(file, "*l", &line) == 0 && line && !*line,
               "an empty line");
        THFree(line);
        tap_ok(THFile_readStringRaw(file, "*line", &line) == 8 &&
                   strcmp(line, "line one") == 0,
               "a line");
        THFree(line);
        tap_ok(THFile_readStringRaw(file, "*l", &line) == 0 && line, "an empty one");
        THFree(line);
        tap_ok(THFile_readStringRaw(file, "*l", &line) == 4 &&
                   strcmp(line, "last") == 0 && !THFile_hasError(file),
               "the last, without its end");
        THFree(line);
        tap_ok(THFile_readStringRaw(file, "*l", &line) == 0 && !line &&
                   THFile_hasError(file),
               "and no more");
        THFile_clearError(file);
        tap_ok(THFile_readIntScalar(file) == 0 && THFile_hasError(file),
               "a scalar that is not there is 0");
        THFile_free(file);
    }
    tap_ok(memcmp(storage->data, text, sizeof text) == 0 && storage->refcount == 1,
           "reading leaves the storage as it is");
    THCharStorage_free(storage);
}

int main(void)
{
    if (!begin())
        return 1;
    THByteStorage_checkRoundTrips();
    THCharStorage_checkRoundTrips();
    THShortStorage_checkRoundTrips();
    THIntStorage_checkRoundTrips();
    THLongStorage_checkRoundTrips();
    THFloatStorage_checkRoundTrips();
    THDoubleStorage_checkRoundTrips();
    THHalfStorage_checkRoundTrips();
    check_text();
    check_bytes();
    check_foreign_text();
    return end();
}
