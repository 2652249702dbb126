/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls whose cost shadow_cost.t.sh counts: shadow_cost CALL TIMES.  An argument more
 * makes marks first.  The instructions of measured() count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <broadloom.h>

enum { MANY = 4096, FEW = 64 };

static float x[MANY], y[MANY], z[MANY], square[FEW * FEW];

/* CALL: "small" and "large" do not differ, "flat" and "broadcast" do. */
static bool call_once(const char *call)
{
    const int64_t four[1] = {4}, many[1] = {MANY}, few[1] = {FEW}, tall[2] = {FEW, 1};
    const int64_t both[2] = {FEW, FEW};
    const bool is_small = strcmp(call, "small") == 0;
    const bool differs = strcmp(call, "flat") == 0 || strcmp(call, "broadcast") == 0;
    const int64_t *const extent = is_small ? four : many;
    const bl_array a = {x, BL_DTYPE_F32, 1 + differs, differs ? tall : extent, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, differs ? few : extent, NULL, 0};
    const bl_array same = {z, BL_DTYPE_F32, a.rank, a.extent, NULL, 0};
    const bl_array wide = {square, BL_DTYPE_F32, 2, both, NULL, 0};

    return bl_add_out(NULL, strcmp(call, "broadcast") == 0 ? &wide : &same, &a, &b) ==
           BL_OK;
}

bool measured(const char *call, long times);

bool __attribute__((noinline)) measured(const char *call, long times)
{
    bool pass = true;

    for (long i = 0; i < times; i++)
        pass = call_once(call) && pass;
    return pass;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < MANY; i++) {
        x[i] = (float)i;
        y[i] = (float)(i * i);
    }
    if (argc < 3 || (argc > 3 && !call_once("broadcast")))
        return 2;
    /* The first calls plan, and are compared. */
    return measured(argv[1], 3) && measured(argv[1], atol(argv[2])) ? 0 : 1;
}
