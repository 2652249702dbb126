/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of lines that people and other runs have written.
 */
#ifndef LINES_H
#define LINES_H

#include "tool.h"

/*
 * Call `add` for each line of a file, with its number from 1 on and without its end; it
 * may modify the line. Stops at the first status that is not BL_OK, and names file and
 * line where what is in it is wrong, BL_ERR_FORMAT; BL_ERR_IO.
 */
bl_status lines_read(const char *path,
                     bl_status (*add)(void *to, char *line, int64_t number), void *to);

#endif
