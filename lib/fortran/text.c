/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's errors in Fortran's words: dimensions count from 1 and from the other
 * end, shapes are reversed, types have Fortran's names.  And those of the glue.
 *
 *   bl_add: a has extent 514 and b extent 512 along dimension 1: a(514,514), b(512)
 */
#include "fortran/glue.h"

#include <broadloom/error.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bl_status blf_refuse(struct blf_call *call, bl_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(call->text, sizeof call->text, format, arguments);
    va_end(arguments);
    return status;
}

struct writer {
    char *at;
    size_t left;
};

BL_PRINTF(2, 3)
static void add(struct writer *writer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);

    const int length = vsnprintf(writer->at, writer->left, format, arguments);
    const size_t used = length < 0                      ? 0
                        : (size_t)length < writer->left ? (size_t)length
                                                        : writer->left - 1;
    va_end(arguments);
    writer->at += used;
    writer->left -= used;
}

/*
 * The operand of a name; of another one, as "in" and "out" of some C functions, it is
 * the first, but of an expression, whose parts have names, none.
 */
static const struct blf_operand *find(const struct blf_call *call, const char *name)
{
    for (int k = 0; k < call->count; k++)
        if (strcmp(call->operand[k].name, name) == 0)
            return &call->operand[k];
    return call->is_expression ? NULL : &call->operand[0];
}

/* What an operand is called in Fortran. */
static const char *name_of(const struct blf_call *call, const char *name)
{
    const struct blf_operand *const operand = find(call, name);

    return operand ? operand->name : name;
}

/*
 * The result that the plan of an expression refuses, NULL if it is another fault.  The
 * library calls every one "out", and tells its node and its array.
 */
static const struct blf_operand *find_result(const struct blf_call *call,
                                             const bl_error_info *info)
{
    bl_expr_info expr = {.size = sizeof expr};

    if (!call->expr || info->op != BL_OP_NONE || info->reduction != BL_REDUCTION_NONE ||
        info->operand < 0 || bl_expr_query(call->expr, &expr) != BL_OK)
        return NULL;
    for (int k = 0; k < expr.outputs; k++) {
        const struct blf_operand *const result =
            &call->operand[call->count - expr.outputs + k];
        const bl_error_operand *const refused = &info->operands[info->operand];

        if (expr.output[k] == info->node && result->array.dtype == refused->dtype &&
            result->array.rank == refused->rank &&
            memcmp(result->extent, refused->extent,
                   (size_t)refused->rank * sizeof *result->extent) == 0)
            return result;
    }
    return NULL;
}

/* Extent of an operand along a dimension, from 1; beyond its own it is 1. */
static int64_t extent_at(const bl_error_operand *operand, int32_t dimension)
{
    return dimension <= operand->rank ? operand->extent[operand->rank - dimension] : 1;
}

/* Two operands that cannot be broadcast, at the first such dimension. */
static bool add_mismatch(struct writer *writer, const struct blf_call *call,
                         const bl_error_info *info)
{
    const bl_error_operand *const first = &info->operands[info->other];
    const bl_error_operand *const second = &info->operands[info->operand];

    for (int32_t d = 1; d <= first->rank && d <= second->rank; d++)
        if (extent_at(first, d) == info->other_extent &&
            extent_at(second, d) == info->extent) {
            add(writer, "%s has extent %lld and %s extent %lld along dimension %d",
                name_of(call, first->name), (long long)info->other_extent,
                name_of(call, second->name), (long long)info->extent, (int)d);
            return true;
        }
    return false;
}

static void add_shape_error(struct writer *writer, const struct blf_call *call,
                            const bl_error_info *info)
{
    const bl_error_operand *const operand =
        info->operand >= 0 ? &info->operands[info->operand] : NULL;
    const struct blf_operand *const result = find_result(call, info);
    const char *const name = result    ? result->name
                             : operand ? name_of(call, operand->name)
                                       : "";
    const bool has_result =
        result || info->op != BL_OP_NONE || info->reduction != BL_REDUCTION_NONE;

    if (operand && info->other >= 0 && add_mismatch(writer, call, info))
        return;
    if (operand && info->axis >= 0 && info->other < 0)
        add(writer, "%s has extent %lld along dimension %d, and the result %lld", name,
            (long long)info->extent, (int)(operand->rank - info->axis),
            (long long)info->other_extent);
    else if (operand && has_result)
        add(writer, "%s has another rank than the result", name);
    else
        add(writer, "%s", bl_error_message());
}

/* A message of the library's without its full stop. */
static void add_sentence(struct writer *writer, const char *text)
{
    const size_t length = strlen(text);

    add(writer, "%.*s", (int)(length - (length && text[length - 1] == '.')), text);
}

/* What an error of an expression is of: " of sqrt". */
static void add_operation(struct writer *writer, const bl_error_info *info)
{
    bl_op_info op = {.size = sizeof op};

    if (info->reduction != BL_REDUCTION_NONE)
        add(writer, " of %s", bl_reduction_name(info->reduction));
    else if (info->op != BL_OP_NONE && bl_op_query(info->op, &op) == BL_OK)
        add(writer, " of %s", op.name);
}

