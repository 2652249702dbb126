/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The version, and how the library was built.
 */
#include "config.h"

#include "core/core.h"
#include "build.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#if BLI_HAVE_ISA_AVX512
#define SETS "base avx2 avx512"
#elif BLI_HAVE_ISA_AVX2
#define SETS "base avx2"
#else
#define SETS "base"
#endif

#if BLI_HAVE_SLEEF
#define MATHEMATICS "SLEEF"
#else
#define MATHEMATICS "the C library"
#endif

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

const char *bl_version(void)
{
    return BL_VERSION_STRING;
}

const char *bl_config_string(void)
{
    return "broadloom " BL_VERSION_STRING ", " COMPILER
           ", OpenMP " TEXT(_OPENMP) ", instruction sets " SETS
                                     ", mathematics of f64 by " MATHEMATICS
                                     ", from " BLI_SOURCE
                                     ", configured with: " BLI_CONFIGURED_WITH;
}
