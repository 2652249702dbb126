/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of every kind: flags, strings, positions, errors.
 */
#include "file.h"

#include <errno.h>

/* ---- make, check, fail ---- */

bool th_file_parse_mode(const char *text, bool both, struct th_file_mode *mode)
{
    mode->read = text[0] == 'r';
    mode->write = strcmp(text + mode->read, "w") == 0;
    if (!strcmp(text, "r") || (mode->write && (both || !mode->read)))
        return true;
    THArgCheck(0, 2, "file mode should be %s, but is '%s'",
               both ? "'r','w' or 'rw'" : "'r','w'", text);
    return false;
}

THFile *th_file_new(const struct th_file_kind *kind, size_t size, const char *name,
                    struct th_file_mode mode)
{
    THFile *const self = calloc(1, size);
    char *const copy = strdup(name);

    if (!self || !copy) {
        free(self);
        free(copy);
        return NULL;
    }
    self->kind = kind;
    self->name = copy;
    self->is_readable = mode.read;
    self->is_writable = mode.write;
    self->has_spacing = true;
    return self;
}

static bool is_usable(THFile *self)
{
    const bool is_open = self->kind->is_open(self);

    if (!is_open)
        THArgCheck(0, 1, "attempt to use a closed file <%s>", self->name);
    return is_open;
}

bool th_file_is(THFile *self, const struct th_file_kind *kind, const char *kind_name)
{
    if (self->kind != kind) {
        THArgCheck(0, 1, "<%s> is not a file %s", self->name, kind_name);
        return false;
    }
    return is_usable(self);
}

bool th_file_may_read(THFile *self)
{
    if (is_usable(self) && !self->is_readable)
        THArgCheck(0, 1, "attempt to read in a write-only file <%s>", self->name);
    return self->is_readable && self->kind->is_open(self);
}

bool th_file_may_write(THFile *self)
{
    if (is_usable(self) && !self->is_writable)
        THArgCheck(0, 1, "attempt to write in a read-only file <%s>", self->name);
    return self->is_writable && self->kind->is_open(self);
}

/* Note an error, and raise it in a file that is not quiet. */
static void fail(THFile *self, const char *what, const char *reason)
{
    self->has_error = true;
    if (!self->is_quiet)
        THError("%s <%s>: %s", what, self->name, reason);
}

/* An error where fewer blocks were read or written than asked for. */
void th_file_check_blocks(THFile *self, bool is_read, size_t done, size_t count)
{
    const char *reason = strerror(errno);
    char what[128];

    if (done == count)
        return;
    if (is_read && errno == 0) {
        const int byte = self->kind->next(self);

        reason = byte == EOF ? "end of file" : "no number";
        if (byte != EOF)
            self->kind->back(self, byte);
    }
    snprintf(what, sizeof what, "%s error: %s %zu blocks instead of %zu in",
             is_read ? "read" : "write", is_read ? "read" : "wrote", done, count);
    fail(self, what, reason);
}

/* ---- flags ---- */

int THFile_isOpened(THFile *self)
{
    return self->kind->is_open(self);
}

#define TH_FLAG(name, flag)                                                            \
    int THFile_##name(THFile *self)                                                    \
    {                                                                                  \
        return self->flag;                                                             \
    }

#define TH_SET_FLAG(name, flag, value)                                                 \
    void THFile_##name(THFile *self)                                                   \
    {                                                                                  \
        self->flag = value;                                                            \
    }

TH_FLAG(isQuiet, is_quiet)
TH_FLAG(isReadable, is_readable)
TH_FLAG(isWritable, is_writable)
TH_FLAG(isBinary, is_binary)
TH_FLAG(isAutoSpacing, has_spacing)
TH_FLAG(hasError, has_error)
TH_SET_FLAG(binary, is_binary, true)
TH_SET_FLAG(ascii, is_binary, false)
TH_SET_FLAG(autoSpacing, has_spacing, true)
TH_SET_FLAG(noAutoSpacing, has_spacing, false)
TH_SET_FLAG(quiet, is_quiet, true)
TH_SET_FLAG(pedantic, is_quiet, false)
TH_SET_FLAG(clearError, has_error, false)

