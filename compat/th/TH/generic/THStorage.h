/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages of one type.  A new storage has one reference, which free() releases.
 */
typedef struct THStorage {
    real *data;
    ptrdiff_t size; /* in elements */
    int refcount;
    char flag; /* TH_STORAGE_... */
    THAllocator *allocator;
    void *allocatorContext;
    struct THStorage *view; /* of a view: the storage that owns the memory */
} THStorage;

TH_API real *THStorage_(data)(const THStorage *self);
TH_API ptrdiff_t THStorage_(size)(const THStorage *self);
TH_API size_t THStorage_(elementSize)(void);

/* Set or get one element; an error out of range. */
TH_API void THStorage_(set)(THStorage *self, ptrdiff_t index, real value);
TH_API real THStorage_(get)(const THStorage *self, ptrdiff_t index);

/* ---- create: elements are not initialised ---- */

TH_API THStorage *THStorage_(new)(void);
TH_API THStorage *THStorage_(newWithSize)(ptrdiff_t size);
TH_API THStorage *THStorage_(newWithSize1)(real first);
TH_API THStorage *THStorage_(newWithSize2)(real first, real second);
TH_API THStorage *THStorage_(newWithSize3)(real first, real second, real third);
TH_API THStorage *THStorage_(newWithSize4)(real first, real second, real third,
                                           real fourth);
TH_API THStorage *THStorage_(newWithAllocator)(ptrdiff_t size, THAllocator *allocator,
                                               void *context);

/* Takes `data`, which is freed by THFree() or by the allocator. */
TH_API THStorage *THStorage_(newWithData)(real *data, ptrdiff_t size);
TH_API THStorage *THStorage_(newWithDataAndAllocator)(real *data, ptrdiff_t size,
                                                      THAllocator *allocator,
                                                      void *context);

/*
 * A file that is mapped: `size` elements, or all that are in the file for 0, with the
 * flags of THAllocator.h.  It cannot be resized.  An error, which leaks nothing, where
 * the file cannot be opened or mapped.
 */
TH_API THStorage *THStorage_(newWithMapping)(const char *filename, ptrdiff_t size,
                                             int flags);

/* ---- share, change ---- */

TH_API void THStorage_(setFlag)(THStorage *self, const char flag);
TH_API void THStorage_(clearFlag)(THStorage *self, const char flag);
TH_API void THStorage_(retain)(THStorage *self);
TH_API void THStorage_(free)(THStorage *self);
TH_API void THStorage_(swap)(THStorage *first, THStorage *second);

/* Keeps the elements that fit; an error for a storage that is not resizable. */
TH_API void THStorage_(resize)(THStorage *self, ptrdiff_t size);
TH_API void THStorage_(fill)(THStorage *self, real value);
