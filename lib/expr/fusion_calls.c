/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long the steps of a fusion take on one core as calls, and what both ways have in
 * common: rates, bytes.
 */
#include "expr/fusion_boxes.h"
#include "expr/fusion_cost.h"
#include "expr/half_steps.h"

#include "plan/cost.h"

/*
 * Measured with 512 bits on Zen 5, with 256 bits on Zen 3: that is slower, too, which
 * does not matter where the two sides of a comparison are.  What columns take decides
 * about small ones: on Zen 3, and with 512 bits on Zen 4, sum(a * b, 0) of f32[16,16],
 * f64[16,64] and i32[64,8] took 1.6 to 2.6 times as long by calls, which were chosen
 * with 280.  What rounding to bf16 takes decides about these, on Zen 4: without it
 * a * 2.5 + b and (a * b + c) * d - b of bf16[262144] take 1.24 and 1.21 times as long,
 * by programs, with AVX2 a polynomial of three steps 1.29, by kernels; with 2 and 512
 * bits, two threads, 1.2 times for one of 65536.
 */
const struct bli_rates *bli_rates_of(const struct bli_isa *isa)
{
    static const struct bli_rates wide = {.call = 38,
                                          .program = 12,
                                          .byte = 0.003,
                                          .copied_byte = 0.008,
                                          .row = 0.3,
                                          .spread = 0,
                                          .far_row_byte = 0,
                                          .chain = {5, 0.0037, 0.0037},
                                          .tree = {5, 0.0037, 0.0037},
                                          .maximum = 0,
                                          .rounding = {1.5, 1.5},
                                          .few = 0.7,
                                          .sum_byte = 0.010,
                                          .lane_byte = 0.018,
                                          .columns = 56};
    static const struct bli_rates narrow = {.call = 60,
                                            .program = 40,
                                            .byte = 0.008,
                                            .copied_byte = 0.016,
                                            .row = 1.2,
                                            .spread = 1.2,
                                            .far_row_byte = 0.005,
                                            .chain = {3, 0.0077, 0.0077},
                                            .tree = {6, 0.0036, 0},
                                            .maximum = 1,
                                            .rounding = {1.25, 4},
                                            .few = 1.2,
                                            .sum_byte = 0.016,
                                            .lane_byte = 0.014,
                                            .columns = 56};

    return bli_isa_has_512_bits(isa) ? &wide : &narrow;
}

/* Whether a program has f16 or bf16, which it rounds to. */
static bool has_halves(const struct bli_program *program)
{
    uint32_t left = program->streams | program->stills | program->outputs;
    bool has = false;

    for (; left != 0; left &= left - 1)
        has = has || bli_expr_is_half((bl_dtype)program->dtype[__builtin_ctz(left)]);
    return has;
}

const struct bli_program_rates *bli_rates_of_program(const struct bli_isa *isa,
                                                     const struct bli_program *program)
{
    const struct bli_rates *const rates = bli_rates_of(isa);
    const bool is_tree =
        program->banks > 1 && isa->register_bytes > 16 && !has_halves(program);

    return is_tree ? &rates->tree : &rates->chain;
}

bool bli_fusion_rounds_slowly(const struct bli_fusion_draft *draft)
{
    int32_t roundings = 0;

    for (int32_t p = 0; p < draft->made.programs; p++)
        roundings += draft->program[p].roundings;
    return roundings > 0 && !bli_isa_has_512_bits(draft->made.isa) &&
           !bli_machine_is_amd();
}

double bli_fusion_far_ns(double bytes)
{
    return bytes <= CACHE_BYTES    ? 0
           : bytes <= MEMORY_BYTES ? NS_PER_FAR_BYTE * bytes
                                   : NS_PER_MEMORY_BYTE * bytes;
}

/* Bytes of an element that a step reduces. */
static double reduced_bytes(const struct bli_fusion_draft *draft, int32_t i)
{
    const int32_t v = bli_fusion_step(draft, i)->operand[0];

    return bli_dtypes[draft->plan->value[v].dtype].size;
}

