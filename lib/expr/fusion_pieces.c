/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills buffers with elements in logical order of operands that are repeated. */
#include "expr/fusion_box.h"

#include "exec/loops/odometer.h"

/* Copy `rows` rows of `count` elements of operand `k`. */
static void copy(const struct bli_fusion *fusion, int32_t k, char *to, char *from,
                 int64_t count, int64_t rows)
{
    const int64_t step = fusion->place[k].step;
    const int64_t *const stride = fusion->joined_stride + k;
    char *const data[BLI_MAX_OPERANDS] = {to, from};
    const int64_t strides[2][BLI_MAX_OPERANDS] = {
        {step, stride[0]}, {step * count, stride[fusion->operands]}};

    bli_kernel_run(fusion->operand[k].convert, data, strides, count, rows, NULL);
}

void bli_fusion_fill_pieces(const struct bli_fusion *fusion, int32_t k, char *to,
                            char *from, int64_t at, int64_t count)
{
    const int64_t *const extent = fusion->joined_extent;
    const struct bli_loops loops = {.count = fusion->joined,
                                    .operands = 1,
                                    .extent = extent,
                                    .stride = fusion->joined_stride + k,
                                    .pitch = fusion->operands};
    int64_t index[BL_MAX_RANK];

    bli_loops_go_to(&loops, index, &from, at);
    for (int64_t run; count > 0; count -= run) {
        const int64_t rest = extent[0] - index[0], more = extent[1] - index[1];
        int64_t rows = count / extent[0] < more ? count / extent[0] : more;

        if (index[0] == 0 && rows > 0) {
            run = rows * extent[0];
            copy(fusion, k, to, from, extent[0], rows);
            (void)bli_loops_advance(&loops, index, &from, 1, rows);
        } else {
            run = rest < count ? rest : count;
            copy(fusion, k, to, from, run, 1);
            (void)bli_loops_advance(&loops, index, &from, 0, run);
        }
        to += run * fusion->place[k].step;
    }
}
