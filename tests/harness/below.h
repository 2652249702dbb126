/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files below a folder that serves as the machine's root.
 */
#ifndef BELOW_H
#define BELOW_H

#include <stdbool.h>

/* Write a file below `root`, and create the folders above it. */
bool write_below(const char *root, const char *path, const char *content);

/* Remove everything that was created since the last call. */
void remove_made(void);

#endif
