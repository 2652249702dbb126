/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floating-point environment that slices run under: the calling thread's.
 */
#ifndef BLI_FPCONTROL_H
#define BLI_FPCONTROL_H

#include <stdint.h>

/* Rounding direction, traps, flush-to-zero: what a thread's control word holds. */
uint32_t bli_float_control(void);

/* Install a control word, keeping the status flags that are raised. */
void bli_float_control_set(uint32_t control);

/* Round to nearest from now on; returns the control word to put back. */
uint32_t bli_float_nearest(void);

#endif
