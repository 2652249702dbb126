/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Headers of NPY files, except for parsing the dictionary (npy_text.c): the prefix, the
 * number of bytes, and writing.
 */
#include "io/npy_header.h"

#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool bli_npy_host_is_little(void)
{
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, 1);
    return first == 1;
}

bl_status bli_npy_prefix_size(const char *file, const unsigned char *prefix,
                              size_t *size)
{
    const int major = prefix[6];
    const int minor = prefix[7];

    if (memcmp(prefix, magic, sizeof magic) != 0)
        return bl_error_set(BL_ERR_FORMAT,
                            "%s: not an NPY file: expected \\x93NUMPY at byte 0", file);
    if (major < 1 || major > 3 || minor != 0)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "%s: byte 6: version %d.%d of the format is not supported",
                            file, major, minor);
    *size = major == 1 ? BLI_NPY_PREFIX_MIN : BLI_NPY_PREFIX_MAX;
    return BL_OK;
}

uint32_t bli_npy_text_size(const unsigned char *prefix, size_t size)
{
    uint32_t length = 0;

    for (size_t k = size; k > 8; k--)
        length = length << 8 | prefix[k - 1];
    return length;
}

bool bli_npy_header_measure(struct bli_npy_header *header)
{
    int64_t bytes = bli_dtypes[header->dtype].size;
    bool is_empty = false;

    for (int32_t d = 0; d < header->rank; d++) {
        if (header->extent[d] == 0)
            is_empty = true;
        else if (!bli_mul_i64(bytes, header->extent[d], &bytes))
            return false;
    }
    header->bytes = is_empty ? 0 : bytes;
    return true;
}

/*
 * The byte order of a dtype in this machine, '<' or '>'; '|' for elements of one byte.
 */
static char order_of(bl_dtype dtype)
{
    if (bli_dtypes[dtype].align == 1)
        return '|';
    return bli_npy_host_is_little() ? '<' : '>';
}

/*
 * Number of blanks that NumPy leaves after the dictionary.  They let the extent along
 * which a file may grow, the slowest, be overwritten: digits and blanks together are
 * 21.
 */
static int growth_room(const struct bli_npy_header *header)
{
    char digits[24];
    struct bli_text text;

    if (header->rank == 0)
        return 0;
    bli_text_open(&text, digits, sizeof digits);
    bli_text_extents(&text, "", "", "", 1,
                     &header->extent[header->is_fortran ? header->rank - 1 : 0]);
    return 21 - (int)(text.at - digits);
}

size_t bli_npy_header_write(const struct bli_npy_header *header, char *buffer)
{
    char *const start = buffer + BLI_NPY_PREFIX_MIN;
    struct bli_text text;

    bli_text_open(&text, start, BLI_NPY_HEADER_MAX - BLI_NPY_PREFIX_MIN);
    bli_text_add(&text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': ",
                 order_of(header->dtype), bli_dtypes[header->dtype].npy,
                 header->is_fortran ? "True" : "False");
    bli_text_extents(&text, "(", ", ", header->rank == 1 ? ",)" : ")", header->rank,
                     header->extent);
    bli_text_add(&text, ", }%*s", growth_room(header), "");

    /* Padded to a multiple of 64 with at least one blank, as NumPy does. */
    const size_t used = (size_t)(text.at - buffer) + 1;
    const size_t blanks = 64 - used % 64;
    memset(text.at, ' ', blanks);
    text.at[blanks] = '\n';

    /*
     * At most BLI_NPY_HEADER_MAX bytes, so version 1.0 with its 16-bit length suffices.
     */
    const size_t length = used + blanks - BLI_NPY_PREFIX_MIN;
    memcpy(buffer, magic, sizeof magic);
    buffer[6] = 1;
    buffer[7] = 0;
    buffer[8] = (char)(length & 0xff);
    buffer[9] = (char)(length >> 8);
    return used + blanks;
}
