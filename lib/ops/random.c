/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random tensors: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC'11).  The counter is the index of the number and the
 * key is the seed, so that any thread can compute any number.
 */
#include "ops/ops.h"

#include <math.h>

#define ROUNDS 10

void bli_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k[2] = {key[0], key[1]};

    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t even = (uint64_t)0xD2511F53 * x[0];
        const uint64_t odd = (uint64_t)0xCD9E8D57 * x[2];

        x[0] = (uint32_t)(odd >> 32) ^ x[1] ^ k[0];
        x[1] = (uint32_t)odd;
        x[2] = (uint32_t)(even >> 32) ^ x[3] ^ k[1];
        x[3] = (uint32_t)even;
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    for (int i = 0; i < 4; i++)
        out[i] = x[i];
}

/* Independent streams of the same seed. */
enum stream { STREAM_UNIFORM = 0, STREAM_NORMAL = 1 };

struct generator {
    uint64_t seed;
    int bits; /* random bits in a uniform number */
};

static void draw(uint64_t seed, enum stream stream, uint64_t block, uint32_t word[4])
{
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32),
                                 (uint32_t)stream, 0};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

    bli_philox(counter, key, word);
}

/* The upper 53 bits of two words, as a number in [0, 1). */
static double unit_53(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

/* Uniform numbers of up to 32 bits: value v is word v % 4 of block v / 4. */
static void uniform_narrow(const void *argument, int64_t first, int64_t count,
                           double *values)
{
    const struct generator *const generator = argument;
    const int drop = 32 - generator->bits;
    const double unit = 1.0 / (double)((uint64_t)1 << generator->bits);
    const uint64_t begin = (uint64_t)first;
    uint32_t word[4];

    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        const uint64_t v = begin + i;

        if (i == 0 || v % 4 == 0)
            draw(generator->seed, STREAM_UNIFORM, v / 4, word);
        values[i] = (double)(word[v % 4] >> drop) * unit;
    }
}

/* Uniform numbers of 53 bits: value v is half v % 2 of block v / 2. */
static void uniform_wide(const void *argument, int64_t first, int64_t count,
                         double *values)
{
    const struct generator *const generator = argument;
    const uint64_t begin = (uint64_t)first;
    uint32_t word[4];

    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        const uint64_t v = begin + i;

        if (i == 0 || v % 2 == 0)
            draw(generator->seed, STREAM_UNIFORM, v / 2, word);
        values[i] = unit_53(word[v % 2 * 2], word[v % 2 * 2 + 1]);
    }
}

/*
 * Standard normal numbers by the Box-Muller method in double, two from each block.  The
 * first uniform number is taken from (0, 1], so that its logarithm is finite.  The last
 * bits are those of the C library's log, cos and sin.
 */
static void normal(const void *argument, int64_t first, int64_t count, double *values)
{
    const struct generator *const generator = argument;
    const double turn = 6.283185307179586476925;
    const uint64_t begin = (uint64_t)first;
    double pair[2] = {0.0, 0.0};

    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        const uint64_t v = begin + i;

        if (i == 0 || v % 2 == 0) {
            uint32_t word[4];

            draw(generator->seed, STREAM_NORMAL, v / 2, word);

            const double radius = sqrt(-2.0 * log(unit_53(word[0], word[1]) + 0x1p-53));
            const double angle = turn * unit_53(word[2], word[3]);

            pair[0] = radius * cos(angle);
            pair[1] = radius * sin(angle);
        }
        values[i] = pair[v % 2];
    }
}

/*
 * Random bits in a uniform number: as many as the significand has, so that 1 is never
 * reached.
 */
static int uniform_bits(bl_dtype dtype)
{
    return bli_dtype_is_valid(dtype) && (bli_dtypes[dtype].class & BLI_DOMAIN_INEXACT)
               ? bli_dtypes[dtype].digits
               : 0;
}

/* Make a new tensor; `name` is the function called, for messages. */
static bl_status generate(bl_context *ctx, const char *name, bl_dtype dtype,
                          const struct generator *generator,
                          const struct bli_sequence_box *box, bl_tensor **out)
{
    if (bli_dtype_is_valid(dtype) && generator->bits == 0)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "%s makes no %s, only floating-point and complex", name,
                         bli_dtypes[dtype].name),
            "dtype", dtype, BL_DTYPE_NONE);
    if (!out)
        return bli_error_null("out");
    return bli_tensor_of_box(ctx, dtype, box, out);
}

static bl_status rand_box(bl_context *ctx, bl_dtype dtype, int32_t rank,
                          const int64_t *extent, const int64_t *begin,
                          const int64_t *end, bool is_whole, uint64_t seed,
                          bl_tensor **out)
{
    const struct generator generator = {seed, uniform_bits(dtype)};
    const struct bli_sequence_box box = {generator.bits > 32 ? uniform_wide
                                                             : uniform_narrow,
                                         &generator,
                                         rank,
                                         extent,
                                         begin,
                                         end,
                                         is_whole};

    return generate(ctx, "rand", dtype, &generator, &box, out);
}

static bl_status randn_box(bl_context *ctx, bl_dtype dtype, int32_t rank,
                           const int64_t *extent, const int64_t *begin,
                           const int64_t *end, bool is_whole, uint64_t seed,
                           bl_tensor **out)
{
    const struct generator generator = {seed, uniform_bits(dtype)};
    const struct bli_sequence_box box = {normal, &generator, rank,    extent,
                                         begin,  end,        is_whole};

    return generate(ctx, "randn", dtype, &generator, &box, out);
}

bl_status bl_tensor_rand(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, uint64_t seed, bl_tensor **out)
{
    BLI_RETURN_CALL(rand_box(ctx, dtype, rank, extent, NULL, NULL, true, seed, out),
                    "dtype %t, extent %S", dtype, rank, extent);
}

bl_status bl_tensor_randn(bl_context *ctx, bl_dtype dtype, int32_t rank,
                          const int64_t *extent, uint64_t seed, bl_tensor **out)
{
    BLI_RETURN_CALL(randn_box(ctx, dtype, rank, extent, NULL, NULL, true, seed, out),
                    "dtype %t, extent %S", dtype, rank, extent);
}

bl_status bl_tensor_rand_box(bl_context *ctx, bl_dtype dtype, int32_t rank,
                             const int64_t *extent, const int64_t *begin,
                             const int64_t *end, uint64_t seed, bl_tensor **out)
{
    BLI_RETURN_CALL(rand_box(ctx, dtype, rank, extent, begin, end, false, seed, out),
                    "dtype %t, extent %S, begin %S, end %S", dtype, rank, extent, rank,
                    begin, rank, end);
}

bl_status bl_tensor_randn_box(bl_context *ctx, bl_dtype dtype, int32_t rank,
                              const int64_t *extent, const int64_t *begin,
                              const int64_t *end, uint64_t seed, bl_tensor **out)
{
    BLI_RETURN_CALL(randn_box(ctx, dtype, rank, extent, begin, end, false, seed, out),
                    "dtype %t, extent %S, begin %S, end %S", dtype, rank, extent, rank,
                    begin, rank, end);
}
