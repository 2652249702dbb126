/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters of warnings as text, including those for one line of a file.
 */
#include <broadloom.h>
#include <broadloom/warnings.h>

#include <string.h>

#include "harness/tap.h"

static const int64_t column[2] = {4, 1}, vector[1] = {4}, whole[2] = {4, 4};
static float x[4], y[4], w[16];
static const bl_array a = {
    .data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = column};
static const bl_array v = {
    .data = y, .dtype = BL_DTYPE_F32, .rank = 1, .extent = vector};
static const bl_array all = {
    .data = w, .dtype = BL_DTYPE_F32, .rank = 2, .extent = whole};

static int reported;

static void count_reported(void *user, const bl_warning *warning)
{
    (void)user;
    (void)warning;
    reported++;
}

/* Reset everything, with the flag on. */
static void start(void)
{
    bl_backcompat_broadcast_warning_set_enabled(true);
    bl_warnings_reset();
    bl_warnings_set_handler(count_reported, NULL);
}

/*
 * Make two calls, from one.c:7 and from src/two.c:7; whether their outcome is `want`.
 */
static bool tells_of(const char *want)
{
    static const char *const files[] = {"one.c", "src/two.c"};
    char got[3] = "";

    for (int k = 0; k < 2; k++) {
        const int before = reported;
        bl_status status;

        bl_call_site_enter(files[k], 7);
        status = bl_call_site_leave(bl_add_out(NULL, &all, &a, &v));
        got[k] = status != BL_OK ? 'e' : reported > before ? 't' : '-';
    }
    if (strcmp(got, want) != 0)
        tap_note("got %s", got);
    return strcmp(got, want) == 0;
}

/* Filters, and the outcome of the two calls: an error, reported, or nothing. */
static const struct text_case {
    const char *text, *want;
} texts[] = {
    {"", "tt"},
    {"ignore", "--"},
    {"ignore,", "--"},
    {"error,ignore:value", "--"},
    {"ignore:shape,error:fallback", "tt"},
    {"error::two.c", "te"},
    {"error:value:one.c:7", "et"},
    {"error:value:src/two.c:7,ignore::one.c:8", "te"},
    {"error:value:one.c:8", "tt"},
    {"error:value:one.c:07", "et"},
    {"error:value:one.c:0", "et"},
    {"error:value:two.c:2147483647", "tt"},
};

static const struct text_case refused[] = {
    {"ERROR", "'ERROR': unknown action: there are default, always, once, error and "
              "ignore"},
    {"ignore,error:nosuch:a.c", "'error:nosuch:a.c': unknown change: there are value, "
                                "shape, fallback and keepdim"},
    {":value", "':value': unknown action: there are default, always, once, error "
               "and ignore"},
    {"error:value:a.c:12x", "'error:value:a.c:12x': a file is NAME or NAME:LINE, "
                            "LINE a number"},
    {"error:value:a.c:", "'error:value:a.c:': a file is NAME or NAME:LINE, LINE a "
                         "number"},
    {"error:value::12", "'error:value::12': a file is NAME or NAME:LINE, LINE a "
                        "number"},
    {"error:value:a.c:2147483648", "'error:value:a.c:2147483648': a file is NAME "
                                   "or NAME:LINE, LINE a number"},
    {"error:value:a.c:-1", "'error:value:a.c:-1': a file is NAME or NAME:LINE, "
                           "LINE a number"},
};

static void check_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        start();
        tap_ok(bl_warnings_filter_text(texts[i].text) == BL_OK &&
                   tells_of(texts[i].want),
               "\"%s\": %s", texts[i].text, texts[i].want);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        start();
        tap_ok(bl_warnings_filter_text(refused[i].text) == BL_ERR_ARGUMENT &&
                   strcmp(bl_error_message(), refused[i].want) == 0,
               "\"%s\" is refused", refused[i].text);
        tap_ok(tells_of("tt"), "and nothing of it is done");
    }
    tap_ok(bl_warnings_filter_text(NULL) == BL_ERR_ARGUMENT, "no text is refused");
}

static void check_lines(void)
{
    start();
    tap_ok(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, "two.c:7") == BL_OK &&
               tells_of("te"),
           "a filter of a line");
    tap_ok(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, "one.c:x") ==
                   BL_ERR_ARGUMENT &&
               strcmp(bl_error_message(),
                      "'one.c:x': a file is NAME or NAME:LINE, LINE a number") == 0,
           "a line that is no number is refused");
}

int main(void)
{
    tap_plan();
    check_texts();
    check_lines();
    return tap_done();
}
