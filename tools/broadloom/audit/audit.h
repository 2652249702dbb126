/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Audits the locality of a chain of calls: which memory each node's threads touched,
 * and which node it lies on.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "audit_chain.h"
#include "locality.h"

/* Operands from this size on benefit from placement, and count in the verdict. */
enum { LARGE_BYTES = 4 << 20 };

struct audit {
    const struct call *call;
    enum touch touch;

    bl_topology_info machine;
    int32_t threads; /* of the last call */
    int32_t calls;   /* made; the first (warm-up) is not counted */
    int32_t arrays;  /* the result, then the operands; one fewer in place */
    int64_t bytes[1 + BL_MAX_INPUTS];          /* of each array's memory */
    struct locality found[1 + BL_MAX_INPUTS];  /* as measured */
    struct locality wanted[1 + BL_MAX_INPUTS]; /* if all memory were divided over the
                                                  nodes in order */
};

/*
 * Make `calls` calls, at least 2, and count all except the first.  Free with
 * audit_free().  BL_ERR_UNSUPPORTED where the topology is synthetic, or the system does
 * not report the nodes of pages.
 */
bl_status audit_run(bl_context *ctx, const struct call *call, enum touch touch,
                    int32_t calls, struct audit *audit);
void audit_free(struct audit *audit);

/*
 * The array's operand as text ("result" or its notation); `array` is its number in the
 * call.
 */
const char *audit_name(const struct audit *audit, int32_t array);

/* Whether the array counts in the verdict: the result does, and large operands. */
bool audit_is_judged(const struct audit *audit, int32_t array);

/*
 * Measured locality in percent of the ideal, at most 100; for the whole call, the
 * minimum over the arrays that count.
 */
double audit_percent(const struct audit *audit, int32_t array);
double audit_verdict(const struct audit *audit);

/* Print the audit as text, or as one line of JSON. */
void audit_words(const struct audit *audit);
void audit_json(const struct audit *audit);

#endif
