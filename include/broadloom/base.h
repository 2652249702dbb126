/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every other header needs: version, visibility, limits, status codes and the
 * text of the last error.  The enumerations are in tables.h.
 *
 * Compatibility, from version 0.2 on:
 *
 * - Within 0.x, a program that was built against an older release links and runs with a
 *   newer library.  The soname is libbroadloom.so.1; functions are added, never removed
 *   or changed, and each symbol has the version of the release that added it
 *   (lib/abi.txt); the values of enumerators stay.  A program that needs a newer
 *   library than it finds is refused by the dynamic linker.
 * - Structs whose first member is `size` may get members at their end.  `size` is the
 *   sizeof that the program was compiled with, so that both sides know what the other
 *   knows.  In a struct that a call reads, members beyond `size` have their defaults;
 *   one that is newer than the library must be 0, else the call is refused with
 *   BL_ERR_UNSUPPORTED.  A struct that a call fills in is written up to `size`, with 0
 *   in members newer than the library.  A `size` below that of the first release is
 *   BL_ERR_ARGUMENT.  A struct that the library hands to a callback has the library's
 *   `size`: members beyond it are not there.
 *   Such a struct has no padding at its end.  Members named `reserved` are 0: a call
 *   refuses others with BL_ERR_UNSUPPORTED, and fills them in with 0; a later release
 *   may give them a meaning and a name.
 * - An enumerator or a bit of flags that the library does not know is refused with
 *   BL_ERR_ARGUMENT; the message names the call's argument and the value.
 * - These have no such member and never change: bl_array, bl_shape, bl_layout,
 *   bl_range, bl_scalar, bl_slice, bl_placement, bl_allocator, bl_pairing,
 *   bl_plan_loop, bl_rules_operand, bl_rules_event, bl_rules_answer,
 *   bl_broadcast_info, bl_error_operand.
 * - <broadloom/expr.h> is experimental: what it declares may change until 1.0.
 * - From 1.0 on each major version has a soname, and the same holds within it.
 */
#ifndef BROADLOOM_BASE_H
#define BROADLOOM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <broadloom/tables.h>

#define BL_VERSION_MAJOR  0
#define BL_VERSION_MINOR  3
#define BL_VERSION_PATCH  0
#define BL_VERSION_STRING "0.3.0"

/* True where this header is of version major.minor.patch or newer. */
#define BL_VERSION_GE(major, minor, patch)                                             \
    (BL_VERSION_MAJOR > (major) ||                                                     \
     (BL_VERSION_MAJOR == (major) &&                                                   \
      (BL_VERSION_MINOR > (minor) ||                                                   \
       (BL_VERSION_MINOR == (minor) && BL_VERSION_PATCH >= (patch)))))

/*
 * In C++ without the warnings that some programs turn on, about what is C's in these
 * headers.
 */
/* clang-format off */
#if defined(__cplusplus) && defined(__GNUC__)
#define BL_BEGIN_DECLS                                                                 \
    _Pragma("GCC diagnostic push")                                                     \
    _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")                             \
    _Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"")              \
    extern "C" {
#define BL_END_DECLS } _Pragma("GCC diagnostic pop")
#elif defined(__cplusplus)
#define BL_BEGIN_DECLS extern "C" {
#define BL_END_DECLS   }
#else
#define BL_BEGIN_DECLS
#define BL_END_DECLS
#endif
/* clang-format on */

/*
 * BL_NAMED: an exported function with a body in the header.  A direct call is always
 * inlined, even without optimisation, so that the address in a warning is the caller's;
 * a function pointer, dlsym or another language gets the exported symbol.
 * BL_INLINE: a function that is always inlined, too, and has no symbol.
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

/* Discard a status on purpose: BL_IGNORE(bl_fill(ctx, a, value)). */
#define BL_IGNORE(call) ((void)((call) == BL_OK))

/*
 * Largest number of dimensions of a shape, the same in every 0.x, and of inputs of an
 * operation, which a later release may raise up to the number that structs have room
 * for: the result and the inputs are bits of an uint32_t.
 */
#define BL_MAX_RANK     64
#define BL_MAX_INPUTS   7
#define BL_INPUTS_LIMIT 31

BL_BEGIN_DECLS

/*
 * The version of the library that runs, as "0.3.0".  BL_VERSION_STRING is the version
 * of the header.  A static string.  Thread-safe.
 */
BL_API const char *bl_version(void);

/*
 * One line on how this library was built: compiler, OpenMP runtime, instruction sets,
 * source of the mathematical functions; the commit that was configured, or the release,
 * and the arguments of configure.  A static string.  Thread-safe.
 */
BL_API const char *bl_config_string(void);

/*
 * The text of a status code, lower case, as "shapes do not fit".  A static string,
 * never NULL, also for a value that is no status.  Thread-safe.
 */
BL_API const char *bl_status_string(bl_status status);

/*
 * The error message of the calling thread's last refused call, for example "The size of
 * tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"
 * (PyTorch's wording where PyTorch has one).  Empty before the first refusal; calls
 * that succeed leave it alone.  Valid until the thread's next refused call or its end.
 * Without memory, as in destructors of thread-specific data, it is the status's text.
 */
BL_API const char *bl_error_message(void);

/*
 * The refused call with its arguments, as "bl_add_inplace(a f32[2,3], b f32[4])": see
 * <broadloom/error.h>, which has the error in parts.  Empty where there is no memory
 * for it.  Valid as long as the result of bl_error_message().
 */
BL_API const char *bl_error_where(void);

/*
 * Set the calling thread's error message and return `status`: for rules and callbacks
 * that a program brings.  `format` is printf's.  Messages longer than about 1000 bytes
 * are cut.  errno is left alone.
 */
BL_API bl_status bl_error_set(bl_status status, const char *format, ...)
    BL_PRINTF(2, 3);

/* Size in bytes of one element of a dtype; 0 for a value that is none.  Thread-safe. */
BL_API size_t bl_dtype_size(bl_dtype dtype);

/*
 * Short name of a dtype, as "f32"; NULL for a value that is no dtype.  A static string.
 * Thread-safe.
 */
BL_API const char *bl_dtype_name(bl_dtype dtype);

/* The dtype of a short name; BL_DTYPE_NONE if there is none.  Thread-safe. */
BL_API bl_dtype bl_dtype_find(const char *name);

/*
 * Receives text in pieces of `length` bytes, which are not terminated by 0, and returns
 * false to stop.  The function that writes then returns BL_ERR_IO.
 */
typedef bool (*bl_write_function)(void *user, const char *text, size_t length);

BL_END_DECLS

#endif
