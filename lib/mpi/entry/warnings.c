/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One report of the warnings of all ranks: each writes its lines behind those of the
 * ranks before it.
 */
#include <broadloom/warnings.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mpi/entry/entry.h"
#include "mpi/entry/file.h"

/* A report that is written: what this rank found, and the file of all. */
struct report {
    bl_mpi_grid *grid;
    FILE *own;
    char *text;
    int64_t bytes;
    struct bli_mpi_file file;
};

/* Write this rank's report to memory, by way of a file without a name. */
static bl_status collect(struct report *report)
{
    struct stat about;
    char name[32];

    report->own = tmpfile();
    if (!report->own)
        return bl_error_set(BL_ERR_IO, "no temporary file for a report: %s",
                            strerror(errno));
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(report->own));
    BL_TRY(bl_warnings_write(name));
    if (fstat(fileno(report->own), &about) != 0)
        return bl_error_set(BL_ERR_IO, "a report is lost: %s", strerror(errno));
    report->bytes = (int64_t)about.st_size;
    report->text = malloc((size_t)report->bytes + 1);
    if (!report->text)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a report");
    rewind(report->own);
    if (fread(report->text, 1, (size_t)report->bytes, report->own) !=
        (size_t)report->bytes)
        return bl_error_set(BL_ERR_IO, "a report is lost");
    return BL_OK;
}

static bl_status prepare(struct report *report, const char *path,
                         struct bli_ballot *ballot)
{
    BL_TRY(bli_mpi_path(path, ballot));
    BL_TRY(collect(report));
    return report->grid->link->self == 0 ? bli_mpi_file_create(&report->file, path)
                                         : BL_OK;
}

/* Write this rank's lines at their place; `bytes` has room for a number of each rank.
 */
static bl_status write_lines(struct report *report, const struct bli_ballot *ballot,
                             int64_t *bytes)
{
    struct bli_link *const link = report->grid->link;
    struct bli_mpi_file *const file = &report->file;
    bl_status status = BL_OK;
    int64_t at = 0;

    BL_TRY(bli_link_broadcast(link, 0, file->beside, sizeof file->beside));
    BL_TRY(bli_link_gather(link, &report->bytes, sizeof report->bytes, bytes));
    for (int32_t r = 0; r < link->self; r++)
        at += bytes[r];
    if (link->self > 0)
        status = bli_mpi_file_open(file);
    if (status == BL_OK)
        status = bli_mpi_file_write(file, at, report->text, report->bytes);
    if (status == BL_OK)
        status = bli_mpi_file_close(file);
    BL_TRY(bli_mpi_agree(report->grid, ballot, status));
    return bli_mpi_agree(report->grid, ballot,
                         link->self == 0 ? bli_mpi_file_commit(file) : BL_OK);
}

bl_status bl_mpi_warnings_write(bl_mpi_grid *grid, const char *path)
{
    struct report *report;
    struct bli_ballot ballot;
    int64_t *bytes = NULL;
    bl_status status;

    BL_TRY(bli_mpi_begin(grid, &ballot, __func__));
    if (!grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    report = calloc(1, sizeof *report);
    bytes = calloc((size_t)grid->link->ranks, sizeof *bytes);
    if (report)
        *report = (struct report){.grid = grid, .file.descriptor = -1};
    status = report && bytes ? prepare(report, path, &ballot)
                             : bl_error_set(BL_ERR_MEMORY, "no memory for a report");
    status = bli_mpi_agree(grid, &ballot, status);
    if (status == BL_OK)
        status = write_lines(report, &ballot, bytes);
    if (report) {
        bli_mpi_file_end(&report->file);
        if (report->own)
            fclose(report->own);
        free(report->text);
    }
    free(report);
    free(bytes);
    return status;
}
