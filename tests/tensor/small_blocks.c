/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that are not large: where they begin, that their room is theirs, and that
 * results of some hundred KiB that come and go get no new pages.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/tap.h"
#include "machine/machine.h"

#define MIB ((int64_t)1 << 20)
#define KIB ((int64_t)1 << 10)

static const struct bli_placing touched = {.placement = {BL_PLACEMENT_FIRST_TOUCH, 0}};

/* Whether a block is zero and aligned, and can be written; then it is. */
static bool is_new_block(char *block, int64_t bytes, uintptr_t alignment)
{
    bool pass = block && (uintptr_t)block % alignment == 0;

    for (int64_t at = 0; pass && at < bytes; at++)
        pass = block[at] == 0;
    if (pass)
        memset(block, 1, (size_t)bytes);
    return pass;
}

/* Blocks that are not large: their room ends behind them, wherever they begin. */
static void test_small_pages(void)
{
    enum { BLOCKS = 32 };
    static const int64_t bytes[] = {64 * KIB, 64 * KIB + 1, 100000, 3 * MIB,
                                    4 * MIB - 1};
    char *block[BLOCKS];
    bool differ = false;

    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        bool pass = true;

        for (int k = 0; k < BLOCKS; k++) {
            block[k] = bli_block_allocate(NULL, (size_t)bytes[i], &touched);
            pass = is_new_block(block[k], bytes[i], BLI_ALIGNMENT) && pass;
            differ = differ || (uintptr_t)block[k] % 4096 != (uintptr_t)*block % 4096;
        }
        for (int k = 0; k < BLOCKS; k++)
            bli_block_free(NULL, block[k], (size_t)bytes[i], &touched.placement);
        tap_ok(pass, "blocks of %" PRId64 " bytes, aligned, zero and writable",
               bytes[i]);
    }
    tap_ok(differ, "they do not all begin at the same place of a page");
}

/* Pages that this process was given so far. */
static long new_pages(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : -1;
}

static void test_pages(int64_t pool_limit, long most)
{
    enum { TURNS = 20 };
    const int64_t extent[] = {131072};
    bl_context *ctx;
    bool pass = bl_context_create(&ctx) == BL_OK;
    long before = 0;

    pass = pass && bl_context_set_pool_limit(ctx, pool_limit) == BL_OK;
    for (int i = -1; pass && i < TURNS; i++) {
        bl_tensor *result = NULL, *other = NULL;

        pass = bl_tensor_ones(ctx, BL_DTYPE_F32, 1, extent, &result) == BL_OK &&
               bl_tensor_ones(ctx, BL_DTYPE_F32, 1, extent, &other) == BL_OK;
        bl_tensor_release(other);
        bl_tensor_release(result);
        if (i < 0)
            before = new_pages();
    }
    const long pages = new_pages() - before;

    tap_ok(pass && pages <= most,
           "%d times two results of 512 KiB, %" PRId64 " bytes kept: %ld new pages",
           TURNS, pool_limit, pages);
    bl_context_destroy(ctx);
}

int main(void)
{
    tap_plan();
    test_small_pages();
    if (BLI_POOLED_BYTES < BLI_LARGE_BYTES)
        test_pages(64 * MIB, 40);
    return tap_done();
}
