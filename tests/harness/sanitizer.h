/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program is built with a sanitizer: some questions cannot be asked then.
 * A sanitizer needs more memory, stack and threads than the program, and
 * ThreadSanitizer holds locks of its own while handlers of forks run.
 */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef HAS_ADDRESS_SANITIZER
#define HAS_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__)
#define HAS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#endif
#ifndef HAS_THREAD_SANITIZER
#define HAS_THREAD_SANITIZER 0
#endif

#define IS_SANITIZED (HAS_ADDRESS_SANITIZER || HAS_THREAD_SANITIZER)

#endif
