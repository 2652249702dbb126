/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs of TH share: numbers of any of its types, and checks of tensors.
 */
#ifndef KEPT_TH_H
#define KEPT_TH_H

#include "kept.h"

#include <TH/TH.h>

/* A number of the template's type, and the value of one. */
#define N(number) TH_CONVERT_ACCREAL_TO_REAL((accreal)(number))
#define V(number) ((double)TH_CONVERT_REAL_TO_ACCREAL(number))

/* Whether the elements of a tensor of any type, in order, are these: near, as floats.
 */
#define TH_HAS(t, value, ...)                                                          \
    do {                                                                               \
        static const double expected_[] = {__VA_ARGS__};                               \
        const int count_ = (int)(sizeof expected_ / sizeof *expected_);                \
        bool equal_ = THTensor_(nElement)(t) == count_;                                \
        THTensor *const flat_ = THTensor_(newContiguous)(t);                           \
                                                                                       \
        for (int i_ = 0; equal_ && i_ < count_; i_++)                                  \
            equal_ = fabs(value(THTensor_(data)(flat_)[i_]) - expected_[i_]) <=        \
                     1e-5 * fabs(expected_[i_]);                                       \
        kept_check(equal_, #t " has " #__VA_ARGS__, __FILE__, __LINE__);               \
        THTensor_(free)(flat_);                                                        \
    } while (0)

#endif
