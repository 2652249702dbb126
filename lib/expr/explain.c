/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what an execution of a plan does, for people. */
#include "expr/fusion.h"
#include "expr/half_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 1024, SHOWN_BYTES = 60 };

/* What a value is called: its node; of a copy to an output, "output 0". */
static void add_name(struct bli_text *text, const bl_expr_plan *plan, int32_t v)
{
    char name[BLI_EXPR_NAME];

    if (v >= plan->nodes && v < bli_expr_widened(plan, 0)) {
        bli_text_add(text, "output %d", (int)(v - plan->nodes));
        return;
    }
    bli_expr_call_node(plan->expr, bli_expr_value_node(plan, v), name);
    bli_text_add(text,
                 v < plan->nodes                   ? "%s"
                 : v < bli_expr_unrounded(plan, 0) ? "f32(%s)"
                                                   : "%s unrounded",
                 name);
}

/* The operation of a step and its operands: "%3 = add(x, %2)". */
static void add_call(struct bli_text *text, const bl_expr_plan *plan,
                     const struct bli_expr_step *step)
{
    const bool is_copy = bli_expr_is_copy(plan, step->value);
    const struct bli_expr_node *const node = bli_expr_node(plan->expr, step->node);

    add_name(text, plan, step->value);
    bli_text_add(text, " = %s(", is_copy ? "copy" : bli_expr_operation(node));
    for (int32_t k = 0; k < step->count; k++) {
        bli_text_add(text, "%s", k ? ", " : "");
        add_name(text, plan, step->operand[k]);
    }
    for (int32_t k = 0; !is_copy && k < node->axes; k++)
        bli_text_add(text, ", %d", (int)plan->expr->list[node->first + 1 + k]);
    if (!is_copy && node->flags & BLI_NODE_KEEPDIM)
        bli_text_add(text, ", keepdim");
    if (step->has_alpha) {
        char number[BLI_ELEMENT_TEXT];

        bli_element_text(number, step->alpha.dtype, &step->alpha.value);
        bli_text_add(text, ", alpha %s", number);
    }
    bli_text_add(text, ")");
}

static void add_place(struct bli_text *text, const bl_expr_plan *plan,
                      const struct bli_expr_value *value)
{
    if (value->is_internal)
        bli_text_add(text, "nowhere");
    else if (value->lodges >= 0)
        bli_text_add(text, "output %d", (int)value->lodges);
    else if (value->output < 0)
        bli_text_add(text, "workspace at %" PRId64, value->at[1]);
    else if (plan->out[value->output].is_direct)
        bli_text_add(text, "output %d", (int)value->output);
    else
        bli_text_add(text, "workspace at %" PRId64 ", then copied to output %d",
                     plan->out[value->output].at[1], (int)value->output);
}

/* The part of the text that a node is, in one line; nothing where it was built. */
static void add_source(struct bli_text *text, const bl_expr_plan *plan,
                       const struct bli_expr_step *step)
{
    const struct bli_expr_node *const node = bli_expr_node(plan->expr, step->node);
    const int64_t length = node->end - node->begin;
    char *from;

    if (node->begin < 0 || bli_expr_is_copy(plan, step->value))
        return;
    bli_text_add(text, "   ");
    from = text->at;
    bli_text_add(text, "%.*s%s", (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES),
                 plan->expr->text + node->begin, length > SHOWN_BYTES ? "..." : "");
    for (; from < text->at; from++)
        if (*from < ' ' && *from >= 0)
            *from = ' ';
}

/* The first step of a later phase that reads a value, and needs it in memory. */
static void add_reader(struct bli_text *text, const bl_expr_plan *plan, int32_t v)
{
    const int32_t phase = plan->value[v].phase;

    for (int32_t p = phase + 1; p < plan->phases; p++)
        for (int32_t i = 0; i < plan->phase[p].count; i++) {
            const struct bli_expr_step *const step =
                &plan->step[plan->phase[p].step[i]];

            for (int32_t k = 0; k < step->count; k++)
                if (step->operand[k] == v) {
                    bli_text_add(text, ", for ");
                    add_name(text, plan, step->value);
                    return;
                }
        }
}

