/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the outcome of a call with the expected one, and notes the difference.
 */
#ifndef TESTS_EXPECT_STATUS_H
#define TESTS_EXPECT_STATUS_H

#include <broadloom.h>

/*
 * Whether a call succeeded with a new 1-dimensional tensor of `count` elements of
 * `dtype` equal to `want`, bit for bit.  Releases the tensor.
 */
bool expect_tensor(bl_status status, bl_tensor *const *tensor, bl_dtype dtype,
                   int64_t count, const void *want);

/* Whether a call returned status `want`, and the error message contains `text`. */
bool expect_status(bl_status status, bl_status want, const char *text);

#endif
