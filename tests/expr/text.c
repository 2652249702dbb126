/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of expressions: values by precedence, calls, numbers, statements; and what
 * is refused, with status, message and position.
 */
#include <broadloom/describe.h>
#include <broadloom/expr.h>
#include <broadloom.h>

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tap.h"

static float x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {2, -2, 3};
static int8_t i[3] = {1, 2, -3};
static bool m[3] = {true, false, true};
static const char *const names[] = {"x", "y", "i", "m", "_long_name_1"};
enum { NAMES = 5 };

/* ---- values ---- */

static char shown[1000];

static bool append(void *user, const char *text, size_t length)
{
    (void)user;
    for (size_t k = 0; k < length; k++)
        if (text[k] != ' ' && text[k] != '\n' && strlen(shown) + 1 < sizeof shown)
            shown[strlen(shown)] = text[k];
    return true;
}

/* Evaluate a text: its outputs as "f32[1,2] bool[]true", or the refusal. */
static bl_status evaluate(const char *text, int32_t count)
{
    const bl_array *const inputs[NAMES] = {BL_VIEW(x, 2, 3), BL_VIEW(y, 3),
                                           BL_VIEW(i, 3), BL_VIEW(m, 3), BL_VIEW(y, 3)};
    bl_expr_info info = {.size = sizeof info};
    bl_tensor *out[BL_MAX_SLOTS] = {NULL};
    bl_expr *expr = NULL;
    bl_status status = bl_expr_parse(NULL, text, count, names, &expr);

    memset(shown, 0, sizeof shown);
    if (status != BL_OK)
        return status;
    status = bl_expr_query(expr, &info);
    if (status == BL_OK)
        status = bl_expr_run_new(NULL, expr, inputs, NULL, out);
    for (int32_t k = 0; status == BL_OK && k < info.outputs; k++) {
        append(NULL, k ? ";" : "", k ? 1 : 0);
        snprintf(shown + strlen(shown), 8, "%s",
                 bl_dtype_name(bl_tensor_dtype(out[k])));
        status = bl_array_format(bl_tensor_array(out[k]), 0, append, NULL);
        bl_tensor_release(out[k]);
    }
    bl_expr_destroy(expr);
    return status;
}

static const struct {
    const char *text, *want;
} values[] = {
    {"x", "f32[[1,2,3],[4,5,6]]"},
    {"x - y - y", "f32[[-3,6,-3],[0,9,0]]"},
    {"x - (y - y)", "f32[[1,2,3],[4,5,6]]"},
    {"-x ** 2", "f32[[-1,-4,-9],[-16,-25,-36]]"},
    {"(-x) ** 2", "f32[[1,4,9],[16,25,36]]"},
    {"2 ** 3 ** 2", "i64512"},
    {"2 ** -1", "f640.5"},
    {"2 ** -1 * 4", "f642"},
    {"-2 ** 2", "i64-4"},
    {"- - 2", "i642"},
    {"2 - -3 * +2", "i648"},
    {"i & 1 | ~i ^ 6", "i8[-7,-5,5]"},
    {"i << 1 >> 2", "i8[0,1,-2]"},
    {"1 + i << 1", "i8[4,6,-4]"},
    {"i + 1 < i * 2", "bool[false,true,false]"},
    {"(x < 3) | (x > 4)", "bool[[true,true,false],[false,true,true]]"},
    {"7 / 2; 7 // 2; 7 % 2; 7 // 2.", "f643.5;i643;i641;f643"},
    {"1e3 + .5; 1.; 2.5e-1; 1E2", "f641000.5;f641;f640.25;f64100"},
    {"0.1 + 0.2", "f640.30000000000000004"},
    {"123456789012345678901234567890.e-29", "f641.2345678901234567"},
    {"1e-400; inf; -inf; nan", "f640;f64inf;f64-inf;f64nan"},
    {"1 < 2; (1 < 2) + 1; i * (1 < 2)", "booltrue;i642;i8[1,2,-3]"},
    {"-9223372036854775808", "i64-9223372036854775808"},
    {"9223372036854775807", "i649223372036854775807"},
    {"f32(3); i8(-3) + 0", "f323;i8-3"},
    {"i * 2.5; i * 2", "f32[2.5,5,-7.5];i8[2,4,-6]"},
    {"sum(x); sum(x, 0); sum(x, -1, keepdim); sum(x, 1, 0)",
     "f3221;f32[5,7,9];f32[[6],[15]];f3221"},
    {"max(x, 1); max(x, y); max(2, 3); max(y)",
     "f32[3,6];f32[[2,2,3],[4,5,6]];i643;f323"},
    {"min(x, 0, keepdim); any(m); all(m); mean(x); prod(y); var(x, 0, correction=0)",
     "f32[[1,2,3]];booltrue;boolfalse;f323.5;f32-12;f32[2.25,2.25,2.25]"},
    {"where(m, x, -x)", "f32[[1,-2,3],[4,-5,6]]"},
    {"addcmul(x, y, y); clip(x, 2, 4)", "f32[[5,6,12],[8,9,15]];f32[[2,2,3],[4,4,4]]"},
    {"rsub(y, 1); isclose(y, y + 1e-7)", "f32[-1,3,-2];bool[true,true,true]"},
    {"d = x - y; e = d * d; sum(e)", "f3279"},
    {"d = x - y; d; e = 2 * d", "f32[[-1,4,0],[2,7,3]];f32[[-2,8,0],[4,14,6]]"},
    {"n = 3; n * i;", "i8[3,6,-9]"},
    {" x+\ty\n", "f32[[3,0,6],[6,3,9]]"},
    {"(((_long_name_1)))", "f32[2,-2,3]"},
    {"inf = y; inf", "f32[2,-2,3]"},
    {"sum(2); max(i - 1, 0)", "i642;i81"},
};

