/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What DLPack's specification (1.x) says of memory: its structs, and its numbers for
 * dtypes.  The tags are DLPack's, since <broadloom/dlpack.h> declares them; everything
 * else is named as the rest of the library.
 */
#ifndef BLI_DLPACK_H
#define BLI_DLPACK_H

#include <broadloom/dlpack.h>

enum { BLI_DLPACK_MAJOR = 1, BLI_DLPACK_MINOR = 0 };

enum { BLI_DLPACK_CPU = 1 };

enum bli_dlpack_code {
    BLI_DLPACK_INT = 0,
    BLI_DLPACK_UINT = 1,
    BLI_DLPACK_FLOAT = 2,
    BLI_DLPACK_BFLOAT = 4,
    BLI_DLPACK_COMPLEX = 5,
    BLI_DLPACK_BOOL = 6
};

/* Bits of a versioned tensor's flags. */
enum { BLI_DLPACK_READ_ONLY = 1, BLI_DLPACK_IS_COPIED = 2 };

struct bli_dlpack_dtype {
    uint8_t code; /* an enum bli_dlpack_code */
    uint8_t bits; /* of an element of one lane */
    uint16_t lanes;
};

struct bli_dlpack {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t ndim;
    struct bli_dlpack_dtype dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: compact row-major */
    uint64_t byte_offset;
};

struct DLManagedTensor {
    struct bli_dlpack tensor;
    void *manager;
    void (*deleter)(struct DLManagedTensor *self);
};

/* Every major version begins with version, manager and deleter. */
struct DLManagedTensorVersioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    struct bli_dlpack tensor;
};

#if UINTPTR_MAX == UINT64_MAX
#define BLI_DLPACK_AT(type, member, offset)                                            \
    _Static_assert(offsetof(struct type, member) == (offset), #type "." #member)
BLI_DLPACK_AT(bli_dlpack, data, 0);
BLI_DLPACK_AT(bli_dlpack, device_type, 8);
BLI_DLPACK_AT(bli_dlpack, device_id, 12);
BLI_DLPACK_AT(bli_dlpack, ndim, 16);
BLI_DLPACK_AT(bli_dlpack, dtype.code, 20);
BLI_DLPACK_AT(bli_dlpack, dtype.bits, 21);
BLI_DLPACK_AT(bli_dlpack, dtype.lanes, 22);
BLI_DLPACK_AT(bli_dlpack, shape, 24);
BLI_DLPACK_AT(bli_dlpack, strides, 32);
BLI_DLPACK_AT(bli_dlpack, byte_offset, 40);
BLI_DLPACK_AT(DLManagedTensor, tensor, 0);
BLI_DLPACK_AT(DLManagedTensor, manager, 48);
BLI_DLPACK_AT(DLManagedTensor, deleter, 56);
BLI_DLPACK_AT(DLManagedTensorVersioned, major, 0);
BLI_DLPACK_AT(DLManagedTensorVersioned, minor, 4);
BLI_DLPACK_AT(DLManagedTensorVersioned, manager, 8);
BLI_DLPACK_AT(DLManagedTensorVersioned, deleter, 16);
BLI_DLPACK_AT(DLManagedTensorVersioned, flags, 24);
BLI_DLPACK_AT(DLManagedTensorVersioned, tensor, 32);
_Static_assert(sizeof(struct DLManagedTensor) == 64, "DLManagedTensor");
_Static_assert(sizeof(struct DLManagedTensorVersioned) == 80,
               "DLManagedTensorVersioned");
#undef BLI_DLPACK_AT
#endif

/* DLPack's numbers for a dtype; bits of 0 where it has none. */
struct bli_dlpack_dtype bli_dlpack_dtype(bl_dtype dtype);

#endif
