/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs reported of calls that broadcasting changes: one finding for each
 * operation, kind of change and place.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "tool.h"

#include <stdio.h>

/* By risk, the worst first. */
enum risk {
    RISK_VALUE,    /* other values, in a result of another size */
    RISK_FALLBACK, /* paired as 1-D, which modern rules refuse */
    RISK_SHAPE,    /* the same values in another shape */
    RISK_KEEPDIM,  /* a reduction that leaves keepdim out */
    RISK_NONE,     /* the same result: PyTorch's flag warns all the same */
    RISKS
};

struct finding {
    enum risk risk;
    char *function; /* these are "" where they are not known */
    char *file;
    int64_t line;
    char *module; /* with its build id and an offset, as addr2line takes it */
    char *build_id;
    int64_t offset;
    int64_t count;
    char *shapes; /* of the worst call: "(4,1) (4) -> (4,4)" */
    char *kinds;  /* of all kinds of calls: kinds.h */
    double growth;
    uint64_t grown; /* bit d set: dimension d of the result is longer than self's */
};

struct findings {
    struct finding *at;
    size_t count, room;
};

/* "value", and what it means in a few words. */
extern const char *const risk_names[RISKS];
extern const char *const risk_texts[RISKS];

/* Add those of a report.  BL_ERR_IO, BL_ERR_FORMAT, BL_ERR_MEMORY. */
bl_status findings_read(struct findings *findings, const char *path);

/* Find file and line of those that have an address, where addr2line can. */
void findings_resolve(struct findings *findings);

/* Join those of one place, and put the worst first.  BL_ERR_MEMORY. */
bl_status findings_sort(struct findings *findings);

/* How many have a risk. */
int64_t findings_count(const struct findings *findings, enum risk risk);

/* "train.c:41", "libmodel.so+0x1f30", "train" or "unknown place". */
void finding_place(const struct finding *finding, char *text, size_t size);

void findings_free(struct findings *findings);

/* ---- migrate_write.c, migrate_sarif.c ---- */

void findings_print(const struct findings *findings, FILE *file);
void findings_write_json(const struct findings *findings, FILE *file);
/* SARIF 2.1.0 */
void findings_write_sarif(const struct findings *findings, FILE *file);

#endif
