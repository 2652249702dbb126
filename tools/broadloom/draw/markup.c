/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Escapes text for markup.
 */
#include "markup.h"

#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";

/*
 * Whether a character beyond ASCII is shown: not those of C1, marks and overrides of
 * direction, which would show a line in another order than a compiler reads it, and
 * noncharacters.
 */
static bool is_shown(uint32_t character)
{
    return character >= 0xa0 && character != 0x61c &&
           !(character >= 0x200e && character <= 0x200f) &&
           !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2066 && character <= 0x2069) &&
           !(character >= 0xfdd0 && character <= 0xfdef) &&
           (character & 0xfffe) != 0xfffe;
}

static void write_ascii(FILE *file, unsigned char c)
{
    switch (c) {
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    case '&':
        fputs("&amp;", file);
        break;
    case '"':
        fputs("&quot;", file);
        break;
    case '\'':
        fputs("&#39;", file);
        break;
    case 0x7f:
        fputs("\xe2\x90\xa1", file);
        break;
    default:
        if (c < 0x20 && c != '\t')
            fprintf(file, "\xe2\x90%c", 0x80 + c);
        else
            putc(c, file);
    }
}

void markup_bytes(FILE *file, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text, *const end = at + size;

    while (at < end) {
        uint32_t character = 0;
        const size_t length = utf8_decode(at, (size_t)(end - at), &character);

        if (length == 1)
            write_ascii(file, *at);
        else if (length > 1 && is_shown(character))
            fwrite(at, 1, length, file);
        else
            fputs(UTF8_REPLACEMENT, file);
        at += length > 0 ? length : 1;
    }
}

void markup_text(FILE *file, const char *text, size_t most)
{
    size_t size = strnlen(text, most + 1);
    const bool is_cut = size > most;

    if (is_cut)
        for (size = most; size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80;)
            size--;
    markup_bytes(file, text, size);
    if (is_cut)
        fputs(ellipsis, file);
}
