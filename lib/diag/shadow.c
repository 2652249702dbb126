/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow runs: which calls are compared, and what was found at each site.
 */
#include "config.h"

#include "diag/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [BL_SHADOW_DATA] = "data", [BL_SHADOW_ITEM] = "item", [BL_SHADOW_SAVE] = "save"};

/* ---- which calls ---- */

static _Atomic int64_t every_call; /* written under the lock */

/*
 * Estimates for BL_SHADOW_AUTO, in nanoseconds: of a call that differs, for itself and
 * an element of its result, and of comparing it, for itself, an element of the other
 * result and one that is compared.  On an AMD EPYC (Zen 5), one thread, f32: calls of
 * 16 and 4096 elements take 42 and 300, to compare them 4200 and 48000.
 */
#define CALL_NS          30.0
#define ELEMENT_NS       0.06
#define SHADOW_NS        5000.0
#define OTHER_ELEMENT_NS 1.0
#define COMPARED_NS      12.0

static double min(double a, double b)
{
    return a < b ? a : b;
}

int64_t bli_shadow_period(const bl_warning *warning, bool is_flat)
{
    const bl_shape *const result = &warning->result;
    double large = 1, small;

    if (every_call == 0 || warning->effect != BL_CHANGE_VALUE)
        return 0;
    if (every_call != BL_SHADOW_AUTO)
        return every_call;
    for (int32_t d = 0; d < result->rank; d++)
        large *= (double)result->extent[d];
    small = warning->growth > 0 ? large / warning->growth : large;

    const double compared = min(large, BLI_SHADOW_ELEMENTS);
    const double call = CALL_NS + ELEMENT_NS * (is_flat ? small : large);
    const double shadow = SHADOW_NS + OTHER_ELEMENT_NS * (is_flat ? compared : small) +
                          COMPARED_NS * compared;

    /* A comparison in so many calls makes each take at most twice as long. */
    return 1 + (int64_t)min(shadow / call, 1e15);
}

bl_status bli_shadow_set_every(int64_t every)
{
    if (every < BL_SHADOW_AUTO)
        return bli_error_argument("every", "every: %" PRId64 " is negative", every);
    bli_warnings_enter();
    every_call = every;
    bli_warnings_change(
        BLI_WARN_SHADOW,
        every != 0 ? BLI_WARN_BROADCAST | BLI_WARN_PRECISE | BLI_WARN_SHADOW : 0);
    bli_warnings_leave();
    return BL_OK;
}

void bli_shadow_set_text(const char *text)
{
    char *end;
    const long long every = strtoll(text, &end, 10);

    if (strcmp(text, "auto") == 0)
        (void)bli_shadow_set_every(BL_SHADOW_AUTO);
    else if (end != text && *end == '\0' && every >= 0)
        (void)bli_shadow_set_every(every);
}

int64_t bli_shadow_every(void)
{
    return every_call;
}

/* ---- what was found ---- */

static double max(double a, double b)
{
    return a > b ? a : b;
}

void bli_shadow_add(struct bli_site *site, const struct bli_difference *difference,
                    const struct bli_bytes *result, int32_t count,
                    const struct bli_bytes *inputs)
{
    struct bli_shadow_found *const found = &site->found.shadow;
    struct bli_difference *const sum = &found->difference;

    bli_warnings_enter();
    found->compared++;
    found->unequal += difference->differ > 0;
    sum->elements += difference->elements;
    sum->differ += difference->differ;
    sum->not_finite += difference->not_finite;
    sum->max_abs = max(sum->max_abs, difference->max_abs);
    sum->max_rel = max(sum->max_rel, difference->max_rel);
    if (difference->max_ulp > sum->max_ulp)
        sum->max_ulp = difference->max_ulp;
    bli_marks_add(site, result, count, inputs, difference->differ > 0);
    bli_warnings_leave();
}

/* ---- where elements leave the library ---- */

struct reading {
    int32_t how;
    struct bli_call_site at;
};

/* Write a place as reports have it; returns its length. */
static int write_place(char *text, size_t size, const struct bli_call_site *at,
                       const struct bli_loaded_file *file)
{
    if (at->file)
        return snprintf(text, size, "%s:%" PRId32, at->file, at->line);
    return snprintf(text, size, "%s@%s+0x%" PRIx64, file->path, file->build_id,
                    file->offset);
}

static struct bli_read *make_read(const struct reading *reading)
{
    struct bli_loaded_file file = {.path = ""};
    struct bli_read *read;
    int length;

    if (!reading->at.file)
        bli_loaded_file_find(reading->at.address, &file);
    length = write_place(NULL, 0, &reading->at, &file);
    if (length < 0 || !(read = malloc(sizeof *read + (size_t)length + 1)))
        return NULL;
    read->at = reading->at;
    read->how = reading->how;
    read->count = 0;
    write_place(read->place, (size_t)length + 1, &reading->at, &file);
    return read;
}

/* Whether two reads are at one place: of a line, whatever address they return to. */
static bool is_same_place(const struct bli_call_site *a, const struct bli_call_site *b)
{
    return a->file == b->file &&
           (a->file ? a->line == b->line : a->address == b->address);
}

/* The entry of a read; NULL where there are too many, or without memory. */
static struct bli_read *find_read(struct bli_site *site, const struct reading *reading)
{
    struct bli_read **link = &site->reads;
    int count = 0;

    for (; *link; link = &(*link)->next, count++)
        if ((*link)->how == reading->how && is_same_place(&(*link)->at, &reading->at))
            return *link;
    if (count == BLI_READS)
        return NULL;
    *link = make_read(reading);
    if (*link)
        (*link)->next = NULL;
    return *link;
}

static void count_read(void *user, struct bli_site *site)
{
    struct bli_read *const read = find_read(site, user);

    if (read)
        read->count++;
    else
        site->found.other_reads++;
}

void bli_shadow_read(bl_shadow_how how, const struct bli_bytes *span,
                     const struct bli_call_site *at)
{
    struct reading reading = {(int32_t)how, *at};

    bli_marks_visit(span, count_read, &reading);
}

void bli_reads_free(struct bli_site *site)
{
    while (site->reads) {
        struct bli_read *const next = site->reads->next;

        free(site->reads);
        site->reads = next;
    }
}

char *bli_reads_text(const struct bli_site *site)
{
    size_t size = sizeof "...";
    bool any = site->found.other_reads > 0;
    const char *between = "";
    char *text, *end;

    for (const struct bli_read *read = site->reads; read; read = read->next)
        if (read->count > 0) {
            size += strlen(read->place) + 32;
            any = true;
        }
    text = any ? malloc(size) : NULL;
    if (!text)
        return NULL;
    end = text;
    for (const struct bli_read *read = site->reads; read; read = read->next)
        if (read->count > 0) {
            end += sprintf(end, "%s%s %s %" PRId64, between, names[read->how],
                           read->place, read->count);
            between = "; ";
        }
    if (site->found.other_reads > 0)
        sprintf(end, "%s...", between);
    return text;
}
