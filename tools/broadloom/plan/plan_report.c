/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a plan's query result.
 */
#include "plan_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "slices.h"

static void print_shape(const bl_plan_info *info)
{
    printf("%s[", bl_dtype_name(info->dtype));
    for (int32_t d = 0; d < info->rank; d++)
        printf("%s%" PRId64, d ? "," : "", info->extent[d]);
    putchar(']');
}

static void print_nest(const bl_plan_info *info)
{
    printf("nest     %d loop%s, outermost first; strides in bytes\n", (int)info->loops,
           info->loops == 1 ? "" : "s");
    printf("         %14s %12s", "extent", "result");
    for (int32_t k = 0; k < info->inputs; k++)
        printf("    operand %d", (int)k + 1);
    putchar('\n');
    for (int32_t i = 0; i < info->loops; i++) {
        printf("         %14" PRId64, info->loop[i].extent);
        for (int32_t k = 0; k <= info->inputs; k++)
            printf(" %12" PRId64, info->loop[i].stride[k]);
        putchar('\n');
    }
}

/* Print how elements are computed: method, tiles, staging buffers, stores. */
static void print_method(const bl_plan_info *info)
{
    const char *between = ", staged in L1:";

    printf("method   %s", info->method);
    if (info->min_iterations > 0)
        printf(", where a thread has %" PRId64 " iterations of their outermost loop",
               info->min_iterations);
    putchar('\n');

    if (info->tile[0] > 0)
        printf("tiles    %" PRId64 " x %" PRId64 " elements", info->tile[0],
               info->tile[1]);
    for (int32_t k = 0; info->tile[0] > 0 && k <= info->inputs; k++) {
        if (!(info->staged >> k & 1))
            continue;
        if (k == 0)
            printf("%s result", between);
        else
            printf("%s operand %d", between, (int)k);
        printf(" (%" PRId64 " bytes)", info->buffer_bytes[k]);
        between = ",";
    }
    if (info->tile[0] > 0)
        putchar('\n');
    if (info->staging_bytes > 0)
        printf("staging  %" PRId64 " bytes for each thread\n", info->staging_bytes);
    printf("stores   %s\n", info->non_temporal ? "non-temporal" : "cached");
}

static bl_status print_slices(const struct plan_report *report)
{
    struct slices slices;

    TRY(slices_make(report->plan, report->threads, &slices));
    for (int32_t i = 0; i < slices.count; i++) {
        const bl_slice *const slice = &slices.slice[i];

        printf(
            "         %-5d node %-3d elements %" PRId64 " to %" PRId64 " of the nest\n",
            (int)slice->thread, (int)slice->node, slice->range.begin, slice->range.end);
    }
    slices_free(&slices);
    return BL_OK;
}

/* Print the node ranges of a result that has no pages yet, on several nodes. */
static bl_status print_node_ranges(const struct plan_report *report)
{
    struct slices ranges;

    TRY(slices_of_nodes(report->plan, &ranges));

    const bool is_shown = ranges.count > 1 && report->threads > 1;

    if (is_shown)
        puts("nodes    of a result without pages yet; else work follows its memory");
    for (int32_t i = 0; is_shown && i < ranges.count; i++)
        printf("         node %-3d elements %" PRId64 " to %" PRId64 " of the nest\n",
               (int)ranges.slice[i].node, ranges.slice[i].range.begin,
               ranges.slice[i].range.end);
    slices_free(&ranges);
    return BL_OK;
}

bl_status plan_report_words(const struct plan_report *report)
{
    const bl_plan_info *info = report->info;

    printf("call     %s", report->call->name);
    for (int32_t k = 0; k < info->inputs; k++)
        printf(" %s", report->call->text[k]);
    printf("%s\nresult   ", report->call->inplace ? ", in place" : "");
    print_shape(info);
    printf(", %" PRId64 " elements; %" PRId64 " bytes read and written\n", info->numel,
           info->bytes);
    print_nest(info);
    printf("kernel   %s, %s\n", info->kernel, info->isa);
    print_method(info);
    printf("threads  %d of %d by the cost model", (int)report->threads,
           (int)info->threads);
    if (report->threads < info->threads)
        printf(": %s", report->limit);
    putchar('\n');
    TRY(print_slices(report));
    return print_node_ranges(report);
}

static void json_nest(struct json *json, const bl_plan_info *info)
{
    json_open(json, "nest", '[');
    for (int32_t i = 0; i < info->loops; i++) {
        json_open(json, NULL, '{');
        json_integer(json, "extent", info->loop[i].extent);
        json_integers(json, "strides", 1 + info->inputs, info->loop[i].stride);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_method(struct json *json, const bl_plan_info *info)
{
    json_string(json, "method", info->method);
    json_integers(json, "tile", 2, info->tile);
    json_integer(json, "min_iterations", info->min_iterations);
    json_open(json, "staged", '[');
    for (int32_t k = 0; k <= info->inputs; k++)
        if (info->staged >> k & 1)
            json_integer(json, NULL, k);
    json_close(json, ']');
    json_integers(json, "buffer_bytes", 1 + info->inputs, info->buffer_bytes);
    json_integer(json, "staging_bytes", info->staging_bytes);
    json_boolean(json, "non_temporal", info->non_temporal);
}

/* Write ranges of iterations, with their threads if they have them, and free them. */
static void json_slices(struct json *json, const char *name, bool has_threads,
                        struct slices *slices)
{
    json_open(json, name, '[');
    for (int32_t i = 0; i < slices->count; i++) {
        const bl_slice *const slice = &slices->slice[i];

        json_open(json, NULL, '{');
        if (has_threads)
            json_integer(json, "thread", slice->thread);
        json_integer(json, "node", slice->node);
        json_integers(json, "range", 2,
                      (const int64_t[]){slice->range.begin, slice->range.end});
        json_close(json, '}');
    }
    json_close(json, ']');
    slices_free(slices);
}

bl_status plan_report_json(const struct plan_report *report)
{
    const bl_plan_info *info = report->info;
    struct json json = {stdout, false};
    struct slices slices;

    json_open(&json, NULL, '{');
    json_string(&json, "op", report->call->name);
    json_open(&json, "operands", '[');
    for (int32_t k = 0; k < info->inputs; k++)
        json_string(&json, NULL, report->call->text[k]);
    json_close(&json, ']');
    json_string(&json, "mode", report->call->inplace ? "inplace" : "new");
    json_open(&json, "result", '{');
    json_string(&json, "dtype", bl_dtype_name(info->dtype));
    json_integers(&json, "shape", info->rank, info->extent);
    json_integer(&json, "elements", info->numel);
    json_close(&json, '}');
    json_integer(&json, "bytes", info->bytes);
    json_nest(&json, info);
    json_string(&json, "kernel", info->kernel);
    json_string(&json, "isa", info->isa);
    json_method(&json, info);
    json_integer(&json, "threads", report->threads);
    json_integer(&json, "threads_by_cost", info->threads);
    json_string(&json, "limit", report->limit);
    TRY(slices_make(report->plan, report->threads, &slices));
    json_slices(&json, "slices", true, &slices);
    TRY(slices_of_nodes(report->plan, &slices));
    json_slices(&json, "node_ranges", false, &slices);
    json_close(&json, '}');
    putchar('\n');
    return BL_OK;
}
