/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting of shapes as in PyTorch and NumPy: the result's shape, its size and
 * growth, and whether a sum to a shape (the adjoint) is defined.
 */
#include "shape/broadcast.h"

#include <inttypes.h>
#include <string.h>

const char *bli_shape_text(char buffer[BLI_SHAPE_TEXT], int32_t rank,
                           const int64_t *extent)
{
    struct bli_text text;

    bli_text_open(&text, buffer, BLI_SHAPE_TEXT);
    bli_text_extents(&text, "[", ", ", "]", rank, extent);
    return buffer;
}

/* What begins a message, for "%s%s": the argument's name, if one alone is the shape. */
#define PREFIX(name) name ? name : "", name ? ": " : ""

bl_status bli_rank_check(const char *name, int32_t rank, const int64_t *extent)
{
    if (rank < 0 || rank > BL_MAX_RANK)
        return bli_error_argument(name ? name : "rank",
                                  "%s%srank %" PRId32 " is not in [0, %d]",
                                  PREFIX(name), rank, BL_MAX_RANK);
    if (rank > 0 && extent == NULL)
        return bli_error_argument(name ? name : "extent", "%s%sextents are null",
                                  PREFIX(name));
    return BL_OK;
}

bl_status bli_shape_check(const char *name, int32_t rank, const int64_t *extent)
{
    if (bli_shape_is_valid(rank, extent))
        return BL_OK;
    BL_TRY(bli_rank_check(name, rank, extent));
    for (int32_t d = 0; d < rank; d++)
        if (extent[d] < 0)
            return bli_fault_axis(bl_error_set(BL_ERR_ARGUMENT,
                                               "%s%sextent %" PRId64
                                               " at dimension %" PRId32,
                                               PREFIX(name), extent[d], d),
                                  name ? name : "extent", d, extent[d]);
    return BL_OK;
}

/* Prepend `grow` dimensions of extent 1 to the shape (*rank, extent). */
static void insert_leading(int32_t *rank, int64_t *extent, int32_t grow)
{
    memmove(extent + grow, extent, (size_t)*rank * sizeof *extent);
    for (int32_t d = 0; d < grow; d++)
        extent[d] = 1;
    *rank += grow;
}

bl_status bli_broadcast_with(int32_t *rank, int64_t *extent, const bl_shape *shape)
{
    if (*rank == 0) { /* the first operand, or only 0-d ones so far */
        *rank = shape->rank;
        for (int32_t d = 0; d < shape->rank; d++)
            extent[d] = shape->extent[d];
        return BL_OK;
    }
    if (shape->rank > *rank)
        insert_leading(rank, extent, shape->rank - *rank);

    const int32_t shift = *rank - shape->rank;

    for (int32_t d = shape->rank - 1; d >= 0; d--) {
        const int64_t a = extent[d + shift];
        const int64_t b = shape->extent[d];

        if (a == b || b == 1)
            continue;
        if (a != 1)
            return bl_error_set_extents(
                bl_error_set(BL_ERR_SHAPE,
                             "The size of tensor a (%" PRId64
                             ") must match the size of tensor b (%" PRId64
                             ") at non-singleton dimension %" PRId32,
                             a, b, d + shift),
                d + shift, NULL, b, NULL, a);
        extent[d + shift] = b;
    }
    return BL_OK;
}

bl_status bli_result_count(int32_t rank, const int64_t *extent, int64_t *count)
{
    char text[BLI_SHAPE_TEXT];

    if (bli_shape_numel(rank, extent, count))
        return BL_OK;
    return bl_error_set(BL_ERR_OVERFLOW,
                        "the number of elements of shape %s does not fit in 64 bits",
                        bli_shape_text(text, rank, extent));
}

static bl_status shape_numel(int32_t rank, const int64_t *extent, int64_t *count)
{
    if (count == NULL)
        return bli_error_null("numel");
    BL_TRY(bli_shape_check(NULL, rank, extent));
    return bli_result_count(rank, extent, count);
}

