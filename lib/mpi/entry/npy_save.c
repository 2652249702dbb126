/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NPY files are saved: each rank writes its part of a new file.
 */
#include <broadloom/npy.h>

#include <stdlib.h>

#include "mpi/entry/entry.h"
#include "mpi/entry/file.h"

/* Bytes that all ranks together write in a round; tests have shorter ones. */
#ifndef BLI_ROUND
#define BLI_ROUND (INT64_C(256) << 20)
#endif

/* Bytes of a row that a rank writes by itself: shorter ones are collected first. */
#define LONG_ROW (BLI_ROUND / 256)

/* A tensor that is saved: what all ranks have alike, and this rank's memory. */
struct saving {
    const bl_mpi_tensor *tensor;
    bl_context *ctx;
    struct bli_link *link;
    struct bli_spread *ranges; /* of the file: a range for each rank; NULL: not used */
    struct bli_lines lines;
    int64_t share, rounds; /* bytes of a rank in each round */
    bl_tensor *own;        /* this rank's elements in row-major order */
    bl_tensor *part;       /* of the file, in a round */
    size_t header_bytes;
    char header[BL_NPY_HEADER_MAX];
    struct bli_mpi_file file;
};

/*
 * Ranges of the file, and rounds.  Rows that are long, and all that is one row, are
 * written by those who have them.
 */
static bl_status divide(struct saving *saving)
{
    const struct bli_spread *const spread = saving->tensor->spread;
    const int64_t ranks = saving->link->ranks;
    int64_t shortest, most, numel = 1, widest;
    struct bli_grid line;

    bli_lines_runs(spread, &shortest, &most);
    for (int32_t d = 0; d < spread->rank; d++)
        numel *= spread->extent[d];
    if (most <= 1 || shortest * saving->lines.size >= LONG_ROW)
        return BL_OK;
    BL_TRY(bli_grid_make(0, 1, &ranks, 0, &line));
    BL_TRY(bli_spread_make(&line, 1, &numel, &(struct bli_dim){0, NULL}, BLI_EVERY_RANK,
                           &saving->ranges));
    saving->lines.to = saving->ranges;
    widest = saving->ranges->cut[0].widest;
    saving->share = BLI_ROUND / (ranks < 4096 ? ranks : 4096) / saving->lines.size;
    saving->share = saving->share < widest ? saving->share : widest;
    saving->rounds = (widest + saving->share - 1) / saving->share;
    return bl_tensor_empty(saving->ctx, saving->tensor->dtype, 1, &saving->share,
                           &saving->part);
}

/* This rank's elements in row-major order: its block, or a copy of it. */
static bl_status arrange(struct saving *saving)
{
    const bl_array *const block = bl_mpi_local(saving->tensor);
    bl_layout layout;

    BL_TRY(bl_array_layout(block, &layout));
    if (bl_layout_is_contiguous(&layout)) {
        saving->own = bl_tensor_retain(saving->tensor->block);
        return BL_OK;
    }
    return bl_tensor_clone(saving->ctx, block, &saving->own);
}

static bl_status prepare(struct saving *saving, const char *path,
                         struct bli_ballot *ballot)
{
    const bl_mpi_tensor *const tensor = saving->tensor;

    BL_TRY(bli_mpi_path(path, ballot));
    BL_TRY(bl_npy_header(tensor->dtype, tensor->spread->rank, tensor->spread->extent,
                         saving->header, &saving->header_bytes));
    BL_TRY(divide(saving));
    BL_TRY(arrange(saving));
    return saving->link->self == 0 ? bli_mpi_file_create(&saving->file, path) : BL_OK;
}

/* Whether this rank writes what it has: of replicas the first does. */
static bool is_writer(const struct bli_spread *spread, int32_t self)
{
    int32_t place[BLI_MAX_AXES];

    bli_grid_place(&spread->grid, self, place);
    for (int32_t a = 0; a < spread->grid.axes; a++)
        if (spread->dim[a] == BLI_WHOLE && place[a] > 0)
            return false;
    return true;
}

static bl_status write_elements(struct saving *saving, int64_t index, const char *data,
                                int64_t count)
{
    const int64_t size = saving->lines.size;

    return bli_mpi_file_write(&saving->file,
                              (int64_t)saving->header_bytes + index * size, data,
                              count * size);
}

/* Write the rows of this rank's box as they are. */
static bl_status write_rows(struct saving *saving)
{
    const char *const data = bl_tensor_data(saving->own);
    struct bli_pieces pieces;
    struct bli_piece piece;

    if (!is_writer(saving->lines.from, saving->link->self))
        return BL_OK;
    bli_pieces_begin(&saving->lines, saving->link->self, BLI_SENT, &pieces);
    while (bli_pieces_next(&pieces, &piece))
        BL_TRY(write_elements(saving, piece.index, data + piece.at * saving->lines.size,
                              piece.count));
    return BL_OK;
}

