/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Enumerators and bits of flags that the library does not know: every function that
 * takes one refuses it with BL_ERR_ARGUMENT, and the message names the argument and the
 * value.
 */
#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

#include <string.h>

#define OTHER 99
#define BIT   0x40000000u

static float values[4] = {1, 2, 3, 4};
static bool truths[4];
static const int64_t extent[] = {4};
static const int64_t index_0[] = {0};
static const bl_array good = {values, BL_DTYPE_F32, 1, extent, NULL, 0};
static const bl_array flagged = {values, BL_DTYPE_F32, 1, extent, NULL, BIT};
static const bl_array untyped = {values, (bl_dtype)OTHER, 1, extent, NULL, 0};
static const bl_array mask = {truths, BL_DTYPE_BOOL, 1, extent, NULL, 0};
static const bl_array flagged_mask = {truths, BL_DTYPE_BOOL, 1, extent, NULL, BIT};
static const bl_array *const pair[] = {&good, &good};
static const bl_array *const flagged_pair[] = {&good, &flagged};
static const bl_array *const untyped_pair[] = {&untyped, &good};
static const bl_scalar scalar = {(bl_dtype)OTHER, {{0, 0}}};
static const bl_placement placement = {OTHER, 0};
static bl_context *ctx;
static bl_tensor *made;
static bl_plan *plan;
static bl_layout layout;
static bl_dtype dtype;
static float element;

static void add(void *user, int64_t count, void *out, const void *const *in)
{
    (void)user;
    memcpy(out, in[0], (size_t)count * sizeof(float));
}

static double half(void *user, double a)
{
    (void)user;
    return a / 2;
}

static bool write_text(void *user, const char *text, size_t length)
{
    (void)user;
    return text && length < 4096;
}

/* ---- options, queries and rules with one value that is not known ---- */

static const bl_options *options(bl_dtype of, uint32_t fixed, const bl_scalar *alpha)
{
    static bl_options chosen;

    chosen = (bl_options)BL_OPTIONS_DEFAULT;
    chosen.dtype = of;
    chosen.fixed = fixed;
    chosen.alpha = alpha;
    return &chosen;
}

static const bl_reduce_options reduce_options = {sizeof reduce_options, (bl_dtype)OTHER,
                                                 0, 1};
static const bl_map_options map_options = {sizeof map_options, (bl_dtype)OTHER, 0, NULL,
                                           NULL};
static const bl_rules_operand strange[] = {{{1, extent}, OTHER, NULL},
                                           {{1, extent}, BL_ROLE_PAIRED, NULL}};
static const bl_rules_operand operands[] = {{{1, extent}, BL_ROLE_PAIRED, NULL},
                                            {{1, extent}, BL_ROLE_PAIRED, NULL}};

#define QUERY(...)                                                                     \
    &(const bl_rules_query)                                                            \
    {                                                                                  \
        .size = sizeof(bl_rules_query), .axis = BL_AXIS_LAST, .count = 2,              \
        .operand = operands, __VA_ARGS__                                               \
    }

static const bl_rules_query strange_query = {
    .size = sizeof strange_query, .axis = BL_AXIS_LAST, .count = 2, .operand = strange};

static bl_status resolve(const bl_rules *rules, const bl_rules_query *query)
{
    bl_rules_answer answer;

    return bl_rules_resolve(rules, query, &answer);
}

/* Rules whose answer has a pairing or an event that is not known. */
static bl_status answer_pairing(const bl_rules *rules, const bl_rules_query *query,
                                bl_rules_answer *answer)
{
    const bl_status status = bl_rules_resolve(NULL, query, answer);

    (void)rules;
    answer->pairing[1].kind = OTHER;
    return status;
}

static bl_status answer_event(const bl_rules *rules, const bl_rules_query *query,
                              bl_rules_answer *answer)
{
    const bl_status status = bl_rules_resolve(NULL, query, answer);

    (void)rules;
    answer->events = 1;
    answer->event[0] = (bl_rules_event){OTHER, 0, 1};
    return status;
}

static const bl_rules flagged_rules = {sizeof flagged_rules, "own", answer_pairing,
                                       NULL, BIT};
static const bl_rules pairing_rules = {sizeof pairing_rules, "own", answer_pairing,
                                       NULL, 0};
static const bl_rules event_rules = {sizeof event_rules, "own", answer_event, NULL, 0};

static bl_status raise_event(void)
{
    const bl_rules_event event = {OTHER, 0, 1};
    const bl_rules_query *const query = QUERY(.mode = BL_MODE_NEW);
    bl_rules_answer answer;

    if (bl_rules_resolve(NULL, query, &answer) != BL_OK)
        return BL_OK;
    return bl_warnings_raise(query, &answer, &event, NULL);
}

/* ---- every call ---- */

