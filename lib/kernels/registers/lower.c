/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes, each one instruction or operand, that a segment's values are made of.
 */
#include "config.h"

#include "kernels/registers/make.h"

/* ---- nodes ---- */

/* Add a node; its index, or -1 where there is no room. */
static int16_t add(struct bli_nodes *nodes, int32_t kind, int32_t name, int32_t a,
                   int32_t b, int32_t c)
{
    struct bli_node *const node = &nodes->node[nodes->count];

    if (nodes->count == BLI_NODES)
        return -1;
    *node = (struct bli_node){.kind = (uint8_t)kind, .name = (uint8_t)name};
    node->input[0] = (int16_t)a;
    node->input[1] = (int16_t)b;
    node->input[2] = (int16_t)c;
    return (int16_t)nodes->count++;
}

static int16_t unary(struct bli_nodes *nodes, int32_t name, int32_t a)
{
    return add(nodes, BLI_NODE_UNARY, name, a, -1, -1);
}

static int16_t binary(struct bli_nodes *nodes, int32_t name, int32_t a, int32_t b)
{
    const int16_t node = add(nodes, BLI_NODE_BINARY, name, a, b, -1);

    if (node >= 0)
        nodes->node[node].commutes = name == BLI_NAME_add || name == BLI_NAME_mul;
    return node;
}

/* An operator of several instructions, which round where its expression does. */
static int16_t compose(struct bli_nodes *nodes, bl_op op, const int16_t *in)
{
    int16_t product;

    switch (op) {
    case BL_OP_CEIL:
        product = unary(nodes, BLI_NAME_round_down, unary(nodes, BLI_NAME_neg, in[0]));
        return unary(nodes, BLI_NAME_neg, product);
    case BL_OP_CLAMP:
        return binary(nodes, BLI_NAME_minimum,
                      binary(nodes, BLI_NAME_maximum, in[0], in[1]), in[2]);
    case BL_OP_ADDCMUL:
    case BL_OP_ADDCDIV:
        product = binary(nodes, BLI_NAME_mul, in[3], in[1]);
        product = binary(nodes, op == BL_OP_ADDCMUL ? BLI_NAME_mul : BLI_NAME_div,
                         product, in[2]);
        break;
    default:
        product = binary(nodes, BLI_NAME_mul, in[1], in[2]);
    }
    return binary(nodes, op == BL_OP_SUB_SCALED ? BLI_NAME_sub : BLI_NAME_add, in[0],
                  product);
}

/* Round a node to a half type. */
static int16_t rounded(struct bli_nodes *nodes, bl_dtype dtype, int16_t node)
{
    return unary(
        nodes, dtype == BL_DTYPE_F16 ? BLI_NAME_round_f16 : BLI_NAME_round_bf16, node);
}

/*
 * Whether the result of an operator on halves `in` is one without rounding.  A kernel
 * makes signalling NaN quiet, which loads of bf16 do not do, but rounding does.
 */
static bool is_rounded(const struct bli_nodes *nodes,
                       const struct bli_register_form *form, bl_op op, bl_dtype dtype,
                       const int16_t *in)
{
    bool is_quiet = true;

    for (int32_t k = 0; k < bli_ops[op].count && dtype == BL_DTYPE_BF16; k++) {
        const int32_t kind = nodes->node[in[k]].kind;

        is_quiet &= kind == BLI_NODE_UNARY || kind == BLI_NODE_BINARY;
    }
    return is_quiet && (op == BL_OP_CLAMP || (form != NULL && form->is_exact));
}

/* A conversion: stores and loads convert by themselves. */
static int16_t convert(struct bli_nodes *nodes, bl_dtype from, bl_dtype to,
                       int16_t node)
{
    if (from == BL_DTYPE_BOOL)
        return to == BL_DTYPE_BOOL ? node : unary(nodes, BLI_NAME_number, node);
    if (to == BL_DTYPE_BOOL)
        return unary(nodes, BLI_NAME_truth, node);
    if (bli_is_half(to) && from != to && from != BL_DTYPE_U8)
        return rounded(nodes, to, node);
    return node;
}

