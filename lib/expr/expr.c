/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as objects: memory, the first refusal, queries, names of nodes. */
#include "expr/expr.h"

#include "context/context.h"
#include "core/reductions.h"
#include "core/sized.h"
#include "tensor/tensor.h"

#include <stdio.h>
#include <string.h>

bl_status bli_expr_make(bl_context *ctx, const char *text, bl_expr **expr)
{
    static _Atomic uint64_t numbers = 1;
    const bl_allocator *const allocator = &bli_context(ctx)->allocator;
    bl_expr *const made = bli_allocate(allocator, sizeof *made);

    if (!made)
        return BL_ERR_MEMORY;
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    atomic_init(&made->references, 1);
    atomic_init(&made->is_closed, false);
    made->number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed);
    made->refused = BL_NODE_NONE;
    if (text) {
        made->text_bytes = strlen(text) + 1;
        made->text = bli_allocate(allocator, made->text_bytes);
        if (!made->text) {
            bl_expr_destroy(made);
            return BL_ERR_MEMORY;
        }
        memcpy(made->text, text, made->text_bytes);
    }
    *expr = made;
    return BL_OK;
}

static bl_status create(bl_context *ctx, bl_expr **expr)
{
    return expr ? bli_expr_make(ctx, NULL, expr) : bli_error_null("expr");
}

bl_status bl_expr_create(bl_context *ctx, bl_expr **expr)
{
    BLI_RETURN_CALL(create(ctx, expr), "");
}

void bli_expr_retain(bl_expr *expr)
{
    atomic_fetch_add_explicit(&expr->references, 1, memory_order_relaxed);
}

void bl_expr_destroy(bl_expr *expr)
{
    if (!expr ||
        atomic_fetch_sub_explicit(&expr->references, 1, memory_order_acq_rel) > 1)
        return;
    const bl_allocator allocator = expr->allocator;

    bli_release(&allocator, expr->text, expr->text_bytes);
    bli_release(&allocator, expr->list, (size_t)expr->list_room * sizeof *expr->list);
    bli_release(&allocator, expr->node, (size_t)expr->node_room * sizeof *expr->node);
    bli_release(&allocator, expr, sizeof *expr);
}

bl_status bl_expr_status(const bl_expr *expr, bl_node *at)
{
    if (!expr)
        return bli_error_call(bli_error_null("expr"), __func__, "");
    if (at)
        *at = expr->refused;
    return expr->status == BL_OK ? BL_OK
                                 : bl_error_set(expr->status, "%s", expr->message);
}

static bl_status query(const bl_expr *expr, bl_expr_info *info)
{
    bl_expr_info known = {.size = sizeof known};

    if (!expr)
        return bli_error_null("expr");
    BL_TRY(BLI_SIZED_CHECK(info, text, "info"));
    known.nodes = expr->nodes;
    known.inputs = expr->inputs;
    known.outputs = expr->outputs;
    known.input = expr->input;
    known.output = expr->output;
    known.text = expr->text;
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_expr_query(const bl_expr *expr, bl_expr_info *info)
{
    BLI_RETURN_CALL(query(expr, info), "");
}

static bl_status describe(const bl_expr *expr, bl_node n, bl_expr_call *call)
{
    bl_expr_call known = {.size = sizeof known};

    if (!expr)
        return bli_error_null("expr");
    if (n < 0 || n >= expr->nodes)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "node %d is none of the %d of the expression", (int)n,
                            (int)expr->nodes);
    BL_TRY(BLI_SIZED_CHECK(call, correction, "call"));
    const struct bli_expr_node *const node = bli_expr_node(expr, n);
    const bool has_number =
        node->kind == BLI_NODE_NUMBER || (node->flags & BLI_NODE_HAS_ALPHA);

    known.kind = node->kind;
    known.what = node->what;
    known.dtype = node->dtype;
    known.count = node->count;
    known.operand = expr->list ? expr->list + node->first : NULL;
    known.axes = expr->list ? expr->list + node->first + node->count : NULL;
    known.axes_count = node->axes;
    known.keepdim = (node->flags & BLI_NODE_KEEPDIM) != 0;
    known.number = has_number ? &node->number : NULL;
    known.rules = node->rules;
    known.axis = node->axis;
    known.fixed = node->fixed;
    known.max_growth = node->max_growth;
    known.correction = node->correction;
    bli_sized_write(call, &known, sizeof known);
    return BL_OK;
}

bl_status bl_expr_node_call(const bl_expr *expr, bl_node node, bl_expr_call *call)
{
    BLI_RETURN_CALL(describe(expr, node, call), "node %d", (int)node);
}

/* ---- names ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool bli_expr_is_name(const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (!is_letter(text[k]) && (k == 0 || text[k] < '0' || text[k] > '9'))
            return false;
    return length > 0 && length <= BLI_INPUT_NAME;
}

int32_t bli_expr_find_input(const bl_expr *expr, const char *name, size_t length)
{
    for (int32_t k = 0; k < expr->inputs; k++)
        if (strlen(expr->input[k]) == length &&
            memcmp(expr->input[k], name, length) == 0)
            return k;
    return -1;
}

void bli_expr_call_node(const bl_expr *expr, bl_node n, char name[BLI_EXPR_NAME])
{
    const struct bli_expr_node *const node = bli_expr_node(expr, n);

    if (node->kind == BLI_NODE_INPUT)
        snprintf(name, BLI_EXPR_NAME, "%s", expr->input[node->what]);
    else if (node->kind == BLI_NODE_NUMBER)
        bli_element_text(name, node->number.dtype, &node->number.value);
    else
        snprintf(name, BLI_EXPR_NAME, "%%%d", (int)n);
}

void bli_expr_cite_node(const bl_expr *expr, bl_node n, char name[BLI_EXPR_NAME])
{
    const struct bli_expr_node *const node = bli_expr_node(expr, n);
    const int64_t length = node->end - node->begin;

    if (node->kind >= BLI_NODE_APPLY && node->begin >= 0 && length < BLI_EXPR_NAME - 2)
        snprintf(name, BLI_EXPR_NAME, "(%.*s)", (int)length, expr->text + node->begin);
    else
        bli_expr_call_node(expr, n, name);
}

const char *bli_expr_operation(const struct bli_expr_node *node)
{
    switch (node->kind) {
    case BLI_NODE_APPLY:
        return bli_ops[node->what].name;
    case BLI_NODE_REDUCE:
        return bli_reductions[node->what].name;
    case BLI_NODE_CAST:
        return bli_dtypes[node->dtype].name;
    default:
        return "";
    }
}
