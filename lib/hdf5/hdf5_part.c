/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moving a part of a dataset between a file and memory, in blocks.
 */
#include "hdf5/hdf5.h"

#include <inttypes.h>

/*
 * Bytes of memory that one call of HDF5 moves, about: progress is reported in between.
 */
static const hsize_t block_bytes = 1 << 24;

/* ---- which part ---- */

/* How many elements of dimension `d` there are from the offset on. */
static int64_t available(const struct bli_hdf5 *call, int32_t d, int64_t offset,
                         int64_t stride)
{
    const int64_t rest = call->extent[d] - offset;

    return rest / stride + (rest % stride != 0);
}

bl_status bli_hdf5_find_part(struct bli_hdf5 *call)
{
    const bl_hdf5_options *const options = &call->options;
    char shape[BLI_HDF5_SHAPE_TEXT];

    if (options->rank != 0 && options->rank != call->rank)
        return bli_hdf5_error(
            call, BL_ERR_SHAPE,
            "a part of %" PRId32 " dimensions, but the dataset has the "
            "shape %s",
            options->rank, bli_hdf5_shape(shape, call->rank, call->extent));
    for (int32_t d = 0; d < call->rank; d++) {
        const bool is_part = options->rank != 0;
        const int64_t offset = is_part && options->offset ? options->offset[d] : 0;
        const int64_t stride = is_part && options->stride ? options->stride[d] : 1;

        if (offset < 0 || offset > call->extent[d] || stride < 1)
            return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                                  "offset %" PRId64 " and stride %" PRId64
                                  " of dimension %" PRId32 " of the shape %s",
                                  offset, stride, d,
                                  bli_hdf5_shape(shape, call->rank, call->extent));

        const int64_t most = available(call, d, offset, stride);
        const int64_t count = is_part && options->count ? options->count[d] : most;

        if (count < 0 || count > most)
            return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                                  "%" PRId64 " elements from %" PRId64
                                  " on with stride %" PRId64 " of dimension %" PRId32
                                  " of the shape %s",
                                  count, offset, stride, d,
                                  bli_hdf5_shape(shape, call->rank, call->extent));
        call->offset[d] = (hsize_t)offset;
        call->stride[d] = (hsize_t)stride;
        call->count[d] = (hsize_t)count;
    }
    return BL_OK;
}

/* ---- moving it ---- */

/* The blocks of a part: rows of its first dimension that has several. */
struct blocks {
    int32_t axis;   /* -1: one block */
    hsize_t rows;   /* of the part */
    hsize_t numel;  /* elements of a row */
    hsize_t height; /* rows of a block that are moved at once */
    hsize_t chunk;  /* rows of the dataset that a chunk has, or 1 */
};

static struct blocks cut(const struct bli_hdf5 *call, size_t size)
{
    struct blocks blocks = {.axis = -1, .rows = 1, .numel = 1, .chunk = 1};
    hsize_t chunk[H5S_MAX_RANK];

    for (int32_t d = 0; d < call->rank; d++) {
        if (blocks.axis < 0 && call->count[d] > 1) {
            blocks.axis = d;
            blocks.rows = call->count[d];
        } else {
            blocks.numel *= call->count[d];
        }
    }

    const hid_t plist = H5Dget_create_plist(call->object);
    if (blocks.axis >= 0 && H5Pget_layout(plist) == H5D_CHUNKED &&
        H5Pget_chunk(plist, call->rank, chunk) > blocks.axis)
        blocks.chunk = chunk[blocks.axis];
    H5Pclose(plist);

    const hsize_t bytes = blocks.numel * size;
    blocks.height = bytes < block_bytes ? block_bytes / (bytes ? bytes : 1) : 1;
    return blocks;
}

/*
 * Where the block that begins with row `first` ends: at the next edge of chunks, so
 * that none is decompressed twice.
 */
