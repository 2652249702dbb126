/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON (RFC 8259), value by value, with commas and escapes; the caller must
 * close the brackets that it opens.  What is no UTF-8 becomes U+FFFD.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *file;
    bool follows; /* a value precedes, so that a comma is due */
};

/*
 * Start and end an object '{' or an array '['; `key` is NULL in arrays and at the top.
 */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

/* Write one value. */
void json_string(struct json *json, const char *key, const char *value);
void json_integer(struct json *json, const char *key, int64_t value);
void json_boolean(struct json *json, const char *key, bool value);
/* Write a number with three decimals. */
void json_number(struct json *json, const char *key, double value);

/* Write a finite number with nine digits. */
void json_real(struct json *json, const char *key, double value);

/* Write an array of integers. */
void json_integers(struct json *json, const char *key, int32_t count,
                   const int64_t *value);

#endif
