/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on views of one block, checked by brute force.
 */
#include "views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "reference/ref.h"
#include "tap.h"

static bl_array array_of(const struct view *view, unsigned char *block)
{
    const int64_t unit = view->counts_bytes ? 1 : (int64_t)ref_size(view->dtype);

    return (bl_array){.data = block + view->offset * unit,
                      .dtype = view->dtype,
                      .rank = view->rank,
                      .extent = view->extent,
                      .stride = view->stride,
                      .flags = view->counts_bytes ? BL_ARRAY_BYTE_STRIDES : 0};
}

/* Address of the input's element that is combined with the result's element `i`. */
static const char *meeting(const bl_array *in, const bl_array *out, int64_t i)
{
    int64_t offset = 0;

    for (int32_t d = out->rank - 1; d >= out->rank - in->rank; d--) {
        const int32_t e = d - (out->rank - in->rank);

        offset += in->extent[e] == 1 ? 0 : i % out->extent[d] * in->stride[e];
        i /= out->extent[d];
    }
    if ((in->flags & BL_ARRAY_BYTE_STRIDES) == 0)
        offset *= (int64_t)ref_size(in->dtype);
    return (const char *)in->data + offset;
}

/* Mark each byte that the result writes; true if a byte is written twice. */
static bool mark_result(const bl_array *out, const unsigned char *block,
                        unsigned char *mark)
{
    const int64_t size = (int64_t)ref_size(out->dtype);
    bool is_twice = false;

    for (int64_t i = 0; i < ref_count(out); i++) {
        unsigned char *at = mark + (ref_at(out, i) - (const char *)block);

        for (int64_t b = 0; b < size; b++) {
            is_twice = is_twice || at[b] != 0;
            at[b] = 1;
        }
    }
    return is_twice;
}

static bool is_exact(const bl_array *in, const bl_array *out)
{
    if (ref_size(in->dtype) != ref_size(out->dtype))
        return false;
    for (int64_t i = 0; i < ref_count(out); i++)
        if (meeting(in, out, i) != ref_at(out, i))
            return false;
    return true;
}

static bool touches(const bl_array *in, const unsigned char *block,
                    const unsigned char *mark)
{
    const int64_t size = (int64_t)ref_size(in->dtype);

    for (int64_t i = 0; i < ref_count(in); i++)
        for (int64_t b = 0; b < size; b++)
            if (mark[ref_at(in, i) + b - (const char *)block] != 0)
                return true;
    return false;
}

enum sharing views_sharing(const struct shared *shared)
{
    unsigned char *block = calloc(2, shared->bytes);
    unsigned char *mark = block + shared->bytes;
    const bl_array out = array_of(&shared->out, block);
    enum sharing sharing = SHARING_NONE;

    if (mark_result(&out, block, mark))
        sharing = SHARING_SELF;
    for (int32_t k = 0; sharing == SHARING_NONE && k < shared->inputs; k++) {
        const bl_array in = array_of(&shared->in[k], block);

        if (touches(&in, block, mark) && !is_exact(&in, &out))
            sharing = SHARING_PARTIAL;
    }
    free(block);
    return sharing;
}

/* ---- running ---- */

struct run {
    const struct shared *shared;
    unsigned char *block;  /* the block that the call works on */
    unsigned char *before; /* its contents before the call */
    unsigned char *want;   /* the expected result, compact */
    double *slack;         /* error bound of each element */
    int32_t copies;        /* reported to the observer */
    bl_array out;
    bl_array in[VIEW_INPUTS];
    const bl_array *input[VIEW_INPUTS];
};

static bl_status count_copies(void *user, const bl_event *event)
{
    struct run *run = user;

    if (event->kind == BL_EVENT_OVERLAP_COPIED)
        run->copies++;
    return BL_OK;
}

static void note_run(const struct run *run, const char *what)
{
    const struct shared *shared = run->shared;

    tap_note("%s: %s (%s)", shared->name, what, bl_error_message());
    for (int32_t k = -1; k < shared->inputs; k++) {
        const struct view *view = k < 0 ? &shared->out : &shared->in[k];

        tap_note("  %s %s +%" PRId64 "%s", k < 0 ? "result" : "input",
                 ref_dtype_name(view->dtype), view->offset,
                 view->counts_bytes ? ", in bytes" : "");
        for (int32_t d = 0; d < view->rank; d++)
            tap_note("    extent %" PRId64 " stride %" PRId64, view->extent[d],
                     view->stride[d]);
    }
}

