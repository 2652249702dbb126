/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parser for the dictionary in the header of an NPY file.  The text is untrusted: there
 * is no recursion, and every number is checked.
 */
#include "io/npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Position in the text of a header, which is parsed from left to right. */
struct cursor {
    const char *file;
    const char *text;
    size_t length;
    size_t at;
    size_t start; /* offset of the text in the file */
};

static bl_status expected(const struct cursor *c, const char *what)
{
    char found[24] = "the end of the header";

    if (c->at < c->length) {
        const unsigned char byte = (unsigned char)c->text[c->at];
        const bool is_plain = byte > ' ' && byte < 0x7f;
        snprintf(found, sizeof found, is_plain ? "'%c'" : "byte 0x%02x", byte);
    }
    return bl_error_set(BL_ERR_FORMAT, "%s: byte %zu: expected %s, found %s", c->file,
                        c->start + c->at, what, found);
}

/*
 * Skip white space and return the next character without consuming it; '\0' at the end
 * (or for a '\0' in the text).
 */
static char peek(struct cursor *c)
{
    while (c->at < c->length && strchr(" \t\r\n", c->text[c->at]) && c->text[c->at])
        c->at++;
    return c->at < c->length ? c->text[c->at] : '\0';
}

static bool take(struct cursor *c, char wanted)
{
    if (peek(c) != wanted)
        return false;
    c->at++;
    return true;
}

/*
 * Parse a string in single or double quotes, without escapes; *string points into the
 * text.
 */
static bl_status read_string(struct cursor *c, const char *what, const char **string,
                             size_t *length)
{
    const char quote = peek(c);

    if (quote != '\'' && quote != '"')
        return expected(c, what);
    c->at++;
    const size_t begin = c->at;
    while (c->at < c->length && c->text[c->at] != quote) {
        const unsigned char byte = (unsigned char)c->text[c->at];
        if (byte < ' ' || byte > '~' || byte == '\\')
            return expected(c, "a printable character or the closing quote");
        c->at++;
    }
    if (c->at == c->length)
        return expected(c, "the closing quote");
    *string = c->text + begin;
    *length = c->at - begin;
    c->at++;
    return BL_OK;
}

static bool string_is(const char *string, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(string, wanted, length) == 0;
}

/*
 * Parse a dtype as byte order, kind and size: '<f4'.  Records and sub-arrays are
 * refused.
 */
static bl_status read_descr(struct cursor *c, struct bli_npy_header *header)
{
    const char *string;
    size_t length;

    if (peek(c) == '[' || peek(c) == '(')
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "%s: byte %zu: records and sub-arrays are not supported",
                            c->file, c->start + c->at);
    BL_TRY(read_string(c, "the dtype as a string", &string, &length));

    const bool has_order = length > 0 && memchr("<>=|", string[0], 4);
    const char order = has_order ? string[0] : '=';
    for (int dtype = 1; dtype < BLI_DTYPES; dtype++) {
        const char *name = bli_dtypes[dtype].npy;
        if (name[0] == '\0' || !string_is(string + has_order, length - has_order, name))
            continue;
        header->dtype = (bl_dtype)dtype;
        header->is_swapped = bli_dtypes[dtype].align > 1 &&
                             order == (bli_npy_host_is_little() ? '>' : '<');
        return BL_OK;
    }
    const int shown = length < 40 ? (int)length : 40;
    return bl_error_set(BL_ERR_UNSUPPORTED, "%s: dtype '%.*s%s' is not supported",
                        c->file, shown, string, length > 40 ? "..." : "");
}

static bl_status read_order(struct cursor *c, struct bli_npy_header *header)
{
    static const char *const word[] = {"False", "True"};

    peek(c);
    for (int value = 0; value < 2; value++) {
        const size_t length = strlen(word[value]);
        if (c->length - c->at < length ||
            memcmp(c->text + c->at, word[value], length) != 0)
            continue;
        c->at += length;
        header->is_fortran = value == 1;
        return BL_OK;
    }
    return expected(c, "True or False");
}

/*
 * Parse a decimal number, optionally followed by the L that Python 2 wrote after longs.
 */
