/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that overlap their operands, against a sequential loop: random views.
 */
#include <broadloom/compat.h>
#include <string.h>

#include "harness/problem.h"
#include "reference/ref.h"
#include "harness/tap.h"
#include "lens.h"

enum { ROOM = 96, INPUTS = REF_INPUTS };

struct trial {
    bl_op op;
    int32_t inputs;
    bool is_flat;
    _Alignas(16) char block[2][ROOM * 8]; /* the library's block, and the loop's */
    struct lens out, in[INPUTS];
};

/* Make a view in a block of ROOM elements; false if the random strides leave it. */
static bool roll_view(struct rng *rng, struct lens *lens, void *block, bl_dtype dtype,
                      int32_t rank, const int64_t *extent)
{
    static const int64_t strides[] = {0, 1, 1, 1, 2, 3, 4, 6, -1, -2, -5};
    int64_t stride[RANK], low = 0, high = 0;

    for (int32_t d = 0; d < rank; d++) {
        stride[d] = strides[rng_below(rng, sizeof strides / sizeof strides[0])];
        *(stride[d] < 0 ? &low : &high) += stride[d] * (extent[d] - 1);
    }
    if (high - low >= ROOM / 2)
        return false;
    *lens = lens_of((char *)block +
                        (size_t)(rng_below(rng, ROOM / 2) - low) * ref_size(dtype),
                    dtype, rank, extent, stride);
    lens->array.flags = rng_one_in(rng, 3) ? BL_ARRAY_BYTE_STRIDES : 0;
    for (int32_t d = 0; lens->array.flags != 0 && d < rank; d++)
        lens->stride[d] *= (int64_t)ref_size(dtype);
    return true;
}

static bool roll(struct trial *trial, struct rng *rng)
{
    static const struct {
        bl_op op;
        bl_dtype to, from[INPUTS];
    } kinds[] = {
        {BL_OP_SUB, BL_DTYPE_F32, {BL_DTYPE_F32, BL_DTYPE_F32}},
        {BL_OP_ADD, BL_DTYPE_I64, {BL_DTYPE_I64, BL_DTYPE_I64}},
        {BL_OP_ADD, BL_DTYPE_F32, {BL_DTYPE_F32, BL_DTYPE_I32}},
        {BL_OP_MAXIMUM, BL_DTYPE_F16, {BL_DTYPE_BF16, BL_DTYPE_I16}},
        {BL_OP_NEG, BL_DTYPE_I16, {BL_DTYPE_I16}},
        {BL_OP_COPY, BL_DTYPE_U8, {BL_DTYPE_U8}},
        {BL_OP_ADDCMUL,
         BL_DTYPE_F64,
         {BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64, BL_DTYPE_F64}},
        {BL_OP_ADDCDIV,
         BL_DTYPE_F32,
         {BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32, BL_DTYPE_F32}},
        {BL_OP_FLOOR_DIVIDE, BL_DTYPE_I32, {BL_DTYPE_I32, BL_DTYPE_I32}},
    };
    /* Shapes with equal numel. */
    static const int64_t flat[][RANK] = {{24}, {4, 6}, {6, 4}, {2, 3, 4}, {3, 1, 8}};
    static const int32_t flat_rank[] = {1, 2, 2, 3, 3};
    const int64_t kind = rng_below(rng, sizeof kinds / sizeof kinds[0]);
    const int64_t shape = rng_below(rng, 5);

    trial->op = kinds[kind].op;
    trial->inputs = ref_inputs(trial->op);
    if (!roll_view(rng, &trial->out, trial->block[0], kinds[kind].to, flat_rank[shape],
                   flat[shape]))
        return false;
    for (int32_t k = 0; k < trial->inputs; k++) {
        int64_t extent[RANK];
        int32_t rank = flat_rank[shape];

        for (int32_t d = 0; d < rank; d++)
            extent[d] = k > 0 && rng_one_in(rng, 5) ? 1 : flat[shape][d];
        if (trial->is_flat && k > 0) {
            const int64_t other = rng_below(rng, 5);

            rank = flat_rank[other];
            memcpy(extent, flat[other], sizeof extent);
        }
        if (trial->out.array.dtype == kinds[kind].from[k] &&
            rng_one_in(rng, k == 0 ? 2 : 4))
            trial->in[k] = trial->out;
        else if (!roll_view(rng, &trial->in[k], trial->block[0], kinds[kind].from[k],
                            rank, extent))
            return false;
    }
    return true;
}