/* Reset the block to `before`, and compute the expected result from a copy. */
static void set_up(struct run *run)
{
    const struct shared *shared = run->shared;

    memcpy(run->block, run->before, shared->bytes);
    run->copies = 0;
    run->out = array_of(&shared->out, run->before);
    for (int32_t k = 0; k < shared->inputs; k++) {
        run->in[k] = array_of(&shared->in[k], run->before);
        run->input[k] = &run->in[k];
    }
    ref_apply(shared->op, run->input, &run->out, run->want, run->slack);
    run->out = array_of(&shared->out, run->block);
    for (int32_t k = 0; k < shared->inputs; k++)
        run->in[k] = array_of(&shared->in[k], run->block);
}

/* Whether the result equals the reference's, and all other bytes are unchanged. */
static bool is_right(struct run *run)
{
    const struct shared *shared = run->shared;
    const size_t size = ref_size(run->out.dtype);

    for (int64_t i = 0; i < ref_count(&run->out); i++) {
        char *at = ref_at(&run->out, i);

        if (!ref_same(run->out.dtype, run->want + i * (int64_t)size, at, run->slack[i]))
            return false;
        memcpy(at, run->before + (at - (const char *)run->block), size);
    }
    return memcmp(run->block, run->before, shared->bytes) == 0;
}

static bool check_policy(struct run *run, bl_context *ctx, bl_overlap policy,
                         enum sharing sharing, struct views_counts *counts)
{
    const struct shared *shared = run->shared;
    const bl_status expected =
        sharing == SHARING_SELF                                     ? BL_ERR_ARGUMENT
        : sharing == SHARING_PARTIAL && policy == BL_OVERLAP_REFUSE ? BL_ERR_OVERLAP
                                                                    : BL_OK;

    set_up(run);
    if (bl_context_set_overlap(ctx, policy) != BL_OK)
        return false;
    const bl_status status =
        bl_apply(ctx, shared->op, &run->out, shared->inputs, run->input, NULL);

    counts->runs++;
    if (status != BL_OK && memcmp(run->block, run->before, shared->bytes) != 0) {
        note_run(run, "refused, but memory was written");
        return false;
    }
    if (status == BL_OK && !is_right(run)) {
        note_run(run, "wrong result");
        return false;
    }
    if (status != expected &&
        !(status == BL_OK && expected == BL_ERR_OVERLAP && run->copies > 0) &&
        !(status == BL_ERR_ARGUMENT && expected == BL_OK)) {
        note_run(run, status == BL_OK ? "not refused" : "refused");
        return false;
    }
    if (status != expected || (sharing == SHARING_NONE && run->copies > 0))
        counts->gave_up++;
    if (status == BL_OK && sharing == SHARING_PARTIAL && run->copies == 0) {
        note_run(run, "the copy was not reported to the observer");
        return false;
    }
    return true;
}

/* Fill with distinct values of the dtype that is read. */
static void fill(bl_op op, bl_dtype dtype, unsigned char *block, size_t bytes)
{
    const size_t size = ref_size(dtype);

    memset(block, 1, bytes);
    for (size_t i = 0; (i + 1) * size <= bytes; i++)
        problem_put(op, dtype, 1, (int64_t)i * 151, block + i * size);
}

bool views_check(const struct shared *shared, int32_t threads,
                 struct views_counts *counts)
{
    const enum sharing sharing = views_sharing(shared);
    struct run run = {.shared = shared};
    bl_context *ctx = NULL;
    int64_t count = 1;
    bool pass = false;

    for (int32_t d = 0; d < shared->out.rank; d++)
        count *= shared->out.extent[d];
    run.block = aligned_alloc(64, (shared->bytes + 127) / 64 * 64);
    run.before = aligned_alloc(64, (shared->bytes + 127) / 64 * 64);
    run.want = malloc((size_t)(count + 1) * REF_ELEMENT);
    run.slack = malloc((size_t)(count + 1) * sizeof *run.slack);
    if (run.block != NULL && run.before != NULL && run.want != NULL &&
        run.slack != NULL && bl_context_create(&ctx) == BL_OK &&
        bl_context_set_threads(ctx, threads) == BL_OK) {
        bl_context_set_observer(ctx, count_copies, &run);
        fill(shared->op, shared->in[shared->inputs - 1].dtype, run.before,
             shared->bytes);
        pass = check_policy(&run, ctx, BL_OVERLAP_COPY, sharing, counts) &&
               check_policy(&run, ctx, BL_OVERLAP_REFUSE, sharing, counts);
    }
    bl_context_destroy(ctx);
    free(run.block);
    free(run.before);
    free(run.want);
    free(run.slack);
    return pass;
}
