/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of calls that a program in any language recorded, a line each:
 *
 *   OPERATION SHAPE... FILE:LINE        add (4,1) (4) train.py:41
 *
 * OPERATION is a name as of --op; with an underscore at its end the first operand is
 * the result.  Quotes keep blanks in FILE.  Empty lines, and those that begin with '#',
 * are no calls.
 */
#ifndef CALL_LIST_H
#define CALL_LIST_H

#include "shape_query.h"

/* How the findings of lists are written; REPORT_LINES is as programs write reports. */
enum report_form {
    REPORT_NONE,
    REPORT_TEXT,
    REPORT_JSON,
    REPORT_SARIF,
    REPORT_HTML,
    REPORT_LINES
};

/*
 * Read lists of calls, "-" for standard input, and write to standard output what is
 * found under the query's rules and predicate.  Lines that are malformed, or that the
 * rules refuse, are printed on standard error with their numbers, ten at most; nothing
 * is written then.  Memory is that of the places, not of the lines.  BL_ERR_RULES for
 * rules that change nothing.
 */
bl_status call_list_report(const struct shape_query *query, char *const *paths,
                           enum report_form form);

#endif
