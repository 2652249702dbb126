/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

#include <string.h>

size_t utf8_decode(const unsigned char *text, size_t size, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = text[0] < 0x80   ? 1
                          : text[0] < 0xc2 ? 0
                          : text[0] < 0xe0 ? 2
                          : text[0] < 0xf0 ? 3
                          : text[0] < 0xf5 ? 4
                                           : 0;

    if (length == 0 || length > size)
        return 0;
    *character = length == 1 ? text[0] : text[0] & (0x7fU >> length);
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (text[k] & 0x3f);
    }
    if (*character < least[length] || *character > 0x10ffff ||
        (*character >= 0xd800 && *character < 0xe000))
        return 0;
    return length;
}

void utf8_show(char *text, bool keeps_lines)
{
    size_t left = strlen(text), length;

    for (; left > 0; text += length, left -= length) {
        uint32_t character = 0;
        const size_t known = utf8_decode((unsigned char *)text, left, &character);
        const bool is_control =
            character < 0x20 || (character >= 0x7f && character < 0xa0);

        length = known > 0 ? known : 1;
        if (known == 0 || (is_control && !(keeps_lines && *text == '\n')))
            memset(text, '?', length);
    }
}
