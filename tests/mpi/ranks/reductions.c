/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random reductions over random grids, borders, dtypes, shapes and axes: tensors and
 * arrays of results have the bits of one process, a refused call is refused by both,
 * and what MPI is asked to send is what bl_mpi_reduce_query() said of that rank.
 * usage: reductions SEED CASES [FIRST]
 */
#include <stdio.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/pairs.h"
#include "mpi/ranks/world.h"

enum { RANK = 4, ELEMENTS = 30000, ENOUGH = 50 };

static const bl_dtype dtypes[] = {
    BL_DTYPE_F64, BL_DTYPE_F32, BL_DTYPE_F64,  BL_DTYPE_C128, BL_DTYPE_F16,
    BL_DTYPE_I32, BL_DTYPE_C64, BL_DTYPE_BF16, BL_DTYPE_U8,   BL_DTYPE_BOOL,
    BL_DTYPE_I64, BL_DTYPE_F32, BL_DTYPE_I8};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

struct trial {
    bl_mpi_grid *grid;
    bl_reduction op;
    bl_reduce_options options;
    int32_t rank, axes_count, axes[RANK];
    int64_t extent[RANK];
    bool keepdim;
    bl_tensor *whole, *want; /* want NULL: refused */
    bl_mpi_tensor *in;
};

static struct {
    int64_t results, refused, limited, messages, bytes;
} seen;

static bl_context *ctx; /* whose memory is counted */

/* ---- cases ---- */

static void choose_shape(struct rng *rng, struct trial *trial)
{
    static const int64_t lengths[] = {1, 2, 3, 5, 8, 17, 64, 1000, 1024, 2048, 5000};
    int64_t numel = 1;

    trial->rank = (int32_t)rng_below(rng, RANK + 1);
    for (int32_t d = 0; d < trial->rank; d++) {
        trial->extent[d] = lengths[rng_below(rng, 11)];
        if (numel * trial->extent[d] > ELEMENTS)
            trial->extent[d] = 1 + rng_below(rng, ELEMENTS / numel < 9 ? 1 : 9);
        if (rng_one_in(rng, 40))
            trial->extent[d] = 0;
        numel *= trial->extent[d] > 0 ? trial->extent[d] : 1;
    }
    trial->axes_count = 0;
    for (int32_t d = 0; d < trial->rank; d++)
        if (rng_one_in(rng, 2))
            trial->axes[trial->axes_count++] = rng_one_in(rng, 2) ? d : d - trial->rank;
    trial->keepdim = rng_one_in(rng, 2);
}

static void choose_call(struct rng *rng, struct trial *trial)
{
    const bl_dtype dtype = dtypes[rng_below(rng, DTYPES)];

    trial->op = (bl_reduction)(1 + rng_below(rng, 9));
    trial->options = (bl_reduce_options)BL_REDUCE_OPTIONS_DEFAULT;
    if (trial->op <= BL_REDUCTION_MEAN && rng_one_in(rng, 4))
        trial->options.dtype = dtypes[rng_below(rng, DTYPES)];
    if (rng_one_in(rng, 3))
        trial->options.correction = (double)rng_below(rng, 3) - 0.5;
    trial->whole = world_numbers(rng, dtype, trial->rank, trial->extent);
    trial->in = world_spread(rng, trial->grid, bl_tensor_array(trial->whole));
    if (bl_reduce_new(NULL, trial->op, bl_tensor_array(trial->whole), trial->axes_count,
                      trial->axes, trial->keepdim, &trial->options,
                      &trial->want) != BL_OK)
        trial->want = NULL;
}

/* ---- calls ---- */

static void start_counting(void)
{
    memset(&world_counts, 0, sizeof world_counts);
}

static bool is_as_told(const bl_mpi_plan_info *info)
{
    const bool is_right = world_counts.messages == info->messages &&
                          world_counts.bytes == info->bytes &&
                          world_counts.received == info->received_bytes &&
                          info->least_bytes <= info->total_bytes &&
                          (info->least_bytes > 0) == (info->total_bytes > 0);

    if (!is_right)
        fprintf(
            stderr,
            "# rank %d: %ld messages, %ld bytes, %ld received; told %ld, %ld, %ld\n",
            world_self, (long)world_counts.messages, (long)world_counts.bytes,
            (long)world_counts.received, (long)info->messages, (long)info->bytes,
            (long)info->received_bytes);
    seen.messages += world_counts.messages;
    seen.bytes += world_counts.bytes;
    return is_right;
}

