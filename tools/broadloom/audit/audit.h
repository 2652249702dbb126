/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory each node's threads touched in a chain of calls, and where it lies.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "audit_chain.h"
#include "locality.h"

/* Operands from this size on are worth placing, and are judged. */
enum { LARGE_BYTES = 4 << 20 };

struct audit {
    const struct call *call;
    enum touch touch;

    bl_topology_info machine;
    int32_t threads; /* of the last call */
    int32_t calls;   /* made; the first is not counted */
    int32_t arrays;  /* the result, then the operands; one less in place */
    int64_t bytes[1 + BL_MAX_INPUTS];          /* of memory of each */
    struct locality found[1 + BL_MAX_INPUTS];  /* as it was */
    struct locality wanted[1 + BL_MAX_INPUTS]; /* with all memory divided in order */
};

/*
 * Make `calls` calls, 2 at least, and count all but the first.  Free with audit_free().
 * BL_ERR_UNSUPPORTED where nodes are a description, or the system does not tell where
 * memory lies.
 */
bl_status audit_run(bl_context *ctx, const struct call *call, enum touch touch,
                    int32_t calls, struct audit *audit);
void audit_free(struct audit *audit);

/* The operand's name, as "result" or its notation; the array's number in the call. */
const char *audit_name(const struct audit *audit, int32_t array);

/* Whether the array counts in the verdict: the result, and large operands. */
bool audit_is_judged(const struct audit *audit, int32_t array);

/*
 * What was found in percent of what was wanted, 100 at most; of the arrays judged, the
 * least.
 */
double audit_percent(const struct audit *audit, int32_t array);
double audit_verdict(const struct audit *audit);

/* Print it in words, or as one line of JSON. */
void audit_words(const struct audit *audit);
void audit_json(const struct audit *audit);

#endif
