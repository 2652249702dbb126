/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules: what modern, strict and paddle refuse, with their messages, the checks that
 * apply to all rules, and user rules that return wrong answers.
 */
#include <broadloom/compat.h>

#include "harness/shapes.h"
#include "harness/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEW BL_MODE_NEW
#define OUT BL_MODE_OUT
#define IN  BL_MODE_IN_PLACE
#define END BL_AXIS_LAST

/* `want` begins with "(" for the result, else it is a part of the error message. */
struct row {
    const bl_rules *(*rules)(void); /* NULL: modern */
    int32_t mode;
    int32_t axis;
    uint32_t fixed;
    double max_growth;
    const char *shapes; /* operands; after "->" the existing result */
    bl_status status;
    const char *want;
};

static const struct row rows[] = {
    /* modern */
    {NULL, NEW, END, 0, 0, "(2,1)(1,3)(4,1,1)", BL_OK, "(4,2,3)"},
    {NULL, NEW, END, 0, 0, "(0)(1)", BL_OK, "(0)"},
    {NULL, NEW, END, 0, 0, "(2,3)(2,1)(4)", BL_ERR_SHAPE,
     "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
     "dimension 1"},
    {NULL, NEW, 0, 0, 0, "(2,3)(2)", BL_ERR_ARGUMENT, "modern rules align at the last"},
    {NULL, OUT, END, 0, 0, "(2,1)(3)->(2,3)", BL_OK, "(2,3)"},
    {NULL, OUT, END, 0, 0, "(2,1)(3)->(1,2,3)", BL_ERR_SHAPE,
     "output with shape [1, 2, 3] doesn't match the broadcast shape [2, 3]"},
    {NULL, OUT, END, 0, 0, "(3)(1)->()", BL_ERR_SHAPE,
     "output with shape [] doesn't match the broadcast shape [3]"},
    {NULL, OUT, END, 0, 0, "(2)(3)->(1)", BL_ERR_SHAPE, "The size of tensor a (2)"},
    {NULL, IN, END, 0, 0, "(2,3)(3)", BL_OK, "(2,3)"},
    {NULL, IN, END, 0, 0, "(1,3)(2,3)", BL_ERR_SHAPE,
     "output with shape [1, 3] doesn't match the broadcast shape [2, 3]"},
    {NULL, IN, END, 0, 0, "(4)(2,3)", BL_ERR_SHAPE, "The size of tensor a (4)"},
    {NULL, NEW, END, 0, 0, "(4611686018427387904,1)(2)", BL_ERR_OVERFLOW,
     "shape [4611686018427387904, 2]"},
    {NULL, NEW, END, 0, 0, "(4611686018427387904,1,0)(4,1)", BL_OK,
     "(4611686018427387904,4,0)"},
    {NULL, NEW, END, 0, 0, "(2)(-1)", BL_ERR_ARGUMENT, "b: extent -1 at dimension 0"},
    {NULL, OUT, END, 0, 0, "(2)(2)->(2,-3)", BL_ERR_ARGUMENT,
     "out: extent -3 at dimension 1"},
    {NULL, 3, END, 0, 0, "(2)(2)", BL_ERR_ARGUMENT, "unknown mode 3"},
    {NULL, OUT, END, 0, 0, "(2)(2)", BL_ERR_ARGUMENT, "result is null"},
    /* operands that must not be repeated */
    {NULL, NEW, END, 1, 0, "(2,3)(3)", BL_OK, "(2,3)"},
    {NULL, NEW, END, 2, 0, "(2,3)(3)", BL_ERR_RULES,
     "b must not be repeated, but shape [3] grows to [2, 3] at dimension 0"},
    {NULL, NEW, END, 3, 0, "(2,1)(2,3)", BL_ERR_RULES, "a must not be repeated"},
    {NULL, NEW, END, 2, 0, "(1,3)(3)", BL_OK, "(1,3)"},
    {NULL, NEW, END, 2, 0, "(0)(1)", BL_OK, "(0)"},
    {NULL, NEW, END, 4, 0, "(2)(2)", BL_ERR_ARGUMENT, "more than 2 operands"},
    {bl_rules_paddle, NEW, 0, 2, 0, "(2,3)(2)", BL_ERR_RULES, "at dimension 1"},
    /* limits on growth */
    {NULL, NEW, END, 0, 1, "(2,3)(3)", BL_OK, "(2,3)"},
    {NULL, NEW, END, 0, 10, "(10,1)(10)", BL_OK, "(10,10)"},
    {NULL, NEW, END, 0, 9.5, "(10,1)(10)", BL_ERR_RULES,
     "result [10, 10] has 100 elements, 10 times the largest operand's 10; the limit "
     "is "
     "9.5"},
    {NULL, NEW, END, 0, 1, "(0,1)(3)", BL_OK, "(0,3)"},
    {NULL, NEW, END, 0, -1, "(2)(2)", BL_ERR_ARGUMENT, "max_growth -1"},
    {NULL, NEW, END, 0, NAN, "(2)(2)", BL_ERR_ARGUMENT, "max_growth"},
    /* strict */
    {bl_rules_strict, NEW, END, 0, 0, "(2,3)(2,1)", BL_OK, "(2,3)"},
    {bl_rules_strict, NEW, END, 0, 0, "(2,3)()", BL_OK, "(2,3)"},
    {bl_rules_strict, NEW, END, 0, 0, "()()", BL_OK, "()"},
    {bl_rules_strict, NEW, END, 0, 0, "(3)(2,3)", BL_ERR_RULES,
     "number of dimensions: a [3], b [2, 3]"},
    {bl_rules_strict, NEW, END, 0, 0, "(2,3)()(3)", BL_ERR_RULES,
     "number of dimensions: a [2, 3], c [3]"},
    {bl_rules_strict, NEW, END, 0, 0, "(2,1)(1,3)", BL_ERR_RULES,
     "result [2, 3] has 6 elements, more than the largest operand's 3"},
    {bl_rules_strict, NEW, END, 0, 2, "(2,1)(1,3)", BL_OK, "(2,3)"},
    {bl_rules_strict, NEW, END, 0, 1.5, "(2,1)(1,3)", BL_ERR_RULES, "limit is 1.5"},
    {bl_rules_strict, NEW, END, 0, 0, "(2,3)(2)", BL_ERR_SHAPE, "The size of tensor"},
    {bl_rules_strict, NEW, END, 0, 0, "(0,1)(1,3)", BL_OK, "(0,3)"},
    /* paddle */
    {bl_rules_paddle, NEW, 1, 0, 0, "(2,3,4,5)(3,1)", BL_OK, "(2,3,4,5)"},
    {bl_rules_paddle, NEW, 3, 0, 0, "(2,3,4,5)(5,1)", BL_OK, "(2,3,4,5)"},
    {bl_rules_paddle, NEW, 2, 0, 0, "(2,3,4,5)(1,1,1,1)", BL_OK, "(2,3,4,5)"},
    {bl_rules_paddle, NEW, 1, 0, 0, "(2,1)(2,3)", BL_ERR_SHAPE, "Axis 1 leaves no"},
    {bl_rules_paddle, NEW, 2, 0, 0, "(4,1)(2,3,4)", BL_ERR_SHAPE, "Axis 2 leaves no"},
    {bl_rules_paddle, NEW, 0, 0, 0, "(2,1)(2,3,4)", BL_OK, "(2,3,4)"},
    {bl_rules_paddle, NEW, 0, 0, 0, "(2)(2,1)", BL_OK, "(2,1)"},
    {bl_rules_paddle, NEW, 9, 0, 0, "(2,3)(2,3)", BL_OK, "(2,3)"},
    {bl_rules_paddle, NEW, -2, 0, 0, "(2,3,4)(3)", BL_ERR_SHAPE,
     "Axis should be great than or equal to 0, but received axis is -2."},
    {bl_rules_paddle, NEW, -3, 0, 0, "(2,3,4)(3)", BL_ERR_SHAPE,
     "Received [2] in X is not equal to [3] in Y at i:0."},
    {bl_rules_paddle, NEW, -2, 0, 0, "(2,1)(2,3)", BL_ERR_SHAPE,
     "Axis should be great than or equal to 0, but received axis is -1."},
    {bl_rules_paddle, NEW, END, 0, 0, "()(2,3)", BL_ERR_SHAPE,
     "Axis should be less than 2, but received axis is 2."},
    {bl_rules_paddle, NEW, END, 0, 0, "(0)(1)", BL_OK, "(0)"},
    {bl_rules_paddle, NEW, END, 0, 0, "(1)(0)", BL_ERR_SHAPE, "mismatch"},
    {bl_rules_paddle, NEW, END, 0, 0, "(0,3)(3)", BL_OK, "(0,3)"},
    {bl_rules_paddle, NEW, END, 0, 0, "(3)(0,3)", BL_ERR_SHAPE, "mismatch"},
    {bl_rules_paddle, NEW, END, 0, 0, "(1,0)(2,0)", BL_ERR_SHAPE, "extent of 0"},
    {bl_rules_paddle, IN, END, 0, 0, "(3,4)(2,3,4)", BL_ERR_SHAPE,
     "The shape of broadcast output [2, 3, 4] is different from that of inplace tensor "
     "[3, 4] in the Inplace operation."},
    {bl_rules_paddle, NEW, END, 0, 0, "(2)(2)(2)", BL_ERR_RULES, "at most two"},
    {bl_rules_paddle, NEW, END, 0, 0, "(2,5)", BL_OK, "(2,5)"},
};

