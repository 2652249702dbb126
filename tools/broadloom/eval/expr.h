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
    EXPR_REDUCE,   /* an array and numbers of dimensions by `reduction` of it */
    EXPR_UNPAIRED, /* replace `inputs` values by what `extra` makes of them */
    EXPR_CAST      /* replace a value by one of `dtype` */
};

struct extra_function; /* extra.h */

struct expr_step {
    enum expr_kind kind;
    size_t at,
        length; /* what it says in the text: an operator's sign, a name, a number */
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
 * Translate `text`, which the program borrows.  Free it with expr_free(), also after a
 * failure.  BL_ERR_FORMAT, with where in `*at`.
 */
bl_status expr_parse(const char *text, struct expr *out, size_t *at);

/*
 * Give variables their numbers among `count` names; inf and nan are numbers where no
 * variable has that name.  BL_ERR_ARGUMENT for a name that is none of them, with where.
 */
bl_status expr_bind(struct expr *expr, int count, const char *const *name, size_t *at);

void expr_free(struct expr *expr);

/* True for a text that is a name: a letter or _, then letters, digits and _. */
bool expr_is_name(const char *text);

#endif
