/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the statement of a call: back to the separator before it, then forward over
 * what controls it.
 */
#include "c_call.h"

#include <stdio.h>
#include <string.h>

static bool is(const struct source *source, int32_t k, const char *text)
{
    return source_is(source, k, text);
}

static bool refuse(char reason[REASON_SIZE], const char *text)
{
    snprintf(reason, REASON_SIZE, "%s", text);
    return false;
}

/* Whether the brace at `k` opens a block of statements, not a list of values. */
static bool opens_block(const struct source *source, int32_t k)
{
    static const char *const before[] = {
        ")",   ";",     "{",        "}",        ":",       "else", "do",
        "try", "const", "noexcept", "override", "mutable", NULL};

    /* [&] {: a lambda, but not a[3] { */
    if (is(source, k - 1, "]") && source->token[k - 1].mate > 0)
        return !source_is_kind(source, source->token[k - 1].mate - 1, TOKEN_NAME);
    return source_is_one_of(source, k - 1, before);
}

/* Whether the name before a bracket is that of a macro, by its capitals. */
static bool is_of_macro(const struct source *source, int32_t open)
{
    const struct token *const name = &source->token[open > 0 ? open - 1 : 0];

    if (open == 0 || name->kind != TOKEN_NAME || name->length < 2)
        return false;
    for (size_t k = 0; k < name->length; k++)
        if (source->text[name->at + k] >= 'a' && source->text[name->at + k] <= 'z')
            return false;
    return true;
}

/* Whether a comma separates what is between two tokens. */
static bool has_comma(const struct source *source, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to; k++)
        if (source->token[k].mate > k)
            k = source->token[k].mate;
        else if (is(source, k, ","))
            return true;
    return false;
}

/*
 * Whether a call may be evaluated before what its brackets belong to: not so of assert
 * and sizeof, which may leave it out, and of macros with more arguments, as loops.
 */
static bool admits(const struct source *source, int32_t open, char reason[REASON_SIZE])
{
    const int32_t close = source->token[open].mate;

    if (is(source, open - 1, "assert") || is(source, open - 1, "sizeof") ||
        is(source, open - 1, "decltype"))
        return refuse(reason, "its call may be left out: it is in an assert or sizeof");
    if (close < 0 || (is_of_macro(source, open) && has_comma(source, open + 1, close)))
        return refuse(reason, "its call is among the arguments of a macro");
    return true;
}

/* Whether a statement may begin after token `k`. */
static bool ends_statement(const struct source *source, int32_t k)
{
    return is(source, k, ";") || is(source, k, "{") || is(source, k, "}") ||
           is(source, k, ":");
}

/* What stands before a call in its statement. */
struct before {
    int32_t begin; /* the first token of the statement */
    bool is_late;  /* an operator evaluates something first, or decides whether to */
};

/*
 * Go back from the call to the beginning of its statement.  A comma is an operator
 * except between arguments.
 */
static bool go_back(const struct c_call *call, struct before *before,
                    char reason[REASON_SIZE])
{
    const struct source *const source = call->source;
    int32_t commas = 0, k = call->first - 1;

    *before = (struct before){.begin = 0};
    for (; k >= 0; k--) {
        if (source_is_kind(source, k, TOKEN_DIRECTIVE) || is(source, k, ";") ||
            is(source, k, "}"))
            break;
        if (is(source, k, "{")) {
            if (!opens_block(source, k))
                return refuse(reason, "its call is in a list of values");
            break;
        }
        if (is(source, k, "(") || is(source, k, "[")) {
            if (!admits(source, k, reason))
                return false;
            before->is_late =
                before->is_late ||
                (commas > 0 && !source_is_kind(source, k - 1, TOKEN_NAME));
            commas = 0;
        } else if (is(source, k, ")") || is(source, k, "]")) {
            k = source->token[k].mate;
            if (k < 0)
                return refuse(reason, "brackets around its call have no partners");
        } else if (is(source, k, "&&") || is(source, k, "||") || is(source, k, "?")) {
            before->is_late = true;
        } else if (is(source, k, ":") && !before->is_late) {
            /* A label, unless a question mark comes before it. */
            int32_t i = k;

            while (i > 0 && !is(source, i, ";") && !is(source, i, "{") &&
                   !is(source, i, "}") && !is(source, i, "?"))
                i--;
            if (!is(source, i, "?"))
                break;
        }
        commas += is(source, k, ",");
    }
    before->is_late = before->is_late || commas > 0;
    before->begin = k + 1;
    while (source_is_kind(source, k, TOKEN_DIRECTIVE))
        k--;
    return k < 0 || ends_statement(source, k) ||
           refuse(reason, "a directive is in the statement of its call");
}

/*
 * Go forward over what controls the statement: conditions, loops, macros that are used
 * as loops.  False where the call is in one of them other than an if or a switch.
 */
