/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Environment variables that refine a new context.  A value that cannot be parsed is
 * ignored: a library neither stops a program nor prints because a variable was
 * mistyped.  Programs that run with more privileges than their user ignore all of them.
 */
#include "config.h"

#include "context/context.h"

#include <stdlib.h>
#include <string.h>

/*
 * Parse a decimal number of at most `most` and advance *text behind it; false if there
 * are no digits or the number is too large.
 */
static bool read_digits(const char **text, int64_t most, int64_t *value)
{
    const char *at = *text;
    int64_t total = 0;

    for (; *at >= '0' && *at <= '9'; at++) {
        const int64_t digit = *at - '0';

        if (total > (most - digit) / 10)
            return false;
        total = 10 * total + digit;
    }
    if (at == *text)
        return false;
    *text = at;
    *value = total;
    return true;
}

/*
 * Parse a decimal number of at most `most` that is the whole text; false if it is not.
 */
static bool read_integer(const char *text, int64_t most, int64_t *value)
{
    return read_digits(&text, most, value) && *text == '\0';
}

static void set_threads(bl_context *ctx, const char *text)
{
    int64_t threads;

    if (read_integer(text, INT32_MAX, &threads) && threads > 0)
        ctx->team.threads = (int32_t)threads;
}

static void set_region_ns(bl_context *ctx, const char *text)
{
    int64_t ns;

    if (read_integer(text, INT32_MAX, &ns))
        ctx->team.region_ns = (int32_t)ns;
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
    static const char *const policies[] = {[BL_OVERLAP_RULES] = "rules",
                                           [BL_OVERLAP_COPY] = "copy",
                                           [BL_OVERLAP_REFUSE] = "refuse",
                                           [BL_OVERLAP_SEQUENTIAL] = "sequential"};

    for (int32_t policy = 0; policy <= BL_OVERLAP_SEQUENTIAL; policy++)
        if (strcmp(text, policies[policy]) == 0)
            ctx->overlap = (bl_overlap)policy;
}

static void set_flag(bool *flag, const char *text)
{
    if (strcmp(text, "0") == 0 || strcmp(text, "1") == 0)
        *flag = text[0] == '1';
}

static void set_reproducible(bl_context *ctx, const char *text)
{
    set_flag(&ctx->reproducible, text);
}

static void set_bind(bl_context *ctx, const char *text)
{
    set_flag(&ctx->team.bind, text);
}

static void set_nested(bl_context *ctx, const char *text)
{
    set_flag(&ctx->team.nested, text);
}

static void set_placement(bl_context *ctx, const char *text)
{
    static const char on_node[] = "node:";
    static const char *const kinds[] = {
        [BL_PLACEMENT_FIRST_TOUCH] = "first-touch",
        [BL_PLACEMENT_INTERLEAVE] = "interleave",
        [BL_PLACEMENT_NODE] = on_node,
        [BL_PLACEMENT_BIND_RANGE] = "bind-range",
    };
    bl_placement placement = {.kind = -1};
    int64_t node;

    for (int32_t kind = 0; kind <= BL_PLACEMENT_BIND_RANGE; kind++)
        if (kind != BL_PLACEMENT_NODE && strcmp(text, kinds[kind]) == 0)
            placement.kind = kind;
    if (strncmp(text, on_node, sizeof on_node - 1) == 0 &&
        read_integer(text + sizeof on_node - 1, INT32_MAX, &node))
        placement = (bl_placement){BL_PLACEMENT_NODE, (int32_t)node};
    if (bli_placement_exists(&placement))
        ctx->placement = placement;
}

/* Set the pool's limit in bytes, with an optional suffix K, M or G (powers of 1024). */
static void set_pool(bl_context *ctx, const char *text)
{
    static const char suffixes[] = "KMG";
    const char *suffix;
    int64_t bytes, unit = 1;

    if (!ctx->pool || !read_digits(&text, INT64_MAX, &bytes))
        return;
    if (*text) {
        suffix = strchr(suffixes, *text++);
        if (!suffix || *text)
            return;
        unit <<= 10 * (suffix - suffixes + 1);
    }
    if (bli_mul_i64(bytes, unit, &bytes))
        bli_pool_set_limit(ctx->pool, bytes);
}

/*
 * Parse digits with an optional '.', in any locale: strtod would use the locale's
 * point.
 */
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
        /* Up to 15 digits are exact in double: only the quotient is rounded. */
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
    {"BROADLOOM_NUM_THREADS", set_threads},
    {"BROADLOOM_ISA", set_isa},
    {"BROADLOOM_REPRODUCIBLE", set_reproducible},
    {"BROADLOOM_RULES", set_rules},
    {"BROADLOOM_OVERLAP", set_overlap},
    {"BROADLOOM_MAX_GROWTH", set_max_growth},
    {"BROADLOOM_PLACEMENT", set_placement},
    {"BROADLOOM_BIND", set_bind},
    {"BROADLOOM_NESTED", set_nested},
    {"BROADLOOM_REGION_NS", set_region_ns},
    {"BROADLOOM_POOL", set_pool},
};

void bli_environment_read(bl_context *ctx)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *const text = secure_getenv(variables[i].name);

        if (text)
            variables[i].set(ctx, text);
    }
}
