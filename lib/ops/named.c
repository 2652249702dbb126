/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The named forms as exported functions, for calls through pointers and from other
 * languages: the bodies from the public headers, but recording the address that the
 * named form returns to instead of one in this file.
 */
#define BROADLOOM_NAMED_H /* defined here so that headers do not include it yet */
#define BL_NAMED          BL_API

#if defined(__GNUC__)
/* Forms are declared where they are defined, in the headers. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif

#include "call/call.h"

#include <broadloom/ops.h>
#include <broadloom/reduce.h>

#undef BROADLOOM_NAMED_H
#define bl_apply(...)     bli_apply_from(BLI_RETURN_ADDRESS, __VA_ARGS__)
#define bl_apply_new(...) bli_apply_new_from(BLI_RETURN_ADDRESS, __VA_ARGS__)

#include <broadloom/mask.h>
#include <broadloom/named.h>
#include <broadloom/paddle.h>
#include <broadloom/reductions.h>
#include <broadloom/scalar.h>
