/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source files in C and C++ as tokens, without a preprocessor: comments and spliced
 * lines are blanks, a directive is one token, and brackets know their partners.  Any
 * text can be read; what is not C gives tokens of no use.
 */
#ifndef C_SOURCE_H
#define C_SOURCE_H

#include "tool.h"

enum token_kind {
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* a string or a character constant, with its quotes and prefix */
    TOKEN_MARK, /* an operator or a bracket */
    TOKEN_DIRECTIVE
};

struct token {
    enum token_kind kind;
    size_t at, length; /* in the text */
    int64_t line;      /* of its first byte, from 1 on */
    int32_t mate;      /* of a bracket: its partner; -1: none */
};

struct source {
    char *path; /* as findings name it */
    char *text; /* ends with a 0 that `length` does not count */
    size_t length;
    struct token *token;
    int32_t count, room;
    bool is_cxx; /* by the ending of its name */
};

/*
 * Read a file.  BL_ERR_IO, also for names of other languages; BL_ERR_MEMORY.  Free it
 * in any case.
 */
bl_status source_read(struct source *source, const char *path);
void source_free(struct source *source);

/* Find the tokens of its text: c_tokens.c. BL_ERR_MEMORY. */
bl_status source_split(struct source *source);

/* Whether token `k` is this text; false outside of the file. */
bool source_is(const struct source *source, int32_t k, const char *text);

/* Whether token `k` is one of these texts, of which the last is NULL. */
bool source_is_one_of(const struct source *source, int32_t k, const char *const *texts);

/* Whether token `k` is of a kind; false outside of the file. */
bool source_is_kind(const struct source *source, int32_t k, enum token_kind kind);

/* Number of bytes of the line's indentation, which begins at *at. */
int source_indentation(const struct source *source, int32_t k, size_t *at);

/* The first token on a line or after it; the number of tokens where there is none. */
int32_t source_find_line(const struct source *source, int64_t line);

/* What ends its lines. */
const char *source_newline(const struct source *source);

/* Line and column, in characters of UTF-8, from 1 on, of a byte. */
void source_position(const struct source *source, size_t at, int64_t *line,
                     int64_t *column);

#endif
