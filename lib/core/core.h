/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every layer stands on: error propagation, checked integers, the tables of dtypes
 * and operators, allocation.  Knows nothing of shapes, plans or threads.
 */
#ifndef BLI_CORE_H
#define BLI_CORE_H

#include <broadloom/context.h>
#include <broadloom/ops.h>

/* Result and inputs of one operation. */
#define BLI_MAX_OPERANDS (1 + BL_MAX_INPUTS)

/* Pass a failure on to the caller. */
#define BL_TRY(call)                                                                   \
    do {                                                                               \
        const bl_status try_ = (call);                                                 \
        if (try_ != BL_OK)                                                             \
            return try_;                                                               \
    } while (0)

/* ---- checked integers: false, and *result untouched, where it does not fit ---- */

bool bli_mul_i64(int64_t a, int64_t b, int64_t *result);
bool bli_add_i64(int64_t a, int64_t b, int64_t *result);

/*
 * Number of elements of a shape; false when it does not fit.  An empty dimension makes
 * the shape empty, however long the others are.  Extents are not negative.
 */
bool bli_shape_numel(int32_t rank, const int64_t *extent, int64_t *count);

/* ---- tables ---- */

/* What dtypes.def says of a dtype. */
enum bli_class {
    BLI_CLASS_BOOL = 1,
    BLI_CLASS_INT = 2,
    BLI_CLASS_FLOAT = 4,
    BLI_CLASS_COMPLEX = 8
};

/* What the domains of ops.def stand for: classes of dtypes. */
enum bli_domain {
    BLI_DOMAIN_COMPLEX = BLI_CLASS_COMPLEX,
    BLI_DOMAIN_FLOAT = BLI_CLASS_FLOAT,
    BLI_DOMAIN_INT = BLI_CLASS_INT,
    BLI_DOMAIN_BITS = BLI_CLASS_BOOL | BLI_CLASS_INT,
    BLI_DOMAIN_ORDERED = BLI_CLASS_INT | BLI_CLASS_FLOAT,
    BLI_DOMAIN_INEXACT = BLI_CLASS_FLOAT | BLI_CLASS_COMPLEX,
    BLI_DOMAIN_NUMBER = BLI_CLASS_INT | BLI_CLASS_FLOAT | BLI_CLASS_COMPLEX,
    BLI_DOMAIN_REAL = BLI_CLASS_BOOL | BLI_CLASS_INT | BLI_CLASS_FLOAT,
    BLI_DOMAIN_ALL = BLI_DOMAIN_REAL | BLI_CLASS_COMPLEX
};

struct bli_dtype {
    const char *name;
    const char *npy; /* NumPy's kind and size, "" if it has none */
    int32_t class;   /* an enum bli_class */
    int32_t size;    /* bytes */
    int32_t align;   /* bytes: of the real type */
};

/* Dtypes are numbered from 1; the table has BLI_DTYPES entries with 0 unused. */
enum {
    BLI_DTYPES = 1
#define BL_DTYPE(name, value, class, stored, computed, npy, text) +1
#include "core/tables/dtypes.def"
#undef BL_DTYPE
};
extern const struct bli_dtype bli_dtypes[BLI_DTYPES];
bool bli_dtype_is_valid(bl_dtype dtype);

/* What ops.def says of an operator. */
enum bli_inputs {
    BLI_INPUTS_UNARY,
    BLI_INPUTS_BINARY,
    BLI_INPUTS_TERNARY,
    BLI_INPUTS_QUATERNARY,
    BLI_INPUTS_SELECT,
    BLI_INPUTS_CONVERT
};
enum bli_impl {
    BLI_IMPL_ELEMENT,
    BLI_IMPL_BITWISE,
    BLI_IMPL_VECTOR,
    BLI_IMPL_VECTOR_ALL
};
enum bli_result { BLI_RESULT_SAME, BLI_RESULT_BOOL, BLI_RESULT_REAL_PART };

struct bli_op {
    const char *name;
    const char *text;
    int32_t inputs; /* an enum bli_inputs */
    int32_t count;  /* how many inputs that is */
    int32_t domain; /* classes of dtypes that it takes */
    int32_t result; /* an enum bli_result */
    int32_t impl;   /* an enum bli_impl */
};

/* Operators are numbered from 1; the table has one more entry, 0 unused. */
extern const struct bli_op bli_ops[];
extern const int32_t bli_ops_count; /* highest number + 1 */
bool bli_op_is_valid(bl_op op);

/*
 * The dtype that an operator computes inputs of `dtype` in: that, or f32; NONE where it
 * does not take them.  What its result is, where it computes in `dtype`.
 */
bl_dtype bli_op_computed(bl_op op, bl_dtype dtype);
bl_dtype bli_op_result(bl_op op, bl_dtype dtype);

/*
 * Whether an operator on inputs of `dtype` is no arithmetic, which rounds and flushes
 * as the caller has it: then its kernels want rounding to nearest and subnormal numbers
 * as they are.
 */
bool bli_op_wants_nearest(bl_op op, bl_dtype dtype);

/* ---- text ---- */

/* A string being put together in a fixed buffer; what does not fit is cut. */
struct bli_text {
    char *at;
    char *end; /* last byte, for the terminator */
};

void bli_text_open(struct bli_text *text, char *buffer, size_t size);
void bli_text_add(struct bli_text *text, const char *format, ...) BL_PRINTF(2, 3);
/* Extents between `open` and `close`, with `between`: "(2,3)", "[2, 3]". */
void bli_text_extents(struct bli_text *text, const char *open, const char *between,
                      const char *close, int32_t rank, const int64_t *extent);

/* Begin the thread's text of where an error happened. */
void bli_error_where_open(struct bli_text *text);

/* ---- memory ---- */

/*
 * Zeroed memory of the calling thread's, at *place, a NULL pointer that is
 * thread-local; released, and *place set to NULL, when the thread ends.  NULL without
 * memory.
 */
void *bli_thread_own(void **place, size_t bytes);

/* Alignment of what the library allocates: a cache line, and the widest vector. */
#define BLI_ALIGNMENT 64

/* The C library's allocator, as the default bl_allocator. */
extern const bl_allocator bli_default_allocator;

/* NULL where there is none; sets the error text.  `bytes` may be 0. */
void *bli_allocate(const bl_allocator *allocator, size_t bytes);
void bli_release(const bl_allocator *allocator, void *memory, size_t bytes);

#endif
