/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TH's reductions, with the argument keepdim.
 */
#define BROADLOOM_TH_KEEPDIM 1
#define KEEP                 , 1
#define DROP                 , 0
#define BIASED               , 0
#include "reduce.tmpl.h"
