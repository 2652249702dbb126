/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The answers of PyTorch of three eras, NumPy and PaddlePaddle, row by row of
 * golden.tsv: the library gives the same result, and for refusals and warnings the same
 * text if the row has one.
 */
#include <broadloom/warnings.h>

#include "harness/shapes.h"
#include "harness/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RULE,
    KIND,
    SHAPE_A,
    SHAPE_B,
    AXIS,
    EXPECTED,
    OP,
    MESSAGE,
    FLAG,
    WARNING,
    FIELDS
};

enum { WARNINGS_TEXT = 1024 };

/* The library's answer to a row: a status, and the result's shape as text. */
struct answer {
    bl_status status;
    char text[2 * SHAPE_TEXT + 16];
    char warning[64]; /* as the field of that name */
    char message[WARNINGS_TEXT];
};

static void answer_expand(char *const field[], struct answer *answer)
{
    const struct shape from = shape_read(field[SHAPE_A], NULL);
    const struct shape to = shape_read(field[SHAPE_B], NULL);
    bl_layout layout;
    char extents[SHAPE_TEXT], strides[SHAPE_TEXT];

    answer->status = bl_layout_compact(from.rank, from.extent, &layout);
    if (answer->status == BL_OK)
        answer->status = bl_layout_expand(&layout, to.rank, to.extent, &layout);
    if (answer->status == BL_OK)
        snprintf(answer->text, sizeof answer->text, "%s strides %s",
                 shape_write(extents, layout.rank, layout.extent),
                 shape_write(strides, layout.rank, layout.stride));
}

static void answer_sum(char *const field[], struct answer *answer)
{
    const struct shape from = shape_read(field[SHAPE_A], NULL);
    const struct shape to = shape_read(field[SHAPE_B], NULL);
    char text[SHAPE_TEXT];

    answer->status = bl_sum_to_shape_check(shape_borrow(&from), shape_borrow(&to));
    snprintf(answer->text, sizeof answer->text, "%s",
             shape_write(text, to.rank, to.extent));
}

/* The rules of a row, named by its first word up to an @. */
static const bl_rules *rules_of(const char *rule)
{
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(rule, "@"), rule);
    return bl_rules_find(name);
}

/*
 * Read the row's operands, with the mask of masked_select first, as PyTorch expands it.
 */
static int32_t read_operands(char *const field[], struct shape *shape,
                             bl_rules_operand *operand)
{
    const bool is_masked = strncmp(field[OP], "masked_", 7) == 0;
    const bool mask_first = strcmp(field[OP], "masked_select") == 0;
    const char *rest = field[SHAPE_B];
    int32_t count = 0;

    shape[count++] = shape_read(field[SHAPE_A], NULL);
    do
        shape[count] = shape_read(rest, &rest);
    while (shape[count++].rank >= 0 && *rest++ == '|');
    for (int32_t k = 0; k < count; k++) {
        const int32_t from = mask_first ? count - 1 - k : k;

        operand[k] = (bl_rules_operand){.shape = shape_borrow(&shape[from])};
        if (is_masked && from > 0)
            operand[k].role = from == 1 ? BL_ROLE_MASK : BL_ROLE_SOURCE;
    }
    return count;
}

/* List ids and texts of the warnings in the format of a row. */
static void list_warnings(const bl_rules_query *query, const bl_rules_answer *found,
                          struct answer *answer)
{
    char text[WARNINGS_TEXT / 2];

    for (int32_t i = 0; i < found->events; i++) {
        const bl_rules_event *const event = &found->event[i];
        const size_t id = strlen(answer->warning), at = strlen(answer->message);

        bl_change_text(query, event, text, sizeof text);
        snprintf(answer->warning + id, sizeof answer->warning - id, "%s%s",
                 i > 0 ? "+" : "", bl_change_id(query, event));
        snprintf(answer->message + at, sizeof answer->message - at, "%s%s",
                 i > 0 ? " || " : "", text);
    }
}

