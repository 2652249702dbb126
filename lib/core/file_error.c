/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error of a file that the system refuses.
 */
#undef _GNU_SOURCE /* for POSIX's strerror_r */
#define _POSIX_C_SOURCE 200809L

#include "core/error.h"
#include "core/save.h"

#include <stdio.h>
#include <string.h>

bl_status bli_file_error(const char *path, const char *what, int code)
{
    char text[128];

    if (strerror_r(code, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d", code);
    (void)bl_error_set(BL_ERR_IO, "%s: %s: %s", path[0] ? path : "\"\"", what, text);
    return bli_fault_system(BL_ERR_IO, code);
}
