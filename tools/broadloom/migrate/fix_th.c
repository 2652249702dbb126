/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixes of calls of TH: THFloatTensor_cadd(...), THTensor_(cadd)(...).  An operand gets
 * the first one's shape by newView, whatever shapes they have, or all are expanded by
 * expandNd; what is made is freed after the statement.
 */
#include "fix_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function, the name that reports have for it, and which arguments are paired. */
static const struct th_function {
    const char *name, *reported;
    int arguments, operands, operand[FIX_OPERANDS];
    bool is_masked,
        has_result; /* the second operand is a mask; argument 0 is a result */
} functions[] = {
    {"cadd", "add", 4, 2, {1, 3}, false, true},
    {"csub", "sub", 4, 2, {1, 3}, false, true},
    {"cmul", "mul", 3, 2, {1, 2}, false, true},
    {"cdiv", "div", 3, 2, {1, 2}, false, true},
    {"cpow", "pow", 3, 2, {1, 2}, false, true},
    {"cfmod", "fmod", 3, 2, {1, 2}, false, true},
    {"cremainder", "remainder", 3, 2, {1, 2}, false, true},
    {"cbitand", "__and__", 3, 2, {1, 2}, false, true},
    {"cbitor", "__or__", 3, 2, {1, 2}, false, true},
    {"cbitxor", "__xor__", 3, 2, {1, 2}, false, true},
    {"clshift", "__lshift__", 3, 2, {1, 2}, false, true},
    {"crshift", "__rshift__", 3, 2, {1, 2}, false, true},
    {"cmax", "max", 3, 2, {1, 2}, false, true},
    {"cmin", "min", 3, 2, {1, 2}, false, true},
    {"atan2", "atan2", 3, 2, {1, 2}, false, true},
    {"lerp", "lerp", 4, 2, {1, 2}, false, true},
    {"addcmul", "addcmul", 5, 3, {1, 3, 4}, false, true},
    {"addcdiv", "addcdiv", 5, 3, {1, 3, 4}, false, true},
    {"copy", "copy", 2, 2, {0, 1}, false, false},
    {"dist", "dist", 3, 2, {0, 1}, false, false},
    {"maskedFill", "masked_fill", 3, 2, {0, 1}, true, false},
    {"maskedCopy", "masked_scatter", 3, 2, {0, 1}, true, false},
    {"maskedSelect", "masked_select", 3, 2, {1, 2}, true, true},
#define COMPARISON(name)                                                               \
    {#name "Tensor", #name, 3, 2, {1, 2}, false, true},                                \
    {                                                                                  \
#name "TensorT", #name, 3, 2, {1, 2 }, false, true                             \
    }
    COMPARISON(lt),
    COMPARISON(le),
    COMPARISON(gt),
    COMPARISON(ge),
    COMPARISON(ne),
    COMPARISON(eq),
#undef COMPARISON
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* ---- names ---- */

/* The name of a function of a call: of a type, or generic. */
struct th_name {
    int32_t open;          /* the bracket of the call */
    bool is_generic;       /* THTensor_(member) */
    char type[FIX_NAME];   /* "THFloatTensor", "THTensor" */
    char member[FIX_NAME]; /* "cadd" */
    char source[FIX_NAME]; /* the type that copyFloat copies from; "": the same */
};

/* Copy the text of a token from `skip` on; false: it is longer than any name here. */
static bool copy_token(const struct source *source, int32_t k, size_t skip,
                       char out[FIX_NAME])
{
    const struct token *const token = &source->token[k];

    if (token->length - skip >= FIX_NAME)
        return false;
    snprintf(out, FIX_NAME, "%.*s", (int)(token->length - skip),
             source->text + token->at + skip);
    return true;
}

/* Read the name of a function of tensors that begins at token `k`. */
static bool read_name(const struct source *source, int32_t k, struct th_name *name)
{
    char text[FIX_NAME], *member;

    *name = (struct th_name){.open = k + 1};
    if (!source_is_kind(source, k, TOKEN_NAME) || !copy_token(source, k, 0, text) ||
        strncmp(text, "TH", 2) != 0)
        return false;
    if (strcmp(text, "THTensor_") == 0) {
        name->is_generic = true;
        name->open = k + 4;
        strcpy(name->type, "THTensor");
        if (!source_is(source, k + 1, "(") || !source_is(source, k + 3, ")") ||
            !copy_token(source, k + 2, 0, name->member))
            return false;
    } else {
        member = strstr(text, "Tensor_");
        if (!member || member == text + 2)
            return false;
        strcpy(name->member, member + strlen("Tensor_"));
        snprintf(name->type, sizeof name->type, "%.*s",
                 (int)(member - text + (int)strlen("Tensor")), text);
    }
    if (strncmp(name->member, "copy", 4) == 0 && name->member[4] >= 'A' &&
        name->member[4] <= 'Z') {
        snprintf(name->source, sizeof name->source, "TH%.40sTensor", name->member + 4);
        strcpy(name->member, "copy");
    }
    return source_is(source, name->open, "(") && source->token[name->open].mate >= 0;
}

/* The function of this name, if reports have the other one for it; NULL: none. */
static const struct th_function *find_function(const char *name, const char *reported)
{
    for (int k = 0; k < FUNCTIONS; k++)
        if (strcmp(functions[k].name, name) == 0 &&
            strcmp(functions[k].reported, reported) == 0)
            return &functions[k];
    return NULL;
}

static int find(struct draft *draft, const struct finding *finding)
{
    const struct source *const source = draft->source;
    const int32_t end = source_find_line(source, finding->line + 1);
    int found = 0;

    for (int32_t k = source_find_line(source, finding->line - CALL_LINES); k < end;
         k++) {
        const struct th_function *function;
        struct th_name name;

        if (!read_name(source, k, &name))
            continue;
        function = find_function(name.member, finding->function);
        if (!function ||
            !draft_covers(draft, k, source->token[name.open].mate, finding->line))
            continue;
        if (!draft_read_call(draft, k, name.open, function->arguments,
                             function->operands, function->operand))
            return 0;
        found++;
    }
    return found;
}

/* ---- fixes ---- */

/* A function of the type that an operand has, as "THFloatTensor_free". */
static const char *member_of(const char *type, bool is_generic, const char *member,
                             char text[2 * FIX_NAME])
{
    snprintf(text, 2 * FIX_NAME,
             is_generic && strcmp(type, "THTensor") == 0 ? "%s_(%s)" : "%s_%s", type,
             member);
    return text;
}

/* Give an operand the first one's shape. */
static void view_as_first(struct draft *draft, const struct th_name *name,
                          const char *type, int argument, const char *size)
{
    char dense[FIX_NAME], view[FIX_NAME], member[2 * FIX_NAME];
    char *const text = draft_text(draft, argument);
    const bool is_generic = name->is_generic;

    draft_name(draft, argument, "dense", dense);
    draft_name(draft, argument, "view", view);
    draft_before(draft, "%s *%s = %s(%s);", type, dense,
                 member_of(type, is_generic, "newContiguous", member),
                 text ? text : "");
    draft_before(draft, "%s *%s = %s(%s, %s);", type, view,
                 member_of(type, is_generic, "newView", member), dense, size);
    draft_after(draft, "%s(%s);", member_of(type, is_generic, "free", member), view);
    draft_after(draft, "%s(%s);", member_of(type, is_generic, "free", member), dense);
    draft_replace(draft, argument, "%s", view);
    free(text);
}

static bool write_as_it_was(struct draft *draft, const struct th_function *function,
                            const struct th_name *name)
{
    const char *const second = function->is_masked       ? "THByteTensor"
                               : name->source[0] != '\0' ? name->source
                                                         : name->type;
    char size[FIX_NAME], type[FIX_NAME + 2], member[2 * FIX_NAME], *text;

    snprintf(type, sizeof type, "%s *", name->type);
    draft_keep(draft, draft->argument[0], type);
    text = draft_text(draft, draft->argument[0]);
    draft_name(draft, draft->argument[0], "size", size);
    draft_before(draft, "THLongStorage *%s = %s(%s);", size,
                 member_of(name->type, name->is_generic, "newSizeOf", member),
                 text ? text : "");
    free(text);
    for (int k = 1; k < draft->operands; k++)
        if (draft->differs[k])
            view_as_first(draft, name, k == 1 ? second : name->type, draft->argument[k],
                          size);
    draft_after(draft, "THLongStorage_free(%s);", size);
    return true;
}

/* Expand all operands to the shape that they broadcast to. */
static bool write_broadcast(struct draft *draft, const struct th_function *function,
                            const struct th_name *name)
{
    const struct c_call *const call = &draft->call;
    char given[FIX_NAME], expanded[FIX_NAME], make[2 * FIX_NAME], member[2 * FIX_NAME];
    char *list = NULL, *made = NULL;

    if (function->is_masked || name->source[0] != '\0')
        return draft_refuse(draft, "its operands have two types");
    for (int k = 0; k < draft->operands; k++)
        if (function->has_result && span_is_same(draft->source, call->argument[0],
                                                 call->argument[draft->argument[k]]))
            return draft_refuse(draft,
                                "its result is also an operand, which would grow");
    draft_name(draft, draft->argument[0], "given", given);
    draft_name(draft, draft->argument[0], "expanded", expanded);
    for (int k = 0; k < draft->operands; k++) {
        char *const text = draft_text(draft, draft->argument[k]);

        draft_add(draft, &list, "%s%s", k > 0 ? ", " : "", text ? text : "");
        draft_add(draft, &made, "%s%s()", k > 0 ? ", " : "",
                  member_of(name->type, name->is_generic, "new", make));
        draft_replace(draft, draft->argument[k], "%s[%d]", expanded, k);
        draft_after(draft, "%s(%s[%d]);",
                    member_of(name->type, name->is_generic, "free", member), expanded,
                    k);
        free(text);
    }
    draft_before(draft, "%s *%s[] = {%s};", name->type, given, list ? list : "");
    draft_before(draft, "%s *%s[] = {%s};", name->type, expanded, made ? made : "");
    draft_before(draft, "%s(%s, %s, %d);",
                 member_of(name->type, name->is_generic, "expandNd", member), expanded,
                 given, draft->operands);
    free(list);
    free(made);
    return true;
}

static bool write(struct draft *draft)
{
    const struct th_function *function = functions;
    struct th_name name;

    read_name(draft->source, draft->call.first, &name);
    while (strcmp(function->name, name.member) != 0)
        function++;
    if (strcmp(name.member, "dist") == 0)
        snprintf(draft->value_type, sizeof draft->value_type, "%s",
                 name.is_generic ? "accreal"
                 : strcmp(name.type, "THFloatTensor") == 0 ||
                         strcmp(name.type, "THDoubleTensor") == 0
                     ? "double"
                     : "long");
    return draft->choice == FIX_AS_IT_WAS ? write_as_it_was(draft, function, &name)
                                          : write_broadcast(draft, function, &name);
}

const struct fix_form fix_form_th = {find, write};
