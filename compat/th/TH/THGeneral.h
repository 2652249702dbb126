/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every TH header needs: linkage, pasting of names, errors and memory.
 *
 * Before including TH, a program may choose
 *   TH_INDEX_BASE            the index of the first element in lists of indices, 1 or 0
 *   BROADLOOM_TH_KEEPDIM     1: reductions over a dimension end in `int keepdim`, as
 *                            from 2017 on; 0: they have no such argument and keep the
 *                            dimension
 *   TH_DIM_APPLY_SIZE_CHECK  TH_TENSOR_DIM_APPLY3 has PyTorch's form: see
 *                            THTensorDimApply.h
 *   TH_NO_LEFT_OUT           functions that the program has of its own may be: those of
 *                            LAPACK, digamma and the like are not declared
 *   TH_NO_CALL_SITES         calls do not record their line
 */
#ifndef TH_GENERAL_INC
#define TH_GENERAL_INC

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
#define TH_EXTERNC extern "C"
#else
#define TH_EXTERNC extern
#endif

#if defined(__GNUC__)
#define TH_API TH_EXTERNC __attribute__((visibility("default")))
#else
#define TH_API TH_EXTERNC
#endif

/*
 * TH_CALLER_ is the address that a function returns to, NULL if unknown.  A function of
 * a header that uses it is never inlined.
 */
#if defined(__GNUC__)
#define TH_CALLER_ __builtin_return_address(0)
#define TH_CALLED_ static __attribute__((noinline, unused))
#else
#define TH_CALLER_ NULL
#define TH_CALLED_ static inline
#endif

#ifndef TH_INDEX_BASE
#define TH_INDEX_BASE 1
#endif

#ifndef BROADLOOM_TH_KEEPDIM
#define BROADLOOM_TH_KEEPDIM 1
#endif

#if BROADLOOM_TH_KEEPDIM
#define TH_KEEPDIM_PARAMETER_ , int keepdim
#define TH_KEEPDIM_           keepdim
#define TH_KEEPDIM_DEFAULT_(name)
#define TH_ALONG_ static inline
#else
#define TH_KEEPDIM_PARAMETER_
#define TH_KEEPDIM_               1
#define TH_KEEPDIM_DEFAULT_(name) THKeepdimDefault_(name, TH_CALLER_);
#define TH_ALONG_                 TH_CALLED_
#endif

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* ---- token pasting ---- */

#define TH_STRING_(text)        TH_STRING_EXPAND_(text)
#define TH_STRING_EXPAND_(text) #text

#define TH_CONCAT_2(a, b)                     TH_CONCAT_2_EXPAND(a, b)
#define TH_CONCAT_2_EXPAND(a, b)              a##b
#define TH_CONCAT_3(a, b, c)                  TH_CONCAT_3_EXPAND(a, b, c)
#define TH_CONCAT_3_EXPAND(a, b, c)           a##b##c
#define TH_CONCAT_4(a, b, c, d)               TH_CONCAT_4_EXPAND(a, b, c, d)
#define TH_CONCAT_4_EXPAND(a, b, c, d)        a##b##c##d
#define TH_CONCAT_STRING_2(a, b)              TH_CONCAT_STRING_2_EXPAND(a, b)
#define TH_CONCAT_STRING_2_EXPAND(a, b)       #a #b
#define TH_CONCAT_STRING_3(a, b, c)           TH_CONCAT_STRING_3_EXPAND(a, b, c)
#define TH_CONCAT_STRING_3_EXPAND(a, b, c)    #a #b #c
#define TH_CONCAT_STRING_4(a, b, c, d)        TH_CONCAT_STRING_4_EXPAND(a, b, c, d)
#define TH_CONCAT_STRING_4_EXPAND(a, b, c, d) #a #b #c #d

#define THMin(a, b) ((a) < (b) ? (a) : (b))
#define THMax(a, b) ((a) > (b) ? (a) : (b))

/* ---- errors ---- */

/*
 * Handlers get a text that ends in " at FILE:LINE", and the data they were set with.
 * They are expected not to return: to jump, throw or end the program.
 */
