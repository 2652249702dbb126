/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads flat JSON objects in place: resolving escapes only makes strings shorter.
 */
#include "json_read.h"

#include <string.h>

static bl_status refuse(const char *what)
{
    return bl_error_set(BL_ERR_FORMAT, "not a line of a report: %s", what);
}

static void skip_blanks(struct json_reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
    reader->next = *reader->at;
}

/*
 * The byte that four hexadecimal digits encode: a character of ASCII, or a byte that is
 * no UTF-8, as U+DC80 to U+DCFF; -1 where they are no digits, or other characters.
 */
static int read_unit(const char *digits)
{
    static const char all[] = "0123456789abcdef";
    int unit = 0;

    for (int k = 0; k < 4; k++) {
        const char *const digit =
            digits[k] != '\0' ? strchr(all, digits[k] | 0x20) : NULL;

        if (!digit)
            return -1;
        unit = 16 * unit + (int)(digit - all);
    }
    if (unit >= 0xdc80 && unit <= 0xdcff)
        return unit & 0xff;
    return unit > 0 && unit < 0x80 ? unit : -1;
}

/*
 * The character that an escape after a backslash means, and step over it; 0 if it is
 * invalid.
 */
static char read_escape(char **at)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *const escape = **at != '\0' ? strchr(escapes, **at) : NULL;
    int unit;

    if (escape) {
        ++*at;
        return meanings[escape - escapes];
    }
    if (**at != 'u' || (unit = read_unit(*at + 1)) < 0)
        return '\0';
    *at += 5;
    return (char)unit;
}

static bl_status read_string(struct json_reader *reader, const char **text)
{
    char *to = reader->at;

    if (*reader->at != '"')
        return refuse("a string should stand where it does not");
    *text = ++reader->at;
    to = reader->at;
    while (*reader->at != '"') {
        char byte = *reader->at++;

        if (byte == '\\')
            byte = read_escape(&reader->at);
        if (byte == '\0')
            return refuse("a string has no end, or a character that is not read");
        *to++ = byte;
    }
    reader->at++;
    *to = '\0';
    skip_blanks(reader);
    return BL_OK;
}

/* Read a number, a word or an array without strings. */
static bl_status read_plain(struct json_reader *reader, const char **text)
{
    const bool is_array = *reader->at == '[';
    size_t length = strcspn(reader->at, is_array ? "]\"{}" : ", \t\r\n]}[{\"");
    char *end;

    if (length == 0 || (is_array && reader->at[length++] != ']'))
        return refuse("a value is missing, or of a kind that is not read");
    *text = reader->at;
    end = reader->at += length;
    skip_blanks(reader);
    *end = '\0';
    return BL_OK;
}

bl_status json_read_open(struct json_reader *reader, char *text)
{
    reader->at = text;
    skip_blanks(reader);
    if (reader->next != '{')
        return refuse("it does not begin with '{'");
    return BL_OK;
}

bl_status json_read_next(struct json_reader *reader, struct json_member *member,
                         bool *found)
{
    const char before = reader->next;

    *found = false;
    if (before == '}')
        return BL_OK;
    if (before != '{' && before != ',')
        return refuse("',' or '}' should stand where it does not");
    reader->at++;
    skip_blanks(reader);
    if (before == '{' && reader->next == '}')
        return BL_OK;
    TRY(read_string(reader, &member->key));
    if (reader->next != ':')
        return refuse("':' should stand where it does not");
    reader->at++;
    skip_blanks(reader);
    TRY(reader->next == '"' ? read_string(reader, &member->text)
                            : read_plain(reader, &member->text));
    *found = true;
    return BL_OK;
}
