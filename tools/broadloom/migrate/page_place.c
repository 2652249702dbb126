/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One place of the report: its source, and pictures of what lies along what.
 */
#include "page.h"

#include "draw/markup.h"
#include "pairs.h"
#include "suggestions.h"

#include <inttypes.h>
#include <string.h>

enum { OPEN_PLACES = 3, PLACE_SIZE = 1024 };

/* ---- what it is ---- */

static void write_heading(FILE *file, const struct finding *finding, size_t number)
{
    char place[PLACE_SIZE];

    finding_place(finding, place, sizeof place);
    fprintf(
        file,
        "<details class=\"place\"%s>\n<summary><h3><span class=\"risk %s\">%s</span> ",
        number <= OPEN_PLACES ? " open=\"open\"" : "", risk_names[finding->risk],
        risk_names[finding->risk]);
    fputs("<span class=\"where\">", file);
    page_path(file, place);
    fputs("</span> <span class=\"call\">", file);
    page_call(file, finding);
    fprintf(file, "</span></h3></summary>\n<div class=\"body\" id=\"place-%zu\">\n",
            number);
}

static void write_growth(FILE *file, const struct finding *finding)
{
    const char *between = " along dimension ";

    if (finding->risk != RISK_VALUE || finding->expanded_dims == 0)
        return;
    fprintf(file, " The result is %.10g times as large,", finding->growth);
    for (int d = 0; d < 64; d++)
        if (finding->expanded_dims >> d & 1) {
            fprintf(file, "%s%d", between, d);
            between = ", ";
        }
    putc('.', file);
}

static void write_meaning(FILE *file, const struct finding *finding)
{
    fprintf(file, "<p>%s ", risk_texts[finding->risk]);
    page_count(file, finding->count, "call");
    if (finding->caller[0] != '\0') {
        fputs(" in ", file);
        page_element(file, "code", "caller", finding->caller);
    }
    putc('.', file);
    write_growth(file, finding);
    fputs("</p>\n", file);
}

/* ---- the source ---- */

/* Write the bytes from `begin` to `end`, with the part that the call has marked. */
static void write_marked(FILE *file, const struct excerpt *excerpt, size_t begin,
                         size_t end)
{
    const size_t first = excerpt->begin < begin ? begin
                         : excerpt->begin > end ? end
                                                : excerpt->begin;
    const size_t last = excerpt->end < first ? first
                        : excerpt->end > end ? end
                                             : excerpt->end;

    markup_bytes(file, excerpt->text + begin, first - begin);
    if (last > first) {
        fputs("<mark>", file);
        markup_bytes(file, excerpt->text + first, last - first);
        fputs("</mark>", file);
    }
    markup_bytes(file, excerpt->text + last, end - last);
}

static void write_lines(FILE *file, const struct finding *finding,
                        const struct excerpt *excerpt)
{
    int64_t line = excerpt->first;

    fputs("<pre><code>", file);
    for (size_t at = 0, end; at < excerpt->size; at = end + 1, line++) {
        end = (size_t)((char *)memchr(excerpt->text + at, '\n', excerpt->size - at) -
                       excerpt->text);
        fprintf(file,
                "<span class=\"line%s\"><span class=\"number\">%" PRId64 "</span> ",
                line == finding->line ? " at" : "", line);
        write_marked(file, excerpt, at, end);
        fputs("\n</span>", file);
    }
    fputs("</code></pre>\n", file);
}

static void write_source(FILE *file, const struct finding *finding,
                         const struct excerpt *excerpt)
{
    fputs("<figure class=\"source\">\n<figcaption>", file);
    if (excerpt->text) {
        fprintf(file, "Line %" PRId64 " of ", finding->line);
        fputs("<code>", file);
        page_path(file, finding->file);
        fputs("</code></figcaption>\n", file);
        write_lines(file, finding, excerpt);
    } else if (finding->file[0] != '\0') {
        fputs("The source is not shown: ", file);
        fputs("<code>", file);
        page_path(file, finding->file);
        fprintf(file,
                "</code> cannot be read here, or has no line %" PRId64
                ".</figcaption>\n",
                finding->line);
    } else {
        fputs("The source line is not known: compile with -DBROADLOOM_CALL_SITES, or "
              "with "
              "-g where addr2line is found.</figcaption>\n",
              file);
    }
    fputs("</figure>\n", file);
}

/* ---- the pictures ---- */

/* Write ", at the first index of dimension 0" where not all of the result is drawn. */
static void write_rest(FILE *file, const struct pairs *pairs)
{
    const char *between = " Drawn at index 0 of dimension ";

    for (int32_t d = 0; d < pairs->broadcast.rank; d++)
        if (d != pairs->row && d != pairs->column && pairs->broadcast.extent[d] > 1) {
            fprintf(file, "%s%" PRId32, between, d);
            between = ", ";
        }
    fputs(between[0] == ',' ? "." : "", file);
}

static void write_pictures(FILE *file, const struct finding *finding)
{
    struct paired call;
    struct pairs pairs;
    char shape[SHAPE_TEXT];

    if (finding->risk > RISK_SHAPE || !suggestion_read(finding->shapes, &call) ||
        !pairs_find(&call, strcmp(finding->function, "where") == 0, &pairs))
        return;
    fputs("<div class=\"pictures\">\n<figure>\n<figcaption><b>As it was:</b> elements "
          "lie along each other in row-major order.</figcaption>\n",
          file);
    pairs_draw_linear(&pairs, file);
    fputs("</figure>\n<figure>\n<figcaption>", file);
    if (pairs.broadcasts && finding->risk != RISK_FALLBACK) {
        fprintf(file, "<b>Broadcast</b> to %s%s",
                shape_text(&pairs.broadcast, shape, sizeof shape),
                finding->risk == RISK_VALUE ? "; pairs as before are shaded."
                                            : ": the same pairs.");
        write_rest(file, &pairs);
        fputs("</figcaption>\n", file);
        pairs_draw_broadcast(&pairs, file);
    } else if (pairs.broadcasts) {
        fprintf(file,
                "<b>Broadcast:</b> refused, as they broadcast to %s, and a result in "
                "place keeps its shape.</figcaption>\n",
                shape_text(&pairs.broadcast, shape, sizeof shape));
    } else {
        fputs("<b>Broadcast:</b> these shapes are refused.</figcaption>\n", file);
    }
    fputs("</figure>\n</div>\n", file);
}

void page_place(FILE *file, const struct findings *findings, size_t k,
                const struct excerpt *excerpt, struct fix_files *sources)
{
    const struct finding *const finding = &findings->at[k];

    write_heading(file, finding, k + 1);
    write_meaning(file, finding);
    fputs("<div class=\"columns\">\n<div>\n", file);
    write_source(file, finding, excerpt);
    write_pictures(file, finding);
    fputs("</div>\n<div>\n", file);
    page_changes(file, findings, k, sources);
    page_shadow(file, finding);
    fputs("</div>\n</div>\n", file);
    fputs("</div>\n</details>\n", file);
}
