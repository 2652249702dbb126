/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Installs the floating-point control that slices run under.  An OpenMP runtime's
 * workers keep the environment they were started with, so a caller's rounding direction
 * or flush-to-zero would hold in only a part of the result.
 */
#include "core/float_control.h"

void bli_float_control_set(struct bli_float_control control)
{
    bli_float_word_set(control.word);
    BLI_WRITE_EXTENDED(control.extended);
}
