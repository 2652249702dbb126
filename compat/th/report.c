/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls are refused for, and what the library is told of those that would give
 * another result today: which function, with which shapes, from which line.
 */
#include "core.h"

enum { OPERANDS_MAX = 3, NAME_MAX_LENGTH = 16 };

/* ---- the place of the call ---- */

static _Thread_local struct {
    const char *file;
    int line;
} site;

void THCallSite(const char *file, int line)
{
    site.file = file;
    site.line = line;
}

/* ---- calls that would broadcast ---- */

/* An error, and false, where a filter makes one of the warning. */
static bool report(const char *function, bool in_place, int count,
                   const bl_rules_operand *operands)
{
    const bl_rules_query query = {.size = sizeof query,
                                  .mode = in_place ? BL_MODE_IN_PLACE : BL_MODE_NEW,
                                  .axis = BL_AXIS_LAST,
                                  .count = count,
                                  .operand = operands,
                                  .function = function,
                                  .is_call = true};

    return th_check(bl_warnings_raise_paired(&query, site.file, site.line));
}

/* The same of a library function's call, unless it is counted as one of before. */
static bool report_call(const char *function, bool in_place, int count,
                        const bl_array *const *operands)
{
    const bl_mode mode = in_place ? BL_MODE_IN_PLACE : BL_MODE_NEW;
    bl_rules_operand shown[OPERANDS_MAX];

    if (bl_warnings_repeat_paired(function, mode, count, operands, site.file,
                                  site.line))
        return true;
    for (int k = 0; k < count; k++)
        shown[k] = (bl_rules_operand){{operands[k]->rank, operands[k]->extent},
                                      k == 1 && strncmp(function, "masked", 6) == 0
                                          ? BL_ROLE_MASK
                                          : BL_ROLE_PAIRED,
                                      NULL};
    return report(function, in_place, count, shown);
}

void THKeepdimDefault_(const char *function)
{
    bl_status status = BL_OK;

    if (bl_backcompat_keepdim_warning_enabled()) {
        bl_call_site_enter(site.file, site.line);
        status = bl_call_site_leave(bl_backcompat_keepdim_default(function));
    }
    site.file = NULL;
    th_check(status);
}

/* ---- calls of library functions ---- */

/* Copy word `k` of a list of them. */
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

/* Refuse operands; of as many names and one more the first is a result like the first.
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

bool th_admit(const char *function, const char *names, bool in_place, int count,
              const bl_array *const *operands)
{
    const int64_t elements = th_count(operands[0]);
    bool admitted = true;

    for (int k = 1; k < count; k++)
        admitted = admitted && th_count(operands[k]) == elements;
    if (!admitted)
        refuse(names, count, operands);
    else if (function && elements > 0 && !has_equal_shapes(count, operands) &&
             bl_backcompat_broadcast_warning_enabled())
        admitted = report_call(function, in_place, count, operands);
    site.file = NULL;
    return admitted;
}

/* ---- loops ---- */

void THApplyPair_(const char *file, int line, int count, ...)
{
    bl_rules_operand operands[OPERANDS_MAX] = {{{0, NULL}, BL_ROLE_PAIRED, NULL}};
    va_list arguments;

    if (!bl_backcompat_broadcast_warning_enabled())
        return;
    va_start(arguments, count);
    for (int k = 0; k < count; k++) {
        operands[k].name = va_arg(arguments, const char *);
        operands[k].shape.rank = va_arg(arguments, int);
        operands[k].shape.extent = (const int64_t *)va_arg(arguments, const long *);
    }
    va_end(arguments);
    THCallSite(file, line);
    report(count == 2 ? "map" : "map2", false, count, operands);
    site.file = NULL;
}