static void check_values(void)
{
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        const bl_status status = evaluate(values[k].text, NAMES);

        if (!tap_ok(status == BL_OK && strcmp(shown, values[k].want) == 0, "%s",
                    values[k].text))
            tap_note("%s%s", shown, status == BL_OK ? "" : bl_error_message());
    }
}

/* ---- refusals ---- */

static const struct {
    const char *text;
    bl_status status;
    int64_t position;
    const char *message; /* a part of it */
} refusals[] = {
    {"", BL_ERR_FORMAT, 0, "ends where an operand should stand"},
    {";", BL_ERR_FORMAT, 0, "';' where an operand should stand"},
    {"x;;x", BL_ERR_FORMAT, 2, "';' where an operand should stand"},
    {"x +", BL_ERR_FORMAT, 3, "ends where an operand should stand"},
    {"x y", BL_ERR_FORMAT, 2, "'y' where an operator should stand"},
    {"x + (y", BL_ERR_FORMAT, 6, "ends where an operator or ')'"},
    {"x)", BL_ERR_FORMAT, 1, "')' where an operator should stand"},
    {"(x, y)", BL_ERR_FORMAT, 2, "',' where an operator or ')' should stand"},
    {"sum(x; y)", BL_ERR_FORMAT, 5, "';' where ',' or ')' should stand"},
    {"sum(x, 0, keepdim", BL_ERR_FORMAT, 17, "ends where ')' should stand"},
    {"abs(x, keepdim)", BL_ERR_ARGUMENT, 7, "'keepdim' is no input"},
    {"x ~ y", BL_ERR_FORMAT, 2, "'~' where an operator should stand"},
    {"* x", BL_ERR_FORMAT, 0, "'*' where an operand should stand"},
    {"x < y < x", BL_ERR_FORMAT, 6, "comparisons do not chain"},
    {"x == y != x", BL_ERR_FORMAT, 7, "comparisons do not chain"},
    {"x + z", BL_ERR_ARGUMENT, 4, "'z' is no input"},
    {"x = y", BL_ERR_FORMAT, 2, "equality is '=='"},
    {"d = x; d = y", BL_ERR_FORMAT, 9, "d has a value"},
    {"(d = x)", BL_ERR_ARGUMENT, 1, "'d' is no input"},
    {"x + y = 3", BL_ERR_FORMAT, 6, "equality is '=='"},
    {"d = d", BL_ERR_ARGUMENT, 4, "'d' is no input"},
    {"x $ y", BL_ERR_FORMAT, 2, "unexpected '$'"},
    {"x + \303\244", BL_ERR_FORMAT, 4, "unexpected byte 0xc3"},
    {"x + \001", BL_ERR_FORMAT, 4, "unexpected byte 0x01"},
    {"spin(x)", BL_ERR_UNSUPPORTED, 0, "unknown function 'spin'"},
    {"x + abs(x, y)", BL_ERR_ARGUMENT, 4, "abs takes 1 argument, got 2"},
    {"abs()", BL_ERR_ARGUMENT, 0, "abs takes 1 argument, got 0"},
    {"addcmul(x, y)", BL_ERR_ARGUMENT, 0, "addcmul takes 4 arguments, got 2"},
    {"sum()", BL_ERR_ARGUMENT, 0, "sum takes 1 argument or more, got 0"},
    {"f32(x, y)", BL_ERR_ARGUMENT, 0, "f32 takes 1 argument, got 2"},
    {"sum(x, y)", BL_ERR_ARGUMENT, 0, "an array and the numbers of its dimensions"},
    {"sum(x, 0.5)", BL_ERR_ARGUMENT, 0, "the numbers of its dimensions"},
    {"sum(x, 9999999999)", BL_ERR_ARGUMENT, 0, "the numbers of its dimensions"},
    {"2 ** 64", BL_ERR_OVERFLOW, 2, "does not fit in 64 bits"},
    {"9223372036854775807 + 1", BL_ERR_OVERFLOW, 20, "does not fit in 64 bits"},
    {"1 - 9223372036854775808", BL_ERR_OVERFLOW, 4, "does not fit in 64 bits"},
    {"- -9223372036854775808", BL_ERR_OVERFLOW, 0, "does not fit in 64 bits"},
    {"-9223372036854775808 ** 1", BL_ERR_OVERFLOW, 1, "does not fit in 64 bits"},
    {"-9223372036854775808 // -1", BL_ERR_OVERFLOW, 21, "does not fit in 64 bits"},
    {"99999999999999999999", BL_ERR_OVERFLOW, 0, "does not fit in 64 bits"},
    {"1e999", BL_ERR_FORMAT, 0, "1e999 does not fit in f64"},
    {"1 // 0", BL_ERR_ARGUMENT, 2, "ZeroDivisionError"},
    {"1.5 & 1", BL_ERR_DTYPE, 4, "bitwise_and does not take f64"},
    /* What the plan refuses, and the execution. */
    {"i + 200", BL_ERR_DTYPE, 2, "200 does not fit in i8"},
    {"f16(x) * 1e6", BL_ERR_DTYPE, 7, "does not fit in f16"},
    {"u8(300)", BL_ERR_DTYPE, 0, "300 does not fit in u8"},
    {"y + sum(x, 1)", BL_ERR_SHAPE, 2, "must match the size of tensor"},
    {"sum(x, 2)", BL_ERR_ARGUMENT, 0, "out of range"},
    {"mean(i)", BL_ERR_DTYPE, 0, "could not infer output dtype"},
    {"x + m - neg(m)", BL_ERR_DTYPE, 8, "on a bool tensor is not supported"},
    {"where(x, x, x)", BL_ERR_DTYPE, 0, "x is f32, expected bool"},
    {"i + i // (i - i)", BL_ERR_ARGUMENT, 6, "ZeroDivisionError"},
};

