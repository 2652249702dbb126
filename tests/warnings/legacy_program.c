/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program written when operands of equal numel were paired as 1-D, which migrate.t.sh
 * runs.  Its reports name the lines that are marked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>
#include <broadloom/compat.h>

static float residual_data[4] = {1, 2, 3, 4}, bias_data[4] = {5, 6, 7, 8};
static float whole_data[16];

static const int64_t column[2] = {4, 1}, row[2] = {1, 4}, vector[1] = {4};
static const int64_t square[2] = {2, 2}, whole[2] = {4, 4};

static bl_array view(float *data, int32_t rank, const int64_t *extent)
{
    return (bl_array){
        .data = data, .dtype = BL_DTYPE_F32, .rank = rank, .extent = extent};
}

static int check(bl_status status)
{
    if (status == BL_OK)
        return 0;
    fprintf(stderr, "%s\n", bl_error_message());
    return 1;
}

static int step(void)
{
    const bl_array residual = view(residual_data, 2, column);
    const bl_array target = view(bias_data, 1, vector);
    const bl_array other = view(bias_data, 2, row);
    const bl_array result = view(whole_data, 2, whole);
    const bl_array line = view(whole_data, 2, row);
    int lost = 0;

    lost += check(bl_sub_out(NULL, &result, &residual, &target)); /* value */
    lost += check(bl_mul_out(NULL, &line, &target, &other));      /* shape */
    return lost;
}

static int paired(void)
{
    const bl_array block = view(residual_data, 2, square);
    const bl_array target = view(bias_data, 1, vector);
    bl_options options = BL_OPTIONS_DEFAULT;
    const bl_array *const in[2] = {&block, &target};

    options.rules = bl_rules_transitional();
    return check(bl_apply(NULL, BL_OP_ADD, &block, 2, in, &options)); /* fallback */
}

int main(int argc, char **argv)
{
    int lost = 0;

    for (int k = 0; k < 3; k++)
        lost += step();
    if (argc < 2 || strcmp(argv[1], "modern") != 0)
        lost += paired();
    printf("sum %g\n", (double)(whole_data[0] + whole_data[15]));
    if (argc > 2)
        return atoi(argv[2]);
    return lost > 0;
}
