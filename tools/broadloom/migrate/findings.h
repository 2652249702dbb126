/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that broadcasting changes, as programs reported them: one finding for each
 * operation, kind of change and place.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "tool.h"

#include <stdio.h>

/* By risk, highest first. */
enum risk {
    RISK_VALUE,    /* different values, in a result of another size */
    RISK_FALLBACK, /* paired as 1-D, which modern rules refuse */
    RISK_SHAPE,    /* the same values in another shape */
    RISK_KEEPDIM,  /* a reduction that leaves keepdim out */
    RISK_NONE,     /* no change: PyTorch's flag warns all the same */
    RISKS
};

struct finding {
    enum risk risk;
    char *function; /* these are "" where they are not known */
    char *caller;   /* the function of the program that has the place */
    char *file;
    int64_t line;
    char *module; /* with its build ID and an offset, in addr2line's form */
    char *build_id;
    int64_t offset;
    int64_t count;
    char *shapes; /* of the worst call: "(4,1) (4) -> (4,4)" */
    char *kinds;  /* of all kinds of calls: kinds.h */
    double growth;
    uint64_t
        expanded_dims; /* bit d set: dimension d of the result is longer than self's */
};

struct findings {
    struct finding *at;
    size_t count, room;
    bool has_baseline;   /* only new places are left */
    int64_t known, gone; /* places that it has, and those it has that were not found */
};

/* The name of a risk, as "value", and a short description. */
extern const char *const risk_names[RISKS];
extern const char *const risk_texts[RISKS];

/*
 * Add the findings of a report, "-" for standard input.  BL_ERR_IO, BL_ERR_FORMAT,
 * BL_ERR_MEMORY.  Memory is that of twice the places, however many lines there are.
 */
bl_status findings_read(struct findings *findings, const char *path);

/* Add those of an open file; `path` is what messages call it. */
bl_status findings_read_stream(struct findings *findings, const char *path, FILE *file);

/* Find file and line of findings that have an address, where addr2line can. */
void findings_resolve(struct findings *findings);

/* Merge findings of the same place, in any order. BL_ERR_MEMORY. */
bl_status findings_merge(struct findings *findings);

/* Merge them, and sort by risk, highest first. BL_ERR_MEMORY. */
bl_status findings_sort(struct findings *findings);

/* Number of findings with a risk. */
int64_t findings_count(const struct findings *findings, enum risk risk);

/* "train.c:41", "libmodel.so+0x1f30", "train" or "unknown place". */
void finding_place(const struct finding *finding, char *text, size_t size);

/* Free what a finding has. */
void finding_drop(struct finding *finding);

void findings_free(struct findings *findings);

/* ---- migrate_write.c, migrate_sarif.c ---- */

void findings_print(const struct findings *findings, FILE *file);
void findings_write_json(const struct findings *findings, FILE *file);
/* SARIF 2.1.0 */
void findings_write_sarif(const struct findings *findings, FILE *file);

#endif
