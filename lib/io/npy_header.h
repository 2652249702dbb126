/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of an NPY file: a prefix (magic, version, length) and a Python dictionary
 * as text.  Knows nothing of files; offsets in errors are offsets in the file.
 */
#ifndef BLI_NPY_HEADER_H
#define BLI_NPY_HEADER_H

#include <broadloom/npy.h>

#include "core/core.h"

/* Magic, version and length of the text: 10 bytes in version 1, 12 in 2 and 3. */
#define BLI_NPY_PREFIX_MIN 10
#define BLI_NPY_PREFIX_MAX 12

/*
 * Longest text that is accepted; NumPy's limit is 10,000 for files that are not
 * trusted.
 */
#define BLI_NPY_TEXT_MAX (1 << 20)

/* Room for any header that is written: 64 extents of 19 digits take 1344 bytes. */
#define BLI_NPY_HEADER_MAX BL_NPY_HEADER_MAX

struct bli_npy_header {
    bl_dtype dtype;
    bool is_swapped; /* the elements have the opposite byte order */
    bool is_fortran; /* the first dimension is contiguous */
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    int64_t bytes; /* of all elements */
};

/*
 * Determine the size of a prefix from its first BLI_NPY_PREFIX_MIN bytes.
 * BL_ERR_FORMAT if the magic is missing, BL_ERR_UNSUPPORTED for versions other than
 * 1.0, 2.0 and 3.0.  `file` is the name in error texts.
 */
bl_status bli_npy_prefix_size(const char *file, const unsigned char *prefix,
                              size_t *size);

/* Length of the text that follows, read from a prefix of `size` bytes. */
uint32_t bli_npy_text_size(const unsigned char *prefix, size_t size);

/*
 * Parse the text of a header, which starts at byte `start` of `file` (for errors) and
 * need not be terminated.  Accepts what NumPy has written since 1.0.5: the keys
 * 'descr', 'fortran_order' and 'shape' once each in any order, and nothing else.
 * BL_ERR_FORMAT says what was expected and where; BL_ERR_UNSUPPORTED for dtypes that
 * Broadloom lacks and for more than BL_MAX_RANK dimensions.  `*header` is written on
 * success only.
 */
bl_status bli_npy_header_read(const char *file, size_t start, const char *text,
                              size_t length, struct bli_npy_header *header);

/*
 * Write prefix and text to `buffer`, which has BLI_NPY_HEADER_MAX bytes, exactly as
 * NumPy (1.24) does; returns their size, a multiple of 64.  The dtype must be one that
 * NumPy has, in this machine's byte order.
 */
size_t bli_npy_header_write(const struct bli_npy_header *header, char *buffer);

/*
 * Set `header->bytes` from dtype and extents; false if it does not fit in 64 bits.  As
 * in NumPy, the product of the extents other than 0 must fit even if there are no
 * elements.
 */
bool bli_npy_header_measure(struct bli_npy_header *header);

/* Whether this machine is little-endian. */
bool bli_npy_host_is_little(void);

#endif
