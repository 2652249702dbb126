/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of calls over ranks: where results lie, what limits refuse, what is refused of
 * the whole call.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <string.h>

#include "harness/expect_status.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/call.h"

#define N 4096

/* An operand f32 of a 4 x 4 grid; `axis` of each dimension, or EACH. */
enum { EACH = -2 };
struct given {
    int32_t rank;
    int64_t extent[3];
    int32_t axis[3];
};

static struct bli_grid grid;

static struct bli_spread_operand operand_of(const struct given *given)
{
    struct bli_spread_operand operand = {
        .array = {.dtype = BL_DTYPE_F32, .rank = given->rank, .extent = given->extent}};
    struct bli_dim dims[3];
    struct bli_spread *spread;

    if (given->axis[0] == EACH)
        return operand;
    for (int32_t d = 0; d < given->rank; d++)
        dims[d] = (struct bli_dim){given->axis[d], NULL};
    must(bli_spread_make(&grid, given->rank, given->extent, dims, BLI_EVERY_RANK,
                         &spread));
    operand.spread = spread;
    return operand;
}

/* ---- where results lie ---- */

static const struct {
    const char *what;
    struct given a, b;
    int32_t follows;
    int32_t axis[3];
    bool moves[2];
} choices[] = {
    {"as both do", {2, {N, N}, {0, 1}}, {2, {N, N}, {0, 1}}, 0, {0, 1}, {0, 0}},
    {"a row along the right axis",
     {2, {N, N}, {0, 1}},
     {1, {N}, {1}},
     0,
     {0, 1},
     {false, false}},
    {"a row along the wrong axis moves",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     0,
     {0, 1},
     {false, true}},
    {"the large operand stays, first",
     {1, {N}, {0}},
     {2, {N, N}, {0, 1}},
     1,
     {0, 1},
     {true, false}},
    {"an outer product lies along both",
     {2, {N, 1}, {0, -1}},
     {2, {1, N}, {-1, 1}},
     0,
     {0, 1},
     {false, false}},
    {"a replicated operand does not say",
     {2, {N, N}, {EACH}},
     {2, {N, N}, {0, 1}},
     0,
     {0, 1},
     {false, false}},
    {"fewer cuts are filled in",
     {2, {N, N}, {0, -1}},
     {2, {N, N}, {-1, 1}},
     0,
     {0, 1},
     {false, false}},
    {"equal costs: the first",
     {2, {N, N}, {0, -1}},
     {2, {N, N}, {-1, 0}},
     0,
     {0, -1},
     {false, true}},
    {"a repeated dimension's cut is not taken",
     {2, {1, N}, {0, 1}},
     {2, {N, N}, {-1, 1}},
     0,
     {-1, 1},
     {true, false}},
    {"a new leading dimension",
     {3, {8, N, N}, {-1, 0, 1}},
     {2, {N, N}, {0, 1}},
     0,
     {-1, 0, 1},
     {false, false}},
};

static void release(struct bli_spread_operand *operand)
{
    bli_spread_release((struct bli_spread *)(uintptr_t)operand->spread);
}

static void test_choices(void)
{
    const struct bli_spread_options options = {.most_bytes = INT64_MAX,
                                               .most_memory = INT64_MAX};

    for (size_t row = 0; row < sizeof choices / sizeof choices[0]; row++) {
        struct bli_spread_operand operand[] = {operand_of(&choices[row].a),
                                               operand_of(&choices[row].b)};
        struct bli_spread_call plan;
        bool pass;

        must(bli_spread_call_make(BL_OP_ADD, 2, operand, &options, &plan));
        pass = plan.follows == choices[row].follows;
        for (int32_t d = 0; d < plan.result->rank; d++)
            pass = pass && plan.result->axis[d] == choices[row].axis[d];
        for (int32_t k = 0; k < 2; k++)
            pass = pass && plan.is_local[k] == !choices[row].moves[k];
        tap_ok(pass, "a result lies: %s", choices[row].what);
        bli_spread_call_free(&plan);
        release(&operand[0]);
        release(&operand[1]);
    }
}

/* ---- limits and refusals ---- */

