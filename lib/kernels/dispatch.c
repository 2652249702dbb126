/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiled instruction sets, and the dispatch among them.
 */
#include "config.h"

#include "kernels/kernel.h"

#include <stdatomic.h>
#include <string.h>

#include "kernels/access.h"

#define BLI_ISA(name, has) extern const struct bli_isa bli_isa_##name;
#include "kernels/isa.def"
#undef BLI_ISA

const struct bli_isa *const bli_isa_all[] = {
#define BLI_ISA(name, has) &bli_isa_##name,
#include "kernels/isa.def"
#undef BLI_ISA
    NULL,
};

/* Questions: k, whether instruction set `k` is available, and the last ones. */
#define HALVES_512_BITS 31
#define IS_AMD          30

/*
 * The answer to question `k` about this machine. CPUID is read once: in virtual
 * machines it takes microseconds. Threads that come first together find the same
 * answer.
 */
static bool is_so(int32_t k, bool (*ask)(void))
{
    static atomic_uint asked, found;
    const unsigned int bit = 1u << k;

    if ((atomic_load_explicit(&asked, memory_order_acquire) & bit) == 0) {
        if (ask())
            atomic_fetch_or_explicit(&found, bit, memory_order_relaxed);
        atomic_fetch_or_explicit(&asked, bit, memory_order_release);
    }
    return (atomic_load_explicit(&found, memory_order_relaxed) & bit) != 0;
}

const struct bli_isa *bli_isa_pick(const struct bli_isa *cap)
{
    const struct bli_isa *isa = bli_isa_all[0];

    for (int32_t k = 0; bli_isa_all[k] != NULL; k++) {
        if (is_so(k, bli_isa_all[k]->available))
            isa = bli_isa_all[k];
        if (bli_isa_all[k] == cap)
            break;
    }
    return isa;
}

bool bli_machine_is_amd(void)
{
    return is_so(IS_AMD, bli_cpu_is_amd);
}

const struct bli_isa *bli_isa_of_256_bits(const struct bli_isa *isa)
{
    const struct bli_isa *found = isa;

    if (!bli_isa_has_512_bits(isa))
        return isa;
    for (int32_t k = 0; bli_isa_all[k] != isa; k++)
        if (bli_isa_all[k]->register_bytes == 32)
            found = bli_isa_all[k];
    return found;
}

const struct bli_isa *bli_isa_for_memory(const struct bli_isa *isa)
{
    return bli_isa_has_512_bits(isa) && is_so(HALVES_512_BITS, bli_cpu_halves_512_bits)
               ? bli_isa_of_256_bits(isa)
               : isa;
}

const struct bli_isa *bli_isa_for_streams(const struct bli_isa *isa, bool is_cached)
{
    return is_cached || bli_machine_is_amd() ? bli_isa_of_256_bits(isa) : isa;
}

const struct bli_isa *bli_isa_find(const char *name)
{
    for (int32_t k = 0; bli_isa_all[k] != NULL; k++)
        if (strcmp(bli_isa_all[k]->name, name) == 0)
            return bli_isa_all[k];
    return NULL;
}

/*
 * Whether an operator with results of kind `result` makes dtype `to` of dtype `from`.
 */
static bool gives(int32_t result, bl_dtype from, bl_dtype to)
{
    const struct bli_dtype *const in = &bli_dtypes[from];
    const struct bli_dtype *const out = &bli_dtypes[to];

    if (result == BLI_RESULT_BOOL)
        return out->class == BLI_CLASS_BOOL;
    if (result == BLI_RESULT_REAL_PART && in->class == BLI_CLASS_COMPLEX)
        return out->class == BLI_CLASS_FLOAT && out->size * 2 == in->size;
    return from == to;
}

bli_kernel *bli_isa_kernel(const struct bli_isa *isa, bl_op op, bl_dtype from,
                           bl_dtype to)
{
    if (!bli_op_is_valid(op) || !bli_dtype_is_valid(from) || !bli_dtype_is_valid(to))
        return NULL;
    if (bli_ops[op].inputs == BLI_INPUTS_CONVERT)
        return isa->convert[from][to];
    if (!gives(bli_ops[op].result, from, to))
        return NULL;
    return isa->integers[op][from] ? isa->integers[op][from] : isa->inexact[op][from];
}

const char *bli_kernel_access(int32_t operands, const int64_t *stride,
                              const int64_t *size)
{
    const int32_t form = bli_access(operands, stride, size);

    if (form == BLI_ACCESS_CONTIGUOUS)
        return "contiguous";
    return (form & BLI_ACCESS_STRIDED) != 0 ? "strided" : "scalar";
}
