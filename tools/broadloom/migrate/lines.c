/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads files line by line.
 */
#define _POSIX_C_SOURCE 200809L

#include "lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bl_status lines_read_stream(const char *path, FILE *file, lines_add *add, void *to)
{
    bl_status status = BL_OK;
    char *line = NULL, why[256];
    size_t room = 0;
    ssize_t length;
    int64_t number = 0;

    while (status == BL_OK && (length = getline(&line, &room, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        status = add(to, line, ++number);
    }
    if (status == BL_ERR_FORMAT || status == BL_ERR_ARGUMENT) {
        snprintf(why, sizeof why, "%s", bl_error_message());
        status = bl_error_set(BL_ERR_FORMAT, "%s:%" PRId64 ": %s", path, number, why);
    } else if (status == BL_OK && ferror(file)) {
        status = bl_error_set(BL_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    }
    free(line);
    return status;
}

bl_status lines_read(const char *path, lines_add *add, void *to)
{
    FILE *const file = fopen(path, "r");
    bl_status status;

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    status = lines_read_stream(path, file, add, to);
    fclose(file);
    return status;
}
