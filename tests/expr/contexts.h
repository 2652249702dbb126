/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts that executions are compared in.
 */
#ifndef TESTS_CONTEXTS_H
#define TESTS_CONTEXTS_H

#include <broadloom.h>

#include "harness/same.h"
#include "harness/sanitizer.h"

/* A context of so many threads; an instruction set that is not there is replaced by the
 * best that is. */
static inline bl_context *context_of(int32_t threads, const char *isa)
{
    bl_context *ctx;

    must(bl_context_create(&ctx));
    must(bl_context_set_threads(ctx, threads));
    if (bl_context_set_isa(ctx, isa) != BL_OK)
        must(bl_context_set_isa(ctx, NULL));
    return ctx;
}

/* Sanitizers have one instruction set, and each access takes them long: one thread and
 * seven. */
enum { CONTEXTS = IS_SANITIZED ? 2 : 5, ISAS = IS_SANITIZED ? 1 : 3 };

/* The instruction sets that are compared: NULL is the best. */
static inline const char *isa_of(int i)
{
    static const char *const isas[] = {NULL, "avx2", "base"};

    return isas[i];
}

/* Threads and instruction sets that differ from each other. */
static inline void make_contexts(bl_context **context)
{
    static const struct {
        int32_t threads;
        const char *isa;
    } rows[] = {{1, NULL}, {7, "avx2"}, {2, NULL}, {3, "base"}, {1, "base"}};

    for (int c = 0; c < CONTEXTS; c++)
        context[c] = context_of(rows[c].threads, rows[c].isa);
}

static inline void destroy_contexts(bl_context *const *context)
{
    for (int c = 0; c < CONTEXTS; c++)
        bl_context_destroy(context[c]);
}

#endif
