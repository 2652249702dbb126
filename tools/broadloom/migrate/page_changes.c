/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to write instead of the calls of a place.
 */
#include "page.h"

#include "draw/markup.h"
#include "suggestions.h"

#include <stdlib.h>
#include <string.h>

/* Other kinds of calls that are shown, and bytes of a patch. */
enum { KINDS_SHOWN = 8, PATCH_MOST = 4000 };

/* A patch of a place, or why there is none. */
struct patch_text {
    char *diff; /* NULL or "": none */
    char reason[REASON_SIZE];
};

/* Write a unified diff, its lines by what they do. */
static void write_patch(FILE *file, const char *diff, const char *purpose, bool is_open)
{
    size_t left = PATCH_MOST;

    fprintf(file,
            "<dd><details class=\"patch\"%s><summary>Patch %s</summary>\n<pre><code>",
            is_open ? " open=\"open\"" : "", purpose);
    while (*diff != '\0' && left > 0) {
        const size_t length = strcspn(diff, "\n");
        const size_t shown = length < left ? length : left;
        const char *const kind =
            strncmp(diff, "+++", 3) == 0 || strncmp(diff, "---", 3) == 0 || *diff == '@'
                ? "head"
            : *diff == '+' ? "added"
            : *diff == '-' ? "removed"
                           : "kept";

        fprintf(file, "<span class=\"line %s\">", kind);
        markup_bytes(file, diff, shown);
        fputs("\n</span>", file);
        diff += length + (diff[length] == '\n');
        left -= shown;
    }
    fprintf(file, "</code></pre>%s</details></dd>\n",
            *diff != '\0' ? "The patch goes on: broadloom migrate fix writes it." : "");
}

static void write_reason(FILE *file, const char *reason)
{
    fputs("<dd>No patch: ", file);
    page_text(file, reason);
    fputs(".</dd>\n", file);
}

/* Write a suggestion, and its patches by their choices, unless these are NULL. */
static void write_suggestion(FILE *file, const struct finding *finding,
                             const struct suggestion *suggestion,
                             const struct patch_text *patch)
{
    const bool is_keepdim = finding->risk == RISK_KEEPDIM;
    const struct {
        const char *name, *purpose, *text;
        enum fix_choice choice;
    } ways[] = {
        {"As it was", "to keep it as it was", suggestion->keep, FIX_AS_IT_WAS},
        {is_keepdim ? "As today" : "Broadcast",
         is_keepdim ? "to have it as today" : "to broadcast", suggestion->broadcast,
         FIX_BROADCAST},
    };

    fputs("<dl>\n", file);
    for (int k = 0; k < 2; k++) {
        const struct patch_text *const way = patch ? &patch[ways[k].choice] : NULL;

        if (ways[k].text[0] == '\0')
            continue;
        fprintf(file, "<dt>%s</dt><dd>", ways[k].name);
        page_element(file, "code", "change", ways[k].text);
        fputs("</dd>\n", file);
        if (way && way->diff && way->diff[0] != '\0')
            write_patch(file, way->diff, ways[k].purpose, k == 0);
        else if (way && way->reason[0] != '\0')
            write_reason(file, way->reason);
    }
    fputs("</dl>\n", file);
}

/* Write the suggestions for other shapes of calls of this place that differ. */
static void write_kinds(FILE *file, const struct finding *finding)
{
    const int count = kinds_count(finding->kinds);
    const char *at = finding->kinds;
    char shapes[KIND_SIZE];
    struct suggestion suggestion;
    int shown = 0;

    if (count < 2)
        return;
    fprintf(file, "<p>This is the worst of %d%s kinds of calls.</p>\n", count,
            kinds_has_more(finding->kinds) ? " or more" : "");
    while (shown < KINDS_SHOWN && suggestion_next(finding, &at, shapes, &suggestion)) {
        fputs("<p>Of ", file);
        page_element(file, "code", "shapes", shapes);
        fputs(":</p>\n", file);
        write_suggestion(file, finding, &suggestion, NULL);
        shown++;
    }
    if (shown == KINDS_SHOWN && suggestion_next(finding, &at, shapes, &suggestion))
        fputs("<p>Others are left out.</p>\n", file);
}

/* Write the suggestion for the worst calls, and its patches. */
static void write_fixes(FILE *file, const struct findings *findings, size_t k,
                        const struct suggestion *suggestion, struct fix_files *sources)
{
    struct patch_text patch[FIX_CHOICES] = {{.diff = NULL}};

    for (int choice = FIX_AS_IT_WAS; choice < FIX_CHOICES; choice++)
        if (fix_text(sources, findings, k, (enum fix_choice)choice, &patch[choice].diff,
                     patch[choice].reason) != BL_OK)
            snprintf(patch[choice].reason, REASON_SIZE, "%s", bl_error_message());
    write_suggestion(file, &findings->at[k], suggestion, patch);
    for (int choice = 0; choice < FIX_CHOICES; choice++)
        free(patch[choice].diff);
}

void page_changes(FILE *file, const struct findings *findings, size_t k,
                  struct fix_files *sources)
{
    const struct finding *const finding = &findings->at[k];
    struct suggestion suggestion;

    suggestion_find(finding, &suggestion);
    if (suggestion.keep[0] == '\0' && suggestion.broadcast[0] == '\0')
        return;
    fputs("<section class=\"changes\">\n<h4>What to write</h4>\n", file);
    write_fixes(file, findings, k, &suggestion, sources);
    write_kinds(file, finding);
    fputs("</section>\n", file);
}
