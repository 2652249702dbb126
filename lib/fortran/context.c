/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts.  A type(bl_context) that was not created is the default context.  Settings
 * that are names in C are the words of BROADLOOM_ISA, _RULES and _OVERLAP here.
 */
#include "fortran/procedures.h"

#include <stdio.h>
#include <string.h>

#define WORD 32

static const char *const overlaps[] = {"rules", "copy", "refuse", "sequential"};

/* A character value without trailing blanks, in `word`; what is too long is no name. */
static const char *read_word(blf_actual value, char word[WORD])
{
    const char *const text = value->base_addr;
    size_t length = blf_length(value);

    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= WORD)
        length = WORD - 1;
    if (length > 0)
        memcpy(word, text, length);
    word[length] = '\0';
    return word;
}

static void write_word(blf_actual variable, const char *word)
{
    const size_t length = strlen(word), room = blf_length(variable);
    char *const to = variable->base_addr;

    if (room == 0)
        return;
    memset(to, ' ', room);
    memcpy(to, word, length < room ? length : room);
}

void blf_context_create(blf_context *ctx, int *stat, blf_actual errmsg)
{
    struct blf_call call;
    bl_context *made;
    bl_status status;

    blf_begin(&call, "bl_context_create", (struct blf_end){stat, errmsg, NULL});
    status = bl_context_create(&made);
    if (status == BL_OK) {
        bl_context_destroy(ctx->ctx);
        ctx->ctx = made;
    }
    blf_finish(&call, status);
}

void blf_context_destroy(blf_context *ctx)
{
    bl_context_destroy(ctx->ctx);
    ctx->ctx = NULL;
}

void blf_context_set_threads(blf_context *ctx, const int *threads, int *stat,
                             blf_actual errmsg)
{
    struct blf_call call;

    blf_begin(&call, "bl_context_set_threads", (struct blf_end){stat, errmsg, ctx});
    blf_finish(&call, bl_context_set_threads(ctx->ctx, *threads));
}

void blf_context_get_threads(const blf_context *ctx, int *threads)
{
    *threads = bl_context_threads(ctx->ctx);
}

void blf_context_set_isa(blf_context *ctx, blf_actual isa, int *stat, blf_actual errmsg)
{
    struct blf_call call;
    char word[WORD];

    blf_begin(&call, "bl_context_set_isa", (struct blf_end){stat, errmsg, ctx});
    read_word(isa, word);
    blf_finish(&call, bl_context_set_isa(ctx->ctx, word[0] ? word : NULL));
}

void blf_context_get_isa(const blf_context *ctx, blf_actual isa)
{
    write_word(isa, bl_context_isa(ctx->ctx));
}

void blf_context_set_rules(blf_context *ctx, blf_actual rules, int *stat,
                           blf_actual errmsg)
{
    struct blf_call call;
    char word[WORD];
    const bl_rules *const found = bl_rules_find(read_word(rules, word));
    bl_status status = BL_OK;

    blf_begin(&call, "bl_context_set_rules", (struct blf_end){stat, errmsg, ctx});
    if (!found)
        status = blf_refuse(&call, BL_ERR_ARGUMENT, "there are no rules \"%s\"", word);
    blf_finish(&call, found ? bl_context_set_rules(ctx->ctx, found) : status);
}

void blf_context_get_rules(const blf_context *ctx, blf_actual rules)
{
    write_word(rules, bl_context_rules(ctx->ctx)->name);
}

void blf_context_set_overlap(blf_context *ctx, blf_actual overlap, int *stat,
                             blf_actual errmsg)
{
    struct blf_call call;
    char word[WORD];
    bl_status status;

    blf_begin(&call, "bl_context_set_overlap", (struct blf_end){stat, errmsg, ctx});
    read_word(overlap, word);
    status = blf_refuse(&call, BL_ERR_ARGUMENT, "there is no policy \"%s\"", word);
    for (int k = 0; k < (int)(sizeof overlaps / sizeof overlaps[0]); k++)
        if (strcmp(overlaps[k], word) == 0)
            status = bl_context_set_overlap(ctx->ctx, (bl_overlap)k);
    blf_finish(&call, status);
}

void blf_context_get_overlap(const blf_context *ctx, blf_actual overlap)
{
    write_word(overlap, overlaps[bl_context_overlap(ctx->ctx)]);
}
