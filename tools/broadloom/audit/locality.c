/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts local and remote memory with one bit per cache line; a 4 KiB piece is a word.
 */
#include "locality.h"

#include <stdlib.h>

#include "access_footprint.h"

bl_status locality_open(int32_t nodes, struct locality *locality)
{
    struct locality_node *const node = calloc((size_t)nodes, sizeof *node);

    if (!node)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d nodes", (int)nodes);
    *locality = (struct locality){nodes, 0, node};
    return BL_OK;
}

void locality_free(struct locality *locality)
{
    free(locality->node);
    *locality = (struct locality){0};
}

struct locality_node locality_sum(const struct locality *locality)
{
    struct locality_node sum = {0, 0};

    for (int32_t n = 0; n < locality->nodes; n++) {
        sum.local += locality->node[n].local;
        sum.remote += locality->node[n].remote;
    }
    return sum;
}

double locality_percent(const struct locality *locality)
{
    const struct locality_node sum = locality_sum(locality);
    const int64_t all = sum.local + sum.remote;

    return all ? 100.0 * (double)sum.local / (double)all : 100;
}

int64_t pieces_of(int64_t bytes)
{
    return (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
}

/* Bitmap of touched cache lines, one word for each piece of the memory. */
struct lines {
    uint64_t *word;
    int64_t first;
};

static void mark(void *user, int64_t begin, int64_t end)
{
    const struct lines *const lines = user;
    const int64_t last = (lines->first + end - 1) / CACHE_LINE_BYTES;
    int64_t at = (lines->first + begin) / CACHE_LINE_BYTES;

    while (at <= last) {
        if (at % 64 == 0 && last - at >= 63) {
            lines->word[at / 64] = ~UINT64_C(0);
            at += 64;
        } else {
            lines->word[at / 64] |= UINT64_C(1) << at % 64;
            at++;
        }
    }
}

static int32_t bits_of(uint64_t word)
{
    int32_t bits = 0;

    for (; word; word &= word - 1)
        bits++;
    return bits;
}

bl_status locality_range(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const int32_t *where,
                         bl_range range, int32_t node)
{
    const int64_t pieces = pieces_of(extent->bytes);
    struct lines lines = {calloc((size_t)pieces, sizeof *lines.word), extent->first};

    if (!lines.word)
        return bl_error_set(BL_ERR_MEMORY, "no memory to count lines");
    footprint_runs(info, k, extent->size, range, mark, &lines);
    for (int64_t p = 0; node >= 0 && node < locality->nodes && p < pieces; p++) {
        const int64_t bytes = (int64_t)CACHE_LINE_BYTES * bits_of(lines.word[p]);

        if (where[p] == node)
            locality->node[node].local += bytes;
        else if (where[p] >= 0)
            locality->node[node].remote += bytes;
        else
            locality->unknown += bytes;
    }
    free(lines.word);
    return BL_OK;
}

bl_status locality_ideal(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const struct slices *slices,
                         int32_t threads)
{
    const int64_t pieces = pieces_of(extent->bytes);
    int32_t *const where = malloc(((size_t)pieces + 1) * sizeof *where);
    bl_status status = BL_OK;
    struct slices page_nodes;

    if (!where)
        return bl_error_set(BL_ERR_MEMORY, "no memory to count lines");
    status = slices_of_memory(extent->bytes, threads, &page_nodes);
    if (status == BL_OK) {
        for (int64_t p = 0; p < pieces; p++)
            where[p] = slices_node(&page_nodes, p * PIECE_BYTES);
        for (int32_t i = 0; status == BL_OK && i < slices->count; i++)
            status = locality_range(locality, info, k, extent, where,
                                    slices->slice[i].range, slices->slice[i].node);
        slices_free(&page_nodes);
    }
    free(where);
    return status;
}