static bool is_refused(const char *text, bl_status want, int64_t position,
                       const char *message)
{
    const bl_status status = evaluate(text, NAMES);
    bl_error_info info = {.size = sizeof info};
    bool pass;

    BL_IGNORE(bl_error_query(&info));
    pass = status == want && info.status == want && info.position == position &&
           strstr(bl_error_message(), message) != NULL;
    if (!pass)
        tap_note("status %d at %" PRId64 ": %s; %s", (int)status, info.position,
                 bl_error_message(), shown);
    return pass;
}

/* ---- text without end ---- */

/* Repeat `part` so often, between a beginning and an end. */
static char *repeated(const char *begin, const char *part, int count, const char *end)
{
    const size_t size = strlen(begin) + strlen(part) * (size_t)count + strlen(end) + 1;
    char *const text = malloc(size);
    char *at = text;

    if (!text)
        abort();
    at += sprintf(at, "%s", begin);
    for (int k = 0; k < count; k++)
        at += sprintf(at, "%s", part);
    sprintf(at, "%s", end);
    return text;
}

static const struct {
    const char *what, *begin, *part, *end;
    int count;
    bl_status status;
    const char *message;
} longs[] = {
    {"numbers", "x * (", "1 + ", "1)", 100000, BL_OK, ""},
    {"parentheses", "", "(", "x", 1000000, BL_ERR_UNSUPPORTED, "within each other"},
    {"parentheses that close", "", "(", "x", 1000, BL_ERR_FORMAT, "ends where"},
    {"signs", "", "-", "x", 1000000, BL_ERR_UNSUPPORTED, "within each other"},
    {"powers", "", "x ** ", "x", 1000000, BL_ERR_UNSUPPORTED, "within each other"},
    {"calls", "", "abs(", "x", 1000000, BL_ERR_UNSUPPORTED, "within each other"},
    {"arguments", "sum(x", ", 0", ")", 1000000, BL_ERR_UNSUPPORTED, "operands wait"},
    {"axes", "sum(x", ", 0", ")", 100, BL_ERR_ARGUMENT, "more than 64 dimensions"},
    {"nodes", "x", " + x * y - y", "", 1000000, BL_ERR_UNSUPPORTED,
     "more than 1024 nodes"},
    {"outputs", "", "x;", "", 1000000, BL_ERR_UNSUPPORTED, "more than 64 outputs"},
    {"blanks", "", " ", "x", 1000000, BL_OK, ""},
    {"digits", "0.", "1", "", 1000000, BL_ERR_FORMAT, "more than 400 characters"},
    {"letters", "", "x", "", 1000000, BL_ERR_ARGUMENT, "is no input"},
    {"a function's letters", "", "x", "(x)", 1000000, BL_ERR_UNSUPPORTED,
     "unknown function"},
};

