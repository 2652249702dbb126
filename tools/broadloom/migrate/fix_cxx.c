/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixes of calls of the C++ interface, bl::add(x, y), and of its operators, x + y: an
 * operand becomes y.reshape(x.shape()), or x.broadcast_to(...), in its place.
 */
#include "fix_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

/* Whether a declaration of the name at `k` says that it is a tensor. */
static bool declares_tensor(const struct source *source, int32_t k)
{
    int32_t type = k - 1;

    while (source_is(source, type, "&") || source_is(source, type, "&&") ||
           source_is(source, type, "const"))
        type--;
    if (source_is(source, type, "tensor"))
        return true;
    /* auto x = bl::add(...); */
    return source_is(source, type, "auto") && source_is(source, k + 1, "=") &&
           (source_is(source, k + 2, "bl") || source_is(source, k + 2, "broadloom")) &&
           source_is(source, k + 3, "::") && !source_is(source, k + 4, "view") &&
           !source_is(source, k + 4, "lazy");
}

/*
 * Whether an expression is known to be a tensor: a name whose last declaration before
 * it says so, or a call of a function of the library that returns one.
 */
static bool is_tensor(const struct source *source, struct span span)
{
    const int32_t last = span.end - 1;

    if (source_is(source, last, ")"))
        return source->token[last].mate - 3 == span.begin &&
               source_is(source, span.begin + 1, "::") &&
               (source_is(source, span.begin, "bl") ||
                source_is(source, span.begin, "broadloom")) &&
               !source_is(source, span.begin + 2, "view");
    if (last != span.begin || !source_is_kind(source, last, TOKEN_NAME))
        return false;
    for (int32_t k = last - 1; k > 0; k--) {
        const struct span other = {k, k + 1};

        if (!span_is_same(source, other, span))
            continue;
        if (declares_tensor(source, k))
            return true;
        /* Declared as something else: a type's name, or its >, precedes it. */
        if (source_is(source, k - 1, ">") ||
            (source_is_kind(source, k - 1, TOKEN_NAME) &&
             !source_is(source, k - 1, "return")))
            return false;
    }
    return false;
}

/* ---- finding calls ---- */

static int find(struct draft *draft, const struct finding *finding)
{
    const struct source *const source = draft->source;
    const int32_t end = source_find_line(source, finding->line + 1);
    static const char *const suffixes[] = {"", "_out", "_inplace"};
    const char *name;
    int32_t inputs;
    int found = 0;

    if (!source->is_cxx || !draft_operator(finding->function, &name, &inputs))
        return 0;
    for (int32_t k = source_find_line(source, finding->line - CALL_LINES); k < end; k++)
        for (int i = 0; i < 3; i++) {
            const int first = i == 1;
            const int operand[FIX_OPERANDS] = {first, first + 1, first + 2};
            char text[FIX_NAME];

            snprintf(text, sizeof text, "%s%s", name, suffixes[i]);
            if (!source_is(source, k, text) || !source_is(source, k + 1, "(") ||
                source_is(source, k - 1, ".") || source_is(source, k - 1, "->") ||
                !draft_covers(draft, k, source->token[k + 1].mate, finding->line))
                continue;
            if (!c_call_read(source, k, k + 1, &draft->call) ||
                draft->call.count < first + inputs ||
                !draft_read_call(draft, k, k + 1, draft->call.count, inputs, operand))
                return 0;
            draft->self = strcmp(name, "where") == 0;
            found++;
        }
    return found;
}

/* ---- finding operators ---- */

/* The operator of a function, then its assignment; NULL: it has none. */
static const char *const *find_marks(const char *function)
{
    static const struct {
        const char *name, *mark[2];
    } operators[] = {{"add", {"+", "+="}},
                     {"sub", {"-", "-="}},
                     {"mul", {"*", "*="}},
                     {"div", {"/", "/="}},
                     {"remainder", {"%", "%="}}};

    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++)
        if (strcmp(operators[k].name, function) == 0)
            return operators[k].mark;
    return NULL;
}

/* Whether nothing binds two operands at `k` and `k` + 2 but the operator between. */
static bool stands_alone(const struct source *source, int32_t k, bool is_assignment)
{
    static const char *const before[2][7] = {{"=", "(", ",", "return", "{", ";", NULL},
                                             {"(", ",", "{", "}", ";", ")", NULL}};
    static const char *const after[] = {";", ")", ",", "}", NULL};

    return source_is_one_of(source, k - 1, before[is_assignment]) &&
           source_is_one_of(source, k + 3, after);
}

