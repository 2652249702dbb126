/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collects the fixes of a report, and writes them file by file.
 */
#define _XOPEN_SOURCE 700

#include "migrate_fix.h"

#include "fix_decisions.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 1024 };

static bl_status no_memory(void)
{
    return bl_error_set(BL_ERR_MEMORY, "no memory for a patch");
}

/* ---- paths ---- */

/*
 * The path of a file from the root on, as a new string; NULL where it is not below the
 * root, or has a byte that patches cannot have in paths; `reason` says so.
 */
static char *relative_path(const char *file, const char *root, char reason[REASON_SIZE])
{
    char *const full = realpath(file, NULL), *const top = realpath(root, NULL);
    const size_t length = top ? strlen(top) : 0;
    char *path = NULL;

    if (!full || !top)
        snprintf(reason, REASON_SIZE, "%s: %s", full ? root : file, strerror(errno));
    else if (strncmp(full, top, length) != 0 || (full[length] != '/' && length > 1))
        snprintf(reason, REASON_SIZE, "its file is not in the folder %s: --root", root);
    else if (strpbrk(full, "\"\\\t\r\n"))
        snprintf(reason, REASON_SIZE, "its file has a name that patches cannot have");
    else if (!(path = strdup(full + length + (length > 1))))
        snprintf(reason, REASON_SIZE, "no memory");
    free(full);
    free(top);
    return path;
}

/* ---- fixes that may be made together ---- */

/* Append a fix and its path, which are taken, and freed on failure. */
static bl_status add_fix(struct patch *patch, struct fix *fix, char *path)
{
    if (patch->count == patch->room) {
        const size_t room = 2 * patch->room + 64;
        struct fix *const fixes = realloc(patch->fix, room * sizeof *fixes);
        char **const paths = realloc(patch->path, room * sizeof *paths);

        patch->fix = fixes ? fixes : patch->fix;
        patch->path = paths ? paths : patch->path;
        if (!fixes || !paths) {
            fix_free(fix);
            free(path);
            return no_memory();
        }
        patch->room = room;
    }
    patch->fix[patch->count] = *fix;
    patch->path[patch->count++] = path;
    return BL_OK;
}

/* A fix of the patch whose bytes another also changes; NULL: none. */
static const struct fix *find_overlap(const struct patch *patch, const struct fix *fix)
{
    for (size_t k = 0; k < patch->count; k++) {
        const struct fix *const other = &patch->fix[k];

        if (other->source == fix->source && other->begin < fix->end &&
            fix->begin < other->end)
            return other;
    }
    return NULL;
}

static void leave(struct patch *patch, const struct finding *finding,
                  const char *reason)
{
    char place[PLACE_SIZE];

    finding_place(finding, place, sizeof place);
    fail("%s: %s is left as it is: %s", place, finding->function, reason);
    patch->left++;
}

/* Find the fix of one place, and add it. */
static bl_status fix_one(struct patch *patch, const struct findings *findings, size_t k,
                         enum fix_choice choice, const char *root)
{
    const struct finding *const finding = &findings->at[k];
    const struct fix *other;
    struct fix fix;
    char *path;

    TRY(fix_find(&patch->files, findings, k, choice, &fix));
    if (fix.count == 0) {
        leave(patch, finding, fix.reason);
        return BL_OK;
    }
    other = find_overlap(patch, &fix);
    path = other ? NULL : relative_path(fix.source->path, root, fix.reason);
    if (path)
        return add_fix(patch, &fix, path);
    /* Another finding of the same call has the same fix. */
    if (!other || other->begin != fix.begin || other->end != fix.end)
        leave(patch, finding,
              other ? "another change is made to its statement; fix it after that"
                    : fix.reason);
    fix_free(&fix);
    return BL_OK;
}

static bl_status fix_all(struct patch *patch, const struct findings *findings,
                         const struct fix_request *request, struct decisions *decisions)
{
    if (request->decisions)
        TRY(decisions_read(decisions, request->decisions));
    for (size_t k = 0; k < findings->count; k++)
        (void)decisions_find(decisions, &findings->at[k], FIX_LEAVE);
    if (request->decisions)
        TRY(decisions_check(decisions, request->decisions));
    for (size_t k = 0; k < findings->count; k++) {
        const enum fix_choice choice =
            decisions_find(decisions, &findings->at[k], request->choice);

        if (choice != FIX_LEAVE && findings->at[k].risk != RISK_NONE)
            TRY(fix_one(patch, findings, k, choice, request->root));
    }
    return BL_OK;
}

bl_status patch_find(struct patch *patch, const struct findings *findings,
                     const struct fix_request *request)
{
    struct decisions decisions = {.count = 0};
    const bl_status status = fix_all(patch, findings, request, &decisions);

    decisions_free(&decisions);
    return status;
}

/* ---- writing ---- */

static int compare_edits(const void *left, const void *right)
{
    const struct fix_edit *const a = *(const struct fix_edit *const *)left;
    const struct fix_edit *const b = *(const struct fix_edit *const *)right;

    return (a->at > b->at) - (a->at < b->at);
}

/* Write the edits of all fixes of the file that fix `k` is of. */
static void write_file_of(const struct patch *patch, size_t k, FILE *file)
{
    const struct source *const source = patch->fix[k].source;
    const struct fix_edit **const edits =
        calloc(patch->count * FIX_EDITS, sizeof *edits);
    int count = 0;

    if (!edits) {
        fail("no memory for the patch of %s", patch->path[k]);
        return;
    }
    for (size_t i = 0; i < patch->count; i++)
        for (int e = 0; e < patch->fix[i].count && patch->fix[i].source == source; e++)
            edits[count++] = &patch->fix[i].edit[e];
    qsort(edits, (size_t)count, sizeof(*edits), compare_edits);
    fix_write_diff(source, patch->path[k], count, edits, file);
    free(edits);
}

void patch_write(const struct patch *patch, FILE *file)
{
    const char *last = "";

    /* File by file, by path. */
    for (;;) {
        size_t next = patch->count;

        for (size_t k = 0; k < patch->count; k++)
            if (strcmp(patch->path[k], last) > 0 &&
                (next == patch->count || strcmp(patch->path[k], patch->path[next]) < 0))
                next = k;
        if (next == patch->count)
            return;
        write_file_of(patch, next, file);
        last = patch->path[next];
    }
}

void patch_free(struct patch *patch)
{
    for (size_t k = 0; k < patch->count; k++) {
        fix_free(&patch->fix[k]);
        free(patch->path[k]);
    }
    free(patch->fix);
    free(patch->path);
    fix_files_free(&patch->files);
    *patch = (struct patch){.count = 0};
}
