/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays and tensors with the same dtype, shape and elements, bit for bit, whatever
 * their strides; bytes that repeat; and calls that a test needs.
 */
#ifndef TESTS_SAME_H
#define TESTS_SAME_H

#include <broadloom.h>

bool arrays_are_same(const bl_array *a, const bl_array *b);

/* As arrays_are_same(); both tensors are released. */
bool tensors_are_same(bl_tensor *a, bl_tensor *b);

/* Repeat the first `period` bytes at `memory` until `bytes` have been written. */
void repeat(char *memory, size_t bytes, size_t period);

/* End the program if a call was refused, with the error's text as a note. */
void must(bl_status status);

#endif
