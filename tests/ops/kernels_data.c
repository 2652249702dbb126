/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements for tests/ops/kernels.c, and the tests of f16 and bf16, whose values are
 * computed here from the definition of the formats.
 */
#include "kernels_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/float_control.h"
#include "kernels/kernel.h"
#include "reference/ref.h"
#include "harness/tap.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

static const double specials[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-24,
    0x1p-149,
    -0x1p-1074,
    0x1p-1022,
    0x1p-14,
    65504.0,
    65520.0,
    -128.0,
    255.0,
    32768.0,
    -0x1p31,
    0x1p31,
    0x1p32,
    -0x1p63,
    0x1p63,
    0x1p64,
    0x1.fffffep127,
    0x1.ffffffp127,
    0x1p1023,
    -2147483649.0,
    2147483647.5,
    1e-40,
    3e38,
    0x1.004p0,
    0x1.01p0,
    0x1.0040000001p0,
};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static void fill_one(bl_dtype dtype, char *element, uint64_t *state)
{
    const size_t size = ref_size(dtype);
    const uint64_t kind = next(state) >> 32;
    const double x = specials[next(state) % SPECIALS];
    const double y = specials[next(state) % SPECIALS];
    const uint64_t bits[2] = {next(state), next(state)};

    if (kind % 4 == 0)
        ref_make(dtype, x, y, element);
    else if (kind % 4 == 1)
        ref_make(dtype, (double)(int64_t)(bits[0] % 64) - 32,
                 (double)(int64_t)(bits[1] % 8), element);
    else
        memcpy(element, bits, size);
    if (dtype == BL_DTYPE_BOOL && kind % 2 == 0)
        *element = 0;
}

void kernels_fill(bl_dtype dtype, char *elements, size_t count, uint64_t seed)
{
    const size_t size = ref_size(dtype);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)dtype;

    for (size_t i = 0; i < count; i++)
        fill_one(dtype, elements + i * size, &state);
}

void kernels_remove_zeros(bl_dtype dtype, char *elements, size_t count)
{
    const size_t size = ref_size(dtype);
    static const char zero[8] = {0};

    for (size_t i = 0; i < count && bli_dtypes[dtype].class == BLI_CLASS_INT; i++)
        if (memcmp(elements + i * size, zero, size) == 0)
            elements[i * size] = 5;
}

static bool same_real(bl_dtype dtype, const char *a, const char *b)
{
    const size_t size = ref_size(dtype);
    const int fraction = dtype == BL_DTYPE_F16    ? 10
                         : dtype == BL_DTYPE_BF16 ? 7
                         : dtype == BL_DTYPE_F32  ? 23
                                                  : 52;
    const uint64_t infinity = ((UINT64_C(1) << (8 * size - 1)) - 1) >> fraction
                                                                           << fraction;
    uint64_t x = 0, y = 0;

    memcpy(&x, a, size); /* on little-endian machines */
    memcpy(&y, b, size);
    return x == y || ((x & ((UINT64_C(1) << (8 * size - 1)) - 1)) > infinity &&
                      (y & ((UINT64_C(1) << (8 * size - 1)) - 1)) > infinity);
}

bool kernels_same(bl_dtype dtype, const char *a, const char *b)
{
    switch (bli_dtypes[dtype].class) {
    case BLI_CLASS_FLOAT:
        return same_real(dtype, a, b);
    case BLI_CLASS_COMPLEX: {
        const bl_dtype part = dtype == BL_DTYPE_C64 ? BL_DTYPE_F32 : BL_DTYPE_F64;
        const size_t size = ref_size(part);

        return same_real(part, a, b) && same_real(part, a + size, b + size);
    }
    default:
        return memcmp(a, b, ref_size(dtype)) == 0;
    }
}

/* ---- f16 and bf16 ---- */

enum { PATTERNS = 65536 };
static uint16_t halves[PATTERNS];
static uint16_t back[PATTERNS];
static float singles[PATTERNS];
static double doubles[PATTERNS];

/* The value of `bits` with that many bits of fraction. */
static double value_of(uint32_t bits, int fraction)
{
    const int width = 15 - fraction;
    const int bias = (1 << (width - 1)) - 1;
    const int exponent = (int)(bits >> fraction & ((1u << width) - 1));
    const int rest = (int)(bits & ((1u << fraction) - 1));
    const double sign = bits >> 15 != 0 ? -1 : 1;

    if (exponent == (1 << width) - 1)
        return rest == 0 ? sign * INFINITY : NAN;
    if (exponent == 0)
        return sign * ldexp(rest, 1 - bias - fraction);
    return sign * ldexp((1 << fraction) + rest, exponent - bias - fraction);
}

static void convert(const struct bli_isa *isa, bl_dtype from, const void *in,
                    bl_dtype to, void *out)
{
    char *const data[BLI_MAX_OPERANDS] = {out, (char *)(uintptr_t)in};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {
        {(int64_t)ref_size(to), (int64_t)ref_size(from)}};

    bli_kernel_run(isa->convert[from][to], data, stride, PATTERNS, 1, NULL);
}

