/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the other parts of <broadloom/broadloom.hpp> stand on: the C interface, whether
 * there are exceptions, and the namespace of this version.
 */
#ifndef BROADLOOM_CXX_CONFIG_HPP
#define BROADLOOM_CXX_CONFIG_HPP

#if __cplusplus < 201703L
#error "<broadloom/broadloom.hpp> needs C++17"
#endif

#include <broadloom.h>

/*
 * Everything is in an inline namespace, so that object files compiled with different
 * versions of this header can be linked together.  With and without exceptions the same
 * functions are compiled to different code, so each has a namespace: a file of one kind
 * passes a tensor to one of the other as a bl_tensor.
 */
/* clang-format off */
#ifdef __cpp_exceptions
#define BROADLOOM_EXCEPTIONS 1
#define BROADLOOM_BEGIN      namespace broadloom { inline namespace v0 {
#else
#define BROADLOOM_EXCEPTIONS 0
#define BROADLOOM_BEGIN      namespace broadloom { inline namespace v0_noexcept {
#endif
#define BROADLOOM_END }}
/* clang-format on */

/*
 * As the C functions with a body in the header: inlined even without optimisation, so
 * that the address in a warning (<broadloom/warnings.h>) is the caller's.
 * BROADLOOM_OUTLINE keeps what is long out of many callers.
 */
#ifdef __GNUC__
#define BROADLOOM_INLINE  [[gnu::always_inline]] inline
#define BROADLOOM_OUTLINE [[gnu::noinline]] inline
#else
#define BROADLOOM_OUTLINE inline
#define BROADLOOM_INLINE  inline
#endif

#endif
