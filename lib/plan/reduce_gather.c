/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how many runs of elements are copied to a buffer before they are reduced. */
#include "plan/reduce_choose.h"

/*
 * Bytes of the runs that are gathered at once where they are strided in memory, side by
 * side, so that a cache line is used up before it is evicted, and maximum bytes that
 * are gathered: f32[1000,1000], transposed, takes 0.8 of the time of 512 bytes that
 * pass through a buffer, f32[32,56,56,64] in the order 0312 0.65 to 0.8. From memory it
 * is twice as many: f32[30000,1000] takes 0.84 of the time with AVX2, 0.95 with
 * AVX-512.
 *
 * In the caches of Intel's machines, whose L2 is slow beside L1, fewer where these are
 * in L1 until they are reduced, if a line of each run is at once.  Emerald Rapids,
 * AVX-512 and AVX2, transposed: f32[250,250] takes .70 and .64 of the time, f32[200,
 * 200] .81 and .63, f32[100,100] .89 and .80, bf16[200,200] .72 and .78, f32[300,300]
 * .82 and .98, f32[50,100,90] .89 and .73; but f32[500,500] .89 and 1.12, f64[200,200]
 * 1.26 and 1.15.
 */
#define BYTES_ASIDE    256
#define FAR_ASIDE      512
#define GATHERED_BYTES (1 << 19)
#define GATHERED_L1    (16 << 10)
#define MOST_L1        (20 << 10)
#define RUNS_AT_ONCE   16

/* Runs that are gathered at once, side by side. */
static int64_t runs_aside(const struct bli_reduce_plan *plan)
{
    const int64_t bytes = plan->reduced.extent[0] * plan->size;
    const int64_t usual = (plan->is_near ? BYTES_ASIDE : FAR_ASIDE) / plan->size;
    const int64_t least = BLI_ALIGNMENT / plan->size;
    int64_t fits;

    if (!plan->is_near || plan->size > 4 || bytes == 0 || least * bytes > MOST_L1 ||
        bli_machine_is_amd())
        return usual;
    fits = GATHERED_L1 / bytes / RUNS_AT_ONCE * RUNS_AT_ONCE;
    return bli_least(usual, fits > least ? fits : least);
}

int64_t bli_reduce_blocks_at_once(const struct bli_reduce_plan *plan, bool is_across)
{
    const int64_t most = GATHERED_BYTES / plan->tile_size / BLI_REDUCE_BLOCK;
    const int64_t run = plan->reduced.extent[0];
    const int64_t runs = runs_aside(plan);
    int64_t blocks;

    for (int32_t i = 1; i < plan->reduced.loops; i++)
        is_across = is_across || (plan->reduced.extent[i] > 1 &&
                                  bli_reduce_distance(plan->reduced.stride[i][1]) <
                                      bli_reduce_distance(plan->reduced.stride[0][1]));
    if (!is_across || plan->by_columns || plan->blocks == 1)
        return 0;
    blocks = run < most * BLI_REDUCE_BLOCK / runs
                 ? (run * runs - 1) / BLI_REDUCE_BLOCK + 1
                 : most;
    return blocks + 1; /* what is kept of a block from turn to turn */
}
