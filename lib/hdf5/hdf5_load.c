/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_hdf5_query and bl_hdf5_load.
 */
#include "hdf5/hdf5.h"

#include <inttypes.h>
#include <string.h>

/* ---- query ---- */

struct query {
    struct bli_hdf5 call; /* first */
    bl_hdf5_info *info;
};

static bl_status run_query(struct bli_hdf5 *call)
{
    bl_hdf5_info *const info = ((struct query *)call)->info;
    hsize_t chunk[H5S_MAX_RANK];

    BL_TRY(bli_hdf5_open_file(call, H5F_ACC_RDONLY));
    BL_TRY(bli_hdf5_open_dataset(call));
    info->dtype = call->dtype;
    info->rank = call->rank;
    for (int32_t d = 0; d < call->rank; d++)
        info->extent[d] = call->extent[d];
    info->bytes = (int64_t)H5Dget_storage_size(call->object);

    const hid_t plist = H5Dget_create_plist(call->object);
    const int filters = H5Pget_nfilters(plist);
    info->filters = filters > 0 ? filters : 0;
    if (H5Pget_layout(plist) == H5D_CHUNKED &&
        H5Pget_chunk(plist, call->rank, chunk) == call->rank)
        for (int32_t d = 0; d < call->rank; d++)
            info->chunk[d] = (int64_t)chunk[d];
    H5Pclose(plist);
    return BL_OK;
}

bl_status bl_hdf5_query(const char *path, const char *dataset, bl_hdf5_info *out)
{
    bl_hdf5_info info = {.size = sizeof info};
    struct query query = {.info = &info};
    const size_t least = sizeof info; /* of version 0.3 */

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    if (out->size < least || out->size > BLI_HDF5_MOST_SIZE)
        return bl_error_set(BL_ERR_ARGUMENT, "info: size is %zu, not %zu to %d",
                            out->size, least, BLI_HDF5_MOST_SIZE);
    BL_TRY(bli_hdf5_call(&query.call, path, dataset, NULL, run_query));

    const size_t size = out->size;
    memset(out, 0, size);
    memcpy(out, &info, sizeof info);
    out->size = size;
    return BL_OK;
}

/* ---- load ---- */

struct load {
    struct bli_hdf5 call; /* first */
    bl_context *ctx;
    bl_tensor **out;
};

/* Check that HDF5 has all filters that the elements passed. */
static bl_status check_filters(const struct bli_hdf5 *call)
{
    const hid_t plist = H5Dget_create_plist(call->object);
    const int count = H5Pget_nfilters(plist);
    bl_status status = BL_OK;

    for (int k = 0; k < count && status == BL_OK; k++) {
        char name[64] = "";
        size_t values = 0;
        unsigned flags, config;
        const H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)k, &flags, &values,
                                                   NULL, sizeof name, name, &config);

        if (H5Zfilter_avail(filter) <= 0)
            status = bli_hdf5_error(call, BL_ERR_UNSUPPORTED,
                                    "HDF5 lacks the dataset's filter %d%s%.60s",
                                    (int)filter, name[0] ? ", " : "", name);
    }
    H5Pclose(plist);
    return status;
}

static bl_status run_load(struct bli_hdf5 *call)
{
    const struct load *const load = (struct load *)call;
    int64_t extent[BL_HDF5_MAX_RANK];
    char shape[BLI_HDF5_SHAPE_TEXT];
    bl_tensor *tensor;

    if (call->options.flags != 0)
        return bli_hdf5_error(call, BL_ERR_ARGUMENT,
                              "flags 0x%" PRIx32 " are for bl_hdf5_save()",
                              call->options.flags);
    BL_TRY(bli_hdf5_open_file(call, H5F_ACC_RDONLY));
    BL_TRY(bli_hdf5_open_dataset(call));
    if (call->dtype == BL_DTYPE_NONE)
        return bli_hdf5_error(call, BL_ERR_UNSUPPORTED,
                              "no dtype: the dataset's elements, of %zu bytes, are %s",
                              H5Tget_size(call->type), bli_hdf5_type_name(call->type));
    BL_TRY(check_filters(call));
    BL_TRY(bli_hdf5_find_part(call));
    for (int32_t d = 0; d < call->rank; d++)
        extent[d] = (int64_t)call->count[d];
    bl_status status =
        bl_tensor_empty(load->ctx, call->dtype, call->rank, extent, &tensor);
    if (status == BL_ERR_OVERFLOW)
        return bli_hdf5_error(
            call, status, "elements of %s in the shape %s do not fit in memory",
            bl_dtype_name(call->dtype), bli_hdf5_shape(shape, call->rank, extent));
    BL_TRY(status);
    status =
        bli_hdf5_read(call, bl_tensor_mutable_data(tensor), bl_dtype_size(call->dtype));
    if (status == BL_OK)
        *load->out = tensor;
    else
        bl_tensor_release(tensor);
    return status;
}

bl_status bl_hdf5_load(bl_context *ctx, const char *path, const char *dataset,
                       const bl_hdf5_options *options, bl_tensor **out)
{
    struct load load = {.ctx = ctx, .out = out};

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    return bli_hdf5_call(&load.call, path, dataset, options, run_load);
}
