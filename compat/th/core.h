/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How libbroadloom-th computes: tensors of any type as arrays, on which it calls the
 * library's operators or runs kernels of TH.
 */
#ifndef BROADLOOM_TH_CORE_H
#define BROADLOOM_TH_CORE_H

/* The library defines the functions that these macros stand for, and checks operands
 * before it loops over them. */
#define TH_NO_CALL_SITES
#define TH_APPLY_REPORT_(...)
#include "TH/TH.h"

#include <broadloom.h>
#include <broadloom/shadow.h>

/* ---- the dtype of each type ---- */

enum {
    TH_DTYPE_Byte = BL_DTYPE_U8,
    TH_DTYPE_Char = CHAR_MIN < 0 ? BL_DTYPE_I8 : BL_DTYPE_U8,
    TH_DTYPE_Short = BL_DTYPE_I16,
    TH_DTYPE_Int = BL_DTYPE_I32,
    TH_DTYPE_Long = sizeof(long) == 8 ? BL_DTYPE_I64 : BL_DTYPE_I32,
    TH_DTYPE_Float = BL_DTYPE_F32,
    TH_DTYPE_Double = BL_DTYPE_F64,
    TH_DTYPE_Half = BL_DTYPE_F16
};

/* Expand `macro` for each type. */
#define TH_EACH_TYPE(macro)                                                            \
    macro(Byte) macro(Char) macro(Short) macro(Int) macro(Long) macro(Float)           \
        macro(Double) macro(Half)

/* The dtype of the template's type. */
#define TH_DTYPE ((bl_dtype)TH_CONCAT_2(TH_DTYPE_, Real))

_Static_assert(sizeof(long) == sizeof(int64_t), "extents are passed on as they are");

/* ---- tensors as arrays ---- */

/* An array of these extents and strides, which it borrows; an empty one for rank 0. */
bl_array th_array(bl_dtype dtype, int rank, const long *size, const long *stride,
                  void *data);

/* The array of a tensor of type `name`, as in TH_ARRAY_OF(Byte, mask). */
#define TH_ARRAY_OF(name, t)                                                           \
    th_array((bl_dtype)TH_CONCAT_2(TH_DTYPE_, name), (t)->nDimension, (t)->size,       \
             (t)->stride,                                                              \
             (t)->storage ? (void *)((t)->storage->data + (t)->storageOffset) : NULL)

/* The array of a tensor of the template's type. */
#define TH_ARRAY(t) TH_ARRAY_OF(Real, t)

/* The first element of a tensor; NULL without a storage. */
#define TH_DATA(t) ((t)->storage ? (t)->storage->data + (t)->storageOffset : NULL)

/* A value of the template's type, as a scalar operand. */
#define TH_NUMBER(value)                                                               \
    (TH_DTYPE >= BL_DTYPE_F16 ? bl_scalar_f64((double)(value))                         \
                              : bl_scalar_i64((int64_t)(value)))

/* Number of elements. */
int64_t th_count(const bl_array *array);

/* A call by the program, as reports name it. */
struct th_call {
    const char *function; /* PyTorch's; NULL: it is not reported */
    const void *address;  /* to which it returns; NULL if unknown */
};

/* The call of the public function in whose body this macro stands. */
#define TH_CALL(function) ((struct th_call){function, TH_CALLER_})

/*
 * Whether a call of these operands may proceed.  They must have the same number of
 * elements; else an error that names them, "r_ t src" with the result first, or "t
 * src".  Where the broadcast warning is on, calls that would broadcast are reported; a
 * filter may make an error of that.  Clears the call site, as every error does: each
 * function that has a macro in THCallSites.h calls this function or raises an error.
 */
bool th_admit(struct th_call call, const char *names, bool in_place, int count,
              const bl_array *const *operands);

/* Where a program calls an operation. */
struct th_place {
    const char *file; /* NULL: the address is the place */
    int line;
    const void *address;
};

/* The next operation belongs to this call, unless the line of a call is known. */
void th_pass_call(struct th_call call);

/* The place of this call of the thread; the next operation starts without one. */
struct th_place th_take_place(struct th_call call);

/* The place that th_take_place() returned last to the thread. */
struct th_place th_taken_place(void);

/* Whether two arrays have the same elements at the same positions. */
bool th_is_same(const bl_array *a, const bl_array *b);

/* Whether elements of an array may share memory: stride 0, sliding windows. */
bool th_may_repeat(const bl_array *array);

/* Whether two arrays may share memory, by their spans. */
bool th_may_overlap(const bl_array *a, const bl_array *b);

/* ---- shadow runs ---- */

/*
 * Whether there is one: <broadloom/shadow.h>.  Decided with the first operation, before
 * which no memory is marked.
 */
static inline bool th_shadows(void)
{
    return TH_HAS_SHADOWS_;
}

/* Count elements of an array that leave the library at the place of this call. */
void th_read(bl_shadow_how how, const bl_array *array, struct th_call call);