static hsize_t end_of(const struct bli_hdf5 *call, const struct blocks *blocks,
                      hsize_t first)
{
    if (blocks->rows - first <= blocks->height)
        return blocks->rows;

    const hsize_t stride = call->stride[blocks->axis];
    const hsize_t offset = call->offset[blocks->axis];
    const hsize_t beyond = (offset + (first + blocks->height) * stride) % blocks->chunk;
    const hsize_t missing = beyond ? blocks->chunk - beyond : 0;
    const hsize_t end = first + blocks->height + (missing + stride - 1) / stride;

    return end < blocks->rows ? end : blocks->rows;
}

/* Select rows from `first` up to `end` in the file; returns a dataspace of them. */
static hid_t select_rows(const struct bli_hdf5 *call, const struct blocks *blocks,
                         hsize_t first, hsize_t end)
{
    hsize_t offset[H5S_MAX_RANK], count[H5S_MAX_RANK];

    if (call->rank == 0)
        return H5Screate(H5S_SCALAR);
    for (int32_t d = 0; d < call->rank; d++) {
        const bool is_cut = d == blocks->axis;

        offset[d] = call->offset[d] + (is_cut ? first * call->stride[d] : 0);
        count[d] = is_cut ? end - first : call->count[d];
    }
    if (H5Sselect_hyperslab(call->space, H5S_SELECT_SET, offset, call->stride, count,
                            NULL) < 0)
        return -1;
    return H5Screate_simple(call->rank, count, NULL);
}

/* Move the rows that are selected; exactly one of `to` and `from` is not NULL. */
static bl_status move_rows(const struct bli_hdf5 *call, hid_t rows, hid_t type,
                           void *to, const void *from)
{
    if (to && H5Dread(call->object, type, rows, call->space, H5P_DEFAULT, to) < 0)
        return bli_hdf5_failed(call, BL_ERR_FORMAT, "the dataset cannot be read");
    if (from && H5Dwrite(call->object, type, rows, call->space, H5P_DEFAULT, from) < 0)
        return bli_hdf5_failed(call, BL_ERR_IO, "the dataset cannot be written");
    return BL_OK;
}

static bl_status report(const struct bli_hdf5 *call, hsize_t done, hsize_t numel)
{
    const bl_hdf5_options *const options = &call->options;

    if (!options->progress ||
        options->progress(options->user, (int64_t)done, (int64_t)numel))
        return BL_OK;
    return bli_hdf5_error(call, BL_ERR_IO, "stopped after %llu of %llu elements",
                          (unsigned long long)done, (unsigned long long)numel);
}

static bl_status move_all(struct bli_hdf5 *call, size_t size, hid_t type, char *to,
                          const char *from)
{
    const struct blocks blocks = cut(call, size);
    hsize_t end;

    for (hsize_t first = 0; first < blocks.rows && blocks.numel > 0; first = end) {
        const size_t skipped = (size_t)(first * blocks.numel) * size;

        end = end_of(call, &blocks, first);
        const hid_t rows = select_rows(call, &blocks, first, end);
        if (rows < 0)
            return bli_hdf5_failed(call, BL_ERR_MEMORY, "no selection");
        const bl_status status = move_rows(call, rows, type, to ? to + skipped : NULL,
                                           from ? from + skipped : NULL);
        H5Sclose(rows);
        BL_TRY(status);
        BL_TRY(report(call, end * blocks.numel, blocks.rows * blocks.numel));
    }
    return BL_OK;
}

static bl_status with_type(struct bli_hdf5 *call, size_t size, char *to,
                           const char *from)
{
    const hid_t type = bli_hdf5_memory_type(call->dtype, call->type);

    if (type < 0)
        return bli_hdf5_failed(call, BL_ERR_MEMORY, "no type of memory");
    const bl_status status = move_all(call, size, type, to, from);
    H5Tclose(type);
    return status;
}

bl_status bli_hdf5_read(struct bli_hdf5 *call, void *data, size_t size)
{
    return with_type(call, size, data, NULL);
}

bl_status bli_hdf5_write(struct bli_hdf5 *call, const void *data, size_t size)
{
    return with_type(call, size, NULL, data);
}