static void check_row(const struct row *row)
{
    struct shape shape[BL_MAX_INPUTS + 1];
    bl_rules_operand operand[BL_MAX_INPUTS];
    bl_shape result;
    bl_rules_answer answer = {.rank = -9};
    bl_rules_query query = {.size = sizeof query,
                            .mode = row->mode,
                            .axis = row->axis,
                            .fixed = row->fixed,
                            .max_growth = row->max_growth,
                            .operand = operand};
    const char *rest = row->shapes;
    char text[SHAPE_TEXT] = "";

    for (; *rest == '('; query.count++) {
        shape[query.count] = shape_read(rest, &rest);
        operand[query.count] =
            (bl_rules_operand){.shape = shape_borrow(&shape[query.count])};
    }
    if (*rest == '-') {
        shape[BL_MAX_INPUTS] = shape_read(rest + 2, NULL);
        result = shape_borrow(&shape[BL_MAX_INPUTS]);
        query.result = &result;
    }

    const bl_status status =
        bl_rules_resolve(row->rules ? row->rules() : NULL, &query, &answer);

    if (status == BL_OK)
        shape_write(text, answer.rank, answer.extent);
    if (!tap_ok(status == row->status &&
                    (status == BL_OK
                         ? strcmp(text, row->want) == 0 && answer.events == 0
                         : answer.rank == -9 &&
                               strstr(bl_error_message(), row->want) != NULL),
                "%s, mode %d, axis %d, fixed %u, growth %g: %s",
                row->rules ? row->rules()->name : "modern", (int)row->mode,
                (int)row->axis, (unsigned)row->fixed, row->max_growth, row->shapes))
        tap_note("expected: %s\ngot: %s", row->want,
                 status == BL_OK ? text : bl_error_message());
}

