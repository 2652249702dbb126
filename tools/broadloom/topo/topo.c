/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries the machine's topology, and prints it as text and as JSON.
 */
#include "topo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* Sort the processors' numbers by node, in the order of nodes. */
static void sort_processors(struct topo *topo)
{
    int32_t *next = topo->number;

    for (int32_t n = 0; n < topo->info.nodes; n++) {
        topo->node[n].first = next;
        for (int32_t p = 0; p < TOPO_NUMBERS; p++)
            if (bl_processor_node(p) == n)
                *next++ = p;
        topo->node[n].count = (int32_t)(next - topo->node[n].first);
    }
}

bl_status topo_read(bl_context *ctx, struct topo *topo)
{
    memset(topo, 0, sizeof *topo);
    topo->info.size = sizeof topo->info;
    TRY(bl_topology_query(ctx, &topo->info));
    topo->node = calloc((size_t)topo->info.nodes, sizeof *topo->node);
    topo->number = calloc(TOPO_NUMBERS, sizeof *topo->number);
    if (!topo->node || !topo->number)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the machine's nodes");
    for (int32_t n = 0; n < topo->info.nodes; n++) {
        topo->node[n].info.size = sizeof topo->node[n].info;
        TRY(bl_node_query(n, &topo->node[n].info));
    }
    sort_processors(topo);
    topo->has_distances = topo->info.nodes > 1 && bl_topology_distance(0, 0) > 0;
    return BL_OK;
}

void topo_free(struct topo *topo)
{
    free(topo->node);
    free(topo->number);
}

const char *topo_bytes(int64_t bytes, char text[32])
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int k = 0;

    for (; value >= 1024 && k < 4; k++)
        value /= 1024;
    if (bytes == 0)
        return "unknown";
    snprintf(text, 32,
             value < 10 && value != (double)(int)value ? "%.1f %s" : "%.0f %s", value,
             unit[k]);
    return text;
}

const char *topo_count(int64_t count, const char *what, char text[64])
{
    snprintf(text, 64, "%" PRId64 " %s%s", count, what, count == 1 ? "" : "s");
    return text;
}

void topo_caches(const struct topo *topo, char text[TOPO_TEXT])
{
    static const char *const level[] = {"level 1 data", "level 2", "level 3"};
    char bytes[32];
    int length = 0;

    text[0] = '\0';
    for (int k = 0; k < 3; k++)
        if (topo->info.cache_bytes[k] > 0)
            length += snprintf(text + length, TOPO_TEXT - (size_t)length, "%s%s %s",
                               length > 0 ? ", " : "", level[k],
                               topo_bytes(topo->info.cache_bytes[k], bytes));
}

/* ---- text ---- */

/* Print processor numbers as ranges, "0-3,8", without those that may not be used. */
static void print_usable(const struct topo_node *node)
{
    bool follows = false;

    for (int32_t i = 0; i < node->count; i++) {
        int32_t last = i;

        if (!bl_processor_is_usable(node->first[i]))
            continue;
        while (last + 1 < node->count &&
               node->first[last + 1] == node->first[last] + 1 &&
               bl_processor_is_usable(node->first[last + 1]))
            last++;
        printf(last > i ? "%s%" PRId32 "-%" PRId32 : "%s%" PRId32, follows ? "," : "",
               node->first[i], node->first[last]);
        follows = true;
        i = last;
    }
    putchar('\n');
}

static void print_nodes(const struct topo *topo)
{
    char bytes[32];

    printf("nodes      number  system's      memory  processors to use\n");
    for (int32_t n = 0; n < topo->info.nodes; n++) {
        const struct topo_node *const node = &topo->node[n];

        printf("%17" PRId32 " %9" PRId32 " %11s  ", n, node->info.os_index,
               topo_bytes(node->info.bytes, bytes));
        if (node->count == 0) {
            puts(strcmp(topo->info.source, "none") ? "none: memory only" : "all");
            continue;
        }
        printf("%" PRId32 " of %" PRId32 "%s", node->info.processors, node->count,
               node->info.processors > 0 ? ": " : "");
        print_usable(node);
    }
}

static void print_distances(const struct topo *topo)
{
    printf("distances ");
    for (int32_t from = 0; from < topo->info.nodes; from++) {
        printf(from == 0 ? " " : "           ");
        for (int32_t to = 0; to < topo->info.nodes; to++)
            printf("%6" PRId32, bl_topology_distance(from, to));
        putchar('\n');
    }
}

void topo_words(const struct topo *topo)
{
    const bl_topology_info *const info = &topo->info;
    char text[64], caches[TOPO_TEXT];

    printf("machine    %s, ", topo_count(info->nodes, "node", text));
    printf("%s for this process", topo_count(info->processors, "processor", text));
    puts(strcmp(info->source, "description") == 0
             ? "; described, not this machine: threads are not bound nor pages placed"
         : strcmp(info->source, "none") == 0 ? "; hwloc reported nothing"
                                             : "");
    print_nodes(topo);
    if (topo->has_distances)
        print_distances(topo);
    topo_caches(topo, caches);
    if (caches[0])
        printf("caches     %s\n", caches);
    if (info->core_kinds > 1)
        printf("cores      %" PRId32 " kinds that differ in speed\n", info->core_kinds);
    printf("mask       %s in the affinity mask or OpenMP's places\n",
           topo_count(info->mask, "processor", text));
    if (info->quota > 0)
        printf("quota      worth %s of the control group\n",
               topo_count(info->quota, "processor", text));
    printf("team       %s: %s\n", topo_count(info->team, "thread", text),
           info->limit_text);
}

/* ---- JSON ---- */

static void json_node(struct json *json, const struct topo *topo, int32_t n)
{
    const struct topo_node *const node = &topo->node[n];

    json_open(json, NULL, '{');
    json_integer(json, "node", n);
    json_integer(json, "os_index", node->info.os_index);
    json_integer(json, "bytes", node->info.bytes);
    json_integer(json, "processors", node->info.processors);
    json_open(json, "usable", '[');
    for (int32_t i = 0; i < node->count; i++)
        if (bl_processor_is_usable(node->first[i]))
            json_integer(json, NULL, node->first[i]);
    json_close(json, ']');
    json_open(json, "distances", '[');
    for (int32_t to = 0; topo->has_distances && to < topo->info.nodes; to++)
        json_integer(json, NULL, bl_topology_distance(n, to));
    json_close(json, ']');
    json_close(json, '}');
}

void topo_json(const struct topo *topo)
{
    const bl_topology_info *const info = &topo->info;
    struct json json = {stdout, false};

    json_open(&json, NULL, '{');
    json_string(&json, "source", info->source);
    json_integer(&json, "processors", info->processors);
    json_open(&json, "nodes", '[');
    for (int32_t n = 0; n < info->nodes; n++)
        json_node(&json, topo, n);
    json_close(&json, ']');
    json_integers(&json, "cache_bytes", 3, info->cache_bytes);
    json_integer(&json, "core_kinds", info->core_kinds);
    json_integer(&json, "mask", info->mask);
    json_integer(&json, "quota", info->quota);
    json_integer(&json, "team", info->team);
    json_string(&json, "limit", info->limit_text);
    json_close(&json, '}');
    putchar('\n');
}
