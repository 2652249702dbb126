/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files below a folder that stands for the machine's root.
 */
#ifndef BELOW_H
#define BELOW_H

#include <stdbool.h>

/* Write a file below `root`, with the folders above it. */
bool write_below(const char *root, const char *path, const char *content);

/* Remove all that was written since the last time. */
void remove_made(void);

#endif
