/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the loaded file (program or shared library) that an address belongs to: its
 * path, the offset in it, and the build id that the linker gave it.
 */
#define _GNU_SOURCE

#include "diag/warnings.h"

#include <unistd.h>

struct search {
    uint64_t address;
    struct bli_loaded_file *file;
};

/* Whether a segment of a file loaded at `base` is in memory and has the address. */
static bool holds(const ElfW(Phdr) * segment, uint64_t base, uint64_t address)
{
    return segment->p_type == PT_LOAD && address >= base + segment->p_vaddr &&
           address - base - segment->p_vaddr < segment->p_memsz;
}

/*
 * The path of a loaded file: its name, or of the program, which the loader does not
 * name, what /proc says.  "" where that is unknown.
 */
static const char *path_of(const char *name)
{
    static char program[4096];
    ssize_t length;

    if (name && name[0] != '\0')
        return name;
    length = readlink("/proc/self/exe", program, sizeof program - 1);
    return length > 0 ? program : "";
}

/* Fill in the file that a search is for, and return 1 to end the search; else 0. */
static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *const search = data;
    bool found = false;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        found = found || holds(&info->dlpi_phdr[i], info->dlpi_addr, search->address);
    if (!found)
        return 0;
    search->file->path = path_of(info->dlpi_name);
    search->file->offset = search->address - info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            bli_notes_read(
                (const unsigned char *)(uintptr_t)(info->dlpi_addr +
                                                   info->dlpi_phdr[i].p_vaddr),
                info->dlpi_phdr[i].p_memsz, search->file->build_id);
    return 1;
}

void bli_loaded_file_find(const void *address, struct bli_loaded_file *file)
{
    struct search search = {(uint64_t)(uintptr_t)address, file};

    *file = (struct bli_loaded_file){.path = ""};
    if (!address || dl_iterate_phdr(visit, &search) == 0)
        file->path = path_of(NULL);
}
