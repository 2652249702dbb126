/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How files are made: each kind of file reads and writes bytes, and file.c makes
 * elements, text and errors of them.
 */
#ifndef BROADLOOM_TH_FILE_H
#define BROADLOOM_TH_FILE_H

#include "core.h"

#include "TH/THFile.h"

/* What a kind of file does.  Functions that fail set errno, and return false or less
 * than was asked for. */
struct th_file_kind {
    bool (*is_open)(const THFile *self);

    /* As fread() and fwrite(). */
    size_t (*read)(THFile *self, void *data, size_t size, size_t count);
    size_t (*write)(THFile *self, const void *data, size_t size, size_t count);

    /* As fscanf() of one value and "%n"; whether the value was there. */
    bool (*scan)(THFile *self, const char *format, void *value);

    /* As getc() and ungetc(). */
    int (*next)(THFile *self);
    void (*back)(THFile *self, int byte);

    /* As fflush(), fseeko(), ftello() and fclose(). */
    bool (*flush)(THFile *self);
    bool (*seek)(THFile *self, int64_t offset, int whence);
    int64_t (*tell)(THFile *self);
    bool (*close)(THFile *self);
};

/* What all kinds of files begin with. */
struct THFile__ {
    const struct th_file_kind *kind;
    char *name;
    bool is_quiet, is_readable, is_writable, is_binary, has_spacing, has_error;
    bool is_swapped; /* binary elements are in the other order of bytes */
    int long_size;   /* 0: sizeof(long) */
};

/* How a file may be used. */
struct th_file_mode {
    bool read, write;
};

/* Whether `text` is "r", "w" or, where `both` is allowed, "rw"; else an error. */
bool th_file_parse_mode(const char *text, bool both, struct th_file_mode *mode);

/* A new file of `size` bytes, which begin with THFile; NULL without memory. */
THFile *th_file_new(const struct th_file_kind *kind, size_t size, const char *name,
                    struct th_file_mode mode);

/* Whether a file is open and of `kind`; else an error that names the kind. */
bool th_file_is(THFile *self, const struct th_file_kind *kind, const char *kind_name);

/* Whether a file may be read, or written; else an error. */
bool th_file_may_read(THFile *self);
bool th_file_may_write(THFile *self);

/* An error, by errno, where fewer blocks were read or written than asked for. */
void th_file_check_blocks(THFile *self, bool is_read, size_t done, size_t count);

/* Set the size of longs in binary mode. */
void th_file_set_long_size(THFile *self, int size);

#endif
