/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machines as XML files in hwloc's format, version 2.
 */
#include "machines.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct writer {
    FILE *file;
    const struct machine *machine;
    uint64_t processors, nodes; /* of the whole machine */
    int objects; /* number of objects written so far; each has a number */
    int node;    /* nodes written so far */
};

static uint64_t bits(int first, int count)
{
    return ((UINT64_C(1) << count) - 1) << first;
}

/* The operating system's number of a node. */
static int number_of(const struct machine *machine, int node)
{
    return node == 0 ? 0 : node + machine->hole;
}

static uint64_t node_bits(const struct machine *machine, int first, int count)
{
    uint64_t set = 0;

    for (int n = first; n < first + count; n++)
        set |= bits(number_of(machine, n), 1);
    return set;
}

/* Open an object; `end` closes it immediately or leaves it open for children. */
static void object(struct writer *writer, const char *type, int number,
                   uint64_t processors, uint64_t nodes, const char *end)
{
    fprintf(writer->file,
            "<object type=\"%s\" os_index=\"%d\" cpuset=\"0x%08" PRIx64
            "\" complete_cpuset=\"0x%08" PRIx64 "\" nodeset=\"0x%08" PRIx64
            "\" complete_nodeset=\"0x%08" PRIx64 "\" gp_index=\"%d\"%s\n",
            type, number, processors, processors, nodes, nodes, ++writer->objects, end);
}

static void memory(struct writer *writer, uint64_t processors, int nodes)
{
    for (int n = 0; n < nodes; n++) {
        const int number = number_of(writer->machine, writer->node++);

        object(writer, "NUMANode", number, processors, bits(number, 1),
               " local_memory=\"1073741824\"/>");
    }
}

static void package(struct writer *writer, int number, const struct package *package)
{
    const uint64_t processors = bits(package->first, package->count);
    const uint64_t nodes = node_bits(writer->machine, writer->node, package->nodes);

    object(writer, "Package", number, processors, nodes, ">");
    memory(writer, processors, package->nodes);
    for (int p = package->first; p < package->first + package->count; p++)
        object(writer, "PU", p, bits(p, 1), nodes, "/>");
    fputs("</object>\n", writer->file);
}

static void distances(const struct writer *writer)
{
    char indexes[64] = "";

    for (int n = 0; n < writer->node; n++)
        snprintf(indexes + strlen(indexes), sizeof indexes - strlen(indexes), "%d ",
                 number_of(writer->machine, n));
    fprintf(writer->file,
            "<distances2 type=\"NUMANode\" nbobjs=\"%d\" kind=\"5\" "
            "name=\"NUMALatency\" indexing=\"os\">\n"
            "<indexes length=\"%zu\">%s</indexes>\n"
            "<u64values length=\"%zu\">%s</u64values>\n</distances2>\n",
            writer->node, strlen(indexes), indexes, strlen(writer->machine->distances),
            writer->machine->distances);
}

static void kinds(const struct writer *writer)
{
    const int fast = writer->machine->fast;

    fprintf(writer->file,
            "<cpukind cpuset=\"0x%08" PRIx64 "\" forced_efficiency=\"0\"/>\n"
            "<cpukind cpuset=\"0x%08" PRIx64 "\" forced_efficiency=\"1\"/>\n",
            writer->processors & bits(0, fast), writer->processors & ~bits(0, fast));
}

bool machine_write(const struct machine *machine, const char *path)
{
    struct writer writer = {fopen(path, "w"), machine, 0, 0, 0, 0};
    int nodes = machine->bare, packages = 0;

    if (!writer.file)
        return false;
    for (; packages < 4 && machine->package[packages].count > 0; packages++) {
        const struct package *const next = &machine->package[packages];

        writer.processors |= bits(next->first, next->count);
        nodes += next->nodes;
    }
    writer.nodes = node_bits(machine, 0, nodes);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n",
          writer.file);
    object(&writer, "Machine", 0, writer.processors, writer.nodes, ">");
    for (int k = 0; k < packages; k++)
        package(&writer, k, &machine->package[k]);
    for (int k = 0; k < machine->bare; k++) {
        object(&writer, "Group", k, 0, node_bits(machine, writer.node, 1),
               " kind=\"1001\">");
        memory(&writer, 0, 1);
        fputs("</object>\n", writer.file);
    }
    fputs("</object>\n", writer.file);
    if (machine->distances)
        distances(&writer);
    if (machine->fast > 0)
        kinds(&writer);
    fputs("</topology>\n", writer.file);
    return fclose(writer.file) == 0;
}
