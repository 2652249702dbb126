/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The states of the floating-point control register that calls are tested in: each
 * rounding direction, with subnormal numbers preserved and flushed, in results,
 * operands and both.  On x86 the direction applies to both the SSE and the x87 unit,
 * and long double's precision varies as well.
 */
#ifndef TESTS_FLOATING_H
#define TESTS_FLOATING_H

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#define FLOATING_WORD()         (_mm_getcsr() & ~0x3fu)
#define FLOATING_SET_WORD(word) _mm_setcsr((word) | (_mm_getcsr() & 0x3fu))
#define FLOATING_RESULTS        0x8000u
#define FLOATING_OPERANDS       0x0040u
#else
#define FLOATING_WORD()         0u
#define FLOATING_SET_WORD(word) ((void)(word))
#define FLOATING_RESULTS        0u
#define FLOATING_OPERANDS       0u
#endif

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define FLOATING_GET_EXTENDED(word) __asm__ volatile("fnstcw %0" : "=m"(word))
#define FLOATING_SET_EXTENDED(word) __asm__ volatile("fldcw %0" : : "m"(word))
#else
#define FLOATING_GET_EXTENDED(word) ((void)((word) = 0))
#define FLOATING_SET_EXTENDED(word) ((void)(word))
#endif

/*
 * The exceptions that fusions raise as calls do.  Clang knows of none: its comparisons
 * of a vector raise FE_INVALID for a NaN, those of a scalar, in rows of one or two, do
 * not.
 */
#if defined(__clang__)
#define FLOATING_COMPARED (FE_ALL_EXCEPT & ~FE_INVALID)
#else
#define FLOATING_COMPARED FE_ALL_EXCEPT
#endif

/*
 * Whether kernels take subnormal operands that are flushed alike in all loops.  Those
 * that Clang compiles choose by comparisons in some, and by instructions that take them
 * for 0 in others; context.h says so.
 */
#if defined(__clang__)
enum { FLOATING_FLUSHES_ALIKE = 0 };
#else
enum { FLOATING_FLUSHES_ALIKE = 1 };
#endif

struct floating {
    unsigned word;
    uint16_t extended;
    int rounding;
};

static inline struct floating floating_now(void)
{
    struct floating now;

    now.word = FLOATING_WORD();
    FLOATING_GET_EXTENDED(now.extended);
    now.rounding = fegetround();
    return now;
}

static inline bool floating_is(struct floating state)
{
    const struct floating now = floating_now();

    return now.word == state.word && now.extended == state.extended &&
           now.rounding == state.rounding;
}

static inline void floating_restore(struct floating state)
{
    fesetround(state.rounding);
    FLOATING_SET_WORD(state.word);
    FLOATING_SET_EXTENDED(state.extended);
}

enum { FLOATING_STATES = 16 };

static const struct {
    const char *name;
    int rounding;
} floating_directions[] = {{"to nearest", FE_TONEAREST},
                           {"up", FE_UPWARD},
                           {"down", FE_DOWNWARD},
                           {"towards zero", FE_TOWARDZERO}};

static inline const char *floating_name(int32_t state)
{
    return floating_directions[state % 4].name;
}

/* Set a state; returns the previous one. */
static inline struct floating floating_set(int32_t state)
{
    const struct floating own = floating_now();
    struct floating new;

    fesetround(floating_directions[state % 4].rounding);
    new = floating_now();
    if (state / 4 & 1)
        new.word |= FLOATING_RESULTS;
    if (state / 4 & 2) {
        new.word |= FLOATING_OPERANDS;
        new.extended &= (uint16_t)~0x100u; /* the precision of double */
    }
    floating_restore(new);
    return own;
}

#endif