static void check(const char *call, bl_status status, const char *argument,
                  const char *value)
{
    if (!tap_ok(status == BL_ERR_ARGUMENT && strstr(bl_error_message(), argument) &&
                    strstr(bl_error_message(), value),
                "%s refuses %s %s", call, argument, value))
        tap_note("status %d: %s", (int)status, bl_error_message());
    bl_tensor_release(made);
    bl_plan_destroy(plan);
    made = NULL;
    plan = NULL;
}

/* One call with an unknown enumerator (CHECK) or an unknown bit (CHECK_BIT). */
#define CHECK(argument, call)     check(#call, call, argument, "99")
#define CHECK_BIT(argument, call) check(#call, call, argument, "0x40000000")

static void check_tensors(void)
{
    const bl_dtype none = (bl_dtype)OTHER;

    CHECK("dtype", bl_tensor_empty(ctx, none, 1, extent, &made));
    CHECK("dtype", bl_tensor_zeros(ctx, none, 1, extent, &made));
    CHECK("dtype", bl_tensor_ones(ctx, none, 1, extent, &made));
    CHECK("dtype", bl_tensor_full(ctx, none, 1, extent, values, &made));
    CHECK("dtype", bl_tensor_arange(ctx, none, 0, 4, 1, &made));
    CHECK("dtype", bl_tensor_rand(ctx, none, 1, extent, 1, &made));
    CHECK("dtype", bl_tensor_randn(ctx, none, 1, extent, 1, &made));
    CHECK("placement",
          bl_tensor_empty_placed(ctx, BL_DTYPE_F32, 1, extent, placement, &made));
    CHECK("dtype", bl_tensor_wrap(ctx, &untyped, NULL, NULL, &made));
    CHECK_BIT("flags", bl_tensor_wrap(ctx, &flagged, NULL, NULL, &made));
    CHECK_BIT("flags", bl_tensor_clone(ctx, &flagged, &made));
    CHECK_BIT("flags", bl_array_layout(&flagged, &layout));
    CHECK_BIT("flags", bl_array_get(&flagged, index_0, &element));
    CHECK_BIT("flags", bl_array_set(&flagged, index_0, &element));
    CHECK_BIT("flags", bl_array_format(&flagged, 0, write_text, NULL));
    CHECK("dtype", bl_array_describe(&untyped, write_text, NULL));
    CHECK_BIT("flags", bl_npy_save(ctx, "/dev/null", &flagged));
}

static void check_operations(void)
{
    const bl_op op = (bl_op)OTHER;
    const bl_dtype none = (bl_dtype)OTHER;
    const bl_op sum = BL_OP_ADD;

    CHECK("op", bl_apply(ctx, op, &good, 2, pair, NULL));
    CHECK("op", bl_apply_new(ctx, op, 2, pair, NULL, &made));
    CHECK("op", bl_plan_create(ctx, op, NULL, 2, pair, NULL, &plan));
    CHECK("op", bl_op_query(op, &(bl_op_info){.size = sizeof(bl_op_info)}));
    CHECK("op", bl_op_result_dtype(op, BL_DTYPE_F32, &dtype));
    CHECK("dtype", bl_op_result_dtype(sum, none, &dtype));
    CHECK("dtype", bl_apply(ctx, sum, &good, 2, untyped_pair, NULL));
    CHECK("dtype", bl_apply(ctx, sum, &good, 2, pair, options(none, 0, NULL)));
    CHECK("dtype", bl_apply_new(ctx, sum, 2, pair, options(none, 0, NULL), &made));
    CHECK("dtype",
          bl_plan_create(ctx, sum, NULL, 2, pair, options(none, 0, NULL), &plan));
    CHECK("dtype",
          bl_apply(ctx, sum, &good, 2, pair, options(BL_DTYPE_NONE, 0, &scalar)));
    CHECK_BIT("fixed",
              bl_apply(ctx, sum, &good, 2, pair, options(BL_DTYPE_NONE, BIT, NULL)));
    CHECK_BIT("flags", bl_apply(ctx, sum, &flagged, 2, pair, NULL));
    CHECK_BIT("flags", bl_apply(ctx, sum, &good, 2, flagged_pair, NULL));
    CHECK_BIT("flags", bl_apply_new(ctx, sum, 2, flagged_pair, NULL, &made));
    CHECK_BIT("flags", bl_plan_create(ctx, sum, &flagged, 2, pair, NULL, &plan));
    CHECK("dtype", bl_cast(ctx, &good, none, &made));
    CHECK("dtype", bl_fill(ctx, &good, scalar));
    CHECK("dtype", bl_masked_fill(ctx, &good, &mask, scalar, &made));
    CHECK_BIT("flags", bl_masked_select(ctx, &good, &flagged_mask, &made));
    CHECK_BIT("flags", bl_masked_scatter(ctx, &flagged, &mask, &good, &made));
    CHECK_BIT("flags", bl_masked_scatter_inplace(ctx, &good, &mask, &flagged));
    CHECK("dtype", bl_map(ctx, add, NULL, &good, 2, pair, &map_options));
    CHECK("dtype", bl_map_new(ctx, add, NULL, 2, pair, none, NULL, &made));
    CHECK_BIT("flags", bl_map(ctx, add, NULL, &flagged, 2, pair, NULL));
    CHECK_BIT("flags", bl_map_unary_f64(ctx, half, NULL, &good, &flagged));
    CHECK("dtype", bl_promote_dtypes(BL_DTYPE_F32, none, &dtype));
    CHECK("dtype", bl_result_dtype(2, untyped_pair, &dtype));
    CHECK_BIT("flags", bl_result_dtype(2, flagged_pair, &dtype));
}

