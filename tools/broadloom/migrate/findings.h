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

/*
 * What a shadow run found at a place, where calls were computed both ways: as 1-D and
 * broadcast.  Results are compared element by element, the smaller one expanded to the
 * shape of the larger.  All 0 without a shadow run.
 */
struct shadow {
    int64_t compared;   /* calls that were computed both ways, at most finding.count */
    int64_t unequal;    /* of these, calls with elements that differ */
    int64_t elements;   /* of the larger results of all compared calls */
    int64_t differ;     /* of these, elements that differ */
    int64_t not_finite; /* of these, elements of which one or both are not finite */
    double max_abs;     /* of finite elements: the largest difference, ... */
    double max_rel;     /* ... of that over the larger of two magnitudes, at most 2, */
    int64_t max_ulp;    /* ... in units in the last place of the result's dtype */
    int64_t spread;     /* results of other calls, computed from differing ones */
    int64_t forgotten;  /* differing tensors that were no longer followed */
    char *reads;        /* where their elements left the library: reads.h */
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
    struct shadow shadow;
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

/* ---- migrate_write.c, migrate_sarif.c, page.c ---- */

void findings_print(const struct findings *findings, FILE *file);
void findings_write_json(const struct findings *findings, FILE *file);
/* SARIF 2.1.0 */
void findings_write_sarif(const struct findings *findings, FILE *file);
/*
 * A page for browsers, which has all that it needs: with source lines, where they can
 * be read, and pictures.  It has the worst 1000 places.
 */
void findings_write_html(const struct findings *findings, FILE *file);

#endif