/* The load of a dtype other than the computed one. */
static int32_t load_name(bl_dtype dtype)
{
    static const uint8_t names[BLI_DTYPES] = {
        [BL_DTYPE_F32] = BLI_NAME_load_f32,   [BL_DTYPE_F16] = BLI_NAME_load_f16,
        [BL_DTYPE_BF16] = BLI_NAME_load_bf16, [BL_DTYPE_I32] = BLI_NAME_load_i32,
        [BL_DTYPE_U8] = BLI_NAME_load_u8,     [BL_DTYPE_BOOL] = BLI_NAME_load_bool};

    return names[dtype];
}

/* The store of a dtype other than the computed one. */
static int32_t store_name(bl_dtype dtype)
{
    static const uint8_t names[BLI_DTYPES] = {[BL_DTYPE_F32] = BLI_NAME_store_f32,
                                              [BL_DTYPE_F16] = BLI_NAME_store_f16,
                                              [BL_DTYPE_BF16] = BLI_NAME_store_bf16,
                                              [BL_DTYPE_U8] = BLI_NAME_store_u8,
                                              [BL_DTYPE_BOOL] = BLI_NAME_store_bool};

    return names[dtype];
}

/*
 * Whether a half is only stored, which rounds it.  Zen 4, one thread: a * 2.5 + b of
 * f16[262144] takes .68 of the time that it takes with a rounding before, with AVX2
 * 1.0, abs(a - b) * 2 .74 and .78, a polynomial of three steps .84 and .81, of bf16
 * .86.
 */
static bool is_rounded_by_store(const struct bli_segment *segment, int32_t value)
{
    const struct bli_value *const v = &segment->value[value];

    if (v->output < 0 || v->folds)
        return false;
    for (int32_t i = value + 1; i < segment->count; i++) {
        const struct bli_value *const other = &segment->value[i];
        const int32_t inputs = other->kind == BLI_VALUE_OPERATOR
                                   ? bli_ops[other->op].count
                               : other->kind == BLI_VALUE_SQUARE ? 1
                                                                 : 0;

        for (int32_t k = 0; k < inputs; k++)
            if (other->input[k] == value)
                return false;
    }
    return true;
}

/* The node of an operator's value. */
static int16_t operator_node(struct bli_nodes *nodes, const struct bli_segment *segment,
                             const struct bli_value *v, const int16_t *node)
{
    const bl_op op = (bl_op)v->op;
    const bl_dtype dtype = (bl_dtype)v->dtype;
    const struct bli_register_form *const form = bli_register_form(op);
    int16_t in[4] = {-1, -1, -1, -1}, made;

    for (int32_t k = 0; k < bli_ops[op].count; k++)
        in[k] = node[v->input[k]];
    if (op == BL_OP_COPY)
        return convert(nodes, (bl_dtype)segment->value[v->input[0]].dtype, dtype,
                       in[0]);
    if (op == BL_OP_WHERE)
        return add(nodes, BLI_NODE_WHERE, BLI_NAME_where_x, in[0], in[1], in[2]);
    if (form == NULL)
        made = compose(nodes, op, in);
    else if (op == BL_OP_MUL && in[0] == in[1])
        made = unary(nodes, BLI_NAME_square, in[0]);
    else
        made =
            add(nodes, form->kind, form->name, in[form->swaps], in[!form->swaps], -1);
    if (made >= 0 && form != NULL)
        nodes->node[made].commutes = form->commutes;
    return bli_is_half(dtype) && !is_rounded(nodes, form, op, dtype, in) &&
                   !is_rounded_by_store(segment, (int32_t)(v - segment->value))
               ? rounded(nodes, dtype, made)
               : made;
}

/* Add the store of a value. A stream that it may overwrite is loaded before. */
static bool add_result(struct bli_nodes *nodes, const struct bli_segment *segment,
                       const struct bli_value *v, int16_t node)
{
    const bool is_plain = v->dtype == (int16_t)segment->computes;
    const uint8_t operand = nodes->node[node].operand;

    if (segment->is_in_place && nodes->node[node].kind == BLI_NODE_STREAM) {
        node = add(nodes, BLI_NODE_LOAD, BLI_NAME_load, -1, -1, -1);
        if (node < 0)
            return false;
        nodes->node[node].operand = operand;
    }
    nodes->result[nodes->results++] =
        (struct bli_store){node,
                           (uint8_t)(v->folds   ? BLI_NAME_fold
                                     : is_plain ? BLI_NAME_store
                                                : store_name((bl_dtype)v->dtype)),
                           (uint8_t)v->output};
    return true;
}

