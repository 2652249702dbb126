/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses and prints shapes.
 */
#include "parse_shape.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void skip_blanks(const char **text)
{
    while (isspace((unsigned char)**text))
        ++*text;
}

/* Report that `text` is not what was expected. */
static bl_status unexpected(const char *wanted, const char *text)
{
    if (*text == '\0')
        return bl_error_set(BL_ERR_FORMAT, "it ends where %s should stand", wanted);
    return bl_error_set(BL_ERR_FORMAT, "'%.40s' where %s should stand", text, wanted);
}

/* Parse one integer at *text, which is advanced past it. */
static bl_status number_parse(const char **text, bool negative, int64_t *number)
{
    const char *digits = *text + (**text == '-');
    char *end;

    if (!isdigit((unsigned char)*digits))
        return unexpected("an integer", *text);
    if (digits != *text && !negative)
        return bl_error_set(BL_ERR_FORMAT, "extents must not be negative, got -%.*s",
                            (int)strspn(digits, "0123456789"), digits);
    errno = 0;
    *number = strtoll(*text, &end, 10);
    if (errno != 0)
        return bl_error_set(BL_ERR_FORMAT, "%.*s does not fit in 64 bits",
                            (int)(end - *text), *text);
    *text = end;
    return BL_OK;
}

bl_status list_parse(const char **text, char close, bool negative, int32_t *count,
                     int64_t *number)
{
    char wanted[] = "',' or '?'";
    int32_t n = 0;

    wanted[8] = close;
    for (skip_blanks(text); **text != close; skip_blanks(text)) {
        if (n == BL_MAX_RANK)
            return bl_error_set(BL_ERR_FORMAT, "more than %d dimensions", BL_MAX_RANK);
        TRY(number_parse(text, negative, &number[n]));
        n++;
        skip_blanks(text);
        if (**text == ',')
            ++*text;
        else if (**text != close)
            return unexpected(wanted, *text);
    }
    ++*text;
    *count = n;
    return BL_OK;
}

static bl_status parse(const char *text, bool negative, struct shape *shape)
{
    skip_blanks(&text);
    if (*text != '(')
        return bl_error_set(BL_ERR_FORMAT, "a shape is written as (2,3)");
    text++;
    TRY(list_parse(&text, ')', negative, &shape->rank, shape->extent));
    skip_blanks(&text);
    if (*text != '\0')
        return bl_error_set(BL_ERR_FORMAT, "unexpected '%.40s'", text);
    return BL_OK;
}

bl_status shape_parse(const char *text, bool negative, struct shape *out)
{
    struct shape shape = {0};
    char why[200];

    if (parse(text, negative, &shape) != BL_OK) {
        snprintf(why, sizeof why, "%s", bl_error_message());
        return bl_error_set(BL_ERR_FORMAT, "bad shape '%.200s': %s", text, why);
    }
    *out = shape;
    return BL_OK;
}

char *shape_text(const struct shape *shape, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");

    for (int32_t d = 0; d < shape->rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, d ? "," : "",
                                 shape->extent[d]);
    if (used < size)
        snprintf(text + used, size - used, ")");
    return text;
}
