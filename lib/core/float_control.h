/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floating-point control that slices run under: the calling thread's, or rounding
 * to nearest for operators that are not arithmetic.
 */
#ifndef BLI_FLOAT_CONTROL_H
#define BLI_FLOAT_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/*
 * The control words of a thread: rounding direction, traps, flush-to-zero.  x86 has a
 * second one, `extended`, for the x87 unit that computes long double.
 */
struct bli_float_control {
    uint32_t word;
    uint16_t extended;
};

#if defined(__SSE2__)
#define BLI_READ_CONTROL()         _mm_getcsr()
#define BLI_WRITE_CONTROL(control) _mm_setcsr(control)
#define BLI_STATUS_FLAGS           0x3fu
#define BLI_NOT_NEAREST            0xe040u /* direction, flush both ways */
#elif defined(__aarch64__) && defined(__GNUC__)
static inline uint32_t bli_read_fpcr(void)
{
    uint64_t control;

    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (uint32_t)control;
}

static inline void bli_write_fpcr(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#define BLI_READ_CONTROL()         bli_read_fpcr()
#define BLI_WRITE_CONTROL(control) bli_write_fpcr(control)
#define BLI_STATUS_FLAGS           0u
#define BLI_NOT_NEAREST            0x1c80000u
#else
#define BLI_READ_CONTROL()         0u
#define BLI_WRITE_CONTROL(control) ((void)(control))
#define BLI_STATUS_FLAGS           0u
#define BLI_NOT_NEAREST            0u
#endif

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define BLI_READ_EXTENDED(control)  __asm__ volatile("fnstcw %0" : "=m"(control))
#define BLI_WRITE_EXTENDED(control) __asm__ volatile("fldcw %0" : : "m"(control))
#define BLI_EXTENDED_ROUNDING       0xf00u /* direction and precision */
#define BLI_EXTENDED_NEAREST        0x300u
#else
#define BLI_READ_EXTENDED(control)  ((void)((control) = 0))
#define BLI_WRITE_EXTENDED(control) ((void)(control))
#define BLI_EXTENDED_ROUNDING       0u
#define BLI_EXTENDED_NEAREST        0u
#endif

/*
 * The status flags that are raised, and to set these again after computations of the
 * library's own, as estimates are.
 */
static inline uint32_t bli_float_flags(void)
{
    return BLI_READ_CONTROL() & BLI_STATUS_FLAGS;
}

static inline void bli_float_flags_set(uint32_t flags)
{
    const uint32_t word = BLI_READ_CONTROL();

    if ((word & BLI_STATUS_FLAGS) != flags)
        BLI_WRITE_CONTROL((word & ~BLI_STATUS_FLAGS) | flags);
}

/* Return the control words of the calling thread, without the status flags. */
static inline struct bli_float_control bli_float_control(void)
{
    struct bli_float_control control;

    control.word = BLI_READ_CONTROL() & ~BLI_STATUS_FLAGS;
    BLI_READ_EXTENDED(control.extended);
    return control;
}

/* Install the first control word, keeping the status flags that are raised. */
static inline void bli_float_word_set(uint32_t word)
{
    BLI_WRITE_CONTROL(word | (BLI_READ_CONTROL() & BLI_STATUS_FLAGS));
}

/* Install control words, keeping the status flags that are raised. */
void bli_float_control_set(struct bli_float_control control);

/*
 * Switch this thread to `control` and save its previous control words in *own.  Returns
 * true if they differed, so that the caller must restore *own with
 * bli_float_control_set().
 */
static inline bool bli_float_enter(struct bli_float_control control,
                                   struct bli_float_control *own)
{
    *own = bli_float_control();
    if (own->word == control.word && own->extended == control.extended)
        return false;
    bli_float_control_set(control);
    return true;
}

/*
 * Switch this thread to rounding to nearest with subnormal numbers kept, and save its
 * previous control words in *own.  Returns true if they differed, so that the caller
 * must restore *own with bli_float_control_set().
 */
static inline bool bli_float_enter_nearest(struct bli_float_control *own)
{
    *own = bli_float_control();
    if ((own->word & BLI_NOT_NEAREST) == 0 &&
        (own->extended & BLI_EXTENDED_ROUNDING) == BLI_EXTENDED_NEAREST)
        return false;
    bli_float_control_set((struct bli_float_control){
        own->word & ~BLI_NOT_NEAREST,
        (uint16_t)((own->extended & ~BLI_EXTENDED_ROUNDING) | BLI_EXTENDED_NEAREST)});
    return true;
}

#endif
