/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the build id from the notes of an ELF file.
 */
#define _GNU_SOURCE

#include "build_id.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NOTES = 1 << 16, ID_SIZE = 65 };

static bool read_at(FILE *file, uint64_t offset, void *data, size_t size)
{
    return offset <= INT32_MAX && fseek(file, (long)offset, SEEK_SET) == 0 &&
           fread(data, 1, size, file) == size;
}

/* The build id among some notes, if it is there. */
static void find_id(const unsigned char *at, size_t size, char id[ID_SIZE])
{
    ElfW(Nhdr) note;

    while (size >= sizeof note) {
        memcpy(&note, at, sizeof note);

        const size_t name = sizeof note;
        const size_t content = name + ((note.n_namesz + (size_t)3) & ~(size_t)3);
        const size_t end = content + ((note.n_descsz + (size_t)3) & ~(size_t)3);

        if (end > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(at + name, "GNU", 4) == 0)
            for (size_t i = 0; i < note.n_descsz && i < (ID_SIZE - 1) / 2; i++)
                snprintf(id + 2 * i, 3, "%02x", at[content + i]);
        at += end;
        size -= end;
    }
}

static void read_id(FILE *file, char id[ID_SIZE])
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
            find_id(notes, segment.p_filesz, id);
}

bool build_id_is(const char *path, const char *build_id)
{
    FILE *const file = fopen(path, "rb");
    char id[ID_SIZE] = "";

    if (!file)
        return false;
    read_id(file, id);
    fclose(file);
    return id[0] != '\0' && strcmp(id, build_id) == 0;
}