static void check_pairings(void)
{
    static const int64_t matrix[2] = {2, 3};
    const bl_rules_operand operand[3] = {
        {{2, matrix}, BL_ROLE_PAIRED, "self"},
        {{1, matrix + 1}, BL_ROLE_MASK, "mask"},
        {{1, (const int64_t[]){5}}, BL_ROLE_SOURCE, "source"},
    };
    bl_rules_query query = {
        .size = sizeof query, .axis = END, .count = 3, .operand = operand};
    bl_rules_answer answer;

    tap_ok(bl_rules_resolve(NULL, &query, &answer) == BL_OK && answer.rank == 2 &&
               answer.pairing[0].kind == BL_PAIRING_BROADCAST &&
               answer.pairing[0].shift == 0 &&
               answer.pairing[1].kind == BL_PAIRING_BROADCAST &&
               answer.pairing[1].shift == 1 &&
               answer.pairing[2].kind == BL_PAIRING_NONE,
           "a mask is paired and a source is not");
    query.fixed = 2;
    tap_ok(bl_rules_resolve(NULL, &query, &answer) == BL_ERR_RULES &&
               strncmp(bl_error_message(), "mask must not", 13) == 0,
           "operands go by the names they came with");

    const bl_rules_operand placed[2] = {{{2, matrix}, BL_ROLE_PAIRED, NULL},
                                        {{1, matrix}, BL_ROLE_PAIRED, NULL}};

    query.fixed = 0;
    query.axis = 0;
    query.count = 2;
    query.operand = placed;
    tap_ok(bl_rules_resolve(bl_rules_paddle(), &query, &answer) == BL_OK &&
               answer.pairing[0].shift == 0 && answer.pairing[1].shift == 0,
           "paddle: axis 0 lies along the first dimension");
    query.size = sizeof query - 1;
    tap_ok(bl_rules_resolve(NULL, &query, &answer) == BL_ERR_ARGUMENT,
           "a query of an older size is refused");
}