/* The same position in the loop's block. */
static char *mirror(struct trial *trial, const char *at)
{
    return trial->block[1] + (at - trial->block[0]);
}

/* Copy the first operand to the result, of which it is read from then on. */
static void take_first(struct trial *trial, const bl_array *out)
{
    const bl_array *const self = look(&trial->in[0]);

    for (int64_t i = 0; i < ref_count(out); i++) {
        const char *const at =
            trial->is_flat ? ref_at(self, i) : ref_meeting(self, out, i);

        memmove(mirror(trial, ref_at(out, i)), mirror(trial, at), ref_size(out->dtype));
    }
    trial->in[0] = trial->out;
}

/* Compute one element after another, with the reference. */
static void run_loop(struct trial *trial, bl_dtype common)
{
    const bl_array *const out = look(&trial->out);

    if (trial->op == BL_OP_ADDCMUL || trial->op == BL_OP_ADDCDIV)
        take_first(trial, out);
    for (int64_t i = 0; i < ref_count(out); i++) {
        char taken[INPUTS][REF_ELEMENT], value[REF_ELEMENT];
        bl_array single[INPUTS], result = {value, BL_DTYPE_NONE, 0, NULL, NULL, 0};
        const bl_array *in[INPUTS];

        for (int32_t k = 0; k < trial->inputs; k++) {
            const bl_array *const array = look(&trial->in[k]);
            const char *const at =
                trial->is_flat ? ref_at(array, i) : ref_meeting(array, out, i);

            ref_convert(array->dtype, mirror(trial, at), common, taken[k]);
            single[k] = (bl_array){taken[k], common, 0, NULL, NULL, 0};
            in[k] = &single[k];
        }
        result.dtype = ref_result_dtype(trial->op, common);
        ref_apply(trial->op, in, &result, value, NULL);
        ref_convert(result.dtype, value, out->dtype, mirror(trial, ref_at(out, i)));
    }
}

/* Whether the library's block equals the loop's. */
static bool check_trial(struct trial *trial, struct rng *rng, bl_context *ctx)
{
    const bl_array *in[INPUTS];
    bl_dtype common = BL_DTYPE_NONE;
    bl_status status;

    /* Small positive numbers: no divisor is 0, no f16 is NaN. */
    for (size_t i = 0; i < sizeof trial->block[0]; i++)
        trial->block[0][i] = (char)(1 + rng_below(rng, 50));
    memcpy(trial->block[1], trial->block[0], sizeof trial->block[0]);
    for (int32_t k = 0; k < trial->inputs; k++)
        in[k] = look(&trial->in[k]);
    if (bl_result_dtype(trial->inputs, in, &common) != BL_OK)
        return false;
    status = bl_apply(ctx, trial->op, look(&trial->out), trial->inputs, in, NULL);
    run_loop(trial, common);
    if (status == BL_OK &&
        memcmp(trial->block[0], trial->block[1], sizeof trial->block[0]) == 0)
        return true;
    tap_note("%s: %s", ref_name(trial->op),
             status == BL_OK ? "another result" : bl_error_message());
    return false;
}

static void check_random(bl_context *ctx, const char *name, bool is_flat)
{
    const int32_t times = test_times(5000, 200000);
    struct rng rng = rng_new();
    bool pass = true;

    for (int32_t i = 0; pass && i < times; i++) {
        struct trial trial = {.is_flat = is_flat};

        pass = !roll(&trial, &rng) || check_trial(&trial, &rng, ctx);
    }
    tap_ok(pass, "%s: random views of one block, as the loop has them", name);
}

int main(void)
{
    bl_context *ctx;

    tap_plan();
    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_overlap(ctx, BL_OVERLAP_SEQUENTIAL) != BL_OK)
        return 1;
    check_random(ctx, "modern", false);
    if (bl_context_set_overlap(ctx, BL_OVERLAP_RULES) != BL_OK)
        return 1;
    BL_IGNORE(bl_context_set_rules(ctx, bl_rules_legacy()));
    check_random(ctx, "legacy", true);
    bl_context_destroy(ctx);
    return tap_done();
}
