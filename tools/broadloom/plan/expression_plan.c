/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the plan of an expression, and finds from its text when values are last read:
 * a node is read by the smallest one around it, and a name by the one around the name.
 */
#include "expression_plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/variables.h"

/* ---- the plan ---- */

/* Find the operand of each input. */
static bl_status bind_operands(const struct expression_options *options,
                               const struct variables *words, const bl_expr_info *about,
                               struct operand *operand)
{
    for (int32_t k = 0; k < about->inputs; k++) {
        int w = 0;

        while (w < words->count && strcmp(words->name[w], about->input[k]) != 0)
            w++;
        if (w == words->count)
            return bl_error_set(BL_ERR_ARGUMENT, "no operand is given for %.60s",
                                about->input[k]);
        TRY(operand_parse(words->file[w], options->dtype, &operand[k]));
    }
    for (int w = 0; w < words->count; w++) {
        int32_t k = 0;

        while (k < about->inputs && strcmp(words->name[w], about->input[k]) != 0)
            k++;
        if (k == about->inputs)
            return bl_error_set(BL_ERR_ARGUMENT, "the expression does not name %.60s",
                                words->name[w]);
    }
    return BL_OK;
}

static bl_status make_plan(const struct expression_options *options,
                           const struct variables *words, struct expression_plan *out)
{
    struct operand *const operand = calloc(BL_MAX_SLOTS, sizeof *operand);
    bl_array array[BL_MAX_SLOTS];
    const bl_array *in[BL_MAX_SLOTS];
    bl_status status;

    if (!operand)
        return bl_error_set(BL_ERR_MEMORY, "no memory for operands");
    status = bind_operands(options, words, &out->about, operand);
    for (int32_t k = 0; status == BL_OK && k < out->about.inputs; k++) {
        array[k] = operand_array(&operand[k], NULL);
        in[k] = &array[k];
    }
    if (status == BL_OK)
        status = bl_expr_plan_create(options->ctx, out->expr, NULL, in, &options->plan,
                                     &out->plan);
    free(operand);
    return status;
}

/* ---- values ---- */

static struct expression_value *find_value(const struct expression_plan *plan,
                                           bl_node node)
{
    for (int32_t k = 0; k < plan->count; k++)
        if (plan->value[k].node == node)
            return &plan->value[k];
    return NULL;
}

/*
 * The call of the smallest node around bytes `begin` to `end` that is larger than them;
 * -1: there is none.
 */
static int32_t call_around(const struct expression_plan *plan, int64_t begin,
                           int64_t end)
{
    int64_t least = INT64_MAX;
    int32_t call = -1;

    for (bl_node n = 0; n < plan->about.nodes; n++) {
        bl_expr_node_info info = {.size = sizeof info};

        if (bl_expr_plan_node(plan->plan, n, &info) != BL_OK || info.call < 0 ||
            info.begin > begin || info.end < end ||
            info.end - info.begin <= end - begin || info.end - info.begin >= least)
            continue;
        least = info.end - info.begin;
        call = info.call;
    }
    return call;
}

static void read_at(const struct expression_plan *plan, bl_node node, int64_t begin,
                    int64_t end)
{
    struct expression_value *const value = find_value(plan, node);
    const int32_t call = call_around(plan, begin, end);

    if (value && call > value->last)
        value->last = call;
}

/* The largest node in a part of the text; BL_NODE_NONE where that is a name. */
static bl_node node_within(const struct expression_plan *plan, int64_t begin,
                           int64_t end)
{
    bl_node found = BL_NODE_NONE;
    int64_t most = -1;

    for (bl_node n = 0; n < plan->about.nodes; n++) {
        bl_expr_node_info info = {.size = sizeof info};

        if (bl_expr_plan_node(plan->plan, n, &info) == BL_OK && info.begin >= begin &&
            info.end <= end && info.end - info.begin > most) {
            most = info.end - info.begin;
            found = info.same;
        }
    }
    return found;
}

static size_t name_length(const char *text)
{
    size_t n = 0;

    if (!isdigit((unsigned char)*text))
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
    return n;
}

