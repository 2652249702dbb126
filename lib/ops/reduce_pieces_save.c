/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions in pieces as bytes: a header, extents, ranges, and what fragments hold. */
#include "ops/reduce_pieces.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Of what follows, of the tree and of lanes: reduce.h and reduce_lanes.h. */
#define VERSION 1

static const char magic[8] = "BLPIECES";

struct header {
    char magic[8];
    uint32_t version;
    int32_t op, dtype, wanted;
    int32_t rank;
    int32_t count;  /* of fragments */
    int64_t bytes;  /* of all */
    uint64_t check; /* check_of() all */
};

/*
 * A number of all words of saved bytes but its own, which any change of one of them
 * changes, and of several nearly always.
 */
static uint64_t check_of(const char *bytes, int64_t count)
{
    uint64_t check = 0, word;

    for (int64_t at = 0; at < count; at += (int64_t)sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (at == (int64_t)offsetof(struct header, check))
            continue;
        check = (check ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        check ^= check >> 32;
    }
    return check;
}

/* Bytes that a fragment takes, with what keeps the next one aligned. */
static int64_t padded(const bl_reduce_pieces *pieces, bl_range range)
{
    return ((int64_t)bli_pieces_bytes(pieces, range) + 7) / 8 * 8;
}

/*
 * The fragments from `i` on that are saved as one: rows of one block. Returns the index
 * behind them.
 */
static int32_t next_saved(const bl_reduce_pieces *pieces, int32_t i, bl_range *range)
{
    const struct bli_fragment *const fragment = pieces->fragment;

    *range = fragment[i++].range;
    if (bli_pieces_hold(pieces, *range) != BLI_HOLDS_ROWS)
        return i;
    while (i < pieces->count && range->end % BLI_REDUCE_BLOCK != 0 &&
           fragment[i].range.begin == range->end)
        range->end = fragment[i++].range.end;
    return i;
}

/* The header of the bytes that a reduction takes. */
static struct header header_of(const bl_reduce_pieces *pieces)
{
    struct header header = {.version = VERSION,
                            .op = pieces->call.op,
                            .dtype = pieces->element.dtype,
                            .wanted = pieces->wanted,
                            .rank = pieces->call.rank};
    bl_range range;

    memcpy(header.magic, magic, sizeof magic);
    header.bytes =
        (int64_t)sizeof header + pieces->call.rank * (int64_t)sizeof(int64_t);
    for (int32_t i = 0; i < pieces->count; header.count++) {
        i = next_saved(pieces, i, &range);
        header.bytes += (int64_t)sizeof range + padded(pieces, range);
    }
    return header;
}

size_t bl_reduce_pieces_size(const bl_reduce_pieces *pieces)
{
    return pieces ? (size_t)header_of(pieces).bytes : 0;
}

size_t bl_reduce_pieces_size_of(const bl_reduce_pieces *pieces, int64_t count,
                                const bl_range *range)
{
    int64_t bytes;

    if (!pieces || count < 0 || (count > 0 && !range))
        return 0;
    bytes =
        (int64_t)sizeof(struct header) + pieces->call.rank * (int64_t)sizeof(int64_t);
    for (int64_t i = 0; i < count;) {
        bl_range whole = range[i];

        if (whole.begin < 0 || whole.end < whole.begin)
            return 0;
        while (++i < count && range[i].begin == whole.end && range[i].end >= whole.end)
            whole.end = range[i].end;
        if (i < count && range[i].begin < whole.end)
            return 0;
        while (whole.begin < whole.end) {
            const bl_range one = {whole.begin,
                                  bli_pieces_end(pieces, whole.begin, whole.end)};

            bytes += (int64_t)sizeof one + padded(pieces, one);
            whole.begin = one.end;
        }
    }
    return (size_t)bytes;
}

size_t bl_reduce_pieces_size_most(const bl_reduce_pieces *pieces, int64_t count)
{
    const bl_range rows = {1, BLI_REDUCE_BLOCK}, lanes = {0, 1};
    const bl_range node = {0, BLI_REDUCE_BLOCK};
    int64_t bytes, nodes = 1;

    if (!pieces || count < 0)
        return 0;
    /* A run of blocks is at most two nodes of each level. */
    for (int64_t blocks = count / BLI_REDUCE_BLOCK; blocks > 0; blocks /= 2)
        nodes += 2;
    bytes = padded(pieces, node) + (int64_t)sizeof(bl_range);
    if (pieces->is_free)
        nodes = 1;
    if (!bli_mul_i64(bytes, nodes, &bytes))
        return SIZE_MAX;
    if (!pieces->is_free &&
        (!bli_add_i64(bytes, padded(pieces, rows) + padded(pieces, lanes), &bytes) ||
         !bli_add_i64(bytes, 2 * (int64_t)sizeof(bl_range), &bytes)))
        return SIZE_MAX;
    if (!bli_add_i64(bytes,
                     (int64_t)sizeof(struct header) +
                         pieces->call.rank * (int64_t)sizeof(int64_t),
                     &bytes))
        return SIZE_MAX;
    return (size_t)bytes;
}

/* Append bytes. */
static void put(char **at, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(*at, from, bytes);
    *at += bytes;
}

static bl_status save(const bl_reduce_pieces *pieces, void *bytes, size_t size)
{
    static const char zero[8];
    struct header header;
    char *at = bytes;
    bl_range range;

    if (!pieces || !bytes)
        return bli_error_null(pieces ? "bytes" : "pieces");
    header = header_of(pieces);
    if (size < (size_t)header.bytes)
        return bli_error_argument("size", "size %zu is less than the %" PRId64 " bytes",
                                  size, header.bytes);
    put(&at, &header, sizeof header);
    put(&at, pieces->call.extent, (size_t)header.rank * sizeof *pieces->call.extent);
    for (int32_t i = 0; i < pieces->count;) {
        i = next_saved(pieces, i, &range);
        put(&at, &range, sizeof range);
    }
    for (int32_t i = 0; i < pieces->count;) {
        const int32_t end = next_saved(pieces, i, &range);
        const size_t held = bli_pieces_bytes(pieces, range);

        for (; i < end; i++)
            put(&at, pieces->fragment[i].data,
                bli_pieces_bytes(pieces, pieces->fragment[i].range));
        put(&at, zero, (size_t)padded(pieces, range) - held);
    }
    header.check = check_of(bytes, header.bytes);
    memcpy(bytes, &header, sizeof header);
    return BL_OK;
}

bl_status bl_reduce_pieces_save(const bl_reduce_pieces *pieces, void *bytes,
                                size_t size)
{
    BLI_RETURN_CALL(save(pieces, bytes, size), "%w, size %l",
                    pieces ? bl_reduction_name(pieces->call.op) : "null",
                    (int64_t)size);
}

/* ---- loading ---- */

static bl_status damaged(const char *what)
{
    return bli_fault_argument(
        bl_error_set(BL_ERR_FORMAT, "bytes are no saved reduction: %s", what), "bytes");
}

/* Read the header, and check what can be checked without the rest. */
static bl_status read_header(struct header *header, const char *bytes, size_t size)
{
    const int64_t least = (int64_t)sizeof *header;

    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return damaged("they do not begin with BLPIECES");
    if (size < sizeof *header)
        return damaged("they are cut off");
    memcpy(header, bytes, sizeof *header);
    if (header->version != VERSION)
        return bli_fault_argument(bl_error_set(BL_ERR_UNSUPPORTED,
                                               "bytes are of version %" PRIu32
                                               ", this release has %d",
                                               header->version, VERSION),
                                  "bytes");
    if (header->rank < 0 || header->rank > BL_MAX_RANK || header->count < 0)
        return damaged("rank or count is out of range");
    if (header->bytes < least + header->rank * 8 + header->count * (int64_t)16)
        return damaged("their size is too small");
    if ((size_t)header->bytes > size)
        return damaged("they are cut off");
    if (header->bytes % 8 != 0 || check_of(bytes, header->bytes) != header->check)
        return damaged("they have changed since");
    return BL_OK;
}

/* Read fragment `i`, which begins at or after `*end`; `*at` is what it holds. */
static bl_status read_fragment(bl_reduce_pieces *pieces, const struct bli_reducer *how,
                               const char *table, const char **at, const char *stop,
                               int64_t *end)
{
    struct bli_fragments list = {.count = 0};
    bl_range range;
    int64_t bytes;

    memcpy(&range, table, sizeof range);
    if (range.begin < *end || range.end <= range.begin ||
        bli_pieces_end(pieces, range.begin, range.end) != range.end)
        return damaged("a range of elements is none");
    bytes = padded(pieces, range);
    if (bytes > stop - *at)
        return damaged("they are cut off");
    BL_TRY(bli_pieces_new(pieces, range, &list));
    memcpy(list.fragment[0].data, *at, bli_pieces_bytes(pieces, range));
    bli_pieces_insert(pieces, how, list.fragment[0]);
    *at += bytes;
    *end = range.end;
    return BL_OK;
}

static bl_status load(bl_context *ctx, const void *bytes, size_t size,
                      bl_reduce_pieces **out)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    const struct bli_reducer *how;
    bl_reduce_pieces *pieces;
    int64_t extent[BL_MAX_RANK], end = 0;
    struct header header;
    const char *table, *at;
    bl_status status;

    if (!bytes || !out)
        return bli_error_null(bytes ? "pieces" : "bytes");
    BL_TRY(read_header(&header, bytes, size));
    table = (const char *)bytes + sizeof header;
    memcpy(extent, table, (size_t)header.rank * sizeof *extent);
    table += (size_t)header.rank * sizeof *extent;
    at = table + (size_t)header.count * sizeof(bl_range);
    options.dtype = (bl_dtype)header.wanted;
    status = bli_pieces_make(ctx, (bl_reduction)header.op, (bl_dtype)header.dtype,
                             header.rank, extent, &options, &pieces);
    if (status != BL_OK)
        return status == BL_ERR_MEMORY ? status : damaged("there is no such reduction");
    how = bli_pieces_reducer(pieces, bli_context(ctx));
    status = bli_pieces_reserve(pieces, header.count);
    for (int32_t i = 0; status == BL_OK && i < header.count; i++)
        status = read_fragment(pieces, how, table + i * (int64_t)sizeof(bl_range), &at,
                               (const char *)bytes + header.bytes, &end);
    if (status == BL_OK && at != (const char *)bytes + header.bytes)
        status = damaged("their size is another one");
    if (status == BL_OK)
        *out = pieces;
    else
        bl_reduce_pieces_destroy(pieces);
    return status;
}

bl_status bl_reduce_pieces_load(bl_context *ctx, const void *bytes, size_t size,
                                bl_reduce_pieces **pieces)
{
    BLI_RETURN_CALL(load(ctx, bytes, size, pieces), "size %l", (int64_t)size);
}
