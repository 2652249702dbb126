/* SPDX-License-Identifier: BSD-3-Clause */
#include "dag.h"

#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"

void dag_array_make(struct dag_array *array, struct rng *rng, bl_dtype dtype,
                    int32_t rank, const int64_t *extent, bool may_repeat)
{
    static const double values[] = {0, 1, 2, 3, -1, 7, 0.5, -2.25, 100, 1e-3, 1e30, 5};
    struct problem_layout layout = problem_layout_random(rng, rank, may_repeat);
    struct problem_operand *const operand = &array->operand;

    problem_describe(operand, dtype, rank, extent, &layout);
    array->bytes = (size_t)(operand->room * operand->slot) + 64;
    operand->memory = aligned_alloc(64, array->bytes + 64 - array->bytes % 64);
    array->saved = malloc(array->bytes);
    if (!operand->memory || !array->saved)
        abort();
    memset(operand->memory, 0xa5, array->bytes);
    operand->array.data =
        operand->memory + operand->offset * operand->slot + operand->lead;
    for (int64_t i = 0; i < ref_count(&operand->array); i++) {
        const double value = rng_one_in(rng, 3)
                                 ? values[rng_below(rng, 12)]
                                 : (double)rng_below(rng, 2000) / 16 - 40;

        ref_convert(BL_DTYPE_F64, &value, dtype, ref_at(&operand->array, i));
    }
    memcpy(array->saved, operand->memory, array->bytes);
}

void dag_array_free(struct dag_array *array)
{
    free(array->operand.memory);
    free(array->saved);
}
