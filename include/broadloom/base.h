/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every other header needs: version, visibility, limits, status codes and the
 * text of the last error.  The enumerations themselves are in tables.h.
 */
#ifndef BROADLOOM_BASE_H
#define BROADLOOM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <broadloom/tables.h>

#define BL_VERSION_MAJOR  0
#define BL_VERSION_MINOR  2
#define BL_VERSION_PATCH  0
#define BL_VERSION_STRING "0.2.0"

/* True where this header is of version (major, minor, patch) or newer. */
#define BL_VERSION_GE(major, minor, patch)                                             \
    (BL_VERSION_MAJOR > (major) ||                                                     \
     (BL_VERSION_MAJOR == (major) &&                                                   \
      (BL_VERSION_MINOR > (minor) ||                                                   \
       (BL_VERSION_MINOR == (minor) && BL_VERSION_PATCH >= (patch)))))

#ifdef __cplusplus
#define BL_BEGIN_DECLS extern "C" {
#define BL_END_DECLS   }
#else
#define BL_BEGIN_DECLS
#define BL_END_DECLS
#endif

/*
 * BL_NAMED: exported functions with a body in the header.  A direct call is part of its
 * caller even where nothing is optimised, so that the addresses of warnings are the
 * caller's; a pointer, dlsym or another language gets the exported symbol.
 * BL_INLINE: functions that are part of their caller likewise, and have no symbol.
 */
#if defined(__GNUC__)
#ifndef BL_NAMED
#define BL_NAMED extern inline __attribute__((gnu_inline, always_inline))
#endif
#define BL_API                 __attribute__((visibility("default")))
#define BL_INLINE              static inline __attribute__((always_inline))
#define BL_MUST_CHECK          __attribute__((warn_unused_result))
#define BL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#ifndef BL_NAMED
#define BL_NAMED static inline
#endif
#define BL_API
#define BL_INLINE static inline
#define BL_MUST_CHECK
#define BL_PRINTF(text, first)
#endif

/* A status that is dropped on purpose: BL_IGNORE(bl_fill(ctx, a, value)). */
#define BL_IGNORE(call) ((void)((call) == BL_OK))

/* Largest number of dimensions of a shape, and of inputs of an operation. */
#define BL_MAX_RANK   64
#define BL_MAX_INPUTS 7

BL_BEGIN_DECLS

/*
 * The version of the library that runs: "0.2.0".  A static string.
 * Thread-safe.
 */
BL_API const char *bl_version(void);

/*
 * One line on how this library was built: compiler, OpenMP, instruction sets,
 * where mathematics comes from.  A static string.  Thread-safe.
 */
BL_API const char *bl_config_string(void);

/*
 * The text of a status code, lower case, as "shapes do not fit".
 * A static string, also for numbers that are no status.  Thread-safe.
 */
BL_API const char *bl_status_string(bl_status status);

/*
 * What the calling thread's last refused call had to say, for example "The size of
 * tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"
 * (PyTorch's wording where PyTorch has one).  Empty before the first refusal; calls
 * that succeed leave it alone.  Valid until the thread's next refused call or its end:
 * destructors of thread-specific data may find a shorter text, or none of where.
 */
BL_API const char *bl_error_message(void);

/*
 * Where it happened: the operation with its operands in the notation of the tools,
 * "add: f32[2,3] f32[3,2]", or the empty string.  Same life as bl_error_message().
 */
BL_API const char *bl_error_where(void);

/*
 * Set the calling thread's error text and return `status`: how rules, operators and
 * callbacks that a program brings report in the library's way.  `format` is printf's.
 * Texts longer than about 1000 bytes are cut.  errno is left alone.
 */
BL_API bl_status bl_error_set(bl_status status, const char *format, ...)
    BL_PRINTF(2, 3);

/* Size in bytes of one element of `dtype`; 0 if it is no dtype.  Thread-safe. */
BL_API size_t bl_dtype_size(bl_dtype dtype);

/* Short name as in "f32"; NULL if it is no dtype.  A static string.  Thread-safe. */
BL_API const char *bl_dtype_name(bl_dtype dtype);

/* The dtype of that short name, BL_DTYPE_NONE if there is none.  Thread-safe. */
BL_API bl_dtype bl_dtype_find(const char *name);

/*
 * A sink of text: `write` gets `length` bytes that are not terminated, in pieces, and
 * returns false to stop.  Functions that write return BL_ERR_IO when it did.
 */
typedef bool (*bl_write_function)(void *user, const char *text, size_t length);

BL_END_DECLS

#endif
