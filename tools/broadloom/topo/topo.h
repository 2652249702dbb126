/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's topology and the team, as the library reports them.
 */
#ifndef TOPO_H
#define TOPO_H

#include <stdio.h>

#include "tool.h"

/* Upper bound of processor numbers on Linux. */
enum { TOPO_NUMBERS = 8192 };

struct topo_node {
    bl_node_info info;
    int32_t count;  /* processors, including those that may not be used */
    int32_t *first; /* their numbers */
};

struct topo {
    bl_topology_info info;
    struct topo_node *node;
    int32_t *number; /* of all processors, by node */
    bool has_distances;
};

/* Query the library. Free with topo_free(), also after a failure. */
bl_status topo_read(bl_context *ctx, struct topo *topo);
void topo_free(struct topo *topo);

/* Write "206 MiB", with three significant digits; "unknown" for 0. */
const char *topo_bytes(int64_t bytes, char text[32]);

/* Write "2 nodes": a count and its noun. */
const char *topo_count(int64_t count, const char *what, char text[64]);

/* Write "level 2 512 KiB, level 3 16 MiB": the cache sizes that are known. */
enum { TOPO_TEXT = 128 };
void topo_caches(const struct topo *topo, char text[TOPO_TEXT]);

/* ---- output formats ---- */

void topo_words(const struct topo *topo);
void topo_json(const struct topo *topo);
void topo_svg(const struct topo *topo, FILE *file);

#endif
