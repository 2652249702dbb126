/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call ended with, against what it should; says in notes what is wrong.
 */
#ifndef TESTS_EXPECT_STATUS_H
#define TESTS_EXPECT_STATUS_H

#include <broadloom.h>

/*
 * Whether a call gave a new 1-dimensional tensor of `count` elements of `dtype` with
 * the bytes of `want`; releases it.
 */
bool expect_tensor(bl_status status, bl_tensor *const *tensor, bl_dtype dtype,
                   int64_t count, const void *want);

/* Whether a call ended with `want`, and the error's text has `text` in it. */
bool expect_status(bl_status status, bl_status want, const char *text);

#endif
