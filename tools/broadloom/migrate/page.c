/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as a page: its head, the summary, and the table of places.
 */
#include "page.h"

#include "draw/markup.h"
#include "shadow_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 1000, PLACE_SIZE = 1024 };

/* ---- texts ---- */

void page_text(FILE *file, const char *text)
{
    markup_text(file, text, TEXT_MOST);
}

void page_path(FILE *file, const char *path)
{
    const char *slash;

    for (; (slash = strchr(path, '/')); path = slash + 1) {
        markup_bytes(file, path, (size_t)(slash + 1 - path));
        fputs("<wbr/>", file);
    }
    page_text(file, path);
}

void page_element(FILE *file, const char *name, const char *kind, const char *text)
{
    fprintf(file, "<%s class=\"%s\">", name, kind);
    page_text(file, text);
    fprintf(file, "</%s>", name);
}

void page_count(FILE *file, int64_t count, const char *what)
{
    fprintf(file, "%" PRId64 " %s%s", count, what, count == 1 ? "" : "s");
}

void page_call(FILE *file, const struct finding *finding)
{
    page_text(file, finding->function);
    if (finding->shapes[0] != '\0')
        putc(' ', file);
    page_text(file, finding->shapes);
}

/* ---- the head ---- */

static void write_pieces(FILE *file, const char *const *piece)
{
    while (*piece)
        fputs(*piece++, file);
}

/* Nothing is loaded from elsewhere, nor can be. */
static void write_head(FILE *file, const struct findings *findings)
{
    fprintf(
        file,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<title>What broadcasting changes: %zu %s</title>\n<style>\n",
        findings->count, findings->count == 1 ? "place" : "places");
    write_pieces(file, page_style);
    fputs("</style>\n</head>\n<body>\n"
          "<a class=\"skip\" href=\"#places\">Skip to the places</a>\n"
          "<header>\n<h1>What broadcasting changes</h1>\n",
          file);
}

/* ---- the summary ---- */

static void write_risk(FILE *file, enum risk risk)
{
    fprintf(file, "<span class=\"risk %s\">%s</span>", risk_names[risk],
            risk_names[risk]);
}

static int64_t calls_of(const struct findings *findings, enum risk risk)
{
    int64_t calls = 0;

    for (size_t k = 0; k < findings->count; k++)
        calls += findings->at[k].risk == risk ? findings->at[k].count : 0;
    return calls;
}

static void write_totals(FILE *file, const struct findings *findings)
{
    fputs("<table class=\"totals\">\n<caption>Places by risk</caption>\n<thead><tr>"
          "<th scope=\"col\">Risk</th><th scope=\"col\">Meaning</th>"
          "<th scope=\"col\" class=\"figure\">Places</th>"
          "<th scope=\"col\" class=\"figure\">Calls</th></tr></thead>\n<tbody>\n",
          file);
    for (int risk = 0; risk < RISKS; risk++) {
        const int64_t count = findings_count(findings, (enum risk)risk);

        if (count == 0)
            continue;
        fputs("<tr><th scope=\"row\">", file);
        write_risk(file, (enum risk)risk);
        fprintf(file,
                "</th><td>%s</td><td class=\"figure\">%" PRId64
                "</td><td class=\"figure\">%" PRId64 "</td></tr>\n",
                risk_texts[risk], count, calls_of(findings, (enum risk)risk));
    }
    fputs("</tbody>\n</table>\n", file);
}

static void write_summary(FILE *file, const struct findings *findings)
{
    if (findings->count == 0)
        fprintf(file, "<p>Nothing%s was found that broadcasting changes.</p>\n",
                findings->has_baseline ? " new" : "");
    else
        fputs("<p>Operands of equal size were paired element by element; where their "
              "shapes differ, broadcasting repeats them instead. These are the places "
              "where that matters, the worst first, each with what to write.</p>\n",
              file);
    fputs("</header>\n<main>\n<section aria-labelledby=\"summary\">\n"
          "<h2 id=\"summary\">Summary</h2>\n",
          file);
    if (findings->count > 0)
        write_totals(file, findings);
    page_shadow_summary(file, findings);
    if (findings->has_baseline)
        fprintf(file,
                "<p>Not listed: %" PRId64 " of the baseline, which has %" PRId64
                " that %s not found.</p>\n",
                findings->known, findings->gone, findings->gone == 1 ? "was" : "were");
    fputs("</section>\n", file);
}

/* ---- the table ---- */