static void check_reductions(void)
{
    const bl_reduction op = (bl_reduction)OTHER, sum = BL_REDUCTION_SUM;

    CHECK("reduction", bl_reduce(ctx, op, &good, &good, 0, NULL, false, NULL));
    CHECK("reduction", bl_reduce_new(ctx, op, &good, 0, NULL, false, NULL, &made));
    CHECK("reduction", bl_reduction_result_dtype(op, BL_DTYPE_F32, &dtype));
    CHECK("dtype", bl_reduction_result_dtype(sum, (bl_dtype)OTHER, &dtype));
    CHECK("dtype",
          bl_reduce_new(ctx, sum, &good, 0, NULL, false, &reduce_options, &made));
    CHECK_BIT("flags", bl_reduce_new(ctx, sum, &flagged, 0, NULL, false, NULL, &made));
    CHECK_BIT("flags", bl_reduce(ctx, sum, &flagged, &good, 0, NULL, true, NULL));
    CHECK_BIT("flags", bl_sum_to_shape_out(ctx, &flagged, &good));
    CHECK_BIT("flags", bl_dist(ctx, &good, &flagged, 2, &made));
}

static void check_rules(void)
{
    CHECK("op", resolve(NULL, QUERY(.op = (bl_op)OTHER)));
    CHECK("mode", resolve(NULL, QUERY(.mode = OTHER)));
    CHECK("role", resolve(NULL, &strange_query));
    CHECK_BIT("fixed", resolve(NULL, QUERY(.fixed = BIT)));
    CHECK_BIT("flags", resolve(&flagged_rules, QUERY(.mode = BL_MODE_NEW)));
    CHECK_BIT("flags", bl_context_set_rules(ctx, &flagged_rules));
    CHECK("kind", resolve(&pairing_rules, QUERY(.mode = BL_MODE_NEW)));
    CHECK("change", resolve(&event_rules, QUERY(.mode = BL_MODE_NEW)));
    CHECK("mode", bl_warnings_raise_pointwise(QUERY(.mode = OTHER), NULL, 0, NULL));
    CHECK("change", raise_event());
}

static void check_settings(void)
{
    CHECK("overlap", bl_context_set_overlap(ctx, (bl_overlap)OTHER));
    CHECK("placement", bl_context_set_placement(ctx, placement));
    CHECK("predicate",
          bl_backcompat_broadcast_warning_set_predicate((bl_predicate)OTHER));
    CHECK("action", bl_warnings_filter((bl_warning_action)OTHER, BL_CHANGE_NONE, NULL));
    CHECK("change", bl_warnings_filter(BL_WARNING_ONCE, (bl_change)OTHER, NULL));
}

/* Functions without a status answer that there is nothing. */
static void check_answers(void)
{
    const bl_rules_event event = {OTHER, 0, 1};
    const bl_rules_query *const query = QUERY(.mode = BL_MODE_NEW);
    bl_rules_event found[2];
    bl_rules_answer answer;
    char text[8] = "text";

    tap_ok(bl_dtype_size((bl_dtype)OTHER) == 0 && !bl_dtype_name((bl_dtype)OTHER),
           "bl_dtype_size, bl_dtype_name");
    tap_ok(!bl_can_cast((bl_dtype)OTHER, BL_DTYPE_F32) &&
               !bl_can_cast(BL_DTYPE_F32, (bl_dtype)OTHER),
           "bl_can_cast");
    tap_ok(!bl_reduction_name((bl_reduction)OTHER), "bl_reduction_name");
    tap_ok(bl_status_string((bl_status)OTHER) != NULL, "bl_status_string");
    tap_ok(bl_warnings_count((bl_change)OTHER) == 0 &&
               bl_warnings_emitted((bl_change)OTHER) == 0,
           "bl_warnings_count, bl_warnings_emitted");
    tap_ok(strcmp(bl_change_id(query, &event), "NONE") == 0, "bl_change_id");
    tap_ok(bl_change_text(query, &event, text, sizeof text) == 0 && !text[0],
           "bl_change_text");
    tap_ok(bl_rules_resolve(NULL, query, &answer) == BL_OK &&
               bl_change_find(query, &answer, (bl_predicate)OTHER, found) == 0,
           "bl_change_find");
}

int main(void)
{
    tap_plan();
    if (bl_context_create(&ctx) != BL_OK)
        return 1;
    check_tensors();
    check_operations();
    check_reductions();
    check_rules();
    check_settings();
    check_answers();
    bl_context_destroy(ctx);
    return tap_done();
}
