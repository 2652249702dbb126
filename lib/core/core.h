/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Foundations of every layer: error propagation, checked integers, the tables of dtypes
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

/* ---- checked integers: return false and leave *result unchanged on overflow ---- */

bool bli_mul_i64(int64_t a, int64_t b, int64_t *result);
bool bli_add_i64(int64_t a, int64_t b, int64_t *result);

/*
 * Compute the number of elements of a shape; false if it does not fit in 64 bits.  An
 * extent of 0 makes the shape empty, however large the others are.  Extents must not be
 * negative.
 */
bool bli_shape_numel(int32_t rank, const int64_t *extent, int64_t *count);

/* ---- tables ---- */

/* The classes of dtypes.def. */
enum bli_class {
    BLI_CLASS_BOOL = 1,
    BLI_CLASS_INT = 2,
    BLI_CLASS_FLOAT = 4,
    BLI_CLASS_COMPLEX = 8
};

/* The domains of ops.def: sets of dtype classes. */
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
    const char *npy;   /* NumPy's kind and size, "" if it has none */
    const char *torch; /* PyTorch's name, and C++ type */
    const char *cxx;
    int32_t class;    /* an enum bli_class */
    int32_t size;     /* bytes */
    int32_t align;    /* bytes; a complex dtype has its real type's */
    int32_t digits;   /* as in dtypes.def */
    int32_t lowest;   /* as in dtypes.def */
    int32_t decimals; /* significant digits that distinguish any two real numbers */
    bool is_signed;
};

/*
 * Dtypes are numbered from 1; the table has BLI_DTYPES entries, of which 0 is unused.
 */
enum {
    BLI_DTYPES = 1
#define BL_DTYPE(...) +1
#include "core/tables/dtypes.def"
#undef BL_DTYPE
};
extern const struct bli_dtype bli_dtypes[BLI_DTYPES];
bool bli_dtype_is_valid(bl_dtype dtype);

/*
 * bli_dtype_widened: f32 for a floating-point dtype that is narrower, else the dtype.
 * bli_dtype_real: the dtype of the parts of a complex dtype; of others, the dtype.
 */
bl_dtype bli_dtype_widened(bl_dtype dtype);
bl_dtype bli_dtype_real(bl_dtype dtype);

/* The columns of ops.def. */
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
    BLI_IMPL_LONG,
    BLI_IMPL_PRODUCT,
    BLI_IMPL_QUOTIENT,
    BLI_IMPL_SHIFT,
    BLI_IMPL_ROUNDED,
    BLI_IMPL_BITWISE,
    BLI_IMPL_VECTOR,
    BLI_IMPL_VECTOR_ALL
};
enum bli_result { BLI_RESULT_SAME, BLI_RESULT_BOOL, BLI_RESULT_REAL_PART };

struct bli_op {
    const char *name;
    const char *text;
    int32_t inputs; /* an enum bli_inputs */
    int32_t count;  /* number of inputs */
    int32_t domain; /* classes of dtypes that it computes in */
    int32_t result; /* an enum bli_result */
    int32_t impl;   /* an enum bli_impl */
};

/* Operators are numbered from 1; entry 0 of the table is unused. */
extern const struct bli_op bli_ops[];
extern const int32_t bli_ops_count; /* highest number + 1 */
bool bli_op_is_valid(bl_op op);

/*
 * bli_op_computed: the dtype in which an operator computes inputs of `dtype`, which is
 * `dtype` itself or f32; BL_DTYPE_NONE if the operator does not take them.
 * bli_op_result: the dtype of the result of an operator that computes in `dtype`.
 */
bl_dtype bli_op_computed(bl_op op, bl_dtype dtype);
bl_dtype bli_op_result(bl_op op, bl_dtype dtype);

/*
 * Whether an operator's kernels for `dtype` must run with rounding to nearest and with
 * subnormal numbers enabled.  Plain arithmetic need not: it rounds and flushes as the
 * caller's floating-point mode says.
 */
bool bli_op_wants_nearest(bl_op op, bl_dtype dtype);

/* ---- text ---- */

/* A string that is built in a fixed buffer; what does not fit is cut off. */
struct bli_text {
    char *at;
    char *end; /* last byte, for the terminator */
};

void bli_text_open(struct bli_text *text, char *buffer, size_t size);
void bli_text_add(struct bli_text *text, const char *format, ...) BL_PRINTF(2, 3);
/*
 * Append extents between `open` and `close`, separated by `between`: "(2,3)", "[2, 3]".
 */
void bli_text_extents(struct bli_text *text, const char *open, const char *between,
                      const char *close, int32_t rank, const int64_t *extent);

/* ---- memory ---- */

/*
 * Allocate zeroed memory that the calling thread owns.  Its address is returned and
 * stored in *place, a thread-local pointer that must be NULL before; when the thread
 * ends the memory is freed and *place set to NULL.  NULL if out of memory.
 */
void *bli_thread_own(void **place, size_t bytes);

/*
 * Alignment of all elements that the library allocates: a cache line and the widest
 * vector.
 */
#define BLI_ALIGNMENT 64

/* Bytes, rounded up to a multiple of it. */
static inline int64_t bli_align_up(int64_t bytes)
{
    return (bytes + BLI_ALIGNMENT - 1) / BLI_ALIGNMENT * BLI_ALIGNMENT;
}

/* The smaller of two numbers, and the larger one. */
static inline int64_t bli_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t bli_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The default bl_allocator, which uses the C library's allocator. */
extern const bl_allocator bli_default_allocator;

/* Allocate `bytes`, which may be 0; NULL if out of memory, with the error text set. */
void *bli_allocate(const bl_allocator *allocator, size_t bytes);
void bli_release(const bl_allocator *allocator, void *memory, size_t bytes);

/*
 * The same with the alignment of any C object alone, which the C library has at hand
 * sooner: small blocks of it are taken from a list of the thread's.
 */
void *bli_allocate_object(const bl_allocator *allocator, size_t bytes);
void bli_release_object(const bl_allocator *allocator, void *memory, size_t bytes);

#endif