/* Of the results of the reduction that step `i` is. */
static double results_ns(const struct bli_fusion_draft *draft, int32_t i)
{
    return draft->made.order == BLI_ORDER_COLUMNS
               ? 0
               : (bli_fusion_has_short_rows(draft,
                                            &draft->fold[draft->fold_of[i]].pass[0])
                      ? NS_PER_TURNED
                      : NS_PER_RESULT) *
                     (double)draft->made.outputs;
}

double bli_fusion_packed_ns(const struct bl_plan *call)
{
    const struct bli_rates *const rates = bli_rates_of(call->isa);
    double ns = 0;

    for (int32_t k = 0; k <= call->inputs; k++)
        if (call->tiling.staged >> k & 1)
            ns += rates->copied_byte * (double)call->size[k];
    return ns;
}

double bli_fusion_moved(const struct bl_plan *call, double count)
{
    double bytes = 0;

    for (int32_t k = 0; k <= call->inputs; k++)
        bytes += call->nest.stride[0][k] == 0 ? 0 : (double)call->size[k] * count;
    return bytes;
}

/*
 * Nanoseconds of a byte that calls move between L1 and L2, with reductions and without:
 * with 512 bits on Zen 5; on Zen 4, which moves half as many at a time; with 256 bits
 * on Zen 3; on Intel's machines.  With those of Zen 5, on Zen 4, a - floor(a) of
 * f32[65536] takes 1.75 times as long, two threads 2.5, (a - b) / c * d + e of rows of
 * 16 and 128 with two columns 1.07 and 1.6, two threads 1.8 and 1.7, (a - b) * c of
 * f64[1000,16] and [1000,64] 1.25 and 1.16, sum(a * b, 0) of f32[100,100] 1.12.  Of
 * 1300 random expressions those of Emerald Rapids, with 512 bits, take .94 of the time
 * that they take with the rates of Zen 5: batch norm of f32[4,16,32,32] .42, (a - b) /
 * c * d + e of f32[256,256] .46, (a * a - a) + (a + a) of i32[15516] .5; with 256 bits
 * a - b of f32[79,650] .55.
 */
static double moved_ns(const struct bli_isa *isa, bool has_reductions)
{
    static const double zen5[] = {0, 0.002}, zen4[] = {0.006, 0.004};
    static const double zen3[] = {0.003, 0.004}, intel[] = {0.008, 0.004};
    const double *const ns = !bli_machine_is_amd()            ? intel
                             : !bli_isa_has_512_bits(isa)     ? zen3
                             : bli_isa_for_memory(isa) == isa ? zen5
                                                              : zen4;

    return ns[has_reductions];
}

double bli_fusion_calls_ns(const struct bli_fusion_draft *draft)
{
    const struct bli_rates *const rates = bli_rates_of(draft->made.isa);
    const double count = (double)draft->frame.count;
    double ns = 0, own = draft->traffic, moved = 0, reach = own;

    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bl_plan *const call = bli_fusion_step(draft, i)->plan;
        double bytes;

        /* A call of a function of halves converts them itself. */
        if (bli_expr_is_conversion(draft->plan, bli_fusion_step(draft, i)->value))
            continue;
        if (!call) {
            bytes = reduced_bytes(draft, i) * count;
            ns += NS_PER_REDUCTION + rates->sum_byte * bytes + results_ns(draft, i);
            moved += bytes;
            continue;
        }
        if (draft->is_row[i]) {
            ns += rates->call;
            continue;
        }
        ns += rates->call + bli_plan_function_ns(call) * count;
        bytes = bli_fusion_moved(call, count);
        if (reach < (double)call->size[0] * count)
            reach = (double)call->size[0] * count;
        ns += bli_fusion_packed_ns(call) * count;
        ns += rates->byte * bytes;
        moved += bytes;
    }
    if (own > L1_BYTES && moved > own)
        ns += moved_ns(draft->made.isa, draft->domain) * (moved - own);
    /* What one call has written the next one reads: there, where it is not far. */
    return ns + bli_fusion_far_ns(reach) * (moved > reach ? moved / reach : 1);
}

double bli_fusion_common_ns(const struct bli_fusion_draft *draft)
{
    double ns = 0;

    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        if (!step->plan)
            ns += bli_plan_reduced_ns(draft->plan->value[step->operand[0]].dtype);
        else if (!draft->is_row[i])
            ns += bli_plan_expression_ns(step->plan);
    }
    return ns * (double)draft->frame.count;
}
