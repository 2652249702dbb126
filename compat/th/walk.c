/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs kernels over arrays of the same numel, paired in the logical (row-major) order
 * of each, for what is not an operator of the library: in segments that have one stride
 * in every array, on all cores.
 */
#include "core.h"

enum { ARRAYS_MAX = 5, PART_MIN = 32768 };

/* A position among the elements of an array, in row-major order. */
struct cursor {
    char *at;     /* the element there */
    int64_t left; /* elements of its segment, this one included */
    int64_t step; /* in bytes, inside the segment */
    int rank;     /* dimensions outside the segment, and the segment's */
    int64_t index[BL_MAX_RANK];
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in bytes */
};

/* Set a cursor to an element of a non-empty array, whose dimensions it fuses. */
static void set_cursor(struct cursor *cursor, const bl_array *array, int64_t position)
{
    const int64_t size = (int64_t)bl_dtype_size(array->dtype);
    int last = 0;

    cursor->extent[0] = 1;
    cursor->stride[0] = 0;
    for (int32_t d = 0; d < array->rank; d++) {
        const int64_t extent = array->extent[d], stride = array->stride[d] * size;

        if (extent == 1)
            continue;
        if (cursor->extent[last] == 1) {
            cursor->extent[last] = extent;
        } else if (cursor->stride[last] == extent * stride) {
            cursor->extent[last] *= extent;
        } else {
            cursor->extent[++last] = extent;
        }
        cursor->stride[last] = stride;
    }
    cursor->rank = last + 1;
    cursor->at = array->data;
    for (int d = last; d >= 0; d--) {
        cursor->index[d] = position % cursor->extent[d];
        position /= cursor->extent[d];
        cursor->at += cursor->index[d] * cursor->stride[d];
    }
    cursor->step = cursor->stride[last];
    cursor->left = cursor->extent[last] - cursor->index[last];
}

/* Advance by `count` elements, at most to the end of the segment. */
static void move_cursor(struct cursor *cursor, int64_t count)
{
    const int last = cursor->rank - 1;

    cursor->at += count * cursor->step;
    cursor->left -= count;
    if (cursor->left > 0)
        return;
    cursor->left = cursor->extent[last];
    cursor->at -= cursor->extent[last] * cursor->step;
    for (int d = last - 1; d >= 0; d--) {
        cursor->at += cursor->stride[d];
        if (++cursor->index[d] < cursor->extent[d])
            return;
        cursor->at -= cursor->extent[d] * cursor->stride[d];
        cursor->index[d] = 0;
    }
}

/*
 * Run a kernel over elements `begin` to `end`, in order, at most `longest` at a time;
 * its last pointer is `partial`.
 */
static void walk(int count, const bl_array *const *arrays, int64_t begin, int64_t end,
                 int64_t longest, th_kernel kernel, const void *user, void *partial)
{
    struct cursor cursor[ARRAYS_MAX];
    char *at[ARRAYS_MAX + 1];
    int64_t step[ARRAYS_MAX + 1] = {0};

    for (int k = 0; k < count; k++) {
        set_cursor(&cursor[k], arrays[k], begin);
        step[k] = cursor[k].step;
    }
    at[count] = partial;
    while (begin < end) {
        int64_t length = THMin(longest, end - begin);

        for (int k = 0; k < count; k++) {
            length = THMin(length, cursor[k].left);
            at[k] = cursor[k].at;
        }
        kernel(user, length, at, step);
        for (int k = 0; k < count; k++)
            move_cursor(&cursor[k], length);
        begin += length;
    }
}

/* ---- on all cores ---- */

/*
 * Whether the result may share memory with itself or, at other positions, with an
 * operand, so that elements must be computed in order.
 */
static bool needs_order(int count, const bl_array *const *arrays)
{
    if (th_may_repeat(arrays[0]))
        return true;
    for (int k = 1; k < count; k++)
        if (th_may_overlap(arrays[0], arrays[k]) && !th_is_same(arrays[0], arrays[k]))
            return true;
    return false;
}

/* First of `total` items that belongs to a part. */
static int64_t part_begin(int64_t total, int64_t part, int64_t parts)
{
    return total / parts * part + THMin(part, total % parts);
}

/*
 * The number of threads, at most `wanted`, that the library would give a large call.
 * The library is asked where a team becomes larger than the thread's last one, since an
 * OpenMP runtime ends the process where the system refuses it a thread; and at each
 * call once the system has refused one.
 */
