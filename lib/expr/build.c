/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds expressions, call by call: nodes, inputs, numbers, outputs. */
#include "expr/build.h"

#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

/*
 * Return `memory`, of `*room` elements of `size` bytes of which `used` are there, or
 * larger memory that replaces it, with room for `count`.  NULL without memory.
 */
static void *grow(const bl_allocator *allocator, void *memory, int32_t *room,
                  int32_t used, int32_t count, size_t size)
{
    int32_t wanted = *room > 0 ? *room : 16;
    void *more;

    if (memory && count <= *room)
        return memory;
    while (wanted < count)
        wanted *= 2;
    more = bli_allocate(allocator, (size_t)wanted * size);
    if (!more)
        return NULL;
    if (used > 0)
        memcpy(more, memory, (size_t)used * size);
    bli_release(allocator, memory, (size_t)*room * size);
    *room = wanted;
    return more;
}

/* Make room for another node, with `listed` operands and axes. */
static bl_status make_room(bl_expr *expr, int32_t listed)
{
    void *more = grow(&expr->allocator, expr->node, &expr->node_room, expr->nodes,
                      expr->nodes + 1, sizeof *expr->node);

    if (!more)
        return BL_ERR_MEMORY;
    expr->node = more;
    more = grow(&expr->allocator, expr->list, &expr->list_room, expr->listed,
                expr->listed + listed, sizeof *expr->list);
    if (!more)
        return BL_ERR_MEMORY;
    expr->list = more;
    return BL_OK;
}

/* ---- refusals ---- */

bl_node bli_expr_refuse_node(bl_expr *expr, bl_status status, const char *function)
{
    (void)bli_error_call(status, function, "");
    if (expr && expr->status == BL_OK &&
        !atomic_load_explicit(&expr->is_closed, memory_order_acquire)) {
        expr->status = status;
        expr->refused = expr->nodes;
        snprintf(expr->message, sizeof expr->message, "%s: %s", function,
                 bl_error_message());
    }
    return BL_NODE_NONE;
}

bl_status bli_expr_check_open(const bl_expr *expr)
{
    if (!expr)
        return bli_error_null("expr");
    if (atomic_load_explicit(&expr->is_closed, memory_order_acquire))
        return bli_error_argument("expr", "expr has a plan and is closed");
    return BL_OK;
}

bl_status bli_expr_check_nodes(const bl_expr *expr, int32_t count, const bl_node *nodes)
{
    for (int32_t k = 0; k < count; k++) {
        if (nodes[k] == BL_NODE_NONE)
            return bli_error_argument("nodes", "node %d of %d was refused", (int)k + 1,
                                      (int)count);
        if (nodes[k] < 0 || nodes[k] >= expr->nodes)
            return bli_error_argument("nodes", "%d is no node, there are %d",
                                      (int)nodes[k], (int)expr->nodes);
    }
    return BL_OK;
}

/* ---- nodes ---- */

static bool same_nodes(const bl_expr *expr, const struct bli_expr_node *a,
                       const struct bli_expr_node *b)
{
    if (a->kind != b->kind || a->what != b->what || a->dtype != b->dtype ||
        a->flags != b->flags || a->count != b->count || a->axes != b->axes ||
        a->axis != b->axis || a->fixed != b->fixed || a->rules != b->rules ||
        a->max_growth != b->max_growth || a->correction != b->correction ||
        a->number.dtype != b->number.dtype ||
        memcmp(&a->number.value, &b->number.value, sizeof a->number.value) != 0)
        return false;
    for (int32_t k = 0; k < a->count; k++)
        if (bli_expr_node(expr, bli_expr_operand(expr, a, k))->same !=
            bli_expr_node(expr, bli_expr_operand(expr, b, k))->same)
            return false;
    return a->axes == 0 ||
           memcmp(expr->list + a->first + a->count, expr->list + b->first + b->count,
                  (size_t)a->axes * sizeof *expr->list) == 0;
}

bl_scalar bli_expr_clean_scalar(const bl_scalar *scalar)
{
    bl_scalar clean;

    memset(&clean, 0, sizeof clean);
    clean.dtype = scalar->dtype;
    if (scalar->dtype == BL_DTYPE_BOOL)
        clean.value.boolean = scalar->value.boolean;
    else if (scalar->dtype == BL_DTYPE_C128)
        memcpy(clean.value.c128, scalar->value.c128, sizeof clean.value.c128);
    else
        memcpy(&clean.value.i64, &scalar->value.i64, sizeof clean.value.i64);
    return clean;
}

