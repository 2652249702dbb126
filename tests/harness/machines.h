/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synthetic machines: hwloc reads one from a line of text (HWLOC_SYNTHETIC) or from a
 * file (HWLOC_XMLFILE), which this writes.
 */
#ifndef MACHINES_H
#define MACHINES_H

#include <stdbool.h>

/* A package: processors first, first + 1, ... and the nodes local to them. */
struct package {
    int first;
    int count;
    int nodes;
};

/* A machine that HWLOC_SYNTHETIC cannot express. */
struct machine {
    struct package package[4]; /* ends with one without processors */
    int bare;                  /* nodes that are not local to any processor */
    const char *distances;     /* of all nodes, row by row, each followed by a blank */
    int hole; /* added to the system's numbers from the second node on */
    int fast; /* processors from this one on are of another core type */
};

/* Write the file; false if that fails. */
bool machine_write(const struct machine *machine, const char *path);

#endif
