/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The build ID of a program or library, which identifies the file that was loaded.
 */
#ifndef BUILD_ID_H
#define BUILD_ID_H

#include <stdbool.h>

/*
 * Whether the file's build ID is `build_id`, in hexadecimal; false where it is no ELF
 * file of this machine's class or has none.
 */
bool build_id_is(const char *path, const char *build_id);

#endif