static bool write_step(const bl_expr_plan *plan, int32_t s, const char *before,
                       bl_write_function write, void *user)
{
    const struct bli_expr_step *const step = &plan->step[s];
    const struct bli_expr_value *const value = &plan->value[step->value];
    char line[TEXT_BYTES];
    struct bli_text text;

    bli_text_open(&text, line, sizeof line - 1);
    bli_text_add(&text, "%s", before);
    add_call(&text, plan, step);
    bli_text_add(&text, "   %s", bli_dtypes[value->dtype].name);
    bli_text_extents(&text, "[", ",", "]", value->rank, value->extent);
    bli_text_add(&text, "   ");
    add_place(&text, plan, value);
    if (value->output < 0 && !value->is_internal)
        add_reader(&text, plan, step->value);
    add_source(&text, plan, step);
    if (step->refuses && plan->phase[value->phase].fusion)
        bli_text_add(&text, "   (its %s are checked before)",
                     step->plan->op == BL_OP_POW ? "exponents" : "divisors");
    if (step->why)
        bli_text_add(&text, "   (%s: %s)",
                     plan->phase[value->phase].fusion ? "last" : "a call", step->why);
    *text.at++ = '\n';
    return write(user, line, (size_t)(text.at - line));
}

/* What a fusion consists of. */
static bool write_fusion(const bl_expr_plan *plan, int32_t p, bl_write_function write,
                         void *user)
{
    const struct bli_expr_phase *const phase = &plan->phase[p];
    struct bli_fusion_info info;
    char line[TEXT_BYTES];
    struct bli_text text;

    bli_fusion_query(phase->direct, &info);
    bli_text_open(&text, line, sizeof line - 1);
    bli_text_add(&text, "phase %d   fusion of %d: %d in registers in %d programs",
                 (int)p, (int)phase->count,
                 (int)(phase->count - info.kernels - info.reductions),
                 (int)info.programs);
    if (info.order)
        bli_text_add(&text,
                     ", %d reduction%s, %s of %" PRId64 " elements, %" PRId64
                     " at a time",
                     (int)info.reductions, info.reductions == 1 ? "" : "s", info.order,
                     info.row, info.box / info.row);
    else if (info.box > 0)
        bli_text_add(&text, ", boxes of %" PRId64 " elements", info.box);
    if (info.streams)
        bli_text_add(&text, ", non-temporal stores");
    if (info.is_ahead)
        bli_text_add(&text, ", prefetched");
    *text.at++ = '\n';
    return write(user, line, (size_t)(text.at - line));
}

static bool write_phase(const bl_expr_plan *plan, int32_t p, bl_write_function write,
                        void *user)
{
    const struct bli_expr_phase *const phase = &plan->phase[p];
    char before[32];
    bool goes_on = true;

    if (!phase->fusion) {
        snprintf(before, sizeof before, "phase %d   call of ", (int)p);
        return write_step(plan, phase->step[0], before, write, user);
    }
    goes_on = write_fusion(plan, p, write, user);
    for (int32_t i = 0; goes_on && i < phase->count; i++)
        goes_on = write_step(plan, phase->step[i], "          ", write, user);
    return goes_on;
}

static bool write_figures(const bl_expr_plan *plan, bl_write_function write, void *user)
{
    bl_expr_plan_info info;
    char line[TEXT_BYTES];
    struct bli_text text;

    bli_expr_plan_count(plan, &info);
    bli_text_open(&text, line, sizeof line);
    bli_text_add(&text,
                 "moves %" PRId64 " bytes; call by call %" PRId64
                 "; inputs and outputs alone %" PRId64 "\n"
                 "workspace %" PRId64 " bytes\n",
                 info.bytes, info.bytes_apart, info.bytes_least, info.workspace);
    return write(user, line, (size_t)(text.at - line));
}

static bl_status explain(const bl_expr_plan *plan, bl_write_function write, void *user)
{
    bool goes_on = true;

    if (!plan)
        return bli_error_null("plan");
    if (!write)
        return bli_error_null("write");
    for (int32_t p = 0; goes_on && p < plan->phases; p++)
        goes_on = write_phase(plan, p, write, user);
    goes_on = goes_on && write_figures(plan, write, user);
    return goes_on ? BL_OK : bl_error_set(BL_ERR_IO, "the text was not taken");
}

bl_status bl_expr_plan_explain(const bl_expr_plan *plan, bl_write_function write,
                               void *user)
{
    BLI_RETURN_CALL(explain(plan, write, user), "");
}