/* Find x + y, of which the two names are the arguments. */
static int find_operator(struct draft *draft, const struct finding *finding)
{
    const struct source *const source = draft->source;
    const int32_t end = source_find_line(source, finding->line + 1);
    const char *const *const marks = find_marks(finding->function);
    int found = 0;

    if (!source->is_cxx || !marks)
        return 0;
    for (int32_t k = source_find_line(source, finding->line); k < end; k++) {
        const struct span left = {k - 1, k}, right = {k + 1, k + 2};

        const bool is_assignment = source_is(source, k, marks[1]);

        if ((!is_assignment && !source_is(source, k, marks[0])) ||
            source->token[k].line != finding->line || !is_tensor(source, left))
            continue;
        if (!stands_alone(source, k - 1, is_assignment) || !is_tensor(source, right)) {
            (void)draft_refuse(draft, "its operator's operands are not two names of "
                                      "tensors alone");
            return 0;
        }
        draft->call = (struct c_call){source, k - 1, k + 1, 2, {left, right}};
        draft->operands = 2;
        draft->argument[0] = 0;
        draft->argument[1] = 1;
        found++;
    }
    return found;
}

/* ---- fixes ---- */

/* Whether an argument is view(pointer, extents...), whose extents may be repeated. */
static bool is_view(const struct draft *draft, int argument, struct c_call *view)
{
    const struct source *const source = draft->source;
    const struct span span = draft->call.argument[argument];
    int32_t k = span.begin;

    k += source_is(source, k + 1, "::") ? 2 : 0;
    if (!source_is(source, k, "view") || !source_is(source, k + 1, "(") ||
        source->token[k + 1].mate != span.end - 1 ||
        !c_call_read(source, k, k + 1, view) || view->count < 2)
        return false;
    for (int i = 1; i < view->count; i++)
        if (!span_is_pure(source, view->argument[i]))
            return false;
    return true;
}

/* Append "{n, 4}" or "x.shape()", the shape of an argument; false: it is not known. */
static bool add_shape(struct draft *draft, char **text, int argument)
{
    const struct source *const source = draft->source;
    const struct span span = draft->call.argument[argument];
    struct c_call view;
    const char *at;
    int length;

    if (is_view(draft, argument, &view)) {
        const struct span all = {view.argument[1].begin,
                                 view.argument[view.count - 1].end};

        at = span_text(source, all, &length);
        draft_add(draft, text, "{%.*s}", length, at);
        return true;
    }
    at = span_text(source, span, &length);
    draft_add(draft, text, "%.*s.shape()", length, at);
    return is_tensor(source, span) && span_is_pure(source, span);
}

static bool refuse_type(struct draft *draft, int argument)
{
    int length;
    const char *const at =
        span_text(draft->source, draft->call.argument[argument], &length);

    return draft_refuse(draft,
                        "'%.*s' is not known to be a tensor or a view, or it is "
                        "computed",
                        length < 60 ? length : 60, at);
}

static bool write_as_it_was(struct draft *draft)
{
    const int self = draft->argument[draft->self];
    char *shape = NULL;
    bool is_known = add_shape(draft, &shape, self);

    if (!is_known)
        (void)refuse_type(draft, self);
    for (int k = 0; k < draft->operands && is_known; k++) {
        const int argument = draft->argument[k];
        struct c_call view;
        int length;

        if (k == draft->self || !draft->differs[k])
            continue;
        if (is_view(draft, argument, &view) && shape && shape[0] == '{') {
            const struct span head = {draft->call.argument[argument].begin,
                                      view.argument[0].end};
            const char *const at = span_text(draft->source, head, &length);

            draft_replace(draft, argument, "%.*s, %.*s)", length, at,
                          (int)strlen(shape) - 2, shape + 1);
        } else if (is_tensor(draft->source, draft->call.argument[argument])) {
            const char *const at =
                span_text(draft->source, draft->call.argument[argument], &length);

            draft_replace(draft, argument, "%.*s.reshape(%s)", length, at,
                          shape ? shape : "");
        } else {
            is_known = refuse_type(draft, argument);
        }
    }
    free(shape);
    return is_known;
}

static bool write_broadcast(struct draft *draft)
{
    char *shapes = NULL;
    bool is_known = true;

    for (int k = 0; k < draft->operands && is_known; k++) {
        const int argument = draft->argument[k];

        draft_add(draft, &shapes, "%s", k > 0 ? ", " : "");
        is_known = is_tensor(draft->source, draft->call.argument[argument]) &&
                   add_shape(draft, &shapes, argument);
        if (!is_known)
            (void)refuse_type(draft, argument);
    }
    for (int k = 0; k < draft->operands && is_known; k++) {
        int length;
        const char *const at =
            span_text(draft->source, draft->call.argument[draft->argument[k]], &length);

        draft_replace(draft, draft->argument[k],
                      "%.*s.broadcast_to(broadloom::broadcast_shapes({%s}))", length,
                      at, shapes ? shapes : "");
    }
    free(shapes);
    return is_known;
}

static bool write(struct draft *draft)
{
    return draft->choice == FIX_AS_IT_WAS ? write_as_it_was(draft)
                                          : write_broadcast(draft);
}

const struct fix_form fix_form_cxx = {find, write};
const struct fix_form fix_form_operator = {find_operator, write};
