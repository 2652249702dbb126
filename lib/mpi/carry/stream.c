/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies to blocks that are too large for the caches: with non-temporal stores, so that
 * lines that are written over are not read first, and what passes through memory of the
 * node stays in the caches.
 */
#include "mpi/carry/carry.h"

#include <string.h>

/* Bytes of a block that is too large; tests have smaller ones, and shorter rows. */
#ifndef BLI_LARGE
#define BLI_LARGE (INT64_C(40) << 20)
#endif
#ifndef BLI_LEAST_ROW
#define BLI_LEAST_ROW 256
#endif

enum { LINE = 64 };

/* Store whole lines of the result, from any address to an aligned one. */
typedef void store_lines(char *to, const char *from, int64_t bytes);

#ifdef __x86_64__
#include <immintrin.h>

/* One store of a line takes .9 of the time of four. */
__attribute__((target("avx512f"))) static void store_wide(char *to, const char *from,
                                                          int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k += LINE)
        _mm512_stream_si512((__m512i *)(void *)(to + k), _mm512_loadu_si512(from + k));
}

static void store_narrow(char *to, const char *from, int64_t bytes)
{
    for (int64_t k = 0; k < bytes; k += 16)
        _mm_stream_si128((__m128i *)(void *)(to + k),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
}

static store_lines *find_store(void)
{
    return __builtin_cpu_supports("avx512f") ? store_wide : store_narrow;
}

/* Order these stores before later ones. */
static void fence(void)
{
    _mm_sfence();
}
#else
static store_lines *find_store(void)
{
    return NULL;
}

static void fence(void)
{
}
#endif

static void store_row(store_lines *store, char *to, const char *from, int64_t bytes)
{
    const int64_t before = (int64_t)(-(uintptr_t)to % LINE);
    const int64_t head = before < bytes ? before : bytes;
    const int64_t lines = (bytes - head) / LINE * LINE;

    memcpy(to, from, (size_t)head);
    store(to + head, from + head, lines);
    memcpy(to + head + lines, from + head + lines, (size_t)(bytes - head - lines));
}

/* Rows between two blocks. */
struct rows {
    store_lines *store;
    const bl_layout *to, *from;
    int64_t size, bytes; /* of an element, and of a row */
    int32_t dims;        /* that number the rows */
};

/* Copy the rows of dimension d and those behind it. */
static void store_rows(const struct rows *rows, char *to, const char *from, int32_t d)
{
    if (d == rows->dims) {
        store_row(rows->store, to, from, rows->bytes);
        return;
    }
    for (int64_t i = 0; i < rows->to->extent[d]; i++)
        store_rows(rows, to + i * rows->to->stride[d] * rows->size,
                   from + i * rows->from->stride[d] * rows->size, d + 1);
}

bool bli_block_is_large(const struct bli_block *block)
{
    return bl_layout_numel(&block->layout) * (int64_t)bl_dtype_size(block->dtype) >
           BLI_LARGE;
}

void bli_block_stream(bl_context *ctx, const struct bli_block *to,
                      const struct bli_block *from)
{
    const bl_layout *const out = &to->layout, *const in = &from->layout;
    struct rows rows = {find_store(), out, in, (int64_t)bl_dtype_size(to->dtype), 0,
                        out->rank};
    int64_t row = 1;

    for (; rows.dims > 0; rows.dims--) {
        const int32_t d = rows.dims - 1;

        if (out->extent[d] != 1 && (out->stride[d] != row || in->stride[d] != row))
            break;
        row *= out->extent[d];
    }
    rows.bytes = row * rows.size;
    if (!rows.store || out->element_bytes || in->element_bytes ||
        rows.bytes < BLI_LEAST_ROW) {
        bli_block_copy(ctx, to, from);
        return;
    }
    store_rows(&rows, bli_block_data(to), bli_block_data(from), 0);
    fence();
}