static bl_status query(const struct trial *trial, const bl_mpi_options *limits,
                       bool everywhere, bl_mpi_plan_info *info)
{
    info->size = sizeof *info;
    return bl_mpi_reduce_query(NULL, trial->op, trial->in, trial->axes_count,
                               trial->axes, trial->keepdim, &trial->options, limits,
                               everywhere, world_self, info);
}

static int64_t bytes_of(const bl_array *block)
{
    int64_t numel;

    must(bl_shape_numel(block->rank, block->extent, &numel));
    return numel * (int64_t)bl_dtype_size(block->dtype);
}

/* Whether a call had no more memory than its plan said, beside its result, and a copy
 * of elements that are not aligned. */
static bool is_within(const struct trial *trial, const bl_mpi_plan_info *info,
                      const bl_mpi_tensor *made)
{
    const bl_array *const own = bl_mpi_local(trial->in);
    const bool is_aligned = (uintptr_t)own->data % bl_dtype_size(own->dtype) == 0 &&
                            !(own->flags & BL_ARRAY_BYTE_STRIDES);
    const int64_t most = info->workspace + 4096 + /* objects */
                         bytes_of(bl_mpi_local(made)) +
                         (is_aligned ? 0 : bytes_of(own));

    if (world_most_bytes() <= most)
        return true;
    fprintf(stderr, "# rank %d: %ld bytes at once, told %ld\n", world_self,
            (long)world_most_bytes(), (long)most);
    return false;
}

/* A limit that the worst rank just keeps, one that it does not, and no move at all. */
static bool try_limits(const struct trial *trial)
{
    bl_mpi_options limits = {.size = sizeof limits};
    bl_mpi_plan_info info = {.size = sizeof info};
    int64_t own, worst;
    bool is_right = true;

    must(query(trial, NULL, false, &info));
    own = info.received_bytes + info.shared_received_bytes;
    PMPI_Allreduce(&own, &worst, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 3 && is_right; i++) {
        const bool must_refuse = i == 1 ? worst > 1 : i == 2 && info.total_bytes > 0;
        bl_mpi_tensor *made = NULL;

        limits.move = i == 2 ? BL_MPI_MOVE_NONE : BL_MPI_MOVE_AUTO;
        limits.most_bytes = i == 0 ? worst : i == 1 && worst > 0 ? worst - 1 : 0;
        const bl_status asked = query(trial, &limits, false, &info);

        start_counting();
        const bl_status status =
            bl_mpi_reduce_new(ctx, trial->op, trial->in, trial->axes_count, trial->axes,
                              trial->keepdim, &trial->options, &limits, &made);

        is_right = world_refused_alike(status) && asked == status &&
                   status == (must_refuse ? BL_ERR_RULES : BL_OK) &&
                   (!must_refuse || (world_counts.messages == 0 && !made));
        if (!is_right)
            fprintf(stderr, "# rank %d: limit %d of %ld bytes: status %d, asked %d\n",
                    world_self, i, (long)worst, (int)status, (int)asked);
        seen.limited += must_refuse;
        bl_mpi_tensor_release(made);
    }
    return is_right;
}

/* The results as a tensor over ranks. */
static bool try_tensor(struct rng *rng, const struct trial *trial)
{
    const bl_array *const want = trial->want ? bl_tensor_array(trial->want) : NULL;
    const bl_mpi_dim *const dims =
        want && rng_one_in(rng, 2)
            ? world_dims(rng, trial->grid, want->rank, want->extent)
            : NULL;
    const bl_mpi_options limits = {.size = sizeof limits, .dims = dims};
    bl_mpi_plan_info info;
    bl_mpi_tensor *made = NULL;
    const bl_status asked = query(trial, &limits, false, &info);

    start_counting();
    world_fail_allocation(0);
    const bl_status status =
        bl_mpi_reduce_new(ctx, trial->op, trial->in, trial->axes_count, trial->axes,
                          trial->keepdim, &trial->options, &limits, &made);
    bool is_right = world_refused_alike(status) && asked == status &&
                    (status == BL_OK) == (want != NULL);

    if (status == BL_OK)
        is_right = is_right && is_as_told(&info) && world_is_part(made, want) &&
                   is_within(trial, &info, made);
    seen.results += status == BL_OK;
    seen.refused += status != BL_OK;
    if (!is_right)
        fprintf(stderr, "# rank %d: status %d %s, asked %d\n", world_self, (int)status,
                status == BL_OK ? "" : bl_error_message(), (int)asked);
    bl_mpi_tensor_release(made);
    return is_right;
}

