/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bits of NaN, by the definition of the formats.
 */
#include "nan_bits.h"

#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"

/* ---- formats: of real dtypes, and of the parts of complex ones ---- */

static bl_dtype part_of(bl_dtype dtype)
{
    return dtype == BL_DTYPE_C64    ? BL_DTYPE_F32
           : dtype == BL_DTYPE_C128 ? BL_DTYPE_F64
                                    : dtype;
}

static int fraction_of(bl_dtype part)
{
    return part == BL_DTYPE_F16    ? 10
           : part == BL_DTYPE_BF16 ? 7
           : part == BL_DTYPE_F32  ? 23
                                   : 52;
}

static uint64_t sign_of(bl_dtype part)
{
    return UINT64_C(1) << (8 * ref_size(part) - 1);
}

static uint64_t quiet_of(bl_dtype part)
{
    return UINT64_C(1) << (fraction_of(part) - 1);
}

static uint64_t payload_of(bl_dtype part)
{
    return 2 * quiet_of(part) - 1;
}

static uint64_t infinity_of(bl_dtype part)
{
    return (sign_of(part) - 1) & ~payload_of(part);
}

static bool is_nan(bl_dtype part, uint64_t bits)
{
    return (bits & (sign_of(part) - 1)) > infinity_of(part);
}

static uint64_t load(bl_dtype part, const char *at)
{
    uint64_t bits = 0;

    memcpy(&bits, at, ref_size(part)); /* on little-endian machines */
    return bits;
}

static int32_t parts_of(bl_dtype dtype)
{
    return ref_class(dtype) == REF_COMPLEX ? 2 : 1;
}

/* ---- elements ---- */

/* SplitMix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static uint64_t number_of(bl_dtype part, uint64_t random)
{
    char element[REF_ELEMENT];

    ref_make(part, (double)(random % 17) / 2 - 4, 0, element);
    return load(part, element);
}

static uint64_t any_part(bl_dtype part, uint64_t *state)
{
    const uint64_t sign = next(state) % 2 ? sign_of(part) : 0;
    const uint64_t payload = next(state) & payload_of(part);
    const uint64_t kind = next(state) % 8;

    if (kind < 3)
        return sign | infinity_of(part) | payload | quiet_of(part);
    if (kind == 3) /* signalling */
        return sign | infinity_of(part) | (payload & ~quiet_of(part)) | 1;
    if (kind == 4)
        return sign | infinity_of(part);
    return kind == 5 ? sign : number_of(part, next(state));
}

void nan_fill(bl_dtype dtype, void *elements, int64_t count, uint64_t seed)
{
    const bl_dtype part = part_of(dtype);
    const int64_t size = (int64_t)ref_size(part);
    uint64_t state = seed * 64 + (uint64_t)dtype;

    for (int64_t i = 0; i < count * parts_of(dtype); i++) {
        const uint64_t bits =
            dtype == BL_DTYPE_BOOL ? next(&state) % 2 : any_part(part, &state);

        memcpy((char *)elements + i * size, &bits, (size_t)size);
    }
}

void nan_unify(bl_dtype dtype, void *elements, int64_t count, bool keeps_numbers)
{
    const bl_dtype part = part_of(dtype);
    const int64_t size = (int64_t)ref_size(part);
    const uint64_t nan = infinity_of(part) | quiet_of(part), none = 0;
    char *at = elements;

    if (!(ref_class(dtype) & (REF_REAL | REF_COMPLEX)))
        return;
    for (int64_t i = 0; i < count * parts_of(dtype); i++, at += size) {
        const bool found = is_nan(part, load(part, at));

        if (found || !keeps_numbers)
            memcpy(at, found ? &nan : &none, (size_t)size);
    }
}

void nan_open(struct problem_operand *operand, uint64_t seed)
{
    const int64_t bytes = operand->room * operand->slot;

    operand->memory = calloc(1, (size_t)bytes);
    if (!operand->memory)
        abort();
    operand->array.data = operand->memory + operand->offset * operand->slot;
    nan_fill(operand->array.dtype, operand->memory,
             bytes / (int64_t)ref_size(operand->array.dtype), seed);
}

