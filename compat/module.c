/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which file of the process an address is from: its path, where in it, and the build
 * id that the linker gave it.
 */
#define _GNU_SOURCE

#include "warnings.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct search {
    uint64_t address;
    struct bli_module *module;
};

/* Whether a segment of an object that is loaded at `base` is there and has the address.
 */
static bool holds(const ElfW(Phdr) * segment, uint64_t base, uint64_t address)
{
    return segment->p_type == PT_LOAD && address >= base + segment->p_vaddr &&
           address - base - segment->p_vaddr < segment->p_memsz;
}

/* The build id among the notes of a segment, if it is there. */
static void read_notes(const unsigned char *at, size_t size, char build_id[65])
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;

        memcpy(&note, at, sizeof note);

        const size_t name = sizeof note;
        const size_t content = name + ((note.n_namesz + (size_t)3) & ~(size_t)3);
        const size_t end = content + ((note.n_descsz + (size_t)3) & ~(size_t)3);

        if (end > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(at + name, "GNU", 4) == 0)
            for (size_t i = 0; i < note.n_descsz && i < 32; i++)
                snprintf(build_id + 2 * i, 3, "%02x", at[content + i]);
        at += end;
        size -= end;
    }
}

/* The program itself has no name here. */
static const char *path_of(const char *name)
{
    static char program[4096]; /* the same whoever writes it */
    ssize_t length;

    if (name && name[0] != '\0')
        return name;
    length = readlink("/proc/self/exe", program, sizeof program - 1);
    return length > 0 ? program : "";
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *const search = data;
    bool found = false;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        found = found || holds(&info->dlpi_phdr[i], info->dlpi_addr, search->address);
    if (!found)
        return 0;
    search->module->path = path_of(info->dlpi_name);
    search->module->offset = search->address - info->dlpi_addr;
    search->module->build_id[0] = '\0';
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes((const unsigned char *)(uintptr_t)(info->dlpi_addr +
                                                          info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz, search->module->build_id);
    return 1;
}

bool bli_module_find(const void *address, struct bli_module *module)
{
    struct search search = {(uint64_t)(uintptr_t)address, module};

    return address && dl_iterate_phdr(visit, &search) == 1;
}