static const struct {
    const char *what;
    struct given a, b;
    struct bli_spread_options options;
    bl_status status;
    const char *text; /* NULL: allowed */
} limits[] = {
    {"nothing may move, and nothing does",
     {2, {N, N}, {0, 1}},
     {1, {N}, {1}},
     {.move = BLI_MOVE_NONE},
     BL_OK,
     NULL},
    {"nothing may move",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.move = BLI_MOVE_NONE},
     BL_ERR_RULES,
     "b f32[4096] would move, and nothing may: rank 1 would receive 4096 bytes"},
    {"a small operand may move",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.move = BLI_MOVE_SMALL},
     BL_OK,
     NULL},
    {"a large one may not",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.move = BLI_MOVE_SMALL, .small_bytes = 4 * N - 1},
     BL_ERR_RULES,
     "b f32[4096] would move: it has 16384 bytes, and small_bytes is 16383"},
    {"most_bytes that suffices",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.most_bytes = N},
     BL_OK,
     NULL},
    {"most_bytes one less",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.most_bytes = N - 1},
     BL_ERR_RULES,
     "rank 1 would receive 4096 bytes, above all of b f32[4096]: most_bytes is 4095"},
    {"most_memory that suffices",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.most_memory = 3 * N},
     BL_OK,
     NULL},
    {"most_memory one less",
     {2, {N, N}, {0, 1}},
     {1, {N}, {0}},
     {.most_memory = 3 * N - 1},
     BL_ERR_RULES,
     "rank 1 would need 12288 bytes of workspace, above all for b f32[4096]: "
     "most_memory is 12287"},
    {"shapes that do not fit",
     {2, {N, N}, {0, 1}},
     {1, {3}, {0}},
     {0},
     BL_ERR_SHAPE,
     "must match the size"},
    {"no operand over ranks",
     {1, {3}, {EACH}},
     {1, {3}, {EACH}},
     {0},
     BL_ERR_ARGUMENT,
     "no operand is spread"},
    {"a result in place that is not spread",
     {1, {3}, {EACH}},
     {1, {3}, {0}},
     {.in_place = true},
     BL_ERR_ARGUMENT,
     "the result is not spread"},
};

static void test_limits(void)
{
    for (size_t row = 0; row < sizeof limits / sizeof limits[0]; row++) {
        struct bli_spread_operand operand[] = {operand_of(&limits[row].a),
                                               operand_of(&limits[row].b)};
        struct bli_spread_call plan;
        const bl_status status =
            bli_spread_call_make(BL_OP_ADD, 2, operand, &limits[row].options, &plan);

        tap_ok(limits[row].text
                   ? expect_status(status, limits[row].status, limits[row].text)
                   : status == BL_OK,
               "limits: %s", limits[row].what);
        if (status == BL_OK)
            bli_spread_call_free(&plan);
        release(&operand[0]);
        release(&operand[1]);
    }
}

static void test_other_refusals(void)
{
    const struct given square = {2, {N, N}, {0, 1}}, flat = {1, {N}, {0}};
    const int64_t extent[] = {2, 8}, whole[] = {N, N};
    struct bli_spread_operand operand[] = {operand_of(&square), operand_of(&flat)};
    bl_options call = BL_OPTIONS_DEFAULT;
    struct bli_spread_options options = {.call = &call, .most_bytes = INT64_MAX};
    struct bli_spread_call plan;
    struct bli_spread *other;
    struct bli_grid unlike;

    call.names = (const char *const[]){"field", "bias"};
    options.move = BLI_MOVE_NONE;
    tap_ok(expect_status(bli_spread_call_make(BL_OP_ADD, 2, operand, &options, &plan),
                         BL_ERR_RULES, "bias f32[4096] would move"),
           "a refusal has the names of the call");
    options.move = BLI_MOVE_AUTO;
    operand[1].array.extent = (const int64_t[]){1};
    tap_ok(expect_status(bli_spread_call_make(BL_OP_SUB, 2, operand, &options, &plan),
                         BL_ERR_ARGUMENT, "bias is spread with another shape"),
           "a spread of another shape is refused");
    release(&operand[1]);
    must(bli_grid_make(0, 2, extent, 0, &unlike));
    must(bli_spread_make(&unlike, 2, whole, NULL, BLI_EVERY_RANK, &other));
    operand[1] = operand[0];
    operand[1].spread = other;
    tap_ok(expect_status(bli_spread_call_make(BL_OP_SUB, 2, operand, &options, &plan),
                         BL_ERR_ARGUMENT, "bias is over another grid"),
           "operands over unlike grids are refused");
    bli_spread_release(other);
    release(&operand[0]);
}

int main(void)
{
    const int64_t extent[] = {4, 4};

    tap_plan();
    must(bli_grid_make(0, 2, extent, 0, &grid));
    test_choices();
    test_limits();
    test_other_refusals();
    return tap_done();
}
