/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of lines that people and other runs have written.
 */
#ifndef LINES_H
#define LINES_H

#include "tool.h"

#include <stdio.h>

/* Takes one line without its end, which it may modify, and its number from 1 on. */
typedef bl_status lines_add(void *to, char *line, int64_t number);

/*
 * Call `add` for each line of a file. Stops at the first status that is not BL_OK, and
 * names file and line where what is in it is wrong, BL_ERR_FORMAT; BL_ERR_IO.
 */
bl_status lines_read(const char *path, lines_add *add, void *to);

/* Likewise of an open file, from its position on; `path` names it in messages. */
bl_status lines_read_stream(const char *path, FILE *file, lines_add *add, void *to);

#endif