bl_status bl_shape_numel(int32_t rank, const int64_t *extent, int64_t *count)
{
    BLI_RETURN_CALL(shape_numel(rank, extent, count), "%S", (int)rank, extent);
}

/* The name of shape `k` of a list in errors: "shape 2", or "shape" beyond the eighth.
 */
static const char *shape_name(int32_t k)
{
    static const char name[BLI_MAX_OPERANDS][8] = {"shape 0", "shape 1", "shape 2",
                                                   "shape 3", "shape 4", "shape 5",
                                                   "shape 6", "shape 7"};

    return k < BLI_MAX_OPERANDS ? name[k] : "shape";
}

/* Add which shapes do not match to the error of shape `k`.  Returns BL_ERR_SHAPE. */
static bl_status refuse_shape(const bl_shape *shapes, int32_t k)
{
    bl_rules_operand operand[BLI_MAX_OPERANDS];
    const bl_rules_query query = {.count = k + 1, .operand = operand};

    if (k >= BLI_MAX_OPERANDS)
        return BL_ERR_SHAPE;
    for (int32_t i = 0; i <= k; i++)
        operand[i] = (bl_rules_operand){shapes[i], BL_ROLE_PAIRED, shape_name(i)};
    return bli_broadcast_mismatch(&query, k);
}

/*
 * Check and broadcast all shapes into (*rank, extent), and compute the result's numel.
 */
static bl_status broadcast_all(int32_t count, const bl_shape *shapes, int32_t *rank,
                               int64_t *extent, int64_t *elements)
{
    if (count < 0 || (count > 0 && shapes == NULL))
        return bli_error_argument(shapes ? "count" : "shapes",
                                  "%" PRId32 " shapes at %s", count,
                                  shapes ? "an address" : "null");
    for (int32_t k = 0; k < count; k++)
        BL_TRY(bli_shape_check(shape_name(k), shapes[k].rank, shapes[k].extent));
    *rank = 0;
    for (int32_t k = 0; k < count; k++)
        if (bli_broadcast_with(rank, extent, &shapes[k]) != BL_OK)
            return refuse_shape(shapes, k);
    return bli_result_count(*rank, extent, elements);
}

/* Name the function that refuses shapes.  Returns `status`. */
static bl_status refuse_shapes(bl_status status, const char *function, int32_t count,
                               const bl_shape *shapes)
{
    struct bli_text text;

    bli_error_open(&text, status, function);
    const bool is_listed = shapes && count >= 1 && count <= BL_MAX_INPUTS;

    if (!is_listed)
        bli_text_add(&text, "%" PRId32 " shapes", count);
    for (int32_t k = 0; is_listed && k < count; k++) {
        const bl_array array = {.rank = shapes[k].rank, .extent = shapes[k].extent};

        bli_error_operand(&text, 1 + k, shape_name(k), &array);
    }
    bli_error_close(&text, 0);
    return status;
}

static bl_status broadcast_shapes(int32_t count, const bl_shape *shapes, int32_t *rank,
                                  int64_t *extent)
{
    int32_t found_rank;
    int64_t found[BL_MAX_RANK];
    int64_t elements;

    if (rank == NULL || extent == NULL)
        return bli_error_null(rank ? "extent" : "rank");
    BL_TRY(broadcast_all(count, shapes, &found_rank, found, &elements));
    *rank = found_rank;
    memcpy(extent, found, (size_t)found_rank * sizeof *extent);
    return BL_OK;
}

bl_status bl_broadcast_shapes(int32_t count, const bl_shape *shapes, int32_t *rank,
                              int64_t *extent)
{
    const bl_status status = broadcast_shapes(count, shapes, rank, extent);

    return status == BL_OK ? BL_OK : refuse_shapes(status, __func__, count, shapes);
}

