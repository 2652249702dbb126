/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reports of a run lie in a folder of their own, one for each process.
 */
#define _POSIX_C_SOURCE 200809L

#include "migrate_run.h"

#include <dirent.h>
#include <errno.h>
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

/* Run it to its end; who interrupts it from the terminal wants the report still. */
static bl_status run_program(char **program, const char *folder, int *result)
{
    char report[PATH_SIZE + 8];
    pid_t child;
    int status = 0;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;

    snprintf(report, sizeof report, "%s/%%r.%%p", folder);
    fflush(NULL);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    child = fork();
    if (child == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        if (setenv("BROADLOOM_COMPAT_REPORT", report, 1) == 0)
            execvp(program[0], program);
        fail("cannot run %s: %s", program[0], strerror(errno));
        _exit(127);
    }
    if (child < 0)
        return bl_error_set(BL_ERR_IO, "cannot run %s: %s", program[0],
                            strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    *result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return BL_OK;
}

/* Read every report of the folder; all are removed, and the folder. */
static bl_status read_folder(const char *folder, struct findings *findings)
{
    DIR *const entries = opendir(folder);
    const struct dirent *entry;
    bl_status status = BL_OK;
    char path[PATH_SIZE + 256 + 2];

    while (entries && (entry = readdir(entries))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (status == BL_OK)
            status = findings_read(findings, path);
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
    return status;
}

bl_status migrate_run(char **program, struct findings *findings, int *result)
{
    char folder[PATH_SIZE];
    bl_status status, read;

    TRY(make_folder(folder, sizeof folder));
    status = run_program(program, folder, result);
    read = read_folder(folder, findings);
    return status != BL_OK ? status : read;
}
