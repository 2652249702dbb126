/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refuses calls whose operands do not pair, and reports those that would give another
 * result today: the function, the shapes, and the line of the call.
 */
#include <broadloom/warnings.h>

#include "core.h"

enum { OPERANDS_MAX = 3, NAME_MAX_LENGTH = 16 };

/* ---- calls that would broadcast ---- */

/* As th_check(); the error is at the line of the call, where that is known. */
static bool check_at(const struct th_place *place, bl_status status)
{
    if (status == BL_OK || !place->file)
        return th_check(status);
    _THError(place->file, place->line, "%s", bl_error_message());
    return false;
}

/*
 * Report a call of these operands; an error, and false, where a filter makes one of its
 * warnings.
 */
static bool report(const char *function, const struct th_place *place, bl_mode mode,
                   int count, const bl_rules_operand *operands)
{
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = mode,
                                  .axis = BL_AXIS_LAST,
                                  .count = count,
                                  .operand = operands,
                                  .function = function,
                                  .is_call = true};

    return check_at(place, bl_warnings_raise_pointwise(&query, place->file, place->line,
                                                       place->address));
}

void THKeepdimDefault_(const char *function, const void *address)
{
    const struct th_place place = th_take_place((struct th_call){function, address});
    bl_status status = BL_OK;

    if (bl_backcompat_keepdim_warning_enabled()) {
        bl_call_site_enter(place.file, place.line);
        status =
            bl_call_site_leave(bl_backcompat_keepdim_default(function, place.address));
    }
    check_at(&place, status);
}

/* ---- calls of library functions ---- */

/* Copy word k of a list of words separated by spaces, cut to `size` bytes. */
static void take_word(const char *words, int k, char *out, size_t size)
{
    for (; k > 0 && *words; words++)
        k -= *words == ' ';
    snprintf(out, size, "%.*s", (int)strcspn(words, " "), words);
}

static int count_words(const char *words)
{
    int count = 1;

    for (; *words; words++)
        count += *words == ' ';
    return count;
}

/*
 * Raise the error of operands whose numel differs, by their names.  Where there is one
 * name more than operands, the first names the result, which has the first one's shape.
 */
static void refuse(const char *names, int count, const bl_array *const *operands)
{
    const int words = count_words(names);
    char name[OPERANDS_MAX][NAME_MAX_LENGTH];
    const long *extent[OPERANDS_MAX];
    int rank[OPERANDS_MAX];

    for (int k = 0; k < words; k++) {
        const bl_array *const array =
            operands[k < words - count ? 0 : k - words + count];

        take_word(names, k, name[k], sizeof name[k]);
        rank[k] = th_count(array) == 0 ? 0 : array->rank;
        extent[k] = (const long *)array->extent;
    }
    if (words == 2)
        THApplyMismatch_(__FILE__, __LINE__, 2, name[0], rank[0], extent[0], name[1],
                         rank[1], extent[1]);
    else
        THApplyMismatch_(__FILE__, __LINE__, 3, name[0], rank[0], extent[0], name[1],
                         rank[1], extent[1], name[2], rank[2], extent[2]);
}

/* Report a call of arrays, of which the second of the "masked" functions is a mask. */
static bool report_arrays(const char *function, const struct th_place *place,
                          bl_mode mode, int count, const bl_array *const *arrays)
{
    bl_rules_operand operands[OPERANDS_MAX];

    for (int k = 0; k < count; k++)
        operands[k] = (bl_rules_operand){
            {arrays[k]->rank, arrays[k]->extent}, BL_ROLE_PAIRED, NULL};
    if (function[0] == 'm' && strncmp(function, "masked", 6) == 0)
        operands[1].role = BL_ROLE_MASK;
    return report(function, place, mode, count, operands);
}

/* Whether all operands have the same shape. */
static bool has_equal_shapes(int count, const bl_array *const *operands)
{
    const bl_array *const first = operands[0];

    for (int k = 1; k < count; k++) {
        if (operands[k]->rank != first->rank)
            return false;
        for (int32_t d = 0; d < first->rank; d++)
            if (operands[k]->extent[d] != first->extent[d])
                return false;
    }
    return true;
}

bool th_admit(struct th_call call, const char *names, bool in_place, int count,
              const bl_array *const *operands)
{
    const struct th_place place = th_take_place(call);
    const int64_t elements = th_count(operands[0]);
    bool admitted = true;

    th_set_due(false);
    for (int k = 1; k < count; k++)
        admitted = admitted && th_count(operands[k]) == elements;
    if (!admitted)
        refuse(names, count, operands);
    else if (call.function && elements > 0 && !has_equal_shapes(count, operands) &&
             bl_backcompat_broadcast_warning_enabled()) {
        admitted =
            report_arrays(call.function, &place,
                          in_place ? BL_MODE_IN_PLACE : BL_MODE_NEW, count, operands);
        (void)th_context(); /* th_shadows() is known from here on */
        th_set_due(admitted);
    }
    return admitted;
}

/* ---- loops ---- */

void THApplyPair_(const char *file, int line, int count, ...)
{
    const struct th_place place = {file, line, file ? NULL : TH_CALLER_};
    bl_rules_operand operands[OPERANDS_MAX];
    va_list arguments;

    if (!bl_backcompat_broadcast_warning_enabled())
        return;
    va_start(arguments, count);
    for (int k = 0; k < count; k++) {
        bl_rules_operand *const operand = &operands[k];

        operand->role = BL_ROLE_PAIRED;
        operand->name = va_arg(arguments, const char *);
        operand->shape.rank = va_arg(arguments, int);
        operand->shape.extent = (const int64_t *)va_arg(arguments, const long *);
    }
    va_end(arguments);
    report(count == 2 ? "TH_TENSOR_APPLY2" : "TH_TENSOR_APPLY3", &place, BL_MODE_NEW,
           count, operands);
}
