/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixes of calls of the C interface: bl_add, bl_add_out, bl_add_inplace.  A BL_VIEW
 * gets other extents in its place; of other operands a view is made before the
 * statement, of a tensor one that is released after it, of an array a layout.
 */
#include "fix_draft.h"

#include "shape/shape_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool draft_operator(const char *function, const char **name, int32_t *inputs)
{
    static const char *const masked[] = {"masked_fill", "masked_scatter",
                                         "masked_select"};
    bl_op_info info = {.size = sizeof info};
    struct shape_op op;

    *inputs = 2;
    for (size_t k = 0; k < sizeof masked / sizeof masked[0]; k++)
        if (strcmp(function, masked[k]) == 0) {
            *name = masked[k];
            return true;
        }
    if (shape_op_find(function, &op) != BL_OK || bl_op_query(op.op, &info) != BL_OK)
        return false;
    *name = info.name;
    *inputs = info.inputs;
    return info.inputs >= 2 && info.inputs <= FIX_OPERANDS;
}

/* ---- finding ---- */

/* Arguments that follow the operands of a call: a mask's value or source, and the new
 * tensor. */
static int count_others(const char *name, const char *form)
{
    return (strcmp(name, "masked_fill") == 0 || strcmp(name, "masked_scatter") == 0) +
           (form[0] == '\0');
}

/* Read a call of an operator's form at token `k`: 1, or 0 where it is none. */
static int find_form(struct draft *draft, int32_t k, const char *name, int32_t inputs,
                     const char *form, int64_t line)
{
    const struct source *const source = draft->source;
    const int first = strcmp(form, "_out") == 0 ? 2 : 1;
    const int operand[FIX_OPERANDS] = {first, first + 1, first + 2};
    char text[FIX_NAME];

    snprintf(text, sizeof text, "bl_%s%s", name, form);
    if (!source_is(source, k, text) || !source_is(source, k + 1, "(") ||
        !draft_covers(draft, k, source->token[k + 1].mate, line) ||
        !draft_read_call(draft, k, k + 1, first + inputs + count_others(name, form),
                         inputs, operand))
        return 0;
    draft->self = strcmp(name, "where") == 0;
    return 1;
}

static int find(struct draft *draft, const struct finding *finding)
{
    static const char *const suffixes[] = {"", "_out", "_inplace"};
    const struct source *const source = draft->source;
    const char *name;
    int32_t inputs, end;
    int found = 0;

    if (!draft_operator(finding->function, &name, &inputs))
        return 0;
    end = source_find_line(source, finding->line + 1);
    for (int32_t k = source_find_line(source, finding->line - CALL_LINES); k < end; k++)
        for (int i = 0; i < 3 && draft->reason[0] == '\0'; i++)
            found += find_form(draft, k, name, inputs, suffixes[i], finding->line);
    return found;
}

/* ---- arrays ---- */

/*
 * Append a member of an array that an argument points to, "x.rank", "p->rank"; with "",
 * the array.
 */
static void add_member(struct draft *draft, char **text, int argument,
                       const char *member)
{
    const struct source *const source = draft->source;
    const struct span span = draft->call.argument[argument];
    const struct span rest = {span.begin + 1, span.end};
    char *const whole = draft_text(draft, argument);

    const bool is_address =
        source_is(source, span.begin, "&") && span_is_primary(source, rest);
    const bool is_named = draft->replaced[argument] || span_is_primary(source, span);

    if (!draft->replaced[argument] && is_address)
        draft_add(draft, text, "%s%s%s", whole ? whole + 1 : "",
                  member[0] != '\0' ? "." : "", member);
    else
        draft_add(draft, text, "%s%s%s%s%s%s", member[0] != '\0' ? "" : "*",
                  is_named ? "" : "(", whole ? whole : "", is_named ? "" : ")",
                  member[0] != '\0' ? "->" : "", member);
    free(whole);
}

/* Whether an argument is a BL_VIEW whose extents may be evaluated again. */
static bool is_view(const struct draft *draft, int argument, struct c_call *view)
{
    if (!draft_is_call_of(draft, argument, "BL_VIEW", view))
        return false;
    for (int k = 1; k < view->count; k++)
        if (!span_is_pure(draft->source, view->argument[k]))
            return false;
    return view->count > 1;
}

/* Give a BL_VIEW the extents of another. */
static void view_as(struct draft *draft, int argument, const struct c_call *view,
                    const struct c_call *self)
{
    const struct source *const source = draft->source;
    const struct span all = {self->argument[1].begin,
                             self->argument[self->count - 1].end};
    int lengths[2];
    const char *const pointer = span_text(source, view->argument[0], &lengths[0]);
    const char *const extents = span_text(source, all, &lengths[1]);

    draft_replace(draft, argument, "BL_VIEW(%.*s, %.*s)", lengths[0], pointer,
                  lengths[1], extents);
}

/* ---- lines before the statement ---- */

/* Append a line that computes the status: the first declares it. */
static void add_status(struct draft *draft, int argument, const char *call)
{
    if (draft->status[0] == '\0') {
        draft_name(draft, argument, "status", draft->status);
        draft_before(draft, "bl_status %s = %s;", draft->status, call);
    } else {
        draft_before(draft, "if (%s == BL_OK)", draft->status);
        draft_before(draft, "    %s = %s;", draft->status, call);
    }
}

/* Declare what an operand needs: a tensor, or an array and its layout. */
static void declare_view(struct draft *draft, int argument, char view[FIX_NAME],
                         char layout[FIX_NAME])
{
    struct c_call tensor;
    char *array = NULL;

    draft_name(draft, argument, "view", view);
    layout[0] = '\0';
    if (draft_is_call_of(draft, argument, "bl_tensor_array", &tensor) &&
        tensor.count == 1) {
        draft_before(draft, "bl_tensor *%s = NULL;", view);
        return;
    }
    draft_name(draft, argument, "layout", layout);
    add_member(draft, &array, argument, "");
    draft_before(draft, "bl_layout %s;", layout);
    draft_before(draft, "bl_array %s = %s;", view, array ? array : "");
    free(array);
}

