/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derives suggestions from the shapes: an operand is changed by unsqueeze or squeeze
 * where only dimensions of extent 1 differ, by reshape where numel is the same, else by
 * expand.
 */
#include "suggestions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

BL_PRINTF(2, 3) static void add(char text[SUGGESTION_SIZE], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, SUGGESTION_SIZE - used, format, arguments);
    va_end(arguments);
}

bool suggestion_read(const char *text, struct paired *call)
{
    call->count = 0;
    while (*text == '(') {
        struct shape *const shape = &call->operand[call->count];

        if (call->count == PAIRED_MOST)
            return false;
        text++;
        if (list_parse(&text, ')', false, &shape->rank, shape->extent) != BL_OK)
            return false;
        call->count++;
        text += strspn(text, " ");
    }
    if (call->count < 2 || strncmp(text, "-> (", 4) != 0)
        return false;
    text += 4;
    return list_parse(&text, ')', false, &call->result.rank, call->result.extent) ==
           BL_OK;
}

bool shape_is_same(const struct shape *a, const struct shape *b)
{
    return a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof a->extent[0]) == 0;
}

static double elements_of(const struct shape *shape)
{
    double elements = 1.0;

    for (int32_t d = 0; d < shape->rank; d++)
        elements *= (double)shape->extent[d];
    return elements;
}

/*
 * Find the dimensions of extent 1 that `longer` has in addition to `shorter`: bit d
 * set.  False where the shapes differ otherwise.
 */
static bool find_ones(const struct shape *shorter, const struct shape *longer,
                      uint64_t *ones)
{
    int32_t at = 0;

    *ones = 0;
    for (int32_t d = 0; d < longer->rank; d++)
        if (at < shorter->rank && shorter->extent[at] == longer->extent[d])
            at++;
        else if (longer->extent[d] == 1)
            *ones |= UINT64_C(1) << d;
        else
            return false;
    return at == shorter->rank;
}

/* Append how `from` becomes `to`: ".unsqueeze(1)". */
static void add_change(char text[SUGGESTION_SIZE], const struct shape *from,
                       const struct shape *to)
{
    char extents[SHAPE_TEXT];
    uint64_t ones;

    if (find_ones(from, to, &ones))
        for (int32_t d = 0; d < to->rank; d++) {
            if (ones >> d & 1)
                add(text, ".unsqueeze(%" PRId32 ")", d);
        }
    else if (find_ones(to, from, &ones))
        for (int32_t d = from->rank - 1; d >= 0; d--) {
            if (ones >> d & 1)
                add(text, ".squeeze(%" PRId32 ")", d);
        }
    else
        add(text, ".%s%s", elements_of(from) == elements_of(to) ? "reshape" : "expand",
            shape_text(to, extents, sizeof extents));
}

/* Append the changes of all operands that do not have the shape `to` yet. */
static void add_changes(char text[SUGGESTION_SIZE], const struct paired *call,
                        const struct shape *to)
{
    for (int k = 0; k < call->count; k++)
        if (!shape_is_same(&call->operand[k], to)) {
            add(text, "%soperand %d", text[0] != '\0' ? ", " : "", k + 1);
            add_change(text, &call->operand[k], to);
        }
}

void suggestion_find(const struct finding *finding, struct suggestion *suggestion)
{
    struct paired call;
    int self;

    *suggestion = (struct suggestion){.keep = ""};
    if (finding->risk == RISK_KEEPDIM) {
        add(suggestion->keep, "%s with keepdim = 1", finding->function);
        add(suggestion->broadcast, "%s with keepdim = 0", finding->function);
        return;
    }
    if (finding->risk == RISK_NONE || !suggestion_read(finding->shapes, &call))
        return;
    self = strcmp(finding->function, "where") == 0;
    add_changes(suggestion->keep, &call, &call.operand[self]);
    if (finding->risk != RISK_FALLBACK)
        add_changes(suggestion->broadcast, &call, &call.result);
}

/* Find the suggestion for calls of these shapes. */
static void find_for(const struct finding *finding, char *shapes,
                     struct suggestion *suggestion)
{
    struct finding kind = *finding;

    kind.shapes = shapes;
    suggestion_find(&kind, suggestion);
}

/* Whether the suggestion equals that of the worst call or of a kind before `end`. */
static bool is_given(const struct finding *finding, const char *end,
                     const struct suggestion *suggestion)
{
    const char *at = finding->kinds;
    char shapes[KIND_SIZE];
    struct suggestion found;

    suggestion_find(finding, &found);
    while (strcmp(found.keep, suggestion->keep) != 0) {
        if (at == end || !kinds_next(&at, shapes))
            return false;
        find_for(finding, shapes, &found);
    }
    return true;
}

bool suggestion_next(const struct finding *finding, const char **at,
                     char shapes[KIND_SIZE], struct suggestion *suggestion)
{
    const char *before = *at;

    while (kinds_next(at, shapes)) {
        find_for(finding, shapes, suggestion);
        if (!is_given(finding, before, suggestion))
            return true;
        before = *at;
    }
    return false;
}
