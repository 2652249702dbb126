/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the plan of an expression.
 */
#include "expression_plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

int64_t expression_bytes(const bl_expr_node_info *info)
{
    int64_t bytes = (int64_t)bl_dtype_size(info->dtype);

    for (int32_t d = 0; d < info->rank; d++)
        bytes *= info->extent[d];
    return bytes;
}

const char *expression_place(int32_t place)
{
    static const char *const names[] = {[BL_EXPR_NOWHERE] = "nowhere",
                                        [BL_EXPR_NUMBER] = "number",
                                        [BL_EXPR_INPUT] = "input",
                                        [BL_EXPR_WORKSPACE] = "workspace",
                                        [BL_EXPR_OUTPUT] = "output"};

    return place < (int32_t)(sizeof names / sizeof names[0]) ? names[place]
                                                             : "registers";
}

const char *expression_text(const struct expression_plan *plan,
                            const struct expression_value *value, char *text,
                            size_t size)
{
    const bl_expr_node_info *const info = &value->info;

    if (info->place == BL_EXPR_INPUT)
        snprintf(text, size, "%s", plan->about.input[info->slot]);
    else
        snprintf(text, size, "%.*s", (int)(info->end - info->begin),
                 plan->text + info->begin);
    for (char *at = text; *at; at++)
        if (isspace((unsigned char)*at))
            *at = ' ';
    return text;
}

void expression_operator(const struct expression_plan *plan, int32_t call,
                         char text[16])
{
    snprintf(text, 16, "copy");
    for (int32_t k = 0; k < plan->count; k++) {
        const bl_expr_node_info *const info = &plan->value[k].info;
        const char *const at = plan->text + info->position;
        size_t length = 0;

        if (info->call != call || info->position < 0)
            continue;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (length == 0)
            length = strspn(at, "<>=!|^&+-*/%~");
        /* A sign after another one is the next operand's: a*-b. */
        while (
            length > 1 && ispunct((unsigned char)*at) &&
            (at[length - 1] == '-' || at[length - 1] == '~' || at[length - 1] == '+'))
            length--;
        snprintf(text, 16, "%.*s", (int)(length < 15 ? length : 15), at);
    }
}

bl_status expression_plan_words(const struct expression_plan *plan)
{
    return bl_expr_plan_explain(plan->plan, write_file, stdout);
}

static void json_array(struct json *json, bl_dtype dtype, int32_t rank,
                       const int64_t *extent)
{
    json_string(json, "dtype", bl_dtype_name(dtype));
    json_integers(json, "shape", rank, extent);
}

static void json_value(struct json *json, const struct expression_plan *plan,
                       const struct expression_value *value)
{
    const bl_expr_node_info *const info = &value->info;
    char text[256];

    json_open(json, NULL, '{');
    json_integer(json, "node", value->node);
    json_string(json, "text", expression_text(plan, value, text, sizeof text));
    json_array(json, info->dtype, info->rank, info->extent);
    json_string(json, "place", expression_place(info->place));
    if (info->slot >= 0)
        json_integer(json, "slot", info->slot);
    if (info->call >= 0)
        json_integer(json, "call", info->call);
    if (value->last >= 0)
        json_integer(json, "last_read", value->last);
    json_close(json, '}');
}

void expression_plan_json(const struct expression_plan *plan)
{
    const bl_expr_plan_info *const info = &plan->info;
    struct json json = {stdout, false};
    char name[16];

    json_open(&json, NULL, '{');
    json_string(&json, "expression", plan->text);
    json_open(&json, "calls", '[');
    for (int32_t k = 0; k < info->calls; k++) {
        expression_operator(plan, k, name);
        json_string(&json, NULL, name);
    }
    json_close(&json, ']');
    json_open(&json, "values", '[');
    for (int32_t k = 0; k < plan->count; k++)
        json_value(&json, plan, &plan->value[k]);
    json_close(&json, ']');
    json_open(&json, "outputs", '[');
    for (int32_t k = 0; k < plan->about.outputs; k++) {
        bl_array array;

        if (bl_expr_plan_output(plan->plan, k, &array) != BL_OK)
            continue;
        json_open(&json, NULL, '{');
        json_array(&json, array.dtype, array.rank, array.extent);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_integer(&json, "bytes", info->bytes);
    json_integer(&json, "bytes_call_by_call", info->bytes_apart);
    json_integer(&json, "bytes_of_inputs_and_outputs", info->bytes_least);
    json_integer(&json, "workspace", info->workspace);
    json_close(&json, '}');
    putchar('\n');
}
