/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

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