static void answer_rules(char *const field[], struct answer *answer)
{
    const bl_rules *const rules = rules_of(field[RULE]);
    struct shape shape[BL_MAX_INPUTS];
    bl_rules_operand operand[BL_MAX_INPUTS];
    bl_rules_answer found;
    bl_rules_query query = {
        .size = sizeof query,
        .mode = strcmp(field[KIND], "inplace") == 0 ? BL_MODE_IN_PLACE : BL_MODE_NEW,
        .axis = strcmp(field[AXIS], "-") == 0 ? BL_AXIS_LAST : atoi(field[AXIS]),
        .count = read_operands(field, shape, operand),
        .operand = operand,
        .function = field[OP]};
    char text[SHAPE_TEXT];

    answer->status = bl_rules_resolve(rules, &query, &found);
    if (answer->status != BL_OK)
        return;
    if (strcmp(field[FLAG], "1") == 0 && found.events == 0)
        found.events = bl_change_find(&query, &found, BL_PREDICATE_EXACT, found.event);
    list_warnings(&query, &found, answer);
    snprintf(answer->text, sizeof answer->text, "%s",
             shape_write(text, found.rank, found.extent));
}

/*
 * Whether the shape is the row's; undefined rows accept what pairing of the operands
 * gives.
 */
static bool is_expected(char *const field[], const char *text)
{
    return strcmp(text, field[EXPECTED]) == 0 ||
           strcmp(field[EXPECTED], "scalar") == 0 ||
           strcmp(field[OP], "masked_select") == 0;
}

static bool answers(char *const field[], const struct answer *answer)
{
    const bool has_text = strcmp(field[MESSAGE], "-") != 0;
    const char *const warning = answer->warning[0] ? answer->warning : "NONE";

    /* Undefined upstream; the first operand's shape is what older releases gave. */
    if (strcmp(field[EXPECTED], "E_PD_UB") == 0 ||
        strcmp(field[EXPECTED], "E_PD_ZERODIM") == 0)
        return answer->status == BL_ERR_SHAPE ||
               strcmp(answer->text, field[SHAPE_A]) == 0;
    if (field[EXPECTED][0] == 'E')
        return answer->status == BL_ERR_SHAPE &&
               (!has_text || strcmp(field[MESSAGE], bl_error_message()) == 0);
    if (answer->status != BL_OK || !is_expected(field, answer->text))
        return false;
    if (strcmp(field[WARNING], "-") == 0)
        return true;
    return strcmp(field[WARNING], warning) == 0 &&
           strcmp(has_text ? field[MESSAGE] : "", answer->message) == 0;
}

static void check_row(char *const field[])
{
    struct answer answer = {.status = BL_OK};

    if (strcmp(field[KIND], "view") == 0)
        answer_expand(field, &answer);
    else if (strcmp(field[OP], "sum_to_size") == 0)
        answer_sum(field, &answer);
    else
        answer_rules(field, &answer);
    if (!tap_ok(answers(field, &answer), "%s %s %s: %s with %s, axis %s, flag %s",
                field[RULE], field[KIND], field[OP], field[SHAPE_A], field[SHAPE_B],
                field[AXIS], field[FLAG]))
        tap_note("expected %s %s: %s\ngot %s %s: %s", field[EXPECTED], field[WARNING],
                 field[MESSAGE],
                 answer.status == BL_OK ? answer.text : bl_status_string(answer.status),
                 answer.warning,
                 answer.status == BL_OK ? answer.message : bl_error_message());
}

/* Cut a line at its tabs; false where it has another number of fields. */
static bool split(char *line, char *field[])
{
    int fields = 0;

    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at != NULL && fields < FIELDS; fields++) {
        field[fields] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    return fields == FIELDS;
}

int main(void)
{
    const char *folder = getenv("srcdir");
    char path[4096], line[1024];
    char *field[FIELDS];
    int rows = 0;

    tap_plan();
    snprintf(path, sizeof path, "%s/tests/shape/golden.tsv", folder ? folder : ".");

    FILE *file = fopen(path, "r");

    if (file == NULL) {
        tap_ok(false, "%s can be read", path);
        return tap_done();
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        rows++;
        if (split(line, field))
            check_row(field);
        else
            tap_ok(false, "a row has %d fields: %s", FIELDS, line);
    }
    fclose(file);
    tap_ok(rows > 1000, "there are more than 1000 rows");
    return tap_done();
}
