/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs small problems: inputs that are not dense are gathered, the kernel is called
 * once, and the result is scattered where it is not dense.
 */
#include "exec/gather.h"
#include "exec/small.h"

/*
 * Bytes of BLI_SMALL_COUNT elements of the widest dtype, which is the largest piece
 * too.
 */
#define SCRATCH_BYTES (BLI_SMALL_COUNT * BLI_SMALL_BYTES)

struct scratch {
    /* Staging buffers, as the kernel needs them. */
    _Alignas(BLI_ALIGNMENT) char tile[BLI_MAX_OPERANDS][SCRATCH_BYTES];
    /* One operand, dense, of its dtype in memory. */
    _Alignas(BLI_ALIGNMENT) char gathered[SCRATCH_BYTES];
    /* One operand between two conversions. */
    _Alignas(BLI_ALIGNMENT) char intermediate[SCRATCH_BYTES];
};

/* Scatter `count` pieces to the offsets in the index table `at`. */
static inline void scatter_of(char *to, const char *from, const int32_t *at,
                              int32_t count, size_t size)
{
    for (int32_t i = 0; i < count; i++, from += size)
        memcpy(to + at[i], from, size);
}

/* Scatter the pieces of the result to memory; with a constant size each is one move. */
static void scatter(const struct bli_small *small, char *to, const char *from)
{
    const int32_t *const at = small->at[small->table[0]];

    switch (small->piece[0]) {
    case 1:
        scatter_of(to, from, at, small->pieces[0], 1);
        break;
    case 2:
        scatter_of(to, from, at, small->pieces[0], 2);
        break;
    case 4:
        scatter_of(to, from, at, small->pieces[0], 4);
        break;
    case 8:
        scatter_of(to, from, at, small->pieces[0], 8);
        break;
    default:
        scatter_of(to, from, at, small->pieces[0], 16);
        break;
    }
}

/* Convert operand k's elements, in one step or two. */
static void convert(const struct bl_plan *plan, int32_t k, struct scratch *scratch,
                    char *to, int64_t to_size, char *from, int64_t from_size,
                    int64_t count)
{
    static const int64_t intermediate_size = 2; /* only f16 and bf16 occur there */
    const struct bli_tiling *const tiling = &plan->tiling;
    const bool is_one = !tiling->narrow[k];
    char *const first[] = {is_one ? to : scratch->intermediate, from};
    char *const second[] = {to, scratch->intermediate};
    int64_t stride[2][BLI_MAX_OPERANDS];

    stride[0][0] = is_one ? to_size : intermediate_size;
    stride[0][1] = from_size;
    stride[1][0] = stride[1][1] = 0;
    bli_kernel_run(tiling->convert[k], first,
                   (const int64_t(*)[BLI_MAX_OPERANDS])stride, count, 1, NULL);
    if (is_one)
        return;
    stride[0][0] = to_size;
    stride[0][1] = intermediate_size;
    bli_kernel_run(tiling->narrow[k], second,
                   (const int64_t(*)[BLI_MAX_OPERANDS])stride, count, 1, NULL);
}

/*
 * Gather and convert input k, which is at `from`, as the kernel needs it.  Returns its
 * address: in `scratch`, or `from` itself.
 */
static char *fetch(const struct bl_plan *plan, int32_t k, struct scratch *scratch,
                   char *from)
{
    const struct bli_small *const small = &plan->small;
    const bool is_staged = plan->tiling.staged >> k & 1;
    const int64_t count = small->stride[0][k] == 0 ? 1 : plan->nest.count;

    if (small->table[k] >= 0) {
        char *const to = is_staged ? scratch->gathered : scratch->tile[k];

        bli_gather(to, from, small->at[small->table[k]], small->pieces[k],
                   small->piece[k]);
        from = to;
    }
    if (!is_staged)
        return from;
    convert(plan, k, scratch, scratch->tile[k], bli_dtypes[plan->computed[k]].size,
            from, plan->size[k], count);
    return scratch->tile[k];
}

/* Convert and scatter the result from its staging buffer to memory, at `to`. */
static void store(const struct bl_plan *plan, struct scratch *scratch, char *to)
{
    const struct bli_small *const small = &plan->small;
    const int64_t count = plan->nest.count;
    const bool is_scattered = small->table[0] >= 0;
    char *from = scratch->tile[0];

    if (plan->tiling.staged & 1) {
        char *const dense = is_scattered ? scratch->gathered : to;

        convert(plan, 0, scratch, dense, plan->size[0], from, small->stride[0][0],
                count);
        from = dense;
    }
    if (is_scattered)
        scatter(small, to, from);
}

/* Run a small problem through staging buffers, for operands that need one. */
static void run_tiles(const struct bl_plan *plan, const struct bli_binding *binding)
{
    const struct bli_small *const small = &plan->small;
    const bool has_tile = (plan->tiling.staged & 1) || small->table[0] >= 0;
    char *const to = binding->data[0] + plan->nest.offset[0];
    char *at[BLI_MAX_OPERANDS];
    struct scratch scratch;

    at[0] = has_tile ? scratch.tile[0] : to;
    for (int32_t k = 1; k <= plan->inputs; k++)
        at[k] = fetch(plan, k, &scratch, binding->data[k] + plan->nest.offset[k]);
    bli_kernel_run(plan->kernel, at, small->stride, plan->nest.count, 1,
                   binding->params);
    if (has_tile)
        store(plan, &scratch, to);
}

void bli_small_run(const struct bl_plan *plan, const struct bli_binding *binding)
{
    char *at[BLI_MAX_OPERANDS];

    if (!plan->small.needs_no_gather) {
        run_tiles(plan, binding);
        return;
    }
    for (int32_t k = 0; k <= plan->inputs; k++)
        at[k] = binding->data[k] + plan->nest.offset[k];
    bli_kernel_run(plan->kernel, at, plan->small.stride, plan->nest.count, 1,
                   binding->params);
}
