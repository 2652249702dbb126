/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of files, as text and as they are in memory.
 */
#include "file.h"

#include <errno.h>

/* A type of elements. */
struct th_element {
    size_t size;
    bool is_long;
    int (*print)(char *text, size_t size, const void *element); /* NULL: a byte */
    bool (*scan)(THFile *self, void *element);
};

static void reverse_each(char *bytes, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++, bytes += size)
        for (size_t k = 0; k < size / 2; k++) {
            const char kept = bytes[k];

            bytes[k] = bytes[size - 1 - k];
            bytes[size - 1 - k] = kept;
        }
}

enum { BLOCK = 1024 };

/* Longs that have 4 bytes in the file. */
static size_t read_narrow(THFile *self, long *data, size_t count)
{
    int32_t block[BLOCK];
    size_t done = 0, got, want;

    do {
        want = THMin(count - done, (size_t)BLOCK);
        got = self->kind->read(self, block, sizeof *block, want);
        if (self->is_swapped)
            reverse_each((char *)block, sizeof *block, got);
        for (size_t i = 0; i < got; i++)
            data[done + i] = block[i];
        done += got;
    } while (got == want && done < count);
    return done;
}

/* The size of an element in a binary file. */
static size_t binary_size(const THFile *self, const struct th_element *element)
{
    return element->is_long && self->long_size ? (size_t)self->long_size
                                               : element->size;
}

static size_t read_binary(THFile *self, const struct th_element *element, void *data,
                          size_t count)
{
    size_t done;

    if (binary_size(self, element) != element->size)
        return read_narrow(self, data, count);
    done = self->kind->read(self, data, element->size, count);
    if (self->is_swapped)
        reverse_each(data, element->size, done);
    return done;
}

/* Elements that differ in the file from what they are in memory. */
static size_t write_converted(THFile *self, const struct th_element *element,
                              const char *data, size_t count)
{
    const size_t size = binary_size(self, element);
    char block[BLOCK * sizeof(int64_t)];
    size_t done = 0, put, want;

    do {
        want = THMin(count - done, (size_t)BLOCK);
        if (size == element->size)
            memcpy(block, data + done * size, want * size);
        else
            for (size_t i = 0; i < want; i++) {
                const int32_t low =
                    (int32_t)((const long *)(const void *)data)[done + i];

                memcpy(block + i * size, &low, size);
            }
        if (self->is_swapped)
            reverse_each(block, size, want);
        put = self->kind->write(self, block, size, want);
        done += put;
    } while (put == want && done < count);
    return done;
}

static size_t read_text(THFile *self, const struct th_element *element, char *data,
                        size_t count)
{
    size_t done = 0;
    int byte;

    if (!element->scan)
        done = self->kind->read(self, data, 1, count);
    else
        while (done < count && element->scan(self, data + done * element->size))
            done++;
    if (!self->has_spacing)
        return done;
    byte = self->kind->next(self);
    if (byte != '\n' && byte != EOF)
        self->kind->back(self, byte);
    return done;
}

static size_t write_text(THFile *self, const struct th_element *element,
                         const char *data, size_t count)
{
    size_t done = 0;

    if (!element->print) {
        done = self->kind->write(self, data, 1, count);
        if (done == count && self->has_spacing && !self->kind->write(self, "\n", 1, 1))
            done--;
        return done;
    }
    for (; done < count; done++) {
        char text[64];
        size_t length =
            (size_t)element->print(text, sizeof text, data + done * element->size);

        if (self->has_spacing)
            text[length++] = done + 1 < count ? ' ' : '\n';
        if (self->kind->write(self, text, 1, length) < length)
            break;
    }
    return done;
}

static size_t read_elements(THFile *self, const struct th_element *element, void *data,
                            size_t count)
{
    size_t done;

    if (!th_file_may_read(self) || count == 0)
        return 0;
    errno = 0;
    done = self->is_binary ? read_binary(self, element, data, count)
                           : read_text(self, element, data, count);
    th_file_check_blocks(self, true, done, count);
    return done;
}

static size_t write_elements(THFile *self, const struct th_element *element,
                             const void *data, size_t count)
{
    size_t done;

    if (!th_file_may_write(self) || count == 0)
        return 0;
    errno = 0;
    if (!self->is_binary)
        done = write_text(self, element, data, count);
    else if (self->is_swapped || binary_size(self, element) != element->size)
        done = write_converted(self, element, data, count);
    else
        done = self->kind->write(self, data, element->size, count);
    th_file_check_blocks(self, false, done, count);
    return done;
}

/* ---- each type ---- */

/* How numbers are printed and scanned; %n is where a number ends. */
#define TH_PRINT_Short  "%hd"
#define TH_PRINT_Int    "%d"
#define TH_PRINT_Long   "%ld"
#define TH_PRINT_Float  "%.9g"
#define TH_PRINT_Half   "%.9g"
#define TH_PRINT_Double "%.17g"
#define TH_SCAN_Short   "%hd%n"
#define TH_SCAN_Int     "%d%n"
#define TH_SCAN_Long    "%ld%n"
#define TH_SCAN_Float   "%g%n"
#define TH_SCAN_Half    "%g%n"
#define TH_SCAN_Double  "%lg%n"

#define TH_GENERIC_FILE "generic/file.tmpl.h"
#include "TH/THGenerateAllTypes.h"

#define TH_GENERIC_FILE "generic/file.tmpl.h"
#include "TH/THGenerateHalfType.h"
