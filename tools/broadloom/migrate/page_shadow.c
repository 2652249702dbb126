/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a shadow run found, on the report's page: which places change a number, by how
 * much, and where it leaves the library.
 */
#include "page.h"

#include "reads.h"

#include <inttypes.h>
#include <string.h>

enum { READS_SHOWN = 16 };

void page_shadow_summary(FILE *file, const struct findings *findings)
{
    int64_t calls = 0, compared = 0, differing = 0;

    for (size_t k = 0; k < findings->count; k++) {
        calls += findings->at[k].shadow.compared;
        compared += findings->at[k].shadow.compared > 0;
        differing += findings->at[k].shadow.differ > 0;
    }
    if (compared == 0)
        return;
    fputs("<p>A shadow run computed ", file);
    page_count(file, calls, "call");
    fputs(" both ways: of ", file);
    page_count(file, compared, "place");
    fprintf(file, " that it compared, %" PRId64 " %s a number.</p>\n", differing,
            differing == 1 ? "changes" : "change");
}

void page_shadow_cell(FILE *file, const struct shadow *shadow)
{
    if (shadow->compared == 0)
        fputs("<td class=\"figure\" data-key=\"-1\">not compared</td>", file);
    else
        fprintf(file,
                "<td class=\"figure\" data-key=\"%" PRId64 "\">%" PRId64 " of %" PRId64
                "</td>",
                shadow->differ, shadow->differ, shadow->elements);
}

static void write_differences(FILE *file, const struct shadow *shadow)
{
    fprintf(file, "<dt>Elements that differ</dt><dd>%" PRId64 " of %" PRId64,
            shadow->differ, shadow->elements);
    if (shadow->not_finite > 0)
        fprintf(file, "; %" PRId64 " that are not finite", shadow->not_finite);
    fputs("</dd>\n", file);
    if (shadow->differ > 0)
        fprintf(file,
                "<dt>Largest difference</dt><dd>%.6g; relative %.3g; %" PRId64
                " ULP</dd>\n",
                shadow->max_abs, shadow->max_rel, shadow->max_ulp);
}

/* Write where elements that differ left the library. */
static void write_reads(FILE *file, const struct shadow *shadow)
{
    static const char *const words[][2] = {{"data", "the address was asked for"},
                                           {"item", "an element was read"},
                                           {"save", "they were saved"}};
    const char *at = shadow->reads;
    char place[READ_SIZE];
    struct read read;
    int shown = 0;

    if (at[0] == '\0')
        return;
    fputs("<dt>Where they left the library</dt>\n", file);
    for (; shown < READS_SHOWN && reads_next(&at, &read); shown++) {
        const char *how = read.how;

        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (strcmp(read.how, words[k][0]) == 0)
                how = words[k][1];
        reads_place(&read, place, sizeof place);
        fputs("<dd><code>", file);
        page_path(file, place);
        fputs("</code>: ", file);
        page_text(file, how);
        fputs(", ", file);
        page_count(file, read.count, "time");
        fputs("</dd>\n", file);
    }
    if (reads_has_more(shadow->reads) || reads_next(&at, &read))
        fputs("<dd>and others</dd>\n", file);
}

void page_shadow(FILE *file, const struct finding *finding)
{
    const struct shadow *const shadow = &finding->shadow;

    if (shadow->compared == 0)
        return;
    fputs("<section class=\"shadow\">\n<h4>What a shadow run found</h4>\n<dl>\n", file);
    fprintf(file,
            "<dt>Calls computed both ways</dt><dd>%" PRId64 " of %" PRId64 ", %" PRId64
            " with elements that differ</dd>\n",
            shadow->compared, finding->count, shadow->unequal);
    write_differences(file, shadow);
    if (shadow->spread > 0)
        fprintf(file, "<dt>Results computed from them</dt><dd>%" PRId64 "%s</dd>\n",
                shadow->spread, shadow->forgotten > 0 ? " or more" : "");
    write_reads(file, shadow);
    fputs("</dl>\n", file);
    if (shadow->unequal > 0)
        fputs("<p>What the program does through a pointer that it already has is not "
              "seen.</p>\n",
              file);
    fputs("</section>\n", file);
}