static bl_status read_extent(struct cursor *c, int64_t *extent)
{
    const char first = peek(c);
    const size_t begin = c->at;
    int64_t value = 0;

    if (first < '0' || first > '9')
        return expected(c, "an extent");
    for (; c->at < c->length && c->text[c->at] >= '0' && c->text[c->at] <= '9';
         c->at++) {
        if (c->at > begin && first == '0')
            return expected(c, "no digit after a leading 0");
        if (!bli_mul_i64(value, 10, &value) ||
            !bli_add_i64(value, c->text[c->at] - '0', &value))
            return bl_error_set(BL_ERR_FORMAT,
                                "%s: byte %zu: the extent does not fit in 64 bits",
                                c->file, c->start + begin);
    }
    if (c->at < c->length && c->text[c->at] == 'L')
        c->at++;
    *extent = value;
    return BL_OK;
}

/* Parse a shape as a tuple: (), (3,), (3, 4), with or without a trailing comma. */
static bl_status read_shape(struct cursor *c, struct bli_npy_header *header)
{
    if (!take(c, '('))
        return expected(c, "the shape as a tuple");
    header->rank = 0;
    while (peek(c) != ')') {
        if (header->rank == BL_MAX_RANK)
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "%s: byte %zu: more than %d dimensions", c->file,
                                c->start + c->at, BL_MAX_RANK);
        BL_TRY(read_extent(c, &header->extent[header->rank++]));
        if (take(c, ','))
            continue;
        if (header->rank == 1) /* (3) is a number, (3,) a tuple */
            return expected(c, "','");
        if (peek(c) != ')')
            return expected(c, "',' or ')'");
    }
    c->at++;
    return BL_OK;
}

static const struct {
    const char *name;
    bl_status (*read)(struct cursor *c, struct bli_npy_header *header);
} keys[] = {
    {"descr", read_descr},
    {"fortran_order", read_order},
    {"shape", read_shape},
};

enum { KEYS = sizeof keys / sizeof keys[0] };

/*
 * Parse one "key: value" of the dictionary; `*seen` has a bit for each key parsed
 * before.
 */
static bl_status read_item(struct cursor *c, unsigned *seen,
                           struct bli_npy_header *header)
{
    const char *string;
    size_t length;

    BL_TRY(read_string(c, "a key as a string or '}'", &string, &length));
    const size_t at = c->start + (size_t)(string - c->text);
    for (int k = 0; k < KEYS; k++) {
        if (!string_is(string, length, keys[k].name))
            continue;
        if (*seen & 1u << k)
            return bl_error_set(BL_ERR_FORMAT, "%s: byte %zu: a second '%s'", c->file,
                                at, keys[k].name);
        *seen |= 1u << k;
        if (!take(c, ':'))
            return expected(c, "':'");
        return keys[k].read(c, header);
    }
    return bl_error_set(BL_ERR_FORMAT,
                        "%s: byte %zu: expected 'descr', 'fortran_order' or 'shape', "
                        "found '%.*s'",
                        c->file, at, length < 40 ? (int)length : 40, string);
}

static bl_status read_dictionary(struct cursor *c, struct bli_npy_header *header)
{
    unsigned seen = 0;

    if (!take(c, '{'))
        return expected(c, "'{'");
    while (peek(c) != '}') {
        BL_TRY(read_item(c, &seen, header));
        if (!take(c, ',') && peek(c) != '}')
            return expected(c, "',' or '}'");
    }
    for (int k = 0; k < KEYS; k++)
        if (!(seen & 1u << k))
            return bl_error_set(BL_ERR_FORMAT, "%s: byte %zu: the header has no '%s'",
                                c->file, c->start + c->at, keys[k].name);
    c->at++;
    peek(c);
    return c->at == c->length ? BL_OK : expected(c, "the end of the header");
}

bl_status bli_npy_header_read(const char *file, size_t start, const char *text,
                              size_t length, struct bli_npy_header *header)
{
    struct cursor cursor = {file, text, length, 0, start};
    struct bli_npy_header found = {0};

    BL_TRY(read_dictionary(&cursor, &found));
    if (!bli_npy_header_measure(&found)) {
        char shape[256];
        struct bli_text words;
        bli_text_open(&words, shape, sizeof shape);
        bli_text_extents(&words, "(", ", ", ")", found.rank, found.extent);
        return bl_error_set(BL_ERR_FORMAT,
                            "%s: %s elements of shape %s do not fit in 64 bits", file,
                            bli_dtypes[found.dtype].name, shape);
    }
    *header = found;
    return BL_OK;
}