/* User rules that return, for (2,3) and (3), the answer that `user` points to. */
static bl_status resolve_given(const bl_rules *rules, const bl_rules_query *query,
                               bl_rules_answer *answer)
{
    const bl_rules_answer *given = rules->user;

    (void)query;
    if (given != NULL)
        *answer = *given;
    return BL_OK;
}

static void check_foreign_rules(void)
{
    enum { FLAT = BL_PAIRING_LINEAR };
    static struct {
        const char *what;
        bl_rules_answer answer;
        bool is_right;
    } given[] = {
        {"right", {.rank = 2, .extent = {2, 3}, .pairing = {{0, 0}, {0, 1}}}, true},
        {"shifted", {.rank = 2, .extent = {2, 3}, .pairing = {{0, 0}, {0, 0}}}, false},
        {"outside",
         {.rank = 2, .extent = {2, 3, 3}, .pairing = {{0, 0}, {0, 2}}},
         false},
        {"far",
         {.rank = 2, .extent = {2, 3}, .pairing = {{0, 0}, {0, INT32_MAX}}},
         false},
        {"too small", {.rank = 1, .extent = {3}, .pairing = {{0, -1}, {0, 0}}}, false},
        {"negative", {.rank = 1, .extent = {-3}, .pairing = {{0, 0}, {0, 0}}}, false},
        {"rank 65", {.rank = 65, .pairing = {{0, 0}, {0, 0}}}, false},
        {"flat", {.rank = 1, .extent = {6}, .pairing = {{FLAT, 0}, {FLAT, 0}}}, false},
        {"unpaired", {.rank = 1, .extent = {3}, .pairing = {{2, 0}, {0, 0}}}, false},
        {"kind 3", {.rank = 2, .extent = {2, 3}, .pairing = {{0, 0}, {3, 0}}}, false},
        {"3 events",
         {.rank = 2, .extent = {2, 3}, .pairing = {{0, 0}, {0, 1}}, .events = 3},
         false},
        {"event of nobody",
         {.rank = 2,
          .extent = {2, 3},
          .pairing = {{0, 0}, {0, 1}},
          .events = 1,
          .event = {{1, 0, 2}}},
         false},
        {"event of no kind",
         {.rank = 2,
          .extent = {2, 3},
          .pairing = {{0, 0}, {0, 1}},
          .events = 1,
          .event = {{BL_CHANGE_SHAPE + 1, 0, 1}}},
         false},
    };
    static const int64_t extent[2] = {2, 3};
    const bl_rules_operand operand[2] = {{{2, extent}, 0, NULL},
                                         {{1, extent + 1}, 0, NULL}};
    const bl_rules_query query = {
        .size = sizeof query, .axis = END, .count = 2, .operand = operand};
    bl_rules rules = {.size = sizeof rules, .name = "given", .resolve = resolve_given};
    bl_rules_answer answer;

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        rules.user = &given[i].answer;
        tap_ok(bl_rules_resolve(&rules, &query, &answer) ==
                   (given[i].is_right ? BL_OK : BL_ERR_ARGUMENT),
               "rules that answer: %s", given[i].what);
    }
    rules.user = NULL;
    tap_ok(bl_rules_resolve(&rules, &query, &answer) == BL_ERR_ARGUMENT,
           "rules that answer nothing");
    rules.size = 0;
    tap_ok(bl_rules_resolve(&rules, &query, &answer) == BL_ERR_ARGUMENT,
           "rules of no size");
}

int main(void)
{
    tap_plan();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    check_pairings();
    check_foreign_rules();
    return tap_done();
}