static void check_longs(void)
{
    for (size_t k = 0; k < sizeof longs / sizeof longs[0]; k++) {
        char *const text =
            repeated(longs[k].begin, longs[k].part, longs[k].count, longs[k].end);
        const bl_status status = evaluate(text, NAMES);

        if (!tap_ok(
                status == longs[k].status &&
                    (status == BL_OK || strstr(bl_error_message(), longs[k].message)),
                "%d times %s", longs[k].count, longs[k].what))
            tap_note("status %d: %s", (int)status, bl_error_message());
        free(text);
    }
}

/* Text cut anywhere, and with any byte anywhere, is refused or has a value. */
static void check_bytes(void)
{
    static const char whole[] = "d=x-mean(x,-1,keepdim);d**2/1.5e1<=(y|~i)";
    char text[sizeof whole];
    bool pass = true;

    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (int byte = 0; byte < 256; byte++) {
            memcpy(text, whole, sizeof whole);
            text[at] = (char)byte;
            pass = pass && (evaluate(text, NAMES) == BL_OK || bl_error_message()[0]);
        }
    tap_ok(pass, "any byte anywhere in a text");
}

int main(void)
{
    bl_expr_info info = {.size = sizeof info};
    bl_expr *expr = NULL;

    tap_plan();
    check_values();
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++)
        tap_ok(is_refused(refusals[k].text, refusals[k].status, refusals[k].position,
                          refusals[k].message),
               "refused: %.40s", refusals[k].text);
    check_longs();
    check_bytes();
    tap_ok(bl_expr_parse(NULL, "b - a * b + inf", 0, NULL, &expr) == BL_OK &&
               bl_expr_query(expr, &info) == BL_OK && info.inputs == 2 &&
               strcmp(info.input[0], "b") == 0 && strcmp(info.input[1], "a") == 0 &&
               strcmp(info.text, "b - a * b + inf") == 0,
           "without names, inputs are in order of appearance");
    bl_expr_destroy(expr);
    tap_ok(evaluate("7 / 2", 0) == BL_OK && evaluate("x", 0) == BL_ERR_ARGUMENT,
           "no names are no inputs");
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "C.UTF-8"))
        tap_ok(evaluate("1.5 + .25", 0) == BL_OK && strcmp(shown, "f641.75") == 0,
               "points are points in any locale");
    return tap_done();
}