/* The results as an array on every rank. */
static bool try_array(const struct trial *trial)
{
    const bl_array *const want = bl_tensor_array(trial->want);
    bl_mpi_plan_info info;
    bl_tensor *out;
    bool is_right;

    must(bl_tensor_zeros(NULL, want->dtype, want->rank, want->extent, &out));
    must(query(trial, NULL, true, &info));
    start_counting();
    const bl_status status = bl_mpi_reduce(NULL, trial->op, bl_tensor_array(out),
                                           trial->in, trial->axes_count, trial->axes,
                                           trial->keepdim, &trial->options, NULL);

    is_right = status == BL_OK && is_as_told(&info) &&
               arrays_are_same(bl_tensor_array(out), want);
    if (!is_right)
        fprintf(stderr, "# rank %d: array, status %d %s\n", world_self, (int)status,
                status == BL_OK ? "" : bl_error_message());
    bl_tensor_release(out);
    return is_right;
}

static void tell(const struct trial *trial)
{
    fprintf(stderr, "# rank %d: %s of %s [", world_self, bl_reduction_name(trial->op),
            bl_dtype_name(bl_mpi_tensor_dtype(trial->in)));
    for (int32_t d = 0; d < trial->rank; d++)
        fprintf(stderr, " %ld", (long)trial->extent[d]);
    fprintf(stderr, " ] over");
    for (int32_t i = 0; i < trial->axes_count; i++)
        fprintf(stderr, " %d", (int)trial->axes[i]);
    fprintf(stderr, "%s\n", trial->keepdim ? ", keepdim" : "");
}

static bool try(struct rng *rng, int64_t number)
{
    struct trial trial = {.grid = world_grid(rng)};
    bool is_right;

    (void)number;
    choose_shape(rng, &trial);
    choose_call(rng, &trial);
    is_right = try_tensor(rng, &trial);
    if (is_right && trial.want && rng_one_in(rng, 2))
        is_right = try_array(&trial);
    if (is_right && trial.want && (rng_one_in(rng, 4) || seen.limited == 0))
        is_right = try_limits(&trial);
    if (!is_right)
        tell(&trial);
    bl_mpi_tensor_release(trial.in);
    bl_tensor_release(trial.whole);
    bl_tensor_release(trial.want);
    return is_right;
}

int main(int count, char **arguments)
{
    const struct world_cases cases = world_open(count, arguments, 120);
    const int64_t many = cases.end - cases.first;

    const bl_allocator allocator = world_allocator();

    must(bl_context_set_threads(NULL, 1));
    must(bl_context_create(&ctx));
    must(bl_context_set_threads(ctx, 1));
    must(bl_context_set_allocator(ctx, &allocator));
    world_make_grids(cases.seed);
    world_ok(world_try(&cases, "reductions", try),
             "%d ranks: reductions have the bits of one process", world_ranks);
    world_ok(sum_of_pairs(), "%d ranks: the sum of a line has, too", world_ranks);
    world_ok(many < ENOUGH || seen.results > many / 3,
             "%d ranks: most reductions have results", world_ranks);
    world_ok(many < ENOUGH || world_ranks == 1 || seen.limited > 0,
             "%d ranks: limits refuse reductions, before anything is sent",
             world_ranks);
    if (world_self == 0)
        tap_note("%ld results, %ld refused, %ld messages and %ld bytes by rank 0",
                 (long)seen.results, (long)seen.refused, (long)seen.messages,
                 (long)seen.bytes);
    bl_context_destroy(ctx);
    return world_close();
}
