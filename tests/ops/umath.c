/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For umath.t.sh: reads NumPy's published values of one function, lines of
 *
 *   np.float32,0x3dcccccd,0x3dccce73,2      dtype, argument, value, tolerance
 *
 * and says by how many units the operator named is off at worst, on each instruction
 * set.  Exit status 1 if that is more than one unit anywhere; the tolerance of the
 * file, which is NumPy's own, is not looked at.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/ref.h"

enum { MOST = 8192 };

/* The values of one dtype. */
struct set {
    bl_dtype dtype;
    int64_t count;
    unsigned char argument[MOST * 8];
    unsigned char value[MOST * 8];
};

static bool read_line(const char *line, struct set *set)
{
    char name[32];
    uint64_t argument, value;
    const size_t size = ref_size(set->dtype);

    if (sscanf(line, "np.%31[a-z0-9],%" SCNx64 ",%" SCNx64, name, &argument, &value) !=
            3 ||
        strcmp(name, set->dtype == BL_DTYPE_F32 ? "float32" : "float64") != 0)
        return true;
    if (set->count == MOST)
        return false;
    memcpy(set->argument + (size_t)set->count * size, &argument, size);
    memcpy(set->value + (size_t)set->count * size, &value, size);
    set->count++;
    return true;
}

/* Distance of two numbers in ulp; 0 between two NaN. */
static double units(bl_dtype dtype, const void *want, const void *got)
{
    double a, b;

    if (dtype == BL_DTYPE_F32) {
        float single[2];

        memcpy(&single[0], want, sizeof single[0]);
        memcpy(&single[1], got, sizeof single[1]);
        a = (double)single[0];
        b = (double)single[1];
    } else {
        memcpy(&a, want, sizeof a);
        memcpy(&b, got, sizeof b);
    }
    if ((isnan(a) && isnan(b)) || a == b)
        return 0;
    return fabs(a - b) / ref_unit(dtype, fabs(a));
}

static bool run(bl_context *ctx, bl_op op, const struct set *set, double *worst)
{
    static unsigned char result[MOST * 8];
    const bl_array in = {.data = (void *)(uintptr_t)set->argument,
                         .dtype = set->dtype,
                         .rank = 1,
                         .extent = &set->count};
    const bl_array out = {
        .data = result, .dtype = set->dtype, .rank = 1, .extent = &set->count};
    const bl_array *const input[] = {&in};
    const size_t size = ref_size(set->dtype);

    *worst = 0;
    if (bl_apply(ctx, op, &out, 1, input, NULL) != BL_OK) {
        printf("%s\n", bl_error_message());
        return false;
    }
    for (int64_t i = 0; i < set->count; i++) {
        const double off =
            units(set->dtype, set->value + (size_t)i * size, result + (size_t)i * size);

        *worst = off > *worst ? off : *worst;
    }
    return *worst <= 1;
}

int main(int argc, char **argv)
{
    static const char *const isa[] = {"base", "avx2", "avx512"};
    static struct set sets[] = {{.dtype = BL_DTYPE_F32}, {.dtype = BL_DTYPE_F64}};
    const bl_op op = argc == 2 ? bl_op_find(argv[1]) : BL_OP_NONE;
    char line[256];
    bool pass = op != BL_OP_NONE;

    while (pass && fgets(line, sizeof line, stdin) != NULL)
        pass = read_line(line, &sets[0]) && read_line(line, &sets[1]);
    for (int32_t k = 0; pass && k < 3; k++) {
        bl_context *ctx = NULL;

        if (bl_context_create(&ctx) != BL_OK)
            return 1;
        if (bl_context_set_isa(ctx, isa[k]) != BL_OK) {
            bl_context_destroy(ctx);
            pass = k > 0; /* the others need not be compiled */
            continue;
        }
        for (int32_t s = 0; s < 2; s++) {
            double worst;

            pass = run(ctx, op, &sets[s], &worst) && pass;
            printf("%s: %" PRId64 " values of %s, off by %g units at most\n", isa[k],
                   sets[s].count, ref_dtype_name(sets[s].dtype), worst);
        }
        bl_context_destroy(ctx);
    }
    return pass && sets[0].count > 0 ? 0 : 1;
}
