/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits a line into words.
 */
#include "tokenize.h"

#include <ctype.h>

/*
 * Move one word to the start of *word, without its quotes; *line is advanced past it.
 */
static bl_status next_word(char **line, char **word)
{
    char *from = *line, *to = *line;
    char quote = '\0';
    int depth = 0;

    *word = to;
    for (; *from != '\0'; from++) {
        if (quote ? *from == quote : *from == '\'' || *from == '"') {
            quote = quote ? '\0' : *from;
            continue;
        }
        if (!quote && depth == 0 && isspace((unsigned char)*from))
            break;
        if (!quote)
            depth += (*from == '(') - (*from == ')' && depth > 0);
        *to++ = *from;
    }
    if (quote)
        return bl_error_set(BL_ERR_FORMAT, "a quote %c stays open", quote);
    *line = *from ? from + 1 : from;
    *to = '\0';
    return BL_OK;
}

bl_status tokenize_line(char *line, int most, char **word, int *count)
{
    int n = 0;

    for (;;) {
        while (isspace((unsigned char)*line))
            line++;
        if (*line == '\0')
            break;
        if (n == most - 1)
            return bl_error_set(BL_ERR_FORMAT, "more than %d words", most - 1);
        TRY(next_word(&line, &word[n]));
        n++;
    }
    word[n] = NULL;
    *count = n;
    return BL_OK;
}