/* Make the view of an operand: `rank` and `extent` are texts. */
static void make_view(struct draft *draft, int argument, const char *view,
                      const char *layout, const char *how, const char *shape)
{
    char *call = NULL, *members = NULL, *const text = draft_text(draft, argument);
    struct c_call tensor;

    if (layout[0] == '\0') {
        int length;
        const char *at;

        (void)draft_is_call_of(draft, argument, "bl_tensor_array", &tensor);
        at = span_text(draft->source, tensor.argument[0], &length);
        draft_add(draft, &call, "bl_tensor_%s%.*s, %s, &%s)", how, length, at, shape,
                  view);
        add_status(draft, argument, call ? call : "");
        draft_after(draft, "bl_tensor_release(%s);", view);
        draft_replace(draft, argument, "bl_tensor_array(%s)", view);
    } else {
        draft_add(draft, &call, "bl_array_layout(%s, &%s)", text ? text : "", layout);
        add_status(draft, argument, call ? call : "");
        free(call);
        call = NULL;
        how = strncmp(how, "reshape", 7) == 0 ? "view" : "broadcast_to";
        draft_add(draft, &call, "bl_layout_%s(&%s, %s, &%s)", how, layout, shape,
                  layout);
        add_status(draft, argument, call ? call : "");
        add_member(draft, &members, argument, "dtype");
        draft_add(draft, &members, ", ");
        add_member(draft, &members, argument, "data");
        draft_before(draft, "if (%s == BL_OK)", draft->status);
        draft_before(draft, "    %s = bl_layout_array(&%s, %s);", view, layout,
                     members ? members : "");
        draft_replace(draft, argument, "&%s", view);
    }
    free(call);
    free(members);
    free(text);
}

/* Make views of some operands, of a shape that is a text, "RANK, EXTENTS". */
static void make_views(struct draft *draft, const bool chosen[FIX_OPERANDS],
                       const char *how, const char *shape)
{
    char view[FIX_OPERANDS][FIX_NAME], layout[FIX_OPERANDS][FIX_NAME];

    for (int k = 0; k < draft->operands; k++)
        if (chosen[k])
            declare_view(draft, draft->argument[k], view[k], layout[k]);
    for (int k = 0; k < draft->operands; k++)
        if (chosen[k])
            make_view(draft, draft->argument[k], view[k], layout[k], how, shape);
}

/* ---- fixes ---- */

static bool write_as_it_was(struct draft *draft)
{
    const int self = draft->argument[draft->self];
    bool chosen[FIX_OPERANDS] = {false};
    char *shape = NULL, *how = NULL, *ctx;
    struct c_call view, of_self;
    int others = 0;

    for (int k = 0; k < draft->operands; k++) {
        chosen[k] = k != draft->self && draft->differs[k];
        if (chosen[k] && is_view(draft, self, &of_self) &&
            is_view(draft, draft->argument[k], &view)) {
            view_as(draft, draft->argument[k], &view, &of_self);
            chosen[k] = false;
        }
        others += chosen[k];
    }
    if (others == 0)
        return true;
    if (!draft_is_pure(draft, 0))
        return draft_refuse(draft, "its context has side effects");
    draft_keep(draft, self, "const bl_array *");
    add_member(draft, &shape, self, "rank");
    draft_add(draft, &shape, ", ");
    add_member(draft, &shape, self, "extent");
    ctx = draft_text(draft, 0);
    draft_add(draft, &how, "reshape(%s, ", ctx ? ctx : "");
    make_views(draft, chosen, how ? how : "", shape ? shape : "");
    free(ctx);
    free(how);
    free(shape);
    return true;
}

static bool write_broadcast(struct draft *draft)
{
    const bool all[FIX_OPERANDS] = {true, true, true};
    char rank[FIX_NAME], extent[FIX_NAME], shapes[FIX_NAME];
    char *list = NULL, *call = NULL, *shape = NULL;

    draft_name(draft, draft->argument[0], "rank", rank);
    draft_name(draft, draft->argument[0], "extent", extent);
    draft_name(draft, draft->argument[0], "shapes", shapes);
    for (int k = 0; k < draft->operands; k++) {
        draft_keep(draft, draft->argument[k], "const bl_array *");
        draft_add(draft, &list, "%s{", k > 0 ? ", " : "");
        add_member(draft, &list, draft->argument[k], "rank");
        draft_add(draft, &list, ", ");
        add_member(draft, &list, draft->argument[k], "extent");
        draft_add(draft, &list, "}");
    }
    draft_before(draft, "int32_t %s;", rank);
    draft_before(draft, "int64_t %s[BL_MAX_RANK];", extent);
    draft_before(draft, "const bl_shape %s[] = {%s};", shapes, list ? list : "");
    draft_add(draft, &call, "bl_broadcast_shapes(%d, %s, &%s, %s)", draft->operands,
              shapes, rank, extent);
    add_status(draft, draft->argument[0], call ? call : "");
    draft_add(draft, &shape, "%s, %s", rank, extent);
    make_views(draft, all, "broadcast_to(", shape ? shape : "");
    free(list);
    free(call);
    free(shape);
    return true;
}

static bool write(struct draft *draft)
{
    strcpy(draft->value_type, "bl_status");
    return draft->choice == FIX_AS_IT_WAS ? write_as_it_was(draft)
                                          : write_broadcast(draft);
}

const struct fix_form fix_form_bl = {find, write};
