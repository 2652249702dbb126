/* SPDX-License-Identifier: BSD-3-Clause */
#include "mark.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void print_mark(const char *text, size_t at)
{
    enum { WIDTH = 72 };
    size_t from = 0, to, first, end;

    if (text[at] == '\0')
        while (at > 0 && isspace((unsigned char)text[at - 1]))
            at--;
    for (size_t k = 0; k < at; k++)
        if (text[k] == '\n')
            from = k + 1;
    to = at + strcspn(text + at, "\n");
    first = from;
    end = to;
    if (to - from > WIDTH) {
        first = at - from > WIDTH / 2 ? at - WIDTH / 2 : from;
        end = to - first > WIDTH ? first + WIDTH : to;
        first = end - first < WIDTH ? end - WIDTH : first;
        while (end < to && ((unsigned char)text[end] & 0xc0) == 0x80)
            end++;
    }
    fprintf(stderr, "    %s", first > from ? "..." : "");
    for (size_t k = first; k < end; k++)
        fputc(iscntrl((unsigned char)text[k]) ? ' ' : text[k], stderr);
    fprintf(stderr, "%s\n%*s^\n", end < to ? "..." : "",
            (int)(at - first) + (first > from ? 7 : 4), "");
}
