/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's reductions from before the argument keepdim: the dimension stays.
 */
#define BROADLOOM_TH_KEEPDIM 0
#define KEEP
#define BIASED
#include "reduce.tmpl.h"
