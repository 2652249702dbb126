/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks of the memory that a call reads and writes, for the library's calls and for
 * bindings.
 */
#include "call/shadow.h"

#include "core/lend.h"
#include "diag/warnings.h"

void bli_shadow_carry_arrays(const bl_array *result, int32_t count,
                             const bl_array *const *inputs)
{
    const struct bli_bytes span = bli_array_bytes(result);
    struct bli_bytes input[BL_MAX_INPUTS];

    for (int32_t k = 0; k < count; k++)
        input[k] = bli_array_bytes(inputs[k]);
    bli_marks_carry(&span, count, input);
}

/* The bytes of operand `k` of a plan, at `data`. */
static struct bli_bytes span_of_operand(const struct bl_plan *plan, int32_t k,
                                        const void *data)
{
    const struct bli_logical_order *const own = &plan->logical_order[k];
    struct bli_bytes span = {(uintptr_t)data + (uintptr_t)plan->begin[k],
                             (uintptr_t)data + (uintptr_t)plan->end[k], true};

    span.is_dense = plan->end[k] - plan->begin[k] == plan->nest.count * plan->size[k];
    if (!(plan->nest.needs_linear_copy >> k & 1))
        return span;
    span = (struct bli_bytes){(uintptr_t)data, (uintptr_t)data, false};
    span.end += (uintptr_t)plan->size[k];
    for (int32_t d = 0; d < own->rank; d++) {
        const int64_t reach = own->stride[d] * (own->extent[d] - 1);

        *(reach < 0 ? &span.begin : &span.end) += (uintptr_t)reach;
    }
    return span;
}

BLI_OWN_FRAME static void carry_plan(const struct bl_plan *plan, const void *out,
                                     const void *const *data)
{
    const struct bli_bytes result = span_of_operand(plan, 0, out);
    struct bli_bytes input[BL_MAX_INPUTS];
    int32_t count = 0;

    for (int32_t k = 0; k < plan->inputs; k++)
        if (!(plan->scalars >> k & 1))
            input[count++] = span_of_operand(plan, k + 1, data[k]);
    bli_marks_carry(&result, count, input);
}

/* Whether no operand of a plan meets a mark, as far as the thread knows. */
static bool are_clean(const struct bl_plan *plan, const void *out,
                      const void *const *data)
{
    uintptr_t at = (uintptr_t)out;

    if (!bli_clean_ranges || plan->nest.needs_linear_copy)
        return false;
    for (int32_t k = 0;; k++) {
        if (!bli_is_clean(at + (uintptr_t)plan->begin[k], at + (uintptr_t)plan->end[k]))
            return false;
        if (k == plan->inputs)
            return true;
        at = (uintptr_t)data[k];
    }
}

void bli_shadow_carry_plan(const struct bl_plan *plan, const void *out,
                           const void *const *data)
{
    if (!bli_shadow_has_marks() || are_clean(plan, out, data))
        return;
    carry_plan(plan, out, data);
}

/* ---- for bindings ---- */

void bl_shadow_carry(const bl_array *out, int32_t count, const bl_array *const *inputs)
{
    if (count >= 0 && count <= BL_MAX_INPUTS)
        bli_shadow_carry(out, count, inputs);
}

void bl_shadow_read(bl_shadow_how how, const bl_array *array, const char *file,
                    int32_t line, const void *address)
{
    struct bli_call_site at = {file, address, line};
    struct bli_bytes span;

    if (!bli_shadow_has_marks() || !array || !array->data)
        return;
    if (!file)
        at = bli_call_site_here(address);
    span = bli_array_bytes(array);
    bli_shadow_read(how, &span, &at);
}

void bl_shadow_forget(const void *data, size_t bytes)
{
    bli_marks_forget(data, bytes);
}
