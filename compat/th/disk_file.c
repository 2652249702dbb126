/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files on disk and pipes, by the C library's streams.
 */
#include "file.h"

#include "TH/THDiskFile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* What a stream did last: C asks for a seek between reading and writing. */
enum direction { NEITHER, READING, WRITING };

struct disk_file {
    THFile file;
    FILE *stream; /* NULL: closed */
    bool is_pipe;
    enum direction last;
};

static bool disk_is_open(const THFile *self)
{
    return ((const struct disk_file *)self)->stream;
}

static FILE *stream_of(THFile *self)
{
    return ((struct disk_file *)self)->stream;
}

/* The stream, to be read or written next. */
static FILE *turn(THFile *self, enum direction next)
{
    struct disk_file *const file = (struct disk_file *)self;

    if (file->last != NEITHER && file->last != next)
        fseeko(file->stream, 0, SEEK_CUR);
    file->last = next;
    return file->stream;
}

static size_t disk_read(THFile *self, void *data, size_t size, size_t count)
{
    return fread(data, size, count, turn(self, READING));
}

static size_t disk_write(THFile *self, const void *data, size_t size, size_t count)
{
    return fwrite(data, size, count, turn(self, WRITING));
}

static bool disk_scan(THFile *self, const char *format, void *value)
{
    int used;

    errno = 0;
    return fscanf(turn(self, READING), format, value, &used) == 1;
}

static int disk_next(THFile *self)
{
    return getc(turn(self, READING));
}

static void disk_back(THFile *self, int byte)
{
    ungetc(byte, stream_of(self));
}

static bool disk_flush(THFile *self)
{
    return fflush(stream_of(self)) == 0;
}

static bool disk_seek(THFile *self, int64_t offset, int whence)
{
    return fseeko(stream_of(self), (off_t)offset, whence) == 0;
}

static int64_t disk_tell(THFile *self)
{
    return ftello(stream_of(self));
}

static bool disk_close(THFile *self)
{
    struct disk_file *const file = (struct disk_file *)self;
    FILE *const stream = file->stream;
    const bool is_written = fflush(stream) == 0;
    const int reason = errno;
    int status;

    file->stream = NULL;
    status = file->is_pipe ? pclose(stream) : fclose(stream);
    if (!is_written)
        errno = reason;
    return is_written && (file->is_pipe || status == 0);
}

static const struct th_file_kind on_disk = {
    .is_open = disk_is_open,
    .read = disk_read,
    .write = disk_write,
    .scan = disk_scan,
    .next = disk_next,
    .back = disk_back,
    .flush = disk_flush,
    .seek = disk_seek,
    .tell = disk_tell,
    .close = disk_close,
};

/* ---- open ---- */

/* A stream to read and write; the file is created where it does not exist. */
static FILE *open_both(const char *name)
{
    const int descriptor = open(name, O_RDWR | O_CREAT, 0666);
    FILE *stream;

    if (descriptor < 0)
        return NULL;
    stream = fdopen(descriptor, "r+b");
    if (!stream)
        close(descriptor);
    return stream;
}

static FILE *open_stream(const char *name, struct th_file_mode mode)
{
    if (mode.read && mode.write)
        return open_both(name);
    return fopen(name, mode.read ? "rb" : "wb");
}

static THFile *new_file(const char *name, const char *mode, bool is_quiet, bool is_pipe)
{
    struct th_file_mode parsed;
    THFile *self;
    FILE *stream;

    if (!th_file_parse_mode(mode, !is_pipe, &parsed))
        return NULL;
    self = th_file_new(&on_disk, sizeof(struct disk_file), name, parsed);
    stream = !self ? NULL : is_pipe ? popen(name, mode) : open_stream(name, parsed);
    if (!stream) {
        const int reason = errno;

        if (self)
            free(self->name);
        free(self);
        if (!is_quiet)
            THError("cannot open <%s> in mode %s: %s", name, mode, strerror(reason));
        return NULL;
    }
    self->is_quiet = is_quiet;
    ((struct disk_file *)self)->stream = stream;
    ((struct disk_file *)self)->is_pipe = is_pipe;
    return self;
}

THFile *THDiskFile_new(const char *name, const char *mode, int isQuiet)
{
    return new_file(name, mode, isQuiet != 0, false);
}

THFile *THPipeFile_new(const char *name, const char *mode, int isQuiet)
{
    return new_file(name, mode, isQuiet != 0, true);
}

/* ---- what files on disk have ---- */

static bool is_disk_file(THFile *self)
{
    return th_file_is(self, &on_disk, "on disk");
}

const char *THDiskFile_name(THFile *self)
{
    return self->name;
}

int THDiskFile_isLittleEndianCPU(void)
{
    const uint16_t one = 1;

    return *(const unsigned char *)&one;
}

int THDiskFile_isBigEndianCPU(void)
{
    return !THDiskFile_isLittleEndianCPU();
}

void THDiskFile_nativeEndianEncoding(THFile *self)
{
    if (is_disk_file(self))
        self->is_swapped = false;
}

void THDiskFile_littleEndianEncoding(THFile *self)
{
    if (is_disk_file(self))
        self->is_swapped = THDiskFile_isBigEndianCPU();
}

void THDiskFile_bigEndianEncoding(THFile *self)
{
    if (is_disk_file(self))
        self->is_swapped = THDiskFile_isLittleEndianCPU();
}

void THDiskFile_longSize(THFile *self, int size)
{
    if (is_disk_file(self))
        th_file_set_long_size(self, size);
}

void THDiskFile_noBuffer(THFile *self)
{
    if (is_disk_file(self) && setvbuf(stream_of(self), NULL, _IONBF, 0))
        THError("cannot disable the buffer of <%s>", self->name);
}
