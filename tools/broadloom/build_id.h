/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The build id of a program or library: whether a file is still the one that ran.
 */
#ifndef BUILD_ID_H
#define BUILD_ID_H

#include <stdbool.h>

/*
 * Whether the file has that build id, in hexadecimal; false where it is no ELF file of
 * this machine's kind or has none.
 */
bool build_id_is(const char *path, const char *build_id);

#endif
