/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program whose processes each write a report into a private folder.
 */
#define _POSIX_C_SOURCE 200809L

#include "migrate_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bl_status make_folder(char *folder, size_t size)
{
    const char *const parent = getenv("TMPDIR");

    snprintf(folder, size, "%s/broadloom-XXXXXX",
             parent && parent[0] != '\0' && !strchr(parent, '%') ? parent : "/tmp");
    if (!mkdtemp(folder))
        return bl_error_set(BL_ERR_IO, "cannot make the folder %s: %s", folder,
                            strerror(errno));
    return BL_OK;
}

/* In the child: execute the program, or send errno through `end`. */
static void become(char **program, const char *folder, const char *shadow, int end)
{
    char report[PATH_SIZE + 8];
    int code;

    snprintf(report, sizeof report, "%s/%%r.%%p", folder);
    if (setenv("BROADLOOM_COMPAT_REPORT", report, 1) == 0 &&
        (!shadow || setenv("BROADLOOM_COMPAT_SHADOW", shadow, 1) == 0))
        execvp(program[0], program);
    code = errno;
    _exit(write(end, &code, sizeof code) < 0);
}

/* Wait for the child; its `end` of the pipe closes when the program starts. */
static bl_status follow(const char *name, pid_t child, int end, int *result)
{
    int code = 0, status = 0;
    ssize_t got;

    do {
        got = read(end, &code, sizeof code);
    } while (got < 0 && errno == EINTR);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (got != 0) {
        *result = code == ENOENT ? 127 : 126;
        return bl_error_set(BL_ERR_IO, "cannot run %s: %s", name, strerror(code));
    }
    *result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        fail("%s was ended by signal %d, %s, before it could report", name,
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    return BL_OK;
}

/*
 * Run the program to its end.  An interrupt from the terminal ends it, but not this
 * process, which still has to report.
 */
static bl_status run_program(char **program, const char *folder, const char *shadow,
                             int *result)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;
    bl_status status;
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0)
        return bl_error_set(BL_ERR_IO, "cannot run %s: %s", program[0],
                            strerror(errno));
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    child = fork();
    if (child == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        close(ends[0]);
        become(program, folder, shadow, ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        status = follow(program[0], child, ends[0], result);
    else
        status =
            bl_error_set(BL_ERR_IO, "cannot run %s: %s", program[0], strerror(errno));
    close(ends[0]);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return status;
}

/*
 * Read and count every report in the folder; remove all files, and the folder.  A name
 * with a dot is of an incomplete report.
 */
static bl_status read_folder(const char *folder, struct findings *findings,
                             int *reports)
{
    DIR *const entries = opendir(folder);
    const struct dirent *entry;
    bl_status status = BL_OK;
    char path[PATH_SIZE + 256 + 2];

    while (entries && (entry = readdir(entries))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            ++*reports;
            if (status == BL_OK)
                status = findings_read(findings, path);
        }
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
    return status;
}

bl_status migrate_run(char **program, const char *shadow, struct findings *findings,
                      int *result)
{
    char folder[PATH_SIZE];
    bl_status status, read;
    int reports = 0;

    TRY(make_folder(folder, sizeof folder));
    status = run_program(program, folder, shadow, result);
    read = read_folder(folder, findings, &reports);
    if (status != BL_OK)
        return status;
    if (read == BL_OK && reports == 0)
        return bl_error_set(BL_ERR_IO,
                            "no report was written: no process of %s called the "
                            "library and then ended by exit() or from main()",
                            program[0]);
    return read;
}