void th_file_set_long_size(THFile *self, int size)
{
    if (size == 0 || size == 4 || size == 8)
        self->long_size = size;
    else
        THArgCheck(0, 2, "Invalid long size specified: %d for <%s>, not 0, 4 or 8",
                   size, self->name);
}

/* ---- strings ---- */

/* Bytes that grow. */
struct text {
    char *bytes;
    size_t size, capacity;
};

/* Room for one more byte and a 0; false without memory. */
static bool make_room(struct text *text)
{
    const size_t capacity = text->capacity ? 2 * text->capacity : 256;
    char *bytes;

    if (text->size + 1 < text->capacity)
        return true;
    bytes = realloc(text->bytes, capacity);
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

/* Up to the next '\n', which is taken but not kept; whether there was anything. */
static bool read_line(THFile *self, struct text *line)
{
    int byte = self->kind->next(self);
    const bool is_there = byte != EOF;

    for (; byte != EOF && byte != '\n'; byte = self->kind->next(self)) {
        if (!make_room(line))
            return false;
        line->bytes[line->size++] = (char)byte;
    }
    return make_room(line) && is_there;
}

static bool read_rest(THFile *self, struct text *rest)
{
    size_t room, got;

    do {
        if (!make_room(rest))
            return false;
        room = rest->capacity - rest->size - 1;
        got = self->kind->read(self, rest->bytes + rest->size, 1, room);
        rest->size += got;
    } while (got == room);
    return rest->size > 0;
}

size_t THFile_readStringRaw(THFile *self, const char *format, char **str_)
{
    const bool is_all = format[0] == '*' && format[1] == 'a';
    struct text text = {NULL, 0, 0};

    *str_ = NULL;
    if (!th_file_may_read(self))
        return 0;
    if (!is_all && (format[0] != '*' || format[1] != 'l')) {
        THArgCheck(0, 2, "format must be '*a' or '*l', but is '%s'", format);
        return 0;
    }
    errno = 0;
    if (!(is_all ? read_rest : read_line)(self, &text)) {
        free(text.bytes);
        th_file_check_blocks(self, true, 0, 1);
        return 0;
    }
    text.bytes[text.size] = '\0';
    *str_ = text.bytes;
    return text.size;
}

size_t THFile_writeStringRaw(THFile *self, const char *str, size_t size)
{
    size_t done;

    if (!th_file_may_write(self) || size == 0)
        return 0;
    errno = 0;
    done = self->kind->write(self, str, 1, size);
    th_file_check_blocks(self, false, done, size);
    return done;
}

/* ---- positions, the end ---- */

static void seek(THFile *self, size_t position, int whence)
{
    char what[64] = "unable to seek at end of";

    if (!is_usable(self))
        return;
    errno = EINVAL;
    if (position <= INT64_MAX && self->kind->seek(self, (int64_t)position, whence))
        return;
    if (whence == SEEK_SET)
        snprintf(what, sizeof what, "unable to seek to position %zu in", position);
    fail(self, what, strerror(errno));
}

void THFile_seek(THFile *self, size_t position)
{
    seek(self, position, SEEK_SET);
}

void THFile_seekEnd(THFile *self)
{
    seek(self, 0, SEEK_END);
}

size_t THFile_position(THFile *self)
{
    int64_t position;

    if (!is_usable(self))
        return 0;
    position = self->kind->tell(self);
    if (position >= 0)
        return (size_t)position;
    fail(self, "unable to obtain the position in", strerror(errno));
    return 0;
}

void THFile_synchronize(THFile *self)
{
    if (is_usable(self) && !self->kind->flush(self))
        fail(self, "unable to write", strerror(errno));
}

void THFile_close(THFile *self)
{
    if (is_usable(self) && !self->kind->close(self))
        fail(self, "unable to write", strerror(errno));
}

void THFile_free(THFile *self)
{
    THFile last = *self;
    char name[256];
    bool is_lost;

    snprintf(name, sizeof name, "%s", self->name);
    is_lost = self->kind->is_open(self) && !self->kind->close(self);
    free(self->name);
    free(self);
    last.name = name;
    if (is_lost)
        fail(&last, "unable to write", strerror(errno));
}