/* Count elements of operands of the call that th_admit() has admitted. */
void th_read_admitted(int count, const bl_array *const *arrays);

/* Count elements of an array that leave the library by the function it stands in. */
#define TH_READ(how, array)                                                            \
    do {                                                                               \
        if (th_shadows())                                                              \
            th_read(how, array, TH_CALL(NULL));                                        \
    } while (0)

/* Count the elements of a tensor of the template's type. */
#define TH_READ_TENSOR(how, t)                                                         \
    do {                                                                               \
        if (th_shadows()) {                                                            \
            const bl_array read_ = TH_ARRAY(t);                                        \
                                                                                       \
            th_read(how, &read_, TH_CALL(NULL));                                       \
        }                                                                              \
    } while (0)

/* The call that th_admit() has just reported, or not, has operands to be compared. */
void th_set_due(bool is_due);

/*
 * Before an operation that pairs as 1-D: compute it the other way, by `function`, where
 * the call is to be compared.  The operation, and bl_shadow_end(), follow.
 */
bl_shadow *th_begin_shadow(const bl_array *out, int count, const bl_array *const *in,
                           bl_shadow_function function, void *user);

/* `out` was computed from arrays, by loops of TH. */
void th_carry(const bl_array *out, int count, const bl_array *const *in);

/* `size` bytes of memory are freed. */
void th_forget(const void *data, size_t size);

/* ---- computation ---- */

/* Before loops whose iterations do not depend on each other. */
#if defined(_OPENMP)
#define TH_SIMD _Pragma("omp simd")
#else
#define TH_SIMD
#endif

/* The context of all calls. */
bl_context *th_context(void);

/* Whether this is the child of a process that used the library. */
bool th_is_forked(void);

/*
 * The number of threads for a large piece of work that has `most` parts: those of
 * THSetNumThreads() that the library would give a large call.  One in a forked child,
 * where the OpenMP runtime's threads do not exist.
 */
int th_team(int64_t most);

/* Whether `status` is BL_OK; else an error with the library's text. */
bool th_check(bl_status status);

/*
 * Apply `op` to `count` arrays, each a scalar or with the numel of `out`, paired in
 * row-major order.  `alpha` as in bl_options.  With overlapping operands the result is
 * that of the sequential loop over all elements.
 */
void th_apply(bl_op op, const bl_array *out, int count, const bl_array *const *in,
              const bl_scalar *alpha);

/*
 * A kernel over `count` elements: element i of operand k is at at[k] + i * step[k].
 * Results are not operands of other elements.  The last pointer, at[operands], is where
 * th_reduce() accumulates.
 */
typedef void (*th_kernel)(const void *user, int64_t count, char *const *at,
                          const int64_t *step);

/*
 * Run `kernel` over arrays of the same numel, of which it writes the first.  Where that
 * overlaps others, elements are computed sequentially.
 */
void th_map(int count, const bl_array *const *arrays, th_kernel kernel,
            const void *user);

/*
 * Run a reduction `kernel` over arrays, in blocks of TH_REDUCE_BLOCK elements: block b
 * accumulates, in several calls, at `partial` + b * `size`.
 */
#define TH_REDUCE_BLOCK 16384
void th_reduce(int count, const bl_array *const *arrays, th_kernel kernel,
               const void *user, void *partial, size_t size);

/*
 * Run `kernel` over each line along dimension `dim` of arrays that have the same rank,
 * at least 1, and the same extents in the other dimensions.  It gets as `count` the
 * extent of `dim` in the first array, and for each array the line's first element and
 * its step.
 */
void th_lines(int count, const bl_array *const *arrays, int dim, th_kernel kernel,
              const void *user);

/* Number of blocks of th_reduce(). */
int64_t th_reduce_blocks(int64_t count);

/* Whether any element is 0. */
bool th_has_zero(const bl_array *array);

/*
 * Reduce all of `in` to a scalar at `out`: sums and products are computed in, and are
 * of, `dtype`, other reductions of the dtype that the library gives.  An error, and
 * false, where the library refuses.
 */
bool th_reduce_all(bl_reduction op, const bl_array *in, bl_dtype dtype, void *out);

/* value * a / b of integers, truncated, with a product of 64 bits that wraps; b not 0.
 */
static inline int64_t th_quotient(int64_t value, int64_t a, int64_t b)
{
    const uint64_t product = (uint64_t)value * (uint64_t)a;

    return b == -1 ? (int64_t)-product : (int64_t)product / b;
}

/* Leave the function with an error. */
#define TH_REFUSE(condition, ...)                                                      \
    do {                                                                               \
        if (condition) {                                                               \
            THError(__VA_ARGS__);                                                      \
            return;                                                                    \
        }                                                                              \
    } while (0)

/* Write a shape as "[2 x 3]", where " x " is `join`, cut to `size` bytes. */
void th_describe(int rank, const long *extent, const char *join, char *text,
                 size_t size);

#endif