void nan_gather(const bl_array *array, char *to)
{
    const size_t size = ref_size(array->dtype);
    const int64_t count = ref_count(array);

    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * (int64_t)size, ref_at(array, i), size);
}

/* ---- the guarantees ---- */

bool nan_is_preserved(bl_op op, bl_dtype from)
{
    const bool is_complex = ref_class(from) == REF_COMPLEX;

    switch (op) {
    case BL_OP_COPY:
    case BL_OP_WHERE:
    case BL_OP_NEG:
    case BL_OP_CONJ:
    case BL_OP_REAL:
    case BL_OP_COPYSIGN:
        return true;
    case BL_OP_ABS:
        return !is_complex;
    case BL_OP_IMAG:
        return is_complex;
    default:
        return false;
    }
}

/*
 * Whether a signalling NaN becomes quiet: in conversions, of which operators of f16 and
 * bf16 make two; steps that only move or append bits are none.
 */
static bool is_quieted(bl_op op, bl_dtype from, bl_dtype to)
{
    const bool is_half = from == BL_DTYPE_F16 || from == BL_DTYPE_BF16;

    if (op != BL_OP_COPY)
        return is_half && op != BL_OP_WHERE;
    return part_of(from) != part_of(to) &&
           !(from == BL_DTYPE_BF16 && part_of(to) == BL_DTYPE_F32);
}

/* The NaN converted to another format: sign and leading bits of the payload remain. */
static uint64_t carried(bl_dtype from, uint64_t bits, bl_dtype to, bool is_quiet)
{
    const int by = fraction_of(to) - fraction_of(from);
    const uint64_t payload = bits & payload_of(from);

    return (bits & sign_of(from) ? sign_of(to) : 0) | infinity_of(to) |
           (by < 0 ? payload >> -by : payload << by) | (is_quiet ? quiet_of(to) : 0);
}

/* Get part `p` of the element; false where it does not come from an operand. */
static bool take_part(bl_op op, bl_dtype from, int32_t p, const char *const *x,
                      uint64_t *bits)
{
    const bl_dtype part = part_of(from);
    const bool is_second = p == 1 || op == BL_OP_IMAG;
    const char *const at = op == BL_OP_WHERE ? x[*x[0] ? 1 : 2] : x[0];

    if (is_second && ref_class(from) != REF_COMPLEX)
        return false;
    *bits = load(part, at + (is_second ? ref_size(part) : 0));
    if (op == BL_OP_NEG || (op == BL_OP_CONJ && p == 1))
        *bits ^= sign_of(part);
    if (op == BL_OP_ABS || op == BL_OP_COPYSIGN)
        *bits &= ~sign_of(part);
    if (op == BL_OP_COPYSIGN)
        *bits |= load(part, x[1]) & sign_of(part);
    return true;
}

void nan_want(bl_op op, bl_dtype from, bl_dtype to, const char *const *x, char *want)
{
    static const int64_t one[] = {1};
    const bl_array out = {want, to, 1, one, NULL, 0};
    const bl_dtype part = part_of(to);
    bl_array array[REF_INPUTS];
    const bl_array *in[REF_INPUTS];

    for (int32_t k = 0; k < ref_inputs(op); k++) {
        array[k] = (bl_array){
            (char *)(uintptr_t)x[k], ref_input_dtype(op, from, k), 1, one, NULL, 0};
        in[k] = &array[k];
    }
    ref_apply(op, in, &out, want, NULL);
    for (int32_t p = 0; p < parts_of(to); p++) {
        uint64_t bits;

        if (!take_part(op, from, p, x, &bits) || !is_nan(part_of(from), bits))
            continue;
        bits = carried(part_of(from), bits, part, is_quieted(op, from, to));
        memcpy(want + p * (int64_t)ref_size(part), &bits, ref_size(part));
    }
}