static bool every_pattern(const struct bli_isa *isa, bl_dtype dtype, int fraction)
{
    bool pass = true;

    for (uint32_t k = 0; k < PATTERNS; k++)
        halves[k] = (uint16_t)k;
    convert(isa, dtype, halves, BL_DTYPE_F32, singles);
    convert(isa, BL_DTYPE_F32, singles, dtype, back);
    for (uint32_t k = 0; k < PATTERNS; k++) {
        const double value = value_of(k, fraction);
        const uint32_t quiet = 1u << (fraction - 1);

        if (isnan(value))
            pass &= isnan(singles[k]) && back[k] == (k | quiet);
        else
            pass &= (double)singles[k] == value && back[k] == k;
    }
    return pass;
}

/* Between two neighbours: a tie rounds to even, other values to the nearer one. */
static bool every_tie(const struct bli_isa *isa, bl_dtype dtype, int fraction,
                      int direction)
{
    const uint32_t last = (1u << 15) - (1u << fraction); /* infinity */
    bool pass = true;

    for (uint32_t k = 0; k < last; k++) {
        const double low = value_of(k, fraction);
        const double high = k + 1 < last ? value_of(k + 1, fraction)
                                         : 2 * low - value_of(k - 1, fraction);
        const double tie = low + (high - low) / 2;

        doubles[k] = direction == 0 ? tie : nextafter(tie, direction < 0 ? low : high);
        singles[k] = (float)doubles[k];
        if (direction != 0)
            singles[k] = nextafterf((float)tie, (float)(direction < 0 ? low : high));
    }
    convert(isa, BL_DTYPE_F64, doubles, dtype, halves);
    convert(isa, BL_DTYPE_F32, singles, dtype, back);
    for (uint32_t k = 0; k < last; k++) {
        const uint32_t nearest = direction == 0  ? k + (k & 1)
                                 : direction < 0 ? k
                                                 : k + 1;

        pass &= halves[k] == nearest && back[k] == nearest;
    }
    return pass;
}

/*
 * Sums: to every number add half of its last place, or a value next to that; a tie
 * rounds to even, other sums to the nearer number.
 */
static bool every_sum(const struct bli_isa *isa, bl_dtype dtype, int fraction,
                      int direction)
{
    static uint16_t half_place[PATTERNS];
    const uint32_t first = (uint32_t)(fraction + 2) << fraction;
    const uint32_t count = (1u << 15) - (1u << fraction) - first;
    char *const data[BLI_MAX_OPERANDS] = {(char *)back, (char *)halves,
                                          (char *)half_place};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{2, 2, 2}};
    bool pass = true;

    for (uint32_t k = 0; k < count; k++) {
        const uint32_t exponent = (first + k) >> fraction;

        halves[k] = (uint16_t)(first + k);
        half_place[k] = (uint16_t)(((exponent - (uint32_t)fraction - 1) << fraction) +
                                   (uint32_t)direction);
    }
    bli_kernel_run(bli_isa_kernel(isa, BL_OP_ADD, dtype, dtype), data, stride, count, 1,
                   NULL);
    for (uint32_t k = 0; k < count; k++)
        pass &= back[k] == halves[k] + (direction == 0 ? halves[k] & 1 : direction > 0);
    return pass;
}

void kernels_test_halves(void)
{
    static const struct {
        bl_dtype dtype;
        int fraction;
    } types[] = {{BL_DTYPE_F16, 10}, {BL_DTYPE_BF16, 7}};

    for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
        for (int32_t t = 0; t < 2 && bli_isa_all[k]->available(); t++) {
            const char *const name = bli_dtypes[types[t].dtype].name;

            tap_ok(every_pattern(bli_isa_all[k], types[t].dtype, types[t].fraction),
                   "%s: every pattern of %s to f32 and back", bli_isa_all[k]->name,
                   name);
            for (int direction = -1; direction <= 1; direction++) {
                tap_ok(every_tie(bli_isa_all[k], types[t].dtype, types[t].fraction,
                                 direction),
                       "%s: every tie of %s, %+d", bli_isa_all[k]->name, name,
                       direction);
                tap_ok(every_sum(bli_isa_all[k], types[t].dtype, types[t].fraction,
                                 direction),
                       "%s: every sum of %s between two, %+d", bli_isa_all[k]->name,
                       name, direction);
            }
        }
}

void kernels_call(bli_kernel *kernel, bool needs_nearest, char **operand,
                  int64_t (*stride)[BLI_MAX_OPERANDS], int64_t count)
{
    struct bli_float_control own;
    const bool is_set = needs_nearest && bli_float_enter_nearest(&own);

    bli_kernel_run(kernel, operand, (const int64_t(*)[BLI_MAX_OPERANDS])stride, count,
                   1, NULL);
    if (is_set)
        bli_float_control_set(own);
}
