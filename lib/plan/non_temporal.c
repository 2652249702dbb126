/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the results that are written with non-temporal stores: those that the
 * last-level caches do not keep until they are read.
 */
#include "plan/non_temporal.h"

/*
 * Limits for a result, and for all that is read and written, as parts of the last-level
 * caches.  Cached stores read every line first; below the limits the next reader finds
 * the result in the cache.
 *
 * With AVX-512, a cache of 32 MiB (Zen 5): 34 MB that were written again and again took
 * 0.43 ms with cached stores, 0.81 ms with non-temporal ones; 67 MB took as long either
 * way, and 268 MB 1.3 times as long with cached stores.  With inputs the cache is full
 * sooner: add of 25 MB and 25 MB took 0.85 of the time with non-temporal stores.
 */
#define NT_RESULT  1.25
#define NT_TRAFFIC 2.0
/*
 * With narrower registers, a cache of 32 MiB (Zen 3): an add took 0.66 of the time with
 * non-temporal stores, by two threads or by one, where it read and wrote 54 MB, 0.7 to
 * 1.1 with 36 MB, 0.9 to 1.6 with 16 to 24 MB.
 */
#define NT_TRAFFIC_AVX2 1.5

/*
 * A smaller part of the traffic than this is not what fills the caches: of a call, with
 * up to three arrays and numbers, and with narrower registers of an expression, which
 * may have many operands.  Zen 3, one and two threads: less than of f32, a ninth, took
 * 1.05 to 1.2 times as long with non-temporal stores, f64 to f16, a fifth, 1.0 to 1.17;
 * addcmul .75 to .98, sums and products of four to seven arrays .7 to .95, of which
 * (a * b + c) * d - b of 64 MiB each .8.
 */
#define NT_SHARE            0.24
#define NT_SHARE_EXPRESSION 0.12

bool bli_plan_is_large(const struct bli_isa *isa, struct bli_caches caches,
                       double bytes, double traffic, bool is_call)
{
    const bool is_wide = bli_isa_has_512_bits(isa);
    const double share = is_wide || is_call ? NT_SHARE : NT_SHARE_EXPRESSION;

    if (traffic < BLI_CACHES_ASKED)
        return false;
    const double all = bli_caches_bytes(caches);
    const bool alone = bytes > all * NT_RESULT, is_share = bytes >= traffic * share;

    return is_wide ? alone || (traffic > all * NT_TRAFFIC && is_share)
                   : is_share && (alone || traffic > all * NT_TRAFFIC_AVX2);
}

bool bli_plan_is_move(const struct bl_plan *plan)
{
    return plan->op == BL_OP_COPY && plan->dtype[0] == plan->dtype[1];
}

bool bli_plan_has_nt_kernel(const struct bl_plan *plan)
{
    return plan->op != BL_OP_NONE && bli_ops[plan->op].impl < BLI_IMPL_VECTOR &&
           !bli_plan_is_move(plan);
}

double bli_plan_own_bytes(const struct bl_plan *plan, int32_t k)
{
    double bytes = (double)plan->size[k];

    for (int32_t i = 0; i < plan->nest.loops; i++)
        if (plan->nest.stride[i][k] != 0)
            bytes *= (double)plan->nest.extent[i];
    return bytes;
}

bool bli_plan_is_number(const struct bl_plan *plan, int32_t k)
{
    return bli_plan_own_bytes(plan, k) == (double)plan->size[k];
}

double bli_plan_traffic(const struct bl_plan *plan)
{
    double bytes = 0;

    for (int32_t k = 0; k <= plan->inputs; k++)
        bytes += bli_plan_own_bytes(plan, k);
    return bytes;
}

/* Bytes of one contiguous segment of the result; counting stops at BLI_NT_ROW. */
static int64_t segment(const struct bl_plan *plan)
{
    const struct bli_nest *const nest = &plan->nest;
    int64_t bytes = plan->size[0];

    for (int32_t i = 0; i < nest->loops; i++) {
        if (nest->extent[i] != 1 && nest->stride[i][0] != bytes)
            break;
        bytes *= nest->extent[i];
        if (bytes >= BLI_NT_ROW)
            break;
    }
    return bytes;
}

bool bli_plan_wants_nt(const struct bl_plan *plan, struct bli_caches caches,
                       double traffic)
{
    const double bytes = (double)plan->nest.count * (double)plan->size[0];

    return bli_plan_is_large(plan->isa, caches, bytes, traffic, true) &&
           segment(plan) >= BLI_NT_ROW;
}

/*
 * Whether the rows of a multi-loop tile's part of the result begin and end with cache
 * lines, or with halves.  Others are edges: add of f32[2900,2900] and a transposed
 * operand took 1.2 times as long with non-temporal stores, where rows begin anywhere in
 * a line, f32[4001,4001] 1.2, f32[2904,2904] 1.0 and f32[5000,5000] 0.9 (Zen 3).
 */
static bool has_even_rows(const struct bl_plan *plan, int32_t first)
{
    for (int32_t i = first; i < plan->nest.loops; i++)
        if (plan->nest.extent[i] > 1 &&
            plan->nest.stride[i][0] % (BLI_ALIGNMENT / 2) != 0)
            return false;
    return true;
}

/* Whether a multi-loop tile's part of the result is mostly whole cache lines. */
static bool has_full_lines(const struct bl_plan *plan)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    int64_t bytes = plan->size[0];
    int32_t d;

    for (d = 0; d < tiling->dims && tiling->loop[d] == d; d++) {
        bytes *= tiling->tile_extent[d];
        if (tiling->tile_extent[d] != plan->nest.extent[d])
            break;
    }
    if (tiling->dims == 0 || bytes >= 4 * BLI_NT_ROW)
        return true;
    return bytes % BLI_ALIGNMENT == 0 &&
           (bli_isa_has_512_bits(plan->isa) || has_even_rows(plan, d + 1));
}

/*
 * Whether a result whose kernel has no non-temporal stores is staged for them.  Long
 * copies are left to the C library, which has its own limit; transposed ones take 0.7
 * to 0.9 of the time.  Vector functions take longer where registers for memory are
 * narrower than 512 bits: exp and sin of 100 MB of f32 1.2 times as long, log of f64
 * and hypot 1.0 to 1.1 (Zen 3); of 64 MB, computed with 512 bits, exp of f32 1.27 and
 * 1.16, of f64 1.15 and 1.11, 50 others 1.01 to 1.2, with one thread and two (Zen 4).
 */
static bool may_stage_for_nt(const struct bl_plan *plan)
{
    const bool is_staged = plan->tiling.staged & 1 || plan->tiling.dims > 0;
    const struct bli_isa *const isa =
        is_staged ? plan->isa : bli_isa_for_memory(plan->isa);

    return bli_plan_is_move(plan) ? plan->tiling.dims > 0 : bli_isa_has_512_bits(isa);
}

void bli_plan_settle_nt(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const bool has_kernel = bli_plan_has_nt_kernel(plan);

    tiling->non_temporal = tiling->non_temporal && has_full_lines(plan) &&
                           (has_kernel || may_stage_for_nt(plan));
    tiling->stages_result_for_nt = tiling->non_temporal && !has_kernel;
}
