/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in memory: the bytes of a storage before a 0.
 */
#include "file.h"

#include "TH/THMemoryFile.h"

#include <ctype.h>
#include <errno.h>

struct memory_file {
    THFile file;
    THCharStorage *storage; /* NULL: closed; larger than the file */
    size_t size, position;
};

/* A file that is open.  A program may have made its storage smaller since. */
static struct memory_file *memory_of(THFile *self)
{
    struct memory_file *const file = (struct memory_file *)self;
    const size_t room = (size_t)THMax(file->storage->size - 1, 0);

    file->size = THMin(file->size, room);
    file->position = THMin(file->position, file->size);
    return file;
}

static bool memory_is_open(const THFile *self)
{
    return ((const struct memory_file *)self)->storage;
}

static size_t memory_read(THFile *self, void *data, size_t size, size_t count)
{
    struct memory_file *const file = memory_of(self);
    const size_t done = THMin(count, (file->size - file->position) / size);

    if (done > 0)
        memmove(data, file->storage->data + file->position, done * size);
    file->position += done * size;
    return done;
}

/* Room for a file of `size` bytes and a 0. */
static bool reserve(THCharStorage *storage, size_t size)
{
    const size_t room = (size_t)storage->size;

    if (size < room)
        return true;
    errno = ENOBUFS;
    if (!(storage->flag & TH_STORAGE_RESIZABLE))
        return false;
    THCharStorage_resize(storage, (ptrdiff_t)THMax(size + 1, room + room / 2));
    return size < (size_t)storage->size;
}

static size_t memory_write(THFile *self, const void *data, size_t size, size_t count)
{
    struct memory_file *const file = memory_of(self);
    size_t bytes, end;

    errno = EFBIG;
    if (__builtin_mul_overflow(size, count, &bytes) ||
        __builtin_add_overflow(file->position, bytes, &end) || end >= PTRDIFF_MAX / 2 ||
        !reserve(file->storage, end))
        return 0;
    memmove(file->storage->data + file->position, data, bytes);
    file->position = end;
    if (end > file->size) {
        file->size = end;
        file->storage->data[end] = '\0';
    }
    return count;
}

/* A number of at most 4095 characters. */
static bool memory_scan(THFile *self, const char *format, void *value)
{
    struct memory_file *const file = memory_of(self);
    const char *const data = file->storage->data;
    size_t start = file->position, end;
    char text[4096];
    int used = 0;

    while (start < file->size && isspace((unsigned char)data[start]))
        start++;
    for (end = start; end < file->size && end - start < sizeof text - 1; end++) {
        if (isspace((unsigned char)data[end]))
            break;
        text[end - start] = data[end];
    }
    text[end - start] = '\0';
    errno = 0;
    if (sscanf(text, format, value, &used) != 1)
        return false;
    file->position = start + (size_t)used;
    return true;
}

static int memory_next(THFile *self)
{
    struct memory_file *const file = memory_of(self);

    if (file->position == file->size)
        return EOF;
    return (unsigned char)file->storage->data[file->position++];
}

static void memory_back(THFile *self, int byte)
{
    (void)byte;
    ((struct memory_file *)self)->position--;
}

static bool memory_flush(THFile *self)
{
    (void)self;
    return true;
}

static bool memory_seek(THFile *self, int64_t offset, int whence)
{
    struct memory_file *const file = memory_of(self);
    const size_t position = (whence == SEEK_END ? file->size : 0) + (size_t)offset;

    errno = EINVAL;
    if (position > file->size)
        return false;
    file->position = position;
    return true;
}

static int64_t memory_tell(THFile *self)
{
    return (int64_t)memory_of(self)->position;
}

static bool memory_close(THFile *self)
{
    struct memory_file *const file = (struct memory_file *)self;

    THCharStorage_free(file->storage);
    file->storage = NULL;
    return true;
}

static const struct th_file_kind in_memory = {
    .is_open = memory_is_open,
    .read = memory_read,
    .write = memory_write,
    .scan = memory_scan,
    .next = memory_next,
    .back = memory_back,
    .flush = memory_flush,
    .seek = memory_seek,
    .tell = memory_tell,
    .close = memory_close,
};

/* ---- open ---- */

THFile *THMemoryFile_newWithStorage(THCharStorage *storage, const char *mode)
{
    struct th_file_mode parsed;
    struct memory_file *file;

    if (storage && (storage->size == 0 || storage->data[storage->size - 1])) {
        THArgCheck(0, 1, "provided CharStorage must be terminated by 0");
        return NULL;
    }
    if (!th_file_parse_mode(mode, true, &parsed))
        return NULL;
    file =
        (struct memory_file *)th_file_new(&in_memory, sizeof *file, "memory", parsed);
    if (!file) {
        THError("cannot open <memory> in mode %s: %s", mode, strerror(ENOMEM));
        return NULL;
    }
    if (storage)
        THCharStorage_retain(storage);
    file->storage = storage ? storage : THCharStorage_newWithSize1('\0');
    file->size = (size_t)file->storage->size - 1;
    return &file->file;
}

THFile *THMemoryFile_new(const char *mode)
{
    return THMemoryFile_newWithStorage(NULL, mode);
}

/* ---- what files in memory have ---- */

THCharStorage *THMemoryFile_storage(THFile *self)
{
    struct memory_file *file;

    if (!th_file_is(self, &in_memory, "in memory"))
        return NULL;
    file = memory_of(self);
    if ((size_t)file->storage->size != file->size + 1)
        THCharStorage_resize(file->storage, (ptrdiff_t)file->size + 1);
    return file->storage;
}

void THMemoryFile_longSize(THFile *self, int size)
{
    if (th_file_is(self, &in_memory, "in memory"))
        th_file_set_long_size(self, size);
}
