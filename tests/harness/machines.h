/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machines that are not there: hwloc takes one from a line of text (HWLOC_SYNTHETIC) or
 * from a file (HWLOC_XMLFILE), which this writes.
 */
#ifndef MACHINES_H
#define MACHINES_H

#include <stdbool.h>

/* A package: processors first, first + 1, ... and the nodes that are local to them. */
struct package {
    int first;
    int count;
    int nodes;
};

/* A machine that HWLOC_SYNTHETIC has no words for. */
struct machine {
    struct package package[4]; /* ends with one without processors */
    int bare;                  /* nodes that are local to no processor */
    const char *distances; /* of all nodes, row by row, each with a blank behind it */
    int hole;              /* the system's numbers of the second node on rise by it */
    int fast;              /* processors from this one on are of another kind */
};

/* Write the file; false if that fails. */
bool machine_write(const struct machine *machine, const char *path);

#endif
