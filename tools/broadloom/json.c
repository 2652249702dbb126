/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON.
 */
#include "json.h"

#include "utf8.h"

#include <inttypes.h>
#include <string.h>

static void quote(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strlen(text), length;

    putc('"', file);
    for (; left > 0; at += length, left -= length) {
        uint32_t character;
        const size_t known = utf8_decode(at, left, &character);

        length = known > 0 ? known : 1;
        if (known == 0)
            fputs(UTF8_REPLACEMENT, file);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else
            fwrite(at, 1, length, file);
    }
    putc('"', file);
}

/* Write what precedes a value: a comma where one is due, and the key. */
static void lead(struct json *json, const char *key)
{
    if (json->follows)
        fputs(", ", json->file);
    json->follows = true;
    if (key) {
        quote(json->file, key);
        fputs(": ", json->file);
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    lead(json, key);
    putc(bracket, json->file);
    json->follows = false;
}

void json_close(struct json *json, char bracket)
{
    putc(bracket, json->file);
    json->follows = true;
}

void json_string(struct json *json, const char *key, const char *value)
{
    lead(json, key);
    quote(json->file, value);
}

void json_integer(struct json *json, const char *key, int64_t value)
{
    lead(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void json_boolean(struct json *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->file);
}

void json_number(struct json *json, const char *key, double value)
{
    lead(json, key);
    fprintf(json->file, "%.3f", value);
}

void json_real(struct json *json, const char *key, double value)
{
    lead(json, key);
    fprintf(json->file, "%.9g", value);
}

void json_integers(struct json *json, const char *key, int32_t count,
                   const int64_t *value)
{
    json_open(json, key, '[');
    for (int32_t k = 0; k < count; k++)
        json_integer(json, NULL, value[k]);
    json_close(json, ']');
}
