/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the build id from the notes of an ELF file.
 */
#define _GNU_SOURCE

#include "build_id.h"

#include "../../lib/diag/elf_note.h"

enum { MOST_NOTES = 1 << 16 };

static bool read_at(FILE *file, uint64_t offset, void *data, size_t size)
{
    return offset <= INT32_MAX && fseek(file, (long)offset, SEEK_SET) == 0 &&
           fread(data, 1, size, file) == size;
}

static void read_id(FILE *file, char id[BLI_BUILD_ID])
{
    static unsigned char notes[MOST_NOTES];
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;

    if (!read_at(file, 0, &header, sizeof header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof segment)
        return;
    for (unsigned k = 0; k < header.e_phnum; k++)
        if (read_at(file, header.e_phoff + k * sizeof segment, &segment,
                    sizeof segment) &&
            segment.p_type == PT_NOTE && segment.p_filesz <= MOST_NOTES &&
            read_at(file, segment.p_offset, notes, segment.p_filesz))
            bli_notes_read(notes, segment.p_filesz, id);
}

bool build_id_is(const char *path, const char *build_id)
{
    FILE *const file = fopen(path, "rb");
    char id[BLI_BUILD_ID] = "";

    if (!file)
        return false;
    read_id(file, id);
    fclose(file);
    return id[0] != '\0' && strcmp(id, build_id) == 0;
}
