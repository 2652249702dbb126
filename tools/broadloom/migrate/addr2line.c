/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resolves addresses to source lines with addr2line, which knows inlined functions.
 */
#define _POSIX_C_SOURCE 200809L

#include "findings.h"

#include "build_id.h"
#include "reads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Start addr2line for an address; returns a stream of its output, or NULL. */
static FILE *addr2line_open(const char *module, const char *address, pid_t *child)
{
    int ends[2];
    FILE *frames;

    if (pipe(ends) != 0)
        return NULL;
    *child = fork();
    if (*child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!freopen("/dev/null", "w", stderr))
            _exit(127);
        execlp("addr2line", "addr2line", "-f", "-i", "-e", module, address,
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    frames = *child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!frames)
        close(ends[0]);
    return frames;
}

/*
 * The folder that this process is in, as compilers write it: $PWD where that is it.
 */
static const char *here(void)
{
    static char folder[4096];
    const char *const named = getenv("PWD");
    struct stat by_name, own;

    if (named && named[0] == '/' && stat(named, &by_name) == 0 &&
        stat(".", &own) == 0 && by_name.st_dev == own.st_dev &&
        by_name.st_ino == own.st_ino)
        return named;
    return getcwd(folder, sizeof folder) ? folder : "";
}

/* A file's path as call sites have it: below the folder that this process is in. */
static const char *below(const char *file)
{
    const char *const folder = here();
    const size_t length = strlen(folder);

    return length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/'
               ? file + length + 1
               : file;
}

/*
 * Parse "FILE:LINE" or "FILE:LINE (discriminator 3)" of a function; false for "??:0"
 * and "FILE:?".  What compilers append to names, ".constprop.0", is no part of them.
 */
static bool addr2line_take_frame(struct finding *finding, const char *function,
                                 char *text)
{
    char *const colon = strrchr(text, ':');
    const int64_t line = colon ? strtoll(colon + 1, NULL, 10) : 0;
    char *file, *caller;

    if (line <= 0 || text[0] == '?')
        return false;
    *colon = '\0';
    file = strdup(below(text));
    caller = strndup(function, strcspn(function, ".?\n"));
    if (!file || !caller) {
        free(file);
        free(caller);
        return false;
    }
    free(finding->file);
    free(finding->caller);
    finding->file = file;
    finding->caller = caller;
    finding->line = line;
    return true;
}

/* Whether a location is in a header of the library: broadloom/named.h, cxx/tensor.hpp.
 */
static bool is_header(const char *text)
{
    const char *folder = strstr(text, "/broadloom/"), *name;

    for (const char *next = folder; next; next = strstr(next + 1, "/broadloom/"))
        folder = next;
    if (!folder)
        return false;
    name = folder + strlen("/broadloom/");
    name += strncmp(name, "cxx/", 4) == 0 ? 4 : 0;
    name += strcspn(name, "./");
    return strncmp(name, ".h:", 3) == 0 || strncmp(name, ".hpp:", 5) == 0;
}

/*
 * Find the finding's source line.  Frames are printed innermost first, as a line for
 * the function and one for its location; the library's headers, whose functions are
 * inlined under any name, are skipped.
 */
static void addr2line_resolve(struct finding *finding)
{
    char address[32];
    char *text = NULL, *function = NULL;
    size_t room = 0, function_room = 0;
    bool found = false;
    pid_t child = 0;
    FILE *frames;

    /* The return address is after the call. */
    snprintf(address, sizeof address, "0x%" PRIx64, finding->offset - 1);
    frames = addr2line_open(finding->module, address, &child);
    while (frames && getline(&function, &function_room, frames) >= 0 &&
           getline(&text, &room, frames) >= 0)
        if (!found && strncmp(function, "bl_", 3) != 0 && !is_header(text))
            found = addr2line_take_frame(finding, function, text);
    free(function);
    free(text);
    if (frames)
        fclose(frames);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Whether the file is the one that ran, as far as its build ID shows. */
static bool is_same_file(const struct finding *finding)
{
    return finding->build_id[0] == '\0' ||
           build_id_is(finding->module, finding->build_id);
}

static void resolve(struct finding *finding)
{
    if (finding->file[0] == '\0' && finding->module[0] != '\0' && finding->offset > 0 &&
        is_same_file(finding))
        addr2line_resolve(finding);
}

/* Replace the address of a place in a list of reads by its line, if that is found. */
static void resolve_place(struct read *read)
{
    struct finding finding = {.file = strdup(""), .caller = strdup("")};

    if (finding.file && finding.caller &&
        reads_address(read, &finding.module, &finding.build_id, &finding.offset)) {
        resolve(&finding);
        if (finding.file[0] != '\0' && strlen(finding.file) + 24 < sizeof read->place)
            sprintf(read->place, "%s:%" PRId64, finding.file, finding.line);
    }
    finding_drop(&finding);
}

void findings_resolve(struct findings *findings)
{
    for (size_t k = 0; k < findings->count; k++) {
        resolve(&findings->at[k]);
        reads_resolve(&findings->at[k].shadow.reads, resolve_place);
    }
}
