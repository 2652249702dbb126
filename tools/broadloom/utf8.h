/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of files and lines of programs are bytes, which may be no UTF-8.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* U+FFFD, which stands for a byte that is no UTF-8. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * Decode the character at `text`, which has `size` bytes left; returns its bytes, 0
 * where there is no UTF-8.
 */
size_t utf8_decode(const unsigned char *text, size_t size, uint32_t *character);

/*
 * Replace what a terminal might obey, or that is no UTF-8, by question marks: each byte
 * of control characters, those of C1 too; lines stay where `keeps_lines`.
 */
void utf8_show(char *text, bool keeps_lines);

#endif
