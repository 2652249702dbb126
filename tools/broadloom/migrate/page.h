/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as an HTML document that is well-formed XML, too: the parts that
 * findings_write_html() is made of.
 */
#ifndef PAGE_H
#define PAGE_H

#include "excerpt.h"
#include "fix.h"

/* Bytes of a report's text that are shown. */
enum { TEXT_MOST = 400 };

/* Its style and script, in pieces; NULL ends each. */
extern const char *const page_style[];
extern const char *const page_script[];

/* Write a text of a report, escaped. */
void page_text(FILE *file, const char *text);

/* Write a path, which may be broken after its slashes. */
void page_path(FILE *file, const char *path);

/* Write <name class="kind">text</name>. */
void page_element(FILE *file, const char *name, const char *kind, const char *text);

/* Write "1 call", "2 calls". */
void page_count(FILE *file, int64_t count, const char *what);

/* Write the operation and the shapes of the worst call. */
void page_call(FILE *file, const struct finding *finding);

/* Write what is known of the place of finding `k`; `sources` are those of patches. */
void page_place(FILE *file, const struct findings *findings, size_t k,
                const struct excerpt *excerpt, struct fix_files *sources);

/* ---- page_changes.c ---- */

/* Write what to write instead at the place of finding `k`, with its patches. */
void page_changes(FILE *file, const struct findings *findings, size_t k,
                  struct fix_files *sources);

/* ---- page_shadow.c ---- */

/* Write what a shadow run found: of all places, in the table, of one place. */
void page_shadow_summary(FILE *file, const struct findings *findings);
void page_shadow_cell(FILE *file, const struct shadow *shadow);
void page_shadow(FILE *file, const struct finding *finding);

#endif
