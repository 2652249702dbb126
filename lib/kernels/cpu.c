/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which instruction sets this machine has.  Compiled without their flags, so that it
 * runs on any machine.
 */
#include "config.h"

#include "kernels/kernel.h"

#if BLI_HAVE_ISA_AVX2 || BLI_HAVE_ISA_AVX512
#include <cpuid.h>

#define FAMILY_ZEN_4 25 /* and of Zen 3, which has no AVX-512 */

/*
 * Whether the CPU has F16C, which Clang's __builtin_cpu_supports does not know. The
 * test for AVX2 next to it checks the AVX state.
 */
static bool has_f16c(void)
{
    unsigned int a, b, c, d;

    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

bool bli_cpu_is_amd(void)
{
    return __builtin_cpu_is("amd");
}

bool bli_cpu_halves_512_bits(void)
{
    unsigned int a, b, c, d;

    return bli_cpu_is_amd() && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
           (a >> 8 & 15) + (a >> 20 & 255) == FAMILY_ZEN_4;
}
#else
bool bli_cpu_is_amd(void)
{
    return false;
}

bool bli_cpu_halves_512_bits(void)
{
    return false;
}
#endif

#define BLI_ISA(name, has)                                                             \
    bool bli_isa_available_##name(void);                                               \
    bool bli_isa_available_##name(void)                                                \
    {                                                                                  \
        return has;                                                                    \
    }
#include "kernels/isa.def"
#undef BLI_ISA
