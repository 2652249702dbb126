/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the call of a place, and makes edits of what a form of calls drafts for it.
 */
#define _XOPEN_SOURCE 700

#include "fix.h"

#include "fix_draft.h"
#include "suggestions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fix_choice_names[FIX_CHOICES] = {"leave", "as-it-was", "broadcast"};

static bl_status no_memory(void)
{
    return bl_error_set(BL_ERR_MEMORY, "no memory for fixes");
}

/* ---- files ---- */

void fix_files_free(struct fix_files *files)
{
    for (size_t k = 0; k < files->count; k++) {
        source_free(&files->at[k]->source);
        free(files->at[k]->names);
        free(files->at[k]);
    }
    free(files->at);
    *files = (struct fix_files){.count = 0};
}

/* Append a file to be read. */
static bl_status add_file(struct fix_files *files, struct fix_file **added)
{
    if (files->count == files->room) {
        const size_t room = 2 * files->room + 16;
        struct fix_file **const at = realloc(files->at, room * sizeof(*at));

        if (!at)
            return no_memory();
        files->at = at;
        files->room = room;
    }
    *added = calloc(1, sizeof **added);
    if (!*added)
        return no_memory();
    files->at[files->count++] = *added;
    return BL_OK;
}

/*
 * Read a file, or find it where it was read: one file, however reports spell its path.
 */
static bl_status find_file(struct fix_files *files, const char *path,
                           struct fix_file **found)
{
    char *const full = realpath(path, NULL);
    const char *const name = full ? full : path;
    bl_status status;

    for (size_t k = 0; k < files->count; k++)
        if (files->at[k]->source.path && strcmp(files->at[k]->source.path, name) == 0) {
            *found = files->at[k];
            free(full);
            return BL_OK;
        }
    status = add_file(files, found);
    if (status == BL_OK) {
        status = source_read(&(*found)->source, name);
        (*found)->is_read = status == BL_OK;
    }
    if (status == BL_ERR_IO)
        snprintf((*found)->reason, REASON_SIZE, "%s", bl_error_message());
    free(full);
    return status == BL_ERR_IO ? BL_OK : status;
}

/* ---- shapes ---- */

/* Note which operands differ from self in calls of these shapes; all, if unknown. */
static void note_shapes(struct draft *draft, const char *shapes)
{
    struct paired call;
    const bool is_known =
        suggestion_read(shapes, &call) && call.count == draft->operands;

    for (int k = 0; k < draft->operands; k++)
        if (k != draft->self &&
            (!is_known || !shape_is_same(&call.operand[k], &call.operand[draft->self])))
            draft->differs[k] = true;
}

static bool is_same_place(const struct finding *a, const struct finding *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

/* Note the shapes of all findings of the place; false: one does not broadcast. */
static bool note_place(struct draft *draft, const struct findings *findings,
                       const struct finding *finding)
{
    for (size_t k = 0; k < findings->count; k++) {
        const struct finding *const other = &findings->at[k];
        const char *at = other->kinds;
        char shapes[KIND_SIZE];

        if (!is_same_place(other, finding))
            continue;
        if (other->risk == RISK_FALLBACK && draft->choice == FIX_BROADCAST)
            return draft_refuse(draft, "%s does not broadcast", other->shapes);
        note_shapes(draft, other->shapes);
        while (kinds_next(&at, shapes))
            note_shapes(draft, shapes);
        if (kinds_has_more(other->kinds))
            note_shapes(draft, "");
    }
    return true;
}

/* ---- places ---- */

static const struct fix_form *const forms[] = {&fix_form_th, &fix_form_bl,
                                               &fix_form_cxx, &fix_form_operator};

/* Draft the fix of a place by the form of its only call, and make the edits. */
static bool draft_place(struct draft *draft, const struct findings *findings,
                        const struct finding *finding, struct fix *fix)
{
    const struct fix_form *form = NULL;
    int calls = 0;

    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        const int found = forms[k]->find(draft, finding);

        if (draft->reason[0] != '\0')
            return false;
        form = found > 0 ? forms[k] : form;
        calls += found;
    }
    if (calls != 1)
        return calls > 1
                   ? draft_refuse(draft, "%d calls of %s stand there", calls,
                                  finding->function)
                   : draft_refuse(draft, "no call of %s of a known form stands there",
                                  finding->function);
    (void)statement_find(&draft->call, &draft->statement, draft->unplaced);
    return note_place(draft, findings, finding) && form->write(draft) &&
           draft_edit(draft, fix);
}

static const char *refuse_risk(const struct finding *finding)
{
    if (finding->risk == RISK_KEEPDIM)
        return "keepdim is chosen for the whole program: BROADLOOM_TH_KEEPDIM";
    if (finding->risk == RISK_NONE)
        return "nothing changes";
    return finding->file[0] == '\0' ? "its line is not known" : "";
}

static void draft_free(struct draft *draft)
{
    for (int k = 0; k < CALL_ARGUMENTS; k++)
        free(draft->replaced[k]);
    free(draft->before);
    free(draft->after);
    free(draft->names);
}

bl_status fix_find(struct fix_files *files, const struct findings *findings, size_t k,
                   enum fix_choice choice, struct fix *fix)
{
    const struct finding *const finding = &findings->at[k];
    struct draft draft = {.choice = choice, .reason = fix->reason};
    bool is_found;

    *fix = (struct fix){.count = 0};
    snprintf(fix->reason, REASON_SIZE, "%s", refuse_risk(finding));
    if (fix->reason[0] != '\0' || choice == FIX_LEAVE)
        return BL_OK;
    TRY(find_file(files, finding->file, &draft.file));
    if (!draft.file->is_read) {
        memcpy(fix->reason, draft.file->reason, REASON_SIZE);
        return BL_OK;
    }
    fix->source = draft.source = &draft.file->source;
    is_found = draft_place(&draft, findings, finding, fix);
    draft_free(&draft);
    if (!is_found || draft.is_lost)
        fix_free(fix);
    return draft.is_lost ? no_memory() : BL_OK;
}

void fix_free(struct fix *fix)
{
    for (int k = 0; k < fix->count; k++)
        free(fix->edit[k].text);
    fix->count = 0;
}

bl_status fix_text(struct fix_files *files, const struct findings *findings, size_t k,
                   enum fix_choice choice, char **text, char reason[REASON_SIZE])
{
    const struct fix_edit *edits[FIX_EDITS];
    struct fix fix;
    size_t size;
    FILE *file;
    bool is_lost = true;

    *text = NULL;
    TRY(fix_find(files, findings, k, choice, &fix));
    memcpy(reason, fix.reason, REASON_SIZE);
    file = open_memstream(text, &size);
    if (file) {
        for (int i = 0; i < fix.count; i++)
            edits[i] = &fix.edit[i];
        if (fix.count > 0)
            fix_write_diff(fix.source, findings->at[k].file, fix.count, edits, file);
        is_lost = ferror(file) != 0;
        is_lost = fclose(file) != 0 || is_lost;
    }
    fix_free(&fix);
    if (!is_lost)
        return BL_OK;
    free(*text);
    *text = NULL;
    return no_memory();
}