/* The script shows the form; without it, all places are listed. */
static void write_filters(FILE *file, const struct findings *findings)
{
    fputs("<form id=\"filters\" hidden=\"hidden\">\n"
          "<p><label for=\"risk\">Risk</label> <select id=\"risk\">"
          "<option value=\"\">all</option>",
          file);
    for (int risk = 0; risk < RISKS; risk++)
        if (findings_count(findings, (enum risk)risk) > 0)
            fprintf(file, "<option>%s</option>", risk_names[risk]);
    fputs("</select></p>\n<p><label for=\"text\">Place or call contains</label> "
          "<input id=\"text\" type=\"search\" autocomplete=\"off\"/></p>\n",
          file);
    if (findings_have_shadows(findings))
        fputs("<p><input id=\"differ\" type=\"checkbox\"/> <label for=\"differ\">Only "
              "places that change a number</label></p>\n",
              file);
    fputs("<p><button type=\"button\" id=\"toggle\">Open all places</button></p>\n"
          "<p id=\"shown\" role=\"status\"></p>\n</form>\n",
          file);
}

static void write_row(FILE *file, const struct finding *finding, size_t number,
                      bool has_shadow)
{
    char place[PLACE_SIZE];

    finding_place(finding, place, sizeof place);
    fprintf(file, "<tr data-place=\"place-%zu\"%s><td data-key=\"%d\">", number,
            finding->shadow.differ > 0 ? " data-differs=\"yes\"" : "",
            (int)finding->risk);
    write_risk(file, finding->risk);
    fprintf(file,
            "</td><td class=\"figure\">%" PRId64
            "</td><th scope=\"row\"><a href=\"#place-%zu\">",
            finding->count, number);
    page_path(file, place);
    fputs("</a></th><td>", file);
    page_call(file, finding);
    fprintf(file, "</td><td class=\"figure growth\">%.10g</td>",
            finding->growth > 0 ? finding->growth : 1.0);
    if (has_shadow)
        page_shadow_cell(file, &finding->shadow);
    fputs("</tr>\n", file);
}

static void write_table(FILE *file, const struct findings *findings, size_t count)
{
    const bool has_shadow = findings_have_shadows(findings);

    fprintf(file,
            "<table id=\"list\">\n<caption>Places, by risk and calls</caption>\n"
            "<thead><tr><th scope=\"col\" data-number=\"yes\">Risk</th>"
            "<th scope=\"col\" data-number=\"yes\" class=\"figure\">Calls</th>"
            "<th scope=\"col\">Place</th><th scope=\"col\">Call</th>"
            "<th scope=\"col\" data-number=\"yes\" class=\"figure growth\">Growth</th>"
            "%s</tr></thead>\n<tbody>\n",
            has_shadow ? "<th scope=\"col\" data-number=\"yes\" class=\"figure\">"
                         "Differ</th>"
                       : "");
    for (size_t k = 0; k < count; k++)
        write_row(file, &findings->at[k], k + 1, has_shadow);
    fputs("</tbody>\n</table>\n", file);
}

/* ---- the places ---- */

static void write_details(FILE *file, const struct findings *findings, size_t count)
{
    struct excerpt *const excerpt = calloc(count, sizeof *excerpt);
    static const struct excerpt none;
    struct fix_files sources = {.count = 0};

    if (excerpt && excerpts_read(findings->at, count, excerpt) != BL_OK)
        fail_status("some sources are not shown");
    fputs("<div id=\"details\">\n", file);
    for (size_t k = 0; k < count; k++)
        page_place(file, findings, k, excerpt ? &excerpt[k] : &none, &sources);
    fputs("</div>\n", file);
    fix_files_free(&sources);
    if (excerpt)
        excerpts_free(excerpt, count);
    free(excerpt);
}

static void write_places(FILE *file, const struct findings *findings)
{
    const size_t count = findings->count < PLACES_MOST ? findings->count : PLACES_MOST;

    fputs("<section aria-labelledby=\"places\">\n<h2 id=\"places\" tabindex=\"-1\">"
          "Places</h2>\n",
          file);
    if (count < findings->count)
        fprintf(file,
                "<p>These are the worst %zu of %zu; the other forms of the report have "
                "all.</p>\n",
                count, findings->count);
    if (count > 0) {
        write_filters(file, findings);
        write_table(file, findings, count);
        fputs("</section>\n<section aria-labelledby=\"each\">\n"
              "<h2 id=\"each\">Each place</h2>\n",
              file);
        write_details(file, findings, count);
    }
    fputs("</section>\n", file);
}

void findings_write_html(const struct findings *findings, FILE *file)
{
    write_head(file, findings);
    write_summary(file, findings);
    write_places(file, findings);
    fputs("</main>\n<footer><p>", file);
    page_text(file, "broadloom ");
    page_text(file, bl_version());
    fputs("</p></footer>\n<script>\n", file);
    write_pieces(file, page_script);
    fputs("</script>\n</body>\n</html>\n", file);
}
