/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One of the two builds of the library that are compared, opened by its path: the
 * functions of its public interface that the benchmark calls, and its contexts.
 */
#ifndef BENCH_PAIR_LIBRARY_H
#define BENCH_PAIR_LIBRARY_H

#include <broadloom.h>

#define LIBRARY_FUNCTIONS(F)                                                           \
    F(version)                                                                         \
    F(error_message)                                                                   \
    F(dtype_find)                                                                      \
    F(dtype_size)                                                                      \
    F(op_find)                                                                         \
    F(op_query)                                                                        \
    F(op_result_dtype)                                                                 \
    F(apply)                                                                           \
    F(context_create)                                                                  \
    F(context_destroy)                                                                 \
    F(context_set_threads)                                                             \
    F(context_isa)                                                                     \
    F(plan_create)                                                                     \
    F(plan_execute)                                                                    \
    F(plan_destroy)

#define LIBRARY_MEMBER(name) __typeof__(&bl_##name) name;

enum { OLD, NEW, LIBRARIES };

struct library {
    LIBRARY_FUNCTIONS(LIBRARY_MEMBER)
    bl_context *one;  /* of one thread */
    bl_context *many; /* of as many as large workloads have */
};

/*
 * Open the shared library at `path`, so that its symbols are its own, and create its
 * contexts, the second of `threads` threads.  On failure writes a message to stderr
 * and returns false.
 */
bool library_open(const char *path, int32_t threads, struct library *library);

#endif
