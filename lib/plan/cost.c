/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost model: the number of threads for a plan is its estimated time on one core
 * over the time that pays for one more thread.  It is the same on every machine.
 */
#include "plan/cost.h"
#include "plan/non_temporal.h"

/*
 * Nanoseconds on one core with operands in its caches, measured on an AMD EPYC (Zen 5)
 * with AVX-512; AVX2 takes up to twice as long.  From add and div over 4096 to 65536
 * elements: 0.05 ns per element of f32 (12 bytes), 0.35 where operands are strided and
 * not staged, 4 ns to begin a row; 0.06 more for each staged operand.
 */
#define NS_PER_BYTE 0.004
#define NS_PER_TILE 0.06
/*
 * The same per byte where all operands are more than L2 holds.  Zen 5: add of
 * f32[65536] takes 3.5 us, of f32[98304] 9.1, of f32[131072] 14.3.
 */
#define NEAR_BYTES      (1 << 20)
#define NS_PER_BYTE_FAR 0.008
/*
 * The same per byte of operands that no loop repeats, which are in L2 or beyond,
 * without AVX-512, measured on an AMD EPYC (Zen 3): add of f32 takes 1.95 us for 16384
 * elements and 4.2 for 32768. With two threads, as this says, 32768 f32 take 0.70 of
 * the time, 57344 0.62, 16384 f64 0.73 and 24576 f64 0.60.
 */
#define NS_PER_BYTE_AVX2 0.009
#define NS_PER_STEP      0.35
#define NS_PER_ROW       4.0

/*
 * Nanoseconds per element of vector functions, by the class of dtype: from exp, sin,
 * pow and floor_divide of 4096 elements.  Rough, since they differ by a factor of ten.
 * Too low costs a small call some of its speed, too high costs it a parallel region.
 */
#define NS_PER_INT     0.7
#define NS_PER_F32     0.5
#define NS_PER_F64     2.0
#define NS_PER_COMPLEX 20.0

/*
 * Nanoseconds per element of expressions that take longer than their operands' bytes:
 * with halves, which are widened and rounded, and those that divide or take roots.
 */
#define NS_PER_F16              0.03
#define NS_PER_BF16             0.06
#define NS_PER_F32_QUOTIENT     0.04
#define NS_PER_F32_ROOT         0.07
#define NS_PER_F64_QUOTIENT     0.15
#define NS_PER_F64_ROOT         0.25
#define NS_PER_COMPLEX_QUOTIENT 0.2

/* Whether all operands are contiguous along loop 0; inputs may have stride 0. */
static bool is_even(const struct bl_plan *plan)
{
    for (int32_t k = 0; k <= plan->inputs; k++) {
        const int64_t step = plan->nest.stride[0][k];

        if (step != plan->size[k] && (step != 0 || k == 0))
            return false;
    }
    return true;
}

double bli_plan_function_ns(const struct bl_plan *plan)
{
    const bl_dtype dtype = plan->computed[plan->inputs];

    if (plan->op == BL_OP_NONE)
        return plan->user_ns;
    if (bli_ops[plan->op].impl < BLI_IMPL_VECTOR)
        return 0;
    switch (bli_dtypes[dtype].class) {
    case BLI_CLASS_FLOAT:
        return dtype == BL_DTYPE_F64 ? NS_PER_F64 : NS_PER_F32;
    case BLI_CLASS_COMPLEX:
        return NS_PER_COMPLEX;
    default:
        return NS_PER_INT;
    }
}

/* Nanoseconds of a quotient or a root that its bytes do not tell. */
static double quotient_ns(bl_dtype dtype, bool is_root)
{
    switch (bli_dtypes[dtype].class) {
    case BLI_CLASS_FLOAT:
        if (dtype == BL_DTYPE_F64)
            return is_root ? NS_PER_F64_ROOT : NS_PER_F64_QUOTIENT;
        return is_root ? NS_PER_F32_ROOT : NS_PER_F32_QUOTIENT;
    case BLI_CLASS_COMPLEX:
        return NS_PER_COMPLEX_QUOTIENT;
    default:
        return 0;
    }
}

double bli_plan_reduced_ns(bl_dtype dtype)
{
    return dtype == BL_DTYPE_F16    ? NS_PER_F16
           : dtype == BL_DTYPE_BF16 ? NS_PER_BF16
                                    : 0;
}

double bli_plan_expression_ns(const struct bl_plan *plan)
{
    const double ns = bli_plan_reduced_ns(plan->common);

    if (plan->op == BL_OP_COPY)
        return 0;
    switch (plan->op) {
    case BL_OP_DIV:
    case BL_OP_RECIPROCAL:
        return ns + quotient_ns(plan->common, false);
    case BL_OP_SQRT:
    case BL_OP_RSQRT:
        return ns + quotient_ns(plan->common, true);
    default:
        return ns;
    }
}

/* Nanoseconds of one byte of operand `k`. */
static double byte_ns(const struct bl_plan *plan, int32_t k)
{
    if (bli_isa_has_512_bits(plan->isa))
        return bli_plan_traffic(plan) > NEAR_BYTES ? NS_PER_BYTE_FAR : NS_PER_BYTE;
    for (int32_t i = 0; i < plan->nest.loops; i++)
        if (plan->nest.stride[i][k] == 0 && plan->nest.extent[i] > 1)
            return NS_PER_BYTE;
    return NS_PER_BYTE_AVX2;
}

/* Estimated nanoseconds of one iteration on one core. */
static double iteration_ns(const struct bl_plan *plan)
{
    double ns = bli_plan_function_ns(plan);

    if (ns == 0)
        ns = bli_plan_expression_ns(plan);
    if (!plan->tiling.is_used && !is_even(plan))
        ns += NS_PER_STEP;
    for (int32_t k = 0; k <= plan->inputs; k++) {
        ns += byte_ns(plan, k) * (double)plan->size[k];
        if (plan->tiling.staged >> k & 1)
            ns += NS_PER_TILE;
    }
    return ns;
}

int32_t bli_threads_for(double ns)
{
    const double grains = ns / BLI_GRAIN_NS;

    if (grains < 2.0)
        return 1;
    return grains < (double)INT32_MAX ? (int32_t)grains : INT32_MAX;
}

int32_t bli_plan_thread_count(const struct bl_plan *plan)
{
    const double count = (double)plan->nest.count;
    const double rows = count / (double)plan->nest.extent[0];

    return bli_threads_for(count * iteration_ns(plan) + rows * NS_PER_ROW);
}
