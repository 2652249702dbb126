/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums and differences of numbers that are given by their logarithms.
 */
#ifndef TH_LOG_ADD_INC
#define TH_LOG_ADD_INC

#include "THGeneral.h"

TH_API const double THLog2Pi;
TH_API const double THLogZero; /* stands for the logarithm of 0 */
TH_API const double THLogOne;

/* log(exp(a) + exp(b)); log(exp(a) - exp(b)), for which a must be the larger */
TH_API double THLogAdd(double log_a, double log_b);
TH_API double THLogSub(double log_a, double log_b);

/* exp(-x) */
TH_API double THExpMinusApprox(const double x);

#endif
