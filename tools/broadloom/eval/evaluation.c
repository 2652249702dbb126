/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluation.h"
#include "utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Note where in the text the last error is, if it is anywhere. */
static bl_status locate(struct evaluation *evaluation, bl_status status)
{
    bl_error_info info = {.size = sizeof info};

    if (status != BL_OK && bl_error_query(&info) == BL_OK && info.position >= 0) {
        evaluation->has_place = true;
        evaluation->place = (size_t)info.position;
    }
    return status;
}

bl_status evaluation_set_rules(struct evaluation *evaluation, const bl_rules *named,
                               int64_t axis)
{
    if (named || axis != BL_AXIS_LAST)
        TRY(choose_rules(named, axis, &evaluation->options.rules));
    evaluation->options.axis = (int32_t)axis;
    return BL_OK;
}

bl_status evaluation_parse(struct evaluation *evaluation, const char *text,
                           bl_expr **expr)
{
    return locate(evaluation, bl_expr_parse(evaluation->ctx, text, evaluation->count,
                                            evaluation->name, expr));
}

/* Count the calls of an execution. */
static void trace(void *user, const bl_trace *event)
{
    struct evaluation *const evaluation = user;

    if (event->kind == BL_TRACE_REGION)
        progress_update(evaluation->progress, ++evaluation->calls);
}

static void release_all(bl_tensor **out, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        bl_tensor_release(out[k]);
        out[k] = NULL;
    }
}

static bl_status execute(struct evaluation *evaluation, const bl_expr_plan *plan,
                         int32_t outputs, bl_tensor **out)
{
    void *to[BL_MAX_SLOTS];
    const void *from[BL_MAX_SLOTS];
    bl_status status;
    bl_array array;

    for (int32_t k = 0; k < outputs; k++) {
        TRY(bl_expr_plan_output(plan, k, &array));
        TRY(bl_tensor_empty(evaluation->ctx, array.dtype, array.rank, array.extent,
                            &out[k]));
        to[k] = bl_tensor_mutable_data(out[k]);
    }
    for (int32_t k = 0; k < evaluation->count; k++)
        from[k] = bl_tensor_data(evaluation->tensor[k]);
    bl_context_set_tracer(evaluation->ctx, evaluation->progress ? trace : NULL,
                          evaluation);
    status = bl_expr_plan_execute(evaluation->ctx, plan, to, from);
    bl_context_set_tracer(evaluation->ctx, NULL, NULL);
    return status;
}

bl_status evaluation_run(struct evaluation *evaluation, bl_expr *expr,
                         bl_write_function writer, bl_tensor **out)
{
    const bl_array *inputs[BL_MAX_SLOTS];
    bl_expr_plan_info info = {.size = sizeof info};
    bl_expr_plan *plan = NULL;
    bl_status status;

    for (int32_t k = 0; k < evaluation->count; k++)
        inputs[k] = bl_tensor_array(evaluation->tensor[k]);
    status = bl_expr_plan_create(evaluation->ctx, expr, NULL, inputs,
                                 &evaluation->options, &plan);
    if (status == BL_OK)
        status = bl_expr_plan_query(plan, &info);
    if (status == BL_OK && writer)
        status = bl_expr_plan_explain(plan, writer, stdout);
    else if (status == BL_OK) {
        evaluation->progress = progress_start(info.phases + 1);
        status = execute(evaluation, plan, info.outputs, out);
        progress_finish(evaluation->progress);
        evaluation->progress = NULL;
        if (status != BL_OK)
            release_all(out, info.outputs);
    }
    status = locate(evaluation, status);
    bl_expr_plan_destroy(plan);
    return status;
}

void evaluation_mark(const char *text, size_t at)
{
    enum { WIDTH = 72 };
    size_t from = 0, to, first, end;
    char shown[WIDTH + 4]; /* with the rest of a character, and the end */

    if (text[at] == '\0')
        while (at > 0 && isspace((unsigned char)text[at - 1]))
            at--;
    for (size_t k = 0; k < at; k++)
        if (text[k] == '\n')
            from = k + 1;
    to = at + strcspn(text + at, "\n");
    first = from;
    end = to;
    if (to - from > WIDTH) {
        first = at - from > WIDTH / 2 ? at - WIDTH / 2 : from;
        end = to - first > WIDTH ? first + WIDTH : to;
        first = end - first < WIDTH ? end - WIDTH : first;
        while (end < to && end - first < WIDTH + 3 &&
               ((unsigned char)text[end] & 0xc0) == 0x80)
            end++;
    }
    for (size_t k = first; k < end; k++)
        shown[k - first] = iscntrl((unsigned char)text[k]) ? ' ' : text[k];
    shown[end - first] = '\0';
    utf8_show(shown, false);
    fprintf(stderr, "    %s%s%s\n%*s^\n", first > from ? "..." : "", shown,
            end < to ? "..." : "", (int)(at - first) + (first > from ? 7 : 4), "");
}
