/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parser of expressions: operators wait on a stack of bounded size until their
 * operands are complete, so that deep text takes no more of the thread's stack.
 */
#ifndef BLI_PARSE_H
#define BLI_PARSE_H

#include "context/context.h"
#include "expr/expr.h"
#include "expr/lex.h"

/* Most operations within each other, most operands that wait for them, most names. */
enum { BLI_PARSE_DEPTH = 1000, BLI_PARSE_VALUES = 2000, BLI_PARSE_NAMES = 1024 };

/* A part of the text that has been parsed. */
struct bli_parsed {
    bl_node node;     /* BL_NODE_NONE: a number alone */
    bl_scalar number; /* of i64, f64 or bool */
    size_t begin, end;
};

enum bli_pending_kind {
    BLI_PENDING_BINARY,
    BLI_PENDING_UNARY,
    BLI_PENDING_OPEN,
    BLI_PENDING_CALL
};

/* An operator, a parenthesis or a call whose operands are not complete. */
struct bli_pending {
    enum bli_pending_kind kind;
    struct bli_token token; /* its sign, or the function's name */
    int32_t arguments;      /* of a call, so far */
    bool keepdim;
    bool has_correction;
    double correction;
};

struct bli_parser {
    bl_context *ctx;
    bl_expr *expr;
    const char *text;
    bool takes_names;       /* names without a value become inputs */
    struct bli_token token; /* the next one */
    size_t at;              /* where a failure is, unless it is the next token */
    bool has_at;
    int32_t depth, values, names;
    struct bli_pending pending[BLI_PARSE_DEPTH];
    struct bli_parsed value[BLI_PARSE_VALUES];
    struct {
        size_t at, length;
        struct bli_parsed value;
    } name[BLI_PARSE_NAMES];
};

/*
 * What the parts of the parser share: read the next token; whether it is a sign;
 * whether a token is `text`; how many bytes of a token messages quote, at most 40; the
 * error that the next token is not what is `wanted`; the pending operation on top, or
 * NULL.
 */
bl_status bli_parse_advance(struct bli_parser *parser);
bool bli_parse_is_sign(const struct bli_parser *parser, enum bli_sign sign);
bool bli_parse_is_text(const struct bli_parser *parser, const struct bli_token *token,
                       const char *text);
int bli_parse_quoted(const struct bli_token *token);
bl_status bli_parse_unexpected(const struct bli_parser *parser, const char *wanted);
bl_status bli_parse_push_pending(struct bli_parser *parser, enum bli_pending_kind kind,
                                 const struct bli_token *token);
struct bli_pending *bli_parse_top_of(struct bli_parser *parser);

/*
 * The node of a value of the text; a number becomes one.  BL_NODE_NONE where that is
 * refused.
 */
bl_node bli_parse_node(struct bli_parser *parser, const struct bli_parsed *value);

/* Parse an operand or what precedes it; `*is_complete` if it is one. */
bl_status bli_parse_operand(struct bli_parser *parser, bool *is_complete);

/* Parse one expression, up to what cannot belong to it: its value is on the stack. */
bl_status bli_parse_value(struct bli_parser *parser);

/* Report that a refusal, the status of which is returned, is at a token of the text. */
bl_status bli_parse_fail(struct bli_parser *parser, bl_status status,
                         const struct bli_token *token);

/* The reduction that a pending call is by its name; BL_REDUCTION_NONE. */
bl_reduction bli_parse_reduction(const struct bli_parser *parser,
                                 const struct bli_pending *call);

/* Replace the operands of the pending operation on top, and it, by its result. */
bl_status bli_parse_finish(struct bli_parser *parser);

#endif
