/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HDF5's datasets: load, save, and parts of them.  These functions are in a library of
 * their own, libbroadloom-hdf5 (pkg-config broadloom-hdf5), which stands on the HDF5 of
 * the system and is there where configure found that.
 *
 * Shapes are those of the file, in its order: the last dimension is the fastest, also
 * in a file of Fortran's interface of HDF5, which turns the dimensions of a(n,m) round
 * when it writes them.  So a(n,m) of a Fortran program is the tensor of shape (m,n), of
 * the same elements in the same order in memory; bl_tensor_permute() turns it without a
 * copy.
 *
 * Element types, in either byte order:
 *
 *   i8 to i64, u8 to u64   integers of all their bits
 *   f16 bf16 f32 f64       IEEE 754's formats, and the upper half of f32
 *   bool                   as h5py: an enumeration of FALSE = 0 and TRUE = 1, one byte
 *   c64 c128               as h5py: a compound of two f32 or f64, "r" and "i"; where it
 *                          is read also "re" and "im", or "real" and "imag"
 *
 * A dataset may be stored in any way, in chunks and through any filters that HDF5 has
 * or finds as plugins (deflate, shuffle, ...).
 *
 * Messages begin with FILE:DATASET, except those of a null argument, an info's size, an
 * array and memory, and quote HDF5, which prints nothing meanwhile;
 * bl_error_where() names functions of libbroadloom alone.
 * Thread-safe where HDF5 is: H5is_library_threadsafe().
 */
#ifndef BROADLOOM_HDF5_H
#define BROADLOOM_HDF5_H

#include <broadloom/tensor.h>

/* HDF5's most dimensions of a dataset. */
#define BL_HDF5_MAX_RANK 32

/*
 * Called now and then while a dataset is loaded or saved, on the calling thread, with
 * how many of the elements are done; returns false to stop.  The call then returns
 * BL_ERR_IO.  It must not call HDF5 or this library's functions on the same file.
 */
typedef bool (*bl_hdf5_progress)(void *user, int64_t done, int64_t numel);

/* bl_hdf5_save(): replace a dataset of that name, with its attributes. */
#define BL_HDF5_REPLACE 1u

/*
 * How to load or save; NULL stands for {.size = sizeof(bl_hdf5_options)}.
 *
 * With a `rank` other than 0, which must be the dataset's, the call is about a part of
 * the dataset, a hyperslab: in dimension d, `count[d]` elements from `offset[d]` on
 * that are `stride[d]` apart.  NULL offsets are 0, NULL strides 1, and NULL counts as
 * many as there are.
 */
typedef struct bl_hdf5_options {
    size_t size; /* sizeof(bl_hdf5_options) */
    uint32_t flags;
    int32_t rank;
    const int64_t *offset;
    const int64_t *count;
    const int64_t *stride;
    bl_hdf5_progress progress; /* NULL: none */
    void *user;
} bl_hdf5_options;

/* What a dataset is. */
typedef struct bl_hdf5_info {
    size_t size;    /* sizeof(bl_hdf5_info), set by the caller */
    bl_dtype dtype; /* BL_DTYPE_NONE: Broadloom has none for it */
    int32_t rank;
    int64_t extent[BL_HDF5_MAX_RANK];
    int64_t chunk[BL_HDF5_MAX_RANK]; /* shape of a chunk; 0 where there are none */
    int64_t bytes;                   /* that its elements take in the file */
    int32_t filters; /* number of filters that they pass, as compression */
    int32_t reserved;
} bl_hdf5_info;

BL_BEGIN_DECLS

/*
 * Describe a dataset, given by the path of a file and its path there, as "/fields/x".
 * BL_ERR_IO: the file cannot be read; BL_ERR_FORMAT: it is not HDF5, or damaged;
 * BL_ERR_ARGUMENT: it has no such dataset; BL_ERR_UNSUPPORTED: a dataset without a
 * dataspace.  `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_hdf5_query(const char *path, const char *dataset,
                                             bl_hdf5_info *out);

/*
 * Read a dataset, or a part of it, into a new tensor, compact row-major.  It fails as
 * bl_hdf5_query() does, and with BL_ERR_UNSUPPORTED for elements without a dtype and
 * for a filter that HDF5 lacks; for a part, with BL_ERR_SHAPE where its rank is not the
 * dataset's, and BL_ERR_ARGUMENT where it leaves the dataset; with BL_ERR_OVERFLOW for
 * elements that do not fit in memory, as a file without them may have; BL_ERR_MEMORY.
 * `*out` is written on success only.
 */
BL_API BL_MUST_CHECK bl_status bl_hdf5_load(bl_context *ctx, const char *path,
                                            const char *dataset,
                                            const bl_hdf5_options *options,
                                            bl_tensor **out);

/*
 * Write an array as a dataset, contiguous in the file: of a new file where there is
 * none, else in the file that exists.  Groups on the way are made.  A dataset that
 * exists is refused with BL_ERR_ARGUMENT unless flags have BL_HDF5_REPLACE.  After an
 * error there is no new file, and no new dataset: the old one is as it was.  A new file
 * has its name when it is complete; where another process makes it meanwhile, the
 * dataset is added to that one, and progress begins again (where the file system has
 * neither links nor RENAME_NOREPLACE, that file is replaced).  Symbolic links are
 * followed.  (An existing file is changed in place, as HDF5 does: a process that is
 * killed meanwhile can damage it, and the space of what is replaced stays in it, until
 * h5repack.)
 *
 * With a `rank` in the options, the array is written to that part of a dataset that
 * exists, which must have the array's dtype, in either byte order (BL_ERR_DTYPE); the
 * array has the part's shape (BL_ERR_SHAPE).  An error may leave some of it written.
 *
 * BL_ERR_IO; BL_ERR_FORMAT: the file that exists is not HDF5; BL_ERR_UNSUPPORTED: more
 * than BL_HDF5_MAX_RANK dimensions; BL_ERR_MEMORY: an array that is not contiguous is
 * copied first.
 */
BL_API BL_MUST_CHECK bl_status bl_hdf5_save(bl_context *ctx, const char *path,
                                            const char *dataset, const bl_array *array,
                                            const bl_hdf5_options *options);

BL_END_DECLS

#endif