/*
 * The set of the result's dimensions, bit d for dimension d, along which an operand is
 * broadcast.  A dimension of extent 0 counts if the operand has 1 there: its adjoint is
 * a sum over nothing.
 */
static uint64_t grown_dimensions(const bl_shape *operand, int32_t rank,
                                 const int64_t *extent)
{
    const int32_t shift = rank - operand->rank;
    uint64_t grown = 0;

    for (int32_t d = 0; d < rank; d++) {
        const int64_t own = d < shift ? 1 : operand->extent[d - shift];

        if (own != extent[d])
            grown |= UINT64_C(1) << d;
    }
    return grown;
}

static bl_status broadcast_query(int32_t count, const bl_shape *shapes,
                                 size_t element_size, bl_broadcast_info *info)
{
    bl_broadcast_info found;
    int64_t largest = 0;

    if (info == NULL)
        return bli_error_null("info");
    if (count > BL_INPUTS_LIMIT)
        return bli_error_argument("count", "%" PRId32 " shapes, more than %d", count,
                                  BL_INPUTS_LIMIT);
    memset(&found, 0, sizeof found);
    BL_TRY(broadcast_all(count, shapes, &found.rank, found.extent, &found.numel));
    if (element_size > INT64_MAX ||
        !bli_mul_i64(found.numel, (int64_t)element_size, &found.bytes))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "%" PRId64 " elements of %zu bytes do not fit in 64 bits",
                            found.numel, element_size);
    for (int32_t k = 0; k < count; k++) {
        int64_t own;

        found.expanded_dims[k] = grown_dimensions(&shapes[k], found.rank, found.extent);
        if (bli_shape_numel(shapes[k].rank, shapes[k].extent, &own) && own > largest)
            largest = own;
    }
    if (found.numel > 0)
        found.growth = largest > 0 ? (double)found.numel / (double)largest : 1.0;
    *info = found;
    return BL_OK;
}

bl_status bl_broadcast_query(int32_t count, const bl_shape *shapes, size_t element_size,
                             bl_broadcast_info *info)
{
    const bl_status status = broadcast_query(count, shapes, element_size, info);

    return status == BL_OK ? BL_OK : refuse_shapes(status, __func__, count, shapes);
}

bl_status bli_sum_to_shape_check(const char *from_name, bl_shape from,
                                 const char *to_name, bl_shape to)
{
    char from_text[BLI_SHAPE_TEXT], to_text[BLI_SHAPE_TEXT];

    BL_TRY(bli_shape_check(from_name, from.rank, from.extent));
    BL_TRY(bli_shape_check(to_name, to.rank, to.extent));

    const int32_t shift = from.rank - to.rank;
    bool fits = shift >= 0;

    for (int32_t d = 0; fits && d < to.rank; d++)
        fits = to.extent[d] == 1 || to.extent[d] == from.extent[d + shift];
    if (fits)
        return BL_OK;
    (void)bl_error_set(BL_ERR_SHAPE, "size {%s} is not expandable to size {%s}.",
                       bli_shape_text(to_text, to.rank, to.extent),
                       bli_shape_text(from_text, from.rank, from.extent));
    for (int32_t d = to.rank - 1; shift >= 0 && d >= 0; d--)
        if (to.extent[d] != 1 && to.extent[d] != from.extent[d + shift])
            return bl_error_set_extents(BL_ERR_SHAPE, d + shift,
                                        to_name ? to_name : "extent", to.extent[d],
                                        from_name, from.extent[d + shift]);
    return bli_fault_argument(BL_ERR_SHAPE, to_name ? to_name : "extent");
}

bl_status bl_sum_to_shape_check(bl_shape from, bl_shape to)
{
    BLI_RETURN_CALL(bli_sum_to_shape_check("from", from, "to", to), "from %S, to %S",
                    (int)from.rank, from.extent, (int)to.rank, to.extent);
}
