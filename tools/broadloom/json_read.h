/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads an object of JSON (RFC 8259) whose values are strings, numbers, words and
 * arrays of numbers: a line of a report.
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include "tool.h"

struct json_reader {
    char *at;
    char next; /* the unread text, which may be overwritten */
};

struct json_member {
    const char *key;
    const char *text; /* a string's characters; for other values, the text */
};

/* Start reading an object. The text is modified, and must outlive the reader. */
bl_status json_read_open(struct json_reader *reader, char *text);

/*
 * Read the next member; `*found` is false after the last.  The message of BL_ERR_FORMAT
 * says what is wrong with the text.
 */
bl_status json_read_next(struct json_reader *reader, struct json_member *member,
                         bool *found);

#endif
