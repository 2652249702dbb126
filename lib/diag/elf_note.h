/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the build id among the notes of an ELF file, in memory or read from disk.
 */
#ifndef BLI_ELF_NOTE_H
#define BLI_ELF_NOTE_H

#include <link.h>
#include <stdio.h>
#include <string.h>

enum { BLI_BUILD_ID = 65 }; /* bytes of one in hexadecimal, with its end */

/*
 * Write the build id found in `size` bytes of notes to `id`, in hexadecimal; `id` is
 * unchanged where there is none.
 */
static inline void bli_notes_read(const unsigned char *at, size_t size,
                                  char id[BLI_BUILD_ID])
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
            for (size_t i = 0; i < note.n_descsz && i < (BLI_BUILD_ID - 1) / 2; i++)
                snprintf(id + 2 * i, 3, "%02x", at[content + i]);
        at += end;
        size -= end;
    }
}

#endif
