/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings of one place become one; those that remain are sorted by risk.
 */
#include "findings.h"

#include "kinds.h"
#include "reads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void finding_place(const struct finding *finding, char *text, size_t size)
{
    const char *const slash = strrchr(finding->module, '/');

    if (finding->file[0] != '\0')
        snprintf(text, size, "%s:%" PRId64, finding->file, finding->line);
    else if (finding->module[0] != '\0' && finding->offset > 0)
        snprintf(text, size, "%s+0x%" PRIx64, slash ? slash + 1 : finding->module,
                 finding->offset);
    else if (finding->module[0] != '\0')
        snprintf(text, size, "%s", slash ? slash + 1 : finding->module);
    else
        snprintf(text, size, "unknown place");
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Order by place, function and risk; where the file is known, addresses are ignored. */
static int compare_keys(const void *left, const void *right)
{
    const struct finding *const a = left, *const b = right;
    int order = compare_numbers(a->risk, b->risk);

    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : compare_numbers(a->line, b->line);
    order = order ? order : strcmp(a->function, b->function);
    if (order != 0 || a->file[0] != '\0')
        return order;
    order = strcmp(a->module, b->module);
    order = order ? order : strcmp(a->build_id, b->build_id);
    return order ? order : compare_numbers(a->offset, b->offset);
}

static int compare_risks(const void *left, const void *right)
{
    const struct finding *const a = left, *const b = right;
    int order = compare_numbers(a->risk, b->risk);

    order = order ? order : compare_numbers(b->count, a->count);
    return order ? order : compare_keys(a, b);
}

/* Order by growth, the largest first, then by shapes. */
static int compare_worst(const struct finding *a, const struct finding *b)
{
    const int order = (b->growth > a->growth) - (b->growth < a->growth);

    return order ? order : strcmp(a->shapes, b->shapes);
}

static void swap(char **a, char **b)
{
    char *const kept = *a;

    *a = *b;
    *b = kept;
}

/* Add what shadow runs found at the same place. */
static bl_status join_shadows(struct shadow *shadow, const struct shadow *other)
{
    shadow->compared += other->compared;
    shadow->unequal += other->unequal;
    shadow->elements += other->elements;
    shadow->differ += other->differ;
    shadow->not_finite += other->not_finite;
    if (other->max_abs > shadow->max_abs)
        shadow->max_abs = other->max_abs;
    if (other->max_rel > shadow->max_rel)
        shadow->max_rel = other->max_rel;
    if (other->max_ulp > shadow->max_ulp)
        shadow->max_ulp = other->max_ulp;
    shadow->spread += other->spread;
    shadow->forgotten += other->forgotten;
    return reads_join(&shadow->reads, other->reads);
}

/*
 * Merge `other`, a finding of the same place, into `finding`; it is freed.  In whatever
 * order findings are merged, the result is the same.
 */
static bl_status join(struct finding *finding, struct finding *other)
{
    bl_status status = kinds_join(&finding->kinds, other->kinds);

    if (status == BL_OK)
        status = join_shadows(&finding->shadow, &other->shadow);
    finding->count += other->count;
    if (compare_worst(other, finding) < 0) {
        swap(&finding->shapes, &other->shapes);
        finding->growth = other->growth;
        finding->expanded_dims = other->expanded_dims;
    }
    if (strcmp(other->caller, finding->caller) > 0)
        swap(&finding->caller, &other->caller);
    finding_drop(other);
    return status;
}

bl_status findings_merge(struct findings *findings)
{
    bl_status status = BL_OK;
    size_t kept = 0;

    if (findings->count == 0)
        return BL_OK;
    qsort(findings->at, findings->count, sizeof *findings->at, compare_keys);
    for (size_t k = 1; k < findings->count; k++) {
        struct finding *const last = &findings->at[kept], *const next =
                                                              &findings->at[k];

        if (compare_keys(last, next) != 0)
            findings->at[++kept] = *next;
        else if (status == BL_OK)
            status = join(last, next);
        else
            finding_drop(next);
    }
    findings->count = kept + 1;
    return status;
}

bl_status findings_sort(struct findings *findings)
{
    TRY(findings_merge(findings));
    if (findings->count > 0)
        qsort(findings->at, findings->count, sizeof *findings->at, compare_risks);
    return BL_OK;
}

int64_t findings_count(const struct findings *findings, enum risk risk)
{
    int64_t count = 0;

    for (size_t k = 0; k < findings->count; k++)
        count += findings->at[k].risk == risk;
    return count;
}