/*
 * Round after round, collect a part of this rank's range and write it.  The status so
 * far is this rank's own, and what is returned that of all; after BL_OK of all, `*own`
 * is this rank's again.
 */
static bl_status write_rounds(struct saving *saving, const struct bli_ballot *ballot,
                              bl_status *own)
{
    const int64_t *const border = saving->ranges->cut[0].border + saving->link->self;
    struct bli_lines_memory memory = {.block = NULL};
    char *const part = bl_tensor_mutable_data(saving->part);
    bl_status status;

    for (int64_t round = 0; round < saving->rounds; round++) {
        const int64_t first = round * saving->share;
        const int64_t rest = border[1] - border[0] - first;

        saving->lines.first = first;
        saving->lines.limit = saving->share;
        if (*own == BL_OK)
            *own =
                bli_lines_reserve(saving->link, saving->ctx, &saving->lines, &memory);
        status = bli_mpi_agree(saving->tensor->grid, ballot, *own);
        if (status == BL_OK)
            status = bli_mpi_lines(saving->link, &saving->lines,
                                   bl_tensor_data(saving->own), part, &memory);
        bli_lines_free(&memory);
        if (status != BL_OK)
            return status;
        if (rest > 0)
            *own = write_elements(saving, border[0] + first, part,
                                  rest < saving->share ? rest : saving->share);
    }
    return BL_OK;
}

/* Reserve the file's room and write its header. */
static bl_status begin_file(struct saving *saving)
{
    const struct bli_spread *const spread = saving->tensor->spread;
    const int64_t header_bytes = (int64_t)saving->header_bytes;
    int64_t bytes = saving->lines.size;

    for (int32_t d = 0; d < spread->rank; d++)
        bytes *= spread->extent[d];
    BL_TRY(bli_mpi_file_reserve(&saving->file, header_bytes + bytes));
    return bli_mpi_file_write(&saving->file, 0, saving->header, header_bytes);
}

/* Write the file, which rank 0 has created; ranks agree on how it ends. */
static bl_status write_file(struct saving *saving, const struct bli_ballot *ballot)
{
    const bool is_first = saving->link->self == 0;
    const bl_mpi_grid *const grid = saving->tensor->grid;
    bl_status status;

    BL_TRY(bli_link_broadcast(saving->link, 0, saving->file.beside,
                              sizeof saving->file.beside));
    status = is_first ? begin_file(saving) : bli_mpi_file_open(&saving->file);
    if (saving->ranges)
        BL_TRY(write_rounds(saving, ballot, &status));
    else if (status == BL_OK)
        status = write_rows(saving);
    if (status == BL_OK)
        status = bli_mpi_file_close(&saving->file);
    BL_TRY(bli_mpi_agree(grid, ballot, status));
    return bli_mpi_agree(grid, ballot,
                         is_first ? bli_mpi_file_commit(&saving->file) : BL_OK);
}

bl_status bl_mpi_npy_save(bl_context *ctx, const char *path,
                          const bl_mpi_tensor *tensor)
{
    bl_mpi_grid *const grid = bl_mpi_tensor_grid(tensor);
    struct bli_ballot ballot;
    struct saving *saving;
    bl_status status;

    if (!tensor)
        return bli_mpi_null("tensor");
    BL_TRY(bli_mpi_begin(grid, &ballot, __func__));
    if (!grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    bli_ballot_spread(&ballot, tensor->spread);
    bli_ballot_shape(&ballot, tensor->dtype, tensor->spread->rank,
                     tensor->spread->extent);
    saving = calloc(1, sizeof *saving);
    status = saving ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no memory for a file");
    if (status == BL_OK) {
        saving->tensor = tensor;
        saving->ctx = bli_mpi_context(ctx, grid);
        saving->link = grid->link;
        saving->lines = bli_lines_make(tensor->spread, tensor->spread,
                                       (int64_t)bl_dtype_size(tensor->dtype));
        saving->file.descriptor = -1;
        status = prepare(saving, path, &ballot);
    }
    status = bli_mpi_agree(grid, &ballot, status);
    if (status == BL_OK)
        status = write_file(saving, &ballot);
    if (!saving)
        return status;
    bli_mpi_file_end(&saving->file);
    bl_tensor_release(saving->own);
    bl_tensor_release(saving->part);
    bli_spread_release(saving->ranges);
    free(saving);
    return status;
}