static int64_t find_team(int64_t wanted)
{
    static _Thread_local int64_t last;
    bl_topology_info info = {.size = sizeof info};
    int64_t team = wanted;

    if (wanted > last && bl_topology_query(th_context(), &info) == BL_OK)
        team = THMin(wanted, info.team);
    last = info.limit == BL_TEAM_LIMIT_SYSTEM ? 0 : team;
    return team;
}

int th_team(int64_t most)
{
    return most <= 1 || th_is_forked() ? 1
                                       : (int)find_team(THMin(most, THGetNumThreads()));
}

/* How many parts, and threads, to divide work on that many elements into. */
static int64_t find_parts(int64_t elements, int64_t most)
{
    return th_team(THMin(1 + elements / PART_MIN, most));
}

static void map(int count, const bl_array *const *arrays, th_kernel kernel,
                const void *user)
{
    const int64_t total = th_count(arrays[0]);
    const bool ordered = needs_order(count, arrays);
    const int64_t parts = ordered ? 1 : find_parts(total, total);

    if (total == 0)
        return;
#pragma omp parallel for num_threads((int)parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++)
        walk(count, arrays, part_begin(total, part, parts),
             part_begin(total, part + 1, parts), ordered ? 1 : total, kernel, user,
             NULL);
}

/* A kernel, as `user` of a bl_shadow_function. */
struct mapping {
    th_kernel kernel;
    const void *user;
};

static bl_status map_broadcast(void *user, const bl_array *out, int32_t count,
                               const bl_array *const *in)
{
    const struct mapping *const mapping = user;
    const bl_array *arrays[ARRAYS_MAX] = {out};

    for (int32_t k = 0; k < count; k++)
        arrays[1 + k] = in[k];
    map(1 + count, arrays, mapping->kernel, mapping->user);
    return BL_OK;
}

void th_map(int count, const bl_array *const *arrays, th_kernel kernel,
            const void *user)
{
    struct mapping mapping = {kernel, user};
    bl_shadow *shadow;

    if (!th_shadows()) {
        map(count, arrays, kernel, user);
        return;
    }
    shadow = th_begin_shadow(arrays[0], count - 1, arrays + 1, map_broadcast, &mapping);
    map(count, arrays, kernel, user);
    if (shadow)
        bl_shadow_end(shadow, arrays[0]);
    else
        th_carry(arrays[0], count - 1, arrays + 1);
}

int64_t th_reduce_blocks(int64_t count)
{
    return (count + TH_REDUCE_BLOCK - 1) / TH_REDUCE_BLOCK;
}

void th_reduce(int count, const bl_array *const *arrays, th_kernel kernel,
               const void *user, void *partial, size_t size)
{
    const int64_t total = th_count(arrays[0]);
    const int64_t blocks = th_reduce_blocks(total);
    const int64_t parts = find_parts(total, blocks);

#pragma omp parallel for num_threads((int)parts) if (parts > 1)
    for (int64_t b = 0; b < blocks; b++)
        walk(count, arrays, b * TH_REDUCE_BLOCK,
             THMin(total, (b + 1) * TH_REDUCE_BLOCK), total, kernel, user,
             (char *)partial + (size_t)b * size);
}

/*
 * Run a kernel over lines `begin` to `end` along `dim`, numbered in row-major order of
 * the first array's other dimensions.
 */
static void walk_lines(int count, const bl_array *const *arrays, int dim, int64_t begin,
                       int64_t end, th_kernel kernel, const void *user)
{
    const bl_array *const first = arrays[0];
    char *at[ARRAYS_MAX + 1] = {NULL};
    int64_t step[ARRAYS_MAX + 1] = {0};

    for (int64_t line = begin; line < end; line++) {
        for (int k = 0; k < count; k++) {
            const int64_t size = (int64_t)bl_dtype_size(arrays[k]->dtype);
            int64_t rest = line, offset = 0;

            for (int32_t d = first->rank - 1; d >= 0; d--) {
                if (d == dim)
                    continue;
                offset += rest % first->extent[d] * arrays[k]->stride[d];
                rest /= first->extent[d];
            }
            at[k] = (char *)arrays[k]->data + offset * size;
            step[k] = arrays[k]->stride[dim] * size;
        }
        kernel(user, first->extent[dim], at, step);
    }
}

void th_lines(int count, const bl_array *const *arrays, int dim, th_kernel kernel,
              const void *user)
{
    const int64_t total = th_count(arrays[0]);
    const int64_t lines = total == 0 ? 0 : total / arrays[0]->extent[dim];
    const int64_t parts = total == 0 ? 1 : find_parts(total, lines);

#pragma omp parallel for num_threads((int)parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++)
        walk_lines(count, arrays, dim, part_begin(lines, part, parts),
                   part_begin(lines, part + 1, parts), kernel, user);
}
