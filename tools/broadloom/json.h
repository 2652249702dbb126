/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON (RFC 8259), one value after another; commas and escapes are its business,
 * brackets that match are the caller's.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *file;
    bool follows; /* a value stands before, so that a comma is due */
};

/* An object '{' or an array '[' and its end; `key` is NULL in arrays and at the top. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

/* One value. */
void json_string(struct json *json, const char *key, const char *value);
void json_integer(struct json *json, const char *key, int64_t value);
void json_boolean(struct json *json, const char *key, bool value);
/* With three decimals. */
void json_number(struct json *json, const char *key, double value);

/* An array of integers. */
void json_integers(struct json *json, const char *key, int32_t count,
                   const int64_t *value);

#endif
