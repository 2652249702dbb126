/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes edits as a unified diff, with three lines of context.
 */
#include "fix.h"

#include <inttypes.h>
#include <string.h>

enum { CONTEXT = 3 };

/* Edits from `first` up to `end`, whose lines touch: these are old lines `from` to
 * `to`.
 */
struct change {
    const struct fix_edit *const *first;
    int count;
    size_t begin, end; /* bytes of the old lines */
    int64_t from;      /* number of the first, from 1 on */
    int64_t old_lines, new_lines;
};

static size_t line_begin(const struct source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n')
        at--;
    return at;
}

/* After the newline of the line that has byte `at`. */
static size_t line_end(const struct source *source, size_t at)
{
    const char *const end = memchr(source->text + at, '\n', source->length - at);

    return end ? (size_t)(end - source->text) + 1 : source->length;
}

static int64_t count_newlines(const char *text, size_t length)
{
    int64_t count = 0;

    for (size_t k = 0; k < length; k++)
        count += text[k] == '\n';
    return count;
}

/* Number of lines, of which the last may lack a newline. */
static int64_t count_lines(const struct source *source, size_t begin, size_t end)
{
    return count_newlines(source->text + begin, end - begin) +
           (end > begin && source->text[end - 1] != '\n');
}

/* Find the change that begins with an edit; returns the number of its edits. */
static int find_change(const struct source *source, int count,
                       const struct fix_edit *const *edits, struct change *change)
{
    size_t end = line_end(source, edits[0]->at + edits[0]->length);
    int64_t added = 0;

    *change =
        (struct change){.first = edits, .begin = line_begin(source, edits[0]->at)};
    for (; change->count < count && edits[change->count]->at < end; change->count++) {
        const struct fix_edit *const edit = edits[change->count];

        end = line_end(source, edit->at + edit->length);
        added += count_newlines(edit->text, strlen(edit->text)) -
                 count_newlines(source->text + edit->at, edit->length);
    }
    change->end = end;
    change->from = 1 + count_newlines(source->text, change->begin);
    change->old_lines = count_lines(source, change->begin, end);
    change->new_lines = change->old_lines + added;
    return change->count;
}

/* Writes text whose lines get a mark. */
struct writer {
    FILE *file;
    char mark;
    bool is_begun; /* the line */
};

static void write_marked(struct writer *writer, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        if (!writer->is_begun)
            fputc(writer->mark, writer->file);
        fputc(text[k], writer->file);
        writer->is_begun = text[k] != '\n';
    }
}

static void end_marked(struct writer *writer)
{
    if (writer->is_begun)
        fputs("\n\\ No newline at end of file\n", writer->file);
    writer->is_begun = false;
}

static void write_old(const struct source *source, char mark, size_t begin, size_t end,
                      FILE *file)
{
    struct writer writer = {file, mark, false};

    write_marked(&writer, source->text + begin, end - begin);
    end_marked(&writer);
}

static void write_change(const struct source *source, const struct change *change,
                         FILE *file)
{
    struct writer writer = {file, '+', false};
    size_t at = change->begin;

    write_old(source, '-', change->begin, change->end, file);
    for (int k = 0; k < change->count; k++) {
        const struct fix_edit *const edit = change->first[k];

        write_marked(&writer, source->text + at, edit->at - at);
        write_marked(&writer, edit->text, strlen(edit->text));
        at = edit->at + edit->length;
    }
    write_marked(&writer, source->text + at, change->end - at);
    end_marked(&writer);
}

/* Go back, or forward, by lines of context. */
static size_t go_lines(const struct source *source, size_t at, int lines)
{
    for (; lines < 0 && at > 0; lines++)
        at = line_begin(source, at - 1);
    for (; lines > 0 && at < source->length; lines--)
        at = line_end(source, at);
    return at;
}

/*
 * Write the hunk that begins with an edit: changes between which there are no more than
 * twice the lines of context.  `shift` is by how much later lines move; returns the
 * number of edits.
 */
static int write_hunk(const struct source *source, int count,
                      const struct fix_edit *const *edits, int64_t *shift, FILE *file)
{
    struct change change;
    int done = find_change(source, count, edits, &change), all = done;
    const size_t begin = go_lines(source, change.begin, -CONTEXT);
    const int64_t from = 1 + count_newlines(source->text, begin);
    int64_t added = change.new_lines - change.old_lines;
    size_t end = go_lines(source, change.end, CONTEXT), at;

    while (all < count) {
        struct change next;
        const int taken = find_change(source, count - all, edits + all, &next);

        if (go_lines(source, next.begin, -CONTEXT) > end)
            break;
        added += next.new_lines - next.old_lines;
        end = go_lines(source, next.end, CONTEXT);
        all += taken;
    }
    fprintf(file, "@@ -%" PRId64 ",%" PRId64 " +%" PRId64 ",%" PRId64 " @@\n", from,
            count_lines(source, begin, end), from + *shift,
            count_lines(source, begin, end) + added);
    write_old(source, ' ', begin, change.begin, file);
    write_change(source, &change, file);
    for (at = change.end; done < all; at = change.end) {
        done += find_change(source, all - done, edits + done, &change);
        write_old(source, ' ', at, change.begin, file);
        write_change(source, &change, file);
    }
    write_old(source, ' ', at, end, file);
    *shift += added;
    return all;
}

void fix_write_diff(const struct source *source, const char *path, int count,
                    const struct fix_edit *const *edits, FILE *file)
{
    const char *const relative = path + strspn(path, "/");
    const char *const end = strchr(path, ' ') ? "\t" : "";
    int64_t shift = 0;

    fprintf(file, "--- a/%s%s\n+++ b/%s%s\n", relative, end, relative, end);
    for (int done = 0; done < count;)
        done += write_hunk(source, count - done, edits + done, &shift, file);
}
