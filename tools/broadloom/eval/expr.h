/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: text to a program for a stack, in postfix order.
 *
 *   comparison  or [("<" | "<=" | ">" | ">=" | "==" | "!=") or]
 *   or          xor {"|" xor}
 *   xor         and {"^" and}
 *   and         shift {"&" shift}
 *   shift       sum {("<<" | ">>") sum}
 *   sum         product {("+" | "-") product}
 *   product     unary {("*" | "/" | "//" | "%") unary}
 *   unary       ("-" | "+" | "~") unary | power
 *   power       primary ["**" unary]
 *   primary     number | name | "(" comparison ")"
 *               | name "(" [comparison {"," comparison} ["," "keepdim"]] ")"
 *
 * Functions are the library's operators and reductions, what PyTorch and NumPy call
 * them (functions.def), and dtypes, which convert.
 */
#ifndef EXPR_H
#define EXPR_H

#include "functions.h"

enum expr_kind {
    EXPR_INTEGER,  /* push `integer` */
    EXPR_REAL,     /* push `real` */
    EXPR_VARIABLE, /* push variable number `integer` */
    EXPR_APPLY,    /* replace `inputs` values by `function` of them */
    EXPR_REDUCE,   /* replace an array and axes by `reduction` of it */
    EXPR_UNPAIRED, /* replace `inputs` values by the result of `extra` */
    EXPR_CAST      /* replace a value by one of `dtype` */
};

struct extra_function; /* extra_functions.h */

struct expr_step {
    enum expr_kind kind;
    size_t at, length; /* the step's text: an operator's sign, a name, a number */
    int64_t integer;
    double real;
    struct function function;
    const struct extra_function *extra;
    bl_reduction reduction;
    bool keepdim;
    bl_dtype dtype;
    int32_t inputs;
};

struct expr {
    const char *text; /* borrowed */
    int32_t count;
    int32_t room;
    struct expr_step *step;
};

/*
 * Compile `text`, which the program borrows.  Free it with expr_free(), also after a
 * failure.  BL_ERR_FORMAT, with the position in `*at`.
 */
bl_status expr_parse(const char *text, struct expr *out, size_t *at);

/*
 * Bind variables to their numbers among `count` names; inf and nan are constants where
 * no variable has that name.  BL_ERR_ARGUMENT for any other name, with its position.
 */
bl_status expr_bind(struct expr *expr, int count, const char *const *name, size_t *at);

void expr_free(struct expr *expr);

/* Whether the text is a name: a letter or _, then letters, digits and _. */
bool expr_is_name(const char *text);

#endif
