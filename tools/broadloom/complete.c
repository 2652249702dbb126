/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completion of a command line, for the shells' scripts in tools/share: the words that
 * may stand in place of the last one, from the commands' own tables.  No words at all
 * mean that files may stand there.
 */
#include "tool.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The word to complete: what it begins with, and what is printed before candidates. */
struct unfinished {
    const char *begin;
    const char *before; /* "--rules=" of "--rules=mo", where a word is both */
    int length;         /* of `before` */
};

static void offer(const struct unfinished *word, const char *candidate)
{
    if (strncmp(candidate, word->begin, strlen(word->begin)) == 0)
        printf("%.*s%s\n", word->length, word->before, candidate);
}

static void offer_flags(const struct unfinished *word, const struct flag *flags)
{
    char text[64];

    for (; flags->name; flags++) {
        snprintf(text, sizeof text, "--%s", flags->name);
        offer(word, text);
    }
}

static void offer_operators(const struct unfinished *word)
{
    bl_op_info info = {.size = sizeof info};

    for (int op = BL_OP_NONE + 1; bl_op_query((bl_op)op, &info) == BL_OK; op++)
        offer(word, info.name);
}

/* Offer names of dtypes; `after` follows each, as the "[" of an operand. */
static void offer_dtypes(const struct unfinished *word, const char *after)
{
    char text[16];

    for (int dtype = BL_DTYPE_NONE + 1; bl_dtype_name((bl_dtype)dtype); dtype++) {
        snprintf(text, sizeof text, "%s%s", bl_dtype_name((bl_dtype)dtype), after);
        offer(word, text);
    }
}

/*
 * Offer those words of an option's help that it takes as its value, each once: "modern"
 * and "legacy" of "modern, strict, paddle, transitional or legacy".
 */
static void offer_words(const struct unfinished *word, const struct flag *flag)
{
    /* Readers write one member of a request: an integer, a pointer, a query. */
    union {
        double alignment;
        char request[1024];
    } scratch;
    char candidate[32];
    const char *text = flag->text;

    while (*text) {
        const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-");

        memset(&scratch, 0, sizeof scratch);
        if (length > 0 && length < sizeof candidate) {
            snprintf(candidate, sizeof candidate, "%.*s", (int)length, text);
            if (!strstr(text + length, candidate) &&
                flag->read(candidate, &scratch) == BL_OK)
                offer(word, candidate);
        }
        text += length;
        while (*text && !islower((unsigned char)*text))
            text++;
    }
}

static void offer_values(const struct unfinished *word, const struct flag *flag)
{
    if (strcmp(flag->name, "op") == 0)
        offer_operators(word);
    else if (flag->read == read_dtype)
        offer_dtypes(word, "");
    else if (flag->read != read_text && strcmp(flag->value, "FILE") != 0)
        offer_words(word, flag);
}

/* The option `name`, of `length` bytes, if it takes a value; NULL if there is none. */
static const struct flag *find_flag(const struct command *command, const char *name,
                                    size_t length)
{
    for (const struct flag *flag = command->flags; flag->name; flag++) {
        const bool is_letter = length == 2 && name[1] == flag->letter;
        const bool is_name = length > 2 && strlen(flag->name) == length - 2 &&
                             strncmp(name + 2, flag->name, length - 2) == 0;

        if (flag->value && name[0] == '-' && (is_letter || is_name))
            return flag;
    }
    return NULL;
}

/* Offer what may be an argument of the command, where its help names operands. */
static void offer_arguments(const struct unfinished *word,
                            const struct command *command)
{
    if (strncmp(command->arguments, "OPERAND", 7) == 0)
        offer_dtypes(word, "[");
    if (strcmp(command->name, "migrate") == 0) {
        offer(word, "report");
        offer(word, "run");
        offer(word, "fix");
    }
}

static void complete_command(const struct command *command, int count,
                             char *const *words)
{
    struct unfinished word = {words[count - 1], "", 0};
    const char *const equals = strchr(word.begin, '=');
    const char *option = count > 1 ? words[count - 2] : "";
    size_t length;

    if (word.begin[0] == '-' && equals) {
        option = word.before = word.begin;
        word.length = (int)(equals + 1 - word.begin);
        word.begin = equals + 1;
    } else if (strcmp(word.begin, "=") == 0) {
        word.begin = ""; /* Bash makes three words of "--rules=mo" */
    } else if (strcmp(option, "=") == 0 && count > 2) {
        option = words[count - 3];
    }
    length = word.length > 0 ? (size_t)word.length - 1 : strlen(option);
    const struct flag *const flag = find_flag(command, option, length);

    if (flag)
        offer_values(&word, flag);
    else if (word.begin[0] == '-')
        offer_flags(&word, command->flags);
    else
        offer_arguments(&word, command);
}

int complete_words(const struct command *const *commands, int commands_count, int count,
                   char *const *words)
{
    const struct unfinished word = {count > 0 ? words[count - 1] : "", "", 0};

    for (int k = 0; k < commands_count; k++)
        if (count <= 1)
            offer(&word, commands[k]->name);
        else if (strcmp(words[0], commands[k]->name) == 0)
            complete_command(commands[k], count - 1, words + 1);
    if (count <= 1) {
        offer(&word, "--help");
        offer(&word, "--version");
    }
    return 0;
}