bool bli_segment_lower(struct bli_nodes *nodes, const struct bli_segment *segment)
{
    int16_t node[BLI_SEGMENT_VALUES];

    nodes->count = nodes->results = 0;
    for (int32_t k = 0; k < segment->count; k++) {
        const struct bli_value *const v = &segment->value[k];
        const bool is_plain = v->dtype == (int16_t)segment->computes;
        const bl_dtype dtype = (bl_dtype)v->dtype;

        if (v->kind == BLI_VALUE_SQUARE)
            node[k] = unary(nodes, BLI_NAME_square_nearest, node[v->input[0]]);
        else if (v->kind == BLI_VALUE_OPERATOR)
            node[k] = operator_node(nodes, segment, v, node);
        else if (v->kind == BLI_VALUE_STILL)
            node[k] = add(nodes, BLI_NODE_STILL, BLI_NAME_load, -1, -1, -1);
        else
            node[k] = add(nodes, is_plain ? BLI_NODE_STREAM : BLI_NODE_LOAD,
                          is_plain ? BLI_NAME_load : load_name(dtype), -1, -1, -1);
        if (node[k] < 0)
            return false;
        if (v->kind < BLI_VALUE_OPERATOR)
            nodes->node[node[k]].operand = (uint8_t)v->operand;
        if (v->output >= 0 && !add_result(nodes, segment, v, node[k]))
            return false;
    }
    return true;
}

/* ---- operands ---- */

/* The stream that is an input most often; a result, where none is so twice. */
static int32_t most_read(const struct bli_nodes *nodes, const struct bli_order *order)
{
    int32_t uses[BLI_PROGRAM_OPERANDS] = {0}, most = nodes->result[0].operand;

    for (int32_t k = 0; k < nodes->count; k++)
        for (int32_t i = 0; i < 3 && order->last[k] >= 0; i++) {
            const int32_t in = nodes->node[k].input[i];

            if (in >= 0 && nodes->node[in].kind == BLI_NODE_STREAM)
                uses[nodes->node[in].operand]++;
        }
    for (int32_t k = 0; k < BLI_PROGRAM_OPERANDS; k++)
        if (uses[k] > 1 && uses[k] > uses[most])
            most = k;
    return most;
}

/* Whether a value is computed under rounding to nearest, without flushing. */
static bool needs_nearest(const struct bli_value *v)
{
    return v->kind == BLI_VALUE_SQUARE ||
           (v->kind == BLI_VALUE_OPERATOR &&
            bli_op_wants_nearest((bl_op)v->op, (bl_dtype)v->dtype));
}

void bli_program_set_operands(struct bli_program *program,
                              const struct bli_segment *segment,
                              const struct bli_nodes *nodes,
                              const struct bli_order *order)
{
    bool is_read[BLI_PROGRAM_OPERANDS] = {false};

    for (int32_t k = 0; k < nodes->count; k++) {
        if (nodes->node[k].input[0] < 0)
            is_read[nodes->node[k].operand] |= order->last[k] >= 0;
        program->roundings += nodes->node[k].name == BLI_NAME_round_bf16;
    }
    for (int32_t k = 0; k < nodes->results; k++)
        program->roundings += nodes->result[k].name == BLI_NAME_store_bf16;
    for (int32_t k = 0; k < segment->count; k++) {
        const struct bli_value *const v = &segment->value[k];
        const bool is_still = v->kind == BLI_VALUE_STILL;

        if (v->kind < BLI_VALUE_OPERATOR && is_read[v->operand]) {
            program->dtype[v->operand] = (uint8_t)v->dtype;
            *(is_still ? &program->stills : &program->streams) |= UINT32_C(1)
                                                                  << v->operand;
            program->wide_stills |= is_still && v->dtype != (int16_t)segment->computes;
        }
        program->has_nearest |= needs_nearest(v);
        if (v->output >= 0) {
            program->outputs |= UINT32_C(1) << v->output;
            program->folds |= (uint32_t)v->folds << v->output;
            program->dtype[v->output] = (uint8_t)v->dtype;
        }
    }
    program->aligned = (uint8_t)most_read(nodes, order);
}
