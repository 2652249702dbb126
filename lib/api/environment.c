/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Environment variables that refine a new context.  A value that cannot be understood
 * is ignored: a library does not stop a program, nor print, over a variable that
 * somebody mistyped.  Programs that run with more rights than their user see none of
 * them.
 */
#include "config.h"

#include "api/api.h"

#include <stdlib.h>
#include <string.h>

/* Digits, at most `most`; false where there are none, or others follow, or too large.
 */
static bool read_integer(const char *text, int64_t most, int64_t *value)
{
    int64_t total = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        total = 10 * total + (*text - '0');
        if (total > most)
            return false;
    }
    *value = total;
    return true;
}

static void set_threads(bl_context *ctx, const char *text)
{
    int64_t threads;

    if (read_integer(text, INT32_MAX, &threads) && threads > 0)
        ctx->team.threads = (int32_t)threads;
}

static void set_isa(bl_context *ctx, const char *text)
{
    const struct bli_isa *const isa = bli_isa_find(text);

    if (isa)
        ctx->isa = isa;
}

static void set_rules(bl_context *ctx, const char *text)
{
    const bl_rules *const rules = bl_rules_find(text);

    if (rules)
        ctx->rules = rules;
}

static void set_overlap(bl_context *ctx, const char *text)
{
    if (strcmp(text, "copy") == 0)
        ctx->overlap = BL_OVERLAP_COPY;
    if (strcmp(text, "refuse") == 0)
        ctx->overlap = BL_OVERLAP_REFUSE;
}

/* Digits with an optional '.', in any locale: strtod would take the locale's. */
static void set_max_growth(bl_context *ctx, const char *text)
{
    double digits = 0.0;
    double scale = 1.0;
    int64_t count = 0;
    bool fraction = false;

    for (; *text; text++) {
        if (*text == '.' && !fraction) {
            fraction = true;
            continue;
        }
        /* Up to 15 digits are exact in double, and so the quotient is rounded once. */
        if (*text < '0' || *text > '9' || ++count > 15)
            return;
        digits = 10.0 * digits + (double)(*text - '0');
        scale *= fraction ? 10.0 : 1.0;
    }
    if (count > 0)
        ctx->max_growth = digits / scale;
}

static const struct {
    const char *name;
    void (*set)(bl_context *ctx, const char *text);
} variables[] = {
    {"BROADLOOM_NUM_THREADS", set_threads},   {"BROADLOOM_ISA", set_isa},
    {"BROADLOOM_RULES", set_rules},           {"BROADLOOM_OVERLAP", set_overlap},
    {"BROADLOOM_MAX_GROWTH", set_max_growth},
};

void bli_environment_read(bl_context *ctx)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *const text = secure_getenv(variables[i].name);

        if (text)
            variables[i].set(ctx, text);
    }
}