bl_status bli_expr_add_node(bl_expr *expr, struct bli_expr_node node,
                            const bl_node *operand, const int32_t *axes, bl_node *made)
{
    const int32_t listed = node.count + node.axes;

    if (expr->nodes == BL_MAX_NODES)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d nodes", BL_MAX_NODES);
    BL_TRY(make_room(expr, listed));
    expr->has_rules = expr->has_rules || node.rules;
    node.first = expr->listed;
    node.begin = node.end = node.position = -1;
    for (int32_t k = 0; k < node.count; k++)
        expr->list[expr->listed++] = operand[k];
    for (int32_t k = 0; k < node.axes; k++)
        expr->list[expr->listed++] = axes[k];
    *made = expr->nodes;
    node.same = *made;
    for (bl_node n = 0; n < *made && node.same == *made; n++)
        if (same_nodes(expr, &expr->node[n], &node))
            node.same = n;
    expr->node[expr->nodes++] = node;
    return BL_OK;
}

void bli_expr_set_span(bl_expr *expr, bl_node node, struct bli_span span)
{
    expr->node[node].begin = span.begin;
    expr->node[node].end = span.end;
    expr->node[node].position = span.position;
}

/* ---- inputs, numbers and outputs ---- */

/*
 * Name the next input, to which none was given: the first of "a", ..., "z", "a1", ...
 * from the slot's own on that no input has.
 */
static void name_next(const bl_expr *expr, char name[BLI_EXPR_NAME])
{
    int32_t k = expr->inputs;

    do {
        const char letter = (char)('a' + k % 26);

        if (k < 26)
            snprintf(name, BLI_EXPR_NAME, "%c", letter);
        else
            snprintf(name, BLI_EXPR_NAME, "%c%d", letter, (int)(k / 26));
        k++;
    } while (bli_expr_find_input(expr, name, strlen(name)) >= 0);
}

static bl_status input(bl_expr *expr, const char *name, bl_node *made)
{
    char text[BLI_EXPR_NAME];

    BL_TRY(bli_expr_check_open(expr));
    if (expr->inputs == BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d inputs", BL_MAX_SLOTS);
    if (!name)
        name_next(expr, text);
    else if (!bli_expr_is_name(name, strlen(name)))
        return bli_error_argument("name",
                                  "'%.60s' is no name: a letter or _, then letters, "
                                  "digits and _, at most %d",
                                  name, BLI_INPUT_NAME);
    else
        snprintf(text, sizeof text, "%s", name);
    if (bli_expr_find_input(expr, text, strlen(text)) >= 0)
        return bli_error_argument("name", "there is an input %s", text);
    BL_TRY(bli_expr_add_node(
        expr, (struct bli_expr_node){.kind = BLI_NODE_INPUT, .what = expr->inputs},
        NULL, NULL, made));
    memcpy(expr->name[expr->inputs], text, sizeof text);
    expr->input[expr->inputs] = expr->name[expr->inputs];
    expr->inputs++;
    return BL_OK;
}

bl_node bl_expr_input(bl_expr *expr, const char *name)
{
    bl_node made = BL_NODE_NONE;
    const bl_status status = input(expr, name, &made);

    return status == BL_OK ? made : bli_expr_refuse_node(expr, status, __func__);
}

static bl_status number(bl_expr *expr, const bl_scalar *scalar, uint32_t flags,
                        bl_node *made)
{
    BL_TRY(bli_expr_check_open(expr));
    if (!scalar)
        return bli_error_null("number");
    if (scalar->dtype != BL_DTYPE_BOOL && scalar->dtype != BL_DTYPE_I64 &&
        scalar->dtype != BL_DTYPE_U64 && scalar->dtype != BL_DTYPE_F64 &&
        scalar->dtype != BL_DTYPE_C128)
        return bli_error_argument("number", "number: dtype %d", (int)scalar->dtype);
    return bli_expr_add_node(
        expr,
        (struct bli_expr_node){.kind = BLI_NODE_NUMBER,
                               .flags = flags,
                               .number = bli_expr_clean_scalar(scalar)},
        NULL, NULL, made);
}

bl_node bl_expr_number(bl_expr *expr, const bl_scalar *scalar)
{
    bl_node made = BL_NODE_NONE;
    const bl_status status = number(expr, scalar, 0, &made);

    return status == BL_OK ? made : bli_expr_refuse_node(expr, status, __func__);
}

bl_node bli_expr_literal(bl_expr *expr, const bl_scalar *scalar)
{
    bl_node made = BL_NODE_NONE;

    return number(expr, scalar, BLI_NODE_LITERAL, &made) == BL_OK ? made : BL_NODE_NONE;
}

static bl_status output(bl_expr *expr, bl_node node)
{
    BL_TRY(bli_expr_check_open(expr));
    BL_TRY(bli_expr_check_nodes(expr, 1, &node));
    if (expr->outputs == BL_MAX_SLOTS)
        return bl_error_set(BL_ERR_UNSUPPORTED, "more than %d outputs", BL_MAX_SLOTS);
    expr->output[expr->outputs++] = node;
    return BL_OK;
}

void bl_expr_output(bl_expr *expr, bl_node node)
{
    const bl_status status = output(expr, node);

    if (status != BL_OK)
        (void)bli_expr_refuse_node(expr, status, __func__);
}