typedef void (*THErrorHandlerFunction)(const char *msg, void *data);
typedef void (*THArgErrorHandlerFunction)(int argNumber, const char *msg, void *data);

/* Set the calling thread's handlers; NULL: those of the process. */
TH_API void THSetErrorHandler(THErrorHandlerFunction handler, void *data);
TH_API void THSetArgErrorHandler(THArgErrorHandlerFunction handler, void *data);

/*
 * Set the process's handlers, for threads without one.  NULL, the default: the text
 * goes to standard output and the program exits with status -1.
 */
TH_API void THSetDefaultErrorHandler(THErrorHandlerFunction handler, void *data);
TH_API void THSetDefaultArgErrorHandler(THArgErrorHandlerFunction handler, void *data);

/* Formats are printf's; the compiler does not check them, as in TH. */
TH_API void _THError(const char *file, const int line, const char *fmt, ...);
TH_API void _THAssertionFailed(const char *file, const int line, const char *exp,
                               const char *fmt, ...);
TH_API void _THArgCheck(const char *file, int line, int condition, int argNumber,
                        const char *fmt, ...);

#define THError(...) _THError(__FILE__, __LINE__, __VA_ARGS__)

#define THCleanup(...) __VA_ARGS__

#define THArgCheck(...)                                                                \
    do {                                                                               \
        _THArgCheck(__FILE__, __LINE__, __VA_ARGS__);                                  \
    } while (0)

#define THArgCheckWithCleanup(condition, cleanup, ...)                                 \
    do {                                                                               \
        if (!(condition)) {                                                            \
            cleanup _THArgCheck(__FILE__, __LINE__, 0, __VA_ARGS__);                   \
        }                                                                              \
    } while (0)

#define THAssert(exp)                                                                  \
    do {                                                                               \
        if (!(exp))                                                                    \
            _THAssertionFailed(__FILE__, __LINE__, #exp, "%s", "");                    \
    } while (0)

#define THAssertMsg(exp, ...)                                                          \
    do {                                                                               \
        if (!(exp))                                                                    \
            _THAssertionFailed(__FILE__, __LINE__, #exp, __VA_ARGS__);                 \
    } while (0)

/* The text of a shape, returned by value. */
#define TH_DESC_BUFF_LEN 64
typedef struct {
    char str[TH_DESC_BUFF_LEN];
} THDescBuff;

/* "[2 x 3]" */
TH_API THDescBuff _THSizeDesc(const long *size, const long ndim);

/* ---- memory, threads ---- */

/* `size` bytes, NULL for 0; an error without memory.  THFree(NULL) does nothing. */
TH_API void *THAlloc(ptrdiff_t size);
TH_API void *THRealloc(void *ptr, ptrdiff_t size);
TH_API void THFree(void *ptr);

/* Set what the calling thread calls to free memory before an allocation fails. */
TH_API void THSetGCHandler(void (*collect)(void *data), void *data);
TH_API void THHeapUpdate(ptrdiff_t size);

/* The most threads that calls use; the number of processors of the machine. */
TH_API void THSetNumThreads(int num_threads);
TH_API int THGetNumThreads(void);
TH_API int THGetNumCores(void);
TH_API void THInferNumThreads(void);

TH_API double THLog1p(const double x);

/*
 * Set the line that the calling thread's next operation is called from, for reports.
 * The macros of THCallSites.h do it after evaluating the arguments.  `file` must last.
 */
TH_API void THCallSite(const char *file, int line);

/*
 * Whether this is a shadow run (<broadloom/shadow.h>): then calls that read elements
 * record their line, too.
 */
TH_API int THHasShadows_;
#if defined(__GNUC__)
#define TH_HAS_SHADOWS_                                                                \
    __builtin_expect(__atomic_load_n(&THHasShadows_, __ATOMIC_RELAXED), 0)
#else
#define TH_HAS_SHADOWS_ THHasShadows_
#endif

/*
 * Report a call of a reduction without keepdim, where that warning is on; `address` is
 * the one that it returns to.
 */
TH_API void THKeepdimDefault_(const char *function, const void *address);

#endif
