/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floating-point environment that slices run under: the calling thread's.
 *
 * An OpenMP runtime's workers keep the environment they were started with, so a
 * caller's rounding direction or flush-to-zero would hold in a part of the result only.
 */
#include "exec/fpcontrol.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#define READ_CONTROL()         _mm_getcsr()
#define WRITE_CONTROL(control) _mm_setcsr(control)
#define STATUS_FLAGS           0x3fu
#define ROUNDING               0x6000u
#elif defined(__aarch64__) && defined(__GNUC__)
#define READ_CONTROL()         (uint32_t) __builtin_aarch64_get_fpcr()
#define WRITE_CONTROL(control) __builtin_aarch64_set_fpcr(control)
#define STATUS_FLAGS           0u
#define ROUNDING               0xc00000u
#else
#define READ_CONTROL()         0u
#define WRITE_CONTROL(control) ((void)(control))
#define STATUS_FLAGS           0u
#define ROUNDING               0u
#endif

uint32_t bli_float_control(void)
{
    return READ_CONTROL() & ~STATUS_FLAGS;
}

void bli_float_control_set(uint32_t control)
{
    WRITE_CONTROL(control | (READ_CONTROL() & STATUS_FLAGS));
}

uint32_t bli_float_nearest(void)
{
    const uint32_t control = bli_float_control();

    if (control & ROUNDING)
        bli_float_control_set(control & ~ROUNDING);
    return control;
}