static void add_dtype_error(struct writer *writer, const struct blf_call *call,
                            const bl_error_info *info)
{
    const struct blf_operand *const result = find_result(call, info);
    const struct blf_operand *const operand =
        result               ? result
        : info->operand >= 0 ? find(call, info->operands[info->operand].name)
                             : NULL;
    char text[64];

    if (info->other_dtype == BL_DTYPE_NONE) {
        add(writer, "no result");
        if (call->is_expression)
            add_operation(writer, info);
        add(writer, " for %s", blf_dtype_name(info->dtype));
        return;
    }
    add(writer, "%s is %s and not %s",
        operand              ? operand->name
        : info->operand >= 0 ? info->operands[info->operand].name
                             : "one",
        operand ? blf_type_name(operand->actual, text, sizeof text)
                : blf_dtype_name(info->dtype),
        blf_dtype_name(info->other_dtype));
}

/*
 * Faults of dimensions that the glue has not found: the extrema of nothing, and in an
 * expression, where axes are negative, one that is not there.
 */
static bool add_dimension(struct writer *writer, const struct blf_call *call,
                          const bl_error_info *info)
{
    if (info->reduction == BL_REDUCTION_NONE || info->count == 0)
        return false;

    const bl_error_operand *const in = &info->operands[info->count - 1];
    const char *const name = name_of(call, in->name);
    const int rank = (int)in->rank, axis = (int)info->axis;
    const bool is_of_axes = strcmp(info->argument, "axes") == 0;
    const bool is_missing = is_of_axes && (axis < -1 || axis >= rank);

    if (is_missing)
        add(writer, "dim is %d, but %s has dimensions 1 to %d", -axis, name, rank);
    else if (axis >= 0)
        add(writer, "%s has extent 0 along dimension %d", name, rank - axis);
    else if (is_of_axes)
        add(writer, "%s has no elements", name);
    return is_missing || axis >= 0 || is_of_axes;
}

/*
 * Two results of an expression that overlap, which the library names "output 0" and so
 * on: they are the last operands, from "out" on.
 */
static bool add_overlap(struct writer *writer, const struct blf_call *call,
                        const bl_error_info *info)
{
    int out = 0, result[2];

    while (out < call->count && strcmp(call->operand[out].name, "out") != 0)
        out++;
    if (!call->is_expression || info->count != 2)
        return false;
    for (int k = 0; k < 2; k++)
        if (sscanf(info->operands[k].name, "output %d", &result[k]) != 1 ||
            result[k] < 0 || result[k] >= call->count - out)
            return false;
    add(writer, "%s and %s share memory", call->operand[out + result[0]].name,
        call->operand[out + result[1]].name);
    return true;
}

/* Why the library refused the call. */
static void add_reason(struct writer *writer, const struct blf_call *call,
                       bl_status status)
{
    bl_error_info info = {.size = sizeof info};

    if (bl_error_query(&info) != BL_OK || info.status != status)
        add(writer, "%s", bl_status_string(status));
    else if (status == BL_ERR_SHAPE)
        add_shape_error(writer, call, &info);
    else if (status == BL_ERR_DTYPE && info.dtype != BL_DTYPE_NONE)
        add_dtype_error(writer, call, &info);
    else if (status == BL_ERR_RULES)
        add(writer, "refused by the rules %s",
            bl_context_rules(blf_context_of(call))->name);
    else if (!(status == BL_ERR_ARGUMENT && add_dimension(writer, call, &info)) &&
             !(status == BL_ERR_OVERLAP && add_overlap(writer, call, &info)))
        add_sentence(writer, bl_error_message());
}

/* The operands as Fortran has them: "a(514,514), b(512)", with types if asked. */
static void add_operands(struct writer *writer, const struct blf_call *call,
                         bool with_types)
{
    char text[64];

    for (int k = 0; k < call->count; k++) {
        const blf_actual actual = call->operand[k].actual;

        add(writer, "%s", k ? ", " : ": ");
        if (with_types)
            add(writer, "%s ", blf_type_name(actual, text, sizeof text));
        add(writer, "%s", call->operand[k].name);
        for (int d = 0; d < actual->rank; d++)
            add(writer, "%s%lld%s", d ? "," : "(", (long long)actual->dim[d].extent,
                d == actual->rank - 1 ? ")" : "");
    }
}

void blf_translate(const struct blf_call *call, bl_status status, char *text,
                   size_t size)
{
    struct writer writer = {text, size};

    add(&writer, "%s: ", call->procedure);
    if (call->text[0] != '\0')
        add(&writer, "%s", call->text);
    else
        add_reason(&writer, call, status);
    add(&writer, "%s", call->place);
    add_operands(&writer, call, status == BL_ERR_DTYPE);
}