static bool skip_controls(const struct c_call *call, struct statement *statement,
                          char reason[REASON_SIZE])
{
    const struct source *const source = call->source;
    static const char *const leads[] = {"return", "co_return", "co_yield", NULL};
    int32_t *const k = &statement->first;

    for (;;) {
        const bool decides = is(source, *k, "if") || is(source, *k, "switch");
        const bool loops = is(source, *k, "for") || is(source, *k, "while");
        const int32_t open = *k + 1 + is(source, *k + 1, "constexpr");
        int32_t close;

        if (is(source, *k, "else") || is(source, *k, "do")) {
            ++*k;
            statement->is_bare = true;
            continue;
        }
        if (!is(source, open, "(") || !source_is_kind(source, *k, TOKEN_NAME))
            return true;
        close = source->token[open].mate;
        if (close < 0)
            return refuse(reason, "brackets around its call have no partners");
        if (decides && close > call->close) {
            statement->place = CALL_CONDITION;
            statement->last = close;
            return true;
        }
        if (loops && close > call->close)
            return refuse(reason, "its call is in the head of a loop");
        /* f(x) y, g(x) {: a macro that is used as a loop; no return (type)y */
        if (!decides && !loops &&
            (close >= call->first || !source_is_kind(source, close + 1, TOKEN_NAME) ||
             source_is_one_of(source, *k, leads)))
            return true;
        *k = close + 1;
        statement->is_bare = true;
    }
}

/* Whether a statement begins with two names, as `float x`, with * and & between. */
static bool is_declaration(const struct source *source, int32_t first, int32_t end)
{
    if (!source_is_kind(source, first, TOKEN_NAME))
        return false;
    for (int32_t k = first + 1; k < end; k++)
        if (source_is_kind(source, k, TOKEN_NAME) && !is(source, k - 1, "::"))
            return true;
        else if (!source_is_kind(source, k, TOKEN_NAME) && !is(source, k, "*") &&
                 !is(source, k, "&") && !is(source, k, "&&") && !is(source, k, "::"))
            return is(source, k, "<");
    return false;
}

/* Find the end of a statement that no bracket ends before the call. */
static bool find_end(const struct c_call *call, struct statement *statement,
                     char reason[REASON_SIZE])
{
    const struct source *const source = call->source;

    for (int32_t k = statement->first; k < source->count; k++) {
        if (source_is_kind(source, k, TOKEN_DIRECTIVE))
            return refuse(reason, "a directive is in the statement of its call");
        if (is(source, k, ";") && k > call->close) {
            statement->last = k;
            return true;
        }
        if (is(source, k, "(") || is(source, k, "[") || is(source, k, "{")) {
            const int32_t close = source->token[k].mate;

            if (close < 0)
                return refuse(reason, "brackets around its call have no partners");
            k = close;
        } else if (is(source, k, ")") || is(source, k, "]") || is(source, k, "}")) {
            break;
        }
    }
    return refuse(reason, "its call is in an argument that has statements");
}

/* The bracket that encloses token `k`; -1: none. */
static int32_t find_enclosing(const struct source *source, int32_t k)
{
    for (k--; k >= 0; k--) {
        const int32_t mate = source->token[k].mate;

        if (mate >= 0 && mate < k)
            k = mate;
        else if (is(source, k, "{") || is(source, k, "(") || is(source, k, "["))
            return k;
    }
    return -1;
}

/* Whether lines may be placed before and after a statement that gets no braces. */
static bool has_room(const struct source *source, const struct statement *statement,
                     char reason[REASON_SIZE])
{
    const int32_t open = find_enclosing(source, statement->first);

    if (statement->is_bare || is(source, statement->first - 1, ":"))
        return refuse(reason,
                      "its statement is the body of an if, else or loop without "
                      "braces, or has a label");
    if (is(source, open - 1, ")") && source->token[open - 1].mate > 0 &&
        is(source, source->token[open - 1].mate - 1, "switch"))
        return refuse(reason,
                      "its statement is in a switch, without braces of its own");
    if (source_is_kind(source, statement->first - 1, TOKEN_DIRECTIVE))
        return refuse(reason, "a directive precedes its statement");
    return true;
}

/* Words at the beginning of statements that are evaluated elsewhere, or do not end. */
static bool is_special(const struct source *source, int32_t k)
{
    static const char *const words[] = {"static", "extern",    "constexpr", "typedef",
                                        "throw",  "co_return", "co_yield",  "co_await",
                                        "goto",   NULL};

    return source_is_one_of(source, k, words);
}

bool statement_find(const struct c_call *call, struct statement *statement,
                    char reason[REASON_SIZE])
{
    const struct source *const source = call->source;
    struct before before;
    int32_t open;

    if (!go_back(call, &before, reason))
        return false;
    *statement = (struct statement){.place = CALL_ALONE, .first = before.begin};
    if (!skip_controls(call, statement, reason))
        return false;
    if (statement->place != CALL_CONDITION && !find_end(call, statement, reason))
        return false;
    if (before.is_late)
        return refuse(reason,
                      "its call is evaluated after, or only if, something else in "
                      "the statement");
    open = find_enclosing(source, statement->first);
    if (open < 0 || !is(source, open, "{") || !opens_block(source, open) ||
        is_special(source, statement->first))
        return refuse(reason, "no statements can be placed around its call");
    if (is(source, statement->first, "return"))
        statement->place = CALL_RETURNED;
    else if (statement->place == CALL_ALONE &&
             is_declaration(source, statement->first, call->first))
        statement->place = CALL_DECLARING;
    statement->is_call =
        statement->first == call->first && statement->last == call->close + 1;
    if (statement->place == CALL_CONDITION || statement->place == CALL_DECLARING)
        return has_room(source, statement, reason);
    return true;
}