/* Whether a statement at `at` is "name = ..."; how long the name is, and where that. */
static size_t assigned_name(const char *text, size_t at, size_t *value)
{
    const size_t length = name_length(text + at);
    size_t end = at + length;

    while (isspace((unsigned char)text[end]))
        end++;
    if (length == 0 || text[end] != '=' || text[end + 1] == '=')
        return 0;
    *value = end + 1;
    return length;
}

/* The node that a name at byte `at` stands for: an input, or an earlier statement's. */
static bl_node node_of_name(const struct expression_plan *plan, const char *name,
                            size_t length, size_t at)
{
    bl_node found = BL_NODE_NONE;
    const char *const text = plan->text;

    for (bl_node n = 0; n < plan->count; n++) {
        const struct expression_value *const value = &plan->value[n];

        if (value->info.place == BL_EXPR_INPUT &&
            strlen(plan->about.input[value->info.slot]) == length &&
            memcmp(plan->about.input[value->info.slot], name, length) == 0)
            found = value->node;
    }
    for (size_t begin = 0; begin < at;) {
        size_t end, value = 0;

        begin += strspn(text + begin, " \t\n");
        end = begin + strcspn(text + begin, ";");
        if (end < at && assigned_name(text, begin, &value) == length &&
            memcmp(text + begin, name, length) == 0) {
            found = node_within(plan, (int64_t)value, (int64_t)end);
            value += strspn(text + value, " \t\n");
            if (found == BL_NODE_NONE)
                found =
                    node_of_name(plan, text + value, name_length(text + value), value);
        }
        begin = end + 1;
    }
    return found;
}

/* Find when values are last read. */
static void find_readers(const struct expression_plan *plan)
{
    const char *const text = plan->text;

    for (bl_node n = 0; n < plan->about.nodes; n++) {
        bl_expr_node_info info = {.size = sizeof info};

        if (bl_expr_plan_node(plan->plan, n, &info) == BL_OK && info.call >= 0)
            read_at(plan, info.same, info.begin, info.end);
    }
    for (size_t at = 0, length; text[at] != '\0'; at += length) {
        length = name_length(text + at);
        if (length > 0 && (at == 0 || !isdigit((unsigned char)text[at - 1])))
            read_at(plan, node_of_name(plan, text + at, length, at), (int64_t)at,
                    (int64_t)(at + length));
        length += length == 0;
    }
}

static bl_status find_values(struct expression_plan *plan)
{
    plan->value = calloc((size_t)plan->about.nodes + 1, sizeof *plan->value);
    if (!plan->value)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d values",
                            (int)plan->about.nodes);
    for (bl_node n = 0; n < plan->about.nodes; n++) {
        struct expression_value *const value = &plan->value[plan->count];

        value->info.size = sizeof value->info;
        TRY(bl_expr_plan_node(plan->plan, n, &value->info));
        if (value->info.same != n || value->info.place == BL_EXPR_NOWHERE ||
            value->info.place == BL_EXPR_NUMBER)
            continue;
        value->node = n;
        value->last = -1;
        for (int32_t k = 0; k < plan->about.outputs; k++) {
            bl_expr_node_info output = {.size = sizeof output};

            TRY(bl_expr_plan_node(plan->plan, plan->about.output[k], &output));
            value->is_result = value->is_result || output.same == n;
        }
        plan->count++;
    }
    find_readers(plan);
    return BL_OK;
}

bl_status expression_plan_make(const struct expression_options *options,
                               const char *text, int count, char *const *word,
                               struct expression_plan *out)
{
    struct variables words;
    bl_status status;

    *out = (struct expression_plan){.text = text,
                                    .about = {.size = sizeof out->about},
                                    .info = {.size = sizeof out->info}};
    status = variables_read(count, word, &words);
    if (status == BL_OK)
        status = bl_expr_parse(options->ctx, text, 0, NULL, &out->expr);
    if (status == BL_OK)
        status = bl_expr_query(out->expr, &out->about);
    if (status == BL_OK)
        status = make_plan(options, &words, out);
    if (status == BL_OK)
        status = bl_expr_plan_query(out->plan, &out->info);
    if (status == BL_OK)
        status = find_values(out);
    variables_free(&words);
    return status;
}

void expression_plan_free(struct expression_plan *plan)
{
    bl_expr_plan_destroy(plan->plan);
    bl_expr_destroy(plan->expr);
    free(plan->value);
}
